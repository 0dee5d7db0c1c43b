"""Errors of the referee. The failure of a bot is not an error but a fault in the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from schema.errors import KothError, UsageError
from schema.log_path import printable

T = TypeVar("T")

MAX_SHOWN = 100
"""Maximum number of problems in one message."""


class RefereeError(KothError):
    """Raised when the referee cannot continue."""


class BotsError(UsageError):
    """Raised when bots cannot be used. Each problem is a sentence with its place and its reason."""

    def __init__(self, *problems: str) -> None:
        super().__init__(*problems)
        self.multiline = len(problems) > 1

    def __str__(self) -> str:
        if not self.multiline:
            return "".join(self.args)
        lines = "".join(f"\n  {printable(problem)}" for problem in self.args[:MAX_SHOWN])
        if len(self.args) > MAX_SHOWN:
            lines += f"\n  and {len(self.args) - MAX_SHOWN} more"
        return f"{len(self.args)} problems with the bots:{lines}"


def raise_all(problems: Iterable[str]) -> None:
    """Raise one BotsError with all ``problems``, unless there are none."""
    if distinct := dict.fromkeys(problems):
        raise BotsError(*distinct)


def call_all(functions: Iterable[Callable[[], T]]) -> list[T]:
    """Return the results of all ``functions``. Raises one BotsError with the problems of all."""
    results: list[T] = []
    problems: list[str] = []
    for function in functions:
        try:
            results.append(function())
        except BotsError as error:
            problems += error.args
    raise_all(problems)
    return results
