"""Coup in sentences, one per event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.coup.cards import GIVEN_UP_CARD, NAMES
from games.narration import common, counted, listed, quoted
from games.table import WHITE_SPACE

CALLS = {
    "I\n": "takes income",
    "F": "asks for foreign aid",
    "E": "claims the Ambassador and asks for an exchange",
    "T": "claims the Duke and asks for tax",
    "S": "claims the Captain and asks to steal from {other}",
    "A": "claims the Assassin and sends it to {other}",
    "C": "launches a coup against {other}",
    "p": "lets it pass",
    "q": "challenges the claim",
    "a": "claims the Ambassador and blocks the theft",
    "c": "claims the Captain and blocks the theft",
    "d": "claims the Duke and blocks the foreign aid",
    "s": "claims the Contessa and blocks the assassination",
}
"""Words for the actions that mean the same in every situation (CP-5)."""

GAINS = {
    "income": "{name} takes {coins} as income.",
    "foreign_aid": "{name} takes {coins} of foreign aid.",
    "tax": "{name} takes {coins} of tax.",
    "steal": "{name} steals {coins} from {other}.",
    "coup": "{name} pays {coins} for the coup.",
    "assassination": "{name} pays {coins} for the assassination.",
}

LOSSES = {
    "coup": "{name} loses the {card} to the coup",
    "assassination": "{name} loses the {card} to the assassin",
    "false_claim": "{name} does not have the card that it claimed, and loses the {card}",
    "wrong_challenge": "{name} challenges a true claim, and loses the {card}",
}


def narrate(
    event: Mapping[str, Any], players: Sequence[str], settings: Mapping[str, Any]
) -> str | None:
    """Return a sentence about one event of Coup, or None for one that all games have."""
    match event["type"]:
        case "dealt":
            hands = [
                f"{name} the {listed(_names(hand))}"
                for name, hand in zip(players, event["hands"], strict=True)
            ]
            coins = counted(event["coins"][0], "coin")
            return f"The cards are dealt: {'; '.join(hands)}; each has {coins}."
        case "answered":
            action = event.get("appended")
            if event["ask"] == "block" and action == "\n":  # CP-5
                name = players[event["seat"]]
                return f"{name} accepts the block: its action fails, and the turn ends."
            return call(action, event["seat"], players) if isinstance(action, str) else None
        case "fault" if event["ask"] == "exchange" and event.get("appended") == "\n":
            if event["kind"] == "illegal" and not event.get("output", "cards").strip():
                name = players[event["seat"]]
                return f"{name} prints no cards to keep: it forfeits (CP-17)."
            # CP-15: the newline is legal, so an illegal answer is the choice of cards.
            return common({**event, "appended": ""}, players, settings)
        case "fault" if event["kind"] == "illegal" and event.get("appended") == "":
            output = event.get("output", "").strip(WHITE_SPACE)
            adds = f"prints {quoted(output)}, but adds" if output else "adds"
            return f"{players[event['seat']]} {adds} nothing to the history: it forfeits (CP-17)."
        case "coins_moved":
            return _coins(event, players)
        case "card_lost":
            words = {"name": players[event["seat"]], "card": NAMES[event["card"]]}
            out = "." if event["hand"] else f"; {words['name']} is out."
            return LOSSES[event["cause"]].format(**words) + out
        case "card_replaced":
            name = players[event["seat"]]
            drawn = NAMES[event["drawn"]]
            return f"{name} returns the {NAMES[event['card']]} to the deck, and draws the {drawn}."
        case "cards_offered":
            drawn = listed(_names(event["drawn"]))
            return f"{players[event['seat']]} draws the {drawn}, to choose from."
        case "cards_exchanged":
            kept, returned = listed(_names(event["hand"])), listed(_names(event["returned"]))
            return f"{players[event['seat']]} keeps the {kept}, and returns the {returned}."
    return None


def call(action: str, seat: int, players: Sequence[str]) -> str | None:
    """Return a sentence about an action that the bot at ``seat`` added to the history (CP-5)."""
    name, other = players[seat], players[1 - seat]
    if action in CALLS:
        return f"{name} {CALLS[action].format(other=other)}."
    if action == "\n":
        return f"{name} ends the turn."
    symbol, ends = action[0], ", and ends the turn" if action.endswith("\n") else ""
    if symbol in GIVEN_UP_CARD:
        return f"{name} gives up the {NAMES[GIVEN_UP_CARD[symbol]]}{ends}."
    if symbol in NAMES:
        return f"{name} shows the {NAMES[symbol]}{ends}."
    return None


def _coins(event: Mapping[str, Any], players: Sequence[str]) -> str:
    change = event["change"]
    cause = event["cause"]
    seat = max(range(2), key=lambda seat: change[seat] if cause == "steal" else abs(change[seat]))
    words = {"name": players[seat], "other": players[1 - seat]}
    return GAINS[cause].format(coins=counted(abs(change[seat]), "coin"), **words)


def _names(cards: str) -> list[str]:
    return [NAMES[card] for card in cards]
