"""Makes golden logs: ``python -m tests.golden.make`` writes those that are not there yet.

A golden log is never written anew: a log that was sealed must verify forever.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from games.coup.tournament import play as tournament_rules
from games.table import Answer, Ask, Fault, Reply, Result, TournamentTable
from schema import registry, seal
from schema.dice import Dice
from tests.games.playing import GAINS, seed_for
from tests.making import BOT, Events, Player, answer, at_random, converse, match_events, sealed

HERE = Path(__file__).parent


class Recipe(NamedTuple):
    """A match: the hands that are dealt, and who answers what."""

    first: str
    second: str
    player: Callable[[], Player]


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
COUP_1 = {
    "contessa_lie_costs_both_cards": Recipe("~^", "*$", said(*TAX, *INCOME, "A", "s", "q", "<")),
    "wrong_challenge_of_an_assassin_costs_both_cards": Recipe(
        "~^", "*!", said(*TAX, *INCOME, "A", "q", "^", "=")
    ),
    "honest_contessa_is_paid_for": Recipe(
        "~^", "*!", said(*TAX, *INCOME, "A", "s", "q", "!", "'\n", *INCOME, "T", "q", "_\n")
    ),
    "false_assassin_is_not_paid_for": Recipe(
        "~*", "$!", said(*TAX, *INCOME, "A", "q", "<\n", *INCOME, "T", "q", "_\n")
    ),
    "draw_after_max_calls": Recipe("~^", "*!", said(*BLOCKED * 66, "F", "d")),
    "ambassador_shown_stays_for_its_exchange": Recipe(
        "~^", "*!", said("E", "q", "~", "<", "\n:^~", "T", "q", "=\n")
    ),
    "ambassador_shown_for_a_block_is_replaced": Recipe(
        "!^", "~$", said("S", "a", "q", "~", "=\n", *INCOME, "T", "q", "'\n")
    ),
    "steal_of_the_last_coin": Recipe(
        "*^", "$!", said("S", "p", "\n", *INCOME, "S", "q", "*", "0", "\n", "E", "q", "=\n")
    ),
    "false_duke_lets_foreign_aid_through": Recipe(
        "~^", "*!", said("F", "d", "q", "<", "\n", "T", "q", "=\n")
    ),
    "ten_coins_force_a_coup": Recipe(
        "~^", "*!", said(*(*TAX, *INCOME) * 3, "C", "<", "\n", *INCOME, "A", "=")
    ),
    "exchange_keeps_order_written": Recipe(
        "~^",
        "*!",
        said("E", "p", "\n: \t^$\r\n", *INCOME, "E", "q", "'\n", *INCOME, "E", "q", "0\n"),
    ),
    "exchange_for_a_card_not_offered_forfeits": Recipe("~^", "*!", said("E", "p", "\n:^^")),
    "forfeit_by_illegal_bytes": Recipe(
        "~^", "*!", said("T", Answer({"output": b"", "appended": b"p\xff\n"}))
    ),
    "forfeit_by_nothing_appended": Recipe("~^", "*!", said(*INCOME, "")),
    "forfeit_by_timeout": Recipe("~^", "*!", said("T", "q", Fault("timeout"))),
    "forfeit_by_crash_with_half_an_answer": Recipe(
        "~^", "*!", said(Fault("crash", {"output": b"~", "appended": b"I"}))
    ),
    "forfeit_by_tampered_history": Recipe(
        "~^", "*!", said("F", Fault("tampered", {"output": b"", "file": b"Fp\nT"}))
    ),
    "forfeit_by_a_link_in_place_of_the_history": Recipe(
        "~^", "*!", said("F", Fault("tampered", {"output": b""}, "a symbolic link"))
    ),
    "many_turns_at_random": Recipe("$*", "~^", lambda: at_random(random.Random(2790))),
}


RESULTS = [(1, 0), (0, 1), (0, 0), (1, 0), (0, 1), (0, 1)]
"""How the six matches of three entrants end."""


def tournament_with_a_shared_rank() -> bytes:
    """The sealed log of a tournament, with made-up results, in which two are first."""
    seed = f"{20:064x}"
    settings: Any = registry.card("coup").settings({"rounds": 1})
    names = ["taxman", "miser", "bandit"]
    events: Events = [
        {
            "type": "tournament_started",
            "format": "koth-log/1",
            "game": "coup",
            "rules": "coup/1",
            "tournament": "golden",
            "entrants": [{"entrant": n, "name": name, "bot": BOT} for n, name in enumerate(names)],
            "settings": settings.model_dump(),
            "seed_commitment": seal.commitment(seed),
        }
    ]
    rules = tournament_rules(
        TournamentTable(
            names, settings, Dice(seed), lambda event, clause: events.append(dict(event))
        )
    )
    results = enumerate(RESULTS)
    converse(rules, lambda match: ended(*next(results)))
    return sealed(events, seed)


def ended(number: int, scores: tuple[int, int]) -> Result:
    """A match that ended with these scores; the one drawn by calls, the last by a timeout."""
    winners = tuple(seat for seat, score in enumerate(scores) if score)
    faults = ((0, "timeout"),) if number == len(RESULTS) - 1 else ()
    reason = "forfeit" if faults else "eliminated" if winners else "drawn"
    return Result(reason, scores, winners, faults, seal.hex_digest(b"%d" % number))


def made(recipe: Recipe) -> bytes:
    """The sealed log of a recipe."""
    seed = seed_for(recipe.first, recipe.second)
    return sealed(match_events(recipe.player(), seed), seed)


def main() -> None:
    """Write every golden log that is not there yet."""
    wanted: dict[str, Callable[[], bytes]] = {
        name: partial(made, recipe) for name, recipe in COUP_1.items()
    }
    wanted["tournament_with_a_shared_rank"] = tournament_with_a_shared_rank
    for name, make in wanted.items():
        path = HERE / "coup-1" / f"{name}.jsonl"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(make())
            print(path)


if __name__ == "__main__":
    main()
