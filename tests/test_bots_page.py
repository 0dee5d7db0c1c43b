"""The page docs/bots.md: its bots play without a fault, and what its tables say is so."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar, get_args

import pytest

from audit.query import query
from audit.tables import open_database
from referee.outcome import FLOOD, STDERR_TAIL
from referee.processes import limits
from replay.verify import verify_all
from schema import registry, rulebook
from schema.bot_output import CAP
from schema.contract import LOADING
from schema.events import FaultKind
from tests.factories import loads
from tests.game_factory import entry
from tests.sampling import left_to_the_wheel, sampled
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


@left_to_the_wheel
def test_the_one_bot_that_should_fails(
    worked_through: Callable[[Path], tuple[Path, str]],
) -> None:
    """All logs of the page verify, and have one fault: the bot that talks too much."""
    folder, _ = worked_through(PAGE)
    assert faults(folder) == [("chatty", "illegal")]


@left_to_the_wheel
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


STREAM = TEXT.partition("## Line by line")[2].partition("\n## ")[0]
"""The section on the stream protocol."""


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield a folder with the files of that section, and with its game, which is installed."""
    folder = tmp_path_factory.mktemp("duel")
    page = generate.Page(PAGE, folder)
    for part in generate.PART.finditer(STREAM):
        page.part(part)
    new_game, install, *_ = re.findall(r"^\$ (.*)$", STREAM, re.M)
    generate.koth(new_game, folder)
    assert install == "pip install ./duel"
    entry(folder / "duel", "duel", "duel")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder / "duel")
        yield folder


@left_to_the_wheel
@pytest.mark.parametrize(
    ("bot", "program"), [("wren", "sh"), ("swift", "node"), ("rook", "cc")], ids=lambda word: word
)
def test_a_stream_bot_in_another_language_plays(bot: str, program: str, duel: Path) -> None:
    """The bots of that section play without a fault against the one in Python."""
    if shutil.which(program) is None:
        pytest.skip(f"there is no {program} here")
    for command in re.findall(rf"^\$ (.* {bot}\b.*)$", STREAM, re.M):
        if command.startswith("koth "):
            generate.koth(command, duel)
        else:
            generate.shell(command, duel)
    assert faults(duel) == []


class Model(BaseHTTPRequestHandler):
    """A server in place of a language model: it rolls low dice again, and fails in round 3."""

    lines: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        """Answer one request for a completion."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        line = body["messages"][1]["content"]
        self.lines.append(line)
        number, _seat, own, *_ = map(int, line.split())
        text = "I would roll." if own < 4 else "Keep"
        content = json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]})
        self.send_response(500 if number == 3 else 200)
        self.end_headers()
        self.wfile.write(content.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@left_to_the_wheel
def test_a_bot_asks_a_language_model(duel: Path) -> None:
    """The bot of the page sends each line, takes the model's word, and survives its failure."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        Thread(target=server.serve_forever).start()
        model = duel / "oracle" / "model.json"
        model.write_text(model.read_text().replace("8080", str(server.server_port)))
        [command] = re.findall(r"^\$ (koth play .* oracle .*)$", STREAM, re.M)
        generate.koth(command, duel)
        server.shutdown()
    log = loads((duel / "oracle.jsonl").read_bytes())
    dealt = [event["dice"][0] for event in log if event["type"] == "dealt"]
    words = [e["output"] for e in log if e["type"] == "answered" and e["seat"] == 0]
    assert words == [
        "roll" if die < 4 and number != 3 else "keep" for number, die in enumerate(dealt, 1)
    ]
    asked = [f"{number} 0 {die} " for number, die in enumerate(dealt, 1)]
    sent = Model.lines[-len(dealt) :]
    assert all(line.startswith(start) for line, start in zip(sent, asked, strict=True))
    assert faults(duel) == []


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
        "standard output that is waited for": FLOOD,
        "an addition to Coup's history": CAP,
        "standard error that is kept, its end": STDERR_TAIL,
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
