"""Declarations of arguments and options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from koth.cli import completion
from koth.library.isolation import Isolation
from schema.log_path import LogPath


class TextOrJson(StrEnum):
    """Output formats: text for people, JSON for programs."""

    TEXT = "text"
    JSON = "json"


def _log(word: str) -> LogPath:
    from schema import discovery

    return discovery.log(Path(word))


Game = Annotated[
    str,
    typer.Argument(
        help="The game; `koth games` lists all.", metavar="GAME", autocompletion=completion.games
    ),
]
Log = Annotated[
    LogPath,
    typer.Argument(
        help="A log, such as spring/17 for match 17 in spring; a path may lead into a bundle as "
        "into a folder.",
        metavar="LOG",
        parser=_log,
    ),
]
Other = Annotated[LogPath, typer.Argument(help="The other log.", metavar="OTHER", parser=_log)]
Paths = Annotated[
    list[Path], typer.Argument(help="Logs, or folders and bundles with logs.", metavar="PATH")
]
Bots = Annotated[
    list[str],
    typer.Argument(
        help="Bots: files, folders, a bots.toml, a competitors.txt, `examples` or `examples/NAME`.",
        metavar="BOT",
        autocompletion=completion.bots,
    ),
]
OptionalBots = Annotated[
    list[str] | None,
    typer.Argument(
        help="Bots, as for `koth play`. Default: those that were entered in the match's contest, "
        "and the examples.",
        metavar="BOT",
        autocompletion=completion.bots,
    ),
]
Mine = Annotated[
    str,
    typer.Argument(
        help="Your bot, as for `koth play`; of several, the one with the name of its seat.",
        metavar="MINE",
        autocompletion=completion.bots,
    ),
]
OwnSeat = Annotated[
    int | None,
    typer.Option(
        "--seat", help="The seat of your bot. Default: that of its name.", min=0, metavar="SEAT"
    ),
]
OtherBots = Annotated[
    list[str] | None,
    typer.Option(
        "--bots",
        help="The recorded bots, as for `koth play`. Default: those that were entered in the "
        "match's contest, and the examples.",
        metavar="BOT…",
    ),
]
More = Annotated[list[str] | None, typer.Argument(hidden=True, metavar="BOT")]
"""All words after --bots."""
Seed = Annotated[
    str | None,
    typer.Option(
        help="The seed, 32 to 64 hex digits (fewer only for examples). Default: random.",
        metavar="HEX",
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", help="Change a setting of the game; repeatable.", metavar="KEY=VALUE"),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        help="Number of processes. Default: 1; with --cluster local, one per core.",
        min=1,
        metavar="N",
    ),
]
LocalJobs = Annotated[int, typer.Option("--jobs", help="Number of processes.", min=1, metavar="N")]
"""For commands without --cluster."""
Cluster = Annotated[
    str | None,
    typer.Option(
        help="Work on the Dask cluster with the scheduler tcp://HOST:PORT, or on a new cluster on "
        "this machine (`local`).",
        metavar="ADDRESS",
    ),
]
Shared = Annotated[
    Path | None,
    typer.Option(
        help="With --cluster: a folder that all workers see under the same path; its logs are not "
        "sent over the network.",
        metavar="DIR",
    ),
]
Seat = Annotated[
    int | None,
    typer.Option(
        "--seat",
        help="Show only what the player at this seat could know; its questions count from 1.",
        min=0,
        metavar="SEAT",
    ),
]
Cold = Annotated[
    bool, typer.Option("--cold", help="Start a new interpreter for each decision of a script.")
]
Name = Annotated[
    str | None,
    typer.Option(
        help="Its id in the logs. Default: the start of its seed commitment.", metavar="NAME"
    ),
]
Rating = Annotated[
    bool,
    typer.Option("--rating", help="Rate the bots by the strength of their opponents instead."),
]
FullHash = Annotated[
    bool, typer.Option("--full-hash", help="Show all 64 digits of each bot's hash.")
]
Durable = Annotated[
    bool, typer.Option("--durable", help="Sync each decision to disk, not only each seal.")
]
Key = Annotated[
    str | None,
    typer.Option(
        help="Require a signature by this public key, given as text or as a file.", metavar="VKEY"
    ),
]
Proof = Annotated[
    Path | None,
    typer.Option(
        help="Require this proof, from `koth prove`, that the log is signed.", metavar="FILE"
    ),
]
Origin = Annotated[
    str | None, typer.Option(help="Require a signature for this origin.", metavar="NAME")
]
SinceOption = Annotated[
    list[Path] | None,
    typer.Option(
        help="Require that the contest extends this earlier checkpoint of it; repeatable.",
        metavar="CHECKPOINT",
    ),
]
AnyFiles = Annotated[
    bool,
    typer.Option(
        "--any-files",
        help="Accept bots whose files differ from the recorded ones: bots of the recorded names, "
        "or one bot for each seat, in order.",
    ),
]
AllowBroken = Annotated[
    bool,
    typer.Option(
        "--allow-broken", help="Continue even if a bot cannot run; print a warning instead."
    ),
]
Bind = Annotated[
    list[str] | None,
    typer.Option(
        "--bind",
        help="Let bots read this file or folder in their sandboxes; repeatable.",
        metavar="PATH",
    ),
]
Format = Annotated[
    TextOrJson,
    typer.Option(
        "--format", help="Output format: text for people, json for programs.", metavar="text|json"
    ),
]


def _isolation(default: str) -> Any:
    """Return the option --isolation, whose help ends with the default."""
    return typer.Option(
        "--isolation",
        help="sandbox: run each bot in kernel namespaces (bubblewrap). "
        "process: run bots in processes of their own, with limits. "
        "none: as process, but run class bots that share nothing in the referee's process, without "
        "limits; for trusted bots. "
        f"Default: {default}.",
        metavar="sandbox|process|none",
    )


IsolationOption = Annotated[
    Isolation | None,
    _isolation("KOTH_ISOLATION, or the strongest level that this machine has"),
]
ResumedIsolation = Annotated[
    Isolation | None,
    _isolation("as for a new tournament, but never weaker than the recorded level"),
]
