"""``koth contest``: a contest that lasts, whose bots come late, are revised and are withdrawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from koth.cli import inputs
from koth.cli import isolation as isolation_level
from koth.cli.commands import Command, Subgroup
from koth.cli.options import (
    AllowBroken,
    Bind,
    Bots,
    Cluster,
    Cold,
    Durable,
    Format,
    FullHash,
    Game,
    IsolationOption,
    Jobs,
    LocalJobs,
    Name,
    Rating,
    ResumedIsolation,
    Seed,
    Set,
    Shared,
    TextOrJson,
)
from koth.cli.output import note, say
from koth.library.isolation import Isolation
from schema.errors import UsageError
from schema.log_path import shell_word
from schema.words import first_names

if TYPE_CHECKING:
    from games.contest import Stage
    from referee.contest.folder import ContestFolder
    from schema.executor import Mapper

contest = typer.Typer(
    cls=Subgroup,
    no_args_is_help=True,
    help="Hold a contest whose bots come late and change.",
)

Folder = Annotated[Path, typer.Argument(help="The contest's folder.", metavar="DIR")]


@contest.command(cls=Command)
def new(
    folder: Annotated[Path, typer.Argument(help="A new folder.", metavar="DIR")],
    game: Game,
    name: Name = None,
    seed: Seed = None,
    set_: Set = None,
    stages: Annotated[
        int,
        typer.Option(help="Number of stages that have a seed.", min=1, max=100_000, metavar="N"),
    ] = 1_000,
) -> None:
    """Begin a contest, and publish the head of its chain of seeds."""
    from referee.contest.folder import make
    from schema import registry

    if str(folder) in registry.names() and game not in registry.names():
        command = f"koth contest new {shell_word(game)} {folder}"
        raise UsageError(f"{game!r} is no game. The folder comes before the game: `{command}`.")
    card = registry.card(game)
    settings = card.settings(inputs.settings(set_))
    id = make(folder, card, settings, inputs.seed(seed), stages, inputs.tournament_name(name))
    note(f"contest {id} is in {folder}.")


@contest.command(cls=Command)
def enter(
    folder: Folder,
    bots: Bots,
    as_: Annotated[
        str | None, typer.Option("--as", help="Enter the bot under this name.", metavar="NAME")
    ] = None,
    isolation: IsolationOption = None,
    bind: Bind = None,
    allow_broken: AllowBroken = False,
) -> None:
    """Enter bots; a bot that is in and has other files is revised."""
    from referee import entry_checks
    from referee.contest import entries
    from referee.contest.folder import opened
    from referee.roster.resolve import resolve

    with opened(folder) as held:
        found = resolve(bots, held.card, renamed=as_ is not None)
        resolved = entries.as_name(found, as_)
        planned = entries.planned(held, resolved)
        if planned:
            level = isolation_level.choose(isolation)
            checked = isolation_level.with_binds([bot for bot, _ in planned], bind, level)
            inputs.warn(
                entry_checks.check_bots(held.card, checked, held.settings, level, allow_broken)
            )
        entries.enter(held, planned)
    types = {bot.name: type for bot, type in planned}
    for bot in resolved:
        say(f"{bot.name}: {types.get(bot.name, 'already in')}")


@contest.command(cls=Command)
def withdraw(
    folder: Folder,
    names: Annotated[list[str], typer.Argument(help="Names of bots.", metavar="NAME")],
) -> None:
    """Withdraw bots: they play no later stage."""
    from referee.contest import entries
    from referee.contest.folder import opened

    with opened(folder) as held:
        withdrawn = entries.withdraw(held, names)
    for name in dict.fromkeys(names):
        say(f"{name}: {'withdrawn' if name in withdrawn else 'already out'}")


@contest.command(cls=Command)
def run(
    folder: Folder,
    jobs: Jobs = None,
    beacon: Annotated[
        str | None,
        typer.Option(
            help="A public value that nobody could know before, such as a drand round; "
            "it becomes part of the stage's seed.",
            metavar="TEXT",
        ),
    ] = None,
    isolation: ResumedIsolation = None,
    bind: Bind = None,
    cold: Cold = False,
    durable: Durable = False,
    cluster: Cluster = None,
    shared: Shared = None,
    allow_broken: AllowBroken = False,
) -> None:
    """Play what is missing, or the rest of a stage."""
    from koth.cli.tournament import play_and_print, resume_hint
    from koth.workers import check, workers
    from referee import entry_checks
    from referee.contest import stages
    from referee.contest.folder import opened

    check(jobs, cluster, shared)
    command = f"koth contest run {shell_word(folder)}"
    with opened(folder) as held:
        stage = stages.next_stage(held, beacon)
        if stage is None:
            note(f"{folder}: no match is missing.")
            return
        if stages.is_played(held, stage):
            with workers(jobs, cluster, shared) as mapper:
                _check_played(held, stage, mapper)
        else:
            place = stages.stage_folder(held, stage)
            level, kept_cold = _conditions(place, isolation, bind, cluster is not None)
            bots = isolation_level.with_binds(stages.bots(held, stage), bind, level)
            planned = stages.tournament(held, stage, bots, level, cold or kept_cold, durable)
            with resume_hint(planned, command), workers(jobs, cluster, shared, planned) as mapper:
                here = mapper if cluster is None else None
                inputs.warn(entry_checks.check_tournament(planned, here, allow_broken))
                stages.begin(held, stage)
                play_and_print(planned, mapper)
        stages.finish(held, stage)
    note(
        f"stage {stage.number} is finished; `koth contest standings {shell_word(folder)}` ranks "
        "the bots of the contest."
    )


def _conditions(
    stage: Path, option: Isolation | None, bind: list[str] | None, on_cluster: bool
) -> tuple[Isolation, bool]:
    """Return the level at which the stage in this folder begins or goes on, and whether cold.

    Raises UsageError if it goes on without a path of --bind with which it was begun.
    """
    from referee.resume import conditions_so_far
    from referee.tournament import was_begun

    if was_begun(stage):
        kept = conditions_so_far(stage)
        kept.check_binds(stage, isolation_level.bind_paths(bind, Isolation.SANDBOX))
        return isolation_level.choose_to_resume(option, kept.isolation, on_cluster), kept.cold
    return isolation_level.choose(option), False


def _check_played(held: ContestFolder, stage: Stage, mapper: Mapper) -> None:
    """Check a stage whose tournament has its seal already. Raises ReplayError."""
    from referee.contest import stages
    from replay.played_stage import check_played

    folder, seed = stages.stage_folder(held, stage), stages.stage_chain_seed(held, stage)
    check_played(folder, held.state.start, stage, seed, mapper)


@contest.command(cls=Command)
def standings(
    folder: Folder,
    at: Annotated[
        int | None,
        typer.Option(
            help="The standings after this stage. Default: those of the bots that are in now; "
            "while matches are missing, those after the last finished stage, without the bots that "
            "were withdrawn since.",
            min=1,
            metavar="STAGE",
        ),
    ] = None,
    rating: Rating = False,
    full_hash: FullHash = False,
    jobs: LocalJobs = 1,
    format: Format = TextOrJson.TEXT,
) -> None:
    """Rank the current versions of the bots."""
    from audit.contest import check_one, count_until, has_seed, waiting
    from audit.tables import open_database
    from koth.cli.leaderboard import print_ranking
    from koth.workers import workers

    with workers(jobs) as mapper, open_database([folder], mapper=mapper) as database:
        check_one(database, folder)
        count_until(database, at)
        if missing := waiting(database):
            hint = f"`koth contest run {shell_word(folder)}` plays them."
            if not has_seed(database):
                hint = "No stage can play them: the seeds of this contest are used up."
            note(f"{missing}. {hint}")
        print_ranking(database, format, rating, full_hash)


@contest.command(cls=Command)
def close(folder: Folder) -> None:
    """Seal the log, and delete the seeds left."""
    from referee.contest.folder import opened

    with opened(folder) as held:
        held.close()
        waiting = held.state.waiting
    unplayed = f" Matches of {first_names(waiting)} were not played." if waiting else ""
    note(f"the contest in {folder} is closed.{unplayed}")
