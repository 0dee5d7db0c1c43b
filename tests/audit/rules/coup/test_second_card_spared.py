"""The rule ``coup/second_card_spared``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, ending, fired


def _spared(line: str) -> Doctored:
    log = ending(line, lambda log: log.events[-2]["cause"] == "assassination")
    log.drop(log.events[-2])
    log.cut(log.events[-2])
    return log


@doctored
def _false_block() -> Doctored:
    return _spared("Asq[_'<=0]")


@doctored
def _wrong_challenge() -> Doctored:
    return _spared(r"Aq\^[_'<=0]")


@doctored
def _last_card() -> Doctored:
    return ending("Asq[_'<=0]", lambda log: log.events[-2]["cause"] != "assassination")


def test_second_card_spared() -> None:
    """A card kept after a false Contessa or a wrong challenge of the Assassin is found."""
    assert fired(_false_block) == {"coup/second_card_spared"}
    assert fired(_wrong_challenge) == {"coup/second_card_spared"}


def test_a_victim_with_one_card_loses_no_second() -> None:
    """A victim whose false Contessa costs its only card breaks no rule."""
    assert fired(_last_card) == set()
