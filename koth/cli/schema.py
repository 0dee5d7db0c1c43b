"""``koth schema``: print the JSON Schema of the log format."""

from __future__ import annotations

from typing import Annotated

import typer

from koth.cli import completion
from koth.cli.output import say


def schema(
    game: Annotated[
        str | None,
        typer.Argument(
            help="The game. Default: all games.", metavar="GAME", autocompletion=completion.games
        ),
    ] = None,
) -> None:
    """Print the JSON Schema of the log format.

    It describes the lines of a log, of one game or of all games.
    """
    from schema import jsonschema, registry

    if game is None:
        value: object = {card.name: jsonschema.of_game(card) for card in registry.cards()[0]}
    else:
        value = jsonschema.of_game(registry.card(game))
    say(jsonschema.dumps(value), end="")
