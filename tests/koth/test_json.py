"""docs/json.md: the tables of fields are those of the JSON that the commands print."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from schema.registry import card
from tests.corpus.entries import HERE as CORPUS
from tests.golden.make import HERE as GOLDEN
from tests.koth.commands import ROOT, Koth
from tests.koth.test_reask import CHANCE

PAGE = (ROOT / "docs/json.md").read_text()
SECTION = re.compile(r"^##+ `(?P<name>.+?)`$(?P<text>.*?)(?=^#|\Z)", re.M | re.S)
ROW = re.compile(r"^\| `(.+?)` \| (.+?) \| .+ \|$", re.M)

SAME = {"difference": "koth-diff/1", "koth-explain/1": "ruling"}
"""Objects with the fields of another section."""

KINDS: dict[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "text": lambda value: type(value) is str,
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) in (int, float),
    "boolean": lambda value: type(value) is bool,
    "object": lambda value: type(value) is dict,
    "list": lambda value: type(value) is list,
    "event": lambda value: type(value.get("type")) is str and "seq" not in value,
    "numbered event": lambda value: type(value.get("type")) is str and value["seq"] >= 0,
    "answer": lambda value: {type(value[name]) for name in value.keys() - {"cut"}} <= {str},
    "state": lambda value: type(value) is dict,
    "settings": lambda value: "time_limit_s" in value,
    "note": lambda value: type(value) is dict,
    "faults": lambda value: all(
        type(number) is int and number for kinds in value.values() for number in kinds.values()
    ),
    "any": lambda value: True,
}


@dataclass
class Field:
    """A field of the page, with the fields or the items in it."""

    path: str
    types: list[str] = field(default_factory=list)
    optional: bool = False
    fields: dict[str, Field] = field(default_factory=dict)
    items: Field | None = None


def tables() -> dict[str, Field]:
    """Return the table of each section of the page."""
    found = {}
    for section in SECTION.finditer(PAGE):
        table = found[section["name"]] = Field(section["name"])
        for path, type_ in ROW.findall(section["text"]):
            type_, comma, _ = type_.replace("true or false", "boolean").partition(", optional")
            place = at(table, path)
            place.types, place.optional = type_.split(" or "), bool(comma)
    return found


def at(table: Field, path: str) -> Field:
    """Return the field of a table at a path, which is made if it is new."""
    for word in path.split("."):
        name = word.removesuffix("[]")
        table = table.fields.setdefault(name, Field(f"{table.path} {name}"))
        if name != word:
            table.items = table.items or Field(f"{table.path}[]")
            table = table.items
    return table


TABLES = tables()
FORMATS = [name for name in TABLES if "/" in name]


def check(here: Field, value: Any, seen: dict[str, set[str]]) -> None:
    """Check that a value is what the page says, and add the type of each field to ``seen``."""
    matching = [type_ for type_ in here.types if fits(type_, value, seen)]
    assert matching or not here.types, (here.path, here.types, value)
    seen[here.path].update(matching[:1])
    if here.items is not None:
        for item in value:
            check(here.items, item, seen)
    if here.fields and value is not None:
        open_to = [known for name, known in here.fields.items() if name.isupper()]
        for name, known in here.fields.items():
            if name in value:
                check(known, value[name], seen)
            else:
                assert name.isupper() or known.optional, f"{here.path}: no {name}"
        for name in value.keys() - here.fields.keys():
            assert open_to, f"{here.path}: {name} is not in docs/json.md"
            check(open_to[0], value[name], seen)


def fits(type_: str, value: Any, seen: dict[str, set[str]]) -> bool:
    """Return whether a value has a type of the page."""
    if type_.startswith("list of "):
        one = type_.removeprefix("list of ")
        one = one if one in KINDS else one.removesuffix("s")
        return type(value) is list and all(fits(one, item, seen) for item in value)
    if type_ in KINDS:
        return (type(value) is dict or type_ not in OBJECTS) and KINDS[type_](value)
    if type(value) is not dict:
        return False
    check(TABLES[SAME.get(type_, type_)], value, seen)
    return True


OBJECTS = ("event", "numbered event", "answer", "settings", "faults")
"""Kinds whose check takes a dictionary."""


# --- examples ------------------------------------------------------------------------------------

UNSEEN = {"what_if state": {"null"}, "rival score": {"null"}}
"""Types that need a package's game without a state, or an interrupted experiment."""

FORFEIT = GOLDEN / "coup-2/forfeit_by_timeout.jsonl"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the logs of these tests."""
    return tmp_path_factory.mktemp("json")


@pytest.fixture(autouse=True)
def played(folder: Path, koth: Koth, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches and tournaments to ask about, in the working folder."""
    monkeypatch.chdir(folder)
    if Path("old.txt").exists():
        return
    Path("chance.py").write_text(CHANCE)
    two, few = ["examples/taxman", "examples/bandit"], ["--set", "rounds=1", "--seed", "7"]
    unique = ["examples/uniform", "examples/bayes", "--set", "seats=2", "--set", "rounds=9"]
    koth("play", "coup", *two, "-o", "match.jsonl", "--seed", "7")
    koth("play", "coup", "chance.py", "examples/bandit", "-o", "chance.jsonl", "--seed", "7")
    Path("fails.py").write_text("raise SystemExit(1)")
    koth("play", "coup", "fails.py", "examples/bandit", "-o", "failed.jsonl")
    koth("play", "smallest_unique", *unique, "-o", "unique.jsonl", "--seed", "7")
    lines = Path("match.jsonl").read_bytes().splitlines(keepends=True)
    Path("torn.jsonl").write_bytes(b"".join(lines[:-1]))
    koth("tournament", "coup", *two, "examples/miser", "-o", "cup", *few)
    koth("tournament", "coup", *two, "-o", "begun", *few)
    coins = ["examples/rotator", "examples/thief", "--set", "rounds=9", "--set", "games=3"]
    koth("tournament", "coins", *coins, "-o", "coins", "--seed", "7")
    miser = card("coup").bots / "miser.sh"
    Path("other.sh").write_bytes(miser.read_bytes())
    drawn = ["examples/miser", "other.sh", "--set", "max_calls=4"]
    koth("tournament", "coup", *drawn, "-o", "drawn", *few)
    log = Path("begun/tournament.jsonl")
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-2]))
    Path("old.txt").write_text("24 Calculator\n21 Taxman\n")
    koth("import", "results", "old.txt", "-o", "old")


def examples(name: str) -> Iterator[list[object]]:
    """Yield the words of commands whose results have the format ``name``."""
    match name.partition("/")[0]:
        case "koth-verify":
            logs = ["action_that_is_none", "all_between_start_and_result_removed"]
            yield ["verify", *(CORPUS / log for log in logs), FORFEIT]
            yield ["verify", CORPUS / "mirrored_without_shared_dice"]
        case "koth-faults":
            yield ["faults", GOLDEN / "coup-2", GOLDEN / "coins-1"]
            yield ["faults", "cup"]
            yield ["faults", "failed.jsonl"]
        case "koth-explain":
            for log, seq in (("match.jsonl", 0), ("match.jsonl", 1), ("match.jsonl", 3)):
                yield ["explain", log, seq]
            yield ["explain", "unique.jsonl", 1]
            yield ["explain", "cup/tournament.jsonl", 1]
            yield ["explain", "match.jsonl", 2]
        case "koth-explanations":
            yield ["explain", FORFEIT]
        case "koth-replay":
            yield ["replay", "match.jsonl", "--at", 0]
            for bots in ([], ["--bots", "examples"]):
                yield ["replay", "match.jsonl", "--at", 2, "--answer", "F", *bots]
            yield ["replay", "match.jsonl", "--at", 2, "--answer", "x"]
            yield ["replay", "unique.jsonl", "--at", 2, "--seat", 0, "--answer", "3"]
        case "koth-seat":
            yield ["replay", "match.jsonl", "--seat", 0, "--at", 2]
            for seen in (FORFEIT, "begun/matches/1-000000.jsonl", "torn.jsonl"):
                yield ["replay", seen, "--seat", 0]
        case "koth-diff":
            yield ["diff", "match.jsonl", FORFEIT]
            yield ["diff", "match.jsonl", "match.jsonl"]
            yield ["diff", "match.jsonl", "torn.jsonl"]
        case "koth-again":
            yield ["again", "match.jsonl", "examples/taxman"]
            yield ["again", "match.jsonl", "examples/bold_lawyer", "--seat", 0]
            yield ["again", "chance.jsonl", "examples/miser", "--seat", 1]
            yield ["again", "chance.jsonl", "examples/miser", "--seat", 1, "--bots", "chance.py"]
        case "koth-reask":
            yield ["reask", "chance.jsonl", "chance.py", "examples"]
            words = ["examples/bold_lawyer", "examples/miser", "--any-files"]
            yield ["reask", "match.jsonl", *words]
        case "koth-blame":
            yield ["blame", "match.jsonl", "--seat", 0, "--at", "2-6"]
        case "koth-try":
            for bot, rivals in (
                ("bold_lawyer", ["taxman", "miser"]),
                ("taxman", ["bandit"]),
                ("miser", ["taxman"]),
            ):
                words = [f"examples/{bot}", "--against", *(f"examples/{name}" for name in rivals)]
                yield ["try", "coup", *words, "--games", 4, "--seed", "7", "-o", f"try-{bot}"]
        case "koth-audit":
            yield ["audit", "cup"]
            logs = ["chain_seed_exchanged", "another_seed_in_coup"]
            logs += ["action_that_is_none", "bot_exchanged_in_the_tournament"]
            yield ["audit", *(CORPUS / log for log in logs)]
        case "koth-leaderboard":
            yield ["leaderboard", "begun", "old"]
            yield ["leaderboard", "cup"]
        case "koth-rating":
            yield ["leaderboard", "--rating", "cup"]
            yield ["leaderboard", "--rating", "cup", "coins"]
        case "koth-comparison":
            yield ["leaderboard", "cup", "--compare", "taxman", "bandit"]
            yield ["leaderboard", "drawn", "--compare", "miser", "other"]
            yield ["leaderboard", "coins", "--compare", "rotator", "thief"]
        case "koth-sql":
            yield ["sql", "cup", "SELECT name, score FROM players"]


def test_a_result_has_the_fields_of_the_page(koth: Koth) -> None:
    """Every field is in its table, with its type; every field of a table is in some result."""
    seen: dict[str, set[str]] = defaultdict(set)
    for name in FORMATS:
        for words in examples(name):
            value = koth(*words, "--format", "json").json
            assert value.pop("format") == name
            check(TABLES[SAME.get(name, name)], value, seen)
    fields = [here for table in TABLES.values() for here in fields_in(table)]
    unseen = {here.path: left for here in fields if (left := {*here.types} - seen[here.path])}
    assert unseen == UNSEEN


def fields_in(here: Field) -> Iterator[Field]:
    """Yield a field and all fields in it."""
    yield here
    for one in [*here.fields.values(), *([here.items] if here.items else [])]:
        yield from fields_in(one)


def test_every_command_with_json_is_on_the_page() -> None:
    """The page names each command whose help has ``--format`` with ``json``."""
    commands = (ROOT / "docs/commands.md").read_text()
    sections = re.findall(r"^## (koth .+?)$(.*?)(?=^## |\Z)", commands, re.M | re.S)
    with_json = [name for name, text in sections if re.search(r"--format .*json", text)]
    assert len(with_json) > 10
    assert [name for name in with_json if f"`{name}" not in PAGE] == []
