"""Errors of the referee. The failure of a bot is not an error but a fault in the log."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from typing import TypeVar

from schema.errors import KothError, UsageError
from schema.log_path import printable

T = TypeVar("T")

MAX_SHOWN = 100
"""Maximum number of problems in one message."""

MAX_LENGTH = 2_000
"""Maximum characters of a problem; a longer one is shown without its middle."""


NO_PROCESSES = errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM
"""Errors of a system that can start no more processes, or open no more files."""

NO_RESOURCES = {
    **dict.fromkeys(
        NO_PROCESSES,
        "Raise the limits on files and processes (`ulimit -n`, `ulimit -u`), or use fewer --jobs",
    ),
    **dict.fromkeys(
        (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS),
        "Make room, or name another folder in the environment variable TMPDIR",
    ),
}
"""Errors of a system that lacks resources, which is no bot's fault; with advice for each."""


class RefereeError(KothError):
    """Raised when the referee cannot continue."""


def check_resources(error: BaseException, where: str = "") -> None:
    """Raise RefereeError if ``error`` means that the system lacks resources to start a bot."""
    if isinstance(error, OSError) and error.errno in NO_RESOURCES:
        at = f" in {where}" if where else ""
        raise RefereeError(
            f"no bot can be started{at}: {error.strerror}. {NO_RESOURCES[error.errno]}."
        ) from error


def check_message(reason: str) -> None:
    """Raise RefereeError if a process of Koth's ended because no more processes can be started."""
    for number in NO_PROCESSES:
        if os.strerror(number) in reason:
            check_resources(OSError(number, os.strerror(number)))


class BotsError(UsageError):
    """Raised when bots cannot be used. Each problem is a sentence with its place and its reason."""

    def __init__(self, *problems: str) -> None:
        super().__init__(*problems)
        self.multiline = len(problems) > 1

    def __str__(self) -> str:
        if not self.multiline:
            return "".join(map(shortened, self.args))
        shown = map(shortened, self.args[:MAX_SHOWN])
        lines = "".join(f"\n  {printable(problem)}" for problem in shown)
        if len(self.args) > MAX_SHOWN:
            lines += f"\n  and {len(self.args) - MAX_SHOWN} more"
        return f"{len(self.args)} problems with the bots:{lines}"


def shortened(problem: str) -> str:
    """Return a problem, which may hold a part of a submitted file, without its middle if long."""
    if len(problem) <= MAX_LENGTH:
        return problem
    half = MAX_LENGTH // 2
    return f"{problem[:half]} … {problem[-half:]}"


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
