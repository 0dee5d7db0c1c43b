"""No command writes anything on a terminal that a stranger could have the terminal obey."""

from __future__ import annotations

import io
import json
import os
import pty
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koth.cli import demo, terminal
from koth.cli.commands import COMMANDS
from koth.cli.start import run
from schema import discovery as layout
from tests.factories import Events, loads, sealed, write
from tests.game_factory import install
from tests.koth.commands import started
from tests.referee.bot_factory import FIRST, script
from tests.replay.log_factory import SHORT, hex_seed, illegal_match, short, tournament_folder
from tests.sampling import sampled

OBEYED = "\x9b31m\u202e\u2066\u200b"
"""A colour in one byte, text that runs backwards, and what nobody sees: allowed in a name."""

WRITTEN = f"{OBEYED}\x1b]0;owned\x07\x7f\u2028"
"""Text that a bot may write: it also names the window."""

FORBIDDEN = {*OBEYED.replace("31m", ""), "\x1b]", "\x07", "\x7f", "\u2028"}
EVIL = f"evil{OBEYED}"


class World:
    """A folder full of hostile names, and a terminal."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / EVIL
        self.cup = self.folder / "cup"
        tournament_folder(self.cup)
        for path in layout.logs([self.cup]):
            assert isinstance(path, Path)
            path.write_bytes(hostile(loads(path.read_bytes())))
        self.log = write(self.folder / "log.jsonl", renamed(illegal_match()), hex_seed(SHORT))
        self.log.write_bytes(hostile(loads(self.log.read_bytes())))
        self.other = write(self.folder / "other.jsonl", short(), hex_seed(SHORT))
        evidence = layout.evidence(self.log)
        evidence.parent.mkdir()
        seq = next(n for n, event in enumerate(illegal_match()) if event["type"] == "fault")
        evidence.write_text(f'{{"seq":{seq},"seat":0,"ask":"turn","stderr":"{OBEYED}"}}\n')
        self.seq = str(seq)
        write(self.folder / "bad.jsonl", renamed(short())).write_text(f'{{"{OBEYED}":1}}\n')
        self.bots = [
            str(script(self.folder / "bots", "honest.sh", FIRST + "act")),
            str(script(self.folder / "bots", f"{EVIL}.sh", "printf '\\233\\033]0;owned\\007' >&2")),
        ]

    def new(self, name: str) -> str:
        """A path that is not there yet."""
        return str(self.folder / f"{OBEYED}{name}")


def renamed(events: Events) -> Events:
    """The same with hostile names."""
    for key in ("players", "entrants"):
        for number, player in enumerate(events[0].get(key, ())):
            player["name"] = f"{OBEYED}{number}"
    return events


def hostile(events: Events) -> bytes:
    """A log with hostile names and faults, sealed again."""
    seed = events[-1]["seed"]
    for event in renamed(events):
        if event["type"] == "fault":
            event["appended"] = WRITTEN
    return sealed(events, seed)


TYPED: dict[str, Callable[[World], list[list[str]]]] = {
    "demo": lambda world: [["-o", world.new("demo")]],
    "play": lambda world: [
        ["coup", *world.bots, "-o", world.new("p.jsonl")],
        ["coup", *world.bots, "-o", world.new("p.jsonl")],
        ["coup", "examples/taxman", world.new("no.py"), "-o", world.new("q.jsonl")],
    ],
    "tournament": lambda world: [
        ["coup", *world.bots, "-o", world.new("cup"), "--set", "rounds=1"],
        ["coup", *world.bots, "-o", world.new("none"), "--set", f"{WRITTEN}=1"],
    ],
    "contest": lambda world: [
        ["new", world.new("weeks"), "coup"],
        ["new", world.new("weeks"), "coup", "--name", WRITTEN],
        ["enter", world.new("weeks"), *world.bots],
        ["enter", world.new("weeks"), world.bots[0], "--as", WRITTEN],
        ["withdraw", world.new("weeks"), WRITTEN],
        ["run", world.new("weeks"), "--beacon", WRITTEN],
        ["standings", world.new("none")],
        ["close", world.new("none")],
    ],
    "try": lambda world: [
        ["coup", world.bots[1], "--against", world.bots[0], "-o", world.new("try"), "--games", "2"],
        ["coup", world.new("no.py"), "--against", world.new("none"), "-o", world.new("try")],
    ],
    "resume": lambda world: [[str(world.cup)], [world.new("none")]],
    "verify": lambda world: [[str(world.cup), str(world.log)]],
    "replay": lambda world: [
        [str(world.log), "--at", world.seq],
        [str(world.log), "--at", world.seq, "--format", "json"],
        [str(world.log), "--at", world.seq, "--answer", WRITTEN],
    ],
    "explain": lambda world: [
        [str(world.log)],
        [str(world.log), world.seq],
        [str(world.log), world.seq, "--format", "json"],
        [str(world.cup), WRITTEN],
    ],
    "faults": lambda world: [
        [str(world.cup), str(world.log)],
        [str(world.log), "--format", "json"],
        [str(world.log), WRITTEN],
    ],
    "watch": lambda world: [[world.new("none")]],
    "report": lambda world: [[str(world.log), "-o", world.new("page.html")]],
    "reask": lambda world: [[str(world.log), *world.bots, "--any-files"]],
    "again": lambda world: [
        [str(world.log), world.bots[0], "--seat", "0"],
        [str(world.log), world.bots[0], "--seat", "0", "--format", "json"],
        [str(world.log), "examples/taxman", "--bots", *world.bots],
    ],
    "debug": lambda world: [
        [str(world.log), world.seq, world.bots[0]],
        [str(world.log), world.seq, WRITTEN],
    ],
    "blame": lambda world: [
        [str(world.log), "--seat", "0", "--bots", *world.bots, "--any-files"],
        [str(world.log), "--seat", "0", "--at", WRITTEN],
    ],
    "diff": lambda world: [
        [str(world.log), str(world.other)],
        [str(world.log), str(world.other), "--format", "json"],
    ],
    "audit": lambda world: [
        [str(world.cup), str(world.folder / "bad.jsonl"), "--format", form]
        for form in ("text", "json", "junit")
    ],
    "sql": lambda world: [
        [str(world.log), "FROM faults", "--format", form]
        for form in ("table", "csv", "json", "markdown")
    ],
    "leaderboard": lambda world: [[str(world.cup)], [str(world.cup), "--compare", EVIL, "x"]],
    "export": lambda world: [
        ["transcript", str(world.cup / layout.TOURNAMENT)],
        [WRITTEN, str(world.log)],
    ],
    "pack": lambda world: [[str(world.cup), "-o", world.new("cup")]],
    "unpack": lambda world: [[world.new("none"), "-o", world.new("out")]],
    "site": lambda world: [
        [str(world.cup), "-o", world.new("site"), "--no-browser-tools"],
        [str(world.cup), "-o", world.new("site"), "--offline-tools", world.new("none")],
        [world.new("none"), "-o", world.new("none")],
    ],
    "keygen": lambda world: [["-o", str(world.log)]],
    "sign": lambda world: [[str(world.cup), "--key", world.new("none")]],
    "prove": lambda world: [[str(world.cup), WRITTEN, "-o", world.new("proof")]],
    "games": lambda world: [[], ["coup"], [WRITTEN]],
    "new-game": lambda world: [[WRITTEN]],
    "import": lambda world: [["results", world.new("none"), "-o", world.new("results")]],
    "bots": lambda world: [["coup"], [WRITTEN]],
    "rules": lambda world: [["coup"], ["coup", WRITTEN]],
    "schema": lambda world: [["coup"], [WRITTEN]],
}
"""Every command, in such a way that it would print what is hostile."""


@contextmanager
def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """Direct the output of the block to a terminal, and yield the list of the pieces written."""
    ours, theirs = pty.openpty()
    pieces: list[bytes] = []

    def read() -> None:
        try:
            while piece := os.read(ours, 65536):
                pieces.append(piece)
        except OSError:
            pass  # nobody writes to it any more

    reader = threading.Thread(target=read)
    reader.start()
    try:
        with monkeypatch.context() as patch:
            for name in ("stdout", "stderr"):
                stream = io.TextIOWrapper(os.fdopen(os.dup(theirs), "wb"), "utf-8", "strict")
                patch.setattr(sys, name, stream)
            yield pieces
            sys.stdout.close()
            sys.stderr.close()
    finally:
        os.close(theirs)
        reader.join()
        os.close(ours)


def test_every_command_is_tried() -> None:
    """A new command has a line here, too."""
    assert set(TYPED) == set(COMMANDS)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """One for all commands."""
    return World(tmp_path_factory.mktemp("world"))


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_hostile_reaches_a_terminal(
    command: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names, answers, evidence and paths come out escaped, on both streams."""
    monkeypatch.setattr(demo, "_show_coup", print)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    for words in TYPED[command](world):
        with on_a_terminal(monkeypatch) as pieces, pytest.raises(SystemExit):
            run([command, *words])
        printed = b"".join(pieces).decode()
        assert "Traceback" not in printed
        assert "bug in koth" not in printed
        assert not [mark for mark in FORBIDDEN if mark in printed], printed
        shown = "9b" in printed
        assert shown or not any(mark in word for mark in FORBIDDEN for word in words), printed


def test_what_a_package_prints_beside_a_bar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is escaped, although the library of the bar has put its own streams before ours."""
    edits = {
        "rules.py": ("    state.round = number", f"    print({OBEYED!r})\n    state.round = number")
    }
    game = install(tmp_path / "site", monkeypatch, edits)
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    monkeypatch.setenv("TERM", "xterm")
    words = ["tournament", game, "examples", "-o", str(tmp_path / "cup"), "--set", "games=1"]
    with on_a_terminal(monkeypatch) as pieces, pytest.raises(SystemExit):
        run(words)
    printed = b"".join(pieces).decode()
    assert json.dumps(OBEYED)[1:-1] in printed
    assert not [mark for mark in FORBIDDEN if mark in printed], printed


def test_a_file_gets_the_text_as_it_is(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """Output to a file keeps every character."""
    with pytest.raises(SystemExit):
        run(["sql", str(world.log), "SELECT appended FROM faults", "--format", "csv"])
    assert WRITTEN in capsys.readouterr().out


@pytest.mark.parametrize(
    "encoding", sampled({e: e for e in ("ascii", "latin-1", "utf-8")}, ["ascii", "utf-8"])
)
def test_a_character_that_the_encoding_lacks(
    encoding: str, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It becomes a JSON escape, in the name of a file too, and JSON stays JSON."""
    monkeypatch.setenv("PYTHONIOENCODING", f"{encoding}:strict")
    tournament_folder(tmp_path / "cup")
    text = "\u201c\U0001f600"
    process = started("sql", log, f"SELECT '{text}' AS text", "--format", "json")
    assert json.loads(process.communicate()[0])["rows"] == [{"text": text}]
    archive, unpacked = tmp_path / "archive", tmp_path / os.fsdecode(b"caf\xe9")
    started("pack", tmp_path / "cup", "-o", archive).communicate()
    out, err = started("unpack", archive, "-o", unpacked).communicate()
    assert (out.endswith("/caf\\udce9/cup\n"), err) == (True, "")


class Terminal(io.StringIO):
    """Says that it is a terminal."""

    def isatty(self) -> bool:
        """It is."""
        return True


@given(st.text(st.characters(codec=None)))
def test_what_is_escaped_can_be_printed(text: str) -> None:
    """Ends of lines and tabs pass, and so does what is printable; nothing else does."""
    shown = terminal.escaped(text)
    assert shown.replace("\n", "").replace("\t", "").isprintable()
    if text.replace("\n", "").replace("\t", "").isprintable():
        assert shown == text


def test_colours_of_koth_pass() -> None:
    """Text that koth writes to the underlying stream reaches the terminal unchanged."""
    stream = Terminal()
    safe = terminal.escaping(stream)
    print("\x1b[2J", "\x9b", file=safe, end="")
    safe.writelines(["\u202e", "a\n\tb"])
    print("\x1b[1m", end="", file=terminal.raw(safe))
    assert stream.getvalue() == "\\u001b[2J \\u009b\\u202ea\n\tb\x1b[1m"
