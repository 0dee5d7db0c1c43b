"""Ranking decisions: laws over golden logs, and blunders planted in matches of functions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import orjson
import pytest

from games.table import Ask, Fault, Reply
from replay.blame import Blamed, Choice, Line, check_reproducible, choices, play_lines, rank
from replay.blame_render import SHOWN, blame_json, blame_text
from replay.decisions import decisions_of
from replay.errors import ReplayError
from replay.whatif import what_if
from schema.errors import UsageError
from schema.reader import Log, read
from tests.factories import Player, answer, match_events, printed, write
from tests.golden.make import HERE
from tests.replay.log_factory import hex_seed
from tests.replay.test_whatif import as_recorded, each_golden_log, said
from tests.sampling import FACTOR

OpenSession = Callable[[], Any]


def sessions(player: Callable[[], Player]) -> OpenSession:
    """Return a function that opens sessions, each with a new player for all seats."""

    @contextmanager
    def open_session() -> Iterator[Any]:
        yield player()

    return open_session


@each_golden_log
def test_the_recorded_answer_has_no_swing(path: Path) -> None:
    """A line of play with the recorded answer ends as the match did."""
    log = read(path)
    answers = list(said(log))
    for seq, seat, raw in answers[:: max(1, len(answers) // 2)]:
        blamed = play_lines(
            log,
            seat,
            Choice(seq, str(log.events[seq].get("ask", "select")), raw, [raw]),
            sessions(lambda: as_recorded(log)),
        )
        assert blamed.swing == 0
        assert blamed.lines[0].end == log.events[-2]


@each_golden_log
def test_every_alternative_is_legal_and_not_the_recorded_answer(path: Path) -> None:
    """The rules accept each alternative, with another event than the recorded one."""
    log = read(path)
    for seat in {0, len(log.start["players"]) - 1}:
        found = choices(log, seat)
        for choice in found[:: max(1, len(found) // 2)]:
            for other in choice.others:
                steps = what_if(log, choice.seq, other, seat).steps
                first: Any = next(s.event for s in steps if s.event.get("seat", seat) == seat)
                assert first["type"] != "fault"
                assert first != log.events[choice.seq]


def test_legal_answers_of_coup_are_all_there() -> None:
    """Of each question, the recorded answer and the alternatives are the legal ones."""
    log = read(HERE / "coup-2/many_turns_at_random.jsonl")
    by_seq = {choice.seq: choice for choice in choices(log, 0)}
    for decision in decisions_of(log, 0):
        assert isinstance(decision.question, Ask)
        if decision.question.name != "exchange":
            others = by_seq[decision.seq].others if decision.seq in by_seq else []
            assert len(others) == len(decision.question.legal) - 1


def test_a_game_without_alternatives_is_refused() -> None:
    """The error names what the card lacks."""
    log = read(HERE / "coup-2/many_turns_at_random.jsonl")
    card = log.card.model_copy(update={"alternatives": None})
    with pytest.raises(UsageError, match="names no `alternatives`"):
        choices(replace(log, card=card), 0)
    with pytest.raises(UsageError, match="expected a seat from 0 to 1, found 2"):
        choices(log, 2)


CRASH = Fault("crash", during="construct")
BAD, TWO, THREE = map(printed, "x23")


@pytest.mark.parametrize(
    ("seat", "replies", "sentence"),
    [
        pytest.param(
            0,
            [BAD, TWO, THREE],
            "player0 answers “1”. Round 1: player0 scores with 1.",
            id="fails again",
        ),
        pytest.param(0, [CRASH, CRASH, TWO], "player0 answers “1”.", id="not recorded"),
        pytest.param(1, [BAD, BAD, THREE], "player1 answers “1”.", id="after another fault"),
    ],
)
def test_a_line_tells_the_other_answer_and_no_other_event(
    seat: int, replies: Sequence[Reply], sentence: str, tmp_path: Path
) -> None:
    """The bot may fail again after its other answer, and other bots may fail at the question."""
    by_seat = dict(enumerate(replies))
    events = match_events(lambda ask: by_seat, game="smallest_unique", players=3, seats=3)
    log = read(write(tmp_path / "log.jsonl", events))
    [choice] = choices(log, seat)
    first, *_ = play_lines(log, seat, choice, sessions(lambda: lambda asked: by_seat)).lines
    assert first.answer["output"] == b"1"
    assert first.sentence == sentence


def test_an_answer_among_those_of_all_seats_is_said() -> None:
    """The event of a round says who scores; the sentence begins with the seat's own answers."""
    log = read(HERE / "smallest_unique-1/two_share_the_win.jsonl")
    choice = choices(log, 2)[0]
    recorded, other = choice.answer["output"].decode(), choice.others[0]["output"].decode()
    blamed = play_lines(
        log, 2, replace(choice, others=choice.others[:1]), sessions(lambda: as_recorded(log))
    )
    name = log.start["players"][2]["name"]
    assert blamed.sentence.startswith(f"{name} answers “{recorded}”. Round 1: ")
    assert blamed.lines[0].sentence.startswith(f"{name} answers “{other}”. Round 1: ")


# --- The table ----------------------------------------------------------------------------------


@pytest.mark.parametrize("better", [0, 1, SHOWN, SHOWN + 2])
def test_the_table_has_the_decisions_that_cost_most(better: int) -> None:
    """Those with a positive swing, ten at most, and the number of the others."""
    log = read(HERE / "coins-1/many_turns_at_random.jsonl")
    swings = [*range(better, 0, -1), 0, -1]
    blamed = [
        Blamed(
            choice.seq,
            "said",
            [Line(choice.others[0], "other", log.events[-2], each) for each in (swing, 0, -2)],
        )
        for choice, swing in zip(choices(log, 1), swings, strict=False)
    ]
    _, total, _, *lines, last = blame_text(rank(log, 1, blamed), "--bots x").splitlines()
    assert total.startswith(f"{better + 2} decisions with {3 * (better + 2)} alternatives, ")
    shown = [line.split()[0] for line in lines if line.startswith(("+", "-"))]
    assert shown == [f"+{swing}" for swing in swings[: min(better, SHOWN)]]
    assert lines.count("    1 of 3 alternatives would have scored more") == len(shown)
    others = [line for line in lines if "more with a positive swing" in line]
    assert len(others) == (better > SHOWN)
    assert all(line.startswith(f"{better - SHOWN} decisions more ") for line in others)
    assert last.startswith("A swing is" if better else "no alternative scores more")


def test_the_json_has_the_recorded_result() -> None:
    """It names the log and the seat, with its score and the result."""
    log = read(HERE / "coins-1/many_turns_at_random.jsonl")
    shown = orjson.loads(blame_json(rank(log, 1, [])))
    end: Any = log.events[-2]
    assert (shown["log"], shown["seat"], shown["end"]) == (str(log.path), 1, end)
    assert shown["score"] == end["scores"][1] != end["scores"][0]


# --- Planted blunders ----------------------------------------------------------------------------


def strategy(number: int, plant: tuple[Any, Any] | None = None) -> Player:
    """Return a player whose answer depends on the question alone; ``plant`` replaces one."""

    def play(ask: Ask) -> Any:
        if plant is not None and ask == plant[0]:
            return plant[1]
        history, *rest = ask.observation
        rng = random.Random(f"{number} {ask.seat} {history} {rest}")
        cards = ask.args[2]
        kept = "".join(rng.sample(sorted(cards), len(cards) - 2)) if ask.name == "exchange" else ""
        safe = [action for action in ask.legal if action not in "q"] or ask.legal
        return answer(rng.choice(safe if rng.random() < 0.8 else ask.legal), kept)

    return play


def asker(player: Player) -> Any:
    """Return the player as a session that answers lists of asks."""
    return lambda asks: [player(ask) for ask in asks]


def planted(number: int, path: Path) -> tuple[Log, int, Player] | None:
    """Return a match that seat 0 loses at once by one answer, with its event and the players."""
    events = match_events(strategy(number), hex_seed(number))
    log = read(write(path, events, hex_seed(number)))
    if log.events[-2]["winners"] != [0]:
        return None
    for choice in reversed(choices(log, 0)):
        question = next(one.question for one in decisions_of(log, 0) if one.seq == choice.seq)
        for other in choice.others:
            player = strategy(number, (question, answer(other["appended"].decode())))
            lost = match_events(player, hex_seed(number))
            bad = read(write(path, lost, hex_seed(number)))
            if lost[-1]["winners"] == [1] and choices(bad, 0)[-1].seq == choice.seq:
                return bad, choice.seq, player
    return None


def test_planted_blunders_are_among_the_first_three(tmp_path: Path) -> None:
    """Of the blunders that lose a match at once, nine in ten are ranked among three."""
    ranks = []
    for number in range(24 * FACTOR):
        found = planted(number, tmp_path / f"{number}.jsonl")
        if found is not None:
            log, seq, player = found
            open_session = sessions(partial(asker, player))
            check_reproducible(log, open_session)
            blamed: list[Blamed] = [
                play_lines(log, 0, choice, open_session) for choice in choices(log, 0)
            ]
            ranks.append([one.seq for one in rank(log, 0, blamed).ranked].index(seq))
    assert len(ranks) > 2
    assert sum(place < 3 for place in ranks) >= 0.9 * len(ranks)


def test_bots_that_are_not_reproducible_are_refused(tmp_path: Path) -> None:
    """The error names the seat, the event, and both answers."""
    log = read(write(tmp_path / "log.jsonl", match_events(strategy(1), hex_seed(1)), hex_seed(1)))
    with pytest.raises(
        ReplayError, match=r"seat \d \(player\d\) answered .*, and answers \{[^{]*\} to the same"
    ):
        check_reproducible(log, sessions(lambda: asker(strategy(2))))
    seeds = count(3)
    with pytest.raises(ReplayError, match=r"answers \{[^{]*\} and then \{[^{]*\} to the same"):
        check_reproducible(log, sessions(lambda: asker(strategy(next(seeds)))))
    [first, *_] = choices(log, 1)
    with pytest.raises(ReplayError, match="gave other answers before event"):
        play_lines(log, 1, first, sessions(lambda: asker(strategy(3))))
