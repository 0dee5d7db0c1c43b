"""Completion in the shell: what may stand where somebody presses TAB.

``koth --install-completion`` sets it up. The shell then runs ``koth`` with its line in the
environment, and typer answers with commands, options, and what the functions here give. They keep
silent about what is wrong: the command will say it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress

import typer

VARIABLE = "_KOTH_COMPLETE"
"""The environment variable that asks for completions; typer's name for it."""

SHOW, INSTALL = OPTIONS = ("--show-completion", "--install-completion")
"""Options of typer's, for the shell that one is in."""

SHELLS = ["bash", "zsh", "fish", "powershell", "pwsh"]


def typed() -> list[str] | None:
    """The words behind ``koth`` on the line to be completed; None if nothing is to be completed."""
    if VARIABLE not in os.environ:
        return None
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    return line.split()[1:]


def asked_for(option: str, shell: str) -> None:
    """Have the script for ``shell`` shown, whichever one is in. Raises UsageError."""
    from schema.errors import UsageError
    from schema.registry import suggest

    if option == INSTALL:
        raise UsageError(f"{INSTALL}: expected no '{shell}': it is for the shell that you are in.")
    if shell not in SHELLS:
        raise UsageError(f"{SHOW}: there is no shell '{shell}' known.{suggest(shell, SHELLS)}")
    os.environ[VARIABLE] = f"source_{shell}"


def games(incomplete: str) -> list[str]:
    """The games installed."""
    from importlib.metadata import entry_points

    return _fitting({point.name for point in entry_points(group="koth.games")}, incomplete)


def bots(ctx: typer.Context, incomplete: str) -> list[str]:
    """``examples``, and once it is begun each of them; the shell itself knows the files."""
    if not incomplete.startswith("examples/"):
        return _fitting({"examples"}, incomplete) if incomplete else []
    from referee.roster.resolve import EXAMPLES, examples
    from schema.errors import KothError
    from schema.registry import card

    with suppress(KothError, KeyError):
        found = examples(card(_game(ctx)))
        return _fitting({f"{EXAMPLES}/{path.stem}" for path in found}, incomplete)
    return []


def clauses(ctx: typer.Context, incomplete: str) -> list[str]:
    """The clauses of the game's rulebook, in its order."""
    from schema.errors import KothError
    from schema.registry import card
    from schema.rulebook import clauses

    with suppress(KothError, KeyError):
        known = clauses(card(_game(ctx)))
        return [number for number in known if number.startswith(incomplete)]
    return []


def _game(ctx: typer.Context) -> str:
    """The game that was typed before. Raises KeyError."""
    values: Mapping[str, str | None] = ctx.params
    return values["game"] or ""


def _fitting(words: set[str], incomplete: str) -> list[str]:
    return sorted(word for word in words if word.startswith(incomplete))
