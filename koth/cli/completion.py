"""Shell completion: the words that may follow when a user presses TAB.

``koth --install-completion`` sets it up. The shell then runs ``koth`` with the typed line in the
environment. Typer completes commands and options; the functions here complete their values, and
ignore errors, which the command itself will report.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress

import typer

VARIABLE = "_KOTH_COMPLETE"
"""Typer's environment variable for a completion request."""

SHOW, INSTALL = OPTIONS = ("--show-completion", "--install-completion")
"""Typer's options for the current shell."""

SHELLS = ["bash", "zsh", "fish", "powershell", "pwsh"]


def line_to_complete() -> list[str] | None:
    """Return the words after ``koth`` on the line to complete; None without a request."""
    if VARIABLE not in os.environ:
        return None
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    return line.split()[1:]


def request_script(option: str, shell: str) -> None:
    """Make typer print the script for ``shell``. Raises UsageError for a wrong option or shell."""
    from schema.errors import UsageError
    from schema.words import suggest

    if option == INSTALL:
        raise UsageError(f"{INSTALL}: expected no shell, found '{shell}'. Use the current shell.")
    if shell not in SHELLS:
        raise UsageError(f"{SHOW}: unknown shell '{shell}'.{suggest(shell, SHELLS)}")
    os.environ[VARIABLE] = f"source_{shell}"


def games(incomplete: str) -> list[str]:
    """Return the installed games that begin with ``incomplete``."""
    from importlib.metadata import entry_points

    return _fitting({point.name for point in entry_points(group="koth.games")}, incomplete)


def bots(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return ``examples``, or each ``examples/NAME``; the shell itself completes files."""
    if not incomplete.startswith("examples/"):
        return _fitting({"examples"}, incomplete) if incomplete else []
    from referee.roster.resolve import EXAMPLES, examples
    from schema.errors import KothError
    from schema.registry import card

    with suppress(KothError, KeyError):
        paths = examples(card(_game(ctx)))
        return _fitting({f"{EXAMPLES}/{path.stem}" for path in paths}, incomplete)
    return []


def clauses(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the clauses of the game's rulebook, in its order."""
    from schema.errors import KothError
    from schema.registry import card
    from schema.rulebook import clauses

    with suppress(KothError, KeyError):
        known = clauses(card(_game(ctx)))
        return [number for number in known if number.startswith(incomplete)]
    return []


def _game(ctx: typer.Context) -> str:
    """Return the game earlier on the line. Raises KeyError."""
    values: Mapping[str, str | None] = ctx.params
    return values["game"] or ""


def _fitting(words: set[str], incomplete: str) -> list[str]:
    return sorted(word for word in words if word.startswith(incomplete))
