"""The command ``koth``: load the subcommand that is typed, and turn errors into exit codes.

0 fine · 1 findings · 2 wrong usage · 3 nothing to work on · 4 the tool itself failed ·
130 interrupted. Data goes to standard output, everything else to standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Annotated

import typer

from koth.cli import completion, pipe, terminal
from koth.cli.commands import COMMANDS, Command, Group, module_of
from koth.cli.exit_codes import FAILED, INTERRUPTED
from koth.cli.failures import Failure, failure, has_traceback
from schema.errors import UsageError
from schema.log_path import printable


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
            return _fail(Failure(f"standard output: {error.strerror}.", FAILED))
    return code


def _status(arguments: list[str], signals: Sequence[int]) -> int:
    debug = bool(os.environ.get("KOTH_DEBUG"))
    try:
        return _run(arguments)
    except (Exception, KeyboardInterrupt) as error:
        if debug and has_traceback(error):
            raise
        interrupted = signals and not debug  # a library may have replaced or lost the interrupt
        return _fail(failure(KeyboardInterrupt() if interrupted else error))


def _run(arguments: list[str]) -> int:
    """Run the command, and return its exit code unless an error ends it."""
    if len(arguments) == 2 and arguments[0] in completion.OPTIONS:
        completion.request_script(*arguments)
    app = _app(_subcommands(arguments))
    code = app(arguments, prog_name="koth", standalone_mode=False) or 0
    if code == INTERRUPTED:  # typer catches a KeyboardInterrupt
        raise KeyboardInterrupt
    return code


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


def _fail(failure: Failure) -> int:
    """Print an error, and return the exit code. The help of a command has no prefix."""
    message, code, multiline = failure
    if message.startswith("Usage:"):
        print(message, file=sys.stderr)
        return code
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
