"""Tournaments that are not over: what their tables rank by, and how far they are."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import koth as library
from audit.tables import open_database
from games.table import TournamentRules, TournamentTable
from referee import tournament
from referee.tournament import Ending, Tournament
from report.data import standings
from schema import discovery as layout
from schema.canonical import line
from schema.errors import GameError
from schema.executor import Mapper
from schema.rules_version import Version
from tests.factories import loads
from tests.golden.make import HERE
from tests.koth.commands import Koth
from tests.once import MadeOnce
from tests.referee.bot_factory import FIRST, bot, hold, script


@pytest.fixture
def cup(tmp_path: Path, made_once: MadeOnce) -> Path:
    """A tournament of three bots, one of which always forfeits, with two of its matches left."""

    def fill(folder: Path) -> None:
        bots = [bot(folder / "bots", f"{n}.sh", FIRST + "act") for n in "ab"]
        hold(folder / "cup", [*bots, bot(folder / "bots", "c.sh", "exit 1")])
        for match in ("1-000003", "1-000005"):
            (folder / "cup" / layout.MATCHES / f"{match}.jsonl").unlink()
        log = folder / "cup" / layout.TOURNAMENT
        log.write_bytes(log.read_bytes().splitlines(keepends=True)[0])

    shutil.copytree(made_once("unfinished", fill), tmp_path, dirs_exist_ok=True)
    return tmp_path / "cup"


def test_an_unfinished_table_ranks_by_points_per_game(koth: Koth, cup: Path) -> None:
    """An unfinished table ranks by points per match, and gives the number of matches played.

    This note is broken into lines of 100 columns, as all of the text.
    """
    typed = koth("leaderboard", cup)
    rows = koth("leaderboard", cup, "--format", "json").json["games"]["coup"]
    rates = [row["points"] / row["games"] for row in rows]
    assert rates == sorted(rates, reverse=True)
    assert len({row["games"] for row in rows}) > 1
    for row in rows:
        better = [rate for rate in rates if rate > row["points"] / row["games"]]
        assert row["rank"] == 1 + len(better)
    said = "is not over: 4 of 6 matches played. Until then ranks of coup are by score per game."
    assert " ".join(typed.out.split()).endswith(said)
    assert max(map(len, typed.out.splitlines())) <= 100


def test_matches_of_a_tournament_with_the_same_id_are_not_counted(koth: Koth, cup: Path) -> None:
    """The number of matches played is that of the folder, also if another one has its seed.

    In JSON it is a field, beside the path of the log.
    """
    other = cup.parent / "other"
    shutil.copytree(cup, other)
    for match in ("1-000000", "1-000001"):
        (other / layout.MATCHES / f"{match}.jsonl").unlink()
    found = koth("leaderboard", cup, other, "--format", "json").json["unfinished"]
    assert [(one["played"], one["planned"]) for one in found] == [(4, 6), (2, 6)]
    assert [one["path"] for one in found] == [str(at / layout.TOURNAMENT) for at in (cup, other)]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_folder_whose_name_is_not_utf8(koth: Koth, cup: Path) -> None:
    """The note about an unfinished tournament does not depend on the name of its folder."""
    moved = cup.rename(cup.parent / os.fsdecode(b"cup\xff"))
    assert "4 of 6 matches played" in " ".join(koth("leaderboard", moved).out.split())


def test_a_table_of_what_is_over_ranks_by_the_sum() -> None:
    """A finished tournament has no note about unfinished matches, in text, JSON or HTML."""
    board = library.leaderboard(HERE.parent / "corpus/honest_tournament_of_coup")
    assert "is not over" not in str(board)
    assert "unfinished" not in json.loads(board.json)
    assert "is not over" not in board._repr_html_()


def test_the_page_says_it(koth: Koth, cup: Path, one_rule: None) -> None:
    """A report of an unfinished tournament has it beside the table."""
    page = cup.parent / "page.html"
    koth("report", cup, "-o", page)
    assert "4 of 6 matches played" in page.read_text()


def test_standings_of_another_game_do_not_say_it(cup: Path) -> None:
    """Of several games, only the standings of its own have the note and rank by the mean."""
    with open_database([cup, HERE.parent / "corpus/honest_tournament_of_coins"]) as database:
        notes = {game: [one.note for one in standings(database, game)] for game in database.games}
    assert {game: "is not over" in "".join(note) for game, note in notes.items()} == {
        "coins": False,
        "coup": True,
    }


def test_a_notebook_says_it(cup: Path) -> None:
    """A leaderboard in a notebook has the note below the table."""
    with pytest.warns(UserWarning, match="1 of 5 files could not be read"):
        board = library.leaderboard(cup)
    assert [(one.played, one.planned) for one in board.unfinished] == [(4, 6)]
    assert "4 of 6 matches played" in board._repr_html_()


def test_void_attempts_leave_the_number_open(koth: Koth, cup: Path) -> None:
    """After void attempts the table claims no total."""
    log = cup / layout.TOURNAMENT
    void = {"type": "voided", "attempt": 1, "matches": 1, "reason": "disqualified"}
    log.write_bytes(log.read_bytes() + line(1, void))
    assert len(loads(log.read_bytes())) == 2
    assert "is not over: 4 matches played." in koth("leaderboard", cup).out


@pytest.mark.parametrize("error", [None, GameError("the rules fail")])
def test_rules_that_plan_no_match_leave_the_number_open(
    error: GameError | None, koth: Koth, cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules that end at once or fail cost the table its total only."""

    def play(table: TournamentTable[Any]) -> TournamentRules:
        if error:
            raise error
        yield from ()

    monkeypatch.setattr(Version, "tournament_rules", lambda version: play)
    assert "is not over: 4 matches played." in koth("leaderboard", cup).out


def test_a_tournament_that_is_stopped_says_how_far_it_is(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupt ends it with the number of matches in the folder, and how to go on."""
    play = tournament.play

    def stopped(
        planned: Tournament, each: Mapper, shown: Callable[[int, int], None], tell: Any
    ) -> Ending:
        def stop(done: int, total: int) -> None:
            if done == 2:
                raise KeyboardInterrupt  # before the second match is counted
            shown(done, total)

        return play(planned, each, stop, tell)

    monkeypatch.setattr(tournament, "play", stopped)
    bots = [script(tmp_path / "bots", f"{n}.sh", FIRST + "act") for n in "abc"]
    cup = tmp_path / "cup"
    typed = koth("tournament", "coup", *bots, "-o", cup, "--set", "rounds=1")
    assert typed.code == 130
    said = f"koth: 2 of 6 matches played.\nkoth: stopped; `koth resume {cup}` goes on.\n"
    assert said in typed.err


@pytest.mark.parametrize("honest", ["honest_tournament_of_coup", "honest_contest_that_is_closed"])
def test_what_is_complete_on_a_file_system_that_cannot_be_written(
    honest: str, koth: Koth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sealed log is already complete, although it cannot be opened for writing."""

    def refused(path: Path, *_flags: int) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr("schema.writer.open_descriptor", refused)
    folder = HERE.parent / "corpus" / honest
    resumed = koth("resume", folder)
    assert (resumed.code, resumed.out) == (0, "")
    assert resumed.err.startswith(f"koth: {folder}: already complete; `koth verify {folder}`")
