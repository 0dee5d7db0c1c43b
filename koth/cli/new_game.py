"""``koth new-game``: the skeleton of a package that brings a game of its own."""

from __future__ import annotations

import keyword
import re
import shlex
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Annotated

import typer

SKELETON = Path(str(files("koth"))) / "skeleton"
"""A small game that works, file by file. Each name ends in ``.template``; where it says
``package``, in its path, the name of the game comes."""

SUFFIX = ".template"

LONGEST = 30
"""A longer name breaks lines of the skeleton."""


def new_game(
    name: Annotated[
        str, typer.Argument(help="Its name: lower-case letters, digits, '_'.", metavar="NAME")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", help="A new folder for it; NAME if not given.", metavar="DIR"),
    ] = None,
) -> None:
    """Write the skeleton of a package that brings a game."""
    from schema.errors import UsageError

    check(name)
    folder = Path(name) if output is None else output
    try:
        folder.mkdir()
    except FileExistsError:
        told = "there is something already; expected a new folder. Name one with -o."
        raise UsageError(f"{folder}: {told}") from None
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made: {error.strerror}.") from None
    for path, text in skeleton(name):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    print(f"cd {shlex.quote(str(folder))}  # a game that works; RULES.md says how it is played")
    print("pip install -e '.[dev]'  # where koth is installed: `koth games` lists it then")
    print("pytest  # now replace rules, events, bots and queries by your own")


def check(name: str) -> None:
    """Raises UsageError for a name that a game, or its package, cannot have."""
    from schema import contract, registry
    from schema.errors import UsageError
    from schema.registry import RESERVED

    if not re.fullmatch(contract.NAME, name) or len(name) > LONGEST or keyword.iskeyword(name):
        fit = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_0123456789")[:LONGEST].strip("_")
        hint = f", such as '{fit}'" if fit and not keyword.iskeyword(fit) else ""
        raise UsageError(
            f"expected a name of at most {LONGEST} lower-case letters, digits and '_', with a "
            f"letter in front{hint}; found '{name}'."
        )
    if name in registry.names():
        raise UsageError(f"there is a game called '{name}' already; `koth games` lists them.")
    if name in RESERVED or find_spec(name) is not None:
        raise UsageError(f"'{name}' is taken by a Python module or by Koth; choose another name.")


def skeleton(name: str) -> list[tuple[str, str]]:
    """The files of the package of a game called ``name``: path and text of each."""
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
            str(path.relative_to(SKELETON)).removesuffix(SUFFIX).replace("package", name),
            Template(path.read_text()).substitute(values),
        )
        for path in sorted(SKELETON.rglob(f"*{SUFFIX}"))
    ]
