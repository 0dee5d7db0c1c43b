"""``koth watch``: which viewer it starts, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App

from tests.koth.commands import Koth

SPRING = Path(__file__).parents[1] / "corpus" / "honest_tournament_of_coins"
LOG = SPRING / "matches" / "1-000000.jsonl"


@pytest.mark.parametrize("words", [[LOG], [LOG, "--follow"], [SPRING, "--follow"]])
@pytest.mark.parametrize(
    ("interrupted", "return_code", "code"), [(False, 0, 0), (True, 0, 130), (False, 1, 4)]
)
def test_the_exit_code_says_how_the_viewer_ended(
    words: list[object],
    interrupted: bool,
    return_code: int,
    code: int,
    koth: Koth,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a terminal a viewer runs; Ctrl-C in it and its errors have the usual exit codes."""
    started: list[str] = []

    def run(app: App[None]) -> None:
        started.append(type(app).__name__)
        monkeypatch.setattr(app, "interrupted", interrupted)
        monkeypatch.setattr(app, "_return_code", return_code)

    monkeypatch.setattr(App, "run", run)
    monkeypatch.setattr("koth.cli.watch._is_terminal", lambda: True)
    assert koth("watch", *words).code == code
    assert started == ["Watch" if words[0] == LOG else "WatchTournament"]


def test_without_a_terminal(koth: Koth) -> None:
    """Only what is followed is printed; a folder has no seat."""
    assert koth.complaint("watch", LOG).startswith("`koth watch` needs a terminal. ")
    told = koth.complaint("watch", SPRING, "--follow", "--seat", 0)
    assert told == "--seat: goes with a log, not with a folder."
