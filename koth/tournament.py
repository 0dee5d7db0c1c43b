"""``koth tournament``: everybody against everybody, as the game's rulebook says."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from koth import inputs, progress
from koth.options import Bots, Cold, Durable, Game, Isolation, IsolationOption, Jobs, Seed, Set
from koth.workers import workers

if TYPE_CHECKING:
    from referee.tournament import Tournament


def tournament(
    game: Game,
    bots: Bots,
    output: Annotated[Path, typer.Option("-o", help="A new folder for it.", metavar="DIR")],
    seed: Seed = None,
    name: Annotated[
        str | None, typer.Option(help="The tournament's id; else the head of its commitment.")
    ] = None,
    jobs: Jobs = 1,
    set_: Set = None,
    isolation: IsolationOption = Isolation.PROCESS,
    cold: Cold = False,
    durable: Durable = False,
) -> None:
    """Play a tournament into a new folder."""
    from referee import tournament
    from referee.roster import absolute, resolve
    from schema import registry

    card = registry.card(game)
    planned = tournament.plan(
        card,
        resolve(bots, card),
        card.settings(inputs.settings(set_)),
        inputs.seed(seed),
        inputs.name(name),
        output,
        inputs.isolation(isolation),
        cold,
        durable,
        absolute(bots),
    )
    hold(planned, jobs)


def hold(planned: Tournament, jobs: int) -> None:
    """Play what is left of a tournament, and print its final table."""
    from referee import tournament
    from schema import folder as layout

    output = planned.folder
    try:
        with progress.bar(planned.card.title) as shown, workers(jobs) as each:
            ending = tournament.play(planned, each, shown)
    except KeyboardInterrupt:
        print(f"koth: stopped; `koth resume {shlex.quote(str(output))}` goes on.", file=sys.stderr)
        raise
    print(f"koth: tournament {planned.name} is in {output}.", file=sys.stderr)
    for one in ending.disqualified:
        bot = planned.bots[one["entrant"]].name
        where = f"{output / layout.MATCHES / one['match']}.jsonl"
        print(f"koth: {bot} was disqualified: {one['kind']} in {where}.", file=sys.stderr)
    if not ending.standings:
        print("koth: there is no final table: too few bots are left.", file=sys.stderr)
    for standing in ending.standings:
        bot = planned.bots[standing["entrant"]].name
        print(f"{standing['rank']}. {bot}: {standing['score']} ({standing['games']} games)")
