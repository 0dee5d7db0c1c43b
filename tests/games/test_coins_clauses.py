"""The clauses of the rulebook of Coins, CN-1 to CN-9, one by one in small games."""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from games.coins.rules import Pile, State, situation
from games.table import Answer, Fault
from schema import registry, rulebook
from schema.dice import Dice
from schema.reader import parse
from tests.factories import SEED, match_events, printed, sealed
from tests.games.coins_games import Game, laid_out

COINS = registry.card("coins")

IDLE = printed("NNN")


def idle(players: int, **settings: int) -> list[dict[str, Any]]:
    """The events of a game in which nobody does anything."""
    return match_events(lambda ask: IDLE, SEED, "coins", players, **settings)


# --- CN-1 to CN-3: setup and end -----------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 7, 60])
def test_cn_1_the_turn_order_is_drawn_and_stays(players: int) -> None:
    """Every seat has one turn in each round, always in the order of its die."""
    events = idle(players, rounds=3)
    order = Dice(SEED).shuffle("order", [str(n) for n in range(players)])
    assert events[1]["order"] == [int(seat) for seat in order]
    turns = [(event["round"], event["seat"]) for event in events if event["type"] == "acted"]
    assert turns == [(round, int(seat)) for round in (1, 2, 3) for seat in order]


def test_cn_1_players_start_with_nothing() -> None:
    """No coins, no points."""
    game = Game((1, 2, 0), fewer=9)
    assert game.told == "1;1;29;1_0_0_0;2_0_0_0;0_0_0_0"
    assert game.state == {
        "round": 1,
        "turn_of": 1,
        "order": [1, 2, 0],
        "centre": 29,
        "unflipped": [0, 0, 0],
        "flipped": [0, 0, 0],
        "points": [0, 0, 0],
    }


def test_cn_1_two_to_sixty_can_play() -> None:
    """The card lets two to sixty players sit at a table, and enter a tournament."""
    assert (COINS.seats, COINS.entrants) == ((2, 60), (2, 60))


@pytest.mark.parametrize(("fewer", "centre"), [(0, 24), (1, 23), (2, 22), (3, 21), (4, 20)])
def test_cn_2_two_players_have_20_to_24_coins_before_them(fewer: int, centre: int) -> None:
    """With two players the centre starts with 4 + 20 − r coins, r from 0 to 4."""
    game = Game((0, 1), fewer)
    assert game.events == [{"type": "laid_out", "order": [0, 1], "centre": centre}]
    assert game.clauses == ["CN-2"]


def test_cn_2_every_r_is_drawn_about_as_often() -> None:
    """Of 500 games of two players each of the five numbers begins between 70 and 130."""
    drawn = [laid_out(f"{n:064x}", 2)[1] for n in range(500)]
    assert sorted(set(drawn)) == [0, 1, 2, 3, 4]
    assert all(70 < drawn.count(r) < 130 for r in range(5))


@pytest.mark.parametrize(
    ("players", "most"), [(3, 38), (4, 56), (5, 82), (10, 1124), (60, 1152921504606847576)]
)
def test_cn_2_the_centre_grows_with_the_players(players: int, most: int) -> None:
    """2^n + 10·n coins but r, for sixty players too: 2^60 fits a log."""
    events = idle(players, rounds=1)
    assert events[1]["centre"] == most - Dice(SEED).below("centre", players**2 + 1)
    log = parse(sealed(events), Path("coins.jsonl"))
    assert list(log.events[:-1]) == events


def test_cn_3_a_game_lasts_50_rounds() -> None:
    """By default each player has 50 turns."""
    events = idle(2)
    turns = [event["seat"] for event in events if event["type"] == "acted"]
    assert (turns.count(0), turns.count(1)) == (50, 50)
    assert events[-1]["reason"] == "rounds_played"


@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_cn_3_a_contest_may_set_the_rounds(rounds: int) -> None:
    """So many rounds, and then the count."""
    events = idle(3, rounds=rounds)
    kinds = [event["type"] for event in events]
    turns = ["answered", "acted"] * 3 * rounds
    assert kinds == ["match_started", "laid_out", *turns, "counted", "match_finished"]
    assert events[-3]["round"] == rounds


def test_cn_3_an_empty_centre_ends_the_game_at_once() -> None:
    """Players later in the round have no turn any more."""
    game = Game((0, 1), fewer=4).play("333", "333", "2NN")
    assert game.ask is None
    assert game.of("acted")[-1]["centre"] == 0
    assert game.events[-1]["reason"] == "centre_empty"


def test_cn_3_the_three_actions_are_carried_out_first() -> None:
    """The turn that empties the centre goes on: what it flips and passes on counts."""
    game = Game((0, 1), fewer=4).play("333", "333", "2FR")
    assert game.of("acted")[-1] == {
        "type": "acted",
        "round": 2,
        "seat": 0,
        "actions": "2FR",
        "centre": 0,
        "unflipped": [9, 10],
        "flipped": [0, 1],
        "points": [-9 - 2 + 2 - 9, -9 - 10 + 2],
    }
    assert game.events[-1]["reason"] == "centre_empty"


def test_cn_3_a_centre_that_got_coins_back_in_the_same_turn_goes_on() -> None:
    """An empty centre in the middle of a turn ends nothing."""
    game = Game((0, 1), fewer=4).play("333", "333", "2AN")
    assert game.ask
    assert game.coins[0] == 1


def test_cn_3_a_centre_emptied_twice_in_a_turn_ends_the_game() -> None:
    """Only the centre at the end of the turn counts, although coins were put back before."""
    game = Game((0, 1), fewer=4).play("333", "333", "2A1")
    assert game.ask is None
    assert game.events[-1]["reason"] == "centre_empty"


def test_cn_3_a_centre_emptied_in_the_very_last_turn_is_the_reason() -> None:
    """After the last turn of the last round both ends apply; the empty centre is recorded."""
    game = Game((0, 1), fewer=4, rounds=2).play("333", "333", "NNN", "2NN")
    assert game.ask is None
    assert game.events[-1]["reason"] == "centre_empty"


# --- CN-4: actions -------------------------------------------------------------------------------

START = "33F"
"""Six coins taken, one of them flipped: 5 unflipped, 1 flipped, −4 points, 14 in the centre."""

EFFECTS = (
    ("N", 14, 5, 1, 0),
    ("1", 13, 6, 1, -1),
    ("2", 12, 7, 1, -2),
    ("3", 11, 8, 1, -3),
    ("A", 15, 4, 1, 1),
    ("B", 16, 3, 1, 2),
    ("C", 17, 2, 1, 3),
    ("X", 14, 4, 1, 0),
    ("Y", 14, 3, 1, 0),
    ("Z", 14, 2, 1, 0),
    ("F", 14, 4, 2, 2),
    ("U", 14, 6, 0, -2),
)
"""An action; then centre, unflipped, flipped; and the points that it brings."""


@pytest.mark.parametrize(("action", "centre", "unflipped", "flipped", "points"), EFFECTS)
def test_cn_4_what_an_action_does(
    action: str, centre: int, unflipped: int, flipped: int, points: int
) -> None:
    """Every row of the table but R and T: coins and points of the player, and nobody else's."""
    game = Game((0, 1), fewer=4).play(START, "NNN")
    assert (game.coins, game.points) == ((14, [5, 0], [1, 0]), [-4, 0])
    game.play(f"{action}NN")
    assert game.coins == (centre, [unflipped, 0], [flipped, 0])
    assert game.points == [-4 + points, 0]
    assert game.clauses[-2:] == ["CN-7", "CN-4"]


SHORTAGES = (
    ("C", ("2NN",), (20, 0, 0), 2),
    ("B", ("1NN",), (20, 0, 0), 1),
    ("A", ("NNN",), (20, 0, 0), 0),
    ("Z", ("2NN",), (18, 0, 0), 0),
    ("Y", ("1NN",), (19, 0, 0), 0),
    ("X", ("NNN",), (20, 0, 0), 0),
    ("F", ("NNN",), (20, 0, 0), 0),
    ("U", ("2NN",), (18, 2, 0), 0),
    ("A", ("1FN",), (19, 0, 1), 0),
    ("X", ("1FN",), (19, 0, 1), 0),
    ("F", ("1FN",), (19, 0, 1), 0),
)
"""An action; the player's turn before it; then centre, unflipped, flipped; the points it brings."""


@pytest.mark.parametrize(("action", "before", "coins", "points"), SHORTAGES)
def test_cn_4_what_asks_for_more_uses_what_there_is(
    action: str, before: tuple[str], coins: tuple[int, int, int], points: int
) -> None:
    """Only unflipped coins are put back, removed and flipped; only those there are score."""
    game = Game((0, 1), fewer=4).play(*before, "NNN")
    had = game.points[0]
    game.play(f"{action}NN")
    assert (game.coins[0], game.coins[1][0], game.coins[2][0]) == coins
    assert game.points[0] - had == points


def test_cn_4_no_more_is_taken_than_the_centre_holds() -> None:
    """If two of three requested coins are there, two are taken, and cost two points."""
    game = Game((0, 1), fewer=4).play("333", "333", "3NN")
    last = game.of("acted")[-1]
    assert (last["centre"], last["unflipped"], last["points"]) == (0, [11, 9], [-11, -9])


def test_cn_4_actions_are_carried_out_in_the_order_given() -> None:
    """A coin must be there before it can be flipped."""
    assert Game().play("1FN").coins[1:] == ([0, 0], [1, 0])
    assert Game().play("F1N").coins[1:] == ([1, 0], [0, 0])


def with_piles() -> Game:
    """Turn order 2, 0, 1. By seat: unflipped 2, 0, 1; flipped 0, 1, 2; points −2, 1, 1."""
    game = Game((2, 0, 1), fewer=0).play("3FF", "2NN", "1FN")
    assert game.coins == (32, [2, 0, 1], [0, 1, 2])
    assert game.points == [-2, 1, 1]
    return game


def test_cn_4_r_moves_every_pile_to_the_previous_player() -> None:
    """Seat 2 gets the pile of seat 0, 0 that of 1, 1 that of 2; each scores what it gets."""
    game = with_piles().play("RNN")
    assert game.coins == (32, [0, 1, 2], [1, 2, 0])
    assert game.points == [-2 + 2, 1 - 1 + 4, 1 - 2]


def test_cn_4_t_moves_every_pile_to_the_next_player() -> None:
    """Seat 0 gets the pile of seat 2, 1 that of 0, 2 that of 1; each scores what it gets."""
    game = with_piles().play("TNN")
    assert game.coins == (32, [1, 2, 0], [2, 0, 1])
    assert game.points == [-2 - 1 + 4, 1 - 2, 1 + 2]


@pytest.mark.parametrize("action", "RT")
def test_cn_4_two_players_swap_their_piles_either_way(action: str) -> None:
    """With two players the previous one is the next one."""
    game = Game((1, 0), fewer=4).play("2FN", "3NN").play(f"{action}NN")
    assert game.coins == (15, [1, 3], [1, 0])
    assert game.points == [-3 - 1 + 2, 0 - 3]


def test_cn_4_a_player_acts_on_the_pile_that_it_has_by_then() -> None:
    """After R a player flips a coin that was another's."""
    game = Game((0, 1), fewer=4).play("3NN", "RFN")
    assert game.coins == (17, [0, 2], [0, 1])
    assert game.points == [-3, -3 + 2]


# --- CN-5: the count -----------------------------------------------------------------------------


def test_cn_5_each_coin_counts_once_more() -> None:
    """−1 for an unflipped coin, +2 for a flipped one, on top of the points so far."""
    game = Game((0, 1), fewer=4, rounds=1).play("3FN", "2NN")
    assert game.of("acted")[-1]["points"] == [-1, -2]
    assert game.events[-2:] == [
        {"type": "counted", "points": [-1 - 2 + 2, -2 - 2]},
        {"type": "match_finished", "reason": "rounds_played", "scores": [-1, -4], "winners": [0]},
    ]
    assert game.clauses[-2:] == ["CN-5", "CN-5"]


def test_cn_5_the_count_may_decide() -> None:
    """A player that led before the count may lose its lead by the count."""
    game = Game((0, 1), fewer=4, rounds=1).play("1NN", "RR1")
    assert game.of("acted")[-1]["points"] == [-2, -2]
    assert (game.events[-1]["scores"], game.events[-1]["winners"]) == ([-3, -3], [0, 1])


def test_cn_5_equal_totals_share_the_win() -> None:
    """All with the highest total win, in seat order, and nobody else."""
    game = Game((2, 1, 0), rounds=1).play("1FN", "NNN", "1FN")
    assert (game.events[-1]["scores"], game.events[-1]["winners"]) == ([3, 0, 3], [0, 2])


# --- CN-6: the arguments of a bot ----------------------------------------------------------------


def test_cn_6_the_example_of_the_rulebook() -> None:
    """The argument has the form of the rulebook's example, for the state in the clause."""
    clause = rulebook.clause(COINS, "CN-6")
    found = re.search(r"`bot '([^']*)'`", clause)
    assert found
    piles = [Pile(1, 0), Pile(12, 3), Pile(0, 1)]
    state = State([1, 0, 2], 52, piles, points=[-2, 20, 12], seat=2, round=6)
    assert situation(state) == found[1] == "6;2;52;1_20_3_12;0_-2_0_1;2_12_1_0"


def test_cn_6_players_are_listed_in_turn_order_in_every_turn() -> None:
    """Round, own id, centre; then all players in turn order, with their current values."""
    game = Game((2, 0, 1), fewer=0).play("3FF")
    assert game.told == "1;0;35;2_1_2_1;0_0_0_0;1_0_0_0"
    game.play("2NN")
    assert game.told == "1;1;33;2_1_2_1;0_-2_0_2;1_0_0_0"
    game.play("1FN")
    assert game.told == "2;2;32;2_1_2_1;0_-2_0_2;1_1_1_0"
    assert game.ask
    assert (game.ask.seat, game.ask.name) == (2, "turn")
    assert game.ask.legal == ("three of N123ABCXYZFURT",)


# --- CN-7: the answer ----------------------------------------------------------------------------

ACCEPTED = ("1FN", "1FN\n", "1FN\r\n", " 1FN ", "\t\v\f\r\n 1FN\n\n", " " * 60_000 + "1FN")

REFUSED = (
    b"",
    b"\n",
    b"1F",
    b"1FNN",
    b"1 FN",
    b"1\nFN",
    b"1FN\nNNN",
    b"NNN\n1FN",
    b"1fn",
    b"1F0",
    b"4FN",
    b"1F;",
    b"1FN;",
    b"1FN\0",
    b"\0\0\0",
    b"1FN" * 20_000,
    b"\xff\xfe\xfd",
    b"1FN\xff",
    b"\xef\xbb\xbf1FN",  # a byte order mark
    "１FN".encode(),  # a full-width digit
    "¹FN".encode(),
    "1FΝ".encode(),  # a Greek letter
    "1FＮ".encode(),
    "\u00a01FN".encode(),  # white space, but not of the rulebook's
    "1FN\u2028".encode(),
    b"\x1c1FN",
    "1FN\x85".encode("latin-1"),
)


@pytest.mark.parametrize("text", ACCEPTED, ids=ascii)
def test_cn_7_white_space_around_the_answer_is_ignored(text: str) -> None:
    """Three characters of the table are an answer; it is recorded as it was printed."""
    game = Game((0, 1), fewer=4).reply(printed(text))
    answered, acted = game.events[1:]
    assert answered == {"type": "answered", "seat": 0, "ask": "turn", "output": text}
    assert acted["actions"] == "1FN"
    assert acted["points"] == [1, 0]


@pytest.mark.parametrize("raw", REFUSED, ids=lambda raw: ascii(raw[:20]))
def test_cn_7_anything_else_is_nnn_and_a_fault(raw: bytes) -> None:
    """The turn is played with NNN; the fault keeps every byte that was printed."""
    game = Game((0, 1), fewer=4).play("3FN", "2NN").reply(Answer({"output": raw}))
    try:
        kept = {"output": raw.decode()}
    except UnicodeDecodeError:
        kept = {"output_base64": b64encode(raw).decode()}
    assert game.events[-2] == {
        "type": "fault",
        "seat": 0,
        "kind": "illegal",
        "clause": "CN-7",
        "penalty": "NNN",
        "ask": "turn",
        **kept,
    }
    assert game.events[-1] == {
        "type": "acted",
        "round": 2,
        "seat": 0,
        "actions": "NNN",
        "centre": 15,
        "unflipped": [2, 2],
        "flipped": [1, 0],
        "points": [-1, -2],
    }
    assert game.clauses[-2:] == ["CN-7", "CN-4"]


def test_cn_7_only_the_characters_of_the_table_are_actions() -> None:
    """Only these fourteen of the first 256 characters are actions."""
    letters = [chr(n) for n in range(256)]
    accepted = [c for c in letters if Game().play(f"N{c}N").events[1]["type"] == "answered"]
    assert accepted == sorted("N123ABCXYZFURT")


def test_cn_7_an_answer_on_another_channel_is_none() -> None:
    """Only standard output counts."""
    game = Game((0, 1)).reply(Answer({"appended": b"1FN"}))
    assert game.of("acted")[0]["actions"] == "NNN"


@pytest.mark.parametrize("kind", ["crash", "oversize", "timeout"])
def test_cn_7_cn_8_a_failure_is_nnn_whatever_was_printed(kind: str) -> None:
    """A failing bot's output is recorded, but not played; a timeout is a fault under CN-8."""
    game = Game((0, 1), fewer=4).reply(Fault(kind, {"output": b"1FN\n"}))
    clause = "CN-8" if kind == "timeout" else "CN-7"
    assert game.events[1:] == [
        {
            "type": "fault",
            "seat": 0,
            "kind": kind,
            "clause": clause,
            "penalty": "NNN",
            "ask": "turn",
            "output": "1FN\n",
        },
        {
            "type": "acted",
            "round": 1,
            "seat": 0,
            "actions": "NNN",
            "centre": 20,
            "unflipped": [0, 0],
            "flipped": [0, 0],
            "points": [0, 0],
        },
    ]
    assert game.clauses[1:] == [clause, "CN-4"]


def test_cn_7_the_game_goes_on_after_a_fault() -> None:
    """The next player is asked, and the faulty one again in the next round."""
    game = Game((0, 1)).reply(Fault("timeout")).play("1NN").reply(printed("?")).play("NNN", "1NN")
    assert [event["seat"] for event in game.of("fault")] == [0, 0]
    assert [event["seat"] for event in game.of("acted")] == [0, 1, 0, 1, 0]
    assert game.state["points"] == [-1, -1]


def test_cn_7_a_table_of_failures_plays_to_the_end() -> None:
    """If every answer fails, all rounds are played, and all share the win with nothing."""
    events = match_events(lambda ask: Fault("crash"), SEED, "coins", 4, rounds=5)
    faults = [event for event in events if event["type"] == "fault"]
    assert len(faults) == 20
    assert events[-1] == {
        "type": "match_finished",
        "reason": "rounds_played",
        "scores": [0, 0, 0, 0],
        "winners": [0, 1, 2, 3],
    }


def test_cn_8_a_turn_may_take_a_second() -> None:
    """The game's own settings say so."""
    assert COINS.settings({}).model_dump()["time_limit_s"] == 1


def test_cn_9_a_folder_lasts_for_a_match() -> None:
    """The card gives each match a fresh folder, so that each game begins without a bot's file."""
    assert COINS.scratch == "match"


# --- State ---------------------------------------------------------------------------------------


def test_the_state_at_an_event_is_the_state_after_it() -> None:
    """The state of a turn is equal to its event, also after the game has gone on."""
    game = Game((2, 0, 1), rounds=2).play("3FF", "2R1", "1TN", "XUN", "AFB", "RTR")
    assert game.ask is None
    for event, state in zip(game.events, game.states, strict=True):
        if event["type"] == "acted":
            assert (state["turn_of"], state["round"]) == (event["seat"], event["round"])
            kept = ("centre", "unflipped", "flipped", "points")
            assert {key: state[key] for key in kept} == {key: event[key] for key in kept}
    assert game.states[-1]["points"] == game.events[-1]["scores"]
