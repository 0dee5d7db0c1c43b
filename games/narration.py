"""Events in plain sentences: those of a game by its card's ``narrate``, and those of all games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from games import standings
from games.table import WHITE_SPACE
from schema.card import Card
from schema.contract import SuppressFailures
from schema.log_path import printable
from schema.words import counted as counted

LONGEST = 32
"""Maximum characters of a name, or of an answer, in a sentence."""

LONGEST_SENTENCE = 4000
"""Maximum characters of a sentence."""

ESCAPED = r"\u201d"
"""A closing quotation mark in an answer: as itself it would end the quotation."""

NOTHING = "with nothing"
"""The words for an answer in which the bot wrote nothing."""

KINDS = {
    "crash": "crashes",
    "timeout": "takes too long",
    "oversize": "writes too much",
    "tampered": "changes the history file",
    "illegal": "gives an illegal answer",
}


PENALTIES = {"forfeit": "it forfeits", "disqualified": "it is disqualified"}
"""Words for the penalties that cost a bot the match or the tournament."""


class Narrator:
    """Tells the events of one log in sentences."""

    def __init__(self, card: Card, start: Mapping[str, Any]) -> None:
        """``start`` is the first event of the log. Raises CardError for a broken package."""
        is_match = "players" in start
        bots = start["players"] if is_match else start.get("entrants", ())
        self.players = [short(bot["name"]) for bot in bots]
        """The names by seat, or by entrant in a tournament."""
        self.settings = start["settings"]
        self.game = card.narrator() if is_match else None
        self.is_built_in = card.built_in

    def __call__(self, event: Mapping[str, Any]) -> str:
        """Return one sentence in the present tense: one printable line.

        The function of a package gets copies, which it may change.
        An event that no narration knows, or whose fields contradict each other (as in a forged
        log), is its type in words.
        """
        for narrate in (self.game, common):
            if narrate is not None:
                with SuppressFailures(is_shown=True):
                    arguments = (event, self.players, self.settings)
                    sentence = narrate(*(arguments if self.is_built_in else deepcopy(arguments)))
                    if isinstance(sentence, str) and (text := str.__str__(sentence).strip()):
                        return short(text[: LONGEST_SENTENCE + 1], LONGEST_SENTENCE)
                    if sentence is not None:
                        raise TypeError(f"expected a sentence or None, found {sentence!r:.80}")
        return f"{str(event['type']).replace('_', ' ').capitalize()}."


def common(
    event: Mapping[str, Any], players: Sequence[str], settings: Mapping[str, Any]
) -> str | None:
    """Return a sentence about an event that all games have; ``players`` may be entrants."""
    match event["type"]:
        case "match_started":
            return f"The match begins: {versus(players)}."
        case "answered":
            return f"{players[event['seat']]} answers {answer(event)}."
        case "fault":
            clause, penalty = event["clause"], event["penalty"]
            cost = PENALTIES.get(penalty, f"the penalty is {penalty}")
            return f"{players[event['seat']]} {_failure(event)}: {cost} ({clause})."
        case "match_finished":
            return f"{_result(event, players)}."
        case "match_sealed" | "tournament_sealed" | "contest_sealed":
            return f"The log is sealed{', and its seed revealed' if 'seed' in event else ''}."
        case "tournament_started":
            return f"The tournament begins with {counted(len(players), 'entrant')}."
        case "match_played":
            return _played(event, [players[entrant] for entrant in event["seats"]])
        case "disqualified":
            name, why = players[event["entrant"]], KINDS[event["kind"]]
            return f"{name} {why} in match {event['match']}, and is disqualified."
        case "voided":
            played, why = counted(event["matches"], "match"), event["reason"].replace("_", " ")
            return f"Attempt {event['attempt']} with {played} does not count ({why})."
        case "tournament_finished":
            return _ranking(event["standings"], players)
        case "contest_started":
            return "The contest begins."
        case "entered":
            return f"{short(event['name'])} enters."
        case "revised":
            return f"{short(event['name'])} has a new version."
        case "withdrawn":
            return f"{short(event['name'])} is withdrawn."
        case "stage_started":
            return f"Stage {event['stage']} begins."
        case "stage_finished":
            return f"Stage {event['stage']} ends with {counted(event['files'], 'log')}."
    return None


def _failure(event: Mapping[str, Any]) -> str:
    """Return the failure in a fault, without the bot's name."""
    kind, wrote = event["kind"], answer(event)
    if kind == "illegal":
        return "gives an empty answer" if wrote == NOTHING else f"{KINDS[kind]}, {wrote}"
    if kind == "tampered" and "found" in event:
        return f"{KINDS[kind]}, and leaves {short(event['found'], 2 * LONGEST)}"
    return KINDS[kind]


def _result(event: Mapping[str, Any], players: Sequence[str]) -> str:
    """Return the end of a match as a sentence without its full stop."""
    winners = [players[seat] for seat in event["winners"]]
    reason = event["reason"].replace("_", " ")
    if not winners:
        return f"The match ends without a winner ({reason})"
    if len(winners) == 1:
        return f"{winners[0]} wins the match ({reason})"
    return f"{listed(winners)} share the win ({reason})"


def result_line(event: Mapping[str, Any], players: Sequence[str]) -> str:
    """Return a result in one line: ``eliminated; player0 1, player1 0``.

    It names the winners if they are not the players with the highest score.
    """
    scores, winners = event["scores"], event["winners"]
    pairs = ", ".join(f"{name} {score}" for name, score in zip(players, scores, strict=True))
    if not winners or sorted(winners) == standings.winners(scores):
        return f"{event['reason']}; {pairs}"
    verb = "wins" if len(winners) == 1 else "win"
    return f"{event['reason']}; {pairs}; {listed(players[seat] for seat in winners)} {verb}"


def _played(event: Mapping[str, Any], players: Sequence[str]) -> str:
    """Return the result of a match between ``players``, by seat."""
    number = counted(len(players), "player")
    who = f", {versus(players)}" if len(players) == 2 else f" of {number}"
    faults = f", with {counted(len(event['faults']), 'fault')}" if event["faults"] else ""
    return f"Match {event['match']}{who}: {_result(event, players)}{faults}."


def _ranking(standings: Sequence[Mapping[str, Any]], entrants: Sequence[str]) -> str:
    best = [standing for standing in standings if standing["rank"] == 1]
    if not best:
        return "The tournament ends without a final table."
    verb = "wins" if len(best) == 1 else "share the win of"
    scores = {standing["score"] for standing in best}
    # Who ranks by a rate may share a rank with another score (SU-6).
    score = f", with a score of {best[0]['score']:,}" if len(scores) == 1 else ""
    return f"{listed(entrants[one['entrant']] for one in best)} {verb} the tournament{score}."


def answer(event: Mapping[str, Any]) -> str:
    """Return the answer of an event, quoted and cut: of its channels the one that says more.

    White space around an output is left out; around a text that was appended it can be the fault.
    """
    for channel in ("appended", "output"):
        if text := event.get(channel):
            if channel == "appended":
                return quoted(text)
            return quoted(text.strip(WHITE_SPACE)) if text.strip() else "with white space"
        if event.get(f"{channel}_base64"):
            return "with bytes that are not UTF-8"
    return NOTHING


def quoted(text: str) -> str:
    """Return a bot's ``text`` in quotation marks, cut; its own closing marks are escaped."""
    return f"“{short(text.replace('”', ESCAPED))}”"


def short(text: str, longest: int = LONGEST) -> str:
    """Return ``text`` in one printable line, cut to ``longest`` characters."""
    text = printable(text)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def leaders(players: Sequence[str], values: Sequence[int]) -> str:
    """Return who has the most, with the verb: ``anna leads``, ``anna and bob lead``."""
    most = max(values)
    best = [name for name, value in zip(players, values, strict=True) if value == most]
    return f"{listed(best)} {'leads' if len(best) == 1 else 'lead'}"


def listed(words: Iterable[str], most: int = 6) -> str:
    """Return ``a, b and c``; from the ``most``-th on, how many others there are."""
    named = list(words)
    if len(named) > most:
        named = [*named[: most - 1], f"{len(named) - most + 1} others"]
    return " and ".join([", ".join(named[:-1]), named[-1]]) if len(named) > 1 else "".join(named)


def versus(players: Sequence[str]) -> str:
    """Return ``a against b``, or a list."""
    return " against ".join(players) if len(players) == 2 else listed(players)
