"""Fixtures that the tests of the corpus share with those of the command."""

from __future__ import annotations

from tests.koth.conftest import koth

__all__ = ["koth"]
