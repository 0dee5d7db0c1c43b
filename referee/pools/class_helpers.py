"""Helpers with a ready interpreter for class bots, kept while no match uses them.

They hold nothing of a bot: each serves matches of any bot.
"""

from __future__ import annotations

import atexit
import os
from collections import defaultdict

from referee.bot import Bot
from referee.in_bot import class_worker
from referee.processes.environment import NO_SEED, environment
from referee.processes.fork_client import ForkServer
from referee.sandbox.sandbox import Sandbox

MOST = 128
"""Maximum number of idle helpers."""

Key = tuple[object, ...]
"""Properties that helpers share if they can replace each other."""

_idle: defaultdict[Key, list[ForkServer]] = defaultdict(list)
_keys: dict[ForkServer, tuple[Key, str]] = {}
"""All helpers, with the script that each has ready."""
_unready: set[Key] = set()
"""Keys of helpers that cannot keep a script ready."""


def take(worker: Bot) -> ForkServer:
    """Return a helper with the worker ready for one user. Raises OSError or ValueError."""
    usual = bool(worker.script)
    bare = Bot("", worker.command, worker.files[-1:] if usual else ())
    key = worker.command[0], usual, *environment("").values()
    while _idle[key]:
        helper = _idle[key].pop()
        if not helper.gone:
            return helper
        _drop(helper)
    for file in [class_worker.NAME, ""] if usual and key not in _unready else [""]:
        helper = ForkServer(bare, file, environment(NO_SEED))
        if not helper.gone:
            _keys[helper] = key, file
            return helper
        helper.end()
        _unready.add(key)
    raise OSError("no interpreter can be kept ready")


def script_of(helper: ForkServer) -> str:
    """Return the script that a helper has ready; empty if it has none."""
    return helper.script if isinstance(helper, Sandbox) else _keys[helper][1]


def give_back(helper: ForkServer) -> None:
    """Keep a helper for the next user, unless it has ended or there are too many."""
    if helper not in _keys:
        return
    if helper.gone or len(_keys) > MOST:
        _drop(helper)
    else:
        _idle[_keys[helper][0]].append(helper)


def _drop(helper: ForkServer) -> None:
    del _keys[helper]
    helper.end()


def close() -> None:
    """End all helpers."""
    _idle.clear()
    for helper in [*_keys]:
        _drop(helper)


def _forget() -> None:
    """Leave the helpers to the parent process, after a fork."""
    for helper in _keys:
        helper.forget()
    _idle.clear()
    _keys.clear()


atexit.register(close)
os.register_at_fork(after_in_child=_forget)
