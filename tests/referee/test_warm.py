"""A script that runs warm behaves like one in a fresh interpreter."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from referee import in_bot, tournament
from referee.bot import Bot, BotFile
from referee.environment import NO_SEED, environment
from referee.in_bot.forks import SMALL, text
from referee.outcome import Outcome
from referee.pools import pool
from referee.processes import fork_client
from referee.processes.fork_client import ForkServer
from referee.roster.resolve import resolve
from schema.card import Card
from schema.executor import serial
from tests.koth.commands import ROOT
from tests.referee.bot_factory import CARD, COINS, HEIST, PATIENCE, contents, run_warm, start
from tests.sampling import FACTOR, one_in, sampled

SEEDS = ["1" * 64, "2" * 64]

SAME = {
    "nothing": "",
    "its arguments": "import sys; print(sys.argv, sys.orig_argv[1:])",
    "its name and file": "print(__name__, __file__, __doc__, __package__, __spec__)",
    "what is cached of it": "print(__cached__)",
    "its docstring": '"""Mine."""\nprint(__doc__)',
    "its loader": "print(type(__loader__), __loader__.name, __loader__.path)",
    "all that it finds": "print(list(globals()), __annotations__)",
    "itself among the modules": (
        "import sys; x = 1; print(sys.modules['__main__'].x, vars(sys.modules['__main__']) is "
        "globals(), 'fork_server' in sys.modules, any('koth' in m for m in sys.modules))"
    ),
    "where it imports from": "import sys; print(sys.path)",
    "what is cached of that": "import sys; print(list(map(repr, sys.path_importer_cache.items())))",
    "its folder": "import os; print(os.getcwd(), os.listdir())",
    "its environment": (
        "import os; print(list(os.environ.items()), os.getenv('KOTH_BOT_SEED'), flush=True)\n"
        "os.system('echo $KOTH_BOT_SEED; env | cut -d= -f1 | sort')"
    ),
    "its interpreter": "import sys; print(sys.executable, sys.flags, sys.warnoptions, sys.version)",
    "its hashes": "print(hash('koth'), set('abcdef'))",
    "its standard input": "import sys; print(repr(sys.stdin.read()), sys.stdin)",
    "its streams": (
        "import sys\nfor s in sys.stdout, sys.stderr:\n    print(s.name, s.encoding, s.errors, "
        "s.isatty(), s.line_buffering, s.seekable(), s.buffer.raw.mode)"
    ),
    "its descriptors": (
        "import os\nfolder = '/proc/self/fd'\nfor number in sorted(map(int, os.listdir(folder))):\n"
        "    path = f'{folder}/{number}'\n"
        "    print(number) if os.path.exists(path) and 'libffi' not in os.readlink(path) else None"
    ),
    "its session": "import os; print(os.getpid() == os.getsid(0) == os.getpgrp(), os.umask(0))",
    "its signals": (
        "import signal\nprint([(s.name, signal.getsignal(s)) for s in signal.valid_signals() "
        "if isinstance(s, signal.Signals) and callable(signal.getsignal(s))], "
        "signal.pthread_sigmask(0, []), signal.getsignal(signal.SIGPIPE))"
    ),
    "its limits": (
        "import resource as r; print([r.getrlimit(x) for x in (r.RLIMIT_FSIZE, r.RLIMIT_CORE, "
        "r.RLIMIT_NOFILE)])"
    ),
    "its thread": (
        "import threading as t\nprint(t.current_thread() is t.main_thread(), t.active_count())"
    ),
    "how deep it can go": (
        "def f(n):\n    global d\n    d = n\n    f(n + 1)\ntry:f(0)\nexcept RecursionError:print(d)"
    ),
    "its source": "import inspect\ndef f(): return 1\nprint(inspect.getsource(f))",
    "its own classes, pickled": (
        "import pickle\nclass A: x = 1\nprint(pickle.loads(pickle.dumps(A())).x, A.__module__, A)"
    ),
    "a module of its own": "import ours; print(ours.x, ours.__file__)",
    "a module that it writes": (
        "open('mine.py', 'w').write('x = 3')\nimport mine; print(mine.x, mine.__file__)"
    ),
    "sys.exit": "import sys; print(1); sys.exit()",
    "sys.exit 3": "import sys; print(1); sys.exit(3)",
    "sys.exit 256": "import sys; print(1); sys.exit(256)",
    "sys.exit -1": "import sys; print(1); sys.exit(-1)",
    "sys.exit True": "import sys; print(1); sys.exit(True)",
    "sys.exit with words": "import sys; print(1); sys.exit('no more')",
    "SystemExit in a function": "def f():\n    raise SystemExit(4)\nf()",
    "SystemExit caught": "try: raise SystemExit(4)\nexcept SystemExit: print('no')",
    "exit and quit": "print(exit, quit); exit(5)",
    "os._exit": "import os; print('lost'); os._exit(6)",
    "os._exit after a flush": "import os; print('kept', flush=True); os._exit(0)",
    "an exception": "def f():\n    return 1 / 0\nprint('before')\nf()",
    "an exception of its own": "class Mine(Exception): pass\nraise Mine('ä') from ValueError(3)",
    "an exception in an exception": "try: 1 / 0\nexcept ZeroDivisionError: nothing",
    "a hook for exceptions": (
        "import sys, traceback\ndef hook(k, e, t): print(k, e, traceback.extract_tb(t))\n"
        "sys.excepthook = hook\n1 / 0"
    ),
    "a hook that fails": "import sys\ndef hook(*a): raise SystemExit(9)\nsys.excepthook=hook\n1/0",
    "a traceback printed": (
        "import traceback\ntry: 1 / 0\nexcept ZeroDivisionError: traceback.print_exc()"
    ),
    "a warning": "import warnings; warnings.warn('careful')",
    "a deprecation": "import warnings\nwarnings.warn('old', DeprecationWarning)",
    "an interrupt": "import os, signal; os.kill(os.getpid(), signal.SIGINT)",
    "an interrupt caught": (
        "import os, signal\ntry: os.kill(os.getpid(), signal.SIGINT)\n"
        "except KeyboardInterrupt: print('well')"
    ),
    "terminated": "import os, signal; print('x'); os.kill(os.getpid(), signal.SIGTERM)",
    "killed": "import os; os.kill(os.getpid(), 9)",
    "aborted": "import os; os.abort()",
    "a segmentation fault": "import ctypes; ctypes.string_at(0)",
    "its group killed": "import os; os.killpg(0, 9)",
    "atexit": "import atexit; atexit.register(print, 'bye'); print('hello')",
    "atexit after an error": "import atexit; atexit.register(print, 'bye'); 1 / 0",
    "an error at exit": "import atexit; atexit.register(divmod, 1, 0)",
    "a thread that goes on": (
        "import threading, time\n"
        "threading.Thread(target=lambda: (time.sleep(.05), print('late'))).start()\nprint('early')"
    ),
    "a daemon thread": (
        "import threading, time\n"
        "threading.Thread(target=lambda: (time.sleep(9), print(1)), daemon=True).start()"
    ),
    "an object with a last word": "class A:\n    def __del__(self): print('gone')\na = A()",
    "a cycle with a last word": (
        "class A:\n    def __del__(self): print('gone')\na = A(); a.a = a; del a"
    ),
    "a generator left open": (
        "def f():\n    try: yield 1\n    finally: print('closed')\ng = f(); next(g)"
    ),
    "a callback for a death": (
        "import weakref\nclass A: pass\na = A(); r = weakref.ref(a, lambda r: print('dead'))"
    ),
    "a type with a hash of its own": (
        "class M(type):\n    def __hash__(c): print('hashed'); return 1\n"
        "class A(metaclass=M): pass\na = A()"
    ),
    "weakref.finalize": "import weakref\nclass A: pass\na = A(); weakref.finalize(a, print, 'end')",
    "a file left open": "f = open('left', 'w'); f.write('kept')",
    "a file left open in a list": "import sys\nsys.a = [open('left', 'w')]\nsys.a[0].write('x')",
    "another standard output": "import io, sys; sys.stdout = io.StringIO(); print('lost')",
    "standard output into a file": "import sys; sys.stdout = open('left', 'w'); print('kept')",
    "a closed standard output": "import sys; print('x'); sys.stdout.close()",
    "a closed descriptor": "import os; os.close(1); print('lost')",
    "all descriptors closed": "import os; os.closerange(0, 99)",
    "odd descriptors written to": (
        "import os\nfor fd in range(3, 99):\n    try: os.write(fd, b'ended 0 1\\n')\n"
        "    except OSError: pass\nprint('done')"
    ),
    "no standard output": "import sys; sys.stdout = None; print(1)",
    "standard error": "import sys; print('oh', file=sys.stderr); print('no')",
    "bytes": "import sys; sys.stdout.buffer.write(b'\\xff\\0'); sys.stderr.buffer.write(b'e')",
    "a fork that lives on": "import os, time\nif os.fork() == 0: time.sleep(60)\nprint('left')",
    "a fork whose parent has ended": (
        "import os, time\nif os.fork(): os._exit(0)\ntime.sleep(60); print('alone')"
    ),
    "a fork waited for": (
        "import os\npid = os.fork()\nif not pid: print('child'); raise SystemExit(7)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))"
    ),
    "a program": "import subprocess; subprocess.run(['echo', 'hi']); print('end')",
    "another program instead": "import os; os.execlp('echo', 'echo', 'hi')",
    "itself again": (
        "import os, sys\nif len(sys.argv) < 5:\n os.execv(sys.executable, ["
        "sys.executable, *sys.argv, "
        "'x'])\nprint(sys.argv, os.environ['KOTH_BOT_SEED'])"
    ),
    "a process pool": (
        "from concurrent.futures import ProcessPoolExecutor\n"
        "if __name__ == '__main__':\n    with ProcessPoolExecutor(1) as p: print(*p.map(abs, [-1]))"
    ),
    "another folder": "import os; os.chdir('/'); print(__file__, os.getcwd())",
    "another script": "print(exec(compile('x = __name__', 'a', 'exec')), x)",
    "types of its own": (
        "import enum, dataclasses, typing, collections\nC = enum.Enum('C', 'a b')\n"
        "@dataclasses.dataclass\nclass D: x: int = 1\nP = collections.namedtuple('P', 'x y')\n"
        "print(C.a, C.__module__, D(), typing.get_type_hints(D), P(1, 2), P.__module__)"
    ),
    "tracing": "import sys; sys.setprofile(lambda *a: None); sys.settrace(lambda *a: None)",
    "a future": "from __future__ import annotations\ndef f(x: y): pass\nprint(f.__annotations__)",
    "no future": "def f(x: int): pass\nprint(f.__annotations__)",
    "numbers by a seed": "import random; random.seed(1); print(random.random())",
    "long output": "print('x' * 300_000)",
    "asyncio": "import asyncio\nasync def f(): return 3\nprint(asyncio.run(f()))",
    "unprintable": "print('\\ud800')",
}
"""Scripts that run warm, with the same result."""

COLD: dict[str, str | bytes] = {
    "a syntax error": "print(",
    "a warning of the compiler": "print(1 is 1)",
    "a NUL": "print(1)\0",
    "no UTF-8": b"print('\xff')",
    "an encoding": "# -*- coding: latin-1 -*-\nprint('x')",
}
"""Scripts that must run in a fresh interpreter."""

SCRIPTS: dict[str, str | bytes] = {**SAME, **COLD}


@pytest.fixture(autouse=True)
def _no_script_is_left() -> Iterator[None]:
    yield
    pool._scripts.shrink(0)


@pytest.fixture(autouse=True, scope="module")
def _no_helper_is_left() -> Iterator[None]:
    yield
    pool.close()


@pytest.fixture(params=["all processors", "one processor"])
def _processors(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run the helpers on all processors or on one; on one, a fork does not rehearse."""
    ours = os.sched_getaffinity(0)
    if request.param == "one processor":
        os.sched_setaffinity(0, {min(ours)})
    yield
    os.sched_setaffinity(0, ours)


def make(source: str | bytes, **files: str) -> Bot:
    """Return a bot of this source, with other files."""
    content = {"fox.py": source, "ours.py": "x = 2"} | {f"{n}.py": t for n, t in files.items()}
    encoded = {n: t.encode() if isinstance(t, str) else t for n, t in content.items()}
    listed = tuple((name, BotFile(data, False)) for name, data in sorted(encoded.items()))
    return Bot("fox", (sys.executable, "fox.py"), listed)


ARGUMENTS = ["a b", "", "ä\udcff"]


def cold(bot: Bot, home: Path, seed: str = SEEDS[0], limit: float = PATIENCE) -> Outcome:
    """Run a decision in a fresh interpreter."""
    return start([*bot.command, *ARGUMENTS], home, seed, limit)


def ran(outcome: Outcome | None) -> Outcome:
    """Return the outcome of a decision that must have run warm."""
    assert outcome is not None
    return outcome


def warmly(bot: Bot, home: Path, seed: str = SEEDS[0], limit: float = PATIENCE) -> Outcome | None:
    """Run a decision in the bot's helper; return None if the helper refuses it."""
    return run_warm(bot, home, seed, ARGUMENTS, limit)


def told(outcome: Outcome, home: Path) -> dict[str, object]:
    """Return everything that must be the same in both runs."""
    left = {
        str(path.relative_to(home)): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    return vars(outcome) | {"seconds": 0, "computed": 0, "waited": 0, "left": left}


@pytest.mark.usefixtures("_processors")
@pytest.mark.parametrize("name", one_in(3, {name: name for name in SCRIPTS}))
def test_it_comes_out_the_same(name: str, tmp_path: Path) -> None:
    """Exit status, output, errors and files are those of a fresh interpreter, every time."""
    bot = make(SCRIPTS[name])
    home = tmp_path / "fox"
    for seed in SEEDS:
        found = []
        for run in (warmly,) if name in COLD else (warmly, cold):
            bot.install(home)
            outcome = run(bot, home, seed)
            assert (outcome is None) == (name in COLD)
            found.append(outcome and told(outcome, home))
            shutil.rmtree(home)
        assert found[0] == found[-1]


def test_what_was_changed_is_run_cold(tmp_path: Path) -> None:
    """A script that an earlier decision changed, moved or linked does not run warm."""
    bot, home = make("print(1)"), tmp_path / "fox"
    script = home / "fox.py"
    bot.install(home)
    assert ran(warmly(bot, home)).output == b"1\n"
    script.write_text("print(2)")
    assert warmly(bot, home) is None
    bot.install(home)
    script.rename(home / "wolf.py")
    assert warmly(bot, home) is None
    script.symlink_to("wolf.py")
    assert warmly(bot, home) is None
    script.unlink()
    os.mkfifo(script)
    assert warmly(bot, home) is None
    script.unlink()
    bot.install(tmp_path / "other")
    assert ran(warmly(bot, tmp_path / "other")).output == b"1\n"
    shutil.rmtree(home)
    assert warmly(bot, home) is None


def test_a_module_in_the_place_of_a_loaded_one_is_run_cold(tmp_path: Path) -> None:
    """A decision does not run warm if a file hides a module that is already loaded."""
    bot, home = make("import random; print(random.__file__)"), tmp_path / "fox"
    bot.install(home)
    assert b"fox" not in ran(warmly(bot, home)).output
    (home / "random.py").touch()
    assert warmly(bot, home) is None
    assert warmly(make("", random="x = 1"), home) is None


@pytest.mark.parametrize(
    "command",
    [("sh", "fox.py"), ("./python", "fox.py"), (sys.executable, "-O", "fox.py"), (sys.executable,)],
)
def test_only_a_python_script_runs_warm(command: tuple[str, ...], tmp_path: Path) -> None:
    """A command other than a Python script does not run warm."""
    assert replace(make(""), command=command).script == ""


def test_a_file_whose_name_is_an_option_does_not_run_warm() -> None:
    """``python -c.py`` runs no file, so a bot of that file fails warm as it does cold."""
    assert Bot("fox", (sys.executable, "-c.py"), (("-c.py", BotFile(b"", False)),)).script == ""


def test_arguments_of_the_command_come_first(tmp_path: Path) -> None:
    """Arguments of the command come before the arguments of the decision."""
    fixed = make("import sys; print(sys.argv)")
    bot = replace(fixed, command=(*fixed.command, "-v"))
    bot.install(tmp_path)
    assert ran(warmly(bot, tmp_path)).output == cold(bot, tmp_path).output


def test_nothing_stays_from_one_decision_to_the_next(tmp_path: Path) -> None:
    """No module, variable or limit changes between decisions, and random numbers differ."""
    bot = make(
        "import os, random, sys, json\n"
        "print(hasattr(json, 'mine'), os.environ.get('MINE'), sys.getrecursionlimit() < 2000)\n"
        "print(random.random())\n"
        "json.mine = os.environ['MINE'] = 'x'; sys.setrecursionlimit(5000)"
    )
    bot.install(tmp_path)
    lines = [ran(warmly(bot, tmp_path)).output.splitlines() for _ in range(4)]
    assert {line[0] for line in lines} == {b"False None True"}
    assert len({line[1] for line in lines}) == 4


def test_signals_that_the_referee_ignores_or_blocks(tmp_path: Path) -> None:
    """A bot finds the signals of an ordinary start, also in a worker that ignores Ctrl-C."""
    pool.close()
    bot = make(
        "import signal as s; print(s.getsignal(s.SIGINT), s.getsignal(s.SIGHUP) == s.SIG_DFL, "
        "s.pthread_sigmask(0, []))"
    )
    bot.install(tmp_path)
    ignored = signal.SIGINT, signal.SIGHUP
    before = [signal.signal(number, signal.SIG_IGN) for number in ignored]
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    try:
        outcomes = [ran(warmly(bot, tmp_path)), cold(bot, tmp_path)]
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in zip(ignored, before, strict=True):
            signal.signal(number, handler)
        pool.close()
    printed = b"<built-in function default_int_handler> True set()\n"
    assert [outcome.output for outcome in outcomes] == [printed, printed]


def test_a_bot_waited_no_longer_than_its_decision_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time that the helper waited before the decision does not count."""
    monkeypatch.setattr("referee.processes.fork_client.spent", lambda number: (1, 3_600_000_000))
    bot = make("import time; print(1)")
    bot.install(tmp_path)
    outcome = ran(warmly(bot, tmp_path))
    assert outcome.waited == outcome.seconds


def test_times_of_a_sandbox_are_not_those_of_a_process_outside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A fork whose sandbox knows no times has none: its number means another process here."""
    monkeypatch.setattr("referee.processes.fork_client.spent", lambda number: (1, 3_600_000_000))
    server = ForkServer(make(""), "", environment(NO_SEED))
    server.end_of_fork(b"ended", 0, 0, 0)
    assert server.spent == (0, 0)
    server.end_of_fork(b"ended", 0)
    assert server.spent == (1, 3_600_000_000)
    server.end()


def test_an_interrupt_at_the_start_leaves_no_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the start of a helper is interrupted, its process ends, and no descriptor stays open."""
    started: list[ForkServer] = []

    def interrupted(self: ForkServer, patience: float = 0) -> None:
        started.append(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(ForkServer, "await_fork", interrupted)
    before = len([*Path("/proc/self/fd").iterdir()])
    with pytest.raises(KeyboardInterrupt):
        pool.take(make(""), "process", cold=True)
    assert len([*Path("/proc/self/fd").iterdir()]) == before
    assert started[0].process.returncode is not None


def test_a_decision_without_arguments(tmp_path: Path) -> None:
    """A script without arguments has only its name in ``sys.argv``."""
    bot = make("import sys; print(sys.argv)")
    bot.install(tmp_path)
    assert ran(run_warm(bot, tmp_path, SEEDS[0], [], PATIENCE)).output == b"['fox.py']\n"


@pytest.mark.parametrize("body", ["import time; time.sleep(60)", "[0 for _ in iter(int, 1)]"])
def test_a_bot_that_is_too_slow_is_killed(body: str, tmp_path: Path) -> None:
    """A script is killed with its group at the time limit, and the next decision succeeds."""
    bot = make("import os, sys\nprint(os.getpid(), flush=True)\nif sys.argv[1]: " + body)
    bot.install(tmp_path)
    outcome = ran(warmly(bot, tmp_path, limit=0.2))
    assert (outcome.timed_out, outcome.exit) == (True, -signal.SIGKILL)
    quick = ran(run_warm(bot, tmp_path, SEEDS[0], [""], PATIENCE))
    assert (quick.timed_out, quick.exit) == (False, 0)
    assert not Path(f"/proc/{int(quick.output)}/cwd").exists()


def test_a_flood_is_stopped(tmp_path: Path) -> None:
    """Endless output is cut."""
    bot = make("while True: print('x' * 9999)")
    bot.install(tmp_path)
    outcome = ran(warmly(bot, tmp_path))
    assert (outcome.flooded, outcome.crashed) == (True, False)


HARM = {
    "kills its parent": ("os.kill(os.getppid(), 9)", "crash"),
    "kills its parent and goes on": ("os.kill(os.getppid(), 9); time.sleep(60)", "crash"),
    "stops its parent": ("os.kill(os.getppid(), 19)", "timeout"),
    "terminates its parent": ("os.kill(os.getppid(), 15)", "crash"),
    "interrupts its parent": ("os.kill(os.getppid(), 2)", "crash"),
    "kills all of its parent's children": (
        "[os.kill(int(p), 9) for p in open(f'/proc/{os.getppid()}/task/{os.getppid()}/children')"
        ".read().split() if int(p) != os.getpid()]; os._exit(3)",
        "crash",
    ),
}


@pytest.mark.parametrize("name", HARM)
def test_a_helper_harmed_by_its_bot_is_replaced(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A decision that harms its helper is a fault, and the next decision succeeds."""
    monkeypatch.setattr(fork_client, "REPLY_TIMEOUT", 0.1)
    body, fault = HARM[name]
    bot = make(f"import os, sys, time\nif sys.argv[1]: {body}\nprint('well')")
    bot.install(tmp_path)
    outcome = ran(warmly(bot, tmp_path, limit=1.0))
    assert (outcome.crashed, outcome.timed_out) == (fault == "crash", fault == "timeout")
    for _ in range(3):
        good = ran(run_warm(bot, tmp_path, SEEDS[0], [""], PATIENCE))
        assert (good.exit, good.output) == (0, b"well\n")


def test_all_orphans_are_killed(tmp_path: Path) -> None:
    """A helper kills all processes that a script left, more than one short read lists."""
    orphans = SMALL // len("12345 ") + 10 * FACTOR
    bot = make(
        f"import os, time\nfor _ in range({orphans}):\n    if not os.fork():\n"
        "        os.setsid(); time.sleep(60); os._exit(0)\n"
        "print(open('/proc/thread-self/children').read())"
    )
    bot.install(tmp_path)
    outcome = ran(warmly(bot, tmp_path))
    left = outcome.output.split()
    assert len(left) == orphans
    assert not [number for number in left if Path(f"/proc/{int(number)}").exists()]


@pytest.mark.parametrize("size", [0, SMALL - 1, SMALL, SMALL + 1, 9 * SMALL])
def test_a_list_of_children_is_read_to_its_end(size: int, tmp_path: Path) -> None:
    """No number at the end of a list is cut: it would be the number of another process."""
    path = tmp_path / "children"
    path.write_bytes(b"7" * size)
    assert text(str(path)) == b"7" * size


def test_nothing_is_left_open(tmp_path: Path) -> None:
    """Many decisions, and the end of a helper, leave no descriptor open."""
    pool.close()
    bot = make("import os; print(len(os.listdir('/proc/self/fd')), os.open('/', 0))")
    bot.install(tmp_path)
    fds = Path("/proc/self/fd")
    before = len(list(fds.iterdir()))
    first = ran(warmly(bot, tmp_path))
    held = len(list(fds.iterdir()))
    for _ in range(30 * FACTOR):
        last = ran(warmly(bot, tmp_path))
    assert (last.output, len(list(fds.iterdir()))) == (first.output, held)
    pool.close()
    assert len(list(fds.iterdir())) == before


def test_only_so_many_helpers_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The helpers that were unused for longest are ended; above the maximum bots start cold."""
    monkeypatch.setattr(pool, "MAX_SERVERS", 2)
    bots = [make(f"print({number})") for number in range(4)]
    homes = [tmp_path / str(number) for number in range(4)]
    for bot, home in zip(bots, homes, strict=True):
        bot.install(home)
        pool.expect([bot], "process")
        assert warmly(bot, home)
    pool.expect(bots[1:], "process")
    assert [bool(warmly(bot, home)) for bot, home in zip(bots, homes, strict=True)][1:] == [
        False,
        True,
        True,
    ]


ALIVE = """
import os, sys, time
from pathlib import Path
sys.path.insert(0, ROOT)
from tests.referee.test_warm import make, warmly
home = Path("fox").absolute()
for number in range(2):
    bot = make(f"import os, sys, time; print({number}, os.getppid(), flush=True); "
        "time.sleep(60 if os.path.exists('wait') else 0)")
    bot.install(home)
    print(warmly(bot, home).output.split()[1].decode(), flush=True)
"""
ENDS = {
    "its end": "",
    "an error": "1 / 0",
    "a signal": "os.kill(os.getpid(), 15)",
    "a kill": "os.kill(os.getpid(), 9)",
    "an exit": "os._exit(3)",
    "an interrupt": "os.kill(os.getpid(), 2)",
    "a kill during a decision": (
        "(home / 'wait').touch(); import threading\n"
        "threading.Timer(.3, os.kill, (os.getpid(), 9)).start(); warmly(bot, home)"
    ),
}


@pytest.mark.parametrize(
    "how",
    sampled(
        {how: how for how in ENDS},
        ["its end", "a kill during a decision"],
    ),
)
def test_helpers_end_with_their_process(how: str, tmp_path: Path) -> None:
    """All processes of helpers and bots end with the process that started them."""
    source = ALIVE.replace("ROOT", repr(str(ROOT))) + ENDS[how]
    ended = subprocess.run([sys.executable, "-c", source], cwd=tmp_path, capture_output=True)
    helpers = ended.stdout.split()
    assert len(helpers) == 2
    end = time.monotonic() + PATIENCE
    while of_folder(tmp_path) or any(Path(f"/proc/{int(pid)}/cwd").exists() for pid in helpers):
        assert time.monotonic() < end
        time.sleep(0.01)


SLOW_FORK = """
import os, select, sys, time
sys.path.insert(0, IN_BOT)
import fork_server
from socket import socketpair

def close_after(*arguments):
    is_told = announce(*arguments)
    ours.close()
    return is_told

ours, theirs = socketpair()
announce, fork_server.announce = fork_server.announce, close_after
os.setsid = lambda: (ours.close(), time.sleep(600))
BEFORE
print(fork_server.keep_a_fork_ready(theirs, os.pipe()[0], select.poll(), None, []))
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("no fork is left")
"""


@pytest.mark.parametrize("before", ["", "ours.close()"], ids=["told", "not told"])
def test_a_fork_that_has_not_begun_its_session_ends_with_the_referee(before: str) -> None:
    """A referee may be killed between a fork and the fork's first step, as it is under load."""
    source = SLOW_FORK.replace("IN_BOT", repr(in_bot.__path__[0])).replace("BEFORE", before)
    server = subprocess.Popen([sys.executable, "-c", source], stdout=-1, start_new_session=True)
    try:
        output, _ = server.communicate(timeout=PATIENCE)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
    assert output.decode().splitlines() == ["False", "no fork is left"]


REMEMBERS = """
import os
for number in range(3, 32):
    try:
        print(number, os.lseek(number, 0, os.SEEK_CUR), os.pread(number, 6, 0))
        os.lseek(number, 17, os.SEEK_SET)
        os.pwrite(number, b"secret", 0)
    except OSError:
        pass
"""
"""Prints what is in its files, and leaves another offset and another content there."""

OPENS_FILES = f"""
import os, sys
sys.path.insert(0, {in_bot.__path__[0]!r})
from open_files import of_modules, renew
on_disk, in_memory = os.open(__file__, os.O_RDONLY), os.memfd_create("libffi")
os.write(in_memory, b"before")
other = os.open(__file__, os.O_RDONLY)
files = of_modules({{other}})
assert {{on_disk, in_memory}} <= {{*files}} and other not in files
for _ in range(2):
    if os.fork() == 0:
        os.close(other)
        renew(files)
        assert not any(map(os.get_inheritable, files))
        exec({REMEMBERS!r})
        sys.stdout.flush()
        os._exit(0)
    os.wait()
"""


def test_forks_share_no_files(tmp_path: Path) -> None:
    """No fork sees an earlier one's changes to the files that modules of their server opened."""
    (tmp_path / "main.py").write_text(OPENS_FILES)
    ran = subprocess.run([sys.executable, "main.py"], cwd=tmp_path, capture_output=True, check=True)
    lines = ran.stdout.decode().splitlines()
    assert len(lines) >= 4
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :]


def test_decisions_share_no_files(tmp_path: Path) -> None:
    """No decision finds what an earlier one left in a file that both have open."""
    bot = make(REMEMBERS)
    bot.install(tmp_path)
    first, second = (ran(warmly(bot, tmp_path)) for _ in range(2))
    assert (first.output, first.exit) == (second.output, 0)


def of_folder(folder: Path) -> list[str]:
    """Return the processes that run in ``folder``."""
    found = []
    for process_ in Path("/proc").glob("[0-9]*"):
        try:
            if Path(os.readlink(process_ / "cwd")).is_relative_to(folder):  # noqa: PTH115
                found.append(process_.name)
        except OSError:
            continue
    return found


def test_a_fork_of_the_referee_has_helpers_of_its_own(tmp_path: Path) -> None:
    """A forked process neither ends nor uses the helpers that its parent started."""
    bot = make("import os; print(os.getppid())")
    bot.install(tmp_path)
    helper = ran(warmly(bot, tmp_path)).output
    pid = os.fork()
    if pid == 0:
        other = ran(warmly(bot, tmp_path)).output
        pool.close()
        os._exit(other == helper)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert ran(warmly(bot, tmp_path)).output == helper


def held(folder: Path, card: Card, cold: bool, settings: dict[str, int]) -> dict[str, bytes]:
    """Return the logs of a tournament of the game's example bots, and a bot that fails."""
    examples = [bot for bot in resolve(["examples"], card) if bot.script][:3]
    bad = replace(make("import sys; print('N'); sys.exit(len(sys.argv) % 2)"), name="bad")
    planned = tournament.plan(
        card, [*examples, bad], card.settings(settings), "5" * 64, None, folder, "process", cold
    )
    tournament.play(planned, serial, lambda done, total: None)
    return contents(folder)


@pytest.mark.parametrize(
    ("card", "settings"),
    [
        (CARD, {"rounds": 1, "max_calls": 4}),
        (COINS, {"games": 1, "rounds": 3}),
        (HEIST, {"games_min": 2, "games_max": 2, "rabble": 5}),
    ],
)
def test_tournaments_are_the_same(card: Card, settings: dict[str, int], tmp_path: Path) -> None:
    """Logs have the same bytes warm and cold, and the evidence has the same results."""
    found = [held(tmp_path / str(cold), card, cold, settings) for cold in (False, True)]
    assert found[0] == found[1]
    notes = [
        [
            orjson.loads(line) | {"ms": 0, "cpu_ms": 0, "waited_ms": 0}
            for path in sorted((tmp_path / str(cold) / "evidence").glob("1-*"))
            for line in path.read_bytes().splitlines()
        ]
        for cold in (False, True)
    ]
    assert notes[0] == notes[1]


def test_a_server_serves_the_thread_that_started_it() -> None:
    """The kernel may end it together with this thread, which is no crash of another one's bot."""
    bot = Bot("bot", (sys.executable, "bot.py"), (("bot.py", BotFile(b"print(1)", False)),))

    def used() -> object:
        server = pool.take(bot, "process")
        pool.give_back(server)
        return server

    ours = used()
    with ThreadPoolExecutor(1) as thread:
        theirs = [thread.submit(used).result() for _ in range(2)]
    assert theirs[0] is theirs[1] is not ours
    assert used() is ours
