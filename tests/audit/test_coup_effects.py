"""Each effect of each call in turns of Coup, changed: the rule about that effect finds it."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.audit.doctored_logs import CALLS, Doctored, turn
from tests.audit.together import report_on

GIVEN_UP = "[_'<=0]"
TURNS = (
    "I\n",
    "Fp\n",
    "Fdq\\$" + GIVEN_UP + "\n",
    "Tq\\$" + GIVEN_UP + "\n",
    "Tq" + GIVEN_UP + "\n",
    "Sp\n",
    "Sc\n",
    "Ep\n",
    "Eq~" + GIVEN_UP + "\n",
    "C" + GIVEN_UP + "\n",
    "A" + GIVEN_UP + "\n",
    "As\n",
)
"""Turns with effects of every kind, and with calls that have none."""

UNDUE = {
    "card_lost": "card_lost_unduly",
    "card_replaced": "card_replaced_unduly",
    "cards_offered": "offer_out_of_place",
    "cards_exchanged": "exchange_out_of_place",
    "income": "income_undeserved",
    "foreign_aid": "gain_undeserved",
    "tax": "gain_undeserved",
    "steal": "gain_undeserved",
    "coup": "coup_paid_unduly",
    "assassination": "assassination_paid_unduly",
}
"""The rule that finds an effect that a call does not have, or has already."""

MISSING = {
    "card_lost": "given_up_card_kept",
    "card_replaced": "shown_card_not_replaced",
    "cards_offered": "offer_out_of_place",
    "cards_exchanged": "exchange_out_of_place",
    "income": "income_missing",
    "foreign_aid": "gain_missing",
    "tax": "gain_missing",
    "steal": "gain_missing",
    "coup": "coup_not_paid",
    "assassination": "assassination_not_paid",
}
"""The rule that finds that an effect is missing."""

OTHER = {
    "card_lost": "another_card_lost",
    "card_replaced": "another_card_replaced",
    "cards_offered": "offered_cards_not_from_the_top",
    "cards_exchanged": "exchange_not_as_chosen",
    "income": "income_not_one_coin",
    "foreign_aid": "foreign_aid_not_two_coins",
    "tax": "tax_not_three_coins",
    "steal": "steal_of_a_wrong_amount",
    "coup": "coup_not_seven_coins",
    "assassination": "assassination_not_three_coins",
}
"""The rule that finds that an effect is another player's, or moves another number of coins."""

CAUSES = {"coup", "assassination", "false_claim", "wrong_challenge"}

DECK = {
    "card_replaced": "replacement_not_from_the_dice",
    "cards_offered": "offered_cards_not_from_the_top",
    "cards_exchanged": "exchange_deck_not_from_the_dice",
}
"""The rule that finds another deck after an effect."""


def kind(event: dict[str, Any]) -> str:
    """The kind of an effect: its type, or the cause of a movement of coins."""
    moved = event["type"] == "coins_moved"
    return str(event["cause"] if moved else event["type"])


def effects(log: Doctored, call: dict[str, Any]) -> list[dict[str, Any]]:
    """The effects of a call."""
    following = log.events[log.place(call) + 1 :]
    end = next(n for n, e in enumerate(following) if e["type"] in (*CALLS, "match_finished"))
    return following[:end]


def samples() -> dict[str, dict[str, Any]]:
    """One effect of each kind."""
    every = [e for text in TURNS for log in [turn(text)] for c in log.turn for e in effects(log, c)]
    return {kind(event): event for event in every}


def others(effect: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Other values of an effect's fields, with the rule that must find them."""
    name = kind(effect)
    if "change" in effect:
        [first, second] = effect["change"]
        for change in ([second, first], [first + 1, second], [first, second - 1]):
            yield OTHER[name], {"change": change}
            yield OTHER[name], {"change": [2 * effect["change"][n] - change[n] for n in range(2)]}
    else:
        yield OTHER[name], {"seat": 1 - effect["seat"]}
    if name == "card_lost":
        for cause in CAUSES - {effect["cause"]}:
            yield "card_lost_for_another_cause", {"cause": cause}
    if "deck" in effect:
        for deck in (effect["deck"][::-1], effect["deck"][1:] + effect["deck"][:1]):
            yield DECK[name], {"deck": deck}


def changes() -> Iterator[tuple[str, str, Doctored]]:
    """The changed matches, each with the name of its change and the rule that must find it."""
    every = samples()
    assert every.keys() == UNDUE.keys()
    for text in TURNS:
        played = turn(text)
        for n in range(len(played.turn)):
            own = effects(played, played.turn[n])
            for name, effect in every.items():
                log = deepcopy(played)
                call = log.turn[n]
                log.insert(effect, after=[call, *effects(log, call)][-1])
                yield f"{text!r}, call {n}: {name} added", UNDUE[name], log
            for place, name in enumerate(map(kind, own)):
                log = deepcopy(played)
                log.drop(effects(log, log.turn[n])[place])
                yield f"{text!r}, call {n}: {name} left out", MISSING[name], log
                for rule, other in others(own[place]):
                    log = deepcopy(played)
                    effects(log, log.turn[n])[place].update(other)
                    yield f"{text!r}, call {n}: {name} with {other}", rule, log


def test_every_change_of_an_effect_is_found_by_its_rule(tmp_path: Path) -> None:
    """An effect that is added, left out, or has another player, coins, cause or deck is found."""
    due = {}
    for number, (name, rule, log) in enumerate(changes()):
        log.write(tmp_path / f"{number}")
        due[f"{number}"] = (name, f"coup/{rule}")
    report = report_on(tmp_path)
    assert not report.unread
    found = {(Path(one.path).parent.name, one.rule.id) for one in report.findings}
    assert [name for number, (name, rule) in due.items() if (number, rule) not in found] == []
