"""``koth resume``: goes on with an interrupted tournament."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from koth import inputs
from koth.options import Cluster, Durable, Jobs, Shared


def resume(
    folder: Annotated[Path, typer.Argument(help="The tournament's folder.", metavar="DIR")],
    bots: Annotated[
        list[str] | None,
        typer.Argument(help="The bots, if they are elsewhere now.", metavar="BOT"),
    ] = None,
    jobs: Jobs = None,
    durable: Durable = False,
    cluster: Cluster = None,
    shared: Shared = None,
) -> None:
    """Go on with an interrupted tournament.

    What is recorded stands. With bots that are reproducible, the logs end as if nothing had
    happened.
    """
    from koth import tournament
    from koth.workers import workers
    from referee import resume
    from referee.roster import absolute

    try:
        planned = resume.plan(folder, absolute(bots or ()), durable)
    except resume.Complete as complete:
        print(f"koth: {complete}", file=sys.stderr)
        return
    if cluster is None:
        planned = replace(planned, isolation=inputs.isolation_again(planned.isolation))
    with tournament.resumable(planned), workers(jobs, cluster, shared, planned) as each:
        for told in resume.torn(planned, each):
            print(f"koth: {told}", file=sys.stderr)
        tournament.hold(planned, each)
