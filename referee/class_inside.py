"""Class bots in the referee's own process (``--isolation none``), for those who trust their bots.

Each match has its own copy of what a bot's files define, unless all that the bot keeps is in its
instance (see class_sharing). Nothing holds a bot to its time limit, and nothing keeps it from the
referee. Its files are in one folder for all matches, where it does not work; what it prints is
lost, what it writes to standard error is seen.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from games.table import JointAsk, Replies
from referee import class_copies, scratch
from referee.class_copies import Apart, Copy, Source
from referee.class_protocol import integers
from referee.class_sharing import is_shareable
from referee.match import MatchJob
from referee.protocol import environment
from schema import seal

Asked = Callable[[Any], Replies]


@contextmanager
def guests(
    jobs: Sequence[MatchJob],
) -> Iterator[Callable[[MatchJob], AbstractContextManager[Asked]]]:
    """Has the files of all bots of ``jobs`` in place; gives what opens a session for a match."""
    bots = {bot.name: bot for job in jobs for bot in job.bots}
    sources: dict[str, Source] = {}
    class_copies.begin()
    with scratch.folder() as place, quiet():
        for number, (name, bot) in enumerate(bots.items()):
            home = place / str(number) / name
            bot.install(home)
            shared = is_shareable(bot)
            sources[name] = Source(str(home), bot.command[-1], bot.class_name, shared)

        def open_session(job: MatchJob) -> AbstractContextManager[Asked]:
            if not all(shutil.which(bot.command[0]) for bot in job.bots):
                raise Apart  # it fails outside, where its interpreter would be started
            return session(job, [sources[bot.name] for bot in job.bots])

        yield open_session


@contextmanager
def quiet() -> Iterator[None]:
    """In the block nothing can be read, and what is printed is lost."""
    kept = sys.stdin
    with Path(os.devnull).open("r+") as nowhere, redirect_stdout(nowhere):
        sys.stdin = nowhere
        try:
            yield
        finally:
            sys.stdin = kept


@contextmanager
def session(job: MatchJob, sources: Sequence[Source]) -> Iterator[Asked]:
    """One match. Raises Apart where anything happens that has to be judged."""
    copies = [
        Copy(source, environment(seal.bot_seed(job.seed, seat)))
        for seat, source in enumerate(sources)
    ]
    bots: list[Any] = []
    plain = [int] * len(copies)
    drawn = random.getstate()

    def check() -> None:
        refused, Copy.refused = Copy.refused, False
        # Its global generator is one for all bots.
        if refused or drawn != random.getstate() or "numpy.random" in sys.modules:
            raise Apart

    def begin() -> None:
        for copy in copies:
            copy.load()
        for seat, copy in enumerate(copies):
            copy.construct(seat)
        bots.extend(copy.bot for copy in copies)
        check()

    def ask(asked: JointAsk) -> Replies:
        _, (told,), legal = asked
        try:
            if told is None:
                begin()
            else:
                for bot in bots:
                    bot.update([*told])
            if not legal:
                return None
            chosen = [bot.select() for bot in bots]
            if [*map(type, chosen)] != plain:
                chosen = [class_copies.plain(choice) for choice in chosen]
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if isinstance(error, SystemExit) and type(error) is not SystemExit:
                raise  # it is this process that is told to stop
            raise Apart from error
        if not integers(legal).issuperset(chosen):
            raise Apart
        return chosen

    yield ask
    check()
