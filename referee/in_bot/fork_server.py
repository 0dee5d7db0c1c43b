"""Serve one Python script: run it in forks of this interpreter, a request at a time.

``main(CHANNEL, ISOLATION, LIMITS, STAYS, SCRIPT, *MODULES)``: CHANNEL is the descriptor of a
socket. Each message on it starts with its length in four bytes. The first message is the script's
source. Every other message is a request of words separated by NUL:

    run FOLDER SEED SECONDS ARGUMENT…     run the script in FOLDER
    start FOLDER SEED SECONDS COMMAND…    become the command instead
    remount                               in a sandbox: mount a new scratch, and wait for a request

SECONDS limits the processor time. The descriptors of standard output, standard error and possibly
standard input come with a request. The fork that takes a request exists before it arrives, and
finds the state of a fresh interpreter. Lines go out:

    fork NUMBER     this fork takes the next request
    ended STATUS    it has ended, by a signal if negative; it is reaped after the next fork
    failed ERRNO    it could not become the command
    cold            it did not run the script, which must be started as a command
    done RAN WAITED it has run the script to its end, and takes the next request, too

The last line is possible if STAYS is not empty (see staying). RAN and WAITED are the microseconds
for which the fork has run, and has waited for a processor.

If ISOLATION is ``sandbox``, this is process 1 of a sandbox (see init_process). A descriptor of the
fork then comes with ``fork``. ``ended`` means that no other process is left, and the same
microseconds follow its STATUS. With ``last`` before a request, a new scratch is mounted after its
fork, and comes with the next ``fork``.

This module imports few modules, and of Koth only its neighbours. When the channel closes, all
processes here end.
"""

from __future__ import annotations

import sys

FRESH = frozenset(sys.modules) - {"linecache"}
"""Modules that an interpreter loads before a script; no file of a bot can replace them."""

import gc  # noqa: E402
import os  # noqa: E402
import select  # noqa: E402
import warnings  # noqa: E402
from _frozen_importlib_external import SourceFileLoader  # noqa: E402
from _signal import (  # type: ignore[import-not-found] # noqa: E402 signal loads much more
    SIG_DFL,
    SIGKILL,
    SIGPIPE,
    SIGXFSZ,
    signal,
)
from _socket import SCM_RIGHTS, SOL_SOCKET, socket, socketpair  # noqa: E402
from resource import RLIMIT_CPU, RLIMIT_NOFILE, setrlimit  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, TracebackType
    from typing import NoReturn

    from referee.in_bot.forks import COLD, SMALL, adopt_orphans, end_children, end_fork, status
    from referee.in_bot.init_process import InitProcess
    from referee.in_bot.open_files import of_modules, renew
    from referee.in_bot.script_exit import can_exit_now, exit_now
    from referee.in_bot.script_start import find, name_script, reopen_stdin, reset_signals
    from referee.in_bot.staying import Stay
else:
    from forks import COLD, SMALL, adopt_orphans, end_children, end_fork, status
    from open_files import of_modules, renew
    from script_exit import can_exit_now, exit_now
    from script_start import find, name_script, reopen_stdin, reset_signals

DEPTH = 3 if sys.version_info < (3, 12) else 2
"""Levels of recursion below the script here, beyond those of its own interpreter.

Before Python 3.12 the call of ``exec`` is one.
"""

WARM_UPS = 20
"""Enough repetitions for Python to specialize the code that a fork runs."""

STARTED, STARTED_LAST = b"!", b"."
"""Reports of a fork: it starts the bot; and it is the last fork of a lifetime."""

REMOUNT = b"remount"
LAST = b"last\0"

LOADED_HERE = (
    "init_process",
    "forks",
    "open_files",
    "script_exit",
    "script_start",
    "staying",
    "_ctypes",
    "resource",
    "linecache",
)
"""Modules that only this module needs, and one that Python 3.13 loads for ``-c``."""

ENCODING = sys.getfilesystemencoding()
ENVIRONMENT = (b"KOTH_BOT_SEED", b"PYTHONHASHSEED", b"PATH", b"LANG")
CANNOT_START = 127
"""The exit status of a shell for a command that cannot start."""

EINVAL = 22

MAIN = "__name__ __doc__ __package__ __loader__ __spec__ __annotations__ __builtins__"


def main(number: str, isolation: str, limits: str, stays: str, script: str, *modules: str) -> None:
    """Keep a fork ready for each request; in it, run the script and end as an interpreter does."""
    channel = socket(fileno=int(number))
    _needed = os.pidfd_open, sys.orig_argv  # an older interpreter ends before it forks
    reset_signals()
    init = set_limits(isolation, limits, channel)
    if stays:
        import staying  # type: ignore[import-not-found]
    preload(modules)
    files = of_modules({*init.own_files} if init else set())
    receiver, reporter = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    source = receive(channel)[0]
    code = compile_script(source, script)
    shadowable = {"org", *(name.partition(".")[0] for name in sys.modules.keys() - FRESH)}
    names = sys.modules["__main__"].__dict__
    names.update(__file__="", __loader__=SourceFileLoader("__main__", script))
    if sys.version_info < (3, 15):
        names["__cached__"] = None
    poll = select.poll()
    has_idle_processor = len(os.sched_getaffinity(0)) > 1
    gc.collect()
    gc.freeze()
    warm_up(code, script, init)
    gc.collect()
    gc.freeze()
    if not keep_a_fork_ready(channel, receiver, poll, init, files):
        return
    stay: Stay | None = staying.Stay(code, names, channel, receiver) if stays else None
    if script and has_idle_processor:
        rehearse(code, script)
    # These steps are not functions: a fork copies each page of code that it runs first.
    while True:
        os.close(1)  # the pipes of the request take the free numbers
        os.close(2)
        request, pipes = receive(channel)
        while init and request == REMOUNT:
            if stay and not stay.first:  # it has no capability to mount any more
                os.write(reporter, STARTED_LAST)
                os._exit(0)
            init.send_scratch(channel, b"remount\n", init.remount())
            request, pipes = receive(channel)
        if not request:
            os._exit(0)
        if init and (stay is None or stay.first):
            init.drop_capabilities()
        report, (kind, folder, seed, seconds, *arguments) = words(request)
        os.environb[b"KOTH_BOT_SEED"] = seed.encode()
        if kind == "start":
            os.write(reporter, report)
            channel.close()
            start(folder, arguments, pipes[2:], seconds, reporter)
        path = find(folder, script, source, shadowable)
        if path is None:
            os.write(reporter, COLD)
            os._exit(0)
        if stay:
            code = stay.new_code()
            stay.begin(int(seconds))
        else:
            setrlimit(RLIMIT_CPU, (int(seconds), int(seconds)))
        name_script(code, names, path, [script, *arguments])
        os.write(reporter, report)
        if stay is None or report == STARTED_LAST or pipes[2:]:
            stay = None
            channel.close()
            os.close(receiver)
            os.close(reporter)
        for pipe in pipes[2:]:
            os.dup2(pipe, 0)
            os.close(pipe)
            reopen_stdin()
        run = code, names
        try:
            exec(*run)  # a call that Python does not specialize
        except SystemExit as end:
            if not (stay and stay.end(end.code)):
                exit_now(end.code)
                gc.unfreeze()  # the interpreter's own exit visits all objects
                raise
        except BaseException:
            hide_these_frames()
            gc.unfreeze()
            raise
        else:
            if not (stay and stay.end()):
                exit_now(None)
                gc.unfreeze()
                return


def set_limits(isolation: str, limits: str, channel: socket) -> InitProcess | None:
    """Set the limits of this process and its forks. In a sandbox, take over as process 1."""
    numbers = {}
    for limit in limits.split(","):
        kind, _, number = limit.partition("=")
        numbers[int(kind)] = int(number)
    files = numbers.pop(RLIMIT_NOFILE) if isolation == "sandbox" else 0
    for limited, most in numbers.items():
        setrlimit(limited, (most, most))
    if isolation != "sandbox":
        adopt_orphans()
        return None
    from init_process import InitProcess as Init  # type: ignore[import-not-found]

    init: InitProcess = Init(channel, files)
    return init


def preload(modules: tuple[str, ...]) -> None:
    """Import ``modules``, and remove all traces of this module."""
    for path in (sys.path[0], os.getcwd()):  # noqa: PTH109
        sys.path_importer_cache.pop(path, None)
    sys.path[0] = os.devnull
    for module in (__name__, *LOADED_HERE):
        sys.modules.pop(module, None)
    for module in modules:
        try:  # noqa: SIM105 contextlib is not loaded in a plain interpreter
            __import__(module)
        except ImportError:
            pass
    names = sys.modules["__main__"].__dict__
    for name in [name for name in names if name not in MAIN.split()]:
        del names[name]
    sys.setrecursionlimit(sys.getrecursionlimit() + DEPTH)


def compile_script(source: bytes, script: str) -> CodeType:
    """Compile the script. Raise a warning as an error: it must be shown at each run."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return compile(source, script, "exec", dont_inherit=True)


def warm_up(code: CodeType, script: str, init: InitProcess | None) -> None:
    """Run the code of a fork until Python has specialized it, and knows the methods in it.

    A fork then changes fewer pages of shared memory; the kernel copies each page that changes.
    """
    ours, theirs = socketpair()
    size = len(LAST).to_bytes(4, "big")
    rights = [(SOL_SOCKET, SCM_RIGHTS, ours.fileno().to_bytes(4, sys.byteorder))]
    for _ in range(WARM_UPS):
        try:
            theirs.sendmsg([size + LAST], rights)
        except OSError:  # a bot of the same user sends many descriptors that nobody receives
            break
        _, pipes = receive(ours)
        os.close(*pipes)
        rehearse(code, script)
        if init:
            init.set_inspectable(False)
            init.reset_numbers()
    ours.close()
    theirs.close()


def rehearse(code: CodeType, script: str) -> None:
    """Run the code of a decision without its effects, which the next request replaces.

    A fork does so while it waits for its request. The kernel then copies most pages before the
    decision begins. It is useless work if another bot needs the same processor meanwhile.
    """
    folder, _, name = __file__.rpartition("/")
    _, (word, *_) = words(LAST)
    os.environb[b"KOTH_BOT_SEED"] = os.environb[b"KOTH_BOT_SEED"].decode().encode()
    find(folder, name, b"", {folder})
    name_script(code, sys.modules["__main__"].__dict__, script, [word])
    del sys.path_importer_cache[script]
    print(end="")
    can_exit_now(0)
    os.chdir("/")


# --- in the server -------------------------------------------------------------------------------


def receive(channel: socket) -> tuple[bytes, list[int]]:
    """Return a message, empty at the end of the channel, and the descriptors that came with it."""
    data, rights = channel.recvmsg(SMALL, 64)[:2]
    while data and len(data) < 4 + int.from_bytes(data[:4], "big"):
        more = channel.recv(65536)
        data = data + more if more else b""
    return data[4:], memoryview(rights[0][2]).cast("i").tolist() if rights else []


def words(request: bytes) -> tuple[bytes, list[str]]:
    """Return the report of a fork that starts the bot, and the words of its request."""
    report = STARTED_LAST if request.startswith(LAST) else STARTED
    text = str(request.removeprefix(LAST), ENCODING, "surrogateescape")
    return report, text.split("\0")


def keep_a_fork_ready(
    channel: socket, receiver: int, poll: select.poll, init: InitProcess | None, files: list[int]
) -> bool:
    """Fork for each request, with own ``files``, and report on the channel how each fork ended.

    Return True in a fork, False at the end of the channel. Forks report on the pipe ``receiver``.
    """
    poll.register(channel, 0)  # reports the end of the channel in any case
    last, report = 0, COLD
    while True:
        scratch = init.remount() if init and report[:1] == STARTED_LAST else None
        if init:
            init.reset_numbers()
        number = os.fork()
        if number == 0:
            os.setsid()
            if init:
                init.become_ordinary(scratch or [])
            renew(files)
            return True
        ends = os.pidfd_open(number)
        poll.register(ends, select.POLLIN)
        is_told = announce(channel, number, ends, scratch, init)
        if not is_told or poll.poll() != [(ends, select.POLLIN)]:
            os.kill(number, SIGKILL)  # it may not lead a group yet
            if not init:
                status(number)
                end_children(set())
            return False
        try:
            report = os.read(receiver, 16)
        except BlockingIOError:
            report = b""  # it was killed before a request came
        ending = end_fork(number, last, report, init)
        if report:
            channel.send(ending)
            number, last = last, number
        if number and not init:
            os.waitpid(number, 0)
        poll.unregister(ends)
        os.close(ends)


def announce(
    channel: socket, number: int, ends: int, scratch: list[int] | None, init: InitProcess | None
) -> bool:
    """Report a new fork. In a sandbox, its descriptor ``ends`` and a new scratch go with it.

    Return False if the referee has ended. The fork may find a request on the channel nevertheless.
    """
    line = b"fork %d\n" % number
    try:
        if init and scratch is not None:
            init.send_scratch(channel, line, scratch, ends)
        elif init:
            init.send(channel, line, ends)
        else:
            channel.send(line)
    except ConnectionError:
        return False
    return True


# --- in a fork -----------------------------------------------------------------------------------


def start(
    folder: str, command: list[str], pipes: list[int], seconds: str, reporter: int
) -> NoReturn:
    """Become the command, with the first of ``pipes``, if any, as its standard input."""
    stdin = pipes[0] if pipes else os.open(os.devnull, os.O_RDWR)  # not shared with other forks
    os.dup2(stdin, 0)
    os.close(stdin)
    for number in (SIGPIPE, SIGXFSZ):  # Python ignores them, and a command would inherit that
        signal(number, SIG_DFL)
    try:
        os.chdir(folder)
        setrlimit(RLIMIT_CPU, (int(seconds), int(seconds)))
        os.execvpe(command[0], command, {name: os.environb[name] for name in ENVIRONMENT})
    except (OSError, ValueError) as error:
        os.write(reporter, b"%d" % (getattr(error, "errno", None) or EINVAL))
    os._exit(CANNOT_START)


def hide_these_frames() -> None:
    """Make tracebacks begin in the script."""
    original = sys.excepthook

    def show(
        kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        sys.excepthook = original
        here = __file__
        while traceback is not None and traceback.tb_frame.f_code.co_filename in (here, "<string>"):
            traceback = traceback.tb_next
        sys.last_traceback = error.__traceback__ = traceback
        original(kind, error, traceback)

    sys.excepthook = show
