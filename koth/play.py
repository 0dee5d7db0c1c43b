"""``koth play``: one match."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from koth import faults, inputs
from koth.options import AllowBroken, Bind, Bots, Cold, Durable, Game, IsolationOption, Seed, Set


def play(
    game: Game,
    bots: Bots,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", help="The log to write; without it, one in a new temporary folder.", metavar="LOG"
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
    from referee import entries, single
    from referee.roster import resolve
    from schema import registry

    card = registry.card(game)
    settings = card.settings(inputs.settings(set_))
    drawn = inputs.seed(seed)
    with inputs.log(output, card.name) as log:
        level = inputs.isolation(isolation)
        found = inputs.bound(resolve(bots, card), bind, level)
        job = single.plan(card, found, settings, drawn, log, level, cold, durable)
        inputs.warn(entries.check_match(job, allow_broken))
        print(f"{log}: {single.play(job)}", file=sys.stderr)
        faults.tell_of(log)
