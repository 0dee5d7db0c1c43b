"""A tournament while it is played, as the files in its folder show it.

Shown are the entrants, the results of sealed matches with the standings that follow from them, and
the recorded events of the matches that are being played. These events are those of the log, so
they name hidden cards and choices: the view is for the organiser, and no bot can see it. Not shown
is what needs a seed that is still secret: states, dice, and matches to come. The file with the
tournament's seed is never opened.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from games.narration import Narrator
from games.standings import ranks
from replay.errors import no_tournament
from replay.planned import planned_matches
from replay.watch.lines import Line
from replay.watch.tail import Tail, Wait, pause
from schema import discovery, reader
from schema.canonical import Event
from schema.errors import CorruptLog
from schema.events import MatchPlayed, Standing
from schema.reader import Log
from schema.words import counted

LOGS = 100
"""Maximum new logs that one poll reads, so that a viewer of many matches stays responsive."""

ANNOUNCED = ("tournament_started", "match_played")
"""Events of a tournament's log that a poll returns in another order: by the logs of matches."""


@dataclass
class _Sums:
    """Sums over the matches that count, by entrant."""

    scores: Counter[int] = field(default_factory=Counter)
    matches: Counter[int] = field(default_factory=Counter)
    faults: Counter[int] = field(default_factory=Counter)

    def add(self, match: MatchPlayed, times: int = 1) -> None:
        """Count a match; with ``times`` = −1, no longer."""
        for entrant, score in zip(match["seats"], match["scores"], strict=True):
            self.scores[entrant] += times * score
            self.matches[entrant] += times
        for fault in match["faults"]:
            self.faults[match["seats"][fault["seat"]]] += times


@dataclass(frozen=True)
class Row:
    """One entrant in the standings so far, or in the final table."""

    rank: int
    name: str
    score: int
    matches: int
    faults: int


class RunningTournament:
    """The tournament in ``folder``, as its logs show it at the last :meth:`poll`.

    Raises UsageError if the folder holds no tournament.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tail = Tail(folder / discovery.TOURNAMENT)
        if not self._tail.path.exists():
            raise no_tournament(folder, folder)
        self.planned = 0
        """Number of matches that the rules plan; 0 if unknown."""
        self.played: dict[str, MatchPlayed] = {}
        """The matches that count, by their ids, in the order in which they ended."""
        self.playing: dict[str, Tail] = {}
        """The matches whose logs are not sealed, by their ids."""
        self._sums = _Sums()
        self._unread: deque[str] = deque()
        """Matches whose logs are not opened yet."""
        self._left_out: set[str] = set()
        """Matches of void attempts, and of other tournaments."""
        self._final: list[Standing] | None = None

    @property
    def log(self) -> Log | None:
        """The tournament's log so far; None before its first line is whole."""
        return self._tail.log

    @property
    def unread(self) -> bool:
        """Whether there were more logs than one poll reads."""
        return bool(self._unread)

    @property
    def over(self) -> bool:
        """Whether the tournament's log is sealed, and all logs are read."""
        return self._tail.sealed and not self.unread

    @property
    def names(self) -> list[str]:
        """The entrants' names."""
        return [bot["name"] for bot in self.log.start["entrants"]] if self.log else []

    def poll(self) -> list[Event]:
        """Return the events since the last call: matches played, and others of the tournament.

        Raises OSError, and a LogError for a damaged log.
        """
        events = self._tail.poll()
        if self.log is None:
            return []
        begun = [event for event in events if event["type"] == "tournament_started"]
        if begun:
            self.planned = planned_matches(self.log)
        played: list[Event] = [*self._poll_matches(self.log)]
        for seq, event in enumerate(events, len(self.log.events) - len(events)):
            reader.check_event(self.log, seq, event)
            if event["type"] == "voided":
                self._void(self.log.events[:seq])
            elif event["type"] == "tournament_finished":
                self._final = cast(list[Standing], event["standings"])
        others = [event for event in events if event["type"] not in ANNOUNCED]
        return [*begun, *played, *others]

    def _poll_matches(self, log: Log) -> Iterator[MatchPlayed]:
        """Read what is new in the logs of matches, and yield the matches that ended."""
        folder = self.folder / discovery.MATCHES
        if len(self._unread) <= LOGS:  # a list of many names takes long
            self._list_matches(folder)
        new = [self._unread.popleft() for _ in range(min(LOGS, len(self._unread)))]
        for match in (*sorted(self.playing), *new):
            begun = match in self.playing
            tail = self.playing.setdefault(match, Tail(folder / f"{match}.jsonl"))
            try:
                tail.poll()
            except (FileNotFoundError, CorruptLog) as error:
                if isinstance(error, CorruptLog) and not begun:
                    raise
                del self.playing[match]  # dropped, and perhaps written anew: the next look tells
                continue
            if tail.sealed and tail.log is not None:
                del self.playing[match]
                if (result := _result(log, tail.log)) is None:
                    self._left_out.add(match)
                else:
                    self.count(match, result)
                    yield result

    def _list_matches(self, folder: Path) -> None:
        """Find the logs of matches that are new, and forget the matches whose logs were removed."""
        names = os.listdir(folder) if folder.exists() else ()  # noqa: PTH208 paths take too long
        there = {name.removesuffix(".jsonl") for name in names if name.endswith(".jsonl")}
        for match in self.played.keys() - there:
            self.forget(match)  # a match after the fault that voided its attempt is not kept
        self.playing = {match: tail for match, tail in self.playing.items() if match in there}
        known = self.played.keys() | self._left_out | self.playing.keys()
        self._unread = deque(sorted(there - known))

    def count(self, match: str, result: MatchPlayed) -> None:
        """Let a match count."""
        self.played[match] = result
        self._sums.add(result)

    def forget(self, match: str) -> None:
        """Let a match count no longer."""
        self._sums.add(self.played.pop(match), -1)

    def _void(self, before: Sequence[Event]) -> None:
        """Forget the matches that the tournament's log recorded ``before``."""
        void = {str(event["match"]) for event in before if event["type"] == "match_played"}
        self._left_out |= void
        self.planned = 0  # a new attempt plans more matches
        self._unread = deque(match for match in self._unread if match not in void)
        for match in void & self.played.keys():
            self.forget(match)

    def standings(self) -> list[Row]:
        """Return the final table, or else the sums so far, best first.

        So far the rank is by the mean score of a match, because not all have played equally often.
        """
        names, sums = self.names, self._sums
        if self._final is not None and self.over:
            table = [
                (standing["rank"], standing["entrant"], standing["score"], standing["games"])
                for standing in self._final
            ]
        else:
            means = [Fraction(sums.scores[n], sums.matches[n] or 1) for n in range(len(names))]
            rank_of = ranks(means)
            table = sorted(
                (rank_of[mean], entrant, sums.scores[entrant], sums.matches[entrant])
                for entrant, mean in enumerate(means)
            )
        return [
            Row(rank, names[entrant], score, played, sums.faults[entrant])
            for rank, entrant, score, played in table
        ]


def _result(tournament: Log, match: Log) -> MatchPlayed | None:
    """Return the result of a sealed match, as the tournament's log will record it.

    Returns None for a match of another tournament. Raises CorruptLog if it has no result, or a
    fault of no seat.
    """
    start = match.start
    numbers = {bot["name"]: bot["entrant"] for bot in tournament.start["entrants"]}
    names = [player["name"] for player in start["players"]]
    if start["tournament"] != tournament.start["tournament"] or not set(names) <= numbers.keys():
        return None
    events = cast(Sequence[Mapping[str, Any]], match.events)
    seq = len(events) - 2
    if events[seq]["type"] != "match_finished":
        raise CorruptLog(match.path, seq + 1, "expected the result above the seal, found none")
    reader.check_event(match, seq, match.events[seq])
    result: MatchPlayed = {
        "type": "match_played",
        "match": start["match"],
        "seats": [numbers[name] for name in names],
        "reason": events[seq]["reason"],
        "scores": events[seq]["scores"],
        "winners": events[seq]["winners"],
        "faults": [
            {"seat": event.get("seat", -1), "kind": event.get("kind", "")}
            for event in events
            if event["type"] == "fault"
        ],
        "seal": match.seal["sha256"],
    }
    reader.check_event(replace(tournament, path=match.path), seq, result)
    return result


def follow(folder: Path, wait: Wait = pause) -> Iterator[str]:
    """Yield a line per finished match of a running tournament; the final table when it ends.

    Disqualifications and void attempts have lines, too. Raises what :meth:`RunningTournament.poll`
    raises.
    """
    tournament = RunningTournament(folder)
    narrate: Narrator | None = None
    while not tournament.over:
        events = tournament.poll()
        if narrate is None and tournament.log is not None:
            narrate = Narrator(tournament.log.card, tournament.log.start)
        yield from (narrate(event) for event in events if narrate is not None)
        if not events:
            wait()
    for row in tournament.standings():
        matches = counted(row.matches, "match")
        yield Line(f"{row.rank}. {row.name}: {row.score} ({matches})").text
