"""Tournaments to pack, and what is asked of their archives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit.loading.models import SQL, models_of
from audit.loading.parquet import NOT_WRITTEN
from audit.query import query
from audit.tables import open_database
from schema import registry
from tests.audit import bank_heists, coin_games, unique_games
from tests.audit.contest import Contest, contest
from tests.sampling import sampled

CONTESTS: dict[str, Callable[[], Contest]] = {
    "bank_heist": bank_heists.series,
    "coins": coin_games.tournament,
    "coup": contest,
    "smallest_unique": unique_games.tournament,
}
each_game = pytest.mark.parametrize(
    "game", sampled({game: game for game in CONTESTS}, ["coup", "smallest_unique"])
)
"""In the suite a game of events one by one, and the one with events in bulk."""


def played(folder: Path, game: str = "coins") -> Path:
    """A tournament of a game, with evidence of its first match."""
    CONTESTS[game]().write(folder)
    first = sorted((folder / "matches").iterdir())[0]
    (folder / "evidence").mkdir()
    notes = b'{"format":"koth-evidence/1"}\n{"seq":1,"seat":0,"ask":"turn","ms":2.5}\n{"torn\xff'
    (folder / "evidence" / first.name).write_bytes(notes)
    (folder / "evidence" / "nothing.jsonl").write_bytes(b"")
    (folder / "checkpoint").write_bytes(b"origin\r\n7\n")
    return folder


def other(folder: Path) -> Path:
    """A tournament of coins in which a match says another winner than that of ``played``."""
    made = coin_games.tournament()
    match = sorted(made.matches)[0]
    [end] = [event for event in made.matches[match] if event["type"] == "match_finished"]
    end["winners"] = [0, 1] if end["winners"] != [0, 1] else [0]
    end["reason"] = "other"
    made.write(folder)
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def names(game: str) -> list[str]:
    """The tables of a tournament of a game that are in an archive as Parquet."""
    typed = [f"{game}_{model.type}" for model in models_of(registry.card(game))]
    shared = sorted(path.stem for path in (SQL / "tables").glob("*.sql"))
    return [*typed, *(name for name in shared if name not in NOT_WRITTEN)]


def asked(game: str, *paths: Path, together: bool = False) -> dict[str, list[Any]]:
    """The rows of all tables, in no order, but of those that say where the logs lie.

    ``together`` adds the table of all events, which takes as long as all others.
    """
    tables = {*names(game), *NOT_WRITTEN}.difference(("logs", "unread"))
    tables |= {"events"} if together else set()
    with open_database(paths, bare=True) as database:
        return {name: sorted(query(database, f"FROM {name}").rows, key=repr) for name in tables}
