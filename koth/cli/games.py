"""``koth games``: the games that are installed, and what there is to know of one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from koth.cli import completion

if TYPE_CHECKING:
    from schema.registry import Bound, Card

PROTOCOLS = {
    "argv": "a process for each decision; the arguments tell the position, the answer is printed",
    "file": "a process for each decision; the answer is appended to the match's history file",
    "class": "a Python class, kept for the match; its methods are called",
}


def games(
    game: Annotated[
        str | None,
        typer.Argument(
            help="A game, to be shown with its settings.",
            metavar="GAME",
            autocompletion=completion.games,
        ),
    ] = None,
) -> None:
    """List the games, or show one.

    The list has name, rules version, protocol and title.

    Packages whose game cannot be used are named, with what is wrong with them.
    """
    from schema import registry
    from schema.errors import GameError
    from schema.log_path import printable

    if game is not None:
        print("\n".join(map(printable, _shown(registry.card(game)))))
        return
    sound, broken = registry.cards()
    for card in sound:
        print(f"{card.name}  {card.rules}  {card.protocol}  {card.title}")
    for error in broken:
        print(f"koth: {printable(str(error))}", file=sys.stderr)
    if broken:
        raise typer.Exit(GameError.exit_code)


def _shown(card: Card) -> Iterator[str]:
    """A game, line by line."""
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
    """Name, default, bounds and meaning of each setting."""
    from schema.allowed_values import allowed_values

    properties = card.current.settings_model().model_json_schema()["properties"]
    for name, field in properties.items():
        default = field.get("default", "")
        yield [name, str(default), allowed_values(field), field.get("description", "")]


def _number(bounds: tuple[Bound, Bound]) -> str:
    """How many: a number, two bounds, or the setting that says it."""
    fewest, most = (f"`{one}`" if isinstance(one, str) else f"{one:,}" for one in bounds)
    return fewest if fewest == most else f"{fewest} to {most}"


def _fewest(card: Card) -> int:
    """The fewest bots of a match under the default settings."""
    fewest = card.seats[0]
    return int(getattr(card.settings({}), fewest)) if isinstance(fewest, str) else fewest


def _table(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()
