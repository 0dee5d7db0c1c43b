"""``koth try``: find out whether a bot is better than others."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from koth.cli import completion, faults, inputs, progress
from koth.cli import isolation as isolation_level
from koth.cli.options import (
    AllowBroken,
    Bind,
    Cold,
    Format,
    Game,
    IsolationOption,
    LocalJobs,
    Seed,
    Set,
    TextOrJson,
)
from koth.cli.output import say
from koth.workers import check_jobs, workers
from schema.files import cache_folder

if TYPE_CHECKING:
    from referee.bot import Bot
    from referee.experiment.comparison import Comparison

LAST = "try"
"""The folder with the matches of the last try, in Koth's cache."""

STEPS = 100
"""Steps of the bar for 1 of the log-likelihood ratio: it shows the place between the bounds."""


def try_(
    game: Game,
    bot: Annotated[
        str,
        typer.Argument(
            help="Your bot, as for `koth play`.", metavar="MINE", autocompletion=completion.bots
        ),
    ],
    against: Annotated[
        list[str],
        typer.Option(
            help="The bots to compare with: one or several, such as an earlier version, or "
            "`examples`, the game's example bots.",
            metavar="BASE…",
        ),
    ],
    field: Annotated[
        list[str] | None,
        typer.Option(
            help="In games for more than two: the bots at the other seats. Default: the other bots "
            "of --against, or `examples` if these are too few.",
            metavar="BOT…",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            help="A new folder for the matches. Default: a folder in your cache, which the next "
            "try replaces.",
            metavar="DIR",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            help="Maximum number of games; only full rounds are played, a pair against each BASE. "
            "Default: until the test decides.",
            min=2,
            metavar="N",
        ),
    ] = None,
    alpha: Annotated[
        float,
        typer.Option(
            help="Probability to call the bot better if the difference is elo0.", metavar="P"
        ),
    ] = 0.05,
    beta: Annotated[
        float,
        typer.Option(
            help="Probability to call it not better if the difference is elo1.", metavar="P"
        ),
    ] = 0.05,
    elo0: Annotated[
        float, typer.Option(help="The difference of a bot that is not better.", metavar="ELO")
    ] = 0.0,
    elo1: Annotated[
        float,
        typer.Option(
            help="The difference worth finding. 50 Elo are a score of 57 %, and take about 300 "
            "games; half the difference takes four times as many.",
            metavar="ELO",
        ),
    ] = 50.0,
    seed: Seed = None,
    jobs: LocalJobs = 1,
    set_: Set = None,
    isolation: IsolationOption = None,
    bind: Bind = None,
    cold: Cold = False,
    allow_broken: AllowBroken = False,
    format: Format = TextOrJson.TEXT,
) -> None:
    """Find out whether a bot is better than others.

    It plays pairs of matches with the same dice until a sequential test of their scores decides, or
    up to --games. In games for two, a pair is two matches with exchanged seats. In games for more,
    MINE and BASE take the same seat in turn, and the field is the same.
    """
    from referee import entry_checks
    from referee.experiment import comparison, pairs
    from referee.experiment.sequential import SequentialTest
    from referee.protocols.system import scratch_dir
    from referee.roster.resolve import resolve
    from schema import registry

    test = SequentialTest(alpha, beta, elo0, elo1)
    card = registry.card(game)
    settings = card.settings(inputs.settings(set_))
    level = isolation_level.choose(isolation)

    def bots(words: Sequence[str]) -> Sequence[Bot]:
        return isolation_level.with_binds(resolve(words, card), bind, level)

    place = output or cache_folder() / LAST
    experiment = pairs.plan(
        card,
        bots([bot]),
        bots(against),
        None if field is None else bots(field),
        settings,
        inputs.seed(seed),
        place,
        level,
        cold,
    )
    comparison.most_pairs(experiment, games)
    check_jobs(jobs)
    inputs.warn(entry_checks.check_bots(card, experiment.bots, settings, level, allow_broken))
    with scratch_dir.kept(place) if output is None else nullcontext(place) as folder:
        experiment = replace(experiment, folder=folder)
        comparison.make_folders(experiment)
        _play(comparison.Comparison(experiment, test), jobs, games, format)


def _play(comparison: Comparison, jobs: int, games: int | None, format: TextOrJson) -> None:
    """Play a comparison, and print its result; after an interrupt, the result so far."""
    from referee.experiment import render
    from replay.faults import sum_counts

    low, high = (round(STEPS * bound) for bound in comparison.test.bounds)
    live = _Live(comparison)
    try:
        with workers(jobs) as mapper, progress.bar("try", live) as show:
            comparison.play(mapper, games, lambda: show(live.llr - low, high - low))
    finally:
        comparison.drop_unfinished()
        if comparison.pairs:
            as_json = format is TextOrJson.JSON
            say(render.as_json(comparison) if as_json else render.text(comparison), end="")
            faults.print_summary(sum_counts([comparison.faults]), comparison.experiment.folder)


class _Live(progress.Work):
    """The state of a comparison, for the display of progress."""

    def __init__(self, comparison: Comparison) -> None:
        super().__init__()
        self.comparison = comparison
        self.text = "no pair yet"

    @property
    def llr(self) -> int:
        """The log-likelihood ratio in steps of the bar."""
        return round(STEPS * self.comparison.test.llr(self.comparison.counts))

    def update(self, done: int, total: int) -> None:
        """Record the state after a pair."""
        from referee.experiment import render

        super().update(done, total)
        self.text = render.status(self.comparison)

    def __str__(self) -> str:
        return self.text
