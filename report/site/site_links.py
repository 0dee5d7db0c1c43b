"""The links of the pages of a site, all relative."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from report.links import Links
from report.site.names import file_name, pair_name

SHOWN = 48
"""Maximum characters of a name in a list."""


@dataclass(frozen=True)
class Targets:
    """The pages of a section, by what they are about."""

    matches: Mapping[str, str] = field(default_factory=dict)
    """Paths below the section, by match id: pages, or raw logs of matches without a page."""
    logs: Mapping[str, str] = field(default_factory=dict)
    """Paths of raw logs below the section, by match id."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Match ids by the paths of logs, as text."""
    bots: frozenset[str] = frozenset()
    pairings: frozenset[str] = frozenset()
    """The names of the pages of pairings."""
    stages: frozenset[int] = frozenset()


@dataclass(frozen=True)
class SiteLinks(Links):
    """The links of one page."""

    home: str
    """The relative path to the top of the section."""
    root: str
    targets: Targets = field(default_factory=Targets)
    section: str = ""
    trail: Sequence[tuple[str, str | None]] = ()
    beside: Sequence[tuple[str, str]] = ()
    chunks: str = ""

    def shown(self, name: str) -> str:
        """Return a name without the end of a very long one."""
        return name if len(name) <= SHOWN else f"{name[: SHOWN - 1]}…"

    def bot(self, name: str) -> str | None:
        """Return the link to the page of a bot."""
        if name not in self.targets.bots:
            return None
        return f"{self.home}{bot_path(name)}"

    def bots(self) -> str | None:
        """Return the link to the list of all bots."""
        return f"{self.home}{bots_path(1)}" if self.targets.bots else None

    def faults(self, name: str, kind: str | None = None) -> str | None:
        """Return the link to the faults of a bot, of one kind if given."""
        page = self.bot(name)
        if kind is None:
            return page and f"{page}#faults"
        return page and f"{self.home}{fault_path(name, kind)}"

    def stage(self, number: int) -> str | None:
        """Return the link to a stage of a contest."""
        return f"{self.home}{stage_path(number)}" if number in self.targets.stages else None

    def at(self, path: str, seq: int | None = None) -> str | None:
        """Return the link to the match with the log at ``path``, at event ``seq`` if given."""
        key = self.targets.keys.get(path)
        return None if key is None else self.match(key, seq)

    def match(self, key: str, seq: int | None = None) -> str | None:
        """Return the link to a match, at event ``seq`` if given."""
        path = self.targets.matches.get(key)
        if path is None:
            return None
        event = "" if seq is None or path.endswith(".jsonl") else f"#seq={seq}"
        return f"{self.home}{quote(path)}{event}"

    def pairing(self, name: str, other: str) -> str | None:
        """Return the link to the matches of two bots."""
        page = pair_name(name, other)
        return f"{self.home}{pair_path(page)}" if page in self.targets.pairings else None

    def log(self, key: str) -> str | None:
        """Return the link to the raw log of a match."""
        path = self.targets.logs.get(key)
        return path and f"{self.home}{quote(path)}"


def bot_path(name: str, page: int = 1) -> str:
    """Return the path of the page of a bot below its section; further pages list its matches."""
    return f"bots/{_numbered(file_name(name), page)}.html"


def bots_path(page: int) -> str:
    """Return the path of one page of the list of all bots."""
    return f"bots/{_numbered('index', page)}.html"


def pair_path(pair: str, page: int = 1) -> str:
    """Return the path of the page of a pairing, by the name of both bots."""
    return f"pairs/{_numbered(pair, page)}.html"


def list_path(page: int) -> str:
    """Return the path of one page of the list of all matches."""
    return "matches/index.html" if page == 1 else f"matches/{_numbered('list', page)}.html"


def match_path(match: str, stage: int | None = None) -> str:
    """Return the path of the page of a match, in a stage of a contest if given, without suffix."""
    return f"{_stage_folder(stage)}matches/{file_name(match)}"


def fault_path(name: str, kind: str, page: int = 1) -> str:
    """Return the path of one page of the faults of a bot that are of one kind."""
    return f"faults/{_numbered(f'{file_name(name)}.{kind}', page)}.html"


def stage_path(stage: int, page: int = 1) -> str:
    """Return the path of the page of a stage; further pages list its matches."""
    name = "index" if page == 1 else _numbered("list", page)
    return f"{_stage_folder(stage)}{name}.html"


def _stage_folder(stage: int | None) -> str:
    return "" if stage is None else f"stages/{file_name(f'{stage:04}')}/"


def _numbered(name: str, page: int) -> str:
    """Return a file name for one of several pages; no name of a bot becomes it."""
    return name if page == 1 else f"{name}.{page}"
