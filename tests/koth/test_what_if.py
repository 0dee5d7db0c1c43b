"""``koth replay --answer``: the answer as it is typed, live bots to the end, and wrong usage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from schema.reader import Log, read
from tests.golden.make import HERE
from tests.koth.commands import Koth
from tests.koth.test_reask import FIRST

EXCHANGE = HERE / "coup-1/exchange_keeps_order_written.jsonl"
COINS = HERE / "coins-1/more_is_asked_for_than_there_is.jsonl"
UNIQUE = HERE / "smallest_unique-1/void_by_eleven.jsonl"


def test_the_text_says_what_follows_and_what_is_asked(koth: Koth) -> None:
    """Events with their clauses, the state, and the next question with its legal answers."""
    out = koth("replay", EXCHANGE, "--at", 2, "--answer", r"I\n").out
    assert 'instead   {"output":"","appended":"I\\n"}' in out
    sentence, event = "  3  CP-8  player0 takes 1 coin as income.", '{"type":"coins_moved",'
    assert f"{sentence}\n{'':11}{event}" in out
    assert "  coins    [2,1]" in out
    assert "asked next: seat 1 (player1), 'turn'" in out
    assert 'legal: ["I\\n","F","E","T","S"]' in out


def test_a_hostile_answer_stays_in_its_line(koth: Koth) -> None:
    """No character of another answer reaches a terminal as a command."""
    out = koth("replay", COINS, "--at", 4, "--answer", r"\u001b[2J\u0000\u202e<b>\n").out
    assert all(line.isprintable() for line in out.split("\n"))
    assert r"gives an illegal answer, “\x1b[2J\x00\u202e<b>”: the penalty is NNN (CN-7)." in out


def test_the_result_stands_beside_the_recorded_one(koth: Koth) -> None:
    """If the match would have ended, both results are shown."""
    out = koth("replay", COINS, "--at", 4, "--answer", "1FN").out
    assert "recorded: rounds_played; player0 0, player1 0\n" in out
    assert "then:     rounds_played; player0 3, player1 0\n" in out


def test_json_has_the_recorded_event_and_what_would_have_followed(koth: Koth) -> None:
    """The JSON is that of `koth replay --at`, with one key more."""
    plain = koth("replay", UNIQUE, "--at", 1, "--format", "json").json
    words = ["replay", UNIQUE, "--at", 1, "--seat", 0, "--answer", "2", "--format", "json"]
    found = koth(*words).json
    what_if = found.pop("what_if")
    assert found == plain
    assert what_if["events"][0]["event"]["choices"] == [2, 2, 3, 4]
    assert what_if["asked"][0]["seat"] is None
    assert what_if["asked"][0]["legal"] == [str(number) for number in range(1, 11)]
    assert (what_if["end"], what_if["same"]) == (None, False)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (r"a\\b", "a\\b"),
        ("new\nline", "new\nline"),
        (r"\u00e9\t", "é\t"),
        ('say "it"', 'say "it"'),
        (r"say \"it\"", 'say "it"'),
        ("", ""),
    ],
)
def test_an_answer_is_typed_as_a_log_has_it(typed: str, meant: str, koth: Koth) -> None:
    """The escapes of JSON are understood; quotes and new lines may also be typed unescaped."""
    found = koth("replay", COINS, "--at", 2, "--answer", typed, "--format", "json")
    assert found.json["what_if"]["answer"] == {"output": meant}


def test_an_answer_of_any_bytes(koth: Koth) -> None:
    """Bytes that are not UTF-8 are taken as they are typed."""
    found = koth("replay", COINS, "--at", 2, "--answer", "\udcff", "--format", "json")
    assert found.json["what_if"]["answer"] == {"output_base64": "/w=="}


def test_nothing_that_a_terminal_obeys_is_printed(koth: Koth) -> None:
    """Control characters in an answer are shown by name."""
    out = koth("replay", COINS, "--at", 2, "--answer", "\x1b[2J\x9b\x7f").out
    assert not {"\x1b", "\x9b", "\x7f"} & set(out)
    assert '"output":"\\u001b[2J' in out


SMALL = {
    "bank_heist": ["--set", "games_min=5", "--set", "games_max=5"],
    "smallest_unique": ["--set", "seats=2", "--set", "rounds=20"],
}


@pytest.mark.parametrize(
    ("game", "bots"),
    [
        ("coup", ["gambler", "bandit"]),
        ("coins", ["random_player", "dealer"]),
        ("bank_heist", ["gambler", "investor"]),
        ("smallest_unique", ["uniform", "bayes"]),
    ],
)
def test_live_bots_play_on_as_they_did(
    game: str, bots: list[str], koth: Koth, tmp_path: Path
) -> None:
    """From the recorded answer bots go on to the recorded end: same events, memory and seeds."""
    path = tmp_path / "log.jsonl"
    named = [f"examples/{bot}" for bot in bots]
    assert koth("play", game, *named, *SMALL.get(game, []), "-o", path, "--seed", "7").code == 0
    log = read(path)
    for seq, words in recorded_answers(log):
        words = ["replay", path, "--at", seq, *words, "--bots", "examples", "--format", "json"]
        what_if = koth(*words).json["what_if"]
        assert (what_if["same"], what_if["answers_unlike"]) == (True, 0)
        assert what_if["answers_heard"] > 5
        assert what_if["end"] == what_if["recorded_end"] == log.events[-2]
        assert len(what_if["events"]) > 5


def recorded_answers(log: Log) -> list[tuple[int, list[object]]]:
    """One answer of each seat from the middle of a log, as it is typed."""
    events: list[Any] = list(log.events)
    found: dict[int, tuple[int, list[object]]] = {}
    for seq in range(len(events) // 3, len(events)):
        event = events[seq]
        if event["type"] == "round":
            seats = enumerate(event["choices"])
            return [(seq, ["--seat", seat, "--answer", choice]) for seat, choice in seats]
        if event["type"] == "answered":
            more = ["--output", event["output"]] if "appended" in event else []
            answer = event.get("appended", event["output"])
            found.setdefault(event["seat"], (seq, ["--answer", answer, *more]))
    return list(found.values())


def test_another_answer_leads_to_another_end(koth: Koth, tmp_path: Path) -> None:
    """Live bots answer what they would have been asked then, not what is recorded."""
    path, bot = tmp_path / "log.jsonl", tmp_path / "first.py"
    bot.write_text(FIRST)
    koth("play", "coup", bot, "examples/miser", "-o", path, "--seed", "5", "--set", "max_calls=12")
    found = koth("replay", path, "--at", 2, "--answer", "T", "--bots", bot, "--bots", "examples")
    assert "legal" not in found.out
    assert "recorded: drawn; first 0, miser 0\n" in found.out
    assert "then:     drawn; first 0, miser 0\n" in found.out
    assert '"cause":"tax","change":[3,0],"coins":[4,1]' in found.out


def test_other_bots_are_refused_or_told(koth: Koth, tmp_path: Path) -> None:
    """A bot with other files needs --any-files; answers that now differ are reported."""
    path, bot = tmp_path / "log.jsonl", tmp_path / "first.py"
    bot.write_text(FIRST)
    koth("play", "coup", bot, "examples/miser", "-o", path, "--seed", "5", "--set", "max_calls=12")
    bot.write_text(FIRST.replace("legal[0]", "legal[-1]"))
    words = ["replay", path, "--at", 6, "--answer", "T", "--bots", bot, "--bots", "examples"]
    assert "--any-files" in koth.complaint(*words)
    assert "differ now: these are other bots" in koth(*words, "--any-files").out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([COINS, "--answer", "NNN"], "--answer: expected the event that holds the answer, as --at"),
        ([COINS, "--output", "x"], "--output: expected the event that holds the answer, as --at"),
        ([COINS, "--bind", "."], "--bind: goes with --bots"),
        ([COINS, "--at", 10, "--answer", "S", "--cold"], "--cold: goes with --bots"),
        ([COINS, "--any-files"], "--any-files: goes with --bots"),
        ([COINS, "--bots", "examples"], "--bots: goes with --answer"),
        ([COINS, "3"], "expected one log, found '3' after it. --at SEQ names an event."),
        ([COINS, "--at", 2, "--answer", "\\"], "--answer: expected text in which a backslash"),
        ([COINS, "--at", 2, "--answer", r"\ud800"], "--answer: expected text in which"),
        ([COINS, "--at", 2, "--output", "NNN"], "--output: bots of this game print"),
        ([COINS, "--at", 3, "--answer", "NNN"], "The nearest: 2 (answered, seat 1, turn) and 4"),
        ([UNIQUE, "--at", 1, "--answer", "1"], "choose one with --seat"),
    ],
)
def test_wrong_usage(words: list[object], told: str, koth: Koth) -> None:
    """Each invalid combination of arguments is refused in one sentence."""
    assert told in koth.complaint("replay", *words)


def test_only_a_match_that_verifies(koth: Koth, tmp_path: Path) -> None:
    """Nothing follows from a log that does not follow itself, and a tournament has no answers."""
    tournament = HERE / "coins-1/tournament_with_equal_sums.jsonl"
    words = ["--at", 2, "--answer", "NNN"]
    assert "that of a tournament" in koth.complaint("replay", tournament, *words)
    path = tmp_path / "log.jsonl"
    path.write_bytes(COINS.read_bytes().replace(b'"1CF"', b'"1CC"', 1))
    assert "expected a log that verifies" in koth.complaint("replay", path, *words, code=1)
