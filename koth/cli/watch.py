"""``koth watch``: step through a log in a terminal."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from koth.cli import terminal
from koth.cli.options import Log
from koth.cli.start import FAILED
from schema.errors import UsageError


def watch(
    log: Log,
    at: Annotated[
        int, typer.Option(help="The seq of the first event shown.", min=0, metavar="SEQ")
    ] = 0,
) -> None:
    """Step through a log in a terminal.

    It shows events, answers, clauses, dice, and the changes of the state; the key ? lists the keys.
    Without its seal, a log shows no states and dice, because they need the seed.
    """
    streams = (sys.stdin, sys.stdout, sys.stderr)
    if not all(stream.isatty() for stream in streams) or os.environ.get("TERM", "") in ("", "dumb"):
        raise UsageError(
            "`koth watch` needs a terminal. `koth explain LOG SEQ` prints one event, `koth report` "
            "writes a page with all events."
        )
    from rich.console import Console

    from replay.watch.app import Watch

    with Console(file=terminal.raw(sys.stderr)).status("Running the rules …"):
        app = Watch(log, at)
    app.run()
    if app.return_code:  # the library has printed the error
        raise typer.Exit(FAILED)
