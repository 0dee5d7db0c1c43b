"""The page docs/bots.md: its bots play without a fault, and what its tables say is so."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from audit.query import query
from audit.tables import open_database
from referee.processes import limits, process
from referee.protocols.piped_process import LOADING
from replay.verify import verify_all
from schema import registry, rulebook
from schema.bot_output import CAP
from schema.events import FaultKind
from tests.sampling import sampled
from tests.test_docs import DOCS, generate

PAGE = DOCS / "bots.md"
TEXT = PAGE.read_text()
CARDS = {card.title: card for card in map(registry.card, registry.names())}

COMMANDS = {
    language: re.findall(r"^\$ (.*)$", section, re.M)
    for language, section in re.findall(r"^### (\w+)\n(.*?)(?=^##)", TEXT, re.M | re.S)
}
"""Commands for a bot in each language that a reader may not have installed."""

PROGRAMS = {"C": "cc", "JavaScript": "node", "Java": "javac"}
"""The program that each of these languages needs."""

FAULTS = "SELECT name, kind FROM faults JOIN players USING (log, seat)"


def rows(heading: str) -> list[list[str]]:
    """The cells of the table in a section, row by row, without its head."""
    section = TEXT.partition(f"{heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def faults(folder: Path) -> list[tuple[object, ...]]:
    """Return the faults in the matches of a folder; all logs must verify."""
    verdicts = {verdict.verdict for verdict in verify_all(sorted(folder.glob("*.jsonl")))}
    assert verdicts == {"verified"}
    with open_database([folder]) as database:
        return list(query(database, FAULTS).rows)


def test_the_one_bot_that_should_fails(
    worked_through: Callable[[Path], tuple[Path, str]],
) -> None:
    """All logs of the page verify, and have one fault: the bot that talks too much."""
    folder, _ = worked_through(PAGE)
    assert faults(folder) == [("chatty", "illegal")]


@pytest.mark.parametrize(
    "language", sampled({language: language for language in COMMANDS}, ["C", "JavaScript"])
)
def test_a_bot_in_another_language_plays(language: str, tmp_path: Path) -> None:
    """The bots of the page in other languages can be built and play without a fault."""
    if shutil.which(PROGRAMS[language]) is None:
        pytest.skip(f"there is no {PROGRAMS[language]} here")
    page = generate.Page(PAGE, tmp_path)
    for part in generate.PART.finditer(TEXT):
        if part["file"]:
            page.part(part)
    for command in COMMANDS[language]:
        generate.shell(command, tmp_path, quiet=False)
    assert faults(tmp_path) == []


def test_the_first_table_is_as_the_cards_say() -> None:
    """Every game is there, with its protocol, and how long its bots' folders last."""
    lasts = {"decision": "one decision", "match": "a match", "none": "nothing lasts"}
    told = {game: (protocol, lasting) for game, protocol, *_, lasting in rows("# Write a bot")}
    assert {
        game: (protocol, lasting.split(" (")[0]) for game, (protocol, lasting) in told.items()
    } == {title: (f"*{card.protocol}*", lasts[card.scratch]) for title, card in CARDS.items()}


def number(amount: str) -> int:
    """An amount such as ``4 GiB``, ``10 s`` or ``64``."""
    digits, _, unit = amount.partition(" ")
    return int(digits) << {"": 0, "s": 0, "KiB": 10, "MiB": 20, "GiB": 30}[unit]


def time_limit(game: str) -> int:
    """Return the seconds that a decision may take by default."""
    seconds: int = registry.card(game).settings({}).model_dump()["time_limit_s"]
    return seconds


def test_limits_are_those_in_force() -> None:
    """Every limit is in the table, and as the code has it."""
    heist, coup, coins, unique = map(time_limit, ("bank_heist", "coup", "coins", "smallest_unique"))
    assert (heist, coins) == (coup, unique)  # which share a row
    assert {limit: number(amount) for limit, amount, _ in rows("## Limits")} == {
        "a decision: Bank Heist, Coup": heist,
        "a decision: Coins, Smallest Unique Number": coins,
        "to load a class, imports included": unique * LOADING,
        "computing time of a process: Bank Heist, Coup": limits.cpu_seconds(heist),
        "computing time of a process: Coins": limits.cpu_seconds(coins),
        "computing time of a class in a step": limits.cpu_seconds(unique),
        "address space of a process": limits.ADDRESS_SPACE,
        "memory of all processes and their files": limits.MEMORY,
        "processes and threads": limits.PROCESSES,
        "open files of a process": limits.OPEN_FILES,
        "one file": limits.FILE,
        "all files": limits.SCRATCH,
        "standard output": CAP,
        "standard output that is waited for": process.FLOOD,
        "an addition to Coup's history": CAP,
        "standard error that is kept, its end": process.STDERR_TAIL,
    }


def test_every_limit_is_told() -> None:
    """No limit of the code is missing on the page."""
    names = [name for name in vars(limits) if name.isupper() and "RLIMIT" not in name]
    there = {getattr(limits, name) for name in names}
    assert len(there) >= 6
    assert there <= {number(amount) for _, amount, _ in rows("## Limits")}


def test_faults_and_clauses_are_those_of_the_rulebooks() -> None:
    """The page has every kind of fault, and cites clauses that are there and name that kind."""
    books = [rulebook.clauses(card) for card in CARDS.values()]
    clauses = {name: text for book in books for name, text in book.items()}
    assert set(re.findall(r"\b[A-Z]{2}-\d+", TEXT)) <= set(clauses)
    told = {kind.strip("`"): " ".join(cells) for kind, *cells in rows("## Faults")[:-1]}
    assert set(told) == set(get_args(get_args(FaultKind)[0]))
    for kind, cells in told.items():
        named = {name for name, text in clauses.items() if f"`{kind}`" in text}
        assert named <= set(re.findall(r"\b[A-Z]{2}-\d+", cells)), kind
