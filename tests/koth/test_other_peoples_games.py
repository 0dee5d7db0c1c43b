"""Games of other packages: first-class where they are right; where not, a sentence says what is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.text_board import TextBoard
from koth import games
from koth.cli.main import status
from referee.tournament import SEED_FILE
from report.site import build
from schema import registry
from tests.factories import SEED, loads, match_events, printed, write
from tests.game_factory import entry, install
from tests.koth.commands import Koth
from tests.referee.bot_factory import class_source, script
from tests.sampling import sampled

BOTS = ("examples/cautious", "examples/envious")
Edits = dict[str, tuple[str, str]]


def test_every_command_takes_a_game_of_others(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From its bots to a bundle of its tournament, it is a game like the others.

    The commands of docs/add-a-game.md, and those of the skeleton's own test, are left out here.
    """
    game = install(tmp_path / "site", monkeypatch, {})
    cup, log = tmp_path / "cup", tmp_path / "cup" / "matches" / "1-000000.jsonl"
    key, packed = tmp_path / "key", tmp_path / "packed"
    commands: list[list[object]] = [
        ["bots", game],
        ["schema", game],
        ["tournament", game, *BOTS, "-o", cup, "--seed", "1", "--set", "games=2"],
        ["resume", cup],
        ["reask", log, *BOTS],
        ["diff", log, log],
        ["keygen", "example.com/cup", "-o", key],
        ["sign", cup, "--key", key],
        ["prove", cup, "1-000001", "-o", tmp_path / "proof"],
        ["pack", cup, "-o", packed],
        ["sql", packed, f"FROM {game}_dealt JOIN {game}_scored USING (log, round)"],
        ["unpack", packed, "-o", tmp_path / "again"],
    ]
    for words in commands:
        typed = koth(*words)
        assert typed.code == 0, (words, typed)
    assert f"{game}  {game}/1  argv  Made up" in koth("games").out
    told = koth.complaint("export", "transcript", log)
    assert "no transcript" in told


WRONG_RULES: dict[str, tuple[Edits, str]] = {
    "import_raises": (
        {"rules.py": ("SIDES = 6", "SIDES = 6 // 0")},
        "match = 'NAME.rules:play': it cannot be imported: ZeroDivisionError: .*rules.py, line ",
    ),
    "no_generator": (
        {"game.toml": ('match = "NAME.rules:play"', 'match = "NAME.rules:situation"')},
        "match = 'NAME.rules:situation': expected a generator function",
    ),
    "raise": (
        {"rules.py": ("state.round = number\n", "state.round = number // 0\n")},
        r"NAME/rules.py, line \d+: ZeroDivisionError: .* The game's package must fix its rules",
    ),
    "exit": (
        {"rules.py": ("state.round = number\n", "raise SystemExit(0)\n")},
        r"NAME/rules.py, line \d+: SystemExit: 0. The game's package must fix its rules",
    ),
    "misuse_the_dice": (
        {"rules.py": ("table.dice.below(label, SIDES)", "table.dice.below(label, None)")},
        r"NAME/rules.py, line \d+: TypeError",
    ),
    "emit_without_a_clause": (
        {"rules.py": ('dice=list(state.dice)), "MU-2")', "dice=list(state.dice)))")},
        r"NAME/rules.py, line \d+: TypeError: .* missing 1 required positional argument: 'clause'",
    ),
    "emit_with_a_clause_of_no_text": (
        {"rules.py": ('dice=list(state.dice)), "MU-2")', "dice=list(state.dice)), 2)")},
        r"NAME/1 .* are broken: expected the clause of {'type': .*} as text, found 2",
    ),
    "yield_nonsense": (
        {"rules.py": ("yield asks", "yield asks[0]")},
        r"NAME' are broken: expected a list of Ask \(argv\), found Ask\(seat=0",
    ),
    "another_call": (
        {"rules.py": ("return ArgvCall(tuple(map(str, numbers)))", "return numbers")},
        r"NAME' are broken: expected ArgvCall\(…\) in the question 'again', found \(1, 0",
    ),
    "ask_two_lines": (
        {
            "game.toml": ('protocol = "argv"', 'protocol = "stream"'),
            "rules.py": (
                "return ArgvCall(tuple(map(str, numbers)))",
                "from games.table import StreamCall\n"
                r"    return StreamCall('\n'.join(map(str, numbers)))",
            ),
        },
        r"rules NAME/1 .* broken: expected a text without a line end as 'line' .*, found '1\\n0",
    ),
    "ask_nobody": (
        {"rules.py": ("Ask(seat, ", "Ask(seat + 1, ")},
        "log.jsonl:3: .* expected a seat below 2 in the question 'again', found 2",
    ),
    "forget_an_answer": (
        {"rules.py": ("table.accept(ask, reply,", "(ask, reply,")},
        "log.jsonl:5: .*: they do not record the answer of seat 0 to 'again'",
    ),
    "record_in_another_order": (
        {"rules.py": ("in zip(asks, replies, strict=True)", "in zip(asks[::-1], replies)")},
        "log.jsonl:3: .*: expected the answer of seat 0 to 'again', found that of seat 1",
    ),
    "record_another_answer": (
        {"rules.py": ("accept(ask, reply,", 'accept(ask, type(reply)({"output": b"never"}),')},
        "log.jsonl:3: .* of seat 0 to 'again' as given, {'output': .*}, found {'output': 'never'}",
    ),
    "record_a_fault_for_an_answer": (
        {
            "rules.py": (
                "    if not isinstance(reply, Fault):",
                "    reply = reply if ask.args[0] == '1' else Fault('crash')\n"
                "    if not isinstance(reply, Fault):",
            )
        },
        "log.jsonl:7: .* of seat 0 to 'again' as given, {'output': .*}, found {'kind': 'crash'}",
    ),
    "record_an_answer_twice": (
        {"rules.py": ("score(table, state, chosen)\n", "judge(table, asks[1], replies[1])\n")},
        "log.jsonl:5: .* expected no further answer, found that of seat 1 to 'again'",
    ),
    "end_without_result": (
        {"rules.py": ("    table.finish(", "    (")},
        "the rules of NAME ended without a result; expected a call of table.finish",
    ),
    "wrong_type": (
        {"rules.py": ("round=number,", "round=str(number),")},
        r"log.jsonl:2: the rules NAME/1 of the package 'NAME' are broken: dealt.round: .*'1'",
    ),
    "wrong_order": (
        {"rules.py": ('type="dealt", round=number, dice=', 'type="dealt", dice=')},
        "dealt.round: expected this field, found none",
    ),
    "unknown_event": (
        {"rules.py": ('type="dealt"', 'type="delt"')},
        "'delt'",
    ),
    "too_few_scores": (
        {"rules.py": ("state.points, winners,", "state.points[:1], winners,")},
        "scores: expected 2, one for each seat, found 1",
    ),
    "winner_without_a_seat": (
        {"rules.py": ("state.points, winners,", "state.points, [2],")},
        "expected seats below 2",
    ),
    "go_on_after_the_end": (
        {"rules.py": ("def deal(", "    deal(table, state, 9)\n\n\ndef deal(")},
        "they went on after their end, with {'type': 'dealt'",
    ),
    "settings_without_a_limit": (
        {"events.py": ("    time_limit_s: int", "    seconds: int")},
        "settings = 'NAME.events:Settings': expected a setting 'time_limit_s'",
    ),
    "settings_without_a_default": (
        {"events.py": ("Field(10, ge=1, le=1_000", "Field(ge=1, le=1_000")},
        "expected a default of 'rounds' that is allowed",
    ),
    "setting_with_a_fraction": (
        {"events.py": ("rounds: int = Field(10", "rounds: float = Field(10")},
        "rounds: expected an integer or a text, found 10.0",
    ),
    "setting_of_true_or_false": (
        {"events.py": ("rounds: int = Field(10, ge=1, le=1_000", "rounds: bool = Field(1")},
        "rounds: expected an integer or a text, found True",
    ),
    "setting_that_no_log_records": (
        {"events.py": ("rounds: int = Field(10,", "rounds: int = Field(10, exclude=True,")},
        "rounds: expected a setting that logs record, found one to exclude",
    ),
    "settings_that_contradict_each_other": (
        {
            "events.py": (
                "    time_limit_s: int",
                "    @__import__('pydantic').model_validator(mode='after')\n"
                "    def _even(self):\n"
                "        raise ValueError('rounds: expected an even number')\n\n"
                "    time_limit_s: int",
            )
        },
        "its defaults contradict each other: rounds: expected an even number",
    ),
    "default_out_of_bounds": (
        {"events.py": ("Field(10, ge=1, le=1_000", "Field(0, ge=1, le=1_000")},
        "the package of NAME/1 is broken: the default of setting rounds: .* found '0'",
    ),
    "default_of_no_time": (
        {"events.py": ("time_limit_s: int = Field(1, ge=1,", "time_limit_s: int = Field(0,")},
        "the default of setting time_limit_s: expected at least 1 second, found '0'",
    ),
    "default_of_another_type": (
        {"events.py": ("Field(10, ge=1, le=1_000", "Field('ten', ge=1, le=1_000")},
        "the package of NAME/1 is broken: the default of setting rounds: .* found 'ten'",
    ),
    "bound_without_a_setting": (
        {"game.toml": ("seats = [2, 2]", 'seats = ["chairs", "chairs"]')},
        "seats: expected a number or the name of a setting, found 'chairs'",
    ),
    "carrier_of_nothing": (
        {
            "game.toml": (
                'events = "NAME.events:EVENTS"\n',
                'events = "NAME.events:EVENTS"\n'
                'carriers = { again = { event = "dealt", field = "die" } }\n',
            )
        },
        "carriers.again: expected an event 'dealt' with a list of integers 'die'",
    ),
    "taken_field": (
        {"events.py": ("    dice: Dice\n", "    dice: Dice\n    match: Round\n")},
        "events = 'NAME.events:EVENTS': Dealt: the field 'match' needs another name",
    ),
    "taken_field_in_capitals": (
        {"events.py": ("    dice: Dice\n", "    dice: Dice\n    Seq: Round\n")},
        "Dealt: the field 'Seq' needs another name",
    ),
    "fields_that_sql_takes_for_one": (
        {"events.py": ("    dice: Dice\n", "    dice: Dice\n    Dice: Dice\n")},
        "Dealt: the field 'Dice' needs another name: SQL takes it for 'dice'",
    ),
    "field_of_two_types": (
        {"events.py": ("    dice: Dice\n", "    dice: Round\n")},
        "Scored: the field 'dice' has another type in another event",
    ),
    "float": (
        {"events.py": ("Dice = Annotated[list[Side]", "Dice = Annotated[list[float]")},
        "the field 'dice': a log holds no floats",
    ),
    "lax_event": (
        {"events.py": ("@event\nclass Dealt", "class Dealt")},
        "Dealt: expected the decorator @event",
    ),
    "type_of_another": (
        {"events.py": ('type: Literal["dealt"]', 'type: Literal["fault"]')},
        "Dealt: another event has the type 'fault'",
    ),
}


@pytest.mark.parametrize("wrong", WRONG_RULES)
def test_wrong_rules_are_told(
    wrong: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of a package ends the match with a sentence that names it, and no sealed log."""
    edits, told = WRONG_RULES[wrong]
    game = install(tmp_path / "site", monkeypatch, edits)
    log = tmp_path / "log.jsonl"
    found = koth.complaint("play", game, *BOTS, "-o", log, code=4)
    assert_told(found, told.replace("NAME", game))
    assert not log.exists() or "match_sealed" not in log.read_text()


def assert_told(found: str, told: str) -> None:
    """The sentence is there, as a regular expression."""
    assert re.search(told.replace("{", r"\{").replace("[", r"\["), found), found


CLASS_RULES = """
from games.table import ClassCall, JointAsk

def play(table):
    choices = yield JointAsk("select", ClassCall(None), ("1", "2"))
    if isinstance(choices, list):
        dice = points = [*choices]
        table.emit(dict(type="scored", round=1, dice=dice, points=points), "MU-4")
    table.finish("rounds_played", [1, 1], [0, 1], "MU-5")
"""
"""Rules for class bots, whose card names the event ``scored`` and its list ``points``."""

WRONG_CLASS_RULES = {
    "other_choices": (
        ("[*choices]", "[1, 1]"),
        "1-000000.jsonl:2: .*: expected the choices of the bots in 'points', [2, 1], found [1, 1]",
    ),
    "choices_sorted_in_place": (("[*choices]", "choices; choices.sort()"), "found [1, 2]"),
    "choices_not_recorded": (
        ("isinstance(choices, list)", "not choices"),
        "expected the event scored after a joint question, found match_finished",
    ),
    "choices_for_failures": (
        ("if isinstance(choices, list)", "choices = [2, 1]\n    if choices"),
        "expected the event answered or fault after a joint question, found scored",
    ),
}


@pytest.mark.parametrize("isolation", ["process", "none"])
@pytest.mark.parametrize("wrong", WRONG_CLASS_RULES)
def test_wrong_rules_for_class_bots_are_told(
    wrong: str, isolation: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event after a joint question holds the choices of the bots, or their failures."""
    edit, told = WRONG_CLASS_RULES[wrong]
    card = ('protocol = "argv"', 'protocol = "class"')
    game = install(tmp_path / "site", monkeypatch, {"game.toml": card})
    package = tmp_path / "site" / game
    (package / "rules.py").write_text(CLASS_RULES.replace(*edit))
    with (package / "game.toml").open("a") as file:
        file.write('carriers = { select = { event = "scored", field = "points" } }\n')
    first = class_source("return 3" if wrong == "choices_for_failures" else "return 2")
    bots = [script(tmp_path, "one.py", first), script(tmp_path, "two.py", class_source())]
    words = ["tournament", game, *bots, "-o", tmp_path / "cup", "--isolation", isolation]
    assert_told(koth.complaint(*words, code=4), told)


NAMED_RULES = """
from games.table import ClassCall, Fault, JointAsk, Part

def play(table):
    question = JointAsk("bid", ClassCall(None), ("1", "2"))
    choices = yield question
    if not isinstance(choices, list):
        for seat, reply in choices.items():
            step = reply.during if isinstance(reply, Fault) else question.name
            assert step == "bid"
            if isinstance(reply, Fault):
                table.reject(Part(seat, step), reply, "MU-7", "1")
            else:
                table.accept(Part(seat, step), reply, "MU-6")
        choices = [1, 1]
        table.emit(dict(type="scored", round=1, dice=choices, points=choices), "MU-4")
    else:
        table.emit(dict(type="scored", round=1, dice=[1, 1], points=[*choices]), "MU-4")
    table.finish("rounds_played", choices, [0, 1], "MU-5")
"""
"""Rules for class bots whose question has a name of its own, and that go on after a failure."""


@pytest.mark.parametrize("isolation", ["process", "none"])
def test_a_question_to_class_bots_has_any_name(
    isolation: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that fails at its choice fails in the step that is called as the question."""
    card = ('protocol = "argv"', 'protocol = "class"')
    game = install(tmp_path / "site", monkeypatch, {"game.toml": card})
    package = tmp_path / "site" / game
    (package / "rules.py").write_text(NAMED_RULES)
    with (package / "game.toml").open("a") as file:
        file.write('carriers = { bid = { event = "scored", field = "points" } }\n')
    bots = [
        script(tmp_path, "one.py", class_source("return 1 // 0", head="")),
        script(tmp_path, "two.py", class_source(head="")),
    ]
    log = tmp_path / "log.jsonl"
    words = ["play", game, *bots, "-o", log, "--isolation", isolation, "--allow-broken"]
    assert koth(*words).code == 0
    assert '"kind":"crash","clause":"MU-7","penalty":"1","ask":"bid"' in log.read_text()
    assert koth("verify", log).code == 0
    assert koth("again", log, bots[0], "--bots", *bots).code == 0


IMPORTER = """
from games.importing.imported import Imported, match_started, tournament_started
from schema import registry


def cup(card, settings, match):
    start = tournament_started(card, "0" * 16, ("fox", "hen"), settings)
    played = {"type": "match_played", "match": match, "seats": [0, 1], "reason": "won"}
    played |= {"scores": [1, 0], "winners": [0], "faults": []}
    return [start, played, {"type": "tournament_finished", "standings": []}]


def read(paths):
    card = registry.card("NAME")
    settings = card.settings({}).model_dump()
    start = match_started(card, "0" * 16, "1-000000", ("fox", "hen"), settings)
    end = {"type": "match_finished", "reason": "won", "scores": [1, 0], "winners": [0]}
    return Imported("1 match", {"1-000000": [start, end]}, None)
"""

WRONG_IMPORTERS = {
    "raise": ("settings = card", "settings = 1 / 0, card", "ZeroDivisionError: .* line 15"),
    "exit": ("settings = card", "raise SystemExit(0)  # ", "SystemExit: 0"),
    "cancelled": (
        "settings = card",
        "raise __import__('asyncio').CancelledError  # ",
        "CancelledError .*importer.py, line 15",
    ),
    "error_without_a_text": (
        "settings = card",
        "raise type('E', (Exception,), {'__str__': lambda self: 1 // 0})  # ",
        "E: its text cannot be shown .*importer.py, line 15",
    ),
    "long_error": ("settings = card", "raise ValueError('a' * 9999)  # ", f": {'a' * 1000}… "),
    "no_event": ("[start, end]", "[start, None, end]", "1-000000.jsonl:2: expected a dict with a"),
    "not_imported": (
        "[start, end]",
        "[{**{k: v for k, v in start.items() if k != 'source'}, 'seed_commitment': '0' * 64}, end]",
        "1-000000.jsonl:1: expected the source 'imported', found none",
    ),
    "long_event": (
        "[start, end]",
        '[start, {"type": "answered", "seat": 0, "ask": "a", "output": "a" * 2**23}, end]',
        "1-000000.jsonl:2: expected an event of up to 8388608 bytes, found 83886",
    ),
    "no_summary": ('"1 match"', "None", "summary: expected a text, found None"),
    "matches_in_a_list": (
        '{"1-000000": [start, end]}',
        "[]",
        "expected matches by their ids, found",
    ),
    "nothing": ("return Imported", "Imported", "expected an Imported, found None"),
    "no_events": ("[start, end]", "[]", "expected the events of 1-000000, found none"),
    "long_match_id": ("1-000000", f"1-{300 * '0'}", "an id of up to 200 characters"),
    "no_model": ("[start, end]", '[start, {"type": "dealt"}]', "1-000000.jsonl:2: dealt.round: "),
    "floats": ('"scores": [1,', '"scores": [1.5,', "match_finished.scores.0: .* found 1.5"),
    "no_result": ("[start, end]", "[start]", "expected 'match_finished' as the last event"),
    "two_results": ("[start, end]", "[start, end, end]", "and nowhere before"),
    "no_such_seat": (
        "[start, end]",
        '[start, {"type": "answered", "seat": 2, "ask": "again", "output": ""}, end]',
        "1-000000.jsonl:2: expected a seat below 2, found 2",
    ),
    "no_log": ('{"1-000000": [start, end]}', "{}", "expected the events of a match or a tournam"),
    "unknown_match": (
        "]}, None)",
        "]}, cup(card, settings, '1-000001'))",
        "tournament.jsonl: expected each of the 1 match once in 'match_played', found .'1-000001'",
    ),
    "other_id": ('{"1-000000":', '{"../x":', "expected the events of match '../x', found "),
}


def importing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """Install a game whose importer is changed, and write a file for it."""
    reads = 'scratch = "match"\nimporters = { notes = "NAME.importer:read" }\n'
    edits = {"game.toml": ('scratch = "match"', reads)}
    game = install(tmp_path / "site", monkeypatch, edits)
    source = IMPORTER.replace(old, new).replace("NAME", game)
    (tmp_path / "site" / game / "importer.py").write_text(source)
    (tmp_path / "notes.txt").touch()


def test_a_package_imports_its_results(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The importer that a card names writes logs that are valid, and marked as imported."""
    importing(tmp_path, monkeypatch, "", "")
    assert koth("import", "notes", tmp_path / "notes.txt", "-o", tmp_path / "old").code == 0
    assert koth("verify", tmp_path / "old").out.endswith("1 log: 1 imported\n")


@pytest.mark.parametrize("wrong", WRONG_IMPORTERS)
def test_wrong_importers_are_told(
    wrong: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An importer that fails, or returns what is no log, is named, and nothing is written."""
    old, new, told = WRONG_IMPORTERS[wrong]
    importing(tmp_path, monkeypatch, old, new)
    words = ["import", "notes", tmp_path / "notes.txt", "-o", tmp_path / "old"]
    found = koth.complaint(*words, code=4)
    assert re.search("is broken: importers.notes = 'made_up_.*importer:read': ", found)
    assert_told(found, told)
    assert not (tmp_path / "old").exists()


def test_words_of_an_importer_are_one_line(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its summary and its note reach no terminal with control characters, and always do."""
    importing(tmp_path, monkeypatch, '"1 match"', r'"1\n\x1b[31m\ud800"')
    typed = koth("import", "notes", tmp_path / "notes.txt", "-o", tmp_path / "old")
    told = rf"koth: imported into {tmp_path}/old: 1\n\x1b[31m\ud800." + "\n"
    assert (typed.code, typed.err) == (0, told)


@pytest.mark.parametrize(
    ("format", "told"),
    [
        ("coup-history", "importers: 'coup-history' is a format of the game 'coup', too; "),
        ("results", "importers: 'results' is reserved; the format needs another name"),
    ],
)
def test_a_format_of_another_game_is_refused(
    format: str, told: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package cannot take the place of an importer that is there already."""
    reads = f'scratch = "match"\nimporters = {{ {format} = "NAME.importer:read" }}\n'
    install(tmp_path / "site", monkeypatch, {"game.toml": ('scratch = "match"', reads)})
    typed = koth("games")
    assert typed.code == 4
    assert told in typed.err
    assert "made_up" not in typed.out


WRONG_TOURNAMENTS = {
    "same_match_twice": ('Match(f"1-{n:06}"', 'Match("1-000000"', "is in the schedule twice"),
    "no_match_id": ('Match(f"1-{n:06}"', 'Match(f"{n}"', "match '0': expected an id"),
    "long_match_id": (
        'Match(f"1-{n:06}"',
        'Match(f"1-{n:0300}"',
        "expected an id of up to 200 characters",
    ),
    "unknown_entrant": ('Match(f"1-{n:06}", pair)', 'Match(f"1-{n:06}", (0, 7))', "below 2"),
    "lone_player": ('Match(f"1-{n:06}", pair)', 'Match(f"1-{n:06}", (0,))', "expected 2 bots"),
    "seats_in_a_list": ('n:06}", pair)', 'n:06}", [*pair])', "a Match with a tuple of numbers"),
    "no_seats": ('n:06}", pair)', 'n:06}", ())', "a Match with a tuple of numbers as seats, found"),
    "no_match": ('[Match(f"1-{n:06}", pair)', "[pair", "expected a Match with .*, found "),
    "no_schedule": ("yield Schedule(", "yield (", "expected a Schedule of matches, found "),
    "no_matches": ("yield Schedule(", "yield Schedule(None and ", "expected a Schedule of matches"),
    "raise": ("len(table.players)", "len(table.playerz)", "tournament.py, line .*: AttributeError"),
    "raise_in_a_schedule": (
        '[Match(f"1-{n:06}", pair) for n, pair in enumerate(pairs)]',
        '(Match(f"1-{n:06}", pair[2]) for n, pair in enumerate(pairs))',
        r"tournament.py, line \d+: IndexError: .* must fix its rules",
    ),
    "forget_a_match": (
        "table.played(match, result,",
        "dict(",
        "tournament.jsonl:2: .* they do not record match '1-000000'",
    ),
    "record_a_match_twice": (
        "        table.played(",
        "        table.played(match, result, '')\n        table.played(",
        "tournament.jsonl:3: .* expected match '1-000001', found match '1-000000'",
    ),
    "record_another_match": (
        "table.played(match,",
        "table.played(played[-1][0],",
        "expected match '1-000000', found match '1-000001'",
    ),
    "record_another_result": (
        "table.played(match, result",
        "table.played(match, played[-1][1]",
        "expected match '1-000000' as played, .*, found ",
    ),
    "no_final_table": (
        "table.finish(",
        "dict(standings=",
        "they ended without a final table; expected a call of table.finish",
    ),
    "an_entrant_twice": (
        "final_order(points, games)",
        "2 * final_order(points, games)[:1]",
        "expected each entrant once in the final table, .*, found .(0, 0|1, 1)",
    ),
    "an_entrant_left_out": (
        "final_order(points, games)",
        "final_order(points, games)[:1]",
        "expected each entrant once in the final table, .*, found .\\d.",
    ),
    "nobody_is_first": (
        "final_order(points, games)",
        "[{**row, 'rank': 2} for row in final_order(points, games)]",
        "expected a final table by rank, from 1, found .2, 2",
    ),
    "wrong_standings": ("final_order(points, games)", "[{}]", "tournament_finished.standings"),
}


@pytest.mark.parametrize("wrong", WRONG_TOURNAMENTS)
def test_wrong_tournaments_are_told(
    wrong: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An invalid schedule or final table ends the tournament with a message that names it."""
    old, new, told = WRONG_TOURNAMENTS[wrong]
    game = install(tmp_path / "site", monkeypatch, {"tournament.py": (old, new)})
    words = ["tournament", game, *BOTS, "-o", tmp_path / "cup", "--set", "games=2"]
    assert_told(koth.complaint(*words, "--set", "rounds=1", code=4), told)


@pytest.mark.parametrize("asks", [True, False])
def test_a_stage_of_missing_pairings(
    asks: bool, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules that ask `table.plays` play the missing pairs of a contest; others are refused."""
    edits = {"game.toml": ("seats = [2, 2]", 'seats = [2, 2]\nplays = "pairings"')}
    if asks:
        edits["tournament.py"] = (
            "(range(entrants), 2)]",
            "(range(entrants), 2) if table.plays(*pair)]",
        )
    game = install(tmp_path / "site", monkeypatch, edits)
    words = ["--set", "games=1", "--set", "rounds=1"]
    cup, again = tmp_path / "cup", script(tmp_path, "again.py", 'print("keep")\n')
    koth("contest", "new", cup, game, *words)
    koth("contest", "enter", cup, *BOTS)
    assert koth("contest", "run", cup).code == 0
    koth("contest", "enter", cup, again)
    if asks:
        assert koth("contest", "run", cup).code == 0
        assert len([*(cup / "stages/0002/matches").iterdir()]) == 2
        assert koth("verify", cup).code == 0
    else:
        told = "match '1-000000': expected entrants for which table.plays is true, found [0, 1]"
        assert_told(koth.complaint("contest", "run", cup, code=4), told)


def test_what_an_earlier_rules_version_began(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tournament and a contest go on under their rules version after the package has a new one.

    What was interrupted gives the same bytes, and everything verifies.
    """
    game = install(tmp_path / "site", monkeypatch, {})
    whole, cup, contest = tmp_path / "whole", tmp_path / "cup", tmp_path / "contest"
    words = ("--seed", SEED, "--set", "games=2", "--set", "rounds=1")
    for folder in (whole, cup):
        assert koth("tournament", game, *BOTS, "-o", folder, *words).code == 0
    lines = (cup / "tournament.jsonl").read_bytes().splitlines(keepends=True)
    (cup / "tournament.jsonl").write_bytes(lines[0])
    (cup / SEED_FILE).write_text(f"{SEED}\n")
    (cup / "matches" / "1-000001.jsonl").unlink()
    koth("contest", "new", contest, game, "--set", "games=2")
    koth("contest", "enter", contest, *BOTS)
    assert koth("contest", "run", contest).code == 0
    add_version(tmp_path / "site" / game, {"SIDES = 6": "SIDES = 8"})
    told = f"was played under {game}/1; new tournaments and contests have {game}/2."
    assert told in koth("resume", cup).err
    koth("contest", "enter", contest, script(tmp_path, "late.py", 'print("keep")\n'))
    assert told in koth("contest", "run", contest).err
    for log in ("tournament.jsonl", "matches/1-000000.jsonl", "matches/1-000001.jsonl"):
        assert (cup / log).read_bytes() == (whole / log).read_bytes()
        assert loads((contest / "stages/0002" / log).read_bytes())[0]["rules"] == f"{game}/1"
    assert koth("tournament", game, *BOTS, "-o", tmp_path / "new", *words).code == 0
    assert loads((tmp_path / "new" / "tournament.jsonl").read_bytes())[0]["rules"] == f"{game}/2"
    for folder in (cup, contest, tmp_path / "new"):
        assert koth("verify", folder).code == 0


def add_version(package: Path, changes: dict[str, str]) -> None:
    """Add version 2 to the package of a game: its rules with changes."""
    game, rules = package.name, (package / "rules.py").read_text()
    for old, new in changes.items():
        assert old in rules
        rules = rules.replace(old, new)
    (package / "rules_2.py").write_text(rules)
    card = (package / "game.toml").read_text()
    section = card.partition(f'[versions."{game}/1"]')[2]
    card = card.replace(f'rules = "{game}/1"', f'rules = "{game}/2"')
    section = section.replace(f"{game}.rules:play", f"{game}.rules_2:play")
    (package / "game.toml").write_text(f'{card}\n[versions."{game}/2"]{section}')
    registry.card.cache_clear()
    registry.card_under.cache_clear()


WRONG_CARDS: dict[str, tuple[Edits, str]] = {
    "unknown_key": (
        {"game.toml": ("scratch =", "scrach =")},
        "scrach: unknown key. Did you mean 'scratch'?",
    ),
    "unknown_key_of_a_version": (
        {"game.toml": ("settings =", "setings =")},
        "versions.NAME/1.setings: unknown key. Did you mean 'settings'?",
    ),
    "no_rulebook": (
        {"game.toml": ("RULES.md", "BOOK.md")},
        "rulebook: expected a file or folder '",
    ),
    "audit_that_is_a_file": (
        {"game.toml": ('"NAME:audit"', '"NAME:RULES.md"')},
        "audit: expected a folder, found '",
    ),
    "leaderboard_that_is_a_folder": (
        {"game.toml": ('"NAME:leaderboard.sql"', '"NAME:audit"')},
        "leaderboard: expected a file, found '",
    ),
    "protocol": ({"game.toml": ('"argv"', '"http"')}, "protocol: "),
    "other_name": ({"game.toml": ('name = "NAME"', 'name = "other"')}, "name: expected 'NAME'"),
    "reserved_name": (
        {"game.toml": ('name = "NAME"', 'name = "log"')},
        "name: 'log' is reserved; the game needs another name",
    ),
    "no_reference": (
        {"game.toml": ("NAME.rules:play", "NAME.rules.play")},
        "found 'NAME.rules.play'",
    ),
    "no_title": ({"game.toml": ("title =", "# title =")}, "title: expected this key, found none"),
    "title_of_two_lines": (
        {"game.toml": ('title = "', r'title = "\n')},
        "title: expected one line of 1 to 100 printable characters, found '\\n",
    ),
    "seats_out_of_order": (
        {"game.toml": ("seats = [2, 2]", "seats = [3, 2]")},
        "seats: expected the minimum before the maximum, found 3 and 2",
    ),
    "pairings_of_three": (
        {"game.toml": ("seats = [2, 2]", 'seats = [2, 3]\nplays = "pairings"')},
        'seats: expected [2, 2] with plays = "pairings", found [2, 3]',
    ),
    "package_raises": ({"__init__.py": ('"""', '1 / 0\n"""')}, "__init__.py, line 1"),
}


@pytest.mark.parametrize("wrong", WRONG_CARDS)
def test_a_broken_card_is_told(
    wrong: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`koth games` names the broken game and lists the others; other commands name it too."""
    edits, told = WRONG_CARDS[wrong]
    assert_named(koth, "rules", install(tmp_path / "site", monkeypatch, edits), told)


def assert_named(koth: Koth, command: str, game: str, told: str) -> None:
    """`koth games` says what is wrong in one line and lists the others; the command says it too."""
    told = told.replace("NAME", game)
    listed = koth("games")
    assert listed.code == 4
    assert "coup  coup/2" in listed.out
    assert f"\n{game} " not in listed.out
    assert told in listed.err
    assert listed.err.count("\n") == 1
    assert told in koth.complaint(command, game, code=4)


MISSING_PARTS: dict[str, tuple[Edits, str]] = {
    "rules_with_a_syntax_error": ({"rules.py": ("def play(", "def play play(")}, "rules.py, line"),
    "rules_that_exit": (
        {"rules.py": ("SIDES = 6", "raise SystemExit(3)")},
        "it cannot be imported: SystemExit: 3 (",
    ),
    "default_out_of_bounds": (
        {"events.py": ("Field(10, ge=1, le=1_000", "Field(0, ge=1, le=1_000")},
        "the default of setting rounds",
    ),
    "default_that_no_log_can_hold": (
        {"events.py": ("Field(10, ge=1, le=1_000", "Field(2**63, ge=1")},
        f"the default of setting rounds: expected a number of 64 bits, found '{2**63}'",
    ),
    "no_module": (
        {"game.toml": ("NAME.rules:play", "NAME.rulez:play")},
        "match = 'NAME.rulez:play'",
    ),
    "no_function": ({"game.toml": ("NAME.rules:play", "NAME.rules:playy")}, "has no attribute"),
    "seats_of_no_setting": (
        {"game.toml": ("seats = [2, 2]", 'seats = [2, "chairs"]')},
        "seats: expected a number or the name of a setting, found 'chairs'",
    ),
    "entrants_of_no_setting": (
        {"game.toml": ("entrants = [2, 1_000]", 'entrants = [3, "tables"]')},
        "entrants: expected a number or the name of a setting, found 'tables'",
    ),
    "no_rules_of_an_earlier_version": (
        {
            "game.toml": (
                '[versions."NAME/1"]',
                '[versions."NAME/0"]\nevents = "NAME.events:EVENTS"\n'
                'settings = "NAME.events:Settings"\nmatch = "NAME.gone:play"\n'
                'tournament = "NAME.tournament:play"\n\n[versions."NAME/1"]',
            )
        },
        "the package of NAME/0 is broken: match = 'NAME.gone:play'",
    ),
    "no_transcript": (
        {"game.toml": ("settings =", 'transcripts = { match = "NAME.gone:write" }\nsettings =')},
        "transcripts.match = 'NAME.gone:write'",
    ),
    "no_narrator": ({"game.toml": ('NAME.narration:narrate"', 'NAME.gone:narrate"')}, "narrate = "),
}


@pytest.mark.parametrize("missing", MISSING_PARTS)
def test_a_package_without_a_part_is_told(
    missing: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`koth games` does not list a game whose card names what cannot be imported."""
    edits, told = MISSING_PARTS[missing]
    game = install(tmp_path / "site", monkeypatch, edits)
    assert_named(koth, "games", game, told)
    with pytest.warns(UserWarning, match=game):
        assert game not in {one.name for one in games()}


def test_a_broken_package_is_passed_over(
    koth: Koth, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Questions about other games are answered as if a broken one were not there."""
    install(tmp_path / "site", monkeypatch, WRONG_CARDS["no_rulebook"][0])
    typed = koth("sql", log)
    assert (typed.code, typed.err.count("\n")) == (0, 1)
    assert "\nmatches " in typed.out
    assert koth("schema").code == koth("audit", log, "--rule", "log/match_without_log").code == 0


def test_logs_of_a_game_that_is_broken_now(
    koth: Koth, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its event models a log is unsupported, and others beside it are checked."""
    unusable = install(tmp_path / "site", monkeypatch, WRONG_RULES["float"][0])
    made = played_as(unusable, koth, tmp_path, monkeypatch)
    typed = koth("verify", made, log)
    assert typed.code == 1
    assert f"unsupported  {made}:1: the package of {unusable}/1 is broken: events" in typed.out
    assert typed.out.endswith("2 logs: 1 unsupported, 1 verified\n")
    typed = koth("audit", made, log)
    assert typed.code == 1
    assert f"{made}: not read, unsupported: line 1: the package of {unusable}/1" in typed.out
    assert "no findings in 1 log " in typed.out


def test_logs_of_a_game_whose_settings_are_gone(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the model of its settings a log is unsupported, too."""
    gone: Edits = {"game.toml": ("NAME.events:Settings", "NAME.events:Options")}
    unusable = install(tmp_path / "site", monkeypatch, gone)
    made = played_as(unusable, koth, tmp_path, monkeypatch)
    typed = koth("verify", made)
    assert typed.code == 1
    assert f"unsupported  {made}:1: the package of {unusable}/1 is broken: settings" in typed.out


def test_logs_of_a_game_whose_bound_is_no_setting(
    koth: Koth, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the setting for the number of bots it is, too, and others beside it are checked."""
    gone: Edits = {"game.toml": ("seats = [2, 2]", 'seats = [2, "players"]')}
    unusable = install(tmp_path / "site", monkeypatch, gone)
    made = played_as(unusable, koth, tmp_path, monkeypatch)
    broken = f"the card of the game '{unusable}' is broken: seats: expected a number"
    typed = koth("verify", made, log)
    assert typed.code == 1
    assert f"unsupported  {made}:1: {broken}" in typed.out
    assert typed.out.endswith("2 logs: 1 unsupported, 1 verified\n")
    typed = koth("audit", made, log)
    assert typed.code == 1
    assert f"{made}: not read, unsupported: line 1: {broken}" in typed.out


def test_a_game_without_transcripts(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`koth export` of a game that has no transcripts advises no other log."""
    game, log = install(tmp_path / "site", monkeypatch, {}), tmp_path / "log.jsonl"
    assert koth("play", game, *BOTS, "-o", log, "--set", "rounds=1").code == 0
    told = koth.complaint("export", "transcript", log)
    assert told.endswith("has no transcript of a match.")


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        ("log.events[99]", r"\w+: .*narration\.py, line "),
        ("exit(3)", r"\w+: .*narration\.py, line "),
        ("raise BaseException", r"BaseException \(.*narration\.py, line "),
        ("return b'bytes'", "TypeError: expected a text, found b'bytes'"),
    ],
)
def test_a_transcript_that_fails(
    failure: str, error: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`koth export` names the error, its line, and the command that checks the log."""
    edits = {
        "game.toml": ("events =", 'transcripts.match = "NAME.narration:of_match"\nevents ='),
        "narration.py": ("def narrate(", f"def of_match(log):\n    {failure}\n\n\ndef narrate("),
    }
    game, log = install(tmp_path / "site", monkeypatch, edits), tmp_path / "log.jsonl"
    assert koth("play", game, *BOTS, "-o", log, "--set", "rounds=1").code == 0
    told = koth.complaint("export", "transcript", log, code=1)
    assert re.search(rf"no transcript: {error}.* `koth verify {log}`", told)


def test_two_questions_to_one_seat_at_once(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of two answers is explained with its own question, replaced alone, and asked anew."""
    old = 'asks = [Ask(seat, "again", situation(state, seat), LEGAL) for seat in (0, 1)]'
    second = "name='twice', observation=ArgvCall(('9', *asks[0].args[1:]))"
    new = f"{old}\n        asks.insert(1, asks[0]._replace({second}))"
    game, log = install(tmp_path, monkeypatch, {"rules.py": (old, new)}), tmp_path / "log.jsonl"
    assert koth("play", game, *BOTS, "-o", log, "--set", "rounds=1", "--seed", "1").code == 0
    for seq, name in ((2, "again"), (3, "twice")):
        assert koth("explain", log, seq, "--format", "json").json["asked"]["ask"] == name
        other = koth("replay", log, "--at", seq, "--answer", "roll", "--format", "json").json
        answers = [step["event"]["output"] for step in other["what_if"]["events"][:2]]
        assert answers == ["roll" if seq == at else "keep\n" for at in (2, 3)]
    tried = koth(
        "blame", log, "--seat", 0, "--at", 3, "--bots", "examples", "--format", "json"
    ).json
    assert [decision["seq"] for decision in tried["decisions"]] == [3]
    mine, played = tmp_path / "mine.py", tmp_path / "played.jsonl"
    mine.write_text("import sys; print('roll' if sys.argv[1] == '9' else 'keep')")
    koth("again", log, mine, "--seat", 0, "-o", played)
    assert koth("verify", played).code == 0
    answers = [event["output"] for event in loads(played.read_bytes())[2:4]]
    assert answers == ["keep\n", "roll\n"]


TEXT, APPENDED = '[Answer({"output": "roll"})]', '[Answer({"appended": b"roll"})]'


@pytest.mark.parametrize("returned", ["question.legal", "[1 // 0]", "0", "exit(3)", TEXT, APPENDED])
def test_alternatives_that_are_no_answers(
    returned: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`koth blame` names the function of the package that returns something else, or fails."""
    old = 'return [Answer({"output": text.encode()}) for text in question.legal]'
    edits = {"alternatives.py": (old, f"return {returned}")}
    game, log = install(tmp_path / "site", monkeypatch, edits), tmp_path / "log.jsonl"
    assert koth("play", game, *BOTS, "-o", log, "--set", "rounds=1").code == 0
    told = koth.complaint("blame", log, "--seat", "0", "--bots", "examples", code=4)
    assert f"alternatives = '{game}.alternatives:alternatives': expected a list of Answer" in told


@pytest.mark.parametrize(
    ("returned", "found"),
    [
        ('{"dice": set(self.dice)}', "TypeError: Type is not JSON serializable: set"),
        ("{self.round: self.dice}", "TypeError: Dict key must be str"),
        ("list(self.dice)", "[4, 6]"),
        ("1 // 0", r"ZeroDivisionError: .* \(/.*rules.py, line"),
        ("exit(3)", r"SystemExit: 3 \(/.*rules.py, line"),
    ],
)
def test_a_snapshot_that_is_no_plain_json(
    returned: str, found: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands that show a state name the package that gives no plain JSON, and what it gives.

    A log that diverges has its verdict all the same.
    """
    old = '{"round": self.round, "dice": list(self.dice), "points": list(self.points)}'
    game = install(tmp_path / "site", monkeypatch, {"rules.py": (old, returned)})
    log = tmp_path / "log.jsonl"
    assert koth("play", game, *BOTS, "-o", log, "--set", "rounds=1", "--seed", SEED).code == 0
    told = f"the package of {game}/1 is broken: State.snapshot"
    commands: list[list[object]] = [
        ["explain", log, 2],
        ["replay", log, "--at", 2],
        ["report", log, "-o", tmp_path / "page.html"],
    ]
    for words in commands:
        complaint = koth.complaint(*words, code=4)
        assert complaint.startswith(told)
        assert_told(complaint, f"expected plain JSON values by name, found {found}")

    *events, _ = loads(log.read_bytes())
    events[-1]["scores"] = [9, 9]
    write(log, [{k: v for k, v in one.items() if k != "seq"} for one in events], SEED)
    assert "diverged" in koth("verify", log).out


@pytest.mark.parametrize("failure", ["1 // 0", "exit(3)", "raise GeneratorExit", 'return ""'])
def test_a_narrator_and_a_board_that_fail(
    failure: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one_rule: None
) -> None:
    """A function that fails, exits or returns nothing costs only its sentence or board."""
    edits = {
        "narration.py": ("    match event", f"    {failure}\n    match event"),
        "text_board.py": ("    dice =", f"    {failure}\n    dice ="),
    }
    game, log = install(tmp_path / "site", monkeypatch, edits), tmp_path / "log.jsonl"
    assert koth("play", game, *BOTS, "-o", log, "--set", "rounds=1").code == 0
    assert "cautious answers" in koth("replay", log, "--seat", "0").out
    assert koth("report", log, "-o", tmp_path / "page.html").code == 0
    assert TextBoard(registry.card(game), {})({"dice": [1, 2]}, 80) == []


WRONG_BOARDS = {
    "no_draw": ("export function draw(", "function draw(", "with 'export function draw"),
    "imports": ("function add(", "import 'x';\nfunction add(", "imports, .*\"import 'x';\" in li"),
    "no_utf_8": ("function add(", "function add\udcff(", "'utf-8' codec can't decode byte 0xff"),
}


@pytest.mark.parametrize("wrong", WRONG_BOARDS)
def test_wrong_boards_are_told(
    wrong: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board that no page can include is named to the author, and by the command for a page."""
    old, new, told = WRONG_BOARDS[wrong]
    game, log = install(tmp_path / "site", monkeypatch, {}), tmp_path / "log.jsonl"
    board = tmp_path / "site" / game / "board.js"
    code = board.read_text().replace(old, new, 1)
    board.write_bytes(code.encode(errors="surrogateescape"))
    assert koth("play", game, *BOTS, "-o", log, "--set", "rounds=1").code == 0
    assert koth("games").code == 4
    assert_told(
        koth("games").err, f"the package of {game} is broken: board = '.*board.js': .*{told}"
    )
    assert_told(koth.complaint("report", log, "-o", tmp_path / "page.html", code=4), told)


@pytest.mark.parametrize(
    ("failure", "error"),
    [("1 // 0", "ZeroDiv"), ('return b"no text"', "expected a sentence or None, found b'no text'")],
)
def test_a_narrator_that_fails_is_shown_to_its_author(
    failure: str,
    error: str,
    koth: Koth,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The traceback is on standard error if KOTH_DEBUG is set, and nothing otherwise."""
    edits = {"narration.py": ("    match event", f"    {failure}\n    match event")}
    game, log = install(tmp_path / "site", monkeypatch, edits), tmp_path / "log.jsonl"
    koth("play", game, *BOTS, "-o", log, "--set", "rounds=1")
    monkeypatch.delenv("KOTH_DEBUG", raising=False)
    assert koth("explain", log, 1).err == ""
    monkeypatch.setenv("KOTH_DEBUG", "1")
    assert status(["explain", str(log), "1"]) == 0
    shown = capsys.readouterr().err
    assert re.search(rf'narration.py", line \d+, in (?s:.*){error}', shown)


def test_a_narrator_that_changes_an_event(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An explanation shows the recorded event, also if its sentence comes from a changed one."""
    changes = '    event["round"] = settings["rounds"] = 77\n    players.clear()\n    match event'
    edits = {"narration.py": ("    match event", changes)}
    game, log = install(tmp_path / "site", monkeypatch, edits), tmp_path / "log.jsonl"
    rude = script(tmp_path, "rude.py", 'print("never")\n')
    assert koth("play", game, rude, BOTS[1], "-o", log, "--set", "rounds=1").code == 0
    explained = koth("explain", log, 1).out
    assert "Round 77: " in explained
    assert 'event 1: {"type":"dealt","round":1,' in explained
    answered = koth("explain", log, 2).out
    assert "rude gives an illegal answer, “never”" in answered
    assert "rounds 1," in answered


def test_a_long_sentence_is_cut(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A narrator does not fill the terminal with millions of letters."""
    edits = {"narration.py": ("    match event", '    return "a" * 10**6\n    match event')}
    game, log = install(tmp_path / "site", monkeypatch, edits), tmp_path / "log.jsonl"
    assert koth("play", game, *BOTS, "-o", log, "--set", "rounds=1").code == 0
    assert f"\n{'a' * 3999}…\n" in koth("explain", log, 1).out


def test_a_text_board_of_endless_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight lines are drawn, and the function cannot change the state that others show."""
    drawing = "    state.clear()\n    return iter(lambda: width, None)\n    dice ="
    game = install(tmp_path / "site", monkeypatch, {"text_board.py": ("    dice =", drawing)})
    state = {"dice": [1, 2]}
    assert TextBoard(registry.card(game), {})(state, 80) == ["80"] * 8
    assert state == {"dice": [1, 2]}


def test_alternatives_that_change_the_settings(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines of play have the recorded settings all the same."""
    old = "return [Answer"
    edits = {"alternatives.py": (old, f'settings["rounds"] = 9\n    {old}')}
    game, log = install(tmp_path / "site", monkeypatch, edits), tmp_path / "log.jsonl"
    assert koth("play", game, *BOTS, "-o", log, "--set", "rounds=1", "--seed", SEED).code == 0
    words = ("blame", log, "--seat", "0", "--bots", "examples", "--format", "json")
    typed = koth(*words)
    assert typed.code == 0
    assert '"scores": [9' not in typed.out


def test_a_clause_that_the_rulebook_lacks(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An explanation and the list of faults say so of a clause that the rules cite."""
    game = install(tmp_path / "site", monkeypatch, {})
    bot, log = tmp_path / "rude.py", tmp_path / "log.jsonl"
    bot.write_text("print('never')\n")
    book = tmp_path / "site" / game / "RULES.md"
    book.write_text(book.read_text().replace("-7**", "-70**"))
    assert koth("play", game, bot, BOTS[0], "-o", log, "--set", "rounds=1").code == 0
    for words in (["faults", log], ["explain", log, 2]):
        assert re.search(r"\n\w+-7  The rulebook has no such clause\.\n", koth(*words).out)


@pytest.mark.parametrize(
    ("added", "told"),
    [
        (b"\n- **{}-7** Another clause.\n", "expected each clause once, found {}-7 twice."),
        (b"\xff", "the rulebook of a game is broken: 'utf-8' codec"),
    ],
)
def test_a_wrong_rulebook_is_told(
    added: bytes, told: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`koth games` names a rulebook that is no text, or has two clauses of one number."""
    game = install(tmp_path / "site", monkeypatch, {})
    book = tmp_path / "site" / game / "RULES.md"
    prefix = re.search(r"\*\*(\w+)-7\*\*", book.read_text())
    assert prefix
    book.write_bytes(book.read_bytes() + added.replace(b"{}", prefix[1].encode()))
    assert f"{book}: {told.replace('{}', prefix[1])}" in koth("games").err
    assert koth.complaint("games", game, code=4).startswith(f"{book}: ")


def test_an_example_bot_has_one_line(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`koth bots` keeps to one line for a bot whose name or sentence has control characters."""
    game = install(tmp_path / "site", monkeypatch, {})
    bot = tmp_path / "site" / game / "bots" / "a\nb.py"
    bot.write_text("# Clears\x1b[2J it.\nprint()\n")
    assert koth("bots", game).out.splitlines()[0] == r"a\nb       Clears\x1b[2J it."


def test_a_result_has_one_line(koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason for the end of a match, which is any text, forges no line of `koth play`."""
    edits = {"rules.py": ('"rounds_played"', '"played\\nkoth: forged"')}
    game = install(tmp_path / "site", monkeypatch, edits)
    played = koth("play", game, *BOTS, "-o", tmp_path / "log.jsonl")
    assert r": played\nkoth: forged; cautious " in played.err


STREAM = {
    "prints": ("print('aside')", "aside\n"),
    "closes it": ("import sys; sys.stdout.close()", ""),
    "removes it": ("import sys; sys.stdout = None", ""),
}
"""Code of a package that uses standard output, and what standard error gets."""


@pytest.mark.parametrize("use", STREAM)
def test_standard_output_is_the_command_s(
    use: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code of a package that prints, or has no standard output left, does not change the JSON."""
    code, aside = STREAM[use]
    edits = {
        "narration.py": ("    match event", f"    {code}\n    match event"),
        "rules.py": ("SIDES = 6", f"{code}\nSIDES = 6"),
    }
    game, log = install(tmp_path / "site", monkeypatch, edits), tmp_path / "log.jsonl"
    played = koth("play", game, *BOTS, "-o", log, "--set", "rounds=1")
    assert (played.code, played.out) == (0, "")
    assert aside in played.err
    explained = koth("explain", log, "1", "--format", "json")
    assert (explained.code, explained.err) == (0, aside)
    assert explained.json["event"]["type"] == "dealt"


def test_rules_of_another_version_of_a_package(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log under rules that a package lacks or has dropped asks for another one, not for Koth."""
    game = install(tmp_path / "site", monkeypatch, {})
    sound = played_as(game, koth, tmp_path, monkeypatch)
    later = loads(sound.read_bytes().replace(f"{game}/1".encode(), f"{game}/2".encode()))
    events = [{k: v for k, v in one.items() if k != "seq"} for one in later[:-1]]
    made = write(tmp_path / "later.jsonl", events, SEED)
    told = f"known: {game}/1. Use another version of the package '{game}'"
    assert told in koth("verify", made).out


def test_a_setting_that_no_log_can_hold(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number of more than 64 bits is wrong usage, if the package has no bound for it."""
    edits = {"events.py": ("Field(10, ge=1, le=1_000,", "Field(10,")}
    game = install(tmp_path / "site", monkeypatch, edits)
    told = koth.complaint("play", game, *BOTS, "--set", f"rounds={2**63}", code=2)
    assert told == f"setting rounds: expected a number of 64 bits, found '{2**63}'."


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ('str = Field("a", max_length=5', "text of 0 to 5 characters"),
        ('str = Field("abc", min_length=3', "text of at least 3 characters"),
        ("int = Field(1, le=5", "integer up to 5"),
    ],
)
def test_a_setting_with_one_bound(
    field: str, told: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`koth games NAME` says in words what the setting takes."""
    edits = {"events.py": ("    rounds: int =", f"    mark: {field})\n    rounds: int =")}
    described = koth("games", install(tmp_path / "site", monkeypatch, edits))
    assert described.code == 0
    assert told in described.out


@pytest.mark.parametrize("limit", [0, -1])
def test_a_time_limit_that_leaves_no_time(
    limit: int, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit below a second is wrong usage, if the package has no bound for it."""
    edits = {"events.py": ("time_limit_s: int = Field(1, ge=1,", "time_limit_s: int = Field(1,")}
    game = install(tmp_path / "site", monkeypatch, edits)
    told = koth.complaint("play", game, *BOTS, "--set", f"time_limit_s={limit}", code=2)
    assert told == f"setting time_limit_s: expected at least 1 second, found '{limit}'."


def test_an_event_that_is_not_as_its_model_says(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log whose rules lead to an invalid event of their own is corrupt for all commands."""
    edits = {"rules.py": ("points = list(state.dice), list(state.points)", "points = [], [-1]")}
    game = install(tmp_path / "site", monkeypatch, edits)
    log = write(tmp_path / "log.jsonl", match_events(lambda ask: printed("roll"), game=game))
    assert koth("verify", log).out.startswith(f"corrupt  {log}:5: scored.points.0: ")
    assert "corrupt" in koth("audit", log).out


@pytest.mark.parametrize("wrong", ["raise", "exit"])
def test_rules_that_fail_in_a_replay(
    wrong: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No verdict can be given; the log is named, and the line of the rules."""
    broken = install(tmp_path / "site", monkeypatch, WRONG_RULES[wrong][0])
    made = played_as(broken, koth, tmp_path, monkeypatch)
    told = koth.complaint("verify", made, code=4)
    assert told.startswith(f"{made}: {tmp_path}/site/{broken}/rules.py, line ")


def played_as(game: str, koth: Koth, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A log of the skeleton's game, as if it were one of ``game``."""
    sound = install(folder / "sound", monkeypatch, {})
    log = folder / "made.jsonl"
    assert koth("play", sound, *BOTS, "-o", log, "--set", "rounds=1", "--seed", SEED).code == 0
    events = loads(log.read_bytes().replace(sound.encode(), game.encode()))
    return write(log, [{k: v for k, v in one.items() if k != "seq"} for one in events[:-1]], SEED)


def test_two_packages_with_one_game(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If two games have the same name, koth refuses both and names both packages."""
    game = install(tmp_path / "site", monkeypatch, {})
    entry(tmp_path / "site", "other_dist", game, "other_package")
    told = koth.complaint("rules", game, code=4)
    assert f"two packages provide a game called '{game}'" in told
    assert f"'{game}' of {game}" in told
    assert "'other_package' of other_dist" in told


def test_a_table_of_another_game(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game whose event would have the table of another game's view is refused, not the other."""
    edits = {"events.py": ('type: Literal["scored"]', 'type: Literal["heist_settled"]')}
    install(tmp_path / "site", monkeypatch, edits, name="bank")
    told = "the package of bank/1 is broken: 'bank_heist_settled' in SQL is a table of the game"
    assert_named(koth, "rules", "bank", f"{told} 'bank_heist', too")
    assert "bank_heist  bank_heist/1" in koth("games").out


def test_a_view_with_the_name_of_an_event(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game whose audit has a view with the name of one of its events is refused by name."""
    game = install(tmp_path / "site", monkeypatch, {})
    view = tmp_path / "site" / game / "audit/_scored.sql"
    view.write_text(f"CREATE VIEW {game}_scored AS SELECT 1;")
    told = "the event 'scored' and the view '_scored.sql' of its audit have one name in SQL"
    assert_named(koth, "rules", game, told)


def test_a_view_with_another_name_than_its_file(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that does not make the view of its name is named, also if its view is a table's."""
    game, log = install(tmp_path / "site", monkeypatch, {}), tmp_path / "log.jsonl"
    view = tmp_path / "site" / game / "audit/_turns.sql"
    view.write_text(f"-- Turns.\nCREATE VIEW {game}_scored AS SELECT 1;")
    assert koth("play", game, *BOTS, "-o", log, "--set", "rounds=1").code == 0
    told = f"{view}: expected a line that begins with 'CREATE VIEW {game}_turns AS', found none"
    assert koth.complaint("audit", log, code=4).startswith(told)


@pytest.mark.parametrize(
    ("view", "told"),
    [
        (
            b"CREATE VIEW NAME_turns AS SELECT 1 AS log; -- \xff",
            "this view does not run: 'utf-8' codec",
        ),
        (
            b"CREATE VIEW NAME_turns AS SELECT 1 AS log;\nSET threads = 1;",
            "expected CREATE VIEW or CREATE MACRO, found SET THREADS",
        ),
    ],
)
def test_wrong_views_are_told(
    view: bytes, told: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is no text, or does more than to make views, is named by its path."""
    game, log = install(tmp_path / "site", monkeypatch, {}), tmp_path / "log.jsonl"
    path = tmp_path / "site" / game / "audit/_turns.sql"
    path.write_bytes(view.replace(b"NAME", game.encode()))
    assert koth("play", game, *BOTS, "-o", log, "--set", "rounds=1").code == 0
    typed = koth("sql", log, f"FROM {game}_turns")
    assert (typed.code, typed.out) == (4, "")
    assert typed.err.startswith(f"koth: {path}: {told}")


def test_a_story_that_writes_is_told(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one_rule: None
) -> None:
    """The page of a tournament is not written, nor the file that the query names."""
    story = ('scratch = "match"', 'scratch = "match"\nstory = "NAME:story.sql"')
    game, cup = install(tmp_path / "site", monkeypatch, {"game.toml": story}), tmp_path / "cup"
    path, copy = tmp_path / "site" / game / "story.sql", tmp_path / "copy.csv"
    path.write_text(f"-- title: T\nCOPY (SELECT 1) TO '{copy}';\n")
    words = ("--set", "games=1", "--set", "rounds=1")
    assert koth("tournament", game, *BOTS, "-o", cup, *words).code == 0
    told = koth.complaint("report", cup, "-o", tmp_path / "page.html", code=4)
    assert told == f"{path}: expected a query that only reads, found COPY"
    assert not copy.exists()
    assert not (tmp_path / "page.html").exists()


def test_a_finding_with_a_number_beyond_64_bits(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page holds it as text, since JSON has no such number."""
    huge = "(2**63)::HUGEINT"
    edits = {RULE: ("SELECT log", f"SELECT {huge} AS total, [{{'a': {huge}}}] AS sums, log")}
    game, log = install(tmp_path / "site", monkeypatch, edits), tmp_path / "log.jsonl"
    rule = tmp_path / "site" / game / RULE
    rule.write_text(rule.read_text().replace("WHERE dice <> due", "WHERE true"))
    assert koth("play", game, *BOTS, "-o", log, "--set", "rounds=1").code == 0
    assert koth("report", log, "-o", tmp_path / "page.html").code == 1
    [finding] = koth("audit", log, "--format", "json").json["findings"]
    assert finding["extra"] == {"total": str(2**63), "sums": [{"a": str(2**63)}]}


def test_rules_that_fail_in_a_worker(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With several jobs the same sentence comes out of the worker."""
    edits = {"rules.py": ("state.round = number\n", "state.round = number // 0\n")}
    game = install(tmp_path / "site", monkeypatch, edits)
    words = ["tournament", game, *BOTS, "-o", tmp_path / "cup", "--jobs", "2"]
    assert "rules.py, line" in koth.complaint(*words, code=4)


RULE = "audit/dice_not_from_the_seed.sql"
ROW = "'' AS match, 0.5 AS seq, 1 AS expected, 2 AS found UNION ALL SELECT log"
WRONG_QUERIES = {
    "no_table": (RULE, "FROM NAME_dealt", "FROM NAME_delt", "this rule does not run"),
    "no_log": (RULE, "SELECT log", f"SELECT NULL AS log, {ROW}", "'log', found None"),
    "another_log": (RULE, "SELECT log", f"SELECT 9 AS log, {ROW}", "'log', found 9"),
    "half_an_event": (RULE, "SELECT log", f"SELECT 0 AS log, {ROW}", "'seq', found Decimal('0.5')"),
    "no_clause": (RULE, "clause: MU-2", "clause: MU-2b", "a clause of the rulebook, found 'MU-2b'"),
    "negative_event": (
        RULE,
        "SELECT log",
        f"SELECT 0 AS log, {ROW}".replace("0.5", "-1"),
        "found -1",
    ),
    "second_statement": (
        RULE,
        "<> due;",
        "<> due;\nSET threads = 1;",
        "expected one query, found 2",
    ),
    "writing_rule": (
        RULE,
        "SELECT log",
        "WITH a AS (DELETE FROM raw.logs) SELECT log",
        "found DELETE",
    ),
    "two_queries": (RULE, "<> due;", "<> due;\nSELECT log", "expected one query, found 2; each"),
    "leaderboard": ("leaderboard.sql", "FROM seats()", "FROM chairs()", "this leaderboard"),
    "leaderboard_in_a_transaction": ("leaderboard.sql", "SELECT\n", "BEGIN; SELECT\n", "one query"),
    "leaderboard_that_writes": (
        "leaderboard.sql",
        "SELECT\n",
        "EXPLAIN SELECT\n",
        "expected a query that only reads, found EXPLAIN",
    ),
    "leaderboard_of_no_value": (
        "leaderboard.sql",
        "    name, matches",
        "    name, to_days(1_000_000_000) * 2 AS age, matches",
        "this leaderboard does not run: days=2000000000",
    ),
    "leaderboard_of_another_game": (
        "leaderboard.sql",
        "WHERE game = 'NAME'",
        "WHERE game = 'duel'",
        "expected a query that ranks the bots of made_up_",
    ),
}


@pytest.mark.parametrize(
    "wrong",
    sampled(
        {name: name for name in WRONG_QUERIES},
        ["no_table", "another_log", "no_clause", "two_queries", "writing_rule", "leaderboard"],
    ),
)
def test_wrong_queries_are_told(
    wrong: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A query of the package that does not run, or names no event, is named by its file."""
    file, old, new, told = WRONG_QUERIES[wrong]
    game = install(tmp_path / "site", monkeypatch, {file: (old, new)})
    log = tmp_path / "log.jsonl"
    assert koth("play", game, *BOTS, "-o", log, "--set", "rounds=1").code == 0
    typed = koth("leaderboard" if file == "leaderboard.sql" else "audit", log)
    assert (typed.code, typed.out) == (4, "")
    assert typed.err.startswith(f"koth: {tmp_path}/site/{game}/{file}: ")
    assert told in typed.err


def test_a_leaderboard_with_columns_of_its_own(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one_rule: None
) -> None:
    """A leaderboard may have any columns of any type; one without a statement is named by its
    file."""
    game = install(tmp_path / "site", monkeypatch, {})
    board, cup = tmp_path / "site" / game / "leaderboard.sql", tmp_path / "cup"
    words = ("--set", "games=1", "--set", "rounds=1")
    assert koth("tournament", game, *BOTS, "-o", cup, *words).code == 0
    board.write_text("SELECT 7 AS x, [8] AS name, 9 AS bot FROM range(2)\n")
    assert "7  [8]" in koth("leaderboard", cup).out
    assert koth("report", cup, "-o", tmp_path / "cup.html").code == 0
    monkeypatch.setattr(build, "_code", lambda: "")  # its cache would keep this package's
    assert koth("site", cup, "-o", tmp_path / "pages", "--no-browser-tools").code == 0
    board.write_text("-- nothing yet\n")
    told = koth.complaint("leaderboard", cup, code=4)
    assert told.startswith(f"{board}: expected a query that ranks bots, found no statement")
