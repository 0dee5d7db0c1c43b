"""``koth rules``: print a game's rulebook, or one clause."""

from __future__ import annotations

from typing import Annotated

import typer

from koth.cli import completion
from koth.cli.options import Game
from koth.cli.output import say


def rules(
    game: Game,
    clause: Annotated[
        str | None,
        typer.Argument(
            help="A clause, such as CP-12. Default: the whole rulebook.",
            metavar="CLAUSE",
            autocompletion=completion.clauses,
        ),
    ] = None,
) -> None:
    """Print a game's rulebook, or one of its clauses."""
    from schema import registry, rulebook

    card = registry.card(game)
    if clause is None:
        say(rulebook.text(card), end="")
    else:
        number = clause.upper()
        say(f"{number}  {rulebook.clause(card, number)}")
