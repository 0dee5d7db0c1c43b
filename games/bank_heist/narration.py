"""Bank Heist in sentences, one per event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.bank_heist.state import BANKS, UNIT
from games.narration import counted, leaders, listed, quoted
from games.table import WHITE_SPACE

ACTIONS = {
    "carry on": "carries on",
    "back out": "backs out",
    "all in": "goes all in",
    "change jobs": "leaves its job",
    "acquire intel": "chooses to acquire intel",
    "buy guard": "buys a guard",
    "deposit": "chooses to deposit its winnings",
    "withdraw": "chooses to withdraw its account",
    "double cross": "tries to double cross",
    "finger": "chooses to point its finger",
}
"""Words for each action; four have no effect unless the heist succeeds (BH-15, BH-17 to BH-20)."""

WHY = {
    "all_in": "it went all in",
    "bet": "it pays in its bet",
    "heist": "its heist succeeds",
    "change_jobs": "it leaves its job",
    "intel": "it spends its winnings on intel",
    "guard": "it buys a guard",
    "deposit": "it deposits its winnings",
    "withdraw": "it withdraws its account",
    "exposed": "it is exposed as a double crosser",
    "finger": "it pointed at a double crosser",
    "false_finger": "its finger exposes nobody",
    "share": "the loot is shared out",
    "cross_failed": "too many double crossed",
    "hired": "it is hired",
    "paycheck": "it gets its salary",
    "bribe": "it pays its guards",
    "guard_left": "it cannot pay a guard, who leaves",
    "interest": "its account earns interest",
}

WHAT = {
    "credits": "credits",
    "winnings": "winnings",
    "salary": "salary",
    "account": "account",
    "guards": "guards",
    "probability": "chance",
    "odds": "odds",
}
"""Words for a value that moves; a probability is the chance of success, odds are its pay."""


def narrate(
    event: Mapping[str, Any], players: Sequence[str], settings: Mapping[str, Any]
) -> str | None:
    """Return a sentence about one event of Bank Heist, or None for one that all games have."""
    kind = event["type"]
    if kind in SENTENCES:
        game = f"Game {event['number'] + 1:,}: " if "number" in event else ""
        return game + SENTENCES[kind](event, players)
    if kind == "answered" and (answer := event.get("output", "").strip(WHITE_SPACE)):
        return f"{players[event['seat']]} writes {quoted(answer)}."
    return None


def _games_drawn(event: Mapping[str, Any], players: Sequence[str]) -> str:
    return f"The match will have {counted(event['games'], 'game')}."


def _game_started(event: Mapping[str, Any], players: Sequence[str]) -> str:
    verb = "gathers" if event["participants"] == 1 else "gather"
    return f"{counted(event['participants'], 'participant')} {verb}, the rabble included."


def _bet(event: Mapping[str, Any], players: Sequence[str]) -> str:
    name = players[event["seat"]]
    return (
        f"{name} bets {counted(event['bet'], 'credit')}."
        if event["bet"]
        else f"{name} bets nothing."
    )


def _bets_closed(event: Mapping[str, Any], players: Sequence[str]) -> str:
    if not event["heisters"]:
        return "nobody bets, so there is no heist."
    heisters, total = counted(event["heisters"], "heister"), counted(event["total"], "credit")
    return f"{heisters} bet {total}, enough to rob the {_bank(event)}."


def _acted(event: Mapping[str, Any], players: Sequence[str]) -> str:
    return f"{players[event['seat']]} {ACTIONS[event['action']]}."


def _heist_rolled(event: Mapping[str, Any], players: Sequence[str]) -> str:
    fates = event["player_fates"] + event["rabble_fates"]
    won, lost = fates.count("s"), fates.count("f")
    named = [name for name, fate in zip(players, event["player_fates"], strict=True) if fate == "s"]
    among = f", {listed(named)} among them" if named else ""
    staying = counted(won + lost, "staying heister")
    verb = "succeeds" if won == 1 else "succeed"
    return f"{won:,} of {staying} {verb}{among}."


def _moved(event: Mapping[str, Any], players: Sequence[str]) -> str:
    name, why = players[event["seat"]], WHY[event["why"]]
    what, before, after = event["what"], event["before"], event["after"]
    if what == "employed":
        return f"{name} {'is employed' if after else 'is unemployed'}: {why}."
    at = f" at the {_bank(event)}" if "bank" in event else ""
    rises = "rise" if after > before else "fall"
    verb = rises if what in ("credits", "winnings", "guards", "odds") else f"{rises}s"
    span = f"from {_amount(what, before)} to {_amount(what, after)}"
    return f"{name}'s {WHAT[what]}{at} {verb} {span}: {why}."


def _cross_judged(event: Mapping[str, Any], players: Sequence[str]) -> str:
    crossers = counted(event["crossers"], "player")
    verb = "tries" if event["crossers"] == 1 else "try"
    end = "it works" if event["succeeded"] else "that is too many, and it fails"
    return f"{crossers} of {event['staying_players']:,} who stay {verb} to double cross: {end}."


def _fingered(event: Mapping[str, Any], players: Sequence[str]) -> str:
    drawn = listed(players[seat] for seat in dict.fromkeys(event["drawn"]))  # each once
    exposed = listed(players[seat] for seat in event["exposed"]) or "nobody"
    return f"{players[event['seat']]} points at {drawn}, and exposes {exposed}."


def _shared_out(event: Mapping[str, Any], players: Sequence[str]) -> str:
    straight = counted(event["straight_share"], "credit")
    crosser = counted(event["crosser_share"], "credit")
    return f"each straight heister's share is {straight}, each unexposed crosser's {crosser}."


def _game_finished(event: Mapping[str, Any], players: Sequence[str]) -> str:
    credits = event["credits"]
    return f"{leaders(players, credits)} with {counted(max(credits), 'credit')}."


def _heist_seen(event: Mapping[str, Any], players: Sequence[str]) -> str:
    went = "succeeds" if event["succeeded"] else "fails"
    return f"the heist of {players[event['seat']]} {went}, as the transcript says."


def _credits_seen(event: Mapping[str, Any], players: Sequence[str]) -> str:
    best = event["ranking"][0]
    credits = counted(event["credits"][best], "credit")
    return f"{players[best]} leads with {credits}, as the transcript says."


SENTENCES = {
    "games_drawn": _games_drawn,
    "game_started": _game_started,
    "bet": _bet,
    "bets_closed": _bets_closed,
    "acted": _acted,
    "heist_rolled": _heist_rolled,
    "moved": _moved,
    "cross_judged": _cross_judged,
    "fingered": _fingered,
    "shared_out": _shared_out,
    "game_finished": _game_finished,
    "heist_seen": _heist_seen,
    "credits_seen": _credits_seen,
}


def _bank(event: Mapping[str, Any]) -> str:
    return f"{BANKS[event['bank']].name} bank"


def _amount(what: str, value: int) -> str:
    """Return a value of ``moved`` for people: a chance in percent, odds as a factor, both exact."""
    if what == "probability":
        return f"{_decimal(100 * value)} %"
    return _decimal(value) if what == "odds" else f"{value:,}"


def _decimal(billionths: int) -> str:
    return f"{billionths / UNIT:.9f}".rstrip("0").rstrip(".")
