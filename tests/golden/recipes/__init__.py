"""How golden logs were made: a module a game, with a recipe for each log, named after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.making import Events


class Recipe(NamedTuple):
    """One golden log: what makes its bytes, and whether what it is named after happens in it."""

    make: Callable[[], bytes]
    happens: Callable[[Events], bool]
