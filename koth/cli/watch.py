"""``koth watch``: step through a log in a terminal, or follow what is being written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from koth.cli import pipe, terminal
from koth.cli.exit_codes import FAILED
from koth.cli.options import Seat
from koth.cli.output import say, stdout
from schema.errors import UsageError

if TYPE_CHECKING:
    from replay.watch.app import Watch
    from replay.watch.tournament_app import WatchTournament


def watch(
    path: Annotated[
        Path,
        typer.Argument(
            help="A log; with --follow also the folder of a tournament.", metavar="LOG|DIR"
        ),
    ],
    at: Annotated[
        int | None,
        typer.Option(
            help="The seq of the first event shown. Default: 0; with --follow in a terminal the "
            "last.",
            min=0,
            metavar="SEQ",
        ),
    ] = None,
    seat: Seat = None,
    follow: Annotated[
        bool,
        typer.Option(
            "--follow",
            help="Follow a match or a tournament that is being played, until its log is sealed. "
            "Without a terminal, print a line per event or per finished match.",
        ),
    ] = False,
) -> None:
    """Step through a log in a terminal.

    It shows events, the board of the game, answers, clauses, dice, and the changes of the state;
    the key ? lists the keys. Without its seal, a log shows no states and dice, because they need
    the seed.
    """
    from schema import discovery

    if follow and path.is_dir():
        if at is not None:
            raise UsageError("--at: goes with a log, not with a folder.")
        if seat is not None:
            raise UsageError("--seat: goes with a log, not with a folder.")
        _follow_tournament(path)
        return
    log = discovery.log(path)
    if follow and seat is None and not _is_terminal():
        from replay.watch import tail

        _print_lines(tail.follow(log, at=at or 0))
        return
    _need_terminal(seat if follow else None)
    from rich.console import Console

    from replay.watch.app import Watch
    from replay.watch.tail import wait_for_start

    console = Console(file=terminal.raw(sys.stderr))
    if follow:
        with console.status("Waiting for the first event …"), terminal.escaping_both():
            wait_for_start(log)
    with console.status("Running the rules …"), terminal.escaping_both():
        app = Watch(log, at, follow, seat=seat)
    _run(app)


def _follow_tournament(folder: Path) -> None:
    if not _is_terminal():
        from replay.watch import running

        _print_lines(running.follow(folder))
        return
    from replay.watch.tournament_app import WatchTournament

    _run(WatchTournament(folder))


def _is_terminal() -> bool:
    streams = (sys.stdin, stdout(), sys.stderr)
    return all(stream.isatty() for stream in streams) and (
        os.environ.get("TERM", "") not in ("", "dumb")
    )


def _need_terminal(followed_seat: int | None) -> None:
    if _is_terminal():
        return
    if followed_seat is not None:
        raise UsageError(
            "--seat: with --follow it needs a terminal. `koth watch --follow` without --seat "
            f"prints lines, `koth replay LOG --seat {followed_seat}` prints what the seat could "
            "know."
        )
    raise UsageError(
        "`koth watch` needs a terminal. `koth watch --follow` prints lines without one, `koth "
        "explain LOG SEQ` prints one event, `koth report` writes a page with all events."
    )


def _print_lines(lines: Iterable[str]) -> None:
    """Print each line at once, so that a program that reads them need not wait."""
    for line in lines:
        say(line, flush=True)
        if pipe.reader_left():
            return


def _run(app: Watch | WatchTournament) -> None:
    app.run()
    if app.interrupted:
        raise KeyboardInterrupt
    if app.return_code:  # the library has printed the error
        raise typer.Exit(FAILED)
