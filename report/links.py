"""Links from a page to other pages. A page alone has none; a page of a site has those of its site.

Templates ask for every link by its subject, and write plain text where the answer is None.
"""

from __future__ import annotations

from collections.abc import Sequence

SEATS = 10
"""Maximum players that a line of a list names."""

LEADERS = 4
"""Maximum bots with the first rank that a line names; of more it says the number."""


class Links:
    """The links of a single page: none."""

    root = ""
    """The relative path to the top of the site."""
    section: str = ""
    """The end of the page's title, because other sections may have a page of the same name."""
    trail: Sequence[tuple[str, str | None]] = ()
    """The pages above this one and itself, as (text, link)."""
    beside: Sequence[tuple[str, str]] = ()
    """Further pages, such as the next match, as (text, link)."""

    chunks = ""
    """The beginning of the links to the files with the events of a long match."""

    def shown(self, name: str) -> str:
        """Return a name as a list shows it."""
        return name

    def bot(self, name: str) -> str | None:
        """Return the link to the page of a bot."""
        return None

    def bots(self) -> str | None:
        """Return the link to the list of all bots."""
        return None

    def faults(self, name: str, kind: str | None = None) -> str | None:
        """Return the link to the faults of a bot, of one kind if given."""
        return None

    def stage(self, number: int) -> str | None:
        """Return the link to a stage of a contest."""
        return None

    def at(self, path: str, seq: int | None = None) -> str | None:
        """Return the link to the match with the log at ``path``, at event ``seq`` if given."""
        return None

    def match(self, key: str, seq: int | None = None) -> str | None:
        """Return the link to a match by its key, at event ``seq`` if given."""
        return None

    def pairing(self, name: str, other: str) -> str | None:
        """Return the link to the matches of two bots."""
        return None

    def log(self, key: str) -> str | None:
        """Return the link to the raw log of a match."""
        return None
