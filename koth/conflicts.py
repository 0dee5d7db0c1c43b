"""Refuse to run beside another package that uses one of Koth's names, such as PyPI's ``schema``.

Two packages of one name in one environment overwrite each other's files, or one hides the other.
Either would then fail later, in some other place, for no visible reason.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from importlib.util import find_spec
from os import scandir
from pathlib import Path

NAMES = ("schema", "games", "referee", "replay", "audit", "report")
"""Koth's own top-level packages."""

HOME = Path(__file__).parent.parent

_METADATA = re.compile(rf"({'|'.join(NAMES)})-([^-]+)\.(dist|egg)-info")
"""The folder in which pip keeps what it knows of a package; importlib.metadata loads slowly."""


def check() -> None:
    """Raise ImportError, with the remedy, if another package uses one of Koth's names."""
    for other in (_installed(), *map(_hiding, NAMES)):
        if other:
            raise ImportError(
                f"{other}, and Koth has a package of that name too: in one environment, one breaks "
                "the other. Install Koth into an environment of its own: `pipx install koth` or "
                "`uv tool install koth`."
            )


def _installed() -> str:
    """Return a sentence about another package with one of the names, if pip installed one."""
    for folder in sys.path:
        with suppress(OSError):
            for entry in scandir(folder or "."):
                if match := _METADATA.fullmatch(entry.name):
                    return f"the package {match[1]} {match[2]} is installed here"
    return ""


def _hiding(name: str) -> str:
    """Return a sentence about a package that Python finds before Koth's own, if there is one."""
    spec = find_spec(name)
    if spec is None or not spec.origin or Path(spec.origin).parent.parent == HOME:
        return ""
    return f"'{spec.origin}' is another package called {name}"
