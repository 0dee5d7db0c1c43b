"""``koth resume``: continue an interrupted tournament."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from koth.cli import inputs
from koth.cli import isolation as isolation_level
from koth.cli.options import (
    AllowBroken,
    Bind,
    Cluster,
    Durable,
    Jobs,
    ResumedIsolation,
    Shared,
)
from koth.cli.output import note
from koth.library.isolation import Isolation
from schema.errors import UsageError
from schema.log_path import shell_word


def resume(
    folder: Annotated[Path, typer.Argument(help="The folder that was begun.", metavar="DIR")],
    bots: Annotated[
        list[str] | None,
        typer.Argument(help="The bots, if their files have moved.", metavar="BOT"),
    ] = None,
    jobs: Jobs = None,
    isolation: ResumedIsolation = None,
    durable: Durable = False,
    cluster: Cluster = None,
    shared: Shared = None,
    bind: Bind = None,
    allow_broken: AllowBroken = False,
) -> None:
    """Continue an interrupted tournament, or a stage of a contest.

    Recorded answers are kept. With reproducible bots, the logs are the same as without the
    interruption.
    """
    from koth.cli import contest, tournament
    from koth.workers import workers
    from referee import entry_checks, resume
    from referee.contest.folder import opened
    from referee.roster.resolve import absolute
    from schema import discovery as layout

    if (folder / layout.CONTEST).is_file():
        if bots:
            raise UsageError(f"{folder}: a contest has its own bots; expected none, found some.")
        try:
            with opened(folder) as held:
                is_begun, is_closed = held.state.stage is not None, held.state.sealed
        except OSError:
            if not resume.is_sealed(folder / layout.CONTEST):
                raise
            is_begun, is_closed = False, True
        word = shell_word(folder)
        if is_closed:
            note(f"{folder}: already complete; `koth verify {word}` checks it.")
        elif not is_begun:  # the next stage may wait for bots, and for its beacon
            note(f"{folder}: no stage was begun; `koth contest run {word}` plays the next.")
        else:
            contest.run(
                folder,
                jobs=jobs,
                beacon=None,
                isolation=isolation,
                bind=bind,
                durable=durable,
                cluster=cluster,
                shared=shared,
                allow_broken=allow_broken,
            )
        return
    try:
        binds = isolation_level.bind_paths(bind, Isolation.SANDBOX)
        trusted = resume.was_begun_here(folder)
        planned = resume.plan(folder, absolute(bots or ()), durable, trusted, binds)
    except resume.Complete as complete:
        note(str(complete))
        return
    level = isolation_level.choose_to_resume(isolation, planned.isolation, cluster is not None)
    planned = replace(planned, isolation=level)
    isolation_level.bind_paths(bind, level)
    with tournament.resume_hint(planned), workers(jobs, cluster, shared, planned) as mapper:
        here = mapper if cluster is None else None
        inputs.warn(entry_checks.check_tournament(planned, here, allow_broken))
        inputs.warn(resume.partial_lines(planned, mapper))
        tournament.play_and_print(planned, mapper)
