"""The errors of the referee. A bot's failure is none of them: that is a fault in the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from schema.errors import KothError, UsageError
from schema.log_path import printable

T = TypeVar("T")


MOST_TOLD = 100
"""Problems that are told in one message."""


class RefereeError(KothError):
    """The referee cannot go on."""


class BotsError(UsageError):
    """What was given as bots cannot be used: which, where, and why; one sentence per problem."""

    def __init__(self, *problems: str) -> None:
        super().__init__(*problems)
        self.multiline = len(problems) > 1

    def __str__(self) -> str:
        if not self.multiline:
            return "".join(self.args)
        lines = "".join(f"\n  {printable(problem)}" for problem in self.args[:MOST_TOLD])
        if len(self.args) > MOST_TOLD:
            lines += f"\n  and {len(self.args) - MOST_TOLD} more"
        return f"{len(self.args)} problems with the bots:{lines}"


def raise_all(problems: Iterable[str]) -> None:
    """Raise one BotsError with all ``problems``, if there are any."""
    if distinct := dict.fromkeys(problems):
        raise BotsError(*distinct)


def gathered(makers: Iterable[Callable[[], T]]) -> list[T]:
    """What each of ``makers`` returns. Raises BotsError with the problems of all of them."""
    made: list[T] = []
    problems: list[str] = []
    for make in makers:
        try:
            made.append(make())
        except BotsError as error:
            problems += error.args
    raise_all(problems)
    return made
