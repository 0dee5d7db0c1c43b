"""Import transcripts of Bank Heist: the printed games, with or without the results of heists.

The rulebook describes the form. Blank lines are ignored. The numbers of the games have no gap, and
begin anywhere. The players are those that bet in the first game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

from games.bank_heist.events import Action
from games.importing.imported import Imported, match_started, tournament_started
from games.importing.source import Lines, fingerprint, only
from games.standings import ranks, winners
from games.table import WHITE_SPACE
from schema import registry
from schema.canonical import Event
from schema.errors import UsageError
from schema.scan import short_repr
from schema.words import counted

MATCH = "1-000000"

HEAD = re.compile(r"#####GAME ([0-9]+): ([0-9]+) players######")
ROUND_1 = re.compile(r"Round 1:")
BET = re.compile(r"(?P<name>\S+) bet (?P<said>[0-9]+)\.")
ROUND_2 = re.compile(r"Round 2")
ACTION = re.compile(r"(?P<name>\S+) decided to (?P<said>.*)\.")
HEISTS = re.compile(r"Results")
HEIST = re.compile(r"(?P<name>\S+) (?:was successful, and may gain ¥(?P<won>[0-9]+)|failed\. :\()")
TABLE = re.compile(r"Results:")
PLACE = re.compile(r"(?P<place>[0-9]+)\. (?P<name>\S+): (?P<credits>[0-9]+)")

ACTIONS = get_args(Action)


def read(paths: Sequence[Path]) -> Imported:
    """Import one transcript as a match, and as a tournament of this match.

    Raises UsageError for several files, and for the first line that is not valid.
    """
    lines = Lines(only(paths, "transcript"))
    transcript = Transcript(lines)
    transcript.read()
    names = list(transcript.seats)
    card = registry.card("bank_heist")
    model = card.settings({"rabble_draw": "size"})
    try:
        card.check_number("seats", len(names), model)
    except ValueError as error:
        raise UsageError(f"{lines.path}: {error}. Nothing is imported.") from None
    settings, id, result = model.model_dump(), fingerprint([lines.content]), transcript.result()
    match = [
        match_started(card, id, MATCH, names, settings),
        *transcript.events,
        {"type": "match_finished", **result},
    ]
    seats = list(range(len(names)))
    tournament = [
        tournament_started(card, id, names, settings),
        {"type": "match_played", "match": MATCH, "seats": seats, **result, "faults": []},
        {"type": "tournament_finished", "standings": transcript.standings()},
    ]
    summary = f"{counted(transcript.games, 'game')} of {counted(len(names), 'player')}"
    return Imported(summary, {MATCH: match}, tournament, transcript.note())


class Transcript:
    """Reads a transcript game by game into the events of its match."""

    def __init__(self, lines: Lines) -> None:
        self.events: list[Event] = []
        self.seats: dict[str, int] = {}
        """By name, in order of the first bets."""
        self.games = 0
        self.number = 0
        """The number of the current game."""
        self.ranking: list[int] = []
        self.credits: list[int] = []
        """By seat, from the last table."""
        self.broken_off = False
        """Whether the table of the last game is missing."""
        self._lines = lines

    def read(self) -> None:
        """Read all games. Raises UnreadableLine for the first line that is not valid."""
        self._game()
        while self._lines.left:
            self._game()

    def result(self) -> dict[str, object]:
        """Return the result of the match by the last table."""
        return {"reason": "played", "scores": self.credits, "winners": winners(self.credits)}

    def standings(self) -> list[dict[str, int]]:
        """Return the final table of a tournament of this match, in the order of the last table."""
        rank_of = ranks(self.credits)
        return [
            {
                "rank": rank_of[self.credits[seat]],
                "entrant": seat,
                "score": self.credits[seat],
                "games": 1,
            }
            for seat in self.ranking
        ]

    def note(self) -> str | None:
        """Return a warning if the last game has no table."""
        if not self.broken_off:
            return None
        standings = "the standings are those of the last table"
        return f"{self._lines.path} breaks off within game {self.number}; {standings}."

    def _game(self) -> None:
        self._head()
        self._bets()
        self._actions()
        self._heists()
        # A published excerpt may end before the table of its last game.
        if self._lines.left or self.games == 1:
            self._table()
        else:
            self.broken_off = True

    def _head(self) -> None:
        head = self._lines.need(HEAD, "#####GAME 13: 16 players######")
        number, participants = self._lines.number(head[1]), self._lines.number(head[2])
        if self.games and number != self.number + 1:
            raise self._lines.wrong(f"game {self.number + 1}", f"game {number}")
        self.number = number
        self.games += 1
        self._add("game_started", participants=participants)

    def _bets(self) -> None:
        self._lines.need(ROUND_1, "Round 1:")
        newcomers = self.games == 1
        for line, seat in self._each(BET, "NAME bet 69.", newcomers):
            bet = self._lines.number(line["said"])
            self._answered(seat, "bet", line["said"])
            self._add("bet", seat=seat, bet=bet)
        if not self.seats:
            raise self._lines.unexpected()

    def _actions(self) -> None:
        self._lines.need(ROUND_2, "Round 2")
        for line, seat in self._each(ACTION, "NAME decided to double cross."):
            said = line["said"].strip(WHITE_SPACE)
            self._answered(seat, "action", line["said"])
            self._add("acted", seat=seat, action=said if said in ACTIONS else "carry on")

    def _heists(self) -> None:
        if not self._lines.take(HEISTS, "Results"):
            return
        for line, seat in self._each(HEIST, "NAME was successful, and may gain ¥1"):
            if line["won"] is None:
                self._add("heist_seen", seat=seat, succeeded=0)
            else:
                winnings = self._lines.number(line["won"])
                self._add("heist_seen", seat=seat, succeeded=1, winnings=winnings)

    def _table(self) -> None:
        self._lines.need(TABLE, "Results:")
        self.ranking, self.credits = [], [0] * len(self.seats)
        for line, seat in self._each(PLACE, "0. NAME: 3600"):
            place = self._lines.number(line["place"])
            if place != len(self.ranking):
                raise self._lines.wrong(f"place {len(self.ranking)}", f"place {place}")
            self.ranking.append(seat)
            self.credits[seat] = self._lines.number(line["credits"])
        if len(self.ranking) != len(self.seats):
            raise self._lines.unexpected()
        self._add("credits_seen", ranking=self.ranking, credits=self.credits)

    def _each(
        self, pattern: re.Pattern[str], example: str, newcomers: bool = False
    ) -> Iterator[tuple[re.Match[str], int]]:
        """Yield the lines of one part with their seats, each seat at most once."""
        seen: set[int] = set()
        while line := self._lines.take(pattern, example):
            name = line["name"]
            if newcomers and name not in self.seats:
                self.seats[self._lines.name(name)] = len(self.seats)
            if name not in self.seats:
                raise self._lines.wrong("one of the players of the first game", short_repr(name))
            seat = self.seats[name]
            if seat in seen:
                raise self._lines.wrong(
                    "each player once in this part", f"{short_repr(name)} again"
                )
            seen.add(seat)
            yield line, seat

    def _answered(self, seat: int, ask: str, output: str) -> None:
        self.events.append({"type": "answered", "seat": seat, "ask": ask, "output": output})

    def _add(self, type: str, **fields: object) -> None:
        self.events.append({"type": type, "number": self.number, **fields})
