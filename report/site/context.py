"""The site around a section, and the results of its sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from report.site.sections import Section

VERIFY = "verify.html"
TOOLS = {VERIFY: "Verify a log", "sql.html": "Ask in SQL"}
"""The pages that work in the browser, with their names in links."""


@dataclass(frozen=True)
class Context:
    """The site around a section."""

    title: str | None
    sections: Sequence[Section]
    code: str
    """A hash of the programs and templates that make the pages."""
    tools: Sequence[str]
    """The paths of the pages of the tools."""
    key: str | None
    """The public key that the checkpoint was checked with."""

    def beside(self, root: str) -> list[tuple[str, str]]:
        """Return links to the pages of the tools."""
        return [(TOOLS.get(name, name), f"{root}{name}") for name in self.tools]

    def verify(self, root: str, log: str, proof: str | None) -> list[tuple[str, str]]:
        """Return the link that verifies a log in the browser, if the site has the page for it.

        ``log`` and ``proof`` are paths on the site.
        """
        link = f"{root}{VERIFY}?log={quote(log)}{f'&proof={quote(proof)}' if proof else ''}"
        return [("Verify this log here", link)] if VERIFY in self.tools else []


@dataclass(frozen=True)
class Summary:
    """The result of one tournament or contest."""

    id: str
    name: str
    prefix: str
    title: str
    game: str
    games: Sequence[str]
    matches: int
    is_contest: bool
    leaders: Sequence[tuple[str, str]]
    """Name and page of the bots that rank first."""
    bots: Mapping[str, str]
    """The page of each bot, from the top of the site."""
    faults: int
    verdict: str
    conclusion: str
    clean: bool
