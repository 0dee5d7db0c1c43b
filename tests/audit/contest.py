"""A small tournament for the tests of the rules: its own log, and the logs of its matches."""

from __future__ import annotations

import random
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from games.coup import tournament
from games.table import Match, Result, TournamentTable
from schema import registry, seal
from schema.dice import Dice
from schema.events import FORMAT
from tests import factories
from tests.audit.doctored_logs import patient
from tests.audit.together import Together
from tests.factories import Events

SEED = "7" * 64
CARD = registry.card("coup")
SETTINGS: dict[str, Any] = {"rounds": 2, "max_calls": 40}
NAMES = ("Anna", "Ben", "Cleo")

_TOGETHER = Together()
doctored, fired = _TOGETHER.doctored, _TOGETHER.fired


@dataclass
class Contest:
    """The tournament's events, and the events and the seed of each match, by its id."""

    events: Events
    matches: dict[str, Events]
    seeds: dict[str, str]

    @property
    def played(self) -> Events:
        """The lines of the tournament's log that are about a match."""
        return [event for event in self.events if event["type"] == "match_played"]

    @property
    def standings(self) -> list[dict[str, Any]]:
        """The final table."""
        lines: list[dict[str, Any]] = self.events[-1]["standings"]
        return lines

    def disqualify(self, entrant: int) -> None:
        """Record before the final table that an entrant was disqualified in the first match."""
        gone = {"type": "disqualified", "entrant": entrant, "match": "1-000000", "kind": "crash"}
        self.events.insert(-1, gone)

    def write(self, folder: Path) -> None:
        """The logs in a folder, as a tournament has them."""
        factories.write(folder / "tournament.jsonl", self.events, SEED)
        for match, events in self.matches.items():
            path = folder / "matches" / f"{match}.jsonl"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(sealed(events, self.seeds[match]))

    def seal(self, match: str) -> None:
        """Put the seal that a match has now into the tournament's log."""
        line = next(event for event in self.played if event["match"] == match)
        line["seal"] = factories.loads(sealed(self.matches[match], self.seeds[match]))[-1]["sha256"]


def with_dice_of_another(logs: Contest) -> Contest:
    """The same, but the tournament's log gives the second match the dice of the first."""
    first, second = logs.events[1:3]
    logs.events[2] = {
        "type": "match_played",
        "match": second["match"],
        "dice": first["match"],
        **second,
    }
    return logs


def sealed(events: Events, seed: str) -> bytes:
    """A sealed log; without a seed, as an imported log has none, if ``seed`` is empty."""
    data = factories.sealed(events, seed)
    return data if seed else data.replace(b'"seed":"",', b"")


def contest(mirrored: int = 0) -> Contest:
    """Two rounds between three entrants."""
    return deepcopy(_contest(mirrored))


@cache
def _contest(mirrored: int) -> Contest:
    settings = CARD.settings(SETTINGS | {"mirrored": mirrored})
    id = seal.tournament_id(seal.commitment(SEED))
    entrants = [
        {"entrant": n, "name": name, "bot": seal.bot_hash({f"{name}.py": b""})}
        for n, name in enumerate(NAMES)
    ]
    started = {
        "type": "tournament_started",
        "format": FORMAT,
        "game": "coup",
        "rules": CARD.rules,
        "tournament": id,
        "entrants": entrants,
        "settings": settings.model_dump(),
        "seed_commitment": seal.commitment(SEED),
    }
    made = Contest([started], {}, {})
    table = TournamentTable(
        NAMES, settings, Dice(SEED), lambda event, clause: made.events.append(dict(event))
    )
    rules = tournament.play(table)  # type: ignore[arg-type]  # its settings are Coup's
    factories.drive_rules(rules, lambda match: _play(made, match, id, entrants, mirrored))
    _TOGETHER.clean.append(made)
    return made


def _play(
    made: Contest, match: Match, id: str, entrants: list[dict[str, Any]], mirrored: int
) -> Result:
    seed = seal.match_seed(SEED, match.id, match.dice)
    player = patient(random.Random(seed))
    events = factories.match_events(player, seed, mirrored=mirrored, **SETTINGS)
    players = [
        {"seat": seat, "name": entrants[n]["name"], "bot": entrants[n]["bot"]}
        for seat, n in enumerate(match.seats)
    ]
    events[0].update(tournament=id, match=match.id, players=players)
    made.matches[match.id], made.seeds[match.id] = events, seed
    end = events[-1]
    digest = factories.loads(factories.sealed(events, seed))[-1]["sha256"]
    return Result(end["reason"], tuple(end["scores"]), tuple(end["winners"]), (), digest)
