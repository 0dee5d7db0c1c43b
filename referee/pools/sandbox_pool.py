"""Sandboxes that are there: one for each bot, kept from one match to the next.

Who has taken one has it alone, until it is given back. They end with this process, however that
ends.
"""

from __future__ import annotations

import atexit
import os

from referee.bot import Bot
from referee.errors import RefereeError
from referee.processes import process
from referee.processes.environment import NO_SEED, environment
from referee.processes.fork_client import script
from referee.sandbox.sandbox import Sandbox

MOST = 64
"""Sandboxes that are kept while nobody uses them; each takes some 20 MB."""

_idle: list[Sandbox] = []
"""Those given back last stand last."""
_taken: set[Sandbox] = set()
_unready: set[tuple[object, ...]] = set()
"""The purposes for which no script can be kept ready."""


def take(bot: Bot, cold: bool, once: bool = False) -> tuple[Sandbox, str]:
    """A sandbox with the bot's files and nothing else in it, and the bot's folder there.

    Its helper has the bot's script ready, unless it is to start ``cold``. Whoever asks the bot
    but ``once`` says so, and the next lifetime is prepared sooner. Raises RefereeError when no
    sandbox can be built.
    """
    wanted = "" if cold else script(bot) or ""
    settings = environment(NO_SEED)
    purpose = bot, wanted, *settings.values()
    for sandbox in [one for one in _idle if one.made_for == purpose]:
        _idle.remove(sandbox)
        if sandbox.alive() and (home := sandbox.renew()):
            sandbox.last = once
            _taken.add(sandbox)
            return sandbox, home
        sandbox.end()
    told = ""
    # Its interpreter may not be one that can be a helper, or its script not be compiled.
    for file in dict.fromkeys(["" if purpose in _unready else wanted, ""]):
        try:
            sandbox = Sandbox(bot, file, settings)
        except (OSError, ValueError) as error:
            process.check_means(error)
            raise RefereeError(f"no sandbox can be built for {bot.name}: {error}.") from error
        sandbox.made_for = purpose
        if not sandbox.gone and (home := sandbox.renew()):
            sandbox.last = once
            _taken.add(sandbox)
            return sandbox, home
        _unready.add(purpose)
        told = sandbox.complaint()
        sandbox.end()
    raise RefereeError(f"no sandbox can be built for {bot.name}: {told}.")


def give_back(sandbox: Sandbox) -> None:
    """Let others have a sandbox, if it is still of use; too many are not kept."""
    if sandbox not in _taken:
        return  # all were ended meanwhile
    _taken.remove(sandbox)
    if not sandbox.alive():
        sandbox.end()
        return
    sandbox.clear()
    _idle.append(sandbox)
    if len(_idle) > MOST:
        _idle.pop(0).end()


def end() -> None:
    """End all that are there."""
    while _idle:
        _idle.pop().end()
    while _taken:
        _taken.pop().end()


def _forget() -> None:
    """In a fork of this process: they are not its own."""
    for sandbox in [*_idle, *_taken]:
        sandbox.forget()
    _idle.clear()
    _taken.clear()


atexit.register(end)
os.register_at_fork(after_in_child=_forget)
