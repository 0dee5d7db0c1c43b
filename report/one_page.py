"""Check a match or a tournament, and make its page."""

from __future__ import annotations

import json
from pathlib import Path

from audit import render, run_rules
from audit.tables import open_database
from replay import seat_view, timeline
from replay.signatures import verification
from replay.signatures.signer import ExpectedSigner
from report import data, match, match_of_seat, tournament
from schema import discovery, reader
from schema.bundle import SUFFIX
from schema.executor import Mapper, Progress
from schema.files import first_line
from schema.log_path import LogPath


def one_page(
    path: Path, mapper: Mapper, progress: Progress, signer: ExpectedSigner | None
) -> tuple[str, bool]:
    """Verify and audit the log, folder or bundle at ``path``.

    Return its page as HTML, and whether there are no findings. Raises LogError for a log that
    cannot be read.
    """
    log = discovery.resolve(path)
    if _is_match(log):
        return _match_page(log, path, progress, signer)
    with data.checked(path, mapper, progress, signer) as checked:
        contents = checked.contents
    return tournament.page(contents), contents.clean


def seat_page(path: Path, seat: int) -> str:
    """Return the page of the match at ``path`` as ``seat`` saw it.

    Raises UsageError for a tournament and for a seat that the match does not have, ReplayError for
    a log that does not follow from its seed and answers, and LogError for a file that is no log.
    """
    view = seat_view.read(discovery.log(path), seat, match_of_seat.is_shown)
    return match_of_seat.page(view)


def _is_match(log: LogPath) -> bool:
    """Return whether this is the log of a match, by its first line."""
    if log.is_dir() or log.name.endswith(SUFFIX):
        return False
    return reader.read_start(first_line(log), log).kind == "match"


def _match_page(
    log: LogPath, path: Path, progress: Progress, signer: ExpectedSigner | None
) -> tuple[str, bool]:
    progress(0, 3)
    course = timeline.course(log)
    assert course.verdict is not None  # it was read from a file
    [verdict] = verification.check_signatures([log], [course.verdict], signer)
    progress(1, 3)
    with open_database([path], current_only=True) as database:
        audit = json.loads(render.as_json(run_rules.audit(database)))
    progress(2, 3)
    clean = verdict.fine and not audit["findings"] and not audit["unread"]
    return match.page(course, verdict, audit), clean
