"""The state of a contest after each event of its log, and the plan of its next stage.

The referee applies an event before it writes it, and the replay applies the events that it reads.
So both know the same bots that are in, and plan the same stages.

The seeds of the stages are a chain (as in S/KEY, RFC 1760): the SHA-256 of each is the seed before
it, and the first line of the log publishes the head. So nobody can choose the seed of a stage after
the contest has begun.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schema import seal
from schema.discovery import stage_name
from schema.names import folded
from schema.words import counted

Event = Mapping[str, Any]


class ContestError(ValueError):
    """Raised when an event cannot follow in a contest; the message says expected and found."""


@dataclass(frozen=True)
class Entry:
    """One version of a bot in a contest."""

    name: str
    bot: str
    """The hash of the bot."""
    command: tuple[str, ...] = ()
    """Its command; empty if its only file implies it."""
    class_name: str = ""

    @property
    def digits(self) -> str:
        """The first 12 digits of the hash, which name the folder of this version."""
        return self.bot[:12]

    def event(self, type: str) -> dict[str, object]:
        """Return the event ``entered`` or ``revised`` of this version."""
        event: dict[str, object] = {"type": type, "name": self.name, "bot": self.bot}
        if self.command:
            event["command"] = list(self.command)
        if self.class_name:
            event["class_name"] = self.class_name
        return event


@dataclass(frozen=True)
class Stage:
    """One stage: its number, its bots, and the pairs of them that play each other."""

    number: int
    entries: Sequence[Entry]
    """The bots that are in, in the order in which their names were entered first."""
    pairings: Sequence[tuple[int, int]] | None = None
    """The pairs by position in ``entries``, ascending; None for a tournament of all."""
    beacon: str = ""

    @property
    def folder(self) -> str:
        """The name of the stage's folder."""
        return stage_name(self.number)

    def tournament(self, contest: str) -> str:
        """Return the id of the stage's tournament."""
        return f"{contest}/{self.folder}"


class Contest:
    """The state of a contest. It changes by :meth:`apply` only."""

    def __init__(self, start: Event) -> None:
        self.start = start
        self.names: dict[str, str] = {}
        """All names that were ever entered, in that order, by their folded form."""
        self.current: dict[str, Entry] = {}
        """The version of each bot that is in, by name."""
        self.versions: dict[tuple[str, str], Entry] = {}
        """All versions that were ever entered, by name and first digits of the hash."""
        self.stage: Stage | None = None
        """The stage that is started and not finished."""
        self.finished = 0
        """Number of stages that are finished."""
        self.sealed = False
        self._link: str = start["seed_commitment"]
        """The chain seed of the last stage that is finished, or the head of the chain."""
        self._stages_of: dict[tuple[str, str], int] = defaultdict(int)
        """The stages of each version, as bits of a number."""
        self._last: dict[tuple[str, str], None] = {}
        """Names and hashes of the bots in the last stage that is finished, in its order."""

    def apply(self, event: Event) -> None:
        """Change the state by one valid event after the first. Raises ContestError."""
        getattr(self, f"_{event['type']}")(event)

    def next_stage(self, beacon: str = "") -> Stage | None:
        """Return the plan of the next stage, or None if no match is missing."""
        entries = [self.current[name] for name in self.names.values() if name in self.current]
        number = self.finished + 1
        if self.start["plays"] == "tournaments":
            same = [*map(_key, entries)] == [*self._last]
            return None if same else Stage(number, entries, None, beacon)
        missing = self._missing(entries)
        if missing is not None and not missing:
            return None
        return Stage(number, entries, missing, beacon)

    def _missing(self, entries: Sequence[Entry]) -> list[tuple[int, int]] | None:
        """Return the pairs that have not played each other, ascending; None if all have not.

        Two versions that were in the same stage have played each other, so of each missing pair
        one was not in the last stage. The other pairs are not listed: they may be millions.
        """
        stages = [self._stages_of.get(_key(entry), 0) for entry in entries]
        if len(entries) > 1 and not any(stages):
            return None
        late = dict.fromkeys(n for n, entry in enumerate(entries) if _key(entry) not in self._last)
        missing = [
            (one, two)
            for one, seen in enumerate(stages)
            for two in (range(one + 1, len(entries)) if one in late else late)
            if one < two and not seen & stages[two]
        ]
        is_all = len(missing) == len(entries) * (len(entries) - 1) // 2
        return None if missing and is_all else missing

    @property
    def waiting(self) -> list[str]:
        """The names of the bots that came after the last stage, if the next one has matches."""
        stage = self.next_stage()
        entries = stage.entries if stage else ()
        return [entry.name for entry in entries if _key(entry) not in self._last]

    def _entered(self, event: Event) -> None:
        entry = entry_of(event)
        if entry.name in self.current:
            raise ContestError(f"expected a bot that is not in, found {entry.name} entered again")
        known = self.names.get(folded(entry.name), entry.name)
        if known != entry.name:
            raise ContestError(
                f"the names '{known}' and '{entry.name}' look alike. Give the bot another name"
            )
        self._add(entry)

    def _revised(self, event: Event) -> None:
        entry = entry_of(event)
        if entry.name not in self.current:
            raise ContestError(f"expected the revision of a bot that is in, found {entry.name}")
        if self.current[entry.name].bot == entry.bot:
            raise ContestError(f"expected another version of {entry.name}, found the same")
        self._add(entry)

    def _add(self, entry: Entry) -> None:
        known = self.versions.setdefault((entry.name, entry.digits), entry)
        if known.bot != entry.bot:
            raise ContestError(f"two versions of {entry.name} have hashes that begin alike")
        self.names.setdefault(folded(entry.name), entry.name)
        self.current[entry.name] = entry

    def _withdrawn(self, event: Event) -> None:
        if self.current.pop(event["name"], None) is None:
            raise ContestError(f"expected a bot that is in, found {event['name']} withdrawn")

    def _stage_started(self, event: Event) -> None:
        stage = self.next_stage(event.get("beacon", ""))
        if self.stage is not None:
            raise ContestError(f"expected the end of stage {self.stage.number}, found another")
        if event["stage"] != self.finished + 1:
            raise ContestError(f"expected stage {self.finished + 1}, found {event['stage']}")
        if event["stage"] > self.start["stages"]:
            most = counted(self.start["stages"], "stage")
            raise ContestError(f"expected {most} at most, found one more")
        if stage is None:
            raise ContestError(f"expected missing matches for stage {event['stage']}, found none")
        self.stage = stage

    def _stage_finished(self, event: Event) -> None:
        if self.stage is None or event["stage"] != self.stage.number:
            raise ContestError(f"expected a stage that is started, found {event['stage']} finished")
        if seal.commitment(event["seed"]) != self._link:
            raise ContestError(
                f"stage {self.stage.number}: expected the chain seed whose SHA-256 is "
                f"{self._link}, found {event['seed']}"
            )
        self._last = dict.fromkeys(map(_key, self.stage.entries))
        for key in self._last:
            self._stages_of[key] |= 1 << self.stage.number
        self._link, self.stage = event["seed"], None
        self.finished += 1

    def _contest_sealed(self, event: Event) -> None:
        if self.stage is not None:
            raise ContestError(f"expected the end of stage {self.stage.number}, found the seal")
        self.sealed = True


def entry_of(event: Event) -> Entry:
    """Return the version in an event ``entered`` or ``revised``."""
    command = tuple(event.get("command", ()))
    return Entry(event["name"], event["bot"], command, event.get("class_name", ""))


def chain_seed(last: str, stages: int, stage: int) -> str:
    """Return the chain seed of a stage; that of stage 0 is the head of the chain.

    ``last`` is the chain seed of the stage ``stages``, from which all others follow.
    """
    seed = last
    for _ in range(stages - stage):
        seed = seal.commitment(seed)
    return seed


def stage_seed(chain_seed: str, beacon: str) -> str:
    """Return the seed of a stage's tournament."""
    return seal.hex_digest(f"{chain_seed}:beacon:{beacon}".encode())


def _key(entry: Entry) -> tuple[str, str]:
    return entry.name, entry.bot
