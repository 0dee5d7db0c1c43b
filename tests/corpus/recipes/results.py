"""Attacks on results: scores, winners, final tables; all sealed again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.corpus.entries import add, entry
from tests.corpus.honest import GAMES, Honest, holding, plain, refielded
from tests.factories import Events, sealed

COUP = plain("coup")
COINS_TABLE = holding("coins", "tournament_finished", "tournament")
COUP_TABLE = holding("coup", "tournament_finished", "tournament")
AGAIN = holding("smallest_unique", "voided", "tournament")
"""A tournament that was begun again."""


def finish(name: str, attack: str, verdict: str, game: str, **fields: Any) -> None:
    """An entry: the result of a match of a game is another one."""
    log = plain(game)
    add(
        name,
        attack,
        verdict,
        lambda: refielded(log, len(log.events) - 1, lambda end: end.update(fields)),
    )


for game in GAMES:
    scores = plain(game).events[-1]["scores"]
    winners = plain(game).events[-1]["winners"]
    few, more = scores[:-1], [*scores, 0]
    finish(f"score_missing_in_{game}", "A seat has no score.", "corrupt", game, scores=few)
    finish(f"score_too_many_in_{game}", "A score is nobody's.", "corrupt", game, scores=more)
    finish(
        f"score_edited_in_{game}",
        "The first seat has one point more.",
        "diverged",
        game,
        scores=[scores[0] + 1, *scores[1:]],
    )
    finish(
        f"winner_edited_in_{game}",
        "The winners are others.",
        "diverged",
        game,
        winners=[1] if winners == [0] else [0],
    )
    finish(
        f"reason_edited_in_{game}",
        "The match ended for another reason.",
        "diverged",
        game,
        reason="agreed",
    )

finish("winner_that_is_not_there", "Seat 2 of two won.", "corrupt", "coup", winners=[2])
finish("winner_that_is_negative", "Seat -1 won.", "corrupt", "coup", winners=[-1])
finish("winner_twice", "Seat 0 won twice.", "corrupt", "coup", winners=[0, 0])
finish("scores_of_nobody", "There are no scores.", "corrupt", "coup", scores=[], winners=[])
finish(
    "winners_swapped", "Those who share the win are swapped.", "diverged", "coins", winners=[1, 0]
)
finish("everybody_won", "Both won.", "diverged", "coup", winners=[0, 1])
finish("nobody_won", "Nobody won.", "diverged", "coup", winners=[])


# --- What the rules derive in between

DERIVED: dict[str, tuple[str, Callable[[dict[str, Any]], Any]]] = {
    "bank_heist": ("game_finished", lambda event: event["credits"].__setitem__(0, 1_000_000)),
    "coins": ("acted", lambda event: event.update(centre=event["centre"] + 1)),
    "coup": ("dealt", lambda event: event.update(hands=event["hands"][::-1])),
    "smallest_unique": ("round", lambda event: event.pop("winner")),
}

for game in GAMES:
    type, change = DERIVED[game]
    add(
        f"derived_field_edited_in_{game}",
        f"What the rules derive in the first {type} is edited.",
        "diverged",
        lambda game=game, type=type, change=change: refielded(
            plain(game), plain(game).seq(type), change
        ),
    )


@entry("diverged")
def dice_edited_in_coins() -> bytes:
    """The coins in the centre are as many as somebody wished, not as the dice said."""
    log = plain("coins")
    return refielded(log, 1, lambda event: event.update(centre=event["centre"] + 2))


@entry("diverged")
def dice_edited_in_bank_heist() -> bytes:
    """A heist that failed succeeded."""
    log = holding("bank_heist", "cross_judged")
    turned = str.maketrans("sf", "fs")
    return refielded(
        log,
        log.seq("heist_rolled"),
        lambda event: event.update(player_fates=event["player_fates"].translate(turned)),
    )


@entry("diverged")
def deck_edited_in_coup() -> bytes:
    """The next two cards of the deck changed places."""

    def change(event: dict[str, Any]) -> None:
        deck = event["deck"]
        place = next(n for n in range(len(deck) - 1) if deck[n] != deck[n + 1])
        event["deck"] = deck[:place] + deck[place + 1] + deck[place] + deck[place + 2 :]

    return refielded(COUP, 1, change)


@entry("diverged")
def winner_of_a_round_edited() -> bytes:
    """Another seat won a round of Smallest Unique Number."""
    log = plain("smallest_unique")
    return refielded(log, 1, lambda event: event.update(winner=1 - event["winner"]))


@entry("diverged")
def setting_that_ends_the_match_earlier() -> bytes:
    """With fewer calls allowed than were made, the match would have been drawn."""
    return refielded(COUP, 0, lambda start: start["settings"].update(max_calls=2))


# --- Tournaments


def table(log: Honest, change: Callable[[Events], Any]) -> bytes:
    """A tournament's log, changed and sealed again."""
    events = log.events
    change(events)
    return sealed(events, log.seed)


@entry("diverged")
def standings_swapped() -> bytes:
    """The last of the final table became the first."""
    return table(COUP_TABLE, lambda events: events[-1]["standings"].reverse())


@entry("diverged")
def rank_edited() -> bytes:
    """A shared second rank became a first one."""
    return table(COUP_TABLE, lambda events: events[-1]["standings"][-1].update(rank=1))


@entry("diverged")
def score_in_the_standings_edited() -> bytes:
    """Somebody has a point more than it won."""
    return table(COINS_TABLE, lambda events: events[-1]["standings"][0].update(score=99))


@entry("diverged")
def games_in_the_standings_edited() -> bytes:
    """Somebody played a game less."""
    return table(COINS_TABLE, lambda events: events[-1]["standings"][0].update(games=0))


@entry("diverged")
def entrant_left_out_of_the_standings() -> bytes:
    """The last is not in the final table."""
    return table(COINS_TABLE, lambda events: events[-1]["standings"].pop())


@entry("corrupt")
def entrant_in_the_standings_that_is_not_there() -> bytes:
    """The final table names an entrant that there is not."""
    return table(COINS_TABLE, lambda events: events[-1]["standings"][0].update(entrant=3))


@entry("corrupt")
def rank_zero() -> bytes:
    """Ranks count from 0."""
    return table(COINS_TABLE, lambda events: events[-1]["standings"][0].update(rank=0))


@entry("diverged")
def scores_of_a_match_edited_in_the_tournament() -> bytes:
    """The result of a match is another one, but the final table the same."""
    return table(COINS_TABLE, lambda events: events[1]["scores"].__setitem__(0, 50))


@entry("diverged")
def seats_swapped_in_the_tournament() -> bytes:
    """Those of a match sat the other way round."""
    return table(COUP_TABLE, lambda events: events[1]["seats"].reverse())


@entry("corrupt")
def seat_of_nobody_in_the_tournament() -> bytes:
    """An entrant that there is not sat in a match."""
    return table(COINS_TABLE, lambda events: events[1]["seats"].__setitem__(0, 7))


@entry("corrupt")
def score_missing_in_the_tournament() -> bytes:
    """A match has a score less than seats."""
    return table(COINS_TABLE, lambda events: events[1]["scores"].pop())


@entry("corrupt")
def fault_of_nobody_in_the_tournament() -> bytes:
    """Somebody failed in a match who did not sit there."""
    fault = {"seat": 9, "kind": "crash"}
    return table(COINS_TABLE, lambda events: events[1]["faults"].append(fault))


@entry("diverged")
def match_left_out_of_the_tournament() -> bytes:
    """A match is not in the tournament's log, and the final table is as before."""
    return table(COINS_TABLE, lambda events: events.pop(2))


@entry("diverged")
def match_twice_in_the_tournament() -> bytes:
    """A match stands twice in the tournament's log."""
    return table(COUP_TABLE, lambda events: events.insert(2, events[1]))


@entry("diverged")
def matches_swapped_in_the_tournament() -> bytes:
    """Two matches changed places."""
    return table(COUP_TABLE, lambda events: events.insert(1, events.pop(2)))


@entry("diverged")
def match_renumbered_in_the_tournament() -> bytes:
    """A match has another number."""
    return table(COINS_TABLE, lambda events: events[1].update(match="1-000009"))


@entry("diverged")
def disqualification_wiped_out() -> bytes:
    """That somebody was disqualified is left out."""
    seq = AGAIN.seq("disqualified")
    return table(AGAIN, lambda events: events.pop(seq))


@entry("diverged")
def disqualification_of_somebody_else() -> bytes:
    """Another one was disqualified than the one that failed."""
    seq = AGAIN.seq("disqualified")
    return table(AGAIN, lambda events: events[seq].update(entrant=(events[seq]["entrant"] + 1) % 2))


@entry("diverged")
def disqualification_for_something_else() -> bytes:
    """Who was disqualified for one kind of fault has another one."""
    seq = AGAIN.seq("disqualified")
    kind = "tampered"
    return table(AGAIN, lambda events: events[seq].update(kind=kind))


@entry("diverged")
def void_attempt_that_counts() -> bytes:
    """That an attempt is void is left out."""
    seq = AGAIN.seq("voided")
    return table(AGAIN, lambda events: events.pop(seq))


@entry("diverged")
def final_table_missing() -> bytes:
    """The final table is left out."""
    return table(COINS_TABLE, lambda events: events.pop())
