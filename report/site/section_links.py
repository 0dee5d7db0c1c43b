"""The links from the pages of a section to each other, and to the site around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from report.listing import Row
from report.site.context import Context
from report.site.names import pair_name
from report.site.sections import Section, raw_path
from report.site.site_links import SiteLinks, Targets, match_path
from schema.log_path import LogPath

LONGEST = 60
"""Maximum characters of a step of the trail above a page."""


@dataclass(frozen=True)
class SectionLinks:
    """The links of a section."""

    section: Section
    context: Context
    targets: Targets

    def root(self, path: str) -> str:
        """Return the relative path to the top of the site from the page at ``path``."""
        return "../" * f"{self.section.prefix}{path}".count("/")

    def page(self, path: str, trail: Iterable[tuple[str, str | None]]) -> SiteLinks:
        """Return the links of the page at ``path``; those of ``trail`` start in the section."""
        home, root = "../" * path.count("/"), self.root(path)
        above: list[tuple[str, str | None]] = []
        if self.section.prefix:
            above.append((self.context.title or "Results", f"{root}index.html"))
        own = self.section.name if self.section.prefix else "Standings"
        steps = [(text, f"{home}{href}" if href else None) for text, href in trail]
        above.append((own, f"{home}index.html" if steps else None))
        shown = [
            (text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…", href)
            for text, href in steps
        ]
        return SiteLinks(
            home=home,
            root=root,
            targets=self.targets,
            section=self.section.name if steps else "",
            trail=[*above, *shown],
            beside=self.context.beside(root),
        )


def targets(
    section: Section,
    rows: Sequence[Row],
    logs: Mapping[str, LogPath],
    names: Iterable[str],
    pairings: Iterable[tuple[str, str]],
    stages: Iterable[int],
) -> Targets:
    """Return the pages of a section. ``logs`` are by their paths as text.

    A match whose log cannot be read has no page: its links lead to the raw log, if it is published.
    """
    published = {file.source for file in section.files}
    matches, raw, keys = {}, {}, {}
    for row in rows:
        log = logs.get(row["log"])
        if log is not None and log in published:
            key, stage = row["key"], row["stage"]
            raw[key] = f"logs/{raw_path(log, section.home)}"
            own = key if stage is None else key.removeprefix(f"{stage}/")
            matches[key] = f"{match_path(own, stage)}.html" if row["legible"] else raw[key]
            keys[row["log"]] = key
    pairs = frozenset(pair_name(*pair) for pair in pairings)
    return Targets(matches, raw, keys, frozenset(names), pairs, frozenset(stages))
