"""``koth new-game``: write the skeleton of a package with a game."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from koth.cli.output import say
from schema.log_path import shell_word


class Protocol(StrEnum):
    """Protocols that the skeleton has bots for."""

    ARGV = "argv"
    FILE = "file"
    STREAM = "stream"
    CLASS = "class"


def new_game(
    name: Annotated[
        str,
        typer.Argument(
            help="The name of the game: lower-case letters and digits, with single '_' between "
            "them and a letter in front.",
            metavar="NAME",
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("-o", help="A new folder. Default: NAME.", metavar="DIR")
    ] = None,
    protocol: Annotated[
        Protocol,
        typer.Option(
            help="How the game calls its bots: 'argv', a process for each decision; 'file', the "
            "same, but it appends to a file; 'stream', a process for each match, which reads and "
            "prints lines; 'class', a Python object for each match.",
            metavar="PROTOCOL",
        ),
    ] = Protocol.ARGV,
) -> None:
    """Write the skeleton of a package with a game."""
    from koth import game_skeleton

    folder = output or Path(name)
    game_skeleton.write(name, folder, protocol)
    say(f"cd {shell_word(folder)}  # a game that works; RULES.md has its rules")
    say("pip install -e '.[dev]'  # where Koth is installed; then `koth games` lists the game")
    say("pytest  # then replace rules, events, bots and queries with your own")
