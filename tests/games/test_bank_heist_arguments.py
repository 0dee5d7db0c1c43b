"""The 31 arguments of a bot in Bank Heist (BH-30), exact to the last digit."""

from __future__ import annotations

import random
import re
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from games.bank_heist.arguments import decimal, mean, mean_deviation
from games.bank_heist.state import State, bank_for
from games.standings import ranks
from games.table import ArgvCall
from schema.dice import Dice
from tests.factories import SEED
from tests.games.heist_matches import CARD, arguments, at_random, heist, match

CREDITS = st.lists(st.integers(0, 10**15), min_size=1, max_size=500)
AMOUNTS = {".": 0, "0": 0, "1": 69, "2": 420, "3": 6_969, "4": 80_085}


def differing(state: State) -> None:
    """Three players whose numbers are all different, so that a test can distinguish them."""
    first, second, third = state.players
    first.credits, second.credits, third.credits = 1_000, 7, 300_000
    first.salary, first.employed, first.guards = 252, 0, [3, 0, 0, 0, 1]
    first.account = [11, 12, 13, 14, 10**15]
    first.probability = [544_600_000, 0, 1_000_000_000, 387_000_001, 50_000_000]
    first.odds = [801_800_000, 0, 2_000_000_000, 10**12, 1]


OWN = (
    *("1000", "0", "248", "0", "2", "100335.66666666667", "133109.55555555556", "300000"),
    *("11", "12", "13", "14", "1000000000000000"),
    *("0.5446", "0.0", "1.0", "0.387000001", "0.05"),
    *("0.8018", "0.0", "2.0", "1000.0", "0.000000001"),
)


def test_every_argument_of_a_bet() -> None:
    """The second to bet in the first game knows of the first bet, and of everything its own."""
    played = heist(
        ["50 x -", "0", "150000 y -"], dice={"game/0/bet/order": "2 0 1"}, start=differing
    )
    args = played.args("bet")
    assert args == ("0", "1", "3", "1", "1", "150000", "0", "0", *OWN)
    assert len(args) == 31
    assert isinstance(played.asks[0].observation, ArgvCall)


def test_every_argument_of_an_action() -> None:
    """The last to act knows all bets, how many decided and stay, the bank, and its own bet."""
    played = heist(
        ["50 x -", "7 back out", "150000 y -"],
        dice={"game/0/action/order": "2 1 0"},
        start=differing,
    )
    args = played.args("action")
    assert args == ("0", "2", "3", "2", "3", "150057", "1", "0", "1000", "50", *OWN[2:])


def test_the_example_of_the_rulebook() -> None:
    """The first bet of a first game of two is asked for with the arguments shown there."""
    line = "bot " + " ".join(heist(["0", "0"]).args("bet"))
    assert f"`{line}`" in CARD.rulebook.read_text()


def test_bribes_count_against_the_salary() -> None:
    """With more guards than salary the eleventh argument is negative."""

    def start(state: State) -> None:
        state.players[0].guards = [200, 41, 0, 0, 0]

    assert heist(["0"], start=start).args("bet")[10] == "-1"


def test_what_is_told_is_as_the_game_starts() -> None:
    """In round 2 credits, rank and means are those of round 1, the bet not deducted.

    A question for a bet has no bet yet, whatever the player bet in the game before.
    """
    played = heist(["100 x +", "240 all in -"], ["1 x +", "1 x +"])
    for game in (0, 1):
        for seat in (0, 1) if game == 0 else (0,):
            first, second = (played.args(name, seat, game) for name in ("bet", "action"))
            assert (first[8], first[10:]) == (second[8], second[10:])
    assert played.args("bet", 0, 1)[8:10] == ("560", "0")
    assert [played.args("bet", seat, 1)[12] for seat in (0, 1)] == ["1", "2"]


def test_what_was_decided_before_is_told() -> None:
    """With rabble, arguments 3 to 8 of every ask follow from the decisions before it."""
    dice = Dice(SEED)
    played = match(at_random(random.Random(3)), 6, dice, games=12, rabble=120)
    for game in range(12):
        [closed] = played.of("bets_closed", number=game)
        bets = {f"r{i}": AMOUNTS[s] for i, s in enumerate(closed["rabble_bets"]) if s != "."}
        bets |= {str(event["seat"]): event["bet"] for event in played.of("bet", number=game)}
        first = dice.shuffle(f"game/{game}/bet/order", list(bets))
        for seat in range(6):
            before = [bets[name] for name in first[: first.index(str(seat))]]
            heisters, total = sum(bet > 0 for bet in before), sum(before)
            bank = bank_for(heisters, total)
            expected = (len(bets), len(before), heisters, total, 0, bank)
            assert played.args("bet", seat, game)[2:8] == tuple(map(str, expected))
        second = dice.shuffle(f"game/{game}/action/order", [one for one in bets if bets[one]])
        [rolled] = played.of("heist_rolled", number=game)
        fates = {str(seat): fate for seat, fate in enumerate(rolled["player_fates"])}
        fates |= {f"r{i}": fate for i, fate in enumerate(rolled["rabble_fates"])}
        for place, name in enumerate(second):
            if name in "012345":
                staying = sum(fates[one] != "o" for one in second[:place])
                totals = (closed["heisters"], closed["total"], staying, closed["bank"])
                expected_args = tuple(map(str, (len(bets), place, *totals)))
                assert played.args("action", int(name), game)[2:8] == expected_args


def test_every_ask_has_31_arguments_of_known_form() -> None:
    """Integers, two floats and ten decimals, in each state of the game."""
    number, decimals = r"-?\d+", r"\d+\.(\d*[1-9]|0)"
    pattern = re.compile(rf"({number} ){{13}}(\d+\.\d+ ){{2}}\d+( \d+){{5}}( {decimals}){{10}}")
    played = match(at_random(random.Random(4)), 12, games=30, rabble=5)
    for ask in played.asks:
        assert pattern.fullmatch(" ".join(arguments(ask)))


@given(CREDITS)
def test_mean_and_deviation_are_the_nearest_floats(credits: list[int]) -> None:
    """The exact values, rounded once, read back as the floats nearest to them."""
    exact = Fraction(sum(credits), len(credits))
    deviation = sum(abs(amount - exact) for amount in credits) / len(credits)
    assert float(mean(credits)) == float(exact)
    assert float(mean_deviation(credits)) == float(deviation)


def test_floats_are_printed_as_python_does() -> None:
    """With a decimal at least, and with an exponent from 10¹⁶ on, which credits never reach."""
    assert mean([240, 240]) == "240.0"
    assert mean([1, 0, 0]) == "0.3333333333333333"
    assert mean([10**15, 10**15]) == "1000000000000000.0"
    assert mean_deviation([10**15, 0]) == "500000000000000.0"


@given(CREDITS)
def test_the_rank_counts_who_has_more(credits: list[int]) -> None:
    """1 and the number of players with strictly more."""
    rank_of = ranks(credits)
    assert all(rank_of[own] == 1 + sum(one > own for one in credits) for own in credits)


@given(st.integers(0, 10**12))
def test_billionths_are_printed_exactly(billionths: int) -> None:
    """The decimal is the exact value, without zeros at the end, with one decimal at least."""
    printed = decimal(billionths)
    assert Fraction(printed) == Fraction(billionths, 10**9)
    assert re.fullmatch(r"(0|[1-9]\d*)\.(\d*[1-9]|0)", printed)
