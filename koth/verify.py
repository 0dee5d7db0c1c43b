"""``koth verify``: is this log what the rules make of its seed and answers?"""

from __future__ import annotations

import typer

from koth import progress
from koth.options import Format, Jobs, Paths, TextOrJson
from koth.workers import workers


def verify(paths: Paths, jobs: Jobs = 1, format: Format = TextOrJson.TEXT) -> None:
    """Re-run logs and compare every event: verified, or the first difference."""
    from replay import render
    from replay.verify import verify_all
    from schema import folder

    logs = folder.logs(paths)
    verdicts = []
    with progress.bar("verify") as shown, workers(jobs) as each:
        for verdict in verify_all(logs, each):
            verdicts.append(verdict)
            shown(len(verdicts), len(logs))
    if format is TextOrJson.JSON:
        print(render.verdicts_json(verdicts))
    else:
        print(render.verdicts_text(verdicts))
    raise typer.Exit(0 if all(verdict.fine for verdict in verdicts) else 1)
