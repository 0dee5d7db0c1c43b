"""Importing transcripts of Bank Heist: both variants, to the last number, or not at all."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from games.bank_heist.transcript import of_match, spoken
from schema import reader
from schema.reader import Log
from schema.seal import NO_FILES, hex_digest
from tests.audit.imported_logs import (
    EXCERPT,
    TRANSCRIPT,
    bring_in,
    match_in,
    refusal,
    tournament_in,
)
from tests.audit.together import report_on
from tests.golden.make import HERE

FORMAT = "bank-heist-transcript"
GOLDEN = sorted(
    path for path in (HERE / "bank_heist-1").glob("*.jsonl") if "tournament" not in path.stem
)
WHOLE = TRANSCRIPT.read_text()


def of_type(log: Log, *types: str) -> list[dict[str, Any]]:
    """The events of these types."""
    return [dict(event) for event in log.events if event["type"] in types]


def named(log: Log, type: str, *fields: str) -> list[tuple[Any, ...]]:
    """These fields of the events of a type, with the player's name in front."""
    names = [player["name"] for player in log.start["players"]]
    return [
        (names[event["seat"]], *(event[field] for field in fields)) for event in of_type(log, type)
    ]


def final_credits(log: Log) -> dict[str, int]:
    """Return the final credits of each player."""
    names = [player["name"] for player in log.start["players"]]
    [end] = of_type(log, "match_finished")
    return dict(zip(names, end["scores"], strict=True))


def test_a_game_becomes_events(tmp_path: Path) -> None:
    """Every line of a game is an event or two, in order; seats are given as players first bet."""
    log = match_in(bring_in(FORMAT, tmp_path / "new", EXCERPT))
    assert [player["name"] for player in log.start["players"]] == [
        "lurker",
        "gambler",
        "constant_bettor",
        "double_crosser",
    ]
    assert [dict(event) for event in log.events[1:18]] == [
        {"type": "game_started", "number": 3, "participants": 319},
        {"type": "answered", "seat": 0, "ask": "bet", "output": "0"},
        {"type": "bet", "number": 3, "seat": 0, "bet": 0},
        {"type": "answered", "seat": 1, "ask": "bet", "output": "0"},
        {"type": "bet", "number": 3, "seat": 1, "bet": 0},
        {"type": "answered", "seat": 2, "ask": "bet", "output": "69"},
        {"type": "bet", "number": 3, "seat": 2, "bet": 69},
        {"type": "answered", "seat": 3, "ask": "bet", "output": "1"},
        {"type": "bet", "number": 3, "seat": 3, "bet": 1},
        {"type": "answered", "seat": 3, "ask": "action", "output": "double cross"},
        {"type": "acted", "number": 3, "seat": 3, "action": "double cross"},
        {"type": "answered", "seat": 2, "ask": "action", "output": "!guncheck"},
        {"type": "acted", "number": 3, "seat": 2, "action": "carry on"},
        {"type": "heist_seen", "number": 3, "seat": 2, "succeeded": 1, "winnings": 203},
        {"type": "heist_seen", "number": 3, "seat": 3, "succeeded": 0},
        {
            "type": "credits_seen",
            "number": 3,
            "ranking": [3, 0, 2, 1],
            "credits": [1200, 240, 924, 51876],
        },
        {"type": "game_started", "number": 4, "participants": 487},
    ]


def test_the_older_variant_says_less(tmp_path: Path) -> None:
    """Without the lines of `Results`, and with blank lines, all else is there."""
    log = match_in(bring_in(FORMAT, tmp_path / "new", TRANSCRIPT))
    assert [event["number"] for event in of_type(log, "credits_seen")] == [0, 1, 2]
    assert len(of_type(log, "answered")) == 21
    assert not of_type(log, "heist_seen")


def test_the_logs_say_where_they_come_from(tmp_path: Path) -> None:
    """Both logs are imported, named by the file's hash, with settings, and no bot's files."""
    folder = bring_in(FORMAT, tmp_path / "new", TRANSCRIPT)
    for log in (match_in(folder), tournament_in(folder)):
        assert log.imported
        assert "seed" not in log.seal
        assert log.start["tournament"] == hex_digest(TRANSCRIPT.read_bytes())[:16]
        assert log.start["settings"]["rabble_draw"] == "size"
        people = log.start["players" if log.kind == "match" else "entrants"]
        assert {person["bot"] for person in people} == {NO_FILES}


def test_the_last_table_is_the_result(tmp_path: Path) -> None:
    """Scores, winners and standings are those of the last table, equal credits sharing the rank."""
    tied = WHOLE.replace("3. gambler: 0", "3. gambler: 753")
    (tmp_path / "old.txt").write_text(tied)
    folder = bring_in(FORMAT, tmp_path / "new", tmp_path / "old.txt")
    [end] = of_type(match_in(folder), "match_finished")
    assert (end["reason"], end["scores"], end["winners"]) == ("played", [753, 24848, 960, 753], [1])
    played, finished = tournament_in(folder).events[1:3]
    assert played["seal"] == match_in(folder).seal["sha256"]
    assert finished["standings"] == [
        {"rank": 1, "entrant": 1, "score": 24848, "games": 1},
        {"rank": 2, "entrant": 2, "score": 960, "games": 1},
        {"rank": 3, "entrant": 0, "score": 753, "games": 1},
        {"rank": 3, "entrant": 3, "score": 753, "games": 1},
    ]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_an_export_comes_back(path: Path, tmp_path: Path) -> None:
    """Answers, bets, actions and credits survive export and import."""
    log = reader.read(path)
    (tmp_path / "old.txt").write_text(of_match(log))
    folder = bring_in(FORMAT, tmp_path / "new", tmp_path / "old.txt")
    back = match_in(folder)
    assert named(back, "bet", "number", "bet") == named(log, "bet", "number", "bet")
    assert named(back, "acted", "number", "action") == named(log, "acted", "number", "action")
    asked = of_type(log, "answered", "fault")
    printed = [spoken(event) for event in asked if event["ask"] == "action"]
    said = [event["output"] for event in of_type(back, "answered") if event["ask"] == "action"]
    assert said == printed
    assert len(of_type(back, "answered")) == len(asked)
    assert final_credits(back) == final_credits(log)


def test_the_audit_finds_nothing_in_a_sound_export(tmp_path: Path) -> None:
    """A real match, exported and imported again, breaks no rule as far as a transcript shows."""
    older, newer = tmp_path / "older", tmp_path / "newer"
    bring_in(FORMAT, older, TRANSCRIPT)
    bring_in(FORMAT, newer, EXCERPT)
    report = report_on(older, newer)
    assert (report.findings, report.unread) == ([], [])


def test_an_excerpt_may_stop_before_its_last_table(tmp_path: Path) -> None:
    """A transcript that ends within a game is imported with a note; its last table counts."""
    (tmp_path / "old.txt").write_text(WHOLE[: WHOLE.rindex("Results:")])
    folder = bring_in(FORMAT, tmp_path / "new", tmp_path / "old.txt")
    log = match_in(folder)
    assert of_type(log, "acted")[-1]["number"] == 2
    assert final_credits(log)["double_crosser"] == 11652


def test_words_that_mean_nothing_are_kept(tmp_path: Path) -> None:
    """Any word of round 2 is an answer as printed; what it counts as is to carry on."""
    odd = EXCERPT.read_text().replace("to !guncheck.", "to back out. No.", 1)
    (tmp_path / "old.txt").write_text(odd)
    log = match_in(bring_in(FORMAT, tmp_path / "new", tmp_path / "old.txt"))
    words = [event["output"] for event in of_type(log, "answered") if event["ask"] == "action"]
    assert words[1] == "back out. No"
    assert of_type(log, "acted")[1]["action"] == "carry on"


def test_an_action_is_read_as_the_rules_read_it(tmp_path: Path) -> None:
    """Spaces around it are ignored, but no-break spaces are not among them (BH-8)."""
    spaced = EXCERPT.read_text().replace("to !guncheck.", "to  all in .", 1)
    (tmp_path / "old.txt").write_text(spaced.replace("to double cross.", "to \u00a0finger.", 1))
    folder = bring_in(FORMAT, tmp_path / "new", tmp_path / "old.txt")
    actions = [event["action"] for event in of_type(match_in(folder), "acted")]
    assert actions[:2] == ["carry on", "all in"]


WRONG = {
    "an impossible line": (
        r"(lurker bet 0\.)",
        r"\1\nlurker waits.",
        ":7: expected 'NAME bet 69.' or 'Round 2', found 'lurker waits.'.",
    ),
    "an unknown name": (
        r"(?s)(GAME 1.*?)gambler bet",
        r"\1gamblor bet",
        ":24: expected one of the players of the first game, found 'gamblor'.",
    ),
    "an unknown name in a table": (
        r"2\. lurker: 480",
        "2. lurk: 480",
        ":17: expected one of the players of the first game, found 'lurk'.",
    ),
    "a name twice": (
        r"gambler bet 1\.",
        "lurker bet 1.",
        ":7: expected each player once in this part, found 'lurker' again.",
    ),
    "a number beyond 64 bits": (
        r"bet 69",
        "bet 9223372036854775808",
        ":4: expected a number of at most 9223372036854775807, found '9223372036854775808'.",
    ),
    "a number beyond all counting": (
        r"bet 69",
        "bet " + "9" * 5000,
        ":4: expected a number of at most 9223372036854775807, found '9999",
    ),
    "a table without somebody": (
        r"3\. constant_bettor: 411\n",
        "",
        ":20: expected '0. NAME: 3600', found '#####GAME 1: 242 players######'.",
    ),
    "a place left out": (
        r"1\. gambler: 1272",
        "2. gambler: 1272",
        ":16: expected place 1, found place 2.",
    ),
    "an endless line": (
        r"bet 69\.",
        f"bet {'0' * 200_000}69.",
        ":4: expected a line of at most 100000 characters, found 200023.",
    ),
    "a game left out": (r"GAME 1", "GAME 2", ":21: expected game 1, found game 2."),
    "a game without its table": (
        r"(?s)Results:.*?(?=#)",
        "",
        ":14: expected 'NAME decided to double cross.' or 'Results' or 'Results:', found "
        "'#####GAME 1: 242 players######'.",
    ),
    "a name that is none": (
        r"gambler",
        "gam/bler",
        ":7: expected a name of 1 to 64 characters without white space and slashes, found "
        "'gam/bler'.",
    ),
    "CR LF": ("\n", "\r\n", ":1: expected lines that end in LF, found a carriage return."),
    "nobody": (
        r"(?s)Round 1:.*?Round 2",
        "Round 1:\nRound 2",
        ":4: expected 'NAME bet 69.', found 'Round 2'.",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_read_is_refused(what: str, tmp_path: Path) -> None:
    """The message has the number of the first bad line, the expected text and the actual text."""
    pattern, instead, told = WRONG[what]
    assert refusal(FORMAT, tmp_path, re.sub(pattern, instead, WHOLE)).startswith(told)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", ":1: expected '#####GAME 13: 16 players######', found the end."),
        ("\n\n", ":3: expected '#####GAME 13: 16 players######', found the end."),
        ("Dear diary\n", ":1: expected '#####GAME 13: 16 players######', found 'Dear diary'."),
        (b"\x7fELF\x02\x01\x00\xff\n", ":1: expected UTF-8, found byte 0xff."),
        (WHOLE.encode().replace(b"411", b"\xa5411"), ":18: expected UTF-8, found byte 0xa5."),
        (WHOLE[:-5], ":58: expected a line that ends in LF, found '3. gambler:' and the end."),
        (
            WHOLE[: WHOLE.index("Results:")],
            ":14: expected 'NAME decided to double cross.' or 'Results' or 'Results:', found "
            "the end.",
        ),
        (
            WHOLE[: WHOLE.rindex("2. const")],
            ":57: expected '0. NAME: 3600', found the end.",
        ),
        (WHOLE[: WHOLE.rindex("gambler bet")], ":45: expected 'NAME bet 69.' or 'Round 2', found"),
    ],
)
def test_what_is_no_whole_transcript_is_refused(
    content: str | bytes, told: str, tmp_path: Path
) -> None:
    """Nothing, something else, bytes that are no text, and a file that was cut off."""
    assert refusal(FORMAT, tmp_path, content).startswith(told)
