"""A page as a reader has it: its words by section, its tables, and what it is made of."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "img", "hr"}


class Page(HTMLParser):
    """A page, read strictly: every element that is opened is closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        """Every element, with its attributes."""
        self.sections: dict[str, str] = {}
        """The words of each section, by the id of its heading; those at the head under ``""``."""
        self.rows: dict[str, list[list[str]]] = {}
        """The lines of the tables in each section, the cells as text."""
        self.bots: list[str] = []
        """The text of each ``bdi`` element."""
        self._open: list[str] = []
        self._section = ""
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element opens."""
        given = dict(attrs)
        self.tags.append((tag, given))
        if tag == "section":
            self._section = str(given["aria-labelledby"])
        if tag == "tr":
            self.rows.setdefault(self._section, []).append([])
        if tag in ("td", "th"):
            self.rows[self._section][-1].append("")
        if tag == "bdi":
            self.bots.append("")
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """An element closes, the one that opened last."""
        assert self._open.pop() == tag
        if tag == "section":
            self._section = ""

    def handle_data(self, data: str) -> None:
        """Words."""
        if "script" in self._open or "style" in self._open:
            return
        self.sections[self._section] = self.sections.get(self._section, "") + data
        if "td" in self._open or "th" in self._open:
            self.rows[self._section][-1][-1] += data
        if "bdi" in self._open:
            self.bots[-1] += data

    def words(self, section: str) -> str:
        """Return the words of a section in one line."""
        return " ".join(self.sections[section].split())

    def table(self, section: str) -> list[list[str]]:
        """The lines of a section's tables below their heads, each cell in one line."""
        lines = [[" ".join(cell.split()) for cell in row] for row in self.rows[section]]
        return lines[1:]
