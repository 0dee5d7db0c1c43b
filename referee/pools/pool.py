"""Keep fork servers and sandboxes running, and lend them to one user at a time.

A fork server costs the start of an interpreter, a sandbox more. Both therefore serve many decisions
and many matches. An idle server waits under a key that says which bots it can serve. If there are
too many, those that were idle for longest end. Those that a match needs start together. All end
with this process, however it ends, and a fork of this process starts without any.

A server serves only the thread that started it: the kernel ends a sandbox together with this thread
(``PR_SET_PDEATHSIG`` in prctl(2)), which would be a crash of the bot that it serves then.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager, suppress

from referee.bot import Bot
from referee.environment import NO_SEED, environment
from referee.errors import RefereeError, check_message, check_resources
from referee.in_bot import class_worker
from referee.processes.fork_client import ForkServer
from referee.sandbox.sandbox import Sandbox

MAX_SERVERS = 64
"""Maximum number of idle servers of each kind; a sandbox takes some 7 MB."""

Key = tuple[object, ...]


class Pool:
    """The servers of one kind."""

    def __init__(self, kind: type[ForkServer]) -> None:
        self.kind = kind
        self.idle: dict[Key, list[ForkServer]] = {}
        self.in_use: dict[ForkServer, Key] = {}
        self.failed: set[Key] = set()
        """Keys of servers that could not start."""
        self.lock = threading.RLock()
        """Held by a thread that changes or walks through the idle servers."""

    def key(self, bot: Bot, file: str) -> Key:
        """Return this thread's key of the servers for ``bot`` with its script, or without one."""
        own = self.kind.key(bot, file)
        return (threading.get_native_id(), *own, *environment(NO_SEED).values())

    def refuses(self, key: Key) -> bool:
        """Return whether a script must start cold: its server failed, or there are too many."""
        return key in self.failed or (self.kind is ForkServer and self.is_full())

    def is_full(self) -> bool:
        """Return whether there are as many servers, idle and in use, as may be idle."""
        with self.lock:
            return len(self.in_use) + sum(map(len, self.idle.values())) >= MAX_SERVERS

    def reuse(self, key: Key) -> ForkServer | None:
        """Return an idle server, ready for a new user, if one exists."""
        while server := self._idle_server(key):
            if self.prepare(server):
                return server
            server.end()
        return None

    def prepare(self, server: ForkServer) -> bool:
        """Return whether a server is ready for a new user; an error or an interrupt ends it."""
        try:
            return server.prepare()
        except BaseException:
            server.end()
            raise

    def _idle_server(self, key: Key) -> ForkServer | None:
        with self.lock:
            servers = self.idle.get(key)
            return servers.pop() if servers else None

    def start(self, bot: Bot, file: str) -> ForkServer:
        """Start a server. Raises OSError or ValueError if that fails."""
        self.shrink(MAX_SERVERS - 1)
        server = self.kind(bot, file, environment(NO_SEED))
        if self.prepare(server):
            return server
        reason = server.error_message()
        server.end()
        raise OSError(reason)

    def begin(self, bots: Iterable[Bot]) -> None:
        """Begin to start, all at the same time, the servers that are missing for ``bots``.

        Idle ones that these bots do not need make room.
        """
        keys = [(self.key(bot, bot.script), bot) for bot in bots]
        self.shrink(max(0, MAX_SERVERS - len(keys)), {key for key, _ in keys})
        with self.lock:
            ready = Counter({key: len(servers) for key, servers in self.idle.items()})
        for key, bot in keys:
            ready[key] -= 1
            if ready[key] < 0 and key not in self.failed and not self.is_full():
                with suppress(OSError, ValueError):  # take() tries again, and gives the reason
                    self.keep(self.kind(bot, bot.script, environment(NO_SEED)), key)

    def keep(self, server: ForkServer, key: Key) -> None:
        """Keep a server that nobody uses."""
        server.release()
        server.idle_since = time.monotonic()
        with self.lock:
            self.idle.setdefault(key, []).append(server)

    def shrink(self, most: int, needed: Container[Key] = ()) -> None:
        """Keep at most ``most`` idle servers besides ``needed``: those that were used last."""
        with self.lock:
            spare = [
                (key, server)
                for key, servers in self.idle.items()
                if key not in needed
                for server in servers
            ]
            spare.sort(key=lambda pair: pair[1].idle_since)
            spare = spare[: max(0, len(spare) - most)]
            for key, server in spare:
                self.idle[key].remove(server)
            self.idle = {key: servers for key, servers in self.idle.items() if servers}
        for _, server in spare:
            server.end()

    def clear(self) -> list[ForkServer]:
        """Remove all servers from the pool, and return them."""
        with self.lock:
            idle = [server for servers in self.idle.values() for server in servers]
            servers = [*self.in_use, *idle]
            self.idle.clear()
            self.in_use.clear()
            self.failed.clear()
        return servers


_scripts, _commands, _workers = Pool(ForkServer), Pool(ForkServer), Pool(ForkServer)
_sandboxes = Pool(Sandbox)
_pools = _scripts, _commands, _workers, _sandboxes


def _pool(isolation: str, file: str) -> Pool:
    """Return the pool of a server. One server without a script, or for classes, serves all bots."""
    if isolation == Sandbox.isolation:
        return _sandboxes
    if file == class_worker.NAME:
        return _workers
    return _scripts if file else _commands


def expect(bots: Iterable[Bot], isolation: str, cold: bool = False) -> None:
    """Before a match of ``bots``: begin to start the servers that it needs, and end old ones.

    Without a sandbox, bots beyond ``MAX_SERVERS`` start cold. With ``cold``, nothing begins.
    """
    if cold:
        return
    if isolation == Sandbox.isolation:
        _sandboxes.begin(bots)
    else:
        scripts = {_scripts.key(bot, bot.script): bot for bot in bots if bot.script}
        _scripts.begin(scripts.values())


def take(bot: Bot, isolation: str, cold: bool = False) -> ForkServer:
    """Lend a server for ``bot`` to one user. In a sandbox the bot's files are in place.

    The server has the bot's script ready, unless ``cold`` is set, the command is not a Python
    script, or the script cannot be prepared. Raises RefereeError if no server can be started.
    """
    reason = ""
    for file in dict.fromkeys(["" if cold else bot.script, ""]):
        pool = _pool(isolation, file)
        key = pool.key(bot, file)
        try:
            server = pool.reuse(key)
            if server is None and file and pool.refuses(key):
                continue
            server = server or pool.start(bot, file)
            pool.in_use[server] = key
            return server
        except (OSError, ValueError) as error:
            check_resources(error)
            pool.failed.add(key)
            reason = str(error)
    check_message(reason)  # of the server without a script: no bot has written it
    raise RefereeError(f"no {isolation} can be started for {bot.name}: {reason}.")


def give_back(server: ForkServer) -> None:
    """Return a server to the pool; one without a process is closed.

    So is one whose bot an interrupt left running.
    """
    pool = _pool(server.isolation, server.script)
    key = pool.in_use.pop(server, None)
    if key is None:
        return  # all were ended meanwhile
    if server.is_alive() and server.ended:
        pool.keep(server, key)
    else:
        server.end()


@contextmanager
def lent(bot: Bot, cold: bool) -> Iterator[ForkServer]:
    """Take a server without a sandbox for a block."""
    server = take(bot, "process", cold)
    try:
        yield server
    finally:
        give_back(server)


def close() -> None:
    """End all servers."""
    for pool in _pools:
        for server in pool.clear():
            server.end()


def _forget() -> None:
    """In a fork of this process: close the descriptors of its parent's servers."""
    for pool in _pools:
        pool.lock = threading.RLock()  # another thread may have held it
        for server in pool.clear():
            server.forget()


atexit.register(close)
os.register_at_fork(after_in_child=_forget)
