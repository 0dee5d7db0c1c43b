"""``koth play``: play one match."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from koth.cli import faults, inputs
from koth.cli import isolation as isolation_level
from koth.cli.options import (
    AllowBroken,
    Bind,
    Bots,
    Cold,
    Durable,
    Game,
    IsolationOption,
    Seed,
    Set,
)


def play(
    game: Game,
    bots: Bots,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", help="The log to write. Default: a log in a new temporary folder.", metavar="LOG"
        ),
    ] = None,
    seed: Seed = None,
    set_: Set = None,
    isolation: IsolationOption = None,
    bind: Bind = None,
    cold: Cold = False,
    durable: Durable = False,
    allow_broken: AllowBroken = False,
) -> None:
    """Play one match and write its log."""
    from koth.library import matches
    from referee.roster.resolve import resolve
    from schema import registry
    from schema.log_path import printable

    card = registry.card(game)
    settings = card.settings(inputs.settings(set_))
    match_seed = inputs.seed(seed)
    with matches.log_to_write(output, card.name) as log:
        level = isolation_level.choose(isolation)
        match = matches.played(
            card,
            isolation_level.with_binds(resolve(bots, card), bind, level),
            settings,
            match_seed,
            log,
            level,
            warn=inputs.warn,
            cold=cold,
            durable=durable,
            allow_broken=allow_broken,
        )
        print(printable(f"{log}: {match}"), file=sys.stderr)
        faults.print_log_summary(log)
