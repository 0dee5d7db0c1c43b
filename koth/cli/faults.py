"""``koth faults``: which bots failed, how, and what is known of the reason."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from koth.cli import inputs, progress
from koth.cli.options import Format, TextOrJson
from schema.errors import LogError, UsageError
from schema.log_path import LogPath, path_text, printable

if TYPE_CHECKING:
    from replay.faults import Counts, Fault


def faults(
    words: Annotated[
        list[str],
        typer.Argument(
            help="Logs, or folders and bundles that hold logs; then a bot's name, for its faults "
            "alone.",
            metavar="PATH|BOT",
        ),
    ],
    format: Format = TextOrJson.TEXT,
) -> None:
    """List the faults: who failed, how, under which clause.

    What the bot wrote is in the log. The evidence (times, exit status, standard error) is the
    referee's word.
    """
    from replay import faults_render
    from schema import discovery

    paths, bot = inputs.paths_and_word(words)
    # A tournament's own log only tells of faults; they are in those of its matches.
    logs = discovery.logs(
        path.parent if path.name == discovery.TOURNAMENT else path for path in paths
    )
    found = [fault for fault in _all(logs) if bot in (None, fault.player["name"])]
    if bot is not None and not found:
        _check_name(bot, logs)
    as_json = format is TextOrJson.JSON
    print(faults_render.faults_json(found) if as_json else faults_render.faults_text(found))


def _all(logs: Sequence[LogPath]) -> list[Fault]:
    """The faults in all logs that can be read; those that cannot are named.

    Raises the LogError of the last one if that is all of them.
    """
    from replay.faults import faults

    found: list[Fault] = []
    unread = 0
    with progress.bar("read") as shown:
        for number, log in enumerate(logs, 1):
            try:
                found += faults(log)
            except (LogError, OSError) as error:
                unread += 1
                if unread == len(logs):
                    raise
                print(f"koth: not read: {printable(str(error))}", file=sys.stderr)
            shown(number, len(logs))
    return found


def _check_name(bot: str, logs: Sequence[LogPath]) -> None:
    """Raise UsageError if there is no such bot."""
    from replay.faults import names

    known = sorted({name for log in logs for name in names(log)})
    if bot not in known:
        from schema.registry import suggest

        raise UsageError(f"no bot of these logs is called '{bot}'.{suggest(bot, known)}")


def tell(faults: Counts, *paths: Path) -> None:
    """Say on standard error that there are faults, and which command explains them."""
    from replay.render import summary

    if faults:
        where = " ".join(quote(path_text(path)) for path in paths)
        told = printable(f"{summary(faults)}; see `koth faults {where}`.")
        print(f"koth: {told}", file=sys.stderr)


def tell_of(log: Path) -> None:
    """The same of one log."""
    from replay.faults import counts, faults

    tell(counts(faults(log)), log)
