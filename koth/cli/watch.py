"""``koth watch``: a log in a terminal, event by event."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from koth.cli import terminal
from koth.cli.options import Log
from schema.errors import UsageError

FAILED = 4


def watch(
    log: Log,
    at: Annotated[int, typer.Option(help="The event to begin at, by its seq.", min=0)] = 0,
) -> None:
    """Step through a log in a terminal.

    Events, answers, clauses, dice, and the state with what changed; the key ? lists the keys. Of a
    log without its seal the events are shown as recorded: states and dice need the seed, which the
    seal reveals.
    """
    streams = (sys.stdin, sys.stdout, sys.stderr)
    if not all(stream.isatty() for stream in streams) or os.environ.get("TERM", "") in ("", "dumb"):
        raise UsageError(
            "`koth watch` needs a terminal. `koth explain LOG SEQ` prints one event, `koth report` "
            "writes a page of all."
        )
    from rich.console import Console

    from replay.watch.app import Watch

    with Console(file=terminal.raw(sys.stderr)).status("Running the rules …"):
        app = Watch(log, at)
    app.run()
    if app.return_code:  # the library has told what went wrong
        raise typer.Exit(FAILED)
