"""Fields of other packages' games: what a referee writes, a replay compares, and SQL shows."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from replay import streaming_verify
from tests.corpus.honest import rewritten
from tests.factories import SEED, loads, sealed
from tests.game_factory import install
from tests.koth.commands import Koth
from tests.koth.test_other_peoples_games import IMPORTER
from tests.referee.bot_factory import class_source, script

BOTS = ("examples/cautious", "examples/envious")


def game_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, type: str, value: str, models: str = ""
) -> str:
    """Install a game whose event ``dealt`` has a field ``mark`` of this type, and MARK in it."""
    edits = {"rules.py": ("dice=list(state.dice))", "dice=list(state.dice), mark=MARK)")}
    game = install(tmp_path / "site", monkeypatch, edits)
    events, rules = (tmp_path / "site" / game / f"{name}.py" for name in ("events", "rules"))
    imports = (
        "import enum, datetime\nfrom typing import *\nfrom typing_extensions import TypedDict\n"
    )
    source = events.read_text().replace(
        "    dice: Dice\n", f"    dice: Dice\n    mark: {type}\n", 1
    )
    source = source.replace("from typing import", f"{imports}{models}from typing import", 1)
    events.write_text(source)
    rules.write_text(f"{rules.read_text()}\n\nfrom {game}.events import *\n\nMARK = {value}\n")
    return game


def played(koth: Koth, game: str, log: Path) -> Path:
    """Play one round to a sealed log."""
    words = ("play", game, *BOTS, "-o", log, "--set", "rounds=1", "--seed", SEED)
    assert koth(*words).code == 0
    return log


COLOR = "class Color(enum.Enum):\n    RED = 1\n"

NOT_PLAIN = {
    "a tuple in place of a list": ("list[int]", "(1, 2)"),
    "a tuple": ("tuple[int, ...]", "(1, 2)"),
    "a tuple as any value": ("Any", "(1, 2)"),
    "a member of an enumeration": ("Color", "Color.RED"),
    "one as any value": ("Any", "Color.RED"),
    "a date": ("datetime.date", "datetime.date(2020, 2, 2)"),
    "no number": ("Any", "float('nan')"),
    "a float": ("Any", "1.5"),
    "an integer beyond 64 bits": ("int", "2**63"),
    "one as any value, inside": ("Any", "[{'a': 2**63}]"),
    "a set": ("Any", "{1}"),
    "a half surrogate pair": ("str", "'\\ud800'"),
}
"""Types of a field, and values that a log would not hold as they are."""


@pytest.mark.parametrize("kind", NOT_PLAIN)
def test_what_a_log_cannot_hold_is_refused(
    kind: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The referee names the game instead of sealing a log that would be read as another one."""
    type, value = NOT_PLAIN[kind]
    game = game_with(tmp_path, monkeypatch, type, value, COLOR)
    log = tmp_path / "log.jsonl"
    found = koth.complaint("play", game, *BOTS, "-o", log, "--set", "rounds=1", code=4)
    assert game in found
    assert "match_sealed" not in log.read_text()


@pytest.mark.parametrize("value", ["(1, 2)", "1.5", "{1}"])
def test_an_import_holds_plain_values_only(
    value: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The importer of a package is named for a value that its log would not hold as it is."""
    game = game_with(tmp_path, monkeypatch, "Any", "1")
    package = tmp_path / "site" / game
    card = (package / "game.toml").read_text()
    reads = f'scratch = "match"\nimporters = {{ notes = "{game}.importer:read" }}\n'
    (package / "game.toml").write_text(card.replace('scratch = "match"', reads, 1))
    dealt = f'{{"type": "dealt", "round": 1, "dice": [1, 2], "mark": {value}}}'
    source = IMPORTER.replace("[start, end]", f"[start, {dealt}, end]").replace("NAME", game)
    (package / "importer.py").write_text(source)
    (tmp_path / "notes.txt").touch()
    words = ("import", "notes", tmp_path / "notes.txt", "-o", tmp_path / "old")
    assert "importer:read': ValueError: 1-000000.jsonl:2: " in koth.complaint(*words, code=4)


EQUALS = {
    "a truth value": ("int | bool", "1", "true"),
    "a float": ("Any", "1", "1.0"),
    "another order": ("dict[str, int]", '{"a":1,"b":1}', '{"b":1,"a":1}'),
}
"""The type of a field, a value of it, and one that equals it for Python."""


@pytest.mark.parametrize("kind", EQUALS)
def test_a_log_is_compared_as_it_is_written(
    kind: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log has diverged if a value in it only equals the one to which the rules lead."""
    type, value, other = EQUALS[kind]
    game = game_with(tmp_path, monkeypatch, type, value)
    log, forged = played(koth, game, tmp_path / "log.jsonl"), tmp_path / "forged.jsonl"
    old, new = (f'"mark":{one}'.encode() for one in (value, other))
    forged.write_bytes(rewritten(log.read_bytes(), old, new))
    assert koth("verify", log).out.startswith("verified")
    told = f"event 1, field mark\n  recorded    {other}\n  recomputed  {value}\n"
    assert told in koth("verify", forged).out
    told = "the log does not follow from its seed and answers"
    assert told in koth.complaint("explain", forged, "--seat", 0, code=1)
    found = koth("diff", log, forged, "--format", "json").json
    differ = [found["field"], *map(json.dumps, found["values"])]
    assert differ == ["mark", *(json.dumps(json.loads(one)) for one in (value, other))]


@pytest.mark.parametrize("value", [(1, 2), [1, (2,)]])
def test_both_ways_to_verify_compare_what_is_written(
    value: object, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Older referees sealed tuples, which are lists in the log: it verifies, and is explained."""
    game = game_with(tmp_path, monkeypatch, "Any", json.dumps(value))
    log = played(koth, game, tmp_path / "log.jsonl")
    monkeypatch.setattr(sys.modules[f"{game}.rules"], "MARK", value)
    assert streaming_verify.verified(log)
    assert koth("verify", log).code == 0
    assert koth("explain", log, 1).code == 0
    assert koth("diff", log, log).code == 0


@pytest.mark.parametrize("value", [{1}, {1: 2}, b"a", "\ud800", {"\ud800": 1}, [{"a": 1j}]])
def test_a_forged_log_may_lead_to_what_no_log_can_hold(
    value: object, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log is diverged, and the recomputed value is text; other logs have their verdicts."""
    game = game_with(tmp_path, monkeypatch, "Any", "1")
    log = played(koth, game, tmp_path / "log.jsonl")
    monkeypatch.setattr(sys.modules[f"{game}.rules"], "MARK", value)
    found = koth("verify", log)
    assert (found.code, found.err) == (1, "")
    assert "event 1, field mark" in found.out
    assert koth("verify", log, "--format", "json").json["logs"][0]["verdict"] == "diverged"
    assert koth("report", log, "-o", tmp_path / "page").code == 1


def test_an_integer_of_a_package_has_64_bits(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A forged log with a larger one is corrupt, and does not keep SQL from the other logs."""
    game = game_with(tmp_path, monkeypatch, "int", str(2**63 - 1))
    log, forged = played(koth, game, tmp_path / "log.jsonl"), tmp_path / "forged.jsonl"
    old, new = (f'"mark":{number}'.encode() for number in (2**63 - 1, 2**63))
    forged.write_bytes(rewritten(log.read_bytes(), old, new))
    assert "expected integers of 64 bits, found 9223372036854775808" in koth("verify", forged).out
    found = koth("sql", log, forged, f"SELECT mark FROM {game}_dealt", "--format", "json")
    assert found.json["rows"] == [{"mark": 2**63 - 1}]


IN_SQL = {
    "a choice of several types": ("Literal[1, 'a']", "'a'", "JSON", '"a"'),
    "one with no value": ("Literal[None, 'a']", "'a'", "VARCHAR", "a"),
    "truth values among numbers": ("list[Literal[0, True]]", "[0, True]", "JSON[]", ["0", "true"]),
    "names in two cases": ("Inner", "{'a': 1, 'A': 2}", "JSON", '{"a":1,"A":2}'),
    "an empty name": ("Inner", "{'': 1}", "JSON", '{"":1}'),
    "no names": ("Inner", "{}", "JSON", "{}"),
    "a name with a quote": ("Inner", '{"it\'s": 1}', 'STRUCT("it\'s" BIGINT)', {"it's": 1}),
}
"""A field's type and value, and those that SQL shows."""


@pytest.mark.parametrize("kind", IN_SQL)
def test_sql_has_the_value_of_every_field(
    kind: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A field that fits no type of DuckDB is JSON, in logs and in an archive."""
    type, value, shown_type, shown = IN_SQL[kind]
    models = f"Inner = TypedDict('Inner', {re.sub('[0-9]', 'int', value)})\n"
    game = game_with(tmp_path, monkeypatch, type, value, models if type == "Inner" else "")
    cup, packed = tmp_path / "cup", tmp_path / "packed"
    words = ("--set", "rounds=1", "--set", "games=2", "--seed", SEED)
    assert koth("tournament", game, *BOTS, "-o", cup, *words).code == 0
    assert koth("pack", cup, "-o", packed).code == 0
    query = f"SELECT DISTINCT mark, typeof(mark) AS type FROM {game}_dealt"
    for logs in (cup, packed):
        found = koth("sql", logs, query, "--format", "json")
        assert (found.err, found.json["rows"]) == ("", [{"mark": shown, "type": shown_type}])


def test_a_setting_is_text_in_utf_8(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other bytes in a setting are refused, since no log can hold them."""
    setting = ("    time_limit_s: int", "    town: str = 'Bath'\n    time_limit_s: int")
    game = install(tmp_path / "site", monkeypatch, {"events.py": setting})
    words = ("play", game, *BOTS, "-o", tmp_path / "log.jsonl", "--set", "town=\udcff")
    assert "setting town: expected text in UTF-8, found" in koth.complaint(*words)


CHOOSING = """
from games.table import ClassCall, JointAsk


def play(table):
    choices = yield JointAsk("select", ClassCall(None), ("1", "2"))
    table.emit(dict(type="scored", round=1, dice=[1, 1], points=choices), "MU-4")
    table.finish("rounds_played", [1, 1], [0, 1], "MU-5")
"""
CARRIERS = 'carriers = { select = { event = "scored", field = "points" } }\n'


def test_a_forged_log_may_lack_the_choices(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log has diverged if its model lets an event lack the choices of the bots, and it does."""
    edits = {
        "game.toml": ('protocol = "argv"', 'protocol = "class"'),
        "events.py": ("class Scored(TypedDict):", "class Scored(TypedDict, total=False):"),
    }
    game = install(tmp_path / "site", monkeypatch, edits)
    (tmp_path / "site" / game / "rules.py").write_text(CHOOSING)
    with (tmp_path / "site" / game / "game.toml").open("a") as card:
        card.write(CARRIERS)
    bots = [script(tmp_path, f"{name}.py", class_source(head="")) for name in ("one", "two")]
    log, forged = tmp_path / "log.jsonl", tmp_path / "forged.jsonl"
    assert koth("play", game, *bots, "-o", log, "--seed", SEED).code == 0
    events = loads(log.read_bytes())
    assert events[1].pop("points") == [1, 1]
    forged.write_bytes(sealed(events, SEED))
    found = koth("verify", log, forged)
    assert "recorded 'scored', recomputed 'answered'" in found.out
    assert "2 logs: 1 diverged, 1 verified" in found.out
    assert koth("report", forged, "-o", tmp_path / "page").code == 1
    assert koth("replay", forged, "--seat", 0).code == 1
