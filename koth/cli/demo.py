"""``koth demo``: a tournament, a forfeit, two forgeries that are caught, a question, two pages."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from koth.cli.output import say
from schema.errors import KothError
from schema.files import make_folder, refuse_used, write_file

SEED = "2026"

FUMBLER = '''\
"""Saves its coins for a Coup, and launches it one coin too early."""

import sys

path, _theirs, mine, cards, *legal = sys.argv[1:]

if len(cards) > 2:  # Exchange: keep the own cards, which follow the two drawn ones
    print(cards[2:])
if "I\\n" in legal:
    action = "C" if int(mine) >= 6 else "I\\n"
else:
    action = "p" if "p" in legal else legal[0]

with open(path, "a", newline="") as history:
    history.write(action)
'''

LIES = """\
SELECT name, count(*) AS challenges, count(*) FILTER (cause = 'false_claim') AS lies_found
FROM answers JOIN players USING (log, seat) ASOF JOIN coup_card_lost AS lost
  ON answers.log = lost.log AND answers.seq < lost.seq
WHERE appended = 'q' GROUP BY name ORDER BY challenges DESC"""


@dataclass(frozen=True)
class Act:
    """A small tournament of a game's example bots, and a question in SQL about it."""

    game: str
    settings: tuple[str, ...]
    question: str


OTHERS = (
    Act(
        "bank_heist",
        ("games_min=12", "games_max=16", "rabble=60", "matches=2"),
        "SELECT name, why, count(*) AS times, sum(after - before) AS credits\n"
        "FROM bank_heist_moved JOIN players USING (log, seat)\n"
        "WHERE what = 'credits' AND why <> 'paycheck' "
        "GROUP BY name, why ORDER BY credits DESC LIMIT 8",
    ),
    Act(
        "smallest_unique",
        ("games_per_entrant=1", "rounds=300"),
        "SELECT choices[winner + 1] AS number, count(*) AS rounds_won\n"
        "FROM smallest_unique_round WHERE winner IS NOT NULL GROUP BY number ORDER BY number",
    ),
    Act(
        "coins",
        ("games=2", "rounds=12"),
        "SELECT name, count(*) AS turns, count(*) FILTER (regexp_matches(actions, '[RT]')) AS "
        "rotating\nFROM coins_acted JOIN players USING (log, seat) "
        "GROUP BY name ORDER BY rotating DESC, name",
    ),
)


def demo(
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A new folder.", metavar="DIR")
    ] = None,
    every_game: Annotated[
        bool, typer.Option("--all", help="Show all four games, not only Coup.")
    ] = False,
) -> None:
    """Play a tournament, catch two forgeries, ask a question, and write two pages."""
    root = output if output is not None else Path(tempfile.mkdtemp(prefix="koth-demo-"))
    refuse_used(root)
    if str(root).startswith("-"):  # it would be an option of the commands
        root = root.absolute()
    _show_coup(root)
    for act in OTHERS if every_game else ():
        folder = (root / act.game).as_posix()
        _play(act.game, folder, "examples", settings=act.settings)
        _show("verify", folder, "--jobs", "2", last=1)
        _show("leaderboard", folder)
        _show("sql", folder, act.question)


def _show_coup(root: Path) -> None:
    """Show a dispute about a match of Coup, from the tournament to the pages."""
    make_folder(root)
    bot, folder = root / "fumbler.py", root / "coup"
    write_file(bot, FUMBLER.encode())
    say("A tournament of Coup: five bots that come with Koth, and fumbler, which cannot count.")
    names = ("bandit", "challenger", "lawyer", "mask", "taxman")
    bots = [f"examples/{name}" for name in names]
    _play("coup", folder.as_posix(), *bots, bot.as_posix(), settings=("rounds=1",))
    _show("leaderboard", folder.as_posix())

    say("\nWhy did fumbler lose this match?")
    log = _first_fault(folder)
    _show("faults", log.as_posix(), first=2)

    say("\nSomebody makes fumbler the winner, by one byte of the log. Koth sees it:")
    changed = root / "changed.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    lines[-2] = re.sub(rb'"winners":\[(\d)\]', _other_winner, lines[-2])
    write_file(changed, b"".join(lines))
    _show("verify", changed.as_posix(), first=1, code=1)

    say("\nA dishonest referee writes a new seal, too. Koth plays the match again, and sees it:")
    resealed = root / "resealed.jsonl"
    seal = json.loads(lines[-1])
    seal["sha256"] = sha256(b"".join(lines[:-1])).hexdigest()
    lines[-1] = json.dumps(seal, separators=(",", ":")).encode() + b"\n"
    write_file(resealed, b"".join(lines))
    _show("verify", resealed.as_posix(), first=5, code=1)

    say("\nHow often did each bot challenge, and how often was it right?")
    _show("sql", folder.as_posix(), LIES)

    say("\nTwo pages to open in a browser: the tournament, and the match that fumbler lost.")
    _show("report", folder.as_posix(), "-o", (root / "tournament.html").as_posix(), "--jobs", "2")
    _show("report", log.as_posix(), "-o", (root / "match.html").as_posix())
    say(f"\n  {root / 'tournament.html'}\n  {root / 'match.html'}")


def _other_winner(winners: re.Match[bytes]) -> bytes:
    return b'"winners":[%d]' % (1 - int(winners[1]))


def _first_fault(folder: Path) -> Path:
    """Return the log of the shortest match that ended by a fault."""
    from audit.query import query
    from audit.tables import open_database
    from schema.discovery import MATCHES

    with open_database([folder]) as database:
        [(path,)] = query(
            database, "SELECT path FROM faults JOIN logs USING (log) ORDER BY seq, path LIMIT 1"
        ).rows
    return folder / MATCHES / Path(str(path)).name  # tables escape a path that is not UTF-8


def _play(game: str, folder: str, *bots: str, settings: tuple[str, ...]) -> None:
    options = [word for setting in settings for word in ("--set", setting)]
    options += ["--seed", SEED, "--jobs", "2"]
    if sys.platform != "linux":  # only Linux isolates bots, and these come with Koth
        options += ["--isolation", "none"]
    _show("tournament", game, *bots, "-o", folder, *options, first=0)


def _show(*words: str, first: int | None = None, last: int | None = None, code: int = 0) -> None:
    """Print a command as one would type it, run it, and print some lines of its output.

    Ends the demo if the exit code is not ``code``.
    """
    pipe = "" if not first else f" | head -n {first}"
    pipe += "" if not last else f" | tail -n {last}"
    say(f"$ koth {' '.join(map(_quoted, words))}{pipe}", flush=True)
    command = [sys.executable, "-P", "-m", "koth", *words]  # -P: nothing from this folder
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    ran = subprocess.run(
        command, capture_output=True, encoding="utf-8", env=environment, check=False
    )
    lines = ran.stdout.splitlines()
    say(
        "\n".join(lines[:first][-(last or 0) :]),
        end="\n" if lines and first != 0 else "",
        flush=True,
    )
    if ran.returncode != code:
        print(ran.stderr, end="", file=sys.stderr)
        if ran.returncode < 0:  # for example by a system without memory
            name = signal.Signals(-ran.returncode).name
            raise KothError(f"the command above was stopped by the signal {name}.")
        raise typer.Exit(ran.returncode or 1)


def _quoted(word: str) -> str:
    """Return a word as one would type it, SQL with its single quotes in double ones."""
    return f'"{word}"' if "'" in word and not set('"$`\\!') & set(word) else shlex.quote(word)
