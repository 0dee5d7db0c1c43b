"""Play the misbehaving bots of ``bots/``, and check the results.

Each game is a small tournament of one of them and a witness. The witness is an honest bot that
reports the files, variables and processes that it finds. A class bot also plays against its double
and a second witness. A separate process plays the tournaments. It knows a secret, and adopts all
processes that the bots leave behind.

In the suite each bot plays one game in a sandbox, and some bots also play in plain processes. One
process plays the tournaments of a party of bots, one after the other, so that the next bot and the
same witness meet everything that was left. In the long run (`make fuzz`) each bot has a process for
itself, all bots play at both levels, and scripts play every game for scripts.

Bots of the *stream* protocol play the game that ``koth new-game`` writes, installed as
``abused_stream``.

In Coins and Bank Heist a bot misbehaves in the first turn of a game or match, and behaves in the
next. In Coup it misbehaves in the first call of a match that it begins. In Smallest Unique Number
it misbehaves in every game.
"""

from __future__ import annotations

import ctypes
import json
import multiprocessing
import os
import re
import resource
import secrets
import signal
import socket
import tempfile
import time
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
import pytest

from referee import tournament
from referee.batch import scheduler
from referee.bot import Bot, BotFile
from referee.pools import pool
from referee.processes import scratch_dir
from referee.roster.resolve import resolve
from referee.sandbox import sandbox
from replay.verify import verify_all
from schema import discovery as layout
from schema import registry
from schema.executor import serial
from schema.seal import match_seed
from tests.factories import loads
from tests.referee.bot_factory import short_decisions
from tests.sampling import LONG_RUN, left_to_the_long_run

HERE = Path(__file__).parent
BOTS = HERE / "bots"
TABLE = HERE.parent.parent / "docs" / "isolation.md"

SCRIPTS = ("bank_heist", "coins", "coup")
SETTINGS: dict[str, dict[str, int]] = {
    "bank_heist": {"games_min": 2, "games_max": 2, "rabble": 0},
    "coins": {"games": 2, "rounds": 2},
    "coup": {"rounds": 1, "max_calls": 2},
    "smallest_unique": {"seats": 2, "rounds": 3, "games_per_entrant": 1},
    "abused_stream": {"games": 2, "rounds": 3},
}
ABUSED = {"bank_heist": 1, "coins": 2, "coup": 1}
"""The number of times that a script misbehaves in such a tournament."""

PROCESSES = (
    *("resources/big_file", "resources/children_that_compute", "resources/memory_bomb"),
    *("time/a_child_that_holds_the_pipe", "time/stop_its_group"),
    *("output/flood_both", "output/terminal_escapes"),
    *("secrets/inherited_descriptors", "escapes/link_its_folder_elsewhere"),
    *("collusion/its_own_code", "coup_file/fifo", "coup_file/hard_link", "coup_file/sparse"),
    *("stream/answer_late_from_a_child", "stream/go_on_after_the_end"),
    *("class_bots/flood_its_pipes", "class_bots/sleep", "class_bots/patch_builtins"),
)
"""Bots that also play in plain processes in the suite: some of each group."""

SEED = "5eed" * 16
PATIENCE = 60.0
"""Seconds that a tournament may take; a longer one hangs."""

SLOW, SLOW_CLASS = 0.3, 0.1
"""Share of the time limit that a decision may take if the bot is meant to be too slow."""

MEMORY = 256 << 20
"""Bytes by which the referee's memory may grow."""

FEW = 3
"""Processes in a sandbox: the first, the bot, and one that waits for the next decision."""

SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of ``prctl``."""

PARTY = 8
"""Maximum number of bots that share a referee in the suite."""

TOGETHER = 4
"""Processes of class bots at a time, so that later matches reuse the sandboxes of earlier ones."""

NO_FAULT, NOT_CONTAINED = "no fault", "not contained"
ROW = re.compile(r"^\| `(\w+/\w+)` \| (.*) \| (.*) \| (.*) \|$", re.M)


@dataclass(frozen=True)
class Row:
    """A row of the table in docs/isolation.md: a bot, its attempt, and the result by level."""

    name: str
    tries: str
    sandbox: str
    process: str

    def verdict(self, level: str) -> str:
        """Return the result that a tournament at this level must have."""
        verdict = self.sandbox if level == "sandbox" else self.process
        if not verdict.startswith(NOT_CONTAINED):
            return verdict
        return NO_FAULT if self.sandbox.startswith(NOT_CONTAINED) else self.sandbox


@cache
def table() -> dict[str, Row]:
    """Return the table by bot."""
    rows = (Row(*found) for found in ROW.findall(TABLE.read_text()))
    return {row.name: row for row in rows}


@dataclass(frozen=True)
class Bait:
    """Secrets, servers and files that the bots try to reach or to change; they get the paths."""

    folder: Path
    """The referee's folder, which holds a secret and the tournaments."""
    outside: Path
    """Another folder, with one file in it."""
    secret: str
    port: int
    abstract: str
    listening: Sequence[socket.socket]

    @property
    def targets(self) -> BotFile:
        """Return the file that gives the bots the paths and the port."""
        told = {"folder": str(self.folder), "outside": str(self.outside)}
        text = json.dumps(told | {"port": self.port, "abstract": self.abstract})
        return BotFile(text.encode(), False)

    def check(self) -> None:
        """Check that no file has changed, and that no connection to the servers was made."""
        [left] = self.outside.iterdir()
        assert left.read_text() == f"{self.secret}\n"
        assert left.stat().st_mode & 0o777 == 0o600
        assert (self.folder / "secret").read_text() == self.secret
        for server in self.listening:
            try:
                server.accept()
            except BlockingIOError:
                continue
            raise AssertionError(f"somebody came to {server.getsockname()!r}")


@contextmanager
def laid_out(place: Path) -> Iterator[Bait]:
    """Yield a bait in ``place``."""
    secret = f"koth-canary-{secrets.token_hex(8)}"
    folder, outside = place / "referee", place / "outside"
    for one in (folder, outside):
        one.mkdir()
    for path, text in ((folder / "secret", secret), (outside / "history.txt", f"{secret}\n")):
        path.write_text(text)
        path.chmod(0o600)
    abstract = f"koth-abuse-{secrets.token_hex(8)}"
    with socket.socket() as tcp, socket.socket(socket.AF_UNIX) as unix:
        for server, address in ((tcp, ("127.0.0.1", 0)), (unix, "\0" + abstract)):
            server.bind(address)
            server.listen()
            server.setblocking(False)
        yield Bait(folder, outside, secret, tcp.getsockname()[1], abstract, (tcp, unix))


@dataclass
class Report:
    """The report of the process that played a tournament."""

    grown: int = 0
    """Bytes by which its memory grew."""
    left: list[str] = field(default_factory=list)
    """Processes and files that were left at the end."""


def receive(reports: Connection, process: multiprocessing.process.BaseProcess) -> Report:
    """Return a process's report; raise AssertionError if it hangs or fails."""
    assert reports.poll(PATIENCE), f"still not done after {PATIENCE} seconds"
    try:
        report: Report = reports.recv()
    except EOFError:
        process.join()
        raise AssertionError(f"the referee ended: {process.exitcode}") from None
    return report


@dataclass(frozen=True)
class Played:
    """A tournament in its folder."""

    game: str
    folder: Path

    def logs(self) -> Iterator[tuple[Path, list[dict[str, Any]]]]:
        """Yield the path and the events of each match's log."""
        for path in sorted((self.folder / layout.MATCHES).iterdir()):
            yield path, loads(path.read_bytes())

    def notes(self) -> Iterator[dict[str, Any]]:
        """Yield the evidence of all matches."""
        for path, _ in self.logs():
            yield from map(orjson.loads, layout.evidence(path).read_bytes().splitlines()[1:])

    def said(self, *seats_of: str) -> list[str]:
        """Return the standard error of the bots of these names, one text per decision."""
        said = []
        for path, events in self.logs():
            seats = {one["seat"] for one in events[0]["players"] if one["name"] in seats_of}
            for line in layout.evidence(path).read_bytes().splitlines()[1:]:
                note = orjson.loads(line)
                if note["seat"] in seats and "stderr" in note:
                    said.append(note["stderr"])
        return said


@dataclass(frozen=True)
class Entry:
    """A tournament to play: its game, its bots, and its folder."""

    game: str
    bots: Sequence[Bot]
    folder: Path


def entry(name: str, game: str, bait: Bait) -> Entry:
    """Return the tournament of the bot of this name in ``game``."""
    villain = found(BOTS / f"{name}.py", game, bait)
    witness = found(BOTS / "witness.py", game)
    bots = [villain, witness]
    if game == "smallest_unique":
        bots = [villain, replace(villain, name="double"), witness, replace(witness, name="second")]
    return Entry(game, bots, bait.folder / villain.name / game)


def play(entries: Sequence[Entry], level: str, slow: bool, bait: Bait) -> Report:
    """Play tournaments in a process of their own, and return its report."""
    reports, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(
        target=playing, args=(entries, level, slow, bait, theirs)
    )
    process.start()
    theirs.close()
    try:
        return receive(reports, process)
    finally:
        process.kill()
        process.join()


def found(path: Path, game: str, bait: Bait | None = None) -> Bot:
    """Return the bot in a file, with the paths of the bait if there is one."""
    [bot] = resolve([str(path)], registry.card(game))
    if bait is None:
        return bot
    return replace(bot, files=(*bot.files, ("targets.json", bait.targets)))


def playing(
    entries: Sequence[Entry], level: str, slow: bool, bait: Bait, reports: Connection
) -> None:
    """Play the tournaments in this process, and report its memory and everything left."""
    become_subreaper()
    take_a_terminal()
    os.environ["KOTH_ABUSE_SECRET"] = bait.secret
    tempfile.tempdir = temporary = tempfile.mkdtemp(dir=scratch_dir.parent())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for one in entries:
        card = registry.card(one.game)
        scripts = one.game in SCRIPTS
        limit = 1 if slow else 10 if scripts else 3
        settings = card.settings(SETTINGS[one.game] | {"time_limit_s": limit})
        planned = tournament.plan(card, one.bots, settings, SEED, None, one.folder, level)
        share = (SLOW if scripts else SLOW_CLASS) if slow else 1
        with short_decisions(share), patch.object(scheduler, "PROCESSES", TOGETHER):
            tournament.play(planned, serial, lambda done, total: None)
    pool.close()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    left = [*left_running(), *os.listdir(temporary)]  # noqa: PTH208
    scratch_dir.remove(Path(temporary))
    reports.send(Report(grown, left))


def become_subreaper() -> None:
    """Make this process the parent of all descendants that lose their parent."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1)


def take_a_terminal() -> None:
    """Start a session with its own terminal, which bots might try to use."""
    os.setsid()
    _, terminal = os.openpty()
    os.close(os.open(os.ttyname(terminal), os.O_RDWR))


def left_running() -> list[str]:
    """Kill the descendants of this process that do not end soon; return their commands."""
    end = time.monotonic() + 5
    while (found := descendants(os.getpid())) and time.monotonic() < end:
        time.sleep(0.01)
    for process in found:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    return list(found.values())


def descendants(process: int) -> dict[int, str]:
    """Return the descendants of a process, by number, with their command lines."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    above: dict[int, int] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208
        with suppress(OSError):
            status = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
            above[int(name)] = int(status[1])
    found: dict[int, str] = {}
    for one in above:
        up = one
        while (up := above.get(up, 0)) and up != process:
            pass
        if up:
            with suppress(OSError):
                line = Path(f"/proc/{one}/cmdline").read_bytes().replace(b"\0", b" ")
                found[one] = line.decode(errors="replace")
    return found


# --- checks --------------------------------------------------------------------------------------


def check(played: Played, villains: Sequence[str], level: str, verdict: str, bait: Bait) -> None:
    """Check everything that must hold after a tournament with a bot that misbehaves."""
    check_logs(played)
    check_verdict(played, villains, verdict)
    check_secrets(played, villains, bait)
    check_witnesses(played, villains, level)


def check_referee(report: Report) -> None:
    """The referee's memory is bounded, and no process and no file is left."""
    assert report.grown < MEMORY
    assert report.left == []


def check_logs(played: Played) -> None:
    """All logs verify, and the files hold no control bytes but line ends."""
    verdicts = [one.verdict for one in verify_all(layout.logs([played.folder]))]
    assert set(verdicts) == {"verified"}
    assert len(verdicts) > 1
    for path in played.folder.rglob("*.jsonl"):
        data = path.read_bytes()
        assert all(byte >= 0x20 or byte == 0x0A for byte in data)
        assert all(orjson.loads(line) for line in data.splitlines())


def check_verdict(played: Played, villains: Sequence[str], verdict: str) -> None:
    """The fault is recorded as often as it happened, and no other bot has a fault."""
    faults = [
        (events[0]["players"][event["seat"]]["name"], event["kind"])
        for _, events in played.logs()
        for event in events
        if event["type"] == "fault"
    ]
    kinds = {kind for name, kind in faults if name in villains}
    assert faults == [one for one in faults if one[0] in villains]
    assert len(kinds) < 2
    assert (kinds.pop() if faults else NO_FAULT) in verdict.split(" or ")
    if faults and played.game in ABUSED:
        assert len(faults) == ABUSED[played.game]


def check_secrets(played: Played, villains: Sequence[str], bait: Bait) -> None:
    """The bot reached no target, and neither logs nor evidence hold the seeds or the secret."""
    got = [text for text in played.said(*villains) if "got" in text]
    assert got == []
    for path, events in played.logs():
        kept = layout.evidence(path).read_bytes()
        told = orjson.dumps(events[:-1])  # the seal reveals the match's seed
        for secret in (bait.secret, SEED, match_seed(SEED, events[0]["match"])):
            assert secret.encode() not in kept + told


def check_witnesses(played: Played, villains: Sequence[str], level: str) -> None:
    """Honest bots found only their own files, variables and processes."""
    names = {one["name"] for _, events in played.logs() for one in events[0]["players"]}
    said = played.said(*names - set(villains))
    assert said or played.game == "smallest_unique"
    for text in said:
        for line in text.splitlines():
            found = json.loads(line)
            assert found["folder"] == ["witness.py"]
            assert found["environment"] == ["KOTH_BOT_SEED", "LANG", "PATH", "PYTHONHASHSEED"]
            if level == "sandbox":
                assert (found["shared"], found["segments"]) == ([], 0)
                assert found["processes"] <= FEW


# --- the tests of a group ------------------------------------------------------------------------


def each_party(group: str, alone: Collection[str] = ()) -> pytest.MarkDecorator:
    """Return a mark that runs a test for all bots of a group at each level of the table.

    Bots that share a referee are one case. Those of ``alone`` have a case each, as have all bots in
    the long run and all that the suite skips.
    """
    rows = {name: row for name, row in table().items() if name.startswith(f"{group}/")}
    cases = []
    for level in ("sandbox", "process"):
        in_suite = [name for name in rows if is_in_suite(name, level) and not LONG_RUN]
        slow = [name for name in in_suite if is_slow(name, level)]
        for kind in (slow, [name for name in in_suite if name not in slow]):
            together = [name for name in kind if name not in alone]
            count = -(-len(together) // PARTY)
            cases += [(tuple(together[part::count]), level) for part in range(count)]
        single = [name for name in rows if name not in in_suite or name in alone]
        cases += [((name,), level) for name in single]
    return pytest.mark.parametrize(
        ("names", "level"),
        [
            pytest.param(names, level, id=f"{names[0]}-{len(names)}-{level}", marks=marks)
            for names, level in cases
            for marks in [[left_to_the_long_run] if is_left(names[0], level) else []]
        ],
    )


def is_in_suite(name: str, level: str) -> bool:
    """Return whether a bot plays at a level in the suite."""
    tried = is_tried(getattr(table()[name], level))
    return tried and (level == "sandbox" or name in PROCESSES)


def is_left(name: str, level: str) -> bool:
    """Return whether only the long run plays a bot at a level."""
    return is_tried(getattr(table()[name], level)) and not is_in_suite(name, level)


def is_slow(name: str, level: str) -> bool:
    """Return whether a bot is meant to exceed its time limit."""
    return table()[name].verdict(level) == "timeout"


def is_tried(verdict: str) -> bool:
    """Return whether a bot with this verdict plays.

    A bot that is not contained plays only with KOTH_ABUSE=unleashed in the environment. Use a
    virtual machine for that.
    """
    return not verdict.startswith(NOT_CONTAINED) or os.environ.get("KOTH_ABUSE") == "unleashed"


def games_of(name: str, games: Sequence[str]) -> Sequence[str]:
    """Return the games that a bot plays: in the suite one, which follows from the bot's name."""
    return games if LONG_RUN else [games[zlib.crc32(name.encode()) % len(games)]]


def skip_what_is_not_contained(name: str, level: str) -> None:
    """Skip the test if the level is unavailable, or does not contain the bot."""
    verdict: str = getattr(table()[name], level)
    if level == "sandbox" and (unavailable_reason := sandbox.unavailable_reason()):
        pytest.skip(unavailable_reason)
    if not is_tried(verdict):
        pytest.skip(verdict)


def are_contained(names: Sequence[str], level: str, bait: Bait, *games: str) -> None:
    """Play bots at a level, each in one or all of the games, and check everything that must hold.

    All are slow, or none is.
    """
    for name in names:
        skip_what_is_not_contained(name, level)
    entries = [(name, entry(name, game, bait)) for name in names for game in games_of(name, games)]
    report = play([one for _, one in entries], level, is_slow(names[0], level), bait)
    check_referee(report)
    for name, one in entries:
        verdict = table()[name].verdict(level)
        check(Played(one.game, one.folder), [Path(name).name, "double"], level, verdict, bait)
    bait.check()
