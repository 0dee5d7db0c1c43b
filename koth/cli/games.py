"""``koth games``: list the installed games, or describe one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from typing import TYPE_CHECKING, Annotated

import typer

from koth.cli import completion
from koth.cli.output import note, say
from schema.columns import aligned

if TYPE_CHECKING:
    from koth.library.catalogue import Game


def games(
    game: Annotated[
        str | None,
        typer.Argument(
            help="A game to describe, with its settings.",
            metavar="GAME",
            autocompletion=completion.games,
        ),
    ] = None,
) -> None:
    """List the games, or describe one.

    The list shows name, rules version, protocol and title. Games that cannot be used are listed
    with the reason.
    """
    from koth.library.catalogue import describe
    from schema import registry
    from schema.errors import GameError
    from schema.log_path import printable

    if game is not None:
        card = registry.card(game)
        registry.check(card)
        say("\n".join(map(printable, _description(describe(card)))))
        return
    sound, broken = registry.checked_cards()
    for card in sound:
        say(f"{card.name}  {card.rules}  {card.protocol}  {card.title}")
    for error in broken:
        note(str(error))
    if broken:
        raise typer.Exit(GameError.exit_code)


def _description(game: Game) -> Iterator[str]:
    """Yield the lines of a game's description."""
    from koth.library.catalogue import PROTOCOLS
    from schema.words import counted

    name = game.name
    examples = counted(len(game.examples), "bot")
    facts = {
        "rules": f"{game.rules}; `koth rules {name}` prints them",
        "match": f"{game.seats} bots",
        "tournament": f"{game.entrants} bots",
        "protocol": f"{game.protocol}: {PROTOCOLS[game.protocol]}",
        "examples": f"{examples}; `koth bots {name}` describes them",
    }
    settings = [[s.name, s.default, s.allowed, s.meaning] for s in game.settings]
    yield f"{game.title} ({name})"
    yield ""
    yield from _indented([[f"{fact}:", text] for fact, text in facts.items()])
    yield ""
    yield "Settings, for `--set NAME=VALUE`:"
    yield ""
    yield from _indented([["name", "default", "allowed", "meaning"], *settings])
    if game.examples:
        yield ""
        bots = " ".join(islice(cycle(game.examples), game.fewest))
        yield f"$ koth play {name} {bots} -o match.jsonl"


def _indented(rows: list[list[str]]) -> Iterator[str]:
    return (f"  {line}" for line in aligned(rows))
