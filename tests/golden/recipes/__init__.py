"""Recipes of golden logs: one module per game, one recipe per log, with the name of the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.factories import Events


class Recipe(NamedTuple):
    """One golden log: a function that makes its bytes, and a check that its name is true."""

    make: Callable[[], bytes]
    happens: Callable[[Events], bool]
