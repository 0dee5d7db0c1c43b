"""The reply to a joint question: a list only if every seat made a legal choice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from games.table import (
    Answer,
    ClassCall,
    JointAsk,
    joint_replies,
    replies_by_seat,
    reply_with_choices,
)

QUESTION = JointAsk("select", ClassCall(None), ("1", "2", "3"))


@given(st.lists(st.integers(0, 4) | st.integers(-(2**63), 2**63 - 1), max_size=4))
def test_a_list_has_a_legal_choice_for_each_seat(choices: list[int]) -> None:
    """Choices of too few seats, and illegal ones, become answers by seat; others stay as given."""
    reply = reply_with_choices(QUESTION, choices, 3)
    if len(choices) == 3 and all(1 <= choice <= 3 for choice in choices):
        assert reply is choices
    else:
        assert reply == {seat: Answer({"output": b"%d" % n}) for seat, n in enumerate(choices)}


@given(st.lists(st.integers(-1, 5), min_size=3, max_size=3))
def test_both_forms_of_a_reply_agree(choices: list[int]) -> None:
    """Answers by seat have the form that the choices in them would have."""
    reply = reply_with_choices(QUESTION, choices, 3)
    assert joint_replies(QUESTION, replies_by_seat(choices), 3) == reply
