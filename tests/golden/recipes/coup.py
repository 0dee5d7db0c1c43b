"""Golden logs of Coup: hands and answers of the players."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from itertools import cycle
from typing import Any, NamedTuple

from games.table import Answer, Ask, Fault, Reply, Result
from schema import seal
from tests.factories import (
    Events,
    Player,
    answer,
    at_random,
    match_events,
    sealed,
    tournament_events,
)
from tests.games.coup_games import GAINS, seed_for
from tests.golden.recipes import Recipe


class Hands(NamedTuple):
    """A match: the hands and the answers of the players."""

    first: str
    second: str
    player: Callable[[], Player]
    rules: str = "coup/1"

    def make(self) -> bytes:
        """The sealed log."""
        seed = seed_for(self.first, self.second)
        return sealed(match_events(self.player(), seed, self.rules), seed)


def said(*answers: str | Reply) -> Callable[[], Player]:
    """A player that gives these answers, as text (``appended:output``) or as they are."""

    def begin() -> Player:
        queue = list(answers)

        def play(ask: Ask) -> Reply:
            one = queue.pop(0)
            return answer(*one.split(":")) if isinstance(one, str) else one

        return play

    return begin


TAX, INCOME, BLOCKED = GAINS[3], GAINS[1], GAINS[0]
MATCHES = {
    "contessa_lie_costs_both_cards": Hands("~^", "*$", said(*TAX, *INCOME, "A", "s", "q", "<")),
    "wrong_challenge_of_an_assassin_costs_both_cards": Hands(
        "~^", "*!", said(*TAX, *INCOME, "A", "q", "^", "=")
    ),
    "honest_contessa_is_paid_for": Hands(
        "~^", "*!", said(*TAX, *INCOME, "A", "s", "q", "!", "'\n", *INCOME, "T", "q", "_\n")
    ),
    "false_assassin_is_not_paid_for": Hands(
        "~*", "$!", said(*TAX, *INCOME, "A", "q", "<\n", *INCOME, "T", "q", "_\n")
    ),
    "draw_after_max_calls": Hands("~^", "*!", said(*BLOCKED * 66, "F", "d")),
    "ambassador_shown_stays_for_its_exchange": Hands(
        "~^", "*!", said("E", "q", "~", "<", "\n:^~", "T", "q", "=\n")
    ),
    "ambassador_shown_for_a_block_is_replaced": Hands(
        "!^", "~$", said("S", "a", "q", "~", "=\n", *INCOME, "T", "q", "'\n")
    ),
    "steal_of_the_last_coin": Hands(
        "*^", "$!", said("S", "p", "\n", *INCOME, "S", "q", "*", "0", "\n", "E", "q", "=\n")
    ),
    "false_duke_lets_foreign_aid_through": Hands(
        "~^", "*!", said("F", "d", "q", "<", "\n", "T", "q", "=\n")
    ),
    "ten_coins_force_a_coup": Hands(
        "~^", "*!", said(*(*TAX, *INCOME) * 3, "C", "<", "\n", *INCOME, "A", "=")
    ),
    "exchange_keeps_order_written": Hands(
        "~^",
        "*!",
        said("E", "p", "\n: \t^$\r\n", *INCOME, "E", "q", "'\n", *INCOME, "E", "q", "0\n"),
    ),
    "exchange_for_a_card_not_offered_forfeits": Hands("~^", "*!", said("E", "p", "\n:^^")),
    "forfeit_by_illegal_bytes": Hands(
        "~^", "*!", said("T", Answer({"output": b"", "appended": b"p\xff\n"}))
    ),
    "forfeit_by_nothing_appended": Hands("~^", "*!", said(*INCOME, "")),
    "forfeit_by_timeout": Hands("~^", "*!", said("T", "q", Fault("timeout"))),
    "forfeit_by_crash_with_half_an_answer": Hands(
        "~^", "*!", said(Fault("crash", {"output": b"~", "appended": b"I"}))
    ),
    "forfeit_by_tampered_history": Hands(
        "~^", "*!", said("F", Fault("tampered", {"output": b"", "file": b"Fp\nT"}))
    ),
    "forfeit_by_a_link_in_place_of_the_history": Hands(
        "~^", "*!", said("F", Fault("tampered", {"output": b""}, "a symbolic link"))
    ),
    "many_turns_at_random": Hands("$*", "~^", lambda: at_random(random.Random(2790))),
}

HISTORIES = {
    "ambassador_shown_for_a_block_is_replaced": "Saq~",
    "ambassador_shown_stays_for_its_exchange": "Eq~<\n",
    "contessa_lie_costs_both_cards": "Asq<",
    "draw_after_max_calls": "Fd\n" * 66 + "Fd",
    "exchange_keeps_order_written": "Ep\n",
    "exchange_for_a_card_not_offered_forfeits": "Ep",
    "false_assassin_is_not_paid_for": "Aq<\n",
    "false_duke_lets_foreign_aid_through": "Fdq<\n",
    "forfeit_by_a_link_in_place_of_the_history": "F",
    "forfeit_by_crash_with_half_an_answer": "",
    "forfeit_by_illegal_bytes": "T",
    "forfeit_by_nothing_appended": "I\n",
    "forfeit_by_tampered_history": "F",
    "forfeit_by_timeout": "Tq",
    "honest_contessa_is_paid_for": "Asq!'\n",
    "many_turns_at_random": "\nAsq!<",
    "steal_of_the_last_coin": "Sp\nI\nSq*0\n",
    "ten_coins_force_a_coup": "C<\nI\nA=",
    "wrong_challenge_of_an_assassin_costs_both_cards": "Aq^=",
}
"""The history that each match holds (the whole history if a bot forfeits)."""


RESULTS = [(1, 0), (0, 1), (0, 0), (1, 0), (0, 1), (0, 1)]
"""The results of the six matches of three entrants."""


def tournament(version: str = "coup/1", **settings: Any) -> bytes:
    """The sealed log of a tournament, with made-up results, in which two are first."""
    seed = f"{20:064x}"
    results = cycle(enumerate(RESULTS))
    names = ["taxman", "miser", "bandit"]
    settings = {"rounds": 1} | settings
    events = tournament_events(
        lambda match: ended(*next(results)), names, seed, version, **settings
    )
    events[0]["tournament"] = "golden"
    return sealed(events, seed)


def ended(number: int, scores: tuple[int, int]) -> Result:
    """A match that ended with these scores; the one drawn by calls, the last by a timeout."""
    winners = tuple(seat for seat, score in enumerate(scores) if score)
    faults = ((0, "timeout"),) if number == len(RESULTS) - 1 else ()
    reason = "forfeit" if faults else "eliminated" if winners else "drawn"
    return Result(reason, scores, winners, faults, seal.hex_digest(b"%d" % number))


def happens(name: str, events: Events) -> bool:
    """Return whether the history and the end of a match are as its name says."""
    history = "".join(event.get("appended", "") for event in events if event["type"] == "answered")
    promised = HISTORIES[name]
    if name.startswith("forfeit") and history != promised:
        return False
    reason = "forfeit" if "forfeit" in name else "drawn" if "draw" in name else "eliminated"
    return promised in history and events[-2]["reason"] == reason


def shares_a_rank(events: Events) -> bool:
    """Return whether two entrants are first."""
    return [line["rank"] for line in events[-2]["standings"]] == [1, 1, 3]


def shared_dice(events: Events) -> list[int]:
    """Return the number of the match whose dice each match of a tournament has."""
    played = [event for event in events if event["type"] == "match_played"]
    return [int(str(event.get("dice", event["match"]))[2:]) for event in played]


RECIPES = {name: Recipe(hands.make, partial(happens, name)) for name, hands in MATCHES.items()}
RECIPES["tournament_with_a_shared_rank"] = Recipe(tournament, shares_a_rank)

AGAIN = (
    *("contessa_lie_costs_both_cards", "draw_after_max_calls", "exchange_keeps_order_written"),
    *("forfeit_by_timeout", "many_turns_at_random", "steal_of_the_last_coin"),
)
"""The matches that are also golden logs of ``coup/2``, whose matches have the same rules."""

RECIPES_2 = {
    name: Recipe(MATCHES[name]._replace(rules="coup/2").make, partial(happens, name))
    for name in AGAIN
}
RECIPES_2["tournament_with_a_shared_rank"] = Recipe(
    partial(tournament, "coup/2"),
    lambda events: shares_a_rank(events) and shared_dice(events) == [*range(6)],
)
RECIPES_2["tournament_with_mirrored_pairs"] = Recipe(
    partial(tournament, "coup/2", rounds=2, mirrored=1),
    lambda events: shared_dice(events) == [0, 1, 0, 3, 1, 3, 6, 7, 6, 9, 7, 9],
)
