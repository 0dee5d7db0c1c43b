"""Whole tournaments of any game for the tests of the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.table import Match, Result
from schema import seal
from tests import factories
from tests.audit.contest import SEED, Contest
from tests.factories import Player


def hold(
    game: str, names: tuple[str, ...], player: Callable[[Match], Player], **settings: Any
) -> Contest:
    """A tournament between ``names``; ``player`` gives the one that answers for all in a match."""
    made = Contest([], {}, {})
    id = seal.tournament_id(seal.commitment(SEED))

    def play(match: Match) -> Result:
        seed = seal.match_seed(SEED, match.id)
        seats = len(match.seats)
        events = factories.match_events(player(match), seed, game, seats, **settings)
        for one, entrant in zip(events[0]["players"], match.seats, strict=True):
            one["name"] = names[entrant]
        events[0].update(tournament=id, match=match.id)
        made.matches[match.id], made.seeds[match.id] = events, seed
        end = events[-1]
        faults = tuple((e["seat"], e["kind"]) for e in events if e["type"] == "fault")
        digest = factories.loads(factories.sealed(events, seed))[-1]["sha256"]
        return Result(end["reason"], tuple(end["scores"]), tuple(end["winners"]), faults, digest)

    made.events = factories.tournament_events(play, names, SEED, game, **settings)
    return made


def set_everywhere(contest: Contest, **settings: int) -> None:
    """Change settings of the tournament and of all its matches."""
    contest.events[0]["settings"].update(settings)
    for match, events in contest.matches.items():
        events[0]["settings"].update(settings)
        contest.seal(match)
