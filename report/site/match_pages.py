"""Plans the pages of the matches of a section, each with a hash of its inputs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from typing import Any
from urllib.parse import quote

import orjson

from audit import render
from report import match
from report.data import Checked
from report.listing import Row
from report.site.match_job import MatchJob
from report.site.proofs import proof_name, proof_path
from report.site.section_links import SectionLinks
from report.site.sections import raw_path
from report.site.site_links import Targets, stage_path
from schema import discovery
from schema.log_path import LogPath, path_text

SIGNS = ("← Previous match", "Next match →")


class MatchPages:
    """The pages of the matches whose logs are published and can be shown.

    ``logs`` are by their paths as text; ``proven`` are the names of the proofs on the site;
    ``all_matches`` is the link to the list of matches.
    """

    def __init__(
        self,
        links: SectionLinks,
        checked: Checked,
        rows: Sequence[Row],
        logs: Mapping[str, LogPath],
        proven: Container[str],
        all_matches: str,
    ) -> None:
        self._links = links
        self._logs = logs
        self._proven = proven
        self._all_matches = all_matches
        published = links.targets.matches
        self._rows = [row for row in rows if row["key"] in published and row["legible"]]
        audit = checked.contents.audit
        self._verdicts = {verdict.path: verdict for verdict in checked.contents.verdicts}
        self._digests = {file.target: file.digest for file in links.section.files}
        self._rules = [rule.id for rule in audit.rules]
        self._findings: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for finding in audit.findings:
            self._findings[path_text(finding.path)].append(render.finding_json(finding))
        self._unread: dict[str, list[dict[str, str]]] = defaultdict(list)
        for file in audit.unread:
            self._unread[file.path].append(asdict(file))

    def __len__(self) -> int:
        return len(self._rows)

    def jobs(self) -> Iterator[MatchJob]:
        """Yield a job for each page, in the order of the matches."""
        last = len(self._rows) - 1
        for number, row in enumerate(self._rows):
            near = [self._rows[at] if 0 <= at <= last else None for at in (number - 1, number + 1)]
            yield self._job(row, near)

    def _job(self, row: Row, near: Sequence[Row | None]) -> MatchJob:
        links, section = self._links, self._links.section
        path = links.targets.matches[row["key"]]
        log, verdict = self._logs[row["log"]], self._verdicts[row["log"]]
        raw = raw_path(log, section.home)
        page = links.page(path, [self._above(row), (row["match"], None)])
        beside = [
            (sign, str(page.match(other["key"])))
            for sign, other in zip(SIGNS, near, strict=True)
            if other
        ]
        beside.append(("Raw log", f"{page.home}{quote(f'logs/{raw}')}"))
        proof = proof_name(section, log)
        beside += links.context.verify(
            page.root,
            f"{section.prefix}logs/{raw}",
            f"{section.prefix}{proof_path(proof)}" if proof in self._proven else None,
        )
        own = row["match"].removeprefix(f"{row['stage']}/")
        page = replace(
            page,
            targets=Targets(bots=frozenset(row["names"]), logs={own: f"logs/{raw}"}),
            section=page.section
            if row["stage"] is None
            else f"stage {row['stage']}, {page.section}",
            beside=beside,
            chunks=path.rpartition("/")[2].removesuffix(".html"),
        )
        audit: match.Audit = {
            "rules": self._rules,
            "findings": self._findings.get(row["log"], []),
            "unread": self._unread.get(row["log"], []),
        }
        evidence = raw_path(discovery.evidence(log), section.home)
        inputs = [
            *(links.context.code, path, self._digests[raw], self._digests.get(evidence, "")),
            *(verdict.verdict, verdict.reason, page.section, page.trail, page.beside, audit),
            row["void"],
        ]
        key = sha256(orjson.dumps(inputs, default=str)).hexdigest()[:32]
        name = path.removesuffix(".html")
        return MatchJob(log, verdict, audit, page, row["void"], name, key)

    def _above(self, row: Row) -> tuple[str, str]:
        """Return the page above that of a match: its stage, or the list of all matches."""
        stage = row["stage"]
        if stage in self._links.targets.stages:
            return f"Stage {stage}", stage_path(stage)
        return "Matches", self._all_matches
