"""``koth faults``: list the faults of bots, with clause and evidence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from koth.cli import inputs, progress
from koth.cli.options import Format, TextOrJson
from koth.cli.output import note, say
from schema.errors import LogError, UsageError
from schema.log_path import LogPath, shell_word

if TYPE_CHECKING:
    from replay.faults import Counts, Fault


def faults(
    words: Annotated[
        list[str],
        typer.Argument(
            help="Logs, or folders and bundles with logs; then a bot's name, to list only its "
            "faults.",
            metavar="PATH|BOT",
        ),
    ],
    format: Format = TextOrJson.TEXT,
) -> None:
    """List the faults: bot, kind, clause and evidence.

    The log holds the bot's answer. The evidence (times, exit status, standard error) was recorded
    by the referee and cannot be checked.
    """
    from replay import faults_render
    from schema import discovery

    paths, bot = inputs.paths_and_word(words)
    # The own log of a tournament or a contest has no fault events; its matches have them.
    own = (discovery.TOURNAMENT, discovery.CONTEST)
    logs = discovery.logs(path.parent if path.name in own else path for path in paths)
    selected = [fault for fault in _read_all(logs) if bot in (None, fault.player["name"])]
    if bot is not None and not selected:
        _check_name(bot, logs)
    as_json = format is TextOrJson.JSON
    say(faults_render.faults_json(selected) if as_json else faults_render.faults_text(selected))


def _read_all(logs: Sequence[LogPath]) -> list[Fault]:
    """Return the faults in all readable logs, and print the path of each unreadable one.

    Raises LogError or OSError if no log can be read.
    """
    from replay.errors import problem_of
    from replay.faults import faults, without_log
    from replay.partial_log import read_partial
    from schema.words import counted

    all_: list[Fault] = []
    unread = 0
    with progress.bar("read") as show:
        for number, path in enumerate(logs, 1):
            try:
                log = read_partial(path)
                all_ += [*faults(log)]
                if missing := without_log(log):
                    reported = f"{counted(missing, 'fault')} in matches whose logs are not there"
                    note(f"{path}: reports {reported}.")
            except (LogError, OSError) as error:
                unread += 1
                if unread == len(logs):
                    raise
                note(f"not read: {problem_of(error)}")
            show(number, len(logs))
    return all_


def _check_name(bot: str, logs: Sequence[LogPath]) -> None:
    """Raise UsageError if no player has this name."""
    from replay.faults import names

    known = sorted({name for log in logs for name in names(log)})
    if bot not in known:
        from schema.words import suggest

        raise UsageError(f"no bot of these logs is called '{bot}'.{suggest(bot, known)}")


def print_summary(faults: Counts, path: Path) -> None:
    """Print the number of faults to standard error, and the command that lists them."""
    from replay.render import summary

    if faults:
        note(f"{summary(faults)}; see `koth faults {shell_word(path)}`.")


def print_log_summary(log: Path) -> None:
    """Print the summary of the faults in one log."""
    from replay.faults import counts_in_log
    from replay.partial_log import read_partial

    print_summary(counts_in_log(read_partial(log)), log)
