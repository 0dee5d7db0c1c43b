"""Keeps one Python script ready to run, in the interpreter that this module is imported into.

``main(CHANNEL, PLACE, LIMITS, SCRIPT, *MODULES)``: CHANNEL is the descriptor of a socket, over
which messages come, each with its length in four bytes in front. The first is the script's content.
Every other one is a request, its words with NUL between them: ``run``, the folder to run in, the
bot's seed, the seconds that it may compute, and the arguments; with it come the write ends of two
pipes, for standard output and standard error; a third descriptor is standard input. The script is
run in a fork that finds everything as a fresh interpreter would; it was forked beforehand, and
takes the request itself. With ``start`` in front, a request ends in a whole command, which is
started in the ordinary way. Lines go out:

    fork NUMBER     this fork takes the next request
    ended STATUS    it has ended, by a signal if negative, and stays to be reaped until the next one
    failed ERRNO    it could not become the command
    cold            it did not run the script, which is to be started in the ordinary way

If PLACE is ``sandbox``, this is the first process of one (see init_process). A descriptor of the
fork comes with ``fork`` then, and ``ended`` is said when no process is left there but this. It is
followed by the microseconds for which the fork had a processor, and for which it waited for one.
The request ``room`` has its fork mount a new room, which comes with the line ``room``, and wait on;
with ``last`` in front of another request, a new room comes with the next ``fork``.

Nothing of Koth is imported here but init_process and forks, and little else. With the channel all
of this ends.
"""

from __future__ import annotations

import sys

FRESH = frozenset(sys.modules)
"""What an interpreter has loaded before it comes to its script; no file can take its place."""

import _imp  # noqa: E402
import atexit  # noqa: E402
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
from _socket import socket  # noqa: E402
from _thread import _count as other_threads  # noqa: E402
from _weakref import ReferenceType  # noqa: E402
from resource import RLIMIT_CPU, RLIMIT_NOFILE, setrlimit  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any

    from referee.in_bot.forks import adopt_orphans, end_children, spent, status
    from referee.in_bot.init_process import InitProcess
else:
    from forks import adopt_orphans, end_children, spent, status

DEPTH = 3
"""How many calls deeper than its own interpreter would the script runs here."""

REHEARSALS = 20
"""More than it takes until Python adapts itself to what it runs."""

TAKEN, LAST_TAKEN, COLD = b"!", b".", b"?"

ROOM = b"room"
"""A request in a sandbox: a new room in the place of the old one."""

LAST = b"last\0"
"""In front of a request in a sandbox: when the fork has ended there is to be a new room."""

LOADED_HERE = ("init_process", "forks", "_ctypes", "resource")
"""Modules that are of use to this one alone."""

ENVIRONMENT = (b"KOTH_BOT_SEED", b"PYTHONHASHSEED", b"PATH", b"LANG")
CANNOT_START = 127
"""A shell's exit status for that."""

EINVAL = 22

MAIN = "__name__ __doc__ __package__ __loader__ __spec__ __annotations__ __builtins__"


def main(number: str, place: str, limits: str, script: str, *modules: str) -> None:
    """Keep a fork ready for each request; in it, run the script, and end as an interpreter does."""
    channel = socket(fileno=int(number))
    _needed = os.pidfd_open, sys.orig_argv  # an interpreter without them ends before it forks
    first = in_place(place, limits, channel)
    prepare(modules)
    told, tell = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    source = receive(channel)[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # who has something to say of a script says it each time
        code = compile(source, script, "exec", dont_inherit=True)
    shadowable = {name.partition(".")[0] for name in sys.modules.keys() - FRESH}
    names = sys.modules["__main__"].__dict__
    names.update(__file__="", __cached__=None, __loader__=SourceFileLoader("__main__", script))
    encoding = sys.getfilesystemencoding()
    rehearse()
    poll = select.poll()
    gc.collect()
    gc.freeze()
    if not keep_a_fork_ready(channel, told, poll, first):
        return
    taken = TAKEN
    os.close(1)  # the pipes that come with the request take the places that are free
    os.close(2)
    request, pipes = receive(channel)
    while first and request == ROOM:
        first.hand_out(channel, b"room\n", first.renew())
        request, pipes = receive(channel)
    if not request:
        os._exit(0)
    if first:
        first.leave()
        request, taken = (
            request.removeprefix(LAST),
            LAST_TAKEN if request.startswith(LAST) else TAKEN,
        )
    how, folder, seed, seconds, *arguments = str(request, encoding, "surrogateescape").split("\0")
    os.environb[b"KOTH_BOT_SEED"] = seed.encode()
    if how == "start":
        os.write(tell, taken)
        channel.close()
        start(folder, arguments, pipes[2:], seconds, tell)
    path = find(folder, script, source, shadowable)
    if path is None:
        os.write(tell, COLD)
        os._exit(0)
    channel.close()
    sys.argv = [script, *arguments]
    sys.orig_argv[1:] = sys.argv
    sys.path[0] = path.rpartition("/")[0]
    _imp._fix_co_filename(code, path)  # type: ignore[attr-defined]
    names["__file__"] = names["__loader__"].path = path
    sys.path_importer_cache[path] = None  # an interpreter looks whether it is a folder to import
    os.write(tell, taken)
    os.close(tell)
    for pipe in pipes[2:]:
        os.dup2(pipe, 0)
        os.close(pipe)
    compute(seconds)
    try:
        exec(code, names)
    except SystemExit as end:
        leave_at_once(end.code)
        raise
    except BaseException:
        hide_these_frames()
        raise
    else:
        leave_at_once(None)
    finally:
        gc.unfreeze()  # the interpreter's own end looks at everything


def in_place(place: str, limits: str, channel: socket) -> InitProcess | None:
    """Set the limits of this process and of its forks; in a sandbox, be the first one there."""
    numbers = {}
    for one in limits.split(","):
        kind, _, number = one.partition("=")
        numbers[int(kind)] = int(number)
    files = numbers.pop(RLIMIT_NOFILE) if place == "sandbox" else 0
    for limited, most in numbers.items():
        setrlimit(limited, (most, most))
    if place != "sandbox":
        adopt_orphans()
        return None
    from init_process import InitProcess as First  # type: ignore[import-not-found]

    first: InitProcess = First(channel, files)
    return first


def prepare(modules: tuple[str, ...]) -> None:
    """Load ``modules``, and let nothing of this one be found."""
    sys.path_importer_cache.pop(sys.path[0], None)
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


def rehearse() -> None:
    """Do what a fork does, until Python has adapted itself to that.

    A fork then changes less of the memory that it shares; each page that it changes is copied.
    """
    folder, _, name = __file__.rpartition("/")
    for _ in range(REHEARSALS):
        find(folder, name, b"", {folder})
        os.environb[b"KOTH_BOT_SEED"] = os.environb[b"KOTH_BOT_SEED"]
        acts_at_the_end([])
    os.chdir("/")


def receive(channel: socket) -> tuple[bytes, list[int]]:
    """A message, nothing at the end of the channel, and the descriptors that came with it."""
    data, rights = channel.recvmsg(4096, 64)[:2]
    while data and len(data) < 4 + int.from_bytes(data[:4], "big"):
        more = channel.recv(65536)
        data = data + more if more else b""
    numbers = rights[0][2] if rights else b""
    size = range(0, len(numbers), 4)
    return data[4:], [int.from_bytes(numbers[at : at + 4], sys.byteorder) for at in size]


def keep_a_fork_ready(
    channel: socket, told: int, poll: select.poll, first: InitProcess | None
) -> bool:
    """Have a fork that takes a request, as it tells, say how it ended, and have the next one.

    Returns True in a fork, False at the end of the channel. ``poll`` is empty.
    """
    poll.register(channel, 0)  # its end is told all the same
    last, word = 0, COLD
    while True:
        room = first.renew() if first and word[:1] == LAST_TAKEN else None
        if first:
            first.number_anew()
        number = os.fork()
        if number == 0:
            os.setsid()
            os.close(told)
            if first:
                first.wait(room or [])
            return True
        ends = os.pidfd_open(number)
        line = b"fork %d\n" % number
        if first and room is not None:
            first.hand_out(channel, line, room, ends)
        elif first:
            first.send(channel, line, ends)
        else:
            channel.send(line)
        poll.register(ends, select.POLLIN)
        if [descriptor for descriptor, _ in poll.poll()] != [ends]:
            os.killpg(number, SIGKILL)
            if not first:
                status(number)
                end_children(set())
            return False
        word = told_by(told)
        if first:
            first.kill_all_others()  # a process that one of them traces could not be waited for
        line = b"ended %d" % status(number)
        if first:
            line += b" %d %d" % spent(number)
            first.reap_all_others()
        else:
            end_children({number, last})
        if word:  # else somebody ended it before it was asked
            if word == COLD:
                line = b"cold"
            elif len(word) > 1:
                line = b"failed " + word[1:]
            channel.send(line + b"\n")
            number, last = last, number
        if number and not first:
            os.waitpid(number, 0)
        poll.unregister(ends)
        os.close(ends)


def told_by(source: int) -> bytes:
    """What a fork has told, if anything."""
    try:
        return os.read(source, 16)
    except BlockingIOError:
        return b""


def compute(seconds: str) -> None:
    """From here on, this process may compute for so long, where that is limited."""
    if seconds:
        setrlimit(RLIMIT_CPU, (int(seconds), int(seconds)))


def start(folder: str, command: list[str], pipes: list[int], seconds: str, tell: int) -> None:
    """Become the command, with the first of ``pipes``, if there is any, as its standard input."""
    source = pipes[0] if pipes else os.open(os.devnull, os.O_RDWR)  # not one that others have, too
    os.dup2(source, 0)
    os.close(source)
    for number in (SIGPIPE, SIGXFSZ):  # which Python ignores, and what it starts would, too
        signal(number, SIG_DFL)
    try:
        os.chdir(folder)
        compute(seconds)
        os.execvpe(command[0], command, {name: os.environb[name] for name in ENVIRONMENT})
    except (OSError, ValueError) as error:
        os.write(tell, b"%d" % (getattr(error, "errno", None) or EINVAL))
    os._exit(CANNOT_START)


def find(folder: str, script: str, source: bytes, shadowable: set[str]) -> str | None:
    """The script's path in ``folder``, where it is run, if there is nothing remarkable about it."""
    try:
        os.chdir(folder)
        path = f"{os.getcwd()}/{script}"  # noqa: PTH109
        if "/" in script and os.path.realpath(path) != path:
            return None
        for name in os.listdir(path.rpartition("/")[0]):  # noqa: PTH208
            if name.partition(".")[0] in shadowable:
                return None
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        found = os.pread(descriptor, len(source) + 1, 0)  # only of a file, not of a pipe
        os.close(descriptor)
    except OSError:
        return None
    return path if found == source else None


def leave_at_once(code: object) -> None:
    """End this process, unless something is left that acts at the interpreter's own end.

    That end takes several times as long as all the rest of a small decision.
    """
    status = 0 if code is None else code
    if type(status) is not int or not 0 <= status <= 255 or atexit._ncallbacks() or other_threads():
        return
    if sys.stdout is not sys.__stdout__ or sys.stderr is not sys.__stderr__:
        return
    try:
        if acts_at_the_end(gc.get_objects()):
            return
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except Exception:
        return
    os._exit(status)


def acts_at_the_end(objects: list[object]) -> bool:
    """Whether something is done when one of ``objects`` goes."""
    kinds = {id(kind): kind for kind in map(type, objects)}  # a script's types may have own hashes
    return any(map(can_act, kinds.values())) and any(map(acts, objects))


def can_act(kind: type) -> bool:
    """Whether something may be done when an object of this type goes."""
    return hasattr(kind, "__del__") or issubclass(kind, ReferenceType)


def acts(one: Any) -> bool:
    """Whether something is done when an object goes: by itself, or by who waits for it."""
    kind = type(one)
    if hasattr(kind, "__del__"):
        return kind.__module__ != "_io" or not one.closed
    return isinstance(one, ReferenceType) and one.__callback__ is not None


def hide_these_frames() -> None:
    """Let a traceback begin in the script."""
    shown = sys.excepthook

    def show(
        kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        sys.excepthook = shown
        here = __file__
        while traceback is not None and traceback.tb_frame.f_code.co_filename in (here, "<string>"):
            traceback = traceback.tb_next
        sys.last_traceback = error.__traceback__ = traceback
        shown(kind, error, traceback)

    sys.excepthook = show
