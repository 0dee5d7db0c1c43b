"""Write the skeleton of a package with a game of its own: a small game that works."""

from __future__ import annotations

import keyword
import os
import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template

from schema import card, contract, registry
from schema.errors import UsageError
from schema.files import replacing_folder, require_folder_of, write_file

TEMPLATES = Path(str(files("koth"))) / "skeleton"
"""Folder with the templates of each game, each in a folder of its own.

``package`` in a path stands for the name of the game.
"""

EVERY_GAME = "every_game"
"""Name of the folder with the templates that all games share."""

SUFFIX = ".template"

PARTS: Mapping[str, Mapping[str, Mapping[str, str]]] = tomllib.loads(
    (TEMPLATES / "parts.toml").read_text(encoding="utf-8")
)
"""The parts of the templates that depend on the game, and those that depend on the protocol."""

MAX_NAME = 30
"""Maximum characters of a name: a longer one would make lines of the skeleton too long."""

TOOLS = ("mypy", "pytest", "ruff")
"""The tools of the skeleton, which may be installed later; its package would hide them."""


def write(name: str, folder: Path, protocol: str) -> None:
    """Write the skeleton of a game called ``name`` with this protocol to a new folder.

    Raises UsageError if the name is not allowed or the folder exists, and OSError.
    """
    check_name(name)
    if os.path.lexists(folder):
        raise UsageError(
            f"{folder}: this path already exists; expected a new folder. Name one with -o."
        )
    require_folder_of(folder)
    with replacing_folder(folder) as new:
        for path, text in skeleton(name, protocol):
            (new / path).parent.mkdir(parents=True, exist_ok=True)
            write_file(new / path, text.encode())


def check_name(name: str) -> None:
    """Raise UsageError if a game or its package cannot have this name."""
    if not re.fullmatch(contract.NAME, name) or len(name) > MAX_NAME:
        similar = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_0123456789")[:MAX_NAME]
        similar = similar.strip("_")
        hint = f", such as '{similar}'" if similar and not keyword.iskeyword(similar) else ""
        raise UsageError(
            f"expected a name of at most {MAX_NAME} lower-case letters and digits, with single '_' "
            f"between them and a letter in front{hint}; found '{name}'."
        )
    if name in registry.names():
        raise UsageError(f"there is a game called '{name}' already; `koth games` lists all.")
    reserved = (*card.RESERVED, *TOOLS)
    if keyword.iskeyword(name) or name in reserved or find_spec(name) is not None:
        raise UsageError(f"'{name}' is taken by Python or by Koth; choose another name.")


def skeleton(name: str, protocol: str) -> list[tuple[str, str]]:
    """Return the path and the text of each file of a game called ``name``."""
    game = PARTS["protocols"][protocol]["game"]
    parts = {**PARTS["games"][game], **PARTS["protocols"][protocol]}
    words = name.split("_")
    letters = "".join(word[0] for word in words if word[0].isalpha()) if words[1:] else name[:2]
    values = {
        "name": name,
        "title": name.replace("_", " ").capitalize(),
        "project": f"koth-{name.replace('_', '-')}",
        "prefix": re.sub(r"[^a-z]", "", letters)[:4].upper(),
    }
    return [
        (
            path.relative_to(folder).as_posix().removesuffix(SUFFIX).replace("package", name),
            Template(Template(path.read_text(encoding="utf-8")).safe_substitute(parts)).substitute(
                values
            ),
        )
        for folder in (TEMPLATES / EVERY_GAME, TEMPLATES / game)
        for path in sorted(folder.rglob(f"*{SUFFIX}"))
    ]
