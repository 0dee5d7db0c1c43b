"""``koth schema``: the JSON Schema of the log format."""

from __future__ import annotations

from typing import Annotated

import typer

from koth.cli import completion


def schema(
    game: Annotated[
        str | None,
        typer.Argument(help="The game; all of them if not given.", autocompletion=completion.games),
    ] = None,
) -> None:
    """Print the JSON Schema of a log's line, of one game or all."""
    from schema import jsonschema, registry

    if game is None:
        found: object = {card.name: jsonschema.of_game(card) for card in registry.cards()[0]}
    else:
        found = jsonschema.of_game(registry.card(game))
    print(jsonschema.dumps(found), end="")
