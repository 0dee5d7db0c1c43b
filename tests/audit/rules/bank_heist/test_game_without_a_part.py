"""The rule ``bank_heist/game_without_a_part``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="shared_out", straight_share=0, crosser_share=0)
    log.drop(log.event(type="shared_out"))
    return log


@doctored
def _table() -> Heist:
    log = heist()
    end = log.event(type="game_finished")
    ranking = list(range(len(end["credits"])))
    table = {"type": "credits_seen", "number": end["number"], "ranking": ranking}
    log.events.insert(log.place(end), table | {"credits": end["credits"]})
    return log


@doctored
def _result() -> Heist:
    log = heist()
    log.events.insert(2, {"type": "heist_seen", "number": 0, "seat": 0, "succeeded": 0})
    return log


def test_what_only_transcripts_have() -> None:
    """A table of credits or a result of a heist in a match that was played is found."""
    assert fired(_table) == {"bank_heist/game_without_a_part"}
    assert fired(_result) == {"bank_heist/game_without_a_part"}


def test_game_without_a_part() -> None:
    """A share-out that is missing is found."""
    assert fired(_changed) == {
        "bank_heist/game_without_a_part",
        "bank_heist/share_without_cross_not_paid",
    }
