"""The command ``koth``: puts the subcommands together, and turns errors into exit codes.

0 fine · 1 findings · 2 wrong usage · 3 nothing to work on · 4 the tool itself failed ·
130 interrupted. Data goes to standard output, everything else to standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from difflib import get_close_matches
from importlib.metadata import version
from typing import Annotated

import typer
from typer.exceptions import TyperException

from koth import (
    audit,
    bots,
    demo,
    diff,
    explain,
    export,
    games,
    import_,
    leaderboard,
    pack,
    play,
    replay,
    rules,
    schema_,
    sql,
    tournament,
    unpack,
    verify,
)
from schema.errors import KothError

FAILED, INTERRUPTED = 4, 130

COMMANDS: dict[str, Callable[..., None]] = {
    "demo": demo.demo,
    "play": play.play,
    "tournament": tournament.tournament,
    "verify": verify.verify,
    "replay": replay.replay,
    "explain": explain.explain,
    "diff": diff.diff,
    "audit": audit.audit,
    "sql": sql.sql,
    "leaderboard": leaderboard.leaderboard,
    "export": export.export,
    "pack": pack.pack,
    "unpack": unpack.unpack,
    "games": games.games,
    "import": import_.import_,
    "bots": bots.bots,
    "rules": rules.rules,
    "schema": schema_.schema,
}

app = typer.Typer(
    name="koth",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for name, function in COMMANDS.items():
    app.command(name)(function)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"koth {version('koth')}")
        raise typer.Exit


@app.callback()
def koth(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="The version.")
    ] = False,
) -> None:
    """Replay, verify and audit bot tournaments from their event logs."""


def run(arguments: list[str] | None = None) -> None:
    """Run the command and end the process with its exit code."""
    sys.exit(status(sys.argv[1:] if arguments is None else arguments))


def status(arguments: list[str]) -> int:
    """Run the command and return its exit code. Every error ends as one clear message."""
    try:
        _check_command(arguments)
        return app(arguments, prog_name="koth", standalone_mode=False) or 0
    except KothError as error:
        return _fail(str(error), error.exit_code)
    except TyperException as error:
        message = error.format_message()
        if message.startswith("Usage:"):
            print(message, file=sys.stderr)
            return 2
        return _fail(message, 2)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted.", INTERRUPTED)
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):
            return 0  # whoever reads our output has had enough
        raise
    except OSError as error:
        return _fail(f"{error.filename or 'input or output'}: {error.strerror}.", FAILED)
    except Exception as error:
        if os.environ.get("KOTH_DEBUG"):
            raise
        told = f"{type(error).__name__}: {error}. This is a fault of koth itself; KOTH_DEBUG=1 "
        return _fail(told + "shows where.", FAILED)


def _check_command(arguments: list[str]) -> None:
    """Suggest what was meant by a command that does not exist."""
    wrong = next((word for word in arguments if not word.startswith("-")), None)
    if wrong is not None and wrong not in COMMANDS:
        close = get_close_matches(wrong, COMMANDS, n=1)
        hint = f" Did you mean '{close[0]}'?" if close else " `koth --help` lists them."
        raise _NoSuchCommand(f"there is no command '{wrong}'.{hint}")


class _NoSuchCommand(KothError):
    exit_code = 2


def _fail(message: str, code: int) -> int:
    print(f"koth: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    run()
