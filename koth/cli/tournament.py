"""``koth tournament``: everybody against everybody, as the game's rulebook says."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from koth.cli import inputs, progress
from koth.cli.faults import tell
from koth.cli.options import (
    AllowBroken,
    Bind,
    Bots,
    Cluster,
    Cold,
    Durable,
    Game,
    IsolationOption,
    Jobs,
    Seed,
    Set,
    Shared,
)
from koth.ordered_map import WorkerError
from koth.workers import workers
from schema.executor import Progress
from schema.words import counted

if TYPE_CHECKING:
    from referee.tournament import Tournament
    from schema.executor import Mapper


def tournament(
    game: Game,
    bots: Bots,
    output: Annotated[Path, typer.Option("-o", help="A new folder for it.", metavar="DIR")],
    seed: Seed = None,
    name: Annotated[
        str | None, typer.Option(help="The tournament's id; else the head of its commitment.")
    ] = None,
    jobs: Jobs = None,
    set_: Set = None,
    isolation: IsolationOption = None,
    bind: Bind = None,
    cold: Cold = False,
    durable: Durable = False,
    cluster: Cluster = None,
    shared: Shared = None,
    allow_broken: AllowBroken = False,
) -> None:
    """Play a tournament into a new folder."""
    from referee import entry_checks, tournament
    from referee.roster.resolve import absolute, resolve
    from schema import registry

    card = registry.card(game)
    level = inputs.isolation(isolation)
    planned = tournament.plan(
        card,
        inputs.bound(resolve(bots, card), bind, level),
        card.settings(inputs.settings(set_)),
        inputs.seed(seed),
        inputs.name(name),
        output,
        level,
        cold,
        durable,
        absolute(bots),
    )
    with resumable(planned), workers(jobs, cluster, shared, planned) as each:
        here = each if cluster is None else None
        inputs.warn(entry_checks.check_tournament(planned, here, allow_broken))
        hold(planned, each)


@contextmanager
def resumable(planned: Tournament) -> Iterator[None]:
    """Say how to go on, if the block is left by an interrupt or for want of workers."""
    from schema import discovery as layout

    try:
        yield
    except (KeyboardInterrupt, WorkerError):
        if (planned.folder / layout.TOURNAMENT).exists():
            where = shlex.quote(str(planned.folder))
            print(f"koth: stopped; `koth resume {where}` goes on.", file=sys.stderr)
        raise


@contextmanager
def saying_how_far(shown: Progress) -> Iterator[Progress]:
    """Count for ``shown``, and say how much is done if the block is left early."""
    last = (0, 0)

    def count(done: int, total: int) -> None:
        nonlocal last
        last = (done, total)
        shown(done, total)

    try:
        yield count
    except (KeyboardInterrupt, WorkerError):
        if any(last):
            print(f"koth: {last[0]} of {last[1]} matches played.", file=sys.stderr)
        raise


def hold(planned: Tournament, each: Mapper) -> None:
    """Play what is left of a tournament, and print its final table."""
    from referee import tournament
    from replay import render
    from replay.faults import sum_counts
    from schema import discovery as layout

    output = planned.folder
    with progress.bar(planned.card.title) as shown, saying_how_far(shown) as counting:
        ending = tournament.play(planned, each, counting)
    print(f"koth: tournament {planned.name} is in {output}.", file=sys.stderr)
    for one in ending.disqualified:
        bot = planned.bots[one["entrant"]].name
        where = f"{output / layout.MATCHES / one['match']}.jsonl"
        print(f"koth: {bot} was disqualified: {one['kind']} in {where}.", file=sys.stderr)
    if not ending.standings:
        print("koth: there is no final table: too few bots are left.", file=sys.stderr)
    faults = {planned.bots[entrant].name: kinds for entrant, kinds in ending.faults.items()}
    for standing in ending.standings:
        bot = planned.bots[standing["entrant"]].name
        told = counted(standing["games"], "game")
        if kinds := faults.get(bot):
            told += f", {counted(kinds.total(), 'fault')}: {render.kinds_text(kinds)}"
        print(f"{standing['rank']}. {bot}: {standing['score']} ({told})")
    tell(sum_counts([faults]), output)
