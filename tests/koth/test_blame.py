"""``koth blame``: a table of decisions, each with a command that shows its best alternative."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from replay.blame import Blamed, Choice, Line, choices, play_lines, rank
from replay.blame_render import blame_text
from replay.reask import OpenSession
from replay.whatif import what_if
from schema.bot_output import to_fields
from schema.reader import Log, read
from tests.golden.make import HERE
from tests.koth.commands import Koth
from tests.koth.test_again import play
from tests.koth.test_reask import CHANCE


@pytest.mark.parametrize(
    ("game", "seat", "at"),
    [("coup", 1, "3-6"), ("bank_heist", 0, "3-9"), ("smallest_unique", 0, "9")],
)
def test_the_number_of_jobs_changes_no_byte(
    game: str, seat: int, at: str, koth: Koth, tmp_path: Path
) -> None:
    """One process and two print the same."""
    log = play(game, tmp_path, koth)
    words = ["blame", log, "--seat", seat, "--at", at, "--format", "json"]
    one, two = (koth(*words, "--jobs", jobs) for jobs in (1, 2))
    assert one.code == two.code == 0, one
    assert one.out == two.out
    assert one.json["decisions"]


def test_the_command_shows_the_line_of_play(koth: Koth, tmp_path: Path) -> None:
    """Typed as it is printed, the command ends with the result of the table."""
    log = play("coins", tmp_path, koth)
    words = ["blame", log, "--seat", 0, "--at", "2-5"]
    listed = koth(*words, "--any-files", "--cold").out.splitlines()
    [best, *_] = koth(*words, "--format", "json").json["decisions"]
    at = next(number for number, line in enumerate(listed) if line.startswith(" " * 4 + "$ koth "))
    assert best["swing"] > 0
    assert f"event {best['seq']}: " in listed[at - 4]
    typed = shlex.split(listed[at])[2:]
    assert {"--any-files", "--cold"} <= set(typed)
    shown = koth(*typed).out.splitlines()
    assert shown[-1].split() == listed[at - 2].split()


@pytest.mark.parametrize(
    ("name", "seat"),
    [
        ("bank_heist-1/bets_that_are_none", 0),
        ("coins-1/garbage_counts_as_nothing", 0),
        ("coup-2/exchange_keeps_order_written", 0),
        ("coup-2/forfeit_by_timeout", 0),
        ("smallest_unique-1/two_share_the_win", 2),
        ("smallest_unique-1/void_by_eleven", 2),
    ],
)
def test_the_command_gives_the_other_answer(name: str, seat: int, koth: Koth) -> None:
    """Typed as it is printed, the command replaces the answer of that seat by the other one."""
    log = read(HERE / f"{name}.jsonl")
    tried = [(choice.seq, choice.others[-1]) for choice in choices(log, seat)]
    for seq, other in tried[:6]:
        answer = what_if(log, seq, other, seat).answer
        line = Line(answer, "other", log.events[-2], 1)
        text = blame_text(rank(log, seat, [Blamed(seq, "said", [line])]), "")
        command = next(line for line in text.splitlines() if line.startswith(" " * 4 + "$ koth "))
        shown = koth(*shlex.split(command)[2:], "--format", "json").json
        assert (shown["seq"], shown["what_if"]["seat"]) == (seq, seat)
        assert shown["what_if"]["answer"] == to_fields(answer)


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_interrupt_shows_the_decisions_tried_so_far(
    form: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result has those, and the number of the others."""
    log = play("coup", tmp_path, koth)
    words = ["blame", log, "--seat", 0, "--format", form]
    whole = koth(*words)
    tried: list[int] = []

    def interrupted(log: Log, seat: int, choice: Choice, session: OpenSession) -> Blamed:
        if len(tried) == 2:
            raise KeyboardInterrupt
        tried.append(choice.seq)
        return play_lines(log, seat, choice, session)

    monkeypatch.setattr("koth.library.rematches.play_lines", interrupted)
    result = koth(*words)
    assert (result.code, result.err) == (130, whole.err + "koth: interrupted.\n")
    if form == "json":
        decisions = whole.json["decisions"]
        kept = [decision for decision in decisions if decision["seq"] in tried]
        left = len(decisions) - 2
        assert result.json == whole.json | {"decisions": kept, "not_tried": left}
        assert whole.json["not_tried"] == 0
    else:
        number = int(whole.out.splitlines()[1].split()[0])
        shown = result.out.splitlines()
        assert shown[1].startswith("2 decisions with ")
        assert shown[2] == f"not tried: {number - 2} more decisions"
        assert "not tried" not in whole.out


def test_a_bot_of_chance_is_refused(koth: Koth, tmp_path: Path) -> None:
    """The reason names the bot and its answers."""
    (tmp_path / "chance.py").write_text(CHANCE)
    log = tmp_path / "log.jsonl"
    koth("play", "coup", "examples/miser", tmp_path / "chance.py", "-o", log, "--seed", "5")
    words = ["blame", log, "--seat", 0, "--bots", tmp_path / "chance.py"]
    complaint = koth.complaint(*words, code=1)
    assert "seat 1 (chance) answered" in complaint
    assert "Expected bots that always give the same answer" in complaint


def test_events_without_a_decision_are_nothing_to_do(koth: Koth, tmp_path: Path) -> None:
    """The exit code is that of nothing to work on; the range of other decisions is named."""
    log = play("coup", tmp_path, koth)
    complaint = koth.complaint("blame", log, "--seat", 0, "--at", 1, code=3)
    assert "no decision of seat 0 there has an alternative. Events 2 to " in complaint


def test_wrong_usage_is_refused(koth: Koth, tmp_path: Path) -> None:
    """A seat, an event or a bot that does not exist, and too many alternatives."""
    log = play("coup", tmp_path, koth)
    assert "expected a seat from 0 to 1" in koth.complaint("blame", log, "--seat", 2)
    for at in "x", "9-3":
        complaint = koth.complaint("blame", log, "--seat", 0, "--at", at)
        assert "--at: expected SEQ or SEQ-SEQ" in complaint
    many = tmp_path / "many.jsonl"
    words = ["examples/uniform", "examples/bayes", "--set", "seats=2", "--set", "rounds=300"]
    koth("play", "smallest_unique", *words, "-o", many)
    assert "expected at most 2,000. Choose" in koth.complaint("blame", many, "--seat", 0)
    (tmp_path / "mine.py").write_text(CHANCE)
    unknown = tmp_path / "unknown.jsonl"
    koth("play", "coup", tmp_path / "mine.py", "examples/miser", "-o", unknown)
    complaint = koth.complaint("blame", unknown, "--seat", 0)
    assert "expected a bot with the hash" in complaint
    assert "found none; name the file that played, unchanged, with --bots." in complaint
