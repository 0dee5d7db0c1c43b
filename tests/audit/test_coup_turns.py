"""Every turn that the rules of Coup allow from some positions, and replies that are not legal."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

from games.table import Ask
from tests.audit.doctored_logs import CALLS
from tests.audit.together import report_on
from tests.factories import Events, at_random, match_events, write
from tests.games.coup_games import Game, turn_by_turn
from tests.games.test_coup_counts import COUNTS
from tests.sampling import LONG_RUN, is_sampled

REPLIES = ("I\n", *"FETACSdpqacs\n~^*!$_'<=0", "_\n", "'\n", "<\n", "=\n", "0\n", "", "X")
FAULT = {"kind": "illegal", "clause": "CP-17", "penalty": "forfeit"}
CALL = ("seat", "ask", "output", "appended")
DRAWN: dict[str, Any] = {
    "type": "match_finished",
    "reason": "drawn",
    "scores": [0, 0],
    "winners": [],
}


def replies(_: Game, ask: Ask) -> Iterator[str]:
    """All legal answers, with each choice of cards in an Exchange after a colon."""
    choices = {""}
    if ask.name == "exchange":
        cards = ask.args[2]
        choices = {":" + "".join(choice) for choice in permutations(cards, len(cards) - 2)}
    yield from (reply + choice for reply in ask.legal for choice in sorted(choices))


def log(game: Game) -> Events:
    """The log of a match that ends here, as a draw after its last call if it goes on."""
    calls = sum(event["type"] in CALLS for event in game.events)
    [start, *_] = match_events(at_random(random.Random(0)), game.seed, max_calls=max(1, calls))
    return [start, *game.events, *([DRAWN] if game.ask else [])]


def forfeits(game: Game, line: str, rng: random.Random) -> Iterator[Events]:
    """Logs of a match that ends now with a reply that is not legal: all such replies to a turn."""
    others = [reply for reply in REPLIES if reply not in game.legal]
    game.say(others[0])
    *above, fault, end = log(game)
    for reply in rng.sample(others, 1) if line else others:
        yield [*above, fault | {"appended": reply}, end]


def accepted(events: Events) -> Events:
    """The log of a forfeit as if the reply had been legal, and the last before a draw."""
    *above, fault, _ = events
    reply = {"type": "answered", **{key: fault[key] for key in CALL if key in fault}}
    return [*above, reply, DRAWN]


def rejected(events: Events) -> Events:
    """The log as if the last reply had not been legal."""
    place = max(n for n, event in enumerate(events) if event["type"] == "answered")
    reply = events[place]
    fault = {"type": "fault", "seat": reply["seat"]} | FAULT
    fault |= {key: reply[key] for key in CALL if key in reply}
    winner = 1 - reply["seat"]
    end = {"reason": "forfeit", "scores": [1 - winner, winner], "winners": [winner]}
    return [*events[:place], fault, DRAWN | end]


def test_every_turn_and_every_forfeit_break_no_rule(tmp_path: Path) -> None:
    """No rule accuses a turn that the rules of the game allow, or a forfeit for another reply.

    The suite tries one turn in three, the long run all.
    """
    rng, number = random.Random(1), 0
    for begin, _ in COUNTS:
        for line, game in turn_by_turn(begin, replies):
            if line and not is_sampled(line, 3):
                continue
            ended = line.endswith("\n") or not game.ask
            for events in [log(game)] if ended else forfeits(game, line, rng):
                write(tmp_path / f"{number}.jsonl", events, game.seed)
                number += 1
    report = report_on(tmp_path)
    assert report.logs == number > (400 if LONG_RUN else 130)
    assert report.clean, report.findings[:3]


def test_every_reply_that_is_misjudged_is_found(tmp_path: Path) -> None:
    """Each legal reply that is rejected, and a reply that is not legal but accepted, is found.

    The suite tries one turn in three, the long run all.
    """
    rng, paths = random.Random(2), set()
    for begin, _ in COUNTS:
        for number, (line, game) in enumerate(turn_by_turn(begin, replies)):
            if line and not is_sampled(line, 3):
                continue
            logs = [("rejected", rejected(log(game)))] if line else []
            if game.ask and not line.endswith("\n"):
                logs += (("accepted", accepted(events)) for events in forfeits(game, line, rng))
            for n, (judged, events) in enumerate(logs):
                path = tmp_path / judged / f"{begin.__name__} {number} {n}.jsonl"
                paths.add(str(write(path, events, game.seed)))
    report = report_on(tmp_path)
    assert not report.unread
    found = {finding.path: finding.rule.id for finding in report.findings}
    assert found.keys() == paths
    rejections = {rule for path, rule in found.items() if Path(path).parent.name == "rejected"}
    assert rejections == {"coup/legal_answer_called_illegal"}
