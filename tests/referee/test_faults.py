"""Every failure of a bot in the *file* protocol is a fault (CP-17), and only that."""

from __future__ import annotations

import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from referee.bot import Bot
from referee.errors import RefereeError
from referee.processes import fork_client
from referee.protocols.file import HISTORY, examine
from referee.roster.resolve import resolve
from replay.verify import verify_all
from schema import discovery as layout
from schema.bot_output import CAP
from tests.factories import loads
from tests.referee.bot_factory import (
    CARD,
    FIRST,
    LATER,
    PATIENCE,
    Played,
    bot,
    hold,
    honest,
    play,
    script,
    short_decisions,
)
from tests.sampling import one_in

NUL = "\0"
MUCH = f"head -c {CAP + 1} /dev/zero"
"""Shell code that prints one byte more than the referee keeps."""

RAW = ("output", "output_base64", "appended", "appended_base64", "file", "file_base64", "cut")
TOLD = ("kind", "found", *RAW)
"""Fields of a fault that describe the bot, not the question."""

WRONG_ANSWERS: dict[str, tuple[str, dict[str, Any]]] = {
    "nothing": (":", {"output": "", "appended": ""}),
    "nothing but talk": ("echo I", {"output": "I\n", "appended": ""}),
    "garbage": ('printf xyz >>"$f"', {"output": "", "appended": "xyz"}),
    "two actions": ("act; act", {"output": "", "appended": "I\nI\n"}),
    "the wrong case": ('printf f >>"$f"', {"output": "", "appended": "f"}),
    "no newline": ('printf I >>"$f"', {"output": "", "appended": "I"}),
    "a Windows newline": (r"""printf 'I\r\n' >>"$f" """, {"output": "", "appended": "I\r\n"}),
    "no UTF-8": (r"""printf '\377\376' >>"$f" """, {"output": "", "appended_base64": "//4="}),
    "an output that is no UTF-8": (r"printf '\377'", {"output_base64": "/w==", "appended": ""}),
    "as much as the cap": (
        f'head -c {CAP} /dev/zero >>"$f"',
        {"output": "", "appended": NUL * CAP},
    ),
    "an action of another moment": ('printf C >>"$f"', {"output": "", "appended": "C"}),
}

CRASHES: dict[str, tuple[str, dict[str, Any]]] = {
    "exit 3": ("act; exit 3", {"output": "", "appended": "I\n"}),
    "killed": ("act; kill -KILL $$", {"output": "", "appended": "I\n"}),
    "terminated": ("act; echo bye; kill -TERM $$", {"output": "bye\n", "appended": "I\n"}),
    "its whole group killed": ("act; kill -KILL 0", {"output": "", "appended": "I\n"}),
    "a program that is not there": ("exec ./gone", {"output": "", "appended": ""}),
}

TAMPERINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "truncated": (': >"$f"', {"output": "", "file": ""}),
    "shortened": ('printf I >"$f"', {"output": "", "file": "I"}),
    "rewritten": ('printf "F\\nI\\nI\\n" >"$f"', {"output": "", "file": "F\nI\nI\n"}),
    "rewritten in other bytes": (
        r"""printf '\377' >"$f" """,
        {"output": "", "file_base64": "/w=="},
    ),
    "deleted": ('rm "$f"', {"found": "nothing", "output": ""}),
    "a link to a copy": (
        'act; mv "$f" copy; ln -s "$PWD/copy" "$f"',
        {"found": "a symbolic link", "output": ""},
    ),
    "a link to nowhere": (
        'rm "$f"; ln -s /dev/null "$f"',
        {"found": "a symbolic link", "output": ""},
    ),
    "a link to what never ends": (
        'rm "$f"; ln -s /dev/zero "$f"',
        {"found": "a symbolic link", "output": ""},
    ),
    "a second name": (
        'act; ln "$f" mine',
        {"found": "a file with other names (hard links)", "output": ""},
    ),
    "a pipe": ('rm "$f"; mkfifo "$f"', {"found": "a pipe", "output": ""}),
    "a folder": ('rm "$f"; mkdir "$f"; touch "$f/x"', {"found": "a folder", "output": ""}),
    "unreadable": (
        'act; chmod 000 "$f"',
        {"found": "a file that cannot be read", "output": ""},
    ),
    "its folder deleted": ('rm -r "$(dirname "$f")"', {"found": "nothing", "output": ""}),
    "its folder a file": (
        'rm -r "$(dirname "$f")"; touch "$(dirname "$f")"',
        {"found": "nothing", "output": ""},
    ),
    "every folder around it deleted": (
        'rm -r "$(dirname "$(dirname "$f")")"',
        {"found": "nothing", "output": ""},
    ),
}

EXCESSES: dict[str, tuple[str, dict[str, Any]]] = {
    "much output": (
        f"act; {MUCH}",
        {"output": NUL * CAP, "appended": "I\n", "cut": ["output"]},
    ),
    "output without end": (
        "act; yes",
        {"output": "y\n" * (CAP // 2), "cut": ["output"]},
    ),
    "much appended": (
        f'{MUCH} >>"$f"',
        {"output": "", "appended": NUL * CAP, "cut": ["appended"]},
    ),
    "a file as large as may be": (
        'head -c 70000000 /dev/zero >>"$f"; exit 0',
        {"output": "", "appended": NUL * CAP, "cut": ["appended"]},
    ),
    "a large file without a byte in it": (
        'truncate -s 60000000 "$f"; exit 0',
        {"output": "", "appended": NUL * CAP, "cut": ["appended"]},
    ),
}

CASES = [
    pytest.param(kind, body, told, id=f"{kind}: {name}")
    for kind, cases in (
        ("illegal", WRONG_ANSWERS),
        ("crash", CRASHES),
        ("tampered", TAMPERINGS),
        ("oversize", EXCESSES),
    )
    for name, (body, told) in cases.items()
]


def faults(folder: Path) -> list[dict[str, Any]]:
    """Play a tournament and return the one fault of each match."""
    found = []
    for path in sorted((folder / layout.MATCHES).iterdir()):
        [fault] = [event for event in loads(path.read_bytes()) if event["type"] == "fault"]
        found.append(fault)
    return found


def told_of(fault: dict[str, Any]) -> dict[str, Any]:
    """Return a fault without the fields of its question."""
    return {key: value for key, value in fault.items() if key in TOLD}


@pytest.mark.parametrize(("kind", "body", "told"), CASES)
def test_a_bot_that_fails_forfeits(
    kind: str, body: str, told: dict[str, Any], tmp_path: Path
) -> None:
    """A fault has its kind and the raw bytes; the other bot wins, and the next match is played.

    The bot behaves in its first call of the first match, when the history is still empty.
    """
    bots = [bot(tmp_path, "villain.sh", LATER + body), honest(tmp_path)]
    standings = hold(tmp_path / "cup", bots)
    for seat, fault in enumerate(faults(tmp_path / "cup")):
        assert told_of(fault) == {"kind": kind} | told
        assert (fault["seat"], fault["ask"]) == (seat, "turn")
        assert (fault["clause"], fault["penalty"]) == ("CP-17", "forfeit")
    assert [(one["entrant"], one["score"]) for one in standings] == [(1, 2), (0, 0)]
    verdicts = list(verify_all(layout.logs([tmp_path / "cup"])))
    assert [one.verdict for one in verdicts] == ["verified"] * 3


@pytest.mark.parametrize(
    "body", ["act; sleep 60", f"act; {MUCH}; kill -STOP $$", "sleep 60 & wait"]
)
@short_decisions(0.2)
def test_a_bot_that_is_too_slow_forfeits(body: str, tmp_path: Path) -> None:
    """The log keeps no output of a bot that was stopped, because it depends on timing."""
    played = play(
        tmp_path, bot(tmp_path, "slow.sh", LATER + body), honest(tmp_path), time_limit_s=1
    )
    assert told_of(played.fault) == {"kind": "timeout"}
    assert (played.result.reason, played.result.winners) == ("forfeit", (1,))
    assert played.evidence[-1]["ms"] >= 200
    assert "partial" in played.evidence[-1]


def test_a_bot_that_cannot_be_started_forfeits(tmp_path: Path) -> None:
    """A command that is not a program is a crash, and the evidence gives the reason."""
    toml = '[[bots]]\nname = "ghost"\ncommand = "no-such-program"'
    [ghost] = resolve([str(script(tmp_path, "bots.toml", toml))], CARD)
    played = play(tmp_path, ghost, honest(tmp_path))
    assert told_of(played.fault) == {"kind": "crash", "output": "", "appended": ""}
    assert "no-such-program" in played.evidence[-1]["error"]


PRECEDENCE = [
    ("crash", f"{MUCH}; exit 1"),
    ("crash", f'{MUCH} >>"$f"; exit 1'),
    ("crash", ': >"$f"; exit 1'),
    ("crash", 'rm "$f"; mkfifo "$f"; exit 1'),
    ("crash", 'printf xyz >>"$f"; kill -9 $$'),
    ("timeout", f"{MUCH}; sleep 60"),
    ("timeout", ': >"$f"; sleep 60'),
    ("timeout", 'printf xyz >>"$f"; sleep 60'),
    ("oversize", f'{MUCH}; : >"$f"'),
    ("oversize", f'{MUCH} >"$f"; {MUCH} >>"$f"'),
    ("oversize", f'{MUCH}; rm "$f"'),
    ("oversize", f'{MUCH}; printf xyz >>"$f"'),
    ("oversize", 'rm "$f"; yes'),
    ("tampered", 'printf xyz >"$f"'),
    ("tampered", 'rm "$f"; echo I'),
]


@pytest.mark.parametrize(("kind", "body"), PRECEDENCE)
@short_decisions(0.2)
def test_the_first_fault_that_applies_is_recorded(kind: str, body: str, tmp_path: Path) -> None:
    """Of several faults the first of crash, timeout, oversize, tampered, illegal counts."""
    villain = bot(tmp_path, "villain.sh", LATER + body)
    played = play(tmp_path, villain, honest(tmp_path), time_limit_s=1)
    assert played.fault["kind"] == kind
    assert played.result.faults == ((0, kind),)


def test_a_crash_keeps_all_that_was_written(tmp_path: Path) -> None:
    """After a crash the log keeps the bot's output, and its file if that was tampered with."""
    body = 'echo bye; printf xyz >"$f"; exit 1'
    played = play(tmp_path, bot(tmp_path, "villain.sh", LATER + body), honest(tmp_path))
    assert told_of(played.fault) == {"kind": "crash", "output": "bye\n", "file": "xyz"}


# --- behaviour that is no fault ------------------------------------------------------------------


@pytest.fixture(scope="module")
def honest_match(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Return a match between two bots that always take the first legal action."""
    folder = tmp_path_factory.mktemp("honest")
    return play(folder, honest(folder, "villain.sh"), honest(folder))


HARMLESS = {
    "replaced by a copy": 'cp "$f" copy; mv copy "$f"; act',
    "written anew": 'x=$(cat "$f"; printf .); printf %s "${x%.}$legal" >"$f"',
    "made unwritable afterwards": 'act; chmod 444 "$f"',
    "made executable": 'act; chmod 777 "$f"',
    "another file beside it": 'act; touch "$(dirname "$f")/other"',
    "its folder reached through a link": (
        'd=$(dirname "$f"); mv "$d" "$d.moved"; ln -s "$d.moved" "$d"; act'
    ),
    "a process left behind": "act; sleep 60 &",
    "a process left behind that would write": 'act; { sleep 0.3; printf xyz >>"$f"; } &',
    "a process left behind in another session": (
        """act; setsid sh -c 'sleep 0.3; printf xyz >>"$1"' sh "$f" &"""
    ),
    "a process left behind that holds the file open": (
        """act; setsid sh -c 'exec >>"$1"; sleep 0.3; printf xyz' sh "$f" &"""
    ),
    "much said on standard error": "act; yes | head -c 1000000 >&2",
    "output that nobody reads": "act",
}


@pytest.mark.parametrize("body", one_in(2, HARMLESS))
def test_what_harms_nobody_is_no_fault(body: str, honest_match: Played, tmp_path: Path) -> None:
    """A file that holds its history and one legal action is valid, however it was written.

    A process that was left behind cannot write to the next history, because each call has a new
    file.
    """
    played = play(tmp_path / "one", bot(tmp_path, "villain.sh", FIRST + body), honest(tmp_path))
    assert played.result.reason == "eliminated"
    assert played.events[1:-1] == honest_match.events[1:-1]


DEEP = """
import os, sys
from tests.sampling import one_in
with open(sys.argv[1], "a", newline="") as history:
    history.write(sys.argv[5])
os.chdir({folder})
for _ in range(3000):
    os.mkdir("d")
    os.chdir("d")
"""


@pytest.mark.parametrize(
    "where", ["'.'", "os.path.dirname(sys.argv[1])"], ids=["its own folder", "that of the history"]
)
def test_folders_within_folders_stop_nobody(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders that are too deep to walk are removed, and the match continues."""
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    mole = bot(tmp_path, "mole.py", DEEP.format(folder=where))
    try:
        played = play(tmp_path, mole, honest(tmp_path), max_calls=1)
        assert played.events[-1]["type"] == "match_sealed"
        assert list(scratch.iterdir()) == []
    finally:
        subprocess.run(["rm", "-rf", str(scratch)], check=True)


NOBODY = 65534


def play_as_anybody(folder: Path, *bots: Bot) -> None:
    """Play a match in a process without privileges, also if root runs the tests."""
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
        sys.executable = python_for_anybody()
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    play(folder, *bots, max_calls=3)


def python_for_anybody() -> str:
    """Return an interpreter that any user can run, and that can read the referee's programs."""
    for python in (sys.executable, "/usr/bin/python3"):
        words = [python, "-c", f"open({str(fork_client.RUNNER)!r})"]
        with suppress(OSError):
            if subprocess.run(words, user=NOBODY, stderr=subprocess.DEVNULL).returncode == 0:
                return python
    return ""


@pytest.mark.parametrize("levels", [1, 2], ids=["that of the history", "that of the match"])
def test_folders_that_are_read_only_stop_nobody(
    levels: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that removes the write permission of the folders around it stops nothing."""
    if os.geteuid() == 0 and not python_for_anybody():
        pytest.skip("nobody but root can run Python here")
    folder = '"$f"'
    for _ in range(levels):
        folder = f'"$(dirname {folder})"'
    bots = [bot(tmp_path, "miser.sh", f"{FIRST}act; chmod 555 {folder}"), honest(tmp_path)]
    scratch = Path(tempfile.mkdtemp(dir="/tmp"))
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    try:
        process = multiprocessing.get_context("fork").Process(
            target=play_as_anybody, args=(scratch, *bots)
        )
        process.start()
        process.join(PATIENCE)
        assert process.exitcode == 0
        assert loads((scratch / "log.jsonl").read_bytes())[-1]["type"] == "match_sealed"
    finally:
        subprocess.run(["rm", "-rf", str(scratch)], check=True)


def test_no_bot_is_blamed_for_a_lack_of_descriptors(tmp_path: Path) -> None:
    """A history file that the referee has no descriptor for is not tampered with."""
    path, limits = tmp_path / HISTORY, resource.getrlimit(resource.RLIMIT_NOFILE)
    path.write_bytes(b"T")
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, limits[1]))
    try:
        with pytest.raises(RefereeError, match=r"Too many open files.*ulimit -n"):
            examine(str(path), None, b"")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert examine(str(path), None, b"").raw == {"appended": b"T"}
