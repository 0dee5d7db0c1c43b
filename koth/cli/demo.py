"""``koth demo``: play, verify, audit and query a small tournament of every game."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

SEED = "2026"


@dataclass(frozen=True)
class Act:
    """One game's part of the demo.

    ``ruling`` is a query for the (path, seq) of an event to explain, ``question`` another query.
    """

    game: str
    bots: Sequence[str]
    settings: Sequence[str]
    ruling: str
    question: str


ACTS = (
    Act(
        "coup",
        [f"examples/{name}" for name in ("bandit", "challenger", "lawyer", "mask", "taxman")],
        ["rounds=1"],
        "SELECT path, seq FROM coup_card_replaced JOIN logs USING (log) ORDER BY path, seq LIMIT 1",
        """\
SELECT name, count(*) AS challenges, count(*) FILTER (cause = 'false_claim') AS lies_found
FROM answers JOIN players USING (log, seat) ASOF JOIN coup_card_lost AS lost
  ON answers.log = lost.log AND answers.seq < lost.seq
WHERE appended = 'q' GROUP BY name ORDER BY challenges DESC""",
    ),
    Act(
        "bank_heist",
        ["examples"],
        ["games_min=12", "games_max=16", "rabble=60", "matches=2"],
        "SELECT path, seq FROM bank_heist_fingered JOIN logs USING (log) "
        "ORDER BY path, seq LIMIT 1",
        """\
SELECT name, why, count(*) AS times, sum(after - before) AS credits
FROM bank_heist_moved JOIN players USING (log, seat)
WHERE what = 'credits' AND why <> 'paycheck' GROUP BY name, why ORDER BY credits DESC LIMIT 8""",
    ),
    Act(
        "smallest_unique",
        ["examples"],
        ["games_per_entrant=1", "rounds=300"],
        "SELECT path, seq FROM smallest_unique_round JOIN logs USING (log) "
        "WHERE winner IS NULL ORDER BY path, seq LIMIT 1",
        """\
SELECT choices[winner + 1] AS number, count(*) AS rounds_won
FROM smallest_unique_round WHERE winner IS NOT NULL GROUP BY number ORDER BY number""",
    ),
    Act(
        "coins",
        ["examples"],
        ["games=2", "rounds=12"],
        "SELECT path, seq FROM coins_acted JOIN logs USING (log) "
        "WHERE actions LIKE '%R%' OR actions LIKE '%T%' ORDER BY path, seq LIMIT 1",
        """\
SELECT name, count(*) AS turns, count(*) FILTER (regexp_matches(actions, '[RT]')) AS rotating
FROM coins_acted JOIN players USING (log, seat) GROUP BY name ORDER BY rotating DESC, name""",
    ),
)


def demo(
    output: Annotated[
        Path | None,
        typer.Option("-o", help="A new folder. Default: a temporary folder.", metavar="DIR"),
    ] = None,
) -> None:
    """Play, verify, audit and query a tournament of every game."""
    root = output if output is not None else Path(tempfile.mkdtemp(prefix="koth-demo-"))
    for act in ACTS:
        _perform(act, root / act.game)
    print(f"\nAll files are in {root}.")


def _perform(act: Act, folder: Path) -> None:
    options = [word for setting in act.settings for word in ("--set", setting)]
    options += ["--seed", SEED, "--jobs", "2"]
    _show("tournament", act.game, *act.bots, "-o", str(folder), *options)
    _show("verify", str(folder), "--jobs", "2", tail=1)
    _show("audit", str(folder))
    _show("leaderboard", str(folder))
    path, seq = _event(act, folder)
    _show("explain", path, seq)
    _show("sql", str(folder), act.question)


def _event(act: Act, folder: Path) -> tuple[str, str]:
    """Return the path and the seq of the event to explain."""
    from audit.query import query
    from audit.tables import open_database

    with open_database([folder]) as database:
        [(path, seq)] = query(database, act.ruling).rows
    return str(path), str(seq)


def _show(*words: str, tail: int | None = None) -> None:
    """Print a command as a user would type it, run it, and print the end of its output."""
    pipe = "" if tail is None else f" | tail -n {tail}"
    print(f"\n$ koth {' '.join(map(_quoted, words))}{pipe}", flush=True)
    command = [sys.executable, "-P", "-m", "koth.cli.main", *words]  # -P: ignore files here
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    print("\n".join(ran.stdout.splitlines()[-(tail or 0) :]), flush=True)
    if ran.returncode:
        raise typer.Exit(ran.returncode)


def _quoted(word: str) -> str:
    """Return a word quoted for the shell; in double quotes if it has single ones, as SQL does."""
    return f'"{word}"' if "'" in word and not set('"$`\\!') & set(word) else shlex.quote(word)
