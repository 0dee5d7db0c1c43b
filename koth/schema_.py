"""``koth schema``: the JSON Schema of the log format."""

from __future__ import annotations

from typing import Annotated

import typer


def schema(
    game: Annotated[str | None, typer.Argument(help="The game; all of them if not given.")] = None,
) -> None:
    """Print the JSON Schema of a log's line, of one game or all."""
    from schema import jsonschema, registry

    if game is None:
        found: object = {name: jsonschema.of_game(registry.card(name)) for name in registry.names()}
    else:
        found = jsonschema.of_game(registry.card(game))
    print(jsonschema.dumps(found), end="")
