"""A bot plays in a sandbox as in a plain process, and nothing of either is left."""

from __future__ import annotations

import errno
import json
import os
import pwd
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from referee import match, tournament
from referee.bot import Bot, BotFile
from referee.environment import environment
from referee.errors import RefereeError
from referee.outcome import Outcome, ServerLost
from referee.pools import pool
from referee.processes import limits
from referee.processes.fork_client import ForkServer
from referee.protocols import workspace
from referee.protocols.base import Seating, Workspace
from referee.protocols.workspace import SandboxWorkspace
from referee.sandbox import bwrap, cgroup
from referee.sandbox.sandbox import Sandbox
from schema.card import Card
from schema.executor import serial
from tests.factories import SEED
from tests.koth.commands import ROOT
from tests.referee.bot_factory import (
    CARD,
    COINS,
    FIRST,
    HEIST,
    PATIENCE,
    UNIQUE,
    bot,
    class_bot,
    contents,
    honest,
    job,
    patience,
    read,
    short_decisions,
    start,
)
from tests.referee.test_process import alive, dies
from tests.referee.test_warm import ARGUMENTS, SCRIPTS, SEEDS, make, told
from tests.sampling import LONG_RUN, sampled

pytestmark = pytest.mark.usefixtures("sandboxes")

SAME = """its arguments|its name and file|itself among the modules|where it imports from|its folder
its environment|its interpreter|its hashes|its standard input|its streams|its descriptors
its session|its signals|its thread|how deep it can go|a module that it writes|sys.exit 3
sys.exit with words|os._exit|an exception|an interrupt|terminated|killed|a segmentation fault
its group killed|atexit|a thread that goes on|a file left open|a closed descriptor
all descriptors closed|odd descriptors written to|bytes|a fork that lives on
a fork whose parent has ended|a fork waited for|another program instead|itself again
a process pool|another folder|long output|unprintable|a syntax error|no UTF-8"""
"""Scripts of test_warm whose result could differ in a sandbox."""

NAMES = ["fox", "-rf", "--", "ünï·狐", "it's\"it", "a;b$(c)`d`", "*?[", "~", "%s{}", "x" * 64]

LOOK = (
    "import os, sys\n"
    "parts = sys.prefix.split('/')\n"
    "print(*sorted(os.listdir('.')), '/', *sorted({*os.listdir('/tmp')} - {*parts}), '/', "
    "*sorted({*os.listdir('/dev/shm')} - {*parts}), flush=True)\n"
)
"""Start of a script that prints all places where a file might be left.

The folder of an interpreter below /tmp is left out.
"""


@pytest.fixture
def prefix() -> Iterator[Path]:
    """Yield a folder that everybody can read; sandboxes have their own /tmp."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def seated(level: str = "sandbox", cold: bool = False, limit: float = PATIENCE) -> Seating:
    """Return a match at that level."""
    return Seating((), SEED, "match", limit, cold, level)


def command(*words: str, name: str = "fox", executable: bool = False, **files: str) -> Bot:
    """Return a bot with this command; the files' keywords have an underscore for the dot."""
    listed = {file.replace("_", "."): BotFile(t.encode(), executable) for file, t in files.items()}
    return Bot(name, words, tuple(sorted(listed.items(), key=lambda one: one[0])))


def once(one: Bot, arguments: Sequence[str] = (), **how: object) -> Outcome:
    """Return the outcome of a single decision."""
    with workspace.open_workspace(one, seated(**how)) as place:  # type: ignore[arg-type]
        return place.run(SEEDS[0], arguments)


def room_of(place: Workspace) -> SandboxWorkspace:
    """Return the same workspace, which must be a sandbox."""
    assert isinstance(place, SandboxWorkspace)
    return place


def known(outcome: Outcome) -> tuple[object, ...]:
    """Return the parts of an outcome that the log holds."""
    return outcome.crashed, outcome.timed_out, outcome.flooded, outcome.output


def both(one: Bot, arguments: Sequence[str] = ()) -> Outcome:
    """Run a decision in a process and in a sandbox; the log must get the same of both."""
    found = [once(one, arguments, level=level) for level in ("process", "sandbox")]
    assert known(found[0]) == known(found[1]), found
    return found[1]


# --- the surroundings of a bot -------------------------------------------------------------------


def without(home: Path | str, found: dict[str, object]) -> dict[str, object]:
    """Return the same values, with ``~`` for the home folder."""
    name = os.fsencode(home)
    return {k: v.replace(name, b"~") if isinstance(v, bytes) else v for k, v in found.items()}


@pytest.mark.parametrize("cold", [False, True])
def test_it_comes_out_the_same(cold: bool, tmp_path: Path) -> None:
    """Exit status, output, errors and files are those of a process, except for its folder.

    The suite runs every second script warm, and every third one with its own interpreter.
    """
    shared: Sandbox | None = None
    for name in re.split(r"[|\n]", SAME)[:: 1 if LONG_RUN else 3 if cold else 2]:
        one = make(SCRIPTS[name])
        one.install(tmp_path / "fox")
        line = [*one.command, *ARGUMENTS]
        there = start(line, tmp_path / "fox", SEEDS[0], PATIENCE)
        expected = without(tmp_path / "fox", told(there, tmp_path / "fox"))
        shutil.rmtree(tmp_path / "fox")
        if shared is not None:
            shared.bot = one  # another bot in the same sandbox
        if cold and shared is not None and shared.prepare():
            outcome = shared.run_command(shared.home, SEEDS[0], line, PATIENCE)
        else:
            shared = cast(Sandbox, pool.take(one, "sandbox", cold))
            outcome = shared.decide(one, shared.home, SEEDS[0], ARGUMENTS, PATIENCE)
        assert outcome is not None
        assert without(shared.home, told(outcome, shared.scratch / "fox")) == expected, name


FINDS = """
import json, os, resource, socket, subprocess, sys
def refused(act, *args):
    try:
        act(*args)
    except OSError:
        return True
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
child = subprocess.run(["cat", "/proc/self/environ"], capture_output=True, text=True).stdout
print(json.dumps({
    "environment": dict(os.environ),
    "child's": dict(one.split("=", 1) for one in child.split("\\0") if one),
    "first's": refused(open, "/proc/1/environ"),
    "rights": [status[f"Cap{kind}"].strip() for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")],
    "no new": status["NoNewPrivs"].strip(),
    "users": os.getresuid() + os.getresgid(),
    "groups": os.getgroups(),
    "root's": refused(os.listdir, "/proc/1/fd"),
    "limits": {kind: resource.getrlimit(int(kind)) for kind in sys.argv[1:]},
    "input": sys.stdin.read(),
    "open": [
        number
        for number in sorted(os.listdir("/proc/self/fd"))[:-1]
        if "libffi" not in os.readlink(f"/proc/self/fd/{number}")
    ],
    "folder": os.getcwd(),
    "name": socket.gethostname(),
    "written": [top for top in os.listdir("/") if not refused(open, f"/{top}/x", "w")],
    "home": refused(os.listdir, os.path.expanduser("~")),
    "processes": sum(one.isdigit() for one in os.listdir("/proc")),
}))
"""


@pytest.mark.parametrize("cold", [False, True])
def test_what_a_bot_finds(cold: bool) -> None:
    """A bot has four variables, no privileges, no descriptors, limits, and one writable place."""
    kinds = limits.by_process("sandbox") | {resource.RLIMIT_CPU: limits.cpu_seconds(PATIENCE)}
    outcome = once(make(FINDS), [str(kind) for kind in kinds], cold=cold)
    assert (outcome.exit, outcome.stderr) == (0, b"")
    found = json.loads(outcome.output)
    assert found["environment"] == found["child's"] == dict(environment(SEEDS[0]))
    assert found["rights"] == ["0" * 16] * 5
    assert found["no new"] == "1"
    kept = os.getgroups() if os.geteuid() else []  # only root can give up groups
    assert found["groups"] == [65534 for _ in kept]
    assert set(found["users"]) == {65534}
    assert found["limits"] == {str(kind): [most, most] for kind, most in kinds.items()}
    assert (found["input"], found["open"]) == ("", ["0", "1", "2"])
    assert (found["folder"], found["name"]) == ("/tmp/fox", "koth")
    assert found["written"] == ["tmp"]
    assert found["first's"] is found["root's"] is found["home"] is True
    assert found["processes"] <= 3  # the first, this one, and cat, whose number may not be free yet


@pytest.mark.parametrize("name", NAMES)
def test_folders_of_any_name(name: str) -> None:
    """The folder has the bot's name, even if that means something to a shell."""
    look = "import os, sys; print(os.path.basename(os.getcwd()), sys.argv)"
    one = replace(make(look), name=name)
    assert both(one, ["-c", name]).output.decode().split(" ['")[0] == name


# --- interpreters --------------------------------------------------------------------------------


VERSION = "import sys; print(sys.executable, sys.prefix, sys.version, sys.argv)"


def test_the_interpreter_of_an_environment(prefix: Path) -> None:
    """An environment outside of the system's folders is visible, with the same path."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", prefix / "a 'b'"], check=True)
    python = str(prefix / "a 'b'/bin/python")
    outcome = both(command(python, "fox.py", fox_py=VERSION), ["x"])
    assert outcome.output.startswith(python.encode())


def test_what_lies_beside_an_environment_is_not_shown(prefix: Path) -> None:
    """Other files in an environment's folder, such as a tournament's seed, are not visible."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", prefix], check=True)
    (prefix / "cup").mkdir()
    (prefix / "cup/seed.private").write_text("5")
    look = f"import os, sys; print(sys.prefix, sorted(os.listdir({str(prefix)!r})))"
    outcome = once(command(str(prefix / "bin/python"), "fox.py", fox_py=look))
    assert (outcome.exit, outcome.stderr) == (0, b"")
    assert outcome.output.startswith(bytes(prefix))
    assert b"'bin'" in outcome.output
    assert b"'cup'" not in outcome.output


def test_a_home_is_not_shown_whatever_its_variable_says(
    prefix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program in a home's bin folder is visible, and the home is not, whatever HOME says."""
    (prefix / "bin").mkdir()
    program = prefix / "bin/look"
    program.write_text(f"#!/bin/sh\nls -a {prefix}\n")
    program.chmod(0o755)
    (prefix / ".ssh").mkdir()
    entry = pwd.struct_passwd(("me", "x", os.getuid(), 0, "", str(prefix), ""))
    monkeypatch.setattr(pwd, "getpwuid", lambda number: entry)
    monkeypatch.setenv("HOME", "/var/empty")
    assert once(command(str(program))).output.split() == [b".", b"..", b"bin"]


def test_a_home_behind_a_link_is_not_shown(prefix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home is not shown if a program's path, or the user's own, leads to it through a link."""
    (prefix / "homes/me/bin").mkdir(parents=True)
    (prefix / "link").symlink_to("homes")
    for real, link in (("homes", "link"), ("link", "homes")):
        monkeypatch.setenv("HOME", f"{prefix}/{real}/me")
        program = prefix / link / "me/bin/look"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        assert bwrap.required_paths(str(program)) == [program]


def test_an_interpreter_whose_folder_is_the_home(
    prefix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Python that was installed into the home itself does not show the home."""
    monkeypatch.setenv("HOME", f"{prefix}/me")
    lines = f"{prefix}/me/bin/python3", f"{prefix}/me", f"{prefix}", f"{prefix}/me/lib"
    python = prefix / "python3"
    python.write_text(f"#!/bin/sh\nprintf '%s\\n' {' '.join(lines)}\n")
    python.chmod(0o755)
    assert bwrap.python_paths(str(python)) == [lines[0], lines[3]]


def test_the_referees_own_interpreter_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folders of the referee's own Python are those that it prints when another one asks."""
    known = bwrap.python_paths.__wrapped__(sys.executable)
    monkeypatch.setattr(sys, "executable", "")
    python = known[0]
    assert known == bwrap.python_paths.__wrapped__(python)


def test_the_whole_system_is_not_shown_to_bots_of_a_user_without_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A program in /bin does not need all of ``/``, even if its user has no home."""
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)
    assert Path("/") not in bwrap.required_paths("/bin/sh")


@pytest.mark.parametrize("lacks", ["os.pidfd_open", "sys.orig_argv"])
def test_an_interpreter_that_is_too_old_to_be_kept_ready(lacks: str, prefix: Path) -> None:
    """An interpreter without the modules that a helper needs starts cold, and plays."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", prefix], check=True)
    [packages] = prefix.glob("lib/*/site-packages")
    module = lacks.partition(".")[0]
    (packages / "sitecustomize.py").write_text(f"import {module}; del {lacks}")
    one = command(str(prefix / "bin/python"), "fox.py", fox_py=VERSION)
    with patience():
        assert once(one, limit=2).exit == 0
        both(one)


def test_an_interpreter_behind_a_script(prefix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A python3 on PATH that is a shell script runs the interpreter that the script chooses."""
    (prefix / "python3").write_text(f'#!/usr/bin/env bash\nexec "{sys.executable}" "$@"\n')
    (prefix / "python3").chmod(0o755)
    monkeypatch.setenv("PATH", f"{prefix}:{os.environ['PATH']}")
    outcome = both(command("python3", "fox.py", fox_py=VERSION))
    assert outcome.output.startswith(sys.executable.encode())


@pytest.mark.parametrize(
    "line",
    ["/usr/bin/env python3", " /usr/bin/env -S X=1 python3 -O", "/usr/bin/env -S python3 -O\r"],
)
def test_the_options_in_a_first_line(
    line: str, prefix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script for a Python outside of the system's folders has its line's options in a sandbox."""
    (prefix / "python3").write_text(f'#!/usr/bin/env bash\nexec "{sys.executable}" "$@"\n')
    (prefix / "python3").chmod(0o755)
    monkeypatch.setenv("PATH", f"{prefix}:{os.environ['PATH']}")
    source = "import os, sys; print(__debug__, os.environ.get('X'), sys.argv)"
    outcome = both(command("./fox", executable=True, fox=f"#!{line}\n{source}"), ["x"])
    variable = "1" if "X=1" in line else None
    assert outcome.output.decode() == f"{'-O' not in line} {variable} ['./fox', 'x']\n"


LANGUAGES: Mapping[str, Bot] = {
    "sh": command("sh", "fox.sh", fox_sh='echo "$0" "$@" "$KOTH_BOT_SEED"; exit 3'),
    "bash": command("bash", "-c", 'cat; cat <<<"$0" /dev/stdin'),
    "perl": command("perl", "fox.pl", fox_pl="print qq(@ARGV $ENV{KOTH_BOT_SEED})"),
    "node": command("node", "fox.js", fox_js="console.log(process.argv.slice(2))"),
    "awk": command("awk", 'BEGIN { for (k in ENVIRON) n++; print ENVIRON["LANG"] }'),
    "java": command(
        *("java", "-Xmx64m", "-XX:+UseSerialGC", "-Xshare:auto", "Fox.java"),
        Fox_java="class Fox { public static void main(String[] a) { System.out.print(a[0]); } }",
    ),
    "Rscript": command("Rscript", "fox.R", fox_R="cat(commandArgs(TRUE)[1], Sys.getenv('R_HOME'))"),
    "ruby": command("ruby", "fox.rb", fox_rb="require 'json'; puts JSON.dump(ARGV[0])"),
    "lua5.4": command("lua5.4", "fox.lua", fox_lua="print(arg[1])"),
    "php": command(
        "php", "fox.php", fox_php="<?php echo strlen($argv[1]), ini_get('include_path');"
    ),
    "tclsh": command("tclsh", "fox.tcl", fox_tcl="puts [lindex $argv 0]"),
    "gawk": command("gawk", "BEGIN { print ARGV[1] }"),
    "octave-cli": command("octave-cli", "fox.m", fox_m="disp(argv(){end-1})"),
    "env": command("./fox", executable=True, fox='#!/usr/bin/env bash\necho "$0" "$@"'),
    "no first line": command("./fox", executable=True, fox="echo"),
    "no right to run it": command("./fox", fox="#!/bin/sh\necho"),
    "no such interpreter": command("./fox", executable=True, fox="#!/no/such\n"),
    "no such program": command("no-such-program", "fox", fox=""),
    "no such python": command("/no/such/python3", "fox.py", fox_py=""),
    "a folder": command("/usr"),
    "no word at all": command(""),
}


@pytest.mark.parametrize(
    "language",
    sampled(
        {language: language for language in LANGUAGES},
        ["sh", "perl", "node", "java", "Rscript", "env", "no such program", "a folder"],
    ),
)
def test_programs_of_the_system(language: str) -> None:
    """Installed programs run as in a process; programs that cannot start crash in both."""
    if " " not in language and shutil.which(language) is None:
        pytest.skip(f"there is no {language}")
    outcome = both(LANGUAGES[language], ["a b", "ä\udcff"])
    assert outcome.crashed == (" " in language or language == "sh")


PROGRAM = (
    '#include <stdio.h>\nconst char *f(); int main(int n, char **v) { puts(n > 1 ? f() : ""); }'
)


def test_compiled_programs(prefix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled programs run: the bot's own, and those of another folder with their library."""
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    for folder in ("bin", "lib"):
        (prefix / folder).mkdir()
    (prefix / "f.c").write_text('const char *f() { return "well"; }')
    (prefix / "p.c").write_text(PROGRAM)
    cc = ("cc", "-o")
    for line in (
        [*cc, "lib/libf.so", "-shared", "f.c"],
        [*cc, "bin/koth-p", "p.c", "-Llib", "-lf", "-Wl,-rpath,$ORIGIN/../lib"],
        [*cc, "whole", "p.c", "f.c"],
    ):
        subprocess.run(line, cwd=prefix, check=True)
    shipped = Bot("fox", ("./whole",), (("whole", BotFile((prefix / "whole").read_bytes(), True)),))
    monkeypatch.setenv("PATH", f"{prefix}/bin:{os.environ['PATH']}")
    for one in (shipped, command(f"{prefix}/bin/koth-p"), command("koth-p")):
        assert both(one, ["x"]).output == b"well\n"


def test_a_program_in_a_folder_behind_links(prefix: Path) -> None:
    """A program runs whose folder is a link to that of its version, like /opt/node."""
    version = prefix / "tool-1.2"
    (version / "bin").mkdir(parents=True)
    (version / "bin/tool").write_text(f"#!/bin/sh\ncat {version}/words\n")
    (version / "bin/tool").chmod(0o755)
    (version / "words").write_text("well")
    (prefix / "tool-1").symlink_to("tool-1.2")
    (prefix / "tool").symlink_to(prefix / "tool-1")
    (prefix / "deep/er").mkdir(parents=True)
    (prefix / "deep/er/tool").symlink_to("../../tool")
    for link in (prefix / "tool", prefix / "deep/er/tool"):
        assert both(command(f"{link}/bin/tool")).output == b"well"
        assert bwrap.required_paths(f"{link}/bin/tool") == [link, version]


@pytest.mark.parametrize("path", ["/bin", "/bin/sh", "/lib", "/usr/bin/env", "/usr"])
def test_bound_paths_in_folders_of_the_system(path: str) -> None:
    """A sandbox starts if --bind names a path that bots see anyway, also below a link."""
    assert once(replace(command("ls", "-d", path), binds=(path,))).output == f"{path}\n".encode()


@pytest.mark.parametrize("size", [99_000, 101_000, 131_071, 131_072, 300_000])
def test_long_arguments(size: int) -> None:
    """Arguments run up to the system's maximum length; longer ones are a crash."""
    outcome = both(make("import sys; print(len(sys.argv[1]))"), ["x" * size])
    assert outcome.crashed == (size > 131_071)


@pytest.mark.parametrize("program", [(sys.executable, "fox.py"), ("sh", "fox.py")])
def test_an_argument_with_a_nul(program: tuple[str, ...]) -> None:
    """An argument with a NUL byte is a crash in a sandbox as in a process."""
    assert both(replace(make(""), command=program), ["a\0b"]).error == "embedded null byte"


# --- how long files and processes last -----------------------------------------------------------


def test_nothing_of_a_decision_is_left() -> None:
    """No file, process or change to the bot's own code is left after a decision."""
    one = make(
        LOOK + "for path in ('x', '/tmp/x', '/dev/shm/y', '/tmp/fox/fox.py'): open(path, 'w')\n"
        "os.mkfifo('/tmp/f'); os.symlink('/usr', 'l'); os.rename('/tmp/fox', '/tmp/hare')\n"
        "if os.fork() == 0:\n    os.setsid(); import time; time.sleep(60)"
    )
    for _ in range(3):
        outcome = once(one)
        assert (outcome.exit, outcome.output) == (0, b"fox.py ours.py / fox / fox\n")


def test_a_match_keeps_its_folder() -> None:
    """Files last until the workspace closes; processes end with their decision."""
    one = make(
        LOOK + "print(sum(name.isdigit() for name in os.listdir('/proc')))\n"
        "open('mine', 'w'); open('/tmp/theirs', 'w')\n"
        "if os.fork() == 0:\n    os.setsid(); import time; time.sleep(60)"
    )
    for _ in range(2):
        with workspace.open_workspace(one, seated()) as place:
            found = [place.run(SEEDS[0], ()).output.split(b"\n")[:2] for _ in range(3)]
        kept = b"fox.py mine ours.py / fox theirs / fox theirs"
        assert found[0][0] == b"fox.py ours.py / fox / fox"
        assert [one for one, _ in found[1:]] == [kept] * 2
        assert {many for _, many in found} == {found[0][1]}


LEFT = {
    "very many files": "for n in range(3000): open(f'/tmp/{n}', 'w')",
    "a folder in a folder in a folder": "for n in range(1500): os.mkdir('d'); os.chdir('d')",
    "folders that nobody may enter": (
        "os.makedirs('/tmp/a/b/c')\nfor path in ('/tmp/a/b', '/tmp/a', '.'): os.chmod(path, 0)"
    ),
    "a full room": (
        "try:\n    for n in range(9):\n        f = open(f'/tmp/{n}', 'wb', 0); "
        "os.posix_fallocate(f.fileno(), 0, 60 << 20)\nexcept OSError as e: print(e.errno)"
    ),
    "memory of System V": (
        "import ctypes; ctypes.CDLL(None).shmget(7, 4096, 0o1666)\n"
        "print(open('/proc/sysvipc/shm').read().count('\\n') - 1, end='')\n"
    ),
}


@pytest.mark.parametrize("what", LEFT)
def test_what_is_hard_to_remove(what: str) -> None:
    """A decision starts like the first one, also if the last one left much to remove."""
    one = make(LOOK + LEFT[what])
    first, second = once(one), once(one)
    assert first.output.startswith(b"fox.py ours.py / fox / fox\n")
    assert first.exit == 0
    assert known(first) == known(second)


def test_two_places_of_one_bot() -> None:
    """A bot that is asked in two sessions at the same time has one sandbox per session."""
    one = make("import os; open('seen', 'a').write('x'); print(len(open('seen').read()))")
    with (
        workspace.open_workspace(one, seated()) as first,
        workspace.open_workspace(one, seated()) as second,
    ):
        found = [place.run(SEEDS[0], ()).output for place in (first, second, first, second)]
    assert found == [b"1\n", b"1\n", b"2\n", b"2\n"]


# --- sandboxes that end --------------------------------------------------------------------------


def kill_first(one: Sandbox) -> None:
    """Kill the process with which all others in the sandbox end."""
    signal.pidfd_send_signal(one.init_pidfd, signal.SIGKILL)


def kill_outer(one: Sandbox) -> None:
    """Kill the outer process that was started for the sandbox."""
    one.process.kill()


KILLS = [kill_first, kill_outer]


def asked(place: Workspace, *arguments: str) -> Outcome:
    """Ask for a decision, and again if the sandbox was lost before it, as a match does."""
    with suppress(ServerLost):
        return place.run(SEEDS[0], arguments)
    return place.run(SEEDS[0], arguments)


@pytest.mark.parametrize("kill", KILLS)
def test_killed_between_decisions(kill: Callable[[Sandbox], None]) -> None:
    """A sandbox that is killed between decisions changes no later decision and no match."""
    one = make(LOOK + "open('mine', 'w')")
    with workspace.open_workspace(one, seated()) as place:
        first = asked(place)
        for _ in range(2):
            killed = room_of(place).sandbox
            kill(killed)
            assert select.select([killed.exited], [], [], PATIENCE)[0]
            assert known(asked(place)) == known(first)
            assert room_of(place).sandbox is not killed
        killed = room_of(place).sandbox
        kill(killed)
        assert select.select([killed.exited], [], [], PATIENCE)[0]
    assert known(once(one)) == known(first)


@pytest.mark.parametrize("kill", KILLS)
def test_killed_after_the_history_was_written(kill: Callable[[Sandbox], None]) -> None:
    """A bot whose sandbox is killed with the history in it does not run without the history."""
    one = make("import sys; print(open(sys.argv[1]).read())")
    with workspace.open_workspace(one, seated()) as place:
        with place.file("history", b"1") as (_, path):
            killed = room_of(place).sandbox
            kill(killed)
            assert select.select([killed.exited], [], [], PATIENCE)[0]
            with pytest.raises(ServerLost):
                place.run(SEEDS[0], [path])
        with place.file("history", b"1") as (_, path):
            assert place.run(SEEDS[0], [path]).output == b"1\n"


@pytest.mark.parametrize("kill", KILLS)
def test_killed_during_a_decision(kill: Callable[[Sandbox], None]) -> None:
    """A sandbox that is killed during a decision ends that decision, and no other."""
    one = make("import sys, time; print('begun', flush=True); time.sleep(int(sys.argv[1]))")
    with workspace.open_workspace(one, seated()) as place:
        timer = threading.Timer(0.3, kill, [room_of(place).sandbox])
        timer.start()
        outcome = asked(place, "60")
        timer.join()
        assert (outcome.exit, outcome.timed_out, bool(outcome.error)) == (None, False, True)
        assert asked(place, "0").exit == 0


def test_killed_before_it_has_heard() -> None:
    """If a sandbox ends with a request unread, the decision fails, and the next one succeeds."""
    with workspace.open_workspace(make("print(1)"), seated()) as place:
        one = room_of(place).sandbox
        one.await_fork()
        for descriptor in (one.init_pidfd, one.fork_pidfd):
            signal.pidfd_send_signal(descriptor, signal.SIGSTOP)
        timer = threading.Timer(0.3, kill_first, [one])
        timer.start()
        outcome = asked(place)
        timer.join()
        assert (outcome.exit, bool(outcome.error)) == (None, True)
        assert asked(place).output == b"1\n"


def test_killed_while_a_class_plays(tmp_path: Path) -> None:
    """A class whose sandbox is killed has crashed; the next match is played to its end."""
    bots = [class_bot(tmp_path, name, select="time.sleep(0.02)\nreturn 3") for name in "abc"]
    settings = {"seats": 3, "rounds": 20}

    def play(folder: Path) -> list[str]:
        one = replace(job(folder, bots, UNIQUE, **settings), isolation="sandbox")
        with patience():
            result = match.play(one)
        return [fault["kind"] for fault in read(one.log, one.evidence, result).faults]

    def kill_one() -> None:
        while not (taken := [*pool._sandboxes.in_use]) or all(one.ended for one in taken):
            time.sleep(0.01)
        time.sleep(0.1)
        kill_first(cast(Sandbox, taken[0]))

    timer = threading.Thread(target=kill_one)
    timer.start()
    assert play(tmp_path / "1") == ["crash"]
    timer.join()
    assert play(tmp_path / "2") == []


# --- nothing is left -----------------------------------------------------------------------------


ALIVE = """
import os, sys, threading
sys.path.insert(0, ROOT)
from pathlib import Path
from tests.referee.test_sandbox import make, numbers, seated
from referee.pools import pool
from referee.protocols import workspace
waiting = make("import time; time.sleep(60)")
with workspace.open_workspace(make("print(1)"), seated()) as place:
    assert place.run("1" * 64, ()).output == b"1\\n"
taken = pool.take(waiting, "sandbox")
print(*numbers(), flush=True)
"""
ENDS = {
    "its end": "",
    "end of all": "pool.close(); print('still', flush=True); sys.stdin.read()",
    "an error": "1 / 0",
    "a kill": "os.kill(os.getpid(), 9)",
    "an exit": "os._exit(3)",
    "a kill during a decision": (
        "threading.Timer(.3, os.kill, (os.getpid(), 9)).start()\n"
        "taken.run_script('/tmp/fox', '1' * 64, (), 60)"
    ),
    "an interrupt during a decision": (
        "threading.Timer(.3, os.kill, (os.getpid(), 2)).start()\n"
        "taken.run_script('/tmp/fox', '1' * 64, (), 60)"
    ),
}


def numbers() -> list[int]:
    """Return the ids of two processes per sandbox: the first inside, and the outer one."""
    found = []
    idle = [one for servers in pool._sandboxes.idle.values() for one in servers]
    for one in cast(list[Sandbox], [*idle, *pool._sandboxes.in_use]):
        told = Path(f"/proc/self/fdinfo/{one.init_pidfd}").read_text()
        found += [one.process.pid, int(re.findall(r"^Pid:\s(\d+)$", told, re.M)[0])]
    return found


def groups(referee: int) -> list[Path]:
    """Return the cgroups of a referee."""
    return [one for place in cgroup._parents() for one in place.glob(f"koth-{referee}-*")]


def empties(group: Path) -> bool:
    """Return whether a group has no process any more, after a short wait."""
    end = time.monotonic() + PATIENCE
    while (group / "cgroup.procs").read_text() and time.monotonic() < end:
        time.sleep(0.01)
    return not (group / "cgroup.procs").read_text()


@pytest.mark.parametrize(
    "how",
    sampled(
        {how: how for how in ENDS},
        ["end of all", "a kill during a decision"],
    ),
)
def test_nothing_is_left_of_a_referee(how: str) -> None:
    """However a referee ends, its sandboxes end, and no files and no used cgroups are left."""
    temporary = Path(tempfile.gettempdir())
    source = ALIVE.replace("ROOT", repr(str(ROOT))) + ENDS[how]
    with subprocess.Popen(
        [sys.executable, "-c", source],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as referee:
        assert referee.stdout is not None
        pids = [int(word) for word in referee.stdout.readline().split()]
        assert len(pids) == 4
        if how == "end of all":
            assert referee.stdout.readline() == b"still\n"
            assert not any(map(alive, pids))
            assert groups(referee.pid) == []
        referee.communicate(timeout=PATIENCE)
    assert all(map(dies, pids))
    assert list(temporary.iterdir()) == []
    left = groups(referee.pid)
    assert not left or "kill" in how or how == "an exit"
    assert all(map(empties, left))
    if left:  # the next referee removes the cgroups of a killed one
        once(make("print(1)"))
    assert groups(referee.pid) == []


def test_a_fork_of_the_referee_has_sandboxes_of_its_own() -> None:
    """A forked process neither ends nor uses the sandboxes that its parent started."""
    one = make("print(1)")
    once(one)
    mine = numbers()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            once(one)
            code = 2 if set(mine) & set(numbers()) else 0
            pool.close()
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert once(one).output == b"1\n"
    assert numbers() == mine


def test_descriptors_are_closed() -> None:
    """Sandboxes that have ended hold no descriptor of the referee."""
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for source in ("print(1)", "import os; os.mkdir('d'); os.fork(); print(1)"):
        once(make(source))
        once(make(source), cold=True)
    pool.close()
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_a_sandbox_that_lacks_files_keeps_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sandbox for whose first lifetime no file can be opened leaves no descriptor open."""
    pool.close()

    def refused(*_: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(Sandbox, "ask_with_pipes", refused)
    before = os.listdir("/proc/self/fd")  # noqa: PTH208
    with pytest.raises(RefereeError, match="ulimit -n"):
        pool.take(command("true"), "sandbox")
    assert os.listdir("/proc/self/fd") == before  # noqa: PTH208


def test_a_decision_that_lacks_files_is_the_error_of_the_referee(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If no pipe can be opened for a decision in a sandbox, the error names the limit to raise."""

    def refused(*_: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    with workspace.open_workspace(command("true"), seated()) as place:
        monkeypatch.setattr(Sandbox, "ask_with_pipes", refused)
        with pytest.raises(RefereeError, match="ulimit -n"):
            place.run(SEEDS[0], ())


@pytest.mark.parametrize("isolation", ["sandbox", "process"])
def test_an_interrupted_decision_leaves_no_bot(
    isolation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After Ctrl-C the server of the bot that was deciding has ended, and the bot with it."""
    servers: list[ForkServer] = []

    def interrupted(server: ForkServer, *_: object) -> None:
        servers.append(server)
        raise KeyboardInterrupt

    sleeping, seating = command("sleep", "60"), seated(isolation)
    with workspace.open_workspace(sleeping, seating) as place:
        monkeypatch.setattr(ForkServer, "collect", interrupted)
        with pytest.raises(KeyboardInterrupt):
            place.run(SEEDS[0], ())
    assert [server.process.returncode is None for server in servers] == [False]


def test_an_interrupt_closes_no_descriptor_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sandbox whose scratch was being closed when Ctrl-C came ends without an error."""
    one = pool.take(command("true"), "sandbox")
    close = os.close

    def interrupted(descriptor: int) -> None:
        close(descriptor)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "close", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pool.give_back(one)
    monkeypatch.undo()
    one.end()


# --- logs ----------------------------------------------------------------------------------------


def held(
    folder: Path, card: Card, bots: Sequence[Bot], level: str, cold: bool, **settings: int
) -> dict[str, bytes]:
    """Return the logs of a tournament."""
    model = card.settings(settings)
    planned = tournament.plan(card, bots, model, SEED, None, folder, level, cold)
    with patience():
        tournament.play(planned, serial, lambda done, total: None)
    return contents(folder)


GAMES: list[tuple[Card, dict[str, int]]] = [
    (CARD, {"rounds": 1, "max_calls": 4}),
    (COINS, {"games": 1, "rounds": 2}),
    (HEIST, {"games_min": 2, "games_max": 2, "rabble": 5}),
]


@pytest.mark.parametrize(("card", "settings"), GAMES)
def test_tournaments_are_the_same(card: Card, settings: dict[str, int], tmp_path: Path) -> None:
    """Logs have the same bytes in a process and in a sandbox, warm and cold."""
    missing = command("no-such-program", name="missing")
    [script] = [bot(tmp_path, "first.sh", FIRST + "act", card)]
    odd = replace(make("import sys; print('N'); sys.exit(len(sys.argv) % 2)"), name="it's-odd")
    bots = [script, odd, missing]
    found = [
        held(tmp_path / f"{level}{cold}", card, bots, level, cold, **settings)
        for level, cold in (("process", False), ("sandbox", False), ("sandbox", True))
    ]
    assert found[0] == found[1] == found[2]
    assert b'"fault"' in b"".join(found[0].values())


FAULTS = {
    "load": {"head": "import os, sys, time\n1 / 0"},
    "construct": {"init": "if index == 1: raise ValueError"},
    "select": {"select": "return 11 if self.round == 2 else 3"},
    "update": {"update": "os._exit(self.round)"},
    "time": {"select": "time.sleep(9 if self.round == 2 else 0)\nreturn 4"},
}


@pytest.mark.parametrize("fault", FAULTS)
@short_decisions(0.2)
def test_matches_of_classes_are_the_same(fault: str, tmp_path: Path) -> None:
    """A class that fails in any step gives the same bytes in a sandbox, if played alone."""
    good = [class_bot(tmp_path, name, select="return self.index + 1") for name in "ab"]
    bots = [good[0], class_bot(tmp_path, "bad", **FAULTS[fault]), good[1]]
    logs = []
    for level in ("process", "sandbox"):
        settings = {"seats": 3, "rounds": 3, "time_limit_s": 1}
        one = replace(job(tmp_path / level, bots, UNIQUE, **settings), isolation=level)
        one.log.parent.mkdir()
        with patience():
            match.play(one)
        logs.append(one.log.read_bytes())
    assert logs[0] == logs[1]
    assert b'"fault"' in logs[0]


def test_tournaments_of_classes_are_the_same(tmp_path: Path) -> None:
    """A tournament gives the same bytes in batches, and singly if a bot fails."""
    bots = [class_bot(tmp_path, n, select="return 1 + self.index") for n in ("a", "b-c", "d")]
    bots += [
        class_bot(tmp_path, "keeps", head="import os\nseen = []", update="seen.append(choices)"),
        class_bot(tmp_path, "fails", select="return 3 if self.index else 1 // 0"),
    ]
    settings = {"seats": 3, "rounds": 4, "games_per_entrant": 3, "min_games_per_entrant": 0}
    found = [
        held(tmp_path / level, UNIQUE, bots, level, False, **settings)
        for level in ("process", "sandbox")
    ]
    assert found[0] == found[1]
    assert b'"crash"' in found[0]["tournament.jsonl"]


def test_the_evidence_tells_of_the_sandbox(tmp_path: Path) -> None:
    """The evidence names the isolation, and the limits that are in force."""
    bots = [honest(tmp_path), honest(tmp_path, "other.sh")]
    one = replace(job(tmp_path, bots, max_calls=1), isolation="sandbox")
    match.play(one)
    told = json.loads(one.evidence.read_bytes().splitlines()[0])
    expected = {
        "wall_s": 10,
        "cpu_s": 11,
        "address_space": limits.ADDRESS_SPACE,
        "file": limits.FILE,
        "open_files": limits.OPEN_FILES,
        "processes": limits.PROCESSES,
        "scratch": limits.SCRATCH,
    }
    if cgroup.has_cgroup():
        expected["memory"] = limits.MEMORY
    assert (told["isolation"], told["limits"]) == ("sandbox", expected)


# --- hostile bots --------------------------------------------------------------------------------

MARKS = """import fcntl, os, time
print(os.getpriority(os.PRIO_PROCESS, 0), fcntl.fcntl(0, fcntl.F_GETFL) & os.O_APPEND)
print(os.path.exists('/proc/1/stat'), time.time() - os.stat('/dev/null').st_mtime < 1)
print(os.listxattr('/tmp'), os.stat('/tmp').st_mode)
for mark in (
    lambda: os.setpriority(os.PRIO_USER, 0, 7),
    lambda: fcntl.fcntl(0, fcntl.F_SETFL, os.O_APPEND),
    lambda: os.utime('/dev/null'),
    lambda: os.setxattr('/tmp', 'user.note', b'here'),
    lambda: os.chmod('/tmp', 0o700),
):
    try:
        mark()
    except OSError:
        pass
"""


def test_a_bot_leaves_no_mark_on_what_stays() -> None:
    """A bot finds no mark of its own on its helper, standard input, devices or /tmp."""
    found = [once(make(MARKS)).output for _ in range(2)]
    assert found[0] == found[1] != b""


@pytest.mark.parametrize("line", ["#!{0}/bin/python3", "#!/tmp/../bin/sh", "#!/usr/bin/env ./x"])
def test_a_bots_first_line_starts_nothing_outside(line: str, prefix: Path) -> None:
    """A program that only the bot's first line names crashes, and does not run outside."""
    (prefix / "bin").mkdir()
    own = prefix / "bin" / "python3"
    own.write_text(f"#!/bin/sh\ntouch {prefix}/ran\n")
    own.chmod(0o755)
    shown = command("./fox.sh", executable=True, fox_sh=f"{line.format(prefix)}\necho 1\n")
    assert shown.programs == []
    outcome = once(shown)
    assert outcome.crashed == (line != "#!/tmp/../bin/sh")
    assert not (prefix / "ran").exists()


def test_a_full_room_is_replaced_for_the_next_file() -> None:
    """A bot that filled its sandbox gets its next history all the same."""
    fills = make(
        "import os\nos.mkdir('/tmp/x')\n"
        "with open('/tmp/x/y', 'wb') as file, open('/tmp/x/z', 'wb') as other:\n"
        "    try:\n"
        "        while True: file.write(bytes(1 << 20)) if file.tell() < 60 << 20 else "
        "other.write(bytes(1 << 20))\n"
        "    except OSError:\n        pass\n"
        "for number in range(99):\n"
        "    with open(f'/tmp/x/{number}', 'wb') as file:\n"
        "        try:\n            file.write(bytes(60 << 20))\n"
        "        except OSError:\n            break\n"
    )
    with workspace.open_workspace(fills, seated()) as place:
        place.run(SEEDS[0], ())
        with place.file("history.txt", bytes(1 << 20)) as (folder, path):
            assert os.listdir(folder) == ["history.txt"]  # noqa: PTH208
            assert path.endswith("/history.txt")


def test_a_file_has_one_path_in_a_match() -> None:
    """The history has the same path in each call of a match, and another path in other matches."""
    paths = []
    for _ in range(2):
        with workspace.open_workspace(
            make("import os, sys; os.mkdir(sys.argv[1] + '.d')"), seated()
        ) as place:
            for number in range(3):
                with place.file("history.txt", b"%d" % number) as (folder, path):
                    assert os.listdir(folder) == ["history.txt"]  # noqa: PTH208
                    assert place.run(SEEDS[0], [path]).exit == 0
                paths.append(path)
    assert paths[0] == paths[1] == paths[2] != paths[3] == paths[4] == paths[5]


LINKS = """
import os, shutil, sys
place = os.path.dirname(os.path.dirname(sys.argv[1]))
shutil.rmtree(place)
os.symlink(sys.argv[2], place)
"""


def test_a_link_where_a_file_belongs_leads_nowhere(tmp_path: Path) -> None:
    """A link that a bot makes in place of its history's folder is not followed."""
    target = tmp_path / "target"
    target.mkdir()
    with workspace.open_workspace(make(LINKS), seated()) as place:
        for _ in range(2):
            with place.file("history.txt", b"x") as (folder, path):
                assert os.listdir(folder) == ["history.txt"]  # noqa: PTH208
                assert place.run(SEEDS[0], [path, str(target)]).exit == 0
    assert list(target.iterdir()) == []


def test_a_large_script_is_compiled_in_its_own_time() -> None:
    """A script that takes long to compile starts cold."""
    large = make("x = [" + "0," * 200_000 + "]\nprint(len(x))")
    begun = seated()
    with workspace.open_workspace(large, begun) as place:
        assert room_of(place).sandbox.script == ""
        assert place.run(SEEDS[0], ()).output == b"200000\n"
