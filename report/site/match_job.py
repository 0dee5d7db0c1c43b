"""Makes the page of one match, in any process."""

from __future__ import annotations

from dataclasses import dataclass, replace

from replay import timeline
from replay.log_verdict import LogVerdict
from report import match
from report.site.site_links import SiteLinks
from schema.log_path import LogPath

INLINE = 32_000
"""Maximum characters of compressed events in the page of a match; more go into files beside it."""

Files = list[tuple[str, bytes]]
"""Paths below the section, with contents."""


@dataclass(frozen=True)
class MatchJob:
    """One match page to write, for another process."""

    log: LogPath
    verdict: LogVerdict
    audit: match.Audit
    links: SiteLinks
    is_void: bool
    path: str
    """The path of the page below the section, without suffix."""
    key: str


def match_files(job: MatchJob) -> tuple[str, Files]:
    """Return the key and the files of a match page; the page is the last."""
    course = timeline.course(job.log, job.verdict)
    chunks = match.chunks_of(course)
    files: Files = []
    if sum(map(len, chunks.packed)) > INLINE:
        for number, chunk in enumerate(chunks.packed):
            name = f"chunk-{number}"
            code = f'receive("{name}", "{chunk}");\n'
            files.append((f"{job.path}.{name}.js", code.encode()))
        chunks = replace(chunks, packed=[])
    html = match.page(course, job.verdict, job.audit, job.links, chunks, is_void=job.is_void)
    return job.key, [*files, (f"{job.path}.html", html.encode(errors="replace"))]
