"""``koth export``: what it cannot write, it refuses in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories import loads, write
from tests.koth.commands import Koth

CORPUS = Path(__file__).parents[1] / "corpus"


def test_an_unknown_form(koth: Koth) -> None:
    """The form that was meant is named."""
    told = koth.complaint("export", "transcipt", CORPUS / "honest_match_of_coup" / "log.jsonl")
    assert told == "there is no export 'transcipt'. Did you mean 'transcript'?"


@pytest.mark.parametrize(
    ("log", "kind", "other"),
    [
        ("honest_tournament_of_coins/matches/1-000000.jsonl", "match", "tournament"),
        ("honest_tournament_of_bank_heist/tournament.jsonl", "tournament", "match"),
    ],
)
def test_a_transcript_of_the_other_kind(log: str, kind: str, other: str, koth: Koth) -> None:
    """The game writes its transcripts from the other logs, which the message says."""
    told = koth.complaint("export", "transcript", CORPUS / log)
    assert told.endswith(f"no transcript of a {kind}, but of a {other}; give the log of one.")


def test_a_tournament_without_a_final_table(koth: Koth, tmp_path: Path) -> None:
    """It has no transcript, and keeps the message that says so."""
    log = CORPUS / "honest_tournament_of_coins" / "tournament.jsonl"
    events = [event for event in loads(log.read_bytes()) if event["type"] != "tournament_finished"]
    told = koth.complaint("export", "transcript", write(tmp_path / "log.jsonl", events))
    assert told.endswith("expected a final table in the log, found none.")


def test_a_forged_match(koth: Koth, tmp_path: Path) -> None:
    """A seat that does not exist has no line in a transcript: the log is named, with its check."""
    log = CORPUS / "honest_tournament_of_bank_heist" / "matches" / "1-000000.jsonl"
    events = loads(log.read_bytes())
    next(event for event in events if event["type"] == "bet")["seat"] = 99
    forged = write(tmp_path / "log.jsonl", events)
    told = koth.complaint("export", "transcript", forged, code=1)
    assert told.startswith(f"{forged}: its events give no transcript: ")
    assert told.endswith(f"`koth verify {forged}` says whether they follow the rules.")
