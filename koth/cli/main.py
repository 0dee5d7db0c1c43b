"""The command ``koth``: load the subcommand that is typed, and turn errors into exit codes.

0 fine · 1 findings · 2 wrong usage · 3 nothing to work on · 4 the tool itself failed ·
130 interrupted. Data goes to standard output, everything else to standard error.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from koth.cli import completion, pipe, terminal
from koth.cli.commands import COMMANDS, Command, Group, module_of
from koth.cli.exit_codes import FAILED, INTERRUPTED
from schema.errors import GameError, KothError, LogError, UsageError
from schema.log_path import printable
from schema.words import ended, expectation

NO_ROOM = "failed to map segment"
"""Part of the message of the dynamic linker if there is no memory for a library."""

NO_THREAD = "can't start new thread"
"""The message of Python if the system, or a limit, allows no more threads, or no more memory."""


def _print_version(requested: bool) -> None:
    if requested:
        from importlib.metadata import version

        typer.echo(f"koth {version('koth')}")
        raise typer.Exit


def koth(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Replay, verify and audit bot tournaments from their event logs."""


def open_standard_streams() -> None:
    """Open ``/dev/null`` for each standard stream that is closed (``koth games >&-``).

    Otherwise the next opened file, such as a log, would become standard output.
    """
    for name, mode in ("stdin", "r"), ("stdout", "w"), ("stderr", "w"):
        if getattr(sys, name) is None:  # a new file gets the lowest free descriptor
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115


def status(arguments: list[str], signals: Sequence[int] = ()) -> int:
    """Run the command, flush its output, and return its exit code.

    Every error becomes one message. A pipe without a reader is no error (:mod:`koth.cli.pipe`).
    ``signals`` receives the number of each signal that interrupts the command.
    """
    code = _status(arguments, signals)
    try:
        sys.stdout.flush()
    except OSError as error:
        pipe.discard(sys.stdout)  # Python flushes its buffer again at exit
        if code != FAILED:
            return _fail(f"standard output: {error.strerror}.", FAILED)
    return code


def _status(arguments: list[str], signals: Sequence[int]) -> int:
    try:
        if len(arguments) == 2 and arguments[0] in completion.OPTIONS:
            completion.request_script(*arguments)
        app = _app(_subcommands(arguments))
        try:
            code = app(arguments, prog_name="koth", standalone_mode=False) or 0
        except Exception as error:
            if signals and not os.environ.get("KOTH_DEBUG"):  # a library replaced or lost it
                raise KeyboardInterrupt from error
            raise
        if code == INTERRUPTED:  # typer catches a KeyboardInterrupt
            raise KeyboardInterrupt
        return code
    except KothError as error:
        if isinstance(error, GameError) and os.environ.get("KOTH_DEBUG"):
            raise
        message = ended(str(error)) if isinstance(error, LogError) else str(error)
        return _fail(message, error.exit_code, error.multiline)
    except TyperException as error:
        message = _usage_message(error)
        if message.startswith("Usage:"):
            print(message, file=sys.stderr)
            return 2
        return _fail(message, 2)
    except KeyboardInterrupt:
        return _fail("interrupted.", INTERRUPTED)
    except OSError as error:
        code = UsageError.exit_code if error.errno == errno.ENAMETOOLONG else FAILED
        return _fail(f"{error.filename or _unnamed_place(error)}: {error.strerror}.", code)
    except MemoryError:
        return _fail("there is not enough memory.", FAILED)
    except Exception as error:
        if os.environ.get("KOTH_DEBUG"):
            raise
        if isinstance(error, ImportError) and NO_ROOM in str(error):
            return _fail("there is not enough memory.", FAILED)
        if isinstance(error, RuntimeError) and str(error) == NO_THREAD:
            causes = "there is not enough memory, or too many processes are running."
            return _fail(f"no thread can be started: {causes}", FAILED)
        cause = error.__cause__ if isinstance(error, typer.Abort) else error  # from EOFError
        bug = f"{type(cause).__name__}: {cause}. This is a bug in koth; KOTH_DEBUG=1 "
        return _fail(bug + "shows the traceback.", FAILED)


def _unnamed_place(error: OSError) -> str:
    """Return words for what ``error`` is about: a removed working folder if that explains it."""
    try:
        if isinstance(error, FileNotFoundError):
            os.getcwd()  # noqa: PTH109 - pathlib starts slowly
    except FileNotFoundError:
        return "the working folder"
    return "input or output"


def _usage_message(error: TyperException) -> str:
    """Return the message of ``error``, with the value that was found and the help to read."""
    message = error.format_message().replace(": Value error, ", ": ")  # words of pydantic
    context = getattr(error, "ctx", None)
    invalid: Any = error.__cause__
    if context is None or message.startswith("Usage:"):
        return message
    if "Input should be" in message:
        message = f"{expectation(message)}, found '{invalid.errors()[0]['input']}'."
    return f"{ended(message)} See `{context.command_path} --help`."


def _subcommands(arguments: list[str]) -> Iterable[str]:
    """Return the typed subcommand, or all if none is typed. Raises UsageError if it is unknown."""
    to_complete = completion.line_to_complete()
    words = arguments if to_complete is None else to_complete
    typed = next((word for word in words if not word.startswith("-")), None)
    if typed is None or (to_complete is not None and typed not in COMMANDS):
        return COMMANDS
    if typed not in COMMANDS:
        from difflib import get_close_matches

        close = get_close_matches(typed, [*COMMANDS, "--help", "--version"], n=1)
        hint = f" Did you mean '{close[0]}'?" if close else " `koth --help` lists all."
        raise UsageError(f"there is no command '{typed}'.{hint}")
    return [typed]


def _app(names: Iterable[str]) -> typer.Typer:
    """Return the command with these subcommands."""
    app = typer.Typer(
        name="koth",
        cls=Group,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(koth)
    for name in names:
        module = module_of(name)
        subcommand = getattr(import_module(f"koth.cli.{module}"), module)
        if isinstance(subcommand, typer.Typer):
            app.add_typer(subcommand, name=name)
        else:
            app.command(name, cls=Command)(subcommand)
    return app


def _fail(message: str, code: int, multiline: bool = False) -> int:
    """Print an error message, in one line unless ``multiline``, and return ``code``."""
    lines = message.splitlines() if multiline else [message]
    prefix = "koth:"
    try:
        if terminal.has_cursor(sys.stderr) and not os.environ.get("NO_COLOR"):
            sys.stderr.flush()
            print(typer.style(prefix, fg="red", bold=True), end="", file=terminal.raw(sys.stderr))
            prefix = ""
        print(prefix, "\n".join(map(printable, lines)), file=sys.stderr, flush=True)
    except OSError:  # standard error is closed
        pipe.discard(sys.stderr)
    return code
