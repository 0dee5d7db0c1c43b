"""``koth play``: one match."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from koth import faults, inputs
from koth.options import Bots, Cold, Durable, Game, IsolationOption, Seed, Set


def play(
    game: Game,
    bots: Bots,
    output: Annotated[Path, typer.Option("-o", help="The log to write.", metavar="LOG")],
    seed: Seed = None,
    set_: Set = None,
    isolation: IsolationOption = None,
    cold: Cold = False,
    durable: Durable = False,
) -> None:
    """Play one match and write its log."""
    from referee import single
    from referee.roster import resolve
    from schema import registry

    card = registry.card(game)
    settings = card.settings(inputs.settings(set_))
    result = single.play(
        card,
        resolve(bots, card),
        settings,
        inputs.seed(seed),
        output,
        inputs.isolation(isolation),
        cold,
        durable,
    )
    print(f"{output}: {result}", file=sys.stderr)
    faults.tell_of(output)
