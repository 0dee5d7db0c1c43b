"""Arguments and options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from koth.cli import completion
from schema.log_path import LogPath

Game = Annotated[
    str,
    typer.Argument(
        help="The game; `koth games` lists them.", metavar="GAME", autocompletion=completion.games
    ),
]


def _log(word: str) -> LogPath:
    from schema import discovery

    return discovery.log(Path(word))


Log = Annotated[
    LogPath,
    typer.Argument(
        help="A log; one in a bundle as if that were a folder.", metavar="LOG", parser=_log
    ),
]
Other = Annotated[LogPath, typer.Argument(help="Another.", metavar="OTHER", parser=_log)]
Paths = Annotated[
    list[Path], typer.Argument(help="Logs, or folders and bundles that hold logs.", metavar="PATH")
]
Bots = Annotated[
    list[str],
    typer.Argument(
        help="Files, folders, a bots.toml, a competitors.txt, `examples` or `examples/NAME`.",
        metavar="BOT",
        autocompletion=completion.bots,
    ),
]
Seed = Annotated[
    str | None,
    typer.Option(
        help="The seed, 32 to 64 hex digits, fewer only in examples; else drawn at random."
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", help="A setting of the game; may be given again.", metavar="KEY=VALUE"),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        help="How many processes work side by side: else one, or with --cluster local one a core.",
        min=1,
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        help="Work on the cluster of Dask with this scheduler (tcp://HOST:PORT), or on a new one "
        "on this machine (local).",
        metavar="ADDRESS",
    ),
]
Shared = Annotated[
    Path | None,
    typer.Option(
        help="With --cluster: a folder that its workers see by the same name. Logs in there do "
        "not travel.",
        metavar="DIR",
    ),
]
Cold = Annotated[
    bool, typer.Option("--cold", help="Start an interpreter for each decision of a script.")
]
Durable = Annotated[
    bool, typer.Option("--durable", help="Sync each decision to the disk, not only each seal.")
]
Key = Annotated[
    str | None,
    typer.Option(
        help="The public key that must have signed, or a file that holds it.", metavar="VKEY"
    ),
]
Proof = Annotated[
    Path | None,
    typer.Option(help="A proof, as of `koth prove`, that the one log is signed.", metavar="FILE"),
]
Origin = Annotated[
    str | None, typer.Option(help="What the key must have signed for.", metavar="NAME")
]


AllowBroken = Annotated[
    bool, typer.Option("--allow-broken", help="Play although bots cannot run, with a warning.")
]
Bind = Annotated[
    list[str] | None,
    typer.Option(
        "--bind",
        help="A file or a folder that bots may read in their sandboxes; may be given again.",
        metavar="PATH",
    ),
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
    Isolation | None,
    typer.Option(
        help="sandbox: each bot between walls of the kernel's (bubblewrap). "
        "process: in processes of its own, with limits. "
        "none: class bots in the referee's own, for bots that you trust; no time limit there. "
        "Without it: KOTH_ISOLATION, or the strongest that this machine has."
    ),
]
