"""``koth resume``: goes on with an interrupted tournament."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from koth.cli import inputs
from koth.cli.options import (
    AllowBroken,
    Bind,
    Cluster,
    Durable,
    Isolation,
    IsolationOption,
    Jobs,
    Shared,
)


def resume(
    folder: Annotated[Path, typer.Argument(help="The tournament's folder.", metavar="DIR")],
    bots: Annotated[
        list[str] | None,
        typer.Argument(help="The bots, if they are elsewhere now.", metavar="BOT"),
    ] = None,
    jobs: Jobs = None,
    isolation: IsolationOption = None,
    durable: Durable = False,
    cluster: Cluster = None,
    shared: Shared = None,
    bind: Bind = None,
    allow_broken: AllowBroken = False,
) -> None:
    """Go on with an interrupted tournament.

    What is recorded stands. With bots that are reproducible, the logs end as if nothing had
    happened.
    """
    from koth.cli import tournament
    from koth.workers import workers
    from referee import entry_checks, resume
    from referee.roster.resolve import absolute

    try:
        shown = inputs.binds(bind, Isolation.SANDBOX)
        believed = resume.was_begun_here(folder)
        planned = resume.plan(folder, absolute(bots or ()), durable, believed, shown)
    except resume.Complete as complete:
        print(f"koth: {complete}", file=sys.stderr)
        return
    level = inputs.isolation_again(isolation, planned.isolation, cluster is not None)
    planned = replace(planned, isolation=level)
    inputs.binds(bind, level)
    with tournament.resumable(planned), workers(jobs, cluster, shared, planned) as each:
        here = each if cluster is None else None
        inputs.warn(entry_checks.check_tournament(planned, here, allow_broken))
        inputs.warn(resume.partial_lines(planned, each))
        tournament.hold(planned, each)
