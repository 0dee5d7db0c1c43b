"""A log in a terminal: what is shown, the keys, and that nothing in it commands the terminal."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from struct import pack
from termios import TIOCSWINSZ
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.pilot import Pilot
from textual.widgets import Static

from koth.cli.watch import watch
from replay import timeline
from replay.errors import NoSuchEvent
from replay.render import compact
from replay.timeline import Timeline
from replay.watch import lines
from replay.watch.app import TALL, Watch
from replay.watch.widgets import KEYS
from schema.errors import UsageError
from schema.log_path import printable
from tests.factories import match_events, printed, write
from tests.golden.make import HERE

COUP = HERE / "coup-1/exchange_keeps_order_written.jsonl"
FAULTS = HERE / "coins-1/garbage_counts_as_nothing.jsonl"
EVIL = "\x1b[2J\x1b]0;owned\x07[bold]x[/] \u202e\x9b31m\x7f"


def coins(path: Path, said: str) -> Timeline:
    """A match whose bots say this in every turn."""
    write(path, match_events(lambda ask: printed(said), game="coins", rounds=2))
    return timeline.read(path)


def texts(shown: list[lines.Line]) -> list[str]:
    """Lines without their looks."""
    return [line.text for line in shown]


@given(said=st.text())
@settings(max_examples=25)
def test_no_line_has_anything_that_a_terminal_obeys(
    said: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Titles, rows and details are printable for any output of a bot."""
    shown = coins(tmp_path_factory.mktemp("said") / f"{EVIL[:4]}.jsonl", said + EVIL)
    for seq in range(len(shown)):
        told = [lines.row(shown, seq), *lines.title(shown), *lines.details(shown, seq)]
        assert all(line.text.isprintable() for line in told)


@pytest.mark.parametrize("path", sorted(HERE.glob("*/*.jsonl")), ids=lambda path: path.stem)
def test_every_kind_of_event_can_be_shown(path: Path) -> None:
    """Each event has its line, its clause and its dice; what changed is marked."""
    shown = timeline.read(path)
    kinds = {step.event["type"]: step.seq for step in shown.steps}
    ends = (0, len(shown) - 1)  # which rest on no clause
    for seq in kinds.values():
        told, found = texts(lines.details(shown, seq)), shown[seq]
        assert lines.row(shown, seq).text.endswith(found.sentence)
        assert told[:2] == [found.sentence, f"event {seq}, line {seq + 1}: {found.event['type']}"]
        assert told[2].startswith('{"type":')
        clause = f"{found.step.clause}  {printable(found.clause_text)}"
        assert (clause in told) == (seq not in ends)
        assert all(f"  $ {command}" in told for _, command in found.draws)
        marked = [text for text in told if text.startswith("* ")]
        assert bool(marked) == (found.before not in (None, found.after))


def test_details_say_what_changed_and_on_what_answer() -> None:
    """The details show each changed value before and after, the question, and the dice."""
    told = texts(lines.details(timeline.read(COUP), 6))
    assert '* hands[0]: "~^" → "^$"' in told
    assert "asked: seat 0 (player0), 'exchange'" in told
    assert any(text.startswith("answer, event 5: ") for text in told)
    [die] = [at for at, text in enumerate(told) if text.startswith("die 'call/3/shuffle': ")]
    assert told[die - 1] == ""
    assert '* hands ["^$","*!"]' in told
    assert not any(text.startswith("evidence") for text in told)  # of which there is none


def test_details_of_a_fault_with_evidence(tmp_path: Path) -> None:
    """The most informative lines come first, and each kind of line has its emphasis."""
    (tmp_path / "evidence").mkdir()
    path = tmp_path / "log.jsonl"
    path.write_bytes(FAULTS.read_bytes())
    notes = '{"seq":16,"seat":0,"ask":"turn","exit":1,"stderr":"oops\\n  at"}'
    (tmp_path / "evidence" / path.name).write_text(f'{{"format":"koth-evidence/1"}}\n{notes}\n')
    shown = timeline.read(path)
    told = lines.details(shown, 16)
    assert [(line.style, line.text) for line in told if not line.text.startswith("CN-7  ")] == [
        ("fault", "player0 gives an illegal answer, “１２３”: the penalty is NNN (CN-7)."),
        ("plain", "event 16, line 17: fault"),
        ("faint", compact(shown[16].event)),
        ("plain", ""),
        ("head", "changed:"),
        ("plain", "* turn_of: 1 → 0"),
        ("plain", ""),
        ("head", "asked: seat 0 (player0), 'turn'"),
        ("plain", '  args ["4;0;21;1_0_0_0;0_0_0_0"]'),
        ("plain", '  legal ["three of N123ABCXYZFURT"]'),
        ("plain", "evidence, the referee's word (no replay can check it):"),
        ("plain", "  exit  1"),
        ("plain", "  stderr:"),
        ("plain", "    oops"),
        ("plain", "      at"),
        ("plain", ""),
        ("plain", ""),
        ("head", "state: (* is what changed)"),
        ("plain", "  round 4"),
        ("changed", "* turn_of 0"),
        ("plain", "  order [1,0]"),
        ("plain", "  centre 21"),
        ("plain", "  unflipped [0,0]"),
        ("plain", "  flipped [0,0]"),
        ("plain", "  points [0,0]"),
    ]
    assert [lines.row(shown, seq).style for seq in (16, 17)] == ["fault", "plain"]
    assert [(line.style, line.text) for line in lines.title(shown)] == [
        ("head", f"verified  coins/1  match 1-000000  {path}")
    ]


def test_each_object_of_a_state_has_a_line() -> None:
    """Of a list of objects, those that changed are marked."""
    [path, *_] = sorted((HERE / "bank_heist-1").glob("*.jsonl"))
    shown = timeline.read(path)
    event = next(shown[step.seq] for step in shown.steps if step.event["type"] == "bet")
    before, after = (cast(Any, state)["players"] for state in (event.before, event.after))
    players = list(zip(before, after, strict=True))
    told = lines.details(shown, event.step.seq)
    at = texts(told).index("  players")
    assert [(line.style, line.text) for line in told[at + 1 : at + 1 + len(players)]] == [
        ("plain", f"    {compact(new)}") if old == new else ("changed", f"*   {compact(new)}")
        for old, new in players
    ]
    assert any(old != new for old, new in players)


def test_a_filter_looks_for_what_is_shown(tmp_path: Path) -> None:
    """An event has the text of its line, of its clause, and of its JSON; each is printable."""
    shown = coins(tmp_path / "log.jsonl", "\u202e")
    for text in ("2 ! PLAYER0 gives", "(CN-7). CN-7 {", r'"output":"\u202e"'):
        assert lines.contains(shown, 2, text), text
    assert not lines.contains(shown, 2, "CN-8")


def test_a_list_of_objects_may_grow_in_a_state() -> None:
    """A further object is marked as a change, and so is each object of a new list."""
    one, two = {"n": 1}, {"n": 2}
    before, after = {"old": [one], "new": 0}, {"old": [one, two], "new": [one]}
    found: Any = SimpleNamespace(before=before, after=after)
    assert [(line.style, line.text) for line in lines._state(found)][2:] == [
        ("plain", "  old"),
        ("plain", '    {"n":1}'),
        ("changed", '*   {"n":2}'),
        ("plain", "  new"),
        ("changed", '*   {"n":1}'),
    ]


def test_a_log_without_a_seal_is_shown_as_recorded(tmp_path: Path) -> None:
    """The events are shown without states, and the title says that the log is incomplete."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(COUP.read_bytes().splitlines(keepends=True)[:10]))
    shown = timeline.read(path)
    assert "incomplete: after 10 events there is no seal" in texts(lines.title(shown))[1]
    assert lines.row(shown, 9).text.startswith("9   ")  # numbers of one digit take one column
    told = texts(lines.details(shown, 6))
    assert "as recorded; the rules were not run up to here" in told
    assert not any(text.startswith(("changed", "state", "die")) for text in told)


def test_a_log_that_diverges_says_so(tmp_path: Path) -> None:
    """The verdict is at the top; states are shown up to the divergence."""
    path = tmp_path / "log.jsonl"
    events = [dict(event) for event in timeline.read(COUP).log.events]
    events[6]["returned"] = "~*"
    write(path, events, str(events[-1]["seed"]))
    shown = timeline.read(path)
    assert texts(lines.title(shown))[1].startswith("diverged: ")
    assert any(text.startswith("state") for text in texts(lines.details(shown, 5)))
    assert not any(text.startswith("state") for text in texts(lines.details(shown, 6)))


# --- The keys ------------------------------------------------------------------------------------

Typing = Callable[[Pilot[None], Watch], Awaitable[None]]


def at_work(
    path: Path, typing: Typing, size: tuple[int, int] = (80, 24), at: int | None = None
) -> None:
    """Type on a terminal of this size."""

    async def run() -> None:
        app = Watch(path, at)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await typing(pilot, app)

    asyncio.run(run())


def test_stepping_and_going() -> None:
    """The keys step, go to both ends and to an event; a step too far stays where it is."""

    async def typing(pilot: Pilot[None], app: Watch) -> None:
        seqs = []
        for key in ("j", "right", "down", "k", "left", "end", "j", "home", "k"):
            await pilot.press(key)
            seqs.append(app.seq)
        assert seqs == [1, 2, 3, 2, 1, 20, 20, 0, 0]
        await pilot.press("pagedown", "j", "pagedown", "pageup")
        assert app.seq == 10
        await pilot.press("g", "space", "1", "2", "enter")
        assert app.seq == 12
        await pilot.press("g", "2", "1", "enter")
        assert app.seq == 12
        assert "expected an event from 0 to 20, found '21'" in str(app.status.content)
        for typed in ("9" * 5000, "+7", "\u202e"):  # Python reads no number of 5,000 digits
            await pilot.press("g")
            app.prompt.value = typed
            await pilot.press("enter")
            assert (app.seq, f"found '{printable(typed)[:3]}" in str(app.status.content)) == (
                12,
                True,
            )
        await pilot.press("g", "7", "escape", "j")
        assert app.seq == 13

    at_work(COUP, typing)


def test_the_board_fits_a_terminal_of_another_size() -> None:
    """The board is drawn for a wider terminal, and the cursor is in sight on a lower one."""

    async def typing(pilot: Pilot[None], app: Watch) -> None:
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        board = str(app.screen.query_one("#board", Static).content)
        assert board == "\n".join(texts(lines.board(app.timeline, app.seq, 78)))
        await pilot.resize_terminal(80, 12)
        await pilot.pause()
        top = app.events.scroll_offset.y
        assert 0 < top <= app.cursor < top + app.events.size.height

    at_work(COUP, typing, size=(40, 24), at=3)


def test_faults_one_after_the_other() -> None:
    """`f` goes to the next fault, `F` back; where none is shown beyond, a message says so.

    The details of an event begin at their top; Space and `b` turn their pages.
    """
    faults = lines.faults(timeline.read(FAULTS))
    assert len(faults) > 2

    async def typing(pilot: Pilot[None], app: Watch) -> None:
        for seq in faults:
            await pilot.press("f")
            assert app.seq == seq
        await pilot.press("f")
        assert "no fault after this event" in str(app.status.content)
        await pilot.press("F")
        assert app.seq == faults[-2]
        offsets = []
        for key in ("space", "b", "space", "j"):
            await pilot.press(key)
            offsets.append(app.about.scroll_offset.y)
        page = app.about.size.height - 1
        assert offsets == [page, 0, page, 0]
        await pilot.press("slash", *"acted", "enter", "F")
        assert "no fault before this event" in str(app.status.content)

    at_work(FAULTS, typing)


def test_the_cursor_stays_in_sight() -> None:
    """So do the events before and after it."""

    async def typing(pilot: Pilot[None], app: Watch) -> None:
        last, height = len(app.timeline) - 1, app.events.size.height
        assert 2 < height < last
        for key in (*["j"] * last, *["k"] * last, "end", "home", "pagedown", "pageup"):
            await pilot.press(key)
            top = app.events.scroll_offset.y
            around = (max(0, app.cursor - 1), app.cursor, min(last, app.cursor + 1))
            assert all(top <= index < top + height for index in around)
            row = app.events.render_line(app.cursor - top)
            assert (row.text[0], row.cell_length) == (">", app.events.size.width)

    at_work(COUP, typing)


@pytest.mark.parametrize("rows", [5, 6, 7, 8])
def test_the_cursor_is_in_sight_on_a_low_terminal(rows: int) -> None:
    """A list of one or two rows has the event at the cursor, too."""

    async def typing(pilot: Pilot[None], app: Watch) -> None:
        height = app.events.size.height
        assert 1 <= height <= 3
        for key in ("j", "j", "k", "end", "k", "home", "pagedown", "pageup"):
            await pilot.press(key)
            top = app.events.scroll_offset.y
            assert top <= app.cursor < top + height

    at_work(COUP, typing, (60, rows))


def test_a_filter_leaves_the_events_with_a_text() -> None:
    """`/` keeps the events that hold a text in any case; Escape brings the others back."""

    async def typing(pilot: Pilot[None], app: Watch) -> None:
        await pilot.press("slash", *"COINS_m", "enter")
        shown = [app.timeline[seq].event["type"] for seq in app.seqs]
        assert set(shown) == {"coins_moved"}
        assert f"{len(shown)} with 'COINS_m'" in str(app.status.content)
        await pilot.press("slash")
        app.prompt.value = "\u202enowhere"
        await pilot.press("enter")
        assert r"no event contains '\u202enowhere'" in str(app.status.content)
        assert len(app.seqs) == len(shown)
        await pilot.press("g", "2", "enter")  # which the filter hides
        assert (app.seq, len(app.seqs)) == (2, len(app.timeline))
        await pilot.press("end", "slash", *"coins_m", "enter", "slash", "q", "left", "j")
        assert app.prompt.value == "jq"
        app.action_leave()
        assert app.focused is None  # at once: the next key is none of the field's
        assert (app.cursor, len(app.seqs)) == (len(shown) - 1, len(shown))
        last = app.seq
        await pilot.press("escape")
        assert (app.seq, len(app.seqs)) == (last, len(app.timeline))
        assert "(Esc: all)" not in str(app.status.content)
        await pilot.press("slash", "ctrl+c")
        assert app.interrupted

    at_work(COUP, typing)


def test_the_help_fits_on_a_small_terminal() -> None:
    """All keys and their words are there on 40 columns and 20 lines."""

    async def typing(pilot: Pilot[None], app: Watch) -> None:
        await pilot.press("question_mark")
        keys = app.screen.query_one("#keys")
        assert app.screen.region.contains_region(keys.region)
        assert keys.content_size == (max(map(len, KEYS.splitlines())), len(KEYS.splitlines()))

    at_work(COUP, typing, (40, 20))


def test_the_help_scrolls_on_a_smaller_terminal() -> None:
    """The arrow keys lead to its last line, and Escape back to the events."""

    async def typing(pilot: Pilot[None], app: Watch) -> None:
        await pilot.press("question_mark", *["down"] * len(KEYS.splitlines()))
        last = app.screen.query_one("#keys").content_region.bottom_right_inclusive
        assert app.screen.region.contains_point(last)
        assert app.seq == 0
        await pilot.press("escape")
        assert not app.helping

    at_work(COUP, typing, (40, 12))


@pytest.mark.parametrize("size", [(80, 24), (80, 20), (80, 19), (200, 50), (30, 8)])
def test_what_is_on_the_screen(size: tuple[int, int]) -> None:
    """List, details and status are there on a terminal of any size, and `?` shows the keys."""

    async def typing(pilot: Pilot[None], app: Watch) -> None:
        assert app.events.size.height >= 1
        assert app.about.size.height >= 1
        assert app.query_one("#board").is_on_screen == (size[1] >= TALL)
        assert (app.events.size.width > size[0] // 2) == (size[0] < 120)
        assert str(app.status.content).startswith("event 6 of 20 · 0 faults")
        assert app.events.render_line(6 - app.events.scroll_offset.y).text.startswith("> 6")
        await pilot.press("question_mark")
        assert app.helping
        await pilot.press("j", "q")
        assert (app.helping, app.seq) == (False, 6)

    at_work(COUP, typing, size, at=6)


def test_a_match_that_goes_on_is_read_again(tmp_path: Path) -> None:
    """`r` reads what has been written since, or tells why it cannot."""
    path = tmp_path / "\u202elog.jsonl"
    whole = COUP.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(whole[:7]))

    async def typing(pilot: Pilot[None], app: Watch) -> None:
        path.write_bytes(b"".join(whole))
        await pilot.press("end", "r")
        assert (app.seq, len(app.timeline)) == (6, 21)
        assert "read again: 21 events" in str(app.status.content)
        path.write_bytes(b"garbage")
        await pilot.press("r")
        assert r"\u202elog.jsonl:1: " in str(app.status.content)
        path.unlink()
        await pilot.press("r")
        assert "No such file" in str(app.status.content)
        assert len(app.timeline) == 21

    at_work(path, typing)


def test_a_filter_for_events_that_the_log_no_longer_has(tmp_path: Path) -> None:
    """If no event of a log that is read again has the text of the filter, all are shown."""
    path = tmp_path / "log.jsonl"
    whole = COUP.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(whole))

    async def typing(pilot: Pilot[None], app: Watch) -> None:
        await pilot.press("slash", *"sealed", "enter")
        assert app.seqs == [20]
        path.write_bytes(b"".join(whole[:7]))
        await pilot.press("r")
        assert (app.seqs, app.seq) == (list(range(7)), 6)
        assert "no event contains 'sealed'" in str(app.status.content)

    at_work(path, typing)


def test_there_is_no_such_event() -> None:
    """A place to begin at that the log does not have is refused."""
    with pytest.raises(NoSuchEvent, match="from 0 to 20, found 21"):
        Watch(COUP, 21)


# --- A terminal ----------------------------------------------------------------------------------


def test_without_a_terminal_it_is_refused() -> None:
    """In a pipe, ``koth watch`` is refused, and the message names another command."""
    with pytest.raises(UsageError, match=r"needs a terminal.*koth explain"):
        watch(COUP)


def test_on_a_terminal_without_colours(tmp_path: Path) -> None:
    """With NO_COLOR no colour is sent; nothing of a bot's gets through; `q` ends it well."""
    coins(tmp_path / "log.jsonl", EVIL)
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, pack("HHHH", 24, 80, 0, 0))
    code = "import sys; from koth.cli.watch import watch; from pathlib import Path; "
    ran = subprocess.Popen(
        [sys.executable, "-c", f"{code} watch(Path(sys.argv[1]), 2)", tmp_path / "log.jsonl"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "NO_COLOR": "1"},
        start_new_session=True,
    )
    os.close(theirs)
    sent = b""
    while b"event 2 of" not in sent:
        sent += os.read(ours, 65536)
    os.write(ours, b"q")
    with suppress(OSError):  # a closed terminal raises this error
        while more := os.read(ours, 65536):
            sent += more
    os.close(ours)
    assert ran.wait() == 0
    assert rb"\u001b]0;owned" in sent
    assert b"\x1b]0;owned" not in sent
    assert not re.search(rb"\x1b\[(?:\d+;)*(?:3[0-7]|4[0-7]|[34]8;[0-9;]*)m", sent)
