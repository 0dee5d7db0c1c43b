"""``koth games``: list the installed games, or describe one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from koth.cli import completion

if TYPE_CHECKING:
    from schema.registry import Bound, Card

PROTOCOLS = {
    "argv": "one process per decision; its arguments describe the position, it prints the answer",
    "file": "one process per decision; it appends the answer to the match's history file",
    "class": "a Python class whose methods are called; its object lives for the whole match",
}


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
    from schema import registry
    from schema.errors import GameError
    from schema.log_path import printable

    if game is not None:
        print("\n".join(map(printable, _description(registry.card(game)))))
        return
    sound, broken = registry.cards()
    for card in sound:
        print(f"{card.name}  {card.rules}  {card.protocol}  {card.title}")
    for error in broken:
        print(f"koth: {printable(str(error))}", file=sys.stderr)
    if broken:
        raise typer.Exit(GameError.exit_code)


def _description(card: Card) -> Iterator[str]:
    """Yield the lines of a game's description."""
    from referee.roster.resolve import examples
    from schema.words import counted

    bots = [path.stem for path in examples(card)]
    facts = {
        "rules": f"{card.rules}; `koth rules {card.name}` prints them",
        "match": f"{_number(card.seats)} bots",
        "tournament": f"{_number(card.entrants)} bots",
        "protocol": f"{card.protocol}: {PROTOCOLS[card.protocol]}",
        "examples": f"{counted(len(bots), 'bot')}; `koth bots {card.name}` describes them",
    }
    yield f"{card.title} ({card.name})"
    yield ""
    yield from _table([[f"{name}:", text] for name, text in facts.items()])
    yield ""
    yield "Settings, for `--set NAME=VALUE`:"
    yield ""
    yield from _table([["name", "default", "allowed", "meaning"], *_settings(card)])
    if bots:
        yield ""
        some = " ".join(f"examples/{name}" for name in bots[: _fewest(card)])
        yield f"$ koth play {card.name} {some} -o match.jsonl"


def _settings(card: Card) -> Iterator[list[str]]:
    """Yield name, default, bounds and meaning of each setting."""
    from schema.allowed_values import allowed_values

    properties = card.current.settings_model().model_json_schema()["properties"]
    for name, field in properties.items():
        default = field.get("default", "")
        yield [name, str(default), allowed_values(field), field.get("description", "")]


def _number(bounds: tuple[Bound, Bound]) -> str:
    """Return a number or a range as text; a bound may be the name of a setting."""
    fewest, most = (f"`{b}`" if isinstance(b, str) else f"{b:,}" for b in bounds)
    return fewest if fewest == most else f"{fewest} to {most}"


def _fewest(card: Card) -> int:
    """Return the minimum number of bots in a match under the default settings."""
    fewest = card.seats[0]
    return int(getattr(card.settings({}), fewest)) if isinstance(fewest, str) else fewest


def _table(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()
