"""The option `--seat`: four commands show what one player could know, and refuse the rest."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from replay.watch.app import Watch
from tests import contests
from tests.audit.imported_logs import EXCERPT, bring_in
from tests.factories import loads, write
from tests.golden.make import HERE
from tests.koth.commands import Koth
from tests.replay.hidden_choices import GAMES, SEAT, Played, alike
from tests.replay.log_factory import SHORT, hex_seed
from tests.sampling import sampled

FAULTS = HERE / "coins-1/garbage_counts_as_nothing.jsonl"
ANNOUNCED = HERE / "smallest_unique-1/two_share_the_win.jsonl"
"""A match at whose end the bots get the choices, and are asked nothing."""
SCREEN = (100, 24)
"""Columns and rows of the terminal."""


def laid_out(folder: Path, match: Played, note: str) -> Path:
    """The log of a match, with a note of the referee on what its bots wrote beside it."""
    path = folder / "match.jsonl"
    path.write_bytes(match.data)
    (folder / "evidence").mkdir(exist_ok=True)
    (folder / "evidence" / "match.jsonl").write_text(
        "".join(f'{{"seq":{seq},"ms":1.5,"stderr":"{note}"}}\n' for seq in range(99))
    )
    return path


def screens(path: Path) -> list[str]:
    """The screens of the viewer at the start of the match, at the first question and at the end."""
    shown = []

    async def run() -> None:
        app = Watch(path, 0, seat=SEAT)
        async with app.run_test(size=SCREEN) as pilot:
            for key in ("home", "j", "end"):
                await pilot.press(key)
                shown.append(app.export_screenshot())

    asyncio.run(run())
    return shown


def everything(koth: Koth, path: Path) -> list[object]:
    """The outputs of all four commands on a log."""
    page = path.with_suffix(".html")
    page.unlink(missing_ok=True)
    seen = ["--seat", SEAT]
    typed = [
        koth("replay", path, *seen),
        koth("replay", path, *seen, "--format", "json"),
        koth("explain", path, *seen),
        koth("explain", path, "1", *seen, "--format", "json"),
        koth("report", path, *seen, "-o", page),
    ]
    assert [one.code for one in typed] == [0] * len(typed)
    return [*typed, page.read_bytes(), *screens(path)]


@pytest.mark.parametrize("game", sampled({game: game for game in GAMES}, ["coins", "coup"]))
def test_the_four_commands_show_alike_what_the_seat_knows_alike(
    game: str, koth: Koth, tmp_path: Path
) -> None:
    """Two matches that differ in hidden things only give the same bytes from all commands."""
    one, other, *_ = alike(game)[0]
    shown = everything(koth, laid_out(tmp_path, one, "first secret"))
    assert shown == everything(koth, laid_out(tmp_path, other, "second secret"))
    assert "secret" not in str(shown)


def test_questions_have_the_same_number_everywhere(koth: Koth, log: Path) -> None:
    """The question that `explain` shows as N is the last that `replay --at N` shows."""
    whole = koth("replay", log, "--seat", 0, "--format", "json").json
    assert whole["format"] == "koth-seat/1"
    assert [entry["number"] for entry in whole["questions"]] == [1, 2, 3, 4, 5, 6]
    for number, entry in enumerate(whole["questions"], 1):
        explained = koth("explain", log, number, "--seat", 0, "--format", "json").json
        until = koth("replay", log, "--at", number, "--seat", 0, "--format", "json").json
        assert explained["questions"] == [entry]
        assert until["questions"] == whole["questions"][:number]
        assert (explained["result"], until["result"]) == (None, None)
    assert whole["result"] is not None


def test_a_view_has_the_seats_part_of_the_log(koth: Koth) -> None:
    """Of each question it has the observation, and the answer or the fault; then the result."""
    shown = koth("replay", FAULTS, "--seat", 0, "--format", "json").json
    own = [
        (seq, event)
        for seq, event in enumerate(loads(FAULTS.read_bytes()))
        if event["type"] in ("answered", "fault") and event["seat"] == shown["seat"] == 0
    ]
    for entry, (seq, event) in zip(shown["questions"], own, strict=True):
        explained = koth("explain", FAULTS, seq, "--format", "json").json
        said = {key: event[key] for key in event if key not in ("type", "seat", "ask")}
        is_fault = event["type"] == "fault"
        assert entry["observation"] == explained["asked"]["observation"]
        assert entry["answer"] == (None if is_fault else said)
        assert entry["fault"] == (said if is_fault else None)
        assert entry["clause_text"] == (explained["clause_text"] if is_fault else None)


@pytest.mark.parametrize("path", [FAULTS, ANNOUNCED], ids=["faults", "announced"])
def test_the_text_says_what_the_json_says(path: Path, koth: Koth) -> None:
    """A paragraph per question ends with the answer, with a fault and its clause, or without."""
    view = koth("replay", path, "--seat", 0, "--format", "json").json
    text = koth("replay", path, "--seat", 0).out.rstrip("\n")
    _, *questions, result = [paragraph.splitlines() for paragraph in text.split("\n\n")]
    for entry, (title, *observation) in zip(view["questions"], questions, strict=True):
        assert title == f"question {entry['number']}, '{entry['ask']}'"
        assert observation[0].split()[0] in entry["observation"]
        *_, last = observation
        if entry["fault"]:
            assert observation[-3] == f"fault: {entry['sentence']}"
            assert last == f"{entry['fault']['clause']}  {entry['clause_text']}"
        elif entry["answer"]:
            assert observation[-2] == f"answer: {entry['sentence']}"
            assert json.loads(last) == entry["answer"]
        else:
            assert last == "no answer was asked for"
    assert result[0].startswith("result: ")
    assert json.loads(result[1]) == view["result"]


def test_the_faults_of_the_seat_are_explained(koth: Koth) -> None:
    """`explain` shows the seat's faults, as text three, with clauses; those of others stay out."""
    typed = koth("explain", FAULTS, "fault", "--seat", 0, "--format", "json").json
    own = [event for event in loads(FAULTS.read_bytes()) if event.get("seat") == 0]
    kinds = [event["kind"] for event in own if event["type"] == "fault"]
    assert kinds
    assert [entry["fault"]["kind"] for entry in typed["questions"]] == kinds
    text = koth("explain", FAULTS, "--seat", 0)
    assert "CN-7" in text.out
    command = f"`koth replay {FAULTS} --seat 0`"
    assert text.err == f"koth: {len(kinds) - 3} more; {command} shows all questions.\n"


def test_without_a_fault_the_last_question_is_explained(koth: Koth, log: Path) -> None:
    """`explain` then shows the question that it would show as number six, and says so."""
    shown = koth("explain", log, "--seat", 0)
    assert shown.out == koth("explain", log, 6, "--seat", 0).out
    assert shown.err == "koth: no fault of this seat; this is its last question.\n"


def test_an_imported_match_shows_the_answers(koth: Koth, tmp_path: Path) -> None:
    """Of an imported match the answers are shown, and that the questions are not recorded."""
    log = (
        bring_in("bank-heist-transcript", tmp_path / "old", EXCERPT) / "matches" / "1-000000.jsonl"
    )
    typed = koth("replay", log, "--seat", 0).out
    assert "imported: the log was imported; it records answers without their questions" in typed
    assert "  (not recorded)\nanswer: " in typed
    assert koth("report", log, "--seat", 0, "-o", tmp_path / "page.html").code == 0
    assert "The log does not record what was asked." in (tmp_path / "page.html").read_text()


def test_an_unfinished_match_shows_the_answers(koth: Koth, log: Path, tmp_path: Path) -> None:
    """Of a match without a seal the answers so far are shown, if there are any, and no result."""
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:9]))
    shown = koth("replay", log, "--seat", 0, "--format", "json").json
    assert (shown["verdict"], shown["result"]) == ("incomplete", None)
    assert shown["questions"][0]["answer"]
    assert koth("report", log, "--seat", 0, "-o", tmp_path / "page.html").code == 0
    assert "No result" in (tmp_path / "page.html").read_text()
    log.write_bytes(lines[0])
    assert koth.complaint("explain", log, "--seat", 0, code=3) == f"{log}: no question to seat 0."


@pytest.mark.parametrize("command", ["explain", "replay", "report"])
def test_a_seat_that_there_is_not(command: str, koth: Koth, log: Path, tmp_path: Path) -> None:
    """A seat out of range, and a log of another kind, are wrong usage; nothing is written."""
    page = tmp_path / "page.html"
    more = ["-o", page] if command == "report" else []
    expected = "--seat: expected a seat from 0 to 1, found 2."
    assert koth.complaint(command, log, "--seat", 2, *more) == f"{log}: {expected}"
    assert "'--seat'" in koth.complaint(command, log, "--seat", -1, *more)
    tournament = bring_in("bank-heist-transcript", tmp_path / "old", EXCERPT) / "tournament.jsonl"
    contest = contests.new(tmp_path / "cup") / "contest.jsonl"
    for path, kind in ((tournament, "tournament"), (contest, "contest")):
        told = koth.complaint(command, path, "--seat", 0, *more)
        assert told == f"{path}: --seat: expected the log of one match, found a {kind}'s."
    assert not page.exists()


@pytest.mark.parametrize("command", ["explain", "replay", "report"])
def test_a_log_that_does_not_verify(command: str, koth: Koth, log: Path, tmp_path: Path) -> None:
    """A log that the rules do not lead to is a finding, and shows no view."""
    events = loads(log.read_bytes())
    next(event for event in events if event["type"] == "coins_moved")["coins"] = [7, 7]
    write(log, events, hex_seed(SHORT))
    more = ["-o", tmp_path / "page.html"] if command == "report" else []
    told = koth.complaint(command, log, "--seat", 0, *more, code=1)
    assert "the log does not follow from its seed and answers" in told
    assert not (tmp_path / "page.html").exists()


def test_numbers_and_options_that_do_not_fit(koth: Koth, log: Path, tmp_path: Path) -> None:
    """A question that was not put, and options that need the whole log, are wrong usage."""
    expected = f"{log}: expected a question to seat 0 from 1 to 6, found"
    assert koth.complaint("explain", log, 7, "--seat", 0) == f"{expected} 7."
    assert koth.complaint("replay", log, "--at", 0, "--seat", 0) == f"{expected} 0."
    told = koth.complaint("explain", log, "fault", "--seat", 0, code=3)
    assert told == f"{log}: there is no fault of seat 0 in this log."
    page = tmp_path / "page.html"
    for option in ("--key", "--origin", "--proof"):
        told = koth.complaint("report", log, "--seat", 0, option, "x", "-o", page)
        assert told == f"{option}: does not go with --seat; `koth verify` checks it."
    assert "--bots: goes with --answer." in koth.complaint(
        "replay", log, "--seat", 0, "--bots", "x"
    )


def test_following_a_seat_without_a_terminal(koth: Koth, log: Path) -> None:
    """It is the option that needs one, since `koth watch --follow` alone does not."""
    assert koth.complaint("watch", log, "--follow", "--seat", 1).startswith("--seat: ")
    assert koth("watch", log, "--follow").code == 0
    assert koth("watch", log, "--follow", "--at", 20).out.startswith("20 ")
    assert "from 0 to 20, found 21" in koth.complaint("watch", log, "--follow", "--at", 21)
