"""Every turn that the rules of Coup allow from some positions, and replies that are not legal."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

from games.table import Ask
from tests.audit.doctored_logs import CALLS, patient
from tests.audit.together import report_on
from tests.factories import Events, Player, at_random, match_events, write
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


def positions() -> dict[tuple[str, int, int], tuple[Events, str, tuple[str, ...]]]:
    """Events before a call, the seed and the legal actions, by question and coins of both."""
    before: dict[tuple[str, int, int], tuple[Events, str, tuple[str, ...]]] = {}
    for number in range(100):
        asks: list[Ask] = []
        seed, sound = f"{number:064x}", patient(random.Random(number))

        def play(ask: Ask, asks: list[Ask] = asks, sound: Player = sound) -> Any:
            asks.append(ask)
            return sound(ask)

        events = match_events(play, seed)
        calls = [place for place, event in enumerate(events) if event["type"] in CALLS]
        for place, ask in zip(calls, asks, strict=True):
            other, own, *_ = ask.args
            if ask.name == "turn" or (int(own) >= 10 and ask.name != "exchange"):
                key = (ask.name, int(own), min(int(other), 2))
                before.setdefault(key, (events[:place], seed, ask.legal))
    return before


def test_an_action_is_called_illegal_only_if_the_coins_forbid_it(tmp_path: Path) -> None:
    """A rejected action is found if it was legal, and only then, whatever coins the players have.

    All actions that begin a turn are tried with 0 to 12 coins, others with 10 or more.
    """
    before = positions()
    assert {own for name, own, _ in before if name == "turn"} == set(range(13))
    legal = {}
    for number, ((name, own, other), (events, seed, allowed)) in enumerate(before.items()):
        for reply in ("I\n", *"FETACS") if name == "turn" else (allowed[0], "X"):
            seat = sum(event["type"] in CALLS for event in events) % 2
            fault = {"type": "fault", "seat": seat} | FAULT
            fault |= {"ask": name, "output": "", "appended": reply}
            end = {"reason": "forfeit", "scores": [seat, 1 - seat], "winners": [1 - seat]}
            path = tmp_path / f"{number} {name} {own} {other} {reply.strip()}.jsonl"
            legal[str(write(path, [*events, fault, DRAWN | end], seed))] = reply in allowed
    found = {finding.path: finding.rule.id for finding in report_on(tmp_path).findings}
    assert found.keys() == {path for path, is_legal in legal.items() if is_legal}
    assert set(found.values()) == {"coup/legal_answer_called_illegal"}
