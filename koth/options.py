"""Arguments and options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

Game = Annotated[str, typer.Argument(help="The game; `koth games` lists them.", metavar="GAME")]
Log = Annotated[
    Path, typer.Argument(help="A log.", metavar="LOG", exists=True, dir_okay=False, readable=True)
]
Other = Annotated[
    Path, typer.Argument(help="Another.", metavar="OTHER", exists=True, dir_okay=False)
]
Paths = Annotated[
    list[Path], typer.Argument(help="Logs, or folders that hold logs.", metavar="PATH")
]
Bots = Annotated[
    list[str],
    typer.Argument(
        help="Files, folders, a bots.toml, a competitors.txt, `examples` or `examples/NAME`.",
        metavar="BOT",
    ),
]
Seed = Annotated[
    str | None,
    typer.Option(help="The seed, up to 64 hex digits; drawn at random if not given."),
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", help="A setting of the game; may be given again.", metavar="KEY=VALUE"),
]
Jobs = Annotated[int, typer.Option(help="How many processes work side by side.", min=1)]
Cold = Annotated[
    bool, typer.Option("--cold", help="Start every bot afresh for each decision; always so now.")
]


class Isolation(StrEnum):
    """How far bots are kept apart."""

    SANDBOX = "sandbox"
    PROCESS = "process"
    NONE = "none"


class TextOrJson(StrEnum):
    """Output for people or for programs."""

    TEXT = "text"
    JSON = "json"


Format = Annotated[TextOrJson, typer.Option("--format", help="For people or for programs.")]
IsolationOption = Annotated[
    Isolation, typer.Option(help="How far bots are kept apart: own process group and limits.")
]
