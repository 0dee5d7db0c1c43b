"""Keeps helpers that have an interpreter ready for class bots, while nobody uses them.

Nothing of a bot is in them: they serve matches of any bot.
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
"""Helpers that are kept while nobody uses them."""

_idle: defaultdict[tuple[object, ...], list[ForkServer]] = defaultdict(list)
"""By what they have ready."""
_keys: dict[ForkServer, tuple[tuple[object, ...], str]] = {}
_unready: set[tuple[object, ...]] = set()
"""What no interpreter can keep ready."""


def taken(worker: Bot) -> ForkServer:
    """A helper that has the worker ready, for this user alone. Raises OSError or ValueError."""
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
    """The script that a helper has ready, if it has one."""
    return helper.script if isinstance(helper, Sandbox) else _keys[helper][1]


def give_back(helper: ForkServer) -> None:
    """Let others have a helper, if it is still of use; too many are not kept."""
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
    """In a fork of this process: they are not its own."""
    for helper in _keys:
        helper.forget()
    _idle.clear()
    _keys.clear()


atexit.register(close)
os.register_at_fork(after_in_child=_forget)
