"""``koth audit``: check the rules again in SQL."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from koth.cli import inputs, progress
from koth.cli.options import Cluster, Jobs, Paths, Shared
from koth.cli.output import say
from koth.workers import workers
from schema.executor import with_progress


class AuditFormat(StrEnum):
    """Output formats: text for people, JSON for programs, JUnit XML for CI."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"


def audit(
    paths: Paths,
    rule: Annotated[
        str | None,
        typer.Option(
            help="Check only this rule, such as coup/steal_from_the_penniless.", metavar="RULE"
        ),
    ] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    shared: Shared = None,
    format: Annotated[
        AuditFormat,
        typer.Option(
            "--format",
            help="Output format: text for people, json for programs, junit for CI.",
            metavar="text|json|junit",
        ),
    ] = AuditFormat.TEXT,
) -> None:
    """Check the rules again in SQL, independently of the referee."""
    from audit import render
    from audit.rule import find
    from koth.library.audits import audited

    if rule is not None:
        find(rule)
    inputs.warn_without_logs(paths)
    with workers(jobs, cluster, shared) as mapper, progress.bar("read") as show:
        report = audited(paths, rule, with_progress(mapper, show))
    renderers = {
        AuditFormat.TEXT: render.as_text,
        AuditFormat.JSON: render.as_json,
        AuditFormat.JUNIT: render.as_junit,
    }
    say(renderers[format](report), end="")
    raise typer.Exit(0 if report.clean else 1)
