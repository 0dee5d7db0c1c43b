"""The versions of the bots of a contest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from audit.tables import Database

ENTRIES = """
SELECT name, version, bot, first_stage, last_stage, ended FROM entries ORDER BY seq
"""


@dataclass(frozen=True)
class Version:
    """A version of a bot in a contest, from one entry on."""

    number: int
    """The number of the version; files that come again have the same."""
    bot: str
    """The hash of the bot."""
    first: int
    """The first stage that it could play."""
    last: int | None
    """The last stage that it could play; None if it is in."""
    ended: str | None
    """``revised`` or ``withdrawn``; None if it is in."""

    def plays(self, stage: int) -> bool:
        """Return whether this version is in at this stage."""
        return self.first <= stage and (self.last is None or stage <= self.last)

    @property
    def time(self) -> str:
        """The stages in which it is in, and its end, in words."""
        if self.last is None:
            return f"in since stage {self.first}"
        if self.last < self.first:
            return f"{self.ended} before it played"
        same = self.first == self.last
        stages = f"stage {self.first}" if same else f"stages {self.first}–{self.last}"
        return f"{stages}, then {self.ended}"


@dataclass(frozen=True)
class Participant:
    """A bot in one stage."""

    name: str
    version: Version
    change: str
    """``entered`` or ``revised``, compared with the stage before; else empty."""


Versions = Mapping[str, Sequence[Version]]
"""The versions of each bot, by name; a version that comes again is there again."""


def versions(database: Database) -> Versions:
    """Return the versions of all bots, in the order of their entries; none without a contest."""
    by_name: dict[str, list[Version]] = defaultdict(list)
    for name, *version in database.rows(ENTRIES):
        by_name[name].append(Version(*version))
    return by_name


def participants(versions: Versions, stage: int) -> Iterator[Participant]:
    """Yield the bots that are in at a stage."""
    for name, own in versions.items():
        before = [version.bot for version in own if version.plays(stage - 1)]
        change = "revised" if before else "entered"
        for version in own:
            if version.plays(stage):
                yield Participant(name, version, "" if version.bot in before else change)


def withdrawn(versions: Versions, stage: int) -> list[str]:
    """Return the names of the bots that were in before this stage, and are not in it."""
    return [
        name
        for name, own in versions.items()
        if any(version.plays(stage - 1) for version in own)
        and not any(version.plays(stage) for version in own)
    ]
