"""The rule ``coup/choice_not_among_the_cards``."""

from __future__ import annotations

from functools import partial

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Ep\n")
    log.turn[2]["output"] = "~" * len(log.turn[2]["output"]) + "~"
    return log


@doctored
def _bytes() -> Doctored:
    log = turn("Ep\n")
    call = log.turn[2]
    del call["output"]
    call |= {"output_base64": "/w==", "appended": call.pop("appended")}
    return log


def _amid(space: str) -> Doctored:
    log = turn("Ep\n")
    log.turn[2]["output"] = space + log.turn[2]["output"] + space
    return log


SPACE = [doctored(partial(_amid, space)) for space in (" \t\n\r\v\f", "\f\v\r\n\t ")]
OTHER_SPACE = [doctored(partial(_amid, space)) for space in ("\x1c", "\x85", "\u00a0")]


def test_choice_not_among_the_cards() -> None:
    """A choice of a card that was neither offered nor held is found."""
    assert fired(_changed) == {
        "coup/choice_not_among_the_cards",
        "coup/exchange_not_as_chosen",
    }


def test_a_choice_that_is_no_text() -> None:
    """A choice whose bytes are not UTF-8 names no cards."""
    assert fired(_bytes) == {"coup/choice_not_among_the_cards"}


def test_white_space_around_a_choice() -> None:
    """White space of ASCII around a choice is ignored, and no other."""
    assert all(fired(choice) == set() for choice in SPACE)
    assert all("coup/choice_not_among_the_cards" in fired(choice) for choice in OTHER_SPACE)
