"""The answers in a log, as its driver finds them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from replay.driver import ReplayDriver
from tests.replay.log_factory import SHORT, hex_seed, log_of, short


def test_answers_are_found_between_other_events() -> None:
    """Answers to one question may have other events between them, and faults are answers."""
    whole = log_of(short(), hex_seed(SHORT))
    types = ["answered", "coins_moved", "fault", "card_lost", "answered", "answered"]
    events: list[Any] = [whole.start, *({"type": type, "seat": 0} for type in types)]
    driver = ReplayDriver(whole, hex_seed(SHORT))
    driver.log = replace(whole, events=events)
    for first, number, seqs in (1, 3, [1, 3, 5]), (2, 2, [3, 5]), (1, 9, [1, 3, 5, 6]), (1, 0, []):
        driver.next_seq = first
        replies: Any = [None] * number
        assert driver.answer_seqs((), replies) == seqs
