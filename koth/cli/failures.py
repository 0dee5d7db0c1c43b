"""Words and exit codes for the errors that end a command."""

from __future__ import annotations

import errno
import os
from typing import Any, NamedTuple

import typer
from typer.exceptions import TyperException

from koth.cli.exit_codes import FAILED, INTERRUPTED
from schema.errors import GameError, KothError, LogError, UsageError
from schema.words import ended, expectation

NO_MEMORY = "there is not enough memory"

NO_ROOM = "failed to map segment"
"""Part of the message of the dynamic linker if there is no memory for a library."""

NO_THREAD = "can't start new thread"
"""The message of Python if the system, or a limit, allows no more threads, or no more memory."""


class Failure(NamedTuple):
    """An error in words, with the exit code."""

    message: str
    code: int
    multiline: bool = False
    """Whether the message is a text of several lines."""


def failure(error: BaseException) -> Failure:
    """Return what to say about ``error``. An error that no case knows is a bug."""
    match error:
        case LogError():
            return Failure(ended(str(error)), error.exit_code, error.multiline)
        case KothError():
            return Failure(str(error), error.exit_code, error.multiline)
        case TyperException():
            return Failure(_usage(error), UsageError.exit_code)
        case KeyboardInterrupt():
            return Failure("interrupted.", INTERRUPTED)
        case OSError():
            code = UsageError.exit_code if error.errno == errno.ENAMETOOLONG else FAILED
            return Failure(f"{error.filename or _unnamed_place(error)}: {error.strerror}.", code)
        case MemoryError():
            return Failure(f"{NO_MEMORY}.", FAILED)
        case ImportError() if NO_ROOM in str(error):
            return Failure(f"{NO_MEMORY}.", FAILED)
        case RuntimeError() if str(error) == NO_THREAD:
            causes = f"{NO_MEMORY}, or too many processes are running."
            return Failure(f"no thread can be started: {causes}", FAILED)
        case typer.Abort():  # typer's error in the place of an EOFError
            return _bug(error.__cause__ or error)
        case _:
            return _bug(error)


def has_traceback(error: BaseException) -> bool:
    """Return whether ``KOTH_DEBUG`` shows the traceback: the error is one of rules, or a bug."""
    known = KothError, TyperException, KeyboardInterrupt, OSError, MemoryError
    return isinstance(error, GameError) or not isinstance(error, known)


def _bug(error: BaseException) -> Failure:
    bug = f"{type(error).__name__}: {error}. This is a bug in koth; KOTH_DEBUG=1 "
    return Failure(bug + "shows the traceback.", FAILED)


def _usage(error: TyperException) -> str:
    """Return the message of ``error``, with the value that was found and the help to read."""
    message = error.format_message().replace(": Value error, ", ": ")  # words of pydantic
    context = getattr(error, "ctx", None)
    invalid: Any = error.__cause__
    if context is None or message.startswith("Usage:"):
        return message
    if "Input should be" in message:
        message = f"{expectation(message)}, found '{invalid.errors()[0]['input']}'."
    return f"{ended(message)} See `{context.command_path} --help`."


def _unnamed_place(error: OSError) -> str:
    """Return words for what ``error`` is about: a removed working folder if that explains it."""
    try:
        if isinstance(error, FileNotFoundError):
            os.getcwd()  # noqa: PTH109 - pathlib starts slowly
    except FileNotFoundError:
        return "the working folder"
    return "input or output"
