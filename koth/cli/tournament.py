"""``koth tournament``: play a tournament."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from koth.cli import faults, inputs, progress
from koth.cli import isolation as isolation_level
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
    Name,
    Seed,
    Set,
    Shared,
)
from koth.cli.output import note, say
from koth.ordered_map import WorkerError
from koth.workers import workers
from schema.executor import Progress
from schema.log_path import shell_word
from schema.words import counted

if TYPE_CHECKING:
    from referee.tournament import Tournament
    from schema.canonical import Event
    from schema.events import Disqualified
    from schema.executor import Mapper


def tournament(
    game: Game,
    bots: Bots,
    output: Annotated[
        Path, typer.Option("-o", help="A new folder for the tournament.", metavar="DIR")
    ],
    seed: Seed = None,
    name: Name = None,
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
    level = isolation_level.choose(isolation)
    planned = tournament.plan(
        card,
        isolation_level.with_binds(resolve(bots, card), bind, level),
        card.settings(inputs.settings(set_)),
        inputs.seed(seed),
        inputs.tournament_name(name),
        output,
        level,
        cold,
        durable,
        absolute(bots),
    )
    with resume_hint(planned), workers(jobs, cluster, shared, planned) as mapper:
        here = mapper if cluster is None else None
        inputs.warn(entry_checks.check_tournament(planned, here, allow_broken))
        play_and_print(planned, mapper)


@contextmanager
def resume_hint(planned: Tournament, command: str | None = None) -> Iterator[None]:
    """Print the command that resumes the tournament if an interrupt or an error stops it.

    A WriteError names `koth resume` itself.
    """
    from referee.errors import RefereeError
    from schema import discovery as layout

    try:
        yield
    except (KeyboardInterrupt, WorkerError, RefereeError):
        if (planned.folder / layout.TOURNAMENT).exists():
            command = command or f"koth resume {shell_word(planned.folder)}"
            binds = "".join(f" --bind {shell_word(path)}" for path in planned.bots[0].binds)
            note(f"stopped; `{command}{binds}` goes on.")
        raise


@contextmanager
def _print_count_when_stopped(show: Progress, folder: Path) -> Iterator[Progress]:
    """Pass progress on to ``show``; if an interrupt or WorkerError ends the block, print it.

    The matches that count are those in ``folder``: more than came back before the end.
    """
    from referee.tournament import sealed_matches

    total = 0

    def update(done: int, planned: int) -> None:
        nonlocal total
        total = planned
        show(done, planned)

    try:
        yield update
    except (KeyboardInterrupt, WorkerError):
        if total:
            sealed = sealed_matches(folder)
            of = f" of {total}" if sealed <= total else ""  # more if the next attempt has begun
            note(f"{sealed}{of} matches played.")
        raise


def _print_ruling(planned: Tournament, event: Event) -> None:
    """Print an event that disqualifies a bot, or that says which attempt does not count."""
    from games.narration import common
    from schema import discovery as layout

    if event["type"] == "disqualified":
        ruling = cast("Disqualified", event)
        bot = planned.bots[ruling["entrant"]].name
        log = f"{planned.folder / layout.MATCHES / ruling['match']}.jsonl"
        note(f"{bot} was disqualified: {ruling['kind']} in {log}.")
    elif event["type"] == "voided":
        note(f"{common(event, (), {})}")


def play_and_print(planned: Tournament, mapper: Mapper) -> None:
    """Play the remaining matches of a tournament, and print its final table."""
    from referee import tournament
    from replay import render
    from replay.faults import sum_counts
    from schema import registry

    folder = planned.folder
    with (
        progress.bar(planned.card.title) as show,
        _print_count_when_stopped(show, folder) as update,
    ):
        ending = tournament.play(planned, mapper, update, partial(_print_ruling, planned))
    note(f"tournament {planned.name} is in {folder}.")
    rules, newest = planned.card.rules, registry.card(planned.card.name).rules
    if rules != newest:
        note(f"{folder} was played under {rules}; new tournaments and contests have {newest}.")
    if not ending.standings:
        note("no final table: too few bots are left.")
    kinds_by_name = {planned.bots[entrant].name: kinds for entrant, kinds in ending.faults.items()}
    for standing in ending.standings:
        bot = planned.bots[standing["entrant"]].name
        details = counted(standing["games"], "game")
        if kinds := kinds_by_name.get(bot):
            details += f", {counted(kinds.total(), 'fault')}: {render.kinds_text(kinds)}"
        say(f"{standing['rank']}. {bot}: {standing['score']} ({details})")
    faults.print_summary(sum_counts([kinds_by_name]), folder)
