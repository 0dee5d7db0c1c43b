"""The registry of games: the installed packages with an entry point in the group ``koth.games``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from schema import rulebook
from schema.card import Card, read
from schema.errors import GameError, UsageError
from schema.rules_version import CardError, broken_package
from schema.words import suggest

GROUP = "koth.games"
"""The group of the entry points."""


class UnknownGame(UsageError):
    """Raised when no installed game has a name."""


def names() -> list[str]:
    """Return the names of all installed games, sorted."""
    return sorted({point.name for point in _points()})


def cards() -> tuple[list[Card], list[GameError]]:
    """Return the cards of all usable games by name, and the errors of the others."""
    usable: list[Card] = []
    errors: list[GameError] = []
    for name in names():
        try:
            game = card(name)
            for version in game.versions.values():
                version.event_models()
            usable.append(game)
        except GameError as error:
            errors.append(error)
    return usable, errors


def checked_cards() -> tuple[list[Card], list[GameError]]:
    """Return :func:`cards`, and import everything that they name. The audit must not do that."""
    usable, errors = cards()
    sound: list[Card] = []
    for game in usable:
        try:
            check(game)
            sound.append(game)
        except GameError as error:
            errors.append(error)
    return sound, errors


def check(game: Card) -> None:
    """Check everything that a card names, as far as a game needs it. Raises CardError."""
    game.check()
    if not game.built_in:
        rulebook.check(game)


@cache
def card(name: str) -> Card:
    """Return the card of the game called ``name``.

    Raises UsageError if no such game is installed, and CardError if its card is not valid, if two
    packages provide it, or if another game has one of its tables or formats.
    """
    game = _installed(name)
    if not game.built_in:
        _check_tables(game)
        _check_formats(game)
    return game


@cache
def card_under(name: str, rules: str) -> Card:
    """Return the card of a game, for new matches under ``rules``, one of its versions.

    Raises as :func:`card` does.
    """
    return card(name).model_copy(update={"rules": rules})


def _installed(name: str) -> Card:
    """Return the card of a game; raises the same errors, except for its tables and formats."""
    points = {point.value: point for point in _points() if point.name == name}
    if len(points) > 1:
        owners = " and ".join(f"'{package}' of {_owner(p)}" for package, p in points.items())
        raise CardError(f"two packages provide a game called '{name}': {owners}. Uninstall one.")
    for package in points:
        return read(package, name)
    name = name[:64]  # a log may name anything
    raise UnknownGame(f"no game is called {name!r}.{suggest(name, names())}")


def _check_tables(game: Card) -> None:
    """Check that no other installed game has a table of ``game`` in SQL. Raises CardError."""
    own = game.tables()
    for name in names():
        shorter, longer = sorted((name, game.name), key=len)
        if not longer.startswith(f"{shorter}_"):
            continue
        try:
            tables = _installed(name).tables()
        except GameError:
            continue
        if shared := tables & own:
            problem = f"'{min(shared)}' in SQL is a table of the game '{name}', too"
            solution = "the event or view needs another name"
            raise broken_package(game.current.name, f"{problem}; {solution}")


def _check_formats(game: Card) -> None:
    """Check that no other installed game imports a format of ``game``. Raises CardError."""
    for name in names() if game.importers else ():
        try:
            shared = game.importers.keys() & _installed(name).importers.keys()
        except GameError:
            continue
        if shared and name != game.name:
            problem = f"importers: '{min(shared)}' is a format of the game '{name}', too"
            raise broken_package(game.name, f"{problem}; the format needs another name")


def _points() -> Sequence[EntryPoint]:
    """Return the entry points of all games. They are read again if a package was installed."""
    return _read_points(tuple((folder, _changed(folder)) for folder in sys.path))


@lru_cache(1)
def _read_points(folders: tuple[tuple[str, int | None], ...]) -> Sequence[EntryPoint]:
    # Takes milliseconds, because a file of each installed package is read.
    return tuple(entry_points(group=GROUP))


def _changed(folder: str) -> int | None:
    """Return when the entries of a folder of ``sys.path`` last changed, None without a folder."""
    try:
        return Path(folder).stat().st_mtime_ns
    except OSError:
        return None


def _owner(point: EntryPoint) -> str:
    """Return the name of the distribution that declares an entry point."""
    return point.dist.name if point.dist else "an unknown package"
