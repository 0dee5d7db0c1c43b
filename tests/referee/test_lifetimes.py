"""Each lifetime in a sandbox looks like the first one, also after bots that changed it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.bot import Bot, BotFile
from referee.errors import RefereeError
from referee.outcome import Outcome
from referee.protocols import workspace
from referee.protocols.base import Seating
from referee.protocols.class_ import HostedBot, attend
from referee.protocols.class_process import BotProcess, framed, parts_of
from referee.protocols.workspace import SandboxWorkspace
from referee.sandbox import bwrap, sandbox
from tests.factories import SEED
from tests.referee.bot_factory import PATIENCE
from tests.sampling import sampled

pytestmark = pytest.mark.usefixtures("sandboxes")

LOOK = """
    import ctypes, os, sys, threading, time
    libc = ctypes.CDLL(None, use_errno=True)
    began = os.stat("/proc/self").st_ctime_ns
    for name in ("/proc/sys/kernel/threads-max", "/proc/fs", "/proc/tty"):
        if os.stat(name).st_ctime_ns < began:
            print("somebody looked at", name)
    for name in ("/tmp", ".", "fox.py"):
        found = os.stat(name)
        print(name, found.st_ino, found.st_mode, os.listxattr(name))
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()  # Python 3.12 warns about a fork beside a thread
    child = os.fork() or os._exit(0)
    os.waitpid(child, 0)
    print(os.getpid(), os.getppid(), os.getsid(0), child, thread.native_id, os.getuid())
    print(sorted(os.listdir("/tmp")), os.stat("/proc/self/fd").st_size)
    for line in open("/proc/self/mountinfo"):
        print(*line.split()[3:])
"""
"""Prints everything that could differ between lifetimes, except times and machine-wide counters."""

ADDRESSES = "    print(id(object()), open('/proc/self/maps').read())\n"
"""Prints the addresses in memory, which are the same if the interpreter is kept running."""

WILD = """
    for number in range(100):
        open(f"/tmp/{number}", "w")
        os.waitpid(os.fork() or os._exit(0), 0)
    os.chmod("/tmp", 0o700)
    os.rename("/tmp/fox", "/tmp/hare")
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
    for folder, folders, files in os.walk("/proc/sys"):
        [os.stat(f"{folder}/{name}") for name in files]
"""
"""Changes that a later lifetime must not see."""


def fox(source: str) -> Bot:
    """Return a Python bot."""
    files = (("fox.py", BotFile(textwrap.dedent(source).encode(), False)),)
    return Bot("fox", (sys.executable, "fox.py"), files)


def seated(scratch: str, cold: bool = False, limit: float = PATIENCE) -> Seating:
    """Return a match in sandboxes."""
    return Seating((), SEED, scratch, limit, cold, "sandbox")


def lifetime(bot: Bot, seating: Seating) -> tuple[Outcome, sandbox.Sandbox]:
    """Return the outcome of one decision, and the sandbox that it ran in."""
    with workspace.open_workspace(bot, seating) as place:
        assert isinstance(place, SandboxWorkspace)
        outcome = place.run("1" * 64, ())
        assert outcome.exit == 0, outcome
        return outcome, place.sandbox


each_lifetime = pytest.mark.parametrize(
    ("scratch", "cold"),
    sampled(
        {
            f"{scratch}-{cold}": (scratch, cold)
            for scratch in ("decision", "match")
            for cold in (False, True)
        },
        ["decision-False", "match-True"],
    ),
)
"""When a scratch folder ends, and whether the bot starts cold."""


@each_lifetime
def test_a_lifetime_is_like_the_first(scratch: str, cold: bool) -> None:
    """Numbers of processes and inodes, mounts, modes and addresses are the same each time."""
    bot = fox(LOOK + ("" if cold else ADDRESSES) + WILD)
    played = [lifetime(bot, seated(scratch, cold)) for _ in range(4)]
    first, *later = [outcome.output.decode() for outcome, _ in played]
    assert later == [first] * 3
    assert len({one for _, one in played}) == 1
    assert "somebody" not in first


@pytest.fixture
def below_tmp() -> Iterator[Path]:
    """Yield the interpreter of an environment in a private folder, as ``mktemp -d`` makes it."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        line = [sys.executable, "-m", "venv", "--without-pip", f"{folder}/clone/.venv"]
        subprocess.run(line, check=True)
        yield Path(folder, "clone/.venv/bin/python")


CHANGE = """
    import contextlib
    top = "/tmp/" + sys.prefix.split("/")[2]
    print(sys.executable, os.listdir(top), os.stat(top).st_ino, os.stat(sys.prefix).st_ino)
    print(open(sys.prefix + "/pyvenv.cfg").read())
    os.spawnv(0, sys.executable, [sys.executable, "-c", "import sys; print(sys.prefix)"])
    for act in (
        lambda: os.rename(top, "/tmp/other"),
        lambda: os.chmod(top, 0o700),
        lambda: open(top + "/clone/json.py", "w"),
        lambda: open(sys.prefix + "/x", "w"),
        lambda: os.rename(top + "/clone", top + "/x"),
    ):
        with contextlib.suppress(OSError):
            act()
            print("changed")
"""


@each_lifetime
def test_programs_below_tmp_are_there_each_time(scratch: str, cold: bool, below_tmp: Path) -> None:
    """Programs below /tmp are in each new sandbox, and they and their folders are read-only."""
    bot = fox(LOOK + CHANGE + WILD)
    bot = replace(bot, command=(str(below_tmp), "fox.py"))
    played = [lifetime(bot, seated(scratch, cold)) for _ in range(3)]
    first, *later = [outcome.output.decode() for outcome, _ in played]
    assert later == [first] * 2
    assert str(below_tmp) in first
    assert "changed" not in first
    assert len({one for _, one in played}) == 1


def test_programs_in_a_folder_named_like_the_bots(below_tmp: Path) -> None:
    """An interpreter in a folder with the bot's name is refused, and the message says why."""
    bot = fox("print()")
    bot = replace(bot, name=below_tmp.parts[2], command=(str(below_tmp), "fox.py"))
    with pytest.raises(RefereeError, match="is the bot's own folder in a sandbox"):
        lifetime(bot, seated("decision"))


def test_decisions_of_a_match_have_the_same_number() -> None:
    """A bot that keeps its files for a match has the same process id in each decision."""
    with workspace.open_workspace(fox("import os; print(os.getpid())"), seated("match")) as place:
        assert {place.run("1" * 64, ()).output for _ in range(3)} == {b"2\n"}


def test_a_class_has_the_same_number() -> None:
    """A class bot has the same process id and inode number in each match."""
    source = "import os\nclass Fox:\n  def __init__(self, index): pass\n"
    source += "  def select(self): return (os.getpid() << 32) + os.stat('.').st_ino"
    bot, chosen = replace(fox(source), class_name="Fox"), set()
    for _ in range(3):
        started = BotProcess(bot, {0: (0, "1" * 64, 2)}, "sandbox", PATIENCE)
        hosted = HostedBot(bot, [(0, 0)], started)
        attend([hosted])
        started.ask(framed((True, True, b"\0", b"")), parts_of(True, True), 1)
        attend([hosted])
        chosen.update(started.answers)
        started.end()
    [number] = chosen
    assert isinstance(number, int)
    assert number >> 32 == 2


def test_without_its_rights_a_sandbox_serves_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the right to number processes or to mount, each lifetime has a new sandbox."""
    given = bwrap.CONFINED
    without = (*given[: given.index("--cap-add")], "--cap-add", "CAP_SYS_RESOURCE")
    monkeypatch.setattr(bwrap, "CONFINED", without)
    bot = fox("import os; print(os.getpid())")
    played = [lifetime(bot, seated("decision")) for _ in range(3)]
    assert len({outcome.output for outcome, _ in played}) == 1
    assert len({one for _, one in played}) == 3


TRACED = """
    import ctypes, os, threading, time
    libc = ctypes.CDLL(None)
    libc.prctl(0x59616D61, ctypes.c_long(-1))
    told = os.pipe()
    def end_when_traced():
        if os.fork() == 0:
            os.setsid()
            libc.ptrace(0x4206, int(os.read(told[0], 20)), None, None)
            time.sleep(600)
        os.write(told[1], str(threading.get_native_id()).encode())
        time.sleep(0.1)
    threading.Thread(target=end_when_traced).start()
    time.sleep(600)
"""


def test_a_bot_that_is_traced_ends_with_its_time() -> None:
    """A sandbox learns that its traced bot ended at the time limit, and can be used again."""
    with workspace.open_workspace(fox(TRACED), seated("match", limit=0.4)) as place:
        assert isinstance(place, SandboxWorkspace)
        first = place.sandbox
        assert place.run("1" * 64, ()).timed_out
        assert place.run("1" * 64, ()).timed_out
        assert place.sandbox is first
        assert first.is_alive()


NEW = """
    import ctypes, errno
    libc = ctypes.CDLL(None, use_errno=True)
    print([libc.syscall(number, 0, 0, 0, 0, 0) == -1 and ctypes.get_errno() == errno.ENOSYS
           for number in (451, 463, 469, 500, 1000)])
"""


def test_calls_that_the_filter_does_not_know_are_missing() -> None:
    """A system call that the filter does not know fails as on a kernel without that call."""
    outcome, _ = lifetime(fox(NEW), seated("decision"))
    assert outcome.output == f"{[True] * 5}\n".encode()
