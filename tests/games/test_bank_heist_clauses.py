"""The clauses of Bank Heist's rulebook, BH-1 to BH-29 and BH-31, in small games worked out by hand.

A line of a script is a bet, an action, and how the heist goes: ``100 finger +``. Bank 0 pays 0.8:
a bet of 100 wins 180 with its stake, one of 10 wins 18, one of 1 wins 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.bank_heist import rabble
from games.bank_heist.rules import read_bet
from games.bank_heist.state import BANKS, State, bank_for
from games.table import Fault, Reply
from schema.dice import Dice
from tests.factories import SEED, printed
from tests.games.heist_matches import CARD, Played, heist, loaded, match, scripted


def having(seat: int = 0, **values: Any) -> Callable[[State], None]:
    """Return a start that gives a seat these values before the first game."""

    def start(state: State) -> None:
        for name, value in values.items():
            setattr(state.players[seat], name, value)

    return start


def at_bank_0(value: int, others: int = 0) -> list[int]:
    """Something at bank 0, and at the other banks."""
    return [value, others, others, others, others]


# --- BH-1 to BH-5: match and games ---------------------------------------------------------------


def test_bh_1_the_number_of_games_is_drawn() -> None:
    """A match has from 1,000 to 1,100 games; the die `games` is added to the fewest."""
    defaults = CARD.settings({}).model_dump()
    assert (defaults["games_min"], defaults["games_max"]) == (1_000, 1_100)
    lengths = set()
    for n in range(20):
        dice = Dice(f"{n:064x}")
        played = match(lambda ask: printed("0"), 1, dice, games_min=2, games_max=4)
        games = played.of("games_drawn")[0]["games"]
        assert games == 2 + (dice.word("games") * 3 >> 52) == len(played.of("game_finished"))
        lengths.add(games)
    assert lengths == {2, 3, 4}


def test_bh_2_everybody_starts_alike() -> None:
    """240 credits, employed at 240, no accounts or guards, the banks' probabilities and odds."""
    played = heist(["0"])
    assert played.args("bet")[8:] == (
        *("240", "0", "240", "1", "1", "240.0", "0.0", "240"),
        *("0", "0", "0", "0", "0"),
        *("0.54", "0.488", "0.425", "0.387", "0.324"),
        *("0.8", "1.1", "1.3", "1.65", "1.95"),
    )


@pytest.mark.parametrize("rabble_draw", ["subset", "size"])
def test_bh_3_who_was_not_drawn_is_untouched(rabble_draw: str) -> None:
    """A part of the rabble takes part; each of it that does nothing has its paycheck, no other."""
    lines = ["0"] * 12
    for n in range(200):
        dice = Dice(f"{n:064x}")
        played = match(scripted([lines]), 12, dice, rabble=6, rabble_draw=rabble_draw)
        [closed] = played.of("bets_closed")
        drawn = 6 - closed["rabble_bets"].count(".")
        assert played.of("game_started")[0]["participants"] == 12 + drawn
        if closed["heisters"] == 0 < drawn < 6:
            assert played.of("game_finished")[0]["rabble_credits"] == 240 * (6 + drawn)
            return
    raise AssertionError("expected a game without heisters, found none")


def test_bh_3_a_member_joins_with_half_the_words() -> None:
    """The last word below ½ draws a member, and the next one does not."""
    dice = loaded([["0"]], {"game/0/rabble": [2**51 - 1, 2**51, 0]})
    played = match(scripted([["0"]]), 1, dice, rabble=3)
    drawn = [symbol != "." for symbol in played.of("bets_closed")[0]["rabble_bets"]]
    assert drawn == [True, False, True]


def test_bh_3_by_size_the_size_is_drawn_first() -> None:
    """With the setting `size` a die gives the size of the rabble, and a shuffle selects it."""
    falls = {"game/0/rabble/size": 3, "game/0/rabble": "4 0 2 1 3 5"}
    dice = loaded([["0"]], falls)
    played = match(scripted([["0"]]), 1, dice, rabble=6, rabble_draw="size")
    drawn = [symbol != "." for symbol in played.of("bets_closed")[0]["rabble_bets"]]
    assert drawn == [True, False, True, False, True, False]


def test_bh_4_each_round_has_an_order_of_its_own() -> None:
    """Bets are asked for in the order of the first shuffle, actions in that of the second."""
    orders = {"game/0/bet/order": "2 0 1", "game/0/action/order": "1 2 0"}
    played = heist(["1 a -", "1 b -", "1 c -"], dice=orders)
    assert [(ask.name, ask.seat) for ask in played.asks] == [
        *(("bet", 2), ("bet", 0), ("bet", 1)),
        *(("action", 1), ("action", 2), ("action", 0)),
    ]


def test_bh_5_the_most_credits_win() -> None:
    """Equal credits share the win, accounts do not count, and scores are the credits."""
    played = heist(["0", "0", "0"], start=having(2, credits=239, account=at_bank_0(500)))
    assert played.events[-1] == {
        "type": "match_finished",
        "reason": "played",
        "scores": [480, 480, 479],
        "winners": [0, 1],
    }
    assert played.clauses[-1] == "BH-5"


# --- BH-6, BH-7: bets ----------------------------------------------------------------------------

BETS: dict[str | bytes, int] = {
    "5": 5,
    "0": 0,
    " 5 \n": 5,
    "\t\v\f\r 7\n\n": 7,
    "005": 5,
    "240": 240,
    "241": 240,
    "999": 240,
    "1" * 60_000: 240,
    "0" * 60_000 + "7": 7,
    "0" * 60_000: 0,
}
NO_BETS: list[str | bytes] = [
    *(
        "",
        " ",
        "\n",
        "+5",
        "-1",
        "5.0",
        "5.",
        "5e1",
        "0x5",
        "1_0",
        "5 0",
        "1\n2",
        "five",
        "!guncheck",
    ),
    *("٣", "５", "²", "\u00a05", "5\u2028", "5\x00", b"\xff", b"5\xff", "\ufeff5"),
]


def betting(answer: Reply) -> Played:
    """A game of one who answers this, and then nothing."""
    return match(lambda ask: answer if ask.name == "bet" else printed(""), 1)


@pytest.mark.parametrize("written", BETS, ids=lambda written: repr(written)[:12])
def test_bh_6_a_run_of_ascii_digits_is_a_bet(written: str | bytes) -> None:
    """White space around it is ignored, and more than there is counts as everything."""
    played = betting(printed(written))
    [bet] = played.of("bet")
    assert bet["bet"] == BETS[written]
    assert not played.of("fault")
    assert played.clause_of(bet) == "BH-6"
    [answered] = played.of("answered", ask="bet")
    assert answered["output"] == written


@pytest.mark.parametrize("written", NO_BETS, ids=repr)
def test_bh_6_anything_else_is_a_fault(written: str | bytes) -> None:
    """An answer other than a run of ASCII digits is illegal and counts as 0; its bytes are kept."""
    played = betting(printed(written))
    [fault] = played.of("fault")
    said = {key: value for key, value in fault.items() if key.startswith("output")}
    assert fault == {
        **{"type": "fault", "seat": 0, "kind": "illegal"},
        **{"clause": "BH-6", "penalty": "bet 0", "ask": "bet"},
        **said,
    }
    assert len(said) == 1
    assert played.of("bet")[0]["bet"] == 0
    assert not played.of("answered")


@pytest.mark.parametrize("kind", ["crash", "timeout", "oversize"])
def test_bh_6_who_fails_bets_nothing(kind: str) -> None:
    """After a crash, a timeout or too much output nothing that was printed counts."""
    played = betting(Fault(kind, {"output": b"100"}))
    [fault] = played.of("fault")
    assert (fault["kind"], fault["penalty"], fault["output"]) == (kind, "bet 0", "100")
    assert played.of("bet")[0]["bet"] == 0


@pytest.mark.parametrize("credits", [0, 9, 10, 99, 10**15])
def test_bh_6_nobody_bets_more_than_it_has(credits: int) -> None:
    """At every number of credits one more, and many more, count as all of them."""
    for bet in (credits, credits + 1, credits * 10 + 9, 10**40):
        assert read_bet(printed(str(bet)), credits) == credits
    assert read_bet(printed(str(credits // 3)), credits) == credits // 3


def test_bh_6_the_legal_bets_are_listed() -> None:
    """A player may bet from 0 to its credits."""
    assert heist(["0"], start=having(credits=777)).asks[0].legal == ("0 to 777",)


@pytest.mark.parametrize(
    ("heisters", "total", "bank"),
    [
        *((0, 0, 0), (19, 99_999, 0), (19, 100_000, 1), (20, 0, 1), (39, 0, 1), (40, 0, 2)),
        *((59, 99_999, 2), (60, 0, 3), (79, 0, 3), (80, 0, 4), (1, 7_900_000, 4), (500, 0, 4)),
        (500, 10**18, 4),
    ],
)
def test_bh_7_heisters_and_credits_choose_the_bank(heisters: int, total: int, bank: int) -> None:
    """The bank goes by the heisters, and one more for each 100,000 credits bet."""
    assert bank_for(heisters, total) == bank


def test_bh_7_the_banks() -> None:
    """Names, probabilities and odds are those of the table."""
    assert [tuple(bank) for bank in BANKS] == [
        ("Municipal", 540_000_000, 800_000_000),
        ("City", 488_000_000, 1_100_000_000),
        ("State", 425_000_000, 1_300_000_000),
        ("National", 387_000_000, 1_650_000_000),
        ("Federal Reserve", 324_000_000, 1_950_000_000),
    ]


def test_bh_7_a_rich_heister_robs_a_better_bank() -> None:
    """Two heisters and 5,800,000 credits make an index of 60: the National, at 1.65."""
    played = heist(["5800000 x +", "1 x -"], start=having(credits=5_800_000))
    assert played.of("bets_closed") == [
        {
            **{"type": "bets_closed", "number": 0, "heisters": 2, "total": 5_800_001},
            **{"bank": 3, "rabble_bets": ""},
        }
    ]
    assert played.moves(0)[1] == f"heist winnings 0>{5_800_000 + 9_570_000}"


# --- BH-8: actions -------------------------------------------------------------------------------

NINE = (
    *("back out", "all in", "change jobs", "acquire intel", "buy guard"),
    *("deposit", "withdraw", "double cross", "finger"),
)


def acting(answer: Reply) -> Played:
    """A game of one who bets 1 and answers this."""
    return match(lambda ask: printed("1") if ask.name == "bet" else answer, 1)


@pytest.mark.parametrize("action", NINE)
@pytest.mark.parametrize("written", ["{}", " {}\n", "\r\n\t{}\v\f"])
def test_bh_8_nine_answers_have_an_effect(action: str, written: str) -> None:
    """Each of the nine strings is an action, white space around it ignored."""
    played = acting(printed(written.format(action)))
    [acted] = played.of("acted")
    assert acted == {"type": "acted", "number": 0, "seat": 0, "action": action}
    assert played.clause_of(acted) == "BH-8"
    assert played.asks[1].legal == NINE


@pytest.mark.parametrize(
    "written",
    [
        *("", "\n", "!guncheck", "carry on", "Finger", "back  out", "all in.", "finger\nfinger"),
        *("\u00a0finger", "１", b"\xff", b"finger\xff", b"finger\x00", "0" * 60_000),
    ],
    ids=lambda written: repr(written)[:16],
)
def test_bh_8_anything_else_means_to_carry_on(written: str | bytes) -> None:
    """Any other answer is legal, also one that is not UTF-8."""
    played = acting(printed(written))
    assert played.of("acted")[0]["action"] == "carry on"
    assert len(played.of("answered", ask="action")) == 1
    assert not played.of("fault")


@pytest.mark.parametrize("kind", ["crash", "timeout", "oversize"])
def test_bh_8_who_fails_carries_on(kind: str) -> None:
    """After a crash, a timeout or too much output what was printed has no effect."""
    played = acting(Fault(kind, {"output": b"back out"}))
    assert played.of("fault") == [
        {
            **{"type": "fault", "seat": 0, "kind": kind, "clause": "BH-8"},
            **{"penalty": "carry on", "ask": "action", "output": "back out"},
        }
    ]
    assert played.of("acted")[0]["action"] == "carry on"


# --- BH-9 to BH-13: the heist --------------------------------------------------------------------


def chances(*lines: str, start: Callable[[State], None] = lambda state: None) -> dict[str, Any]:
    """With what chance each seat of a game succeeds."""
    dice = loaded([lines], {})
    match(scripted([lines]), len(lines), dice, start)
    return {
        label.rpartition("/")[2]: a / b
        for label, (a, b) in dice.chances.items()
        if "success" in label
    }


def test_bh_9_who_backs_out_makes_it_harder_for_the_crew() -> None:
    """With one of four heisters gone, p = 0.54 becomes 0.405; who bet nothing does not count."""
    found = chances("1 x -", "1 back out", "1 y -", "1 all in -", "0")
    assert found == {"0": 0.405, "2": 0.405, "3": 0.54}


def test_bh_9_the_rabble_succeeds_below_p_times_f() -> None:
    """With one of three heisters gone, the last word below 0.36 succeeds; the next one fails."""
    last = (540_000_000 * 2 * 2**52 - 1) // (3 * 10**9)
    falls = {
        "game/0/rabble/size": 2,
        "game/0/bet/rabble": [0, 0],
        "game/0/action/rabble": [2**52 - 1, 2**52 - 1],
        "game/0/success/rabble": [last, last + 1],
    }
    dice = loaded([], falls)
    played = match(scripted([["1 back out"]]), 1, dice, rabble=2, rabble_draw="size")
    [rolled] = played.of("heist_rolled")
    assert (rolled["player_fates"], rolled["rabble_fates"]) == ("o", "sf")


def test_bh_9_without_heisters_there_is_no_second_round() -> None:
    """Without a bet no player is asked for an action, no die is rolled, and paychecks follow."""
    played = heist(["0", "0"])
    assert [ask.name for ask in played.asks] == ["bet", "bet"]
    assert not played.of("heist_rolled")
    assert played.credits == [480, 480]


@pytest.mark.parametrize("action", ["back out", "all in"])
def test_bh_9_without_a_crew_there_is_no_share_out(action: str) -> None:
    """If all players backed out or went all in, there is a roll, and nothing to share."""
    played = heist([f"1 {action} +", f"1 {action} +"])
    [rolled] = played.of("heist_rolled")
    assert (rolled["staying"], rolled["player_fates"]) == (
        (0, "oo") if action == "back out" else (2, "ss")
    )
    assert not played.of("shared_out")


def test_bh_9_fates_by_seat() -> None:
    """The roll is recorded with one character per seat."""
    played = heist(["1 x +", "0", "1 back out", "1 y -", "1 all in +"])
    [rolled] = played.of("heist_rolled")
    assert rolled == {
        **{"type": "heist_rolled", "number": 0, "staying": 3},
        **{"player_fates": "s.ofs", "rabble_fates": ""},
    }
    assert played.clause_of(rolled) == "BH-9"


def test_bh_10_a_bet_is_paid_in_and_won() -> None:
    """A winning bet of 100 pays 180, and a losing bet is lost; all players get their salary."""
    played = heist(["100 x +", "100 x -", "0"])
    assert played.moves(0) == [
        "bet credits 240>140",
        "heist winnings 0>180",
        "share credits 140>320",
        "paycheck credits 320>560",
    ]
    assert played.moves(1) == ["bet credits 240>140", "paycheck credits 140>380"]
    assert played.moves(2) == ["paycheck credits 240>480"]
    assert [played.clause_of(event) for event in played.of("moved", seat=0)] == [
        *("BH-10", "BH-10", "BH-22", "BH-25"),
    ]


@pytest.mark.parametrize(("bet", "won"), [(1, 1), (69, 124), (7, 12), (240, 432)])
def test_bh_10_gains_are_rounded_down(bet: int, won: int) -> None:
    """0.8 of the bet, rounded down, and the stake."""
    assert heist([f"{bet} x +"]).moves(0)[1] == f"heist winnings 0>{won}"


def test_bh_11_who_backs_out_keeps_its_bet_and_gets_nothing() -> None:
    """Nothing moves, not even a paycheck."""
    assert heist(["100 back out", "1 x -"]).moves(0) == []


def test_bh_12_all_in() -> None:
    """480 at stake become 864 or nothing, at once, and there is no paycheck."""
    played = heist(["1 all in +", "1 all in -", "100 x +"])
    assert played.moves(0) == ["all_in credits 240>864"]
    assert played.moves(1) == ["all_in credits 240>0"]
    assert [event["why"] for event in played.of("moved")][:3] == ["all_in", "all_in", "bet"]
    assert played.clause_of(played.of("moved")[0]) == "BH-12"


def test_bh_12_the_unemployed_borrow_as_well() -> None:
    """A player without a job stakes 240 more, too: 479 and 0.8 of it make 862."""
    played = heist(["1 change jobs -"], ["1 all in +"])
    assert played.moves(0, 1) == ["all_in credits 239>862"]


def test_bh_12_guards_help_and_who_backs_out_does_not_hurt() -> None:
    """The chance is the player's own probability, regardless of the players that stay."""
    start = having(probability=at_bank_0(600_000_000))
    assert chances("1 all in +", "1 back out", "1 back out", start=start) == {"0": 0.6}


def test_bh_13_within_a_step_heisters_come_first() -> None:
    """Salaries are paid in the order of round 2, then to the others in the order of round 1."""
    orders = {"game/0/bet/order": "4 3 2 1 0", "game/0/action/order": "1 3"}
    played = heist(["0", "1 x -", "0", "1 x -", "0"], dice=orders)
    paid = [event["seat"] for event in played.of("moved", why="paycheck")]
    assert paid == [1, 3, 4, 2, 0]
    assert [event["seat"] for event in played.of("moved", why="bet")] == [1, 3]


# --- BH-14 to BH-18: actions in detail -----------------------------------------------------------


def test_bh_14_who_changes_jobs_is_unemployed() -> None:
    """The job and the paycheck are lost, whether or not the heist succeeds."""
    played = heist(["1 change jobs -", "1 change jobs +"], ["1 change jobs -", "0"])
    assert played.moves(0) == ["bet credits 240>239", "change_jobs employed 1>0"]
    assert played.moves(1) == [
        "bet credits 240>239",
        "heist winnings 0>1",
        "change_jobs employed 1>0",
        "share credits 239>240",
    ]
    assert (played.moves(0, 1), played.moves(1, 1)) == (["bet credits 239>238"], [])


def test_bh_15_winnings_become_odds() -> None:
    """90,000 credits of winnings are exchanged for 0.9 of odds, for good."""
    start = having(credits=60_000)
    played = heist(["50000 acquire intel +"], ["100 x +"], start=start)
    assert played.moves(0) == [
        "bet credits 60000>10000",
        "heist winnings 0>90000",
        "intel odds@0 800000000>1700000000",
        "intel winnings 90000>0",
        "paycheck credits 10000>10240",
    ]
    assert played.moves(0, 1)[1] == "heist winnings 0>270"
    assert heist(["100 acquire intel -"]).moves(0)[1:] == ["paycheck credits 140>380"]


@pytest.mark.parametrize("fate", "+-")
def test_bh_16_a_guard_raises_the_probability(fate: str) -> None:
    """A hundredth of what is missing to certainty, and a bribe of 1 in every game from now on."""
    played = heist([f"10 buy guard {fate}"], [f"10 buy guard {fate}"], ["0"])
    guards = [move for game in (0, 1) for move in played.moves(0, game) if "guard " in move]
    assert guards == [
        "guard probability@0 540000000>544600000",
        "guard guards@0 0>1",
        "guard probability@0 544600000>549154000",
        "guard guards@0 1>2",
    ]
    assert played.moves(0)[-1].startswith("bribe credits")
    credits = played.of("game_finished", number=1)[0]["credits"][0]
    assert played.moves(0, 2)[-1] == f"bribe credits {credits + 240}>{credits + 238}"


def test_bh_17_winnings_go_to_the_account() -> None:
    """180 go to the account at this bank; a heist that failed brings nothing there."""
    played = heist(["100 deposit +", "100 deposit -"])
    assert played.moves(0)[2:] == [
        "deposit account@0 0>180",
        "deposit winnings 180>0",
        "paycheck credits 140>380",
    ]
    assert played.moves(1) == ["bet credits 240>140", "paycheck credits 140>380"]


def test_bh_18_the_account_joins_the_winnings() -> None:
    """500 at this bank are added to the 180, those at the others stay; failing, all stay."""
    start = having(account=at_bank_0(500, 70))
    played = heist(["100 withdraw +"], start=start)
    assert played.moves(0)[2:] == [
        "withdraw winnings 180>680",
        "withdraw account@0 500>0",
        "share credits 140>820",
        "paycheck credits 820>1060",
    ]
    failed = heist(["100 withdraw -"], start=start)
    assert failed.moves(0) == ["bet credits 240>140", "paycheck credits 140>380"]


def test_bh_18_what_is_withdrawn_can_be_stolen() -> None:
    """A crosser gets the account that a straight withdrew."""
    start = having(account=at_bank_0(500))
    played = heist(["100 withdraw +", "1 double cross -"], start=start)
    assert "share credits 239>919" in played.moves(1)
    assert not [move for move in played.moves(0) if "share" in move]


# --- BH-19 to BH-21: crossers and fingers --------------------------------------------------------


@pytest.mark.parametrize(
    ("crossers", "straights", "all_in", "out", "succeeded"),
    [
        *((1, 0, 0, 0, 1), (1, 5, 0, 0, 1), (2, 0, 0, 0, 0), (2, 17, 0, 0, 0), (2, 18, 0, 0, 1)),
        *((2, 9, 9, 0, 1), (2, 17, 0, 9, 0), (3, 26, 0, 0, 0), (3, 27, 0, 0, 1)),
    ],
)
def test_bh_19_one_in_ten_may_cross(
    crossers: int, straights: int, all_in: int, out: int, succeeded: int
) -> None:
    """A cross by at most a tenth of the staying players, or by one, succeeds; by more it fails."""
    lines = ["1 double cross -"] * crossers + ["1 x -"] * straights
    lines += ["1 all in -"] * all_in + ["1 back out"] * out + ["0"]
    played = heist(lines)
    assert played.of("cross_judged") == [
        {
            **{"type": "cross_judged", "number": 0, "crossers": crossers},
            **{"staying_players": crossers + straights + all_in, "succeeded": succeeded},
        }
    ]
    assert played.clause_of(played.of("cross_judged")[0]) == "BH-19"


def test_bh_19_without_a_crosser_there_is_no_cross() -> None:
    """Without a crosser nothing is judged."""
    assert not heist(["1 x +", "1 finger +"]).of("cross_judged")


def test_bh_20_a_crosser_is_exposed() -> None:
    """It pays a quarter of its 140, and loses job, half the salary and 0.05 of probability."""
    played = heist(["100 double cross -", "100 finger +"])
    assert played.of("fingered") == [
        {"type": "fingered", "number": 0, "seat": 1, "drawn": [0] * 8, "exposed": [0]}
    ]
    assert played.moves(0) == [
        "bet credits 240>140",
        "exposed credits 140>105",
        "exposed employed 1>0",
        "exposed salary 240>120",
        "exposed probability@0 540000000>490000000",
    ]
    assert played.moves(1) == [
        "bet credits 240>140",
        "heist winnings 0>180",
        "finger credits 140>175",
        "share credits 175>355",
        "paycheck credits 355>595",
    ]


def test_bh_20_draws_are_places_among_those_who_stay() -> None:
    """Eight draws by seat, who backed out left out, who is all in and the fingerer among them."""
    labels = {f"game/0/finger/3/{k}": place for k, place in enumerate((0, 1, 1, 2, 3, 2, 0, 3))}
    lines = ["1 all in +", "1 back out", "1 double cross +", "1 finger +", "0", "1 double cross -"]
    played = heist(lines, dice=labels)
    [fingered] = played.of("fingered")
    assert fingered["drawn"] == [0, 2, 2, 3, 5, 3, 0, 5]
    assert fingered["exposed"] == [2, 5]
    assert played.clause_of(fingered) == "BH-20"


def test_bh_20_a_crosser_is_exposed_once() -> None:
    """A second finger that hits the same crosser exposes nobody, and is a wrong one (BH-21)."""
    played = heist(["100 double cross -", "10 finger +", "10 finger +"])
    assert [event["exposed"] for event in played.of("fingered")] == [[0], []]
    assert "false_finger winnings 18>9" in played.moves(2)
    assert len(played.of("moved", why="exposed", what="credits")) == 1


def test_bh_20_a_fingerer_that_failed_neither_draws_nor_pays() -> None:
    """Without success nothing comes of a finger."""
    played = heist(["100 double cross -", "100 finger -"])
    assert not played.of("fingered")
    assert played.moves(1) == ["bet credits 240>140", "paycheck credits 140>380"]


def test_bh_20_a_probability_stops_at_0() -> None:
    """0.03 less 0.05 is 0."""
    start = having(probability=at_bank_0(30_000_000))
    played = heist(["1 double cross -", "1 finger +"], start=start)
    assert "exposed probability@0 30000000>0" in played.moves(0)


def test_bh_21_a_wrong_finger_costs_winnings_salary_and_odds() -> None:
    """90 of 180 go to the pot, with 5 % of the salary and 0.05 of the odds; it shares the pot."""
    played = heist(["100 finger +", "100 x -"])
    assert played.moves(0) == [
        "bet credits 240>140",
        "heist winnings 0>180",
        "false_finger winnings 180>90",
        "false_finger salary 240>228",
        "false_finger odds@0 800000000>750000000",
        "share credits 140>275",
        "paycheck credits 275>503",
    ]
    assert played.moves(1)[1] == "share credits 140>185"
    [shared] = played.of("shared_out")
    assert shared == {
        **{"type": "shared_out", "number": 0, "straights": 2, "straights_sum": 90},
        **{"crossers_sum": 0, "pot": 90, "straight_share": 45, "crosser_share": 0},
    }
    assert played.clause_of(shared) == "BH-22"


def test_bh_21_odds_stop_at_0() -> None:
    """0.04 less 0.05 is 0, and an odd credit stays with the fingerer."""
    played = heist(["100 finger +"], start=having(odds=at_bank_0(40_000_000)))
    assert "false_finger odds@0 40000000>0" in played.moves(0)
    start = having(odds=at_bank_0(30_000_000))
    assert "false_finger winnings 103>52" in heist(["100 finger +"], start=start).moves(0)


# --- BH-22 to BH-24: share-out -------------------------------------------------------------------


def shares(played: Played) -> list[int]:
    """Return the amount that each seat received in the share-out."""
    received = dict.fromkeys(range(len(played.credits)), 0)
    for event in played.of("moved", why="share"):
        received[event["seat"]] = event["after"] - event["before"]
    return list(received.values())


def test_bh_22_without_a_cross_everybody_keeps_its_own() -> None:
    """Straights have their winnings, and the pot in equal parts, rounded down."""
    played = heist(["100 x +", "10 x +", "10 x -"])
    assert shares(played) == [180, 18, 0]
    pot = heist(["100 finger +", "10 x +", "10 x -", "10 y -"])
    assert shares(pot) == [90 + 22, 18 + 22, 22, 22]


def test_bh_23_a_cross_takes_what_the_straights_have() -> None:
    """One crosser gets its own 18, all 198 of the straights, and the pot of 90."""
    played = heist(["10 double cross +", "100 x +", "10 x +"])
    assert shares(played) == [18 + 198, 0, 0]
    dice = {f"game/0/finger/1/{k}": 1 for k in range(8)}
    pot = heist(["10 double cross +", "100 finger +", "10 x +"], dice=dice)
    assert shares(pot) == [18 + 108 + 90, 0, 0]
    [shared] = pot.of("shared_out")
    assert shared == {
        **{"type": "shared_out", "number": 0, "straights": 2, "straights_sum": 108},
        **{"crossers_sum": 18, "pot": 90, "straight_share": 0, "crosser_share": 198},
    }
    assert pot.clause_of(shared) == "BH-23"


def test_bh_23_a_crosser_that_failed_shares_too() -> None:
    """Whose own heist failed gets its part of what the straights had."""
    assert shares(heist(["10 double cross -", "100 x +"])) == [180, 0]


def test_bh_23_the_part_of_the_exposed_goes_back() -> None:
    """At the City 10 win 21: of two crossers one is exposed, its 189 of 378 make 10 for each."""
    crossers = ["10 double cross +", "100 double cross +"]
    played = heist([*crossers, "10 finger +", *["10 x +"] * 17])
    assert played.of("fingered")[0]["exposed"] == [0]
    assert shares(played) == [21, 210 + 189, *[10] * 18]


def test_bh_23_where_all_are_exposed_the_straights_have_the_pot_as_well() -> None:
    """27 of two fingerers and a pot of 9 make 18 for each; the exposed crosser has its own 180."""
    played = heist(["100 double cross +", "10 finger +", "10 finger +"])
    assert shares(played) == [180, 18, 18]
    [shared] = played.of("shared_out")
    assert (shared["straights_sum"], shared["pot"]) == (27, 9)
    assert (shared["straight_share"], shared["crosser_share"]) == (18, 0)


def test_bh_23_a_lonely_crosser_keeps_its_own() -> None:
    """Without straights there is nothing to take."""
    assert shares(heist(["100 double cross +"])) == [180]


def test_bh_24_a_cross_by_too_many_fails() -> None:
    """Crossers lose their winnings, job and half the salary; straights share their 180."""
    played = heist(["100 double cross +", "10 double cross -", "10 x +", "10 x -", "10 y -"])
    assert shares(played) == [0, 0, 18 + 60, 60, 60]
    assert played.moves(0)[2:] == ["cross_failed employed 1>0", "cross_failed salary 240>120"]
    assert played.moves(1)[1:] == ["cross_failed employed 1>0", "cross_failed salary 240>120"]
    [shared] = played.of("shared_out")
    assert shared == {
        **{"type": "shared_out", "number": 0, "straights": 3, "straights_sum": 18},
        **{"crossers_sum": 180, "pot": 0, "straight_share": 60, "crosser_share": 0},
    }
    assert played.clause_of(shared) == "BH-24"


def test_bh_24_the_pot_is_shared_as_well() -> None:
    """A wrong finger's 9 and the crossers' 180 make 94 for each of two straights."""
    dice = {f"game/0/finger/2/{k}": 2 for k in range(8)}
    played = heist(["100 double cross +", "10 double cross -", "10 finger +", "10 x -"], dice=dice)
    assert shares(played) == [0, 0, 9 + 94, 94]


def test_bh_24_a_salary_is_halved_once_a_game() -> None:
    """A salary is halved at most once per game; the next game may halve it again."""
    lines = ["1 double cross -", "1 double cross -", "1 finger +"]
    played = heist(lines, lines)
    assert [move for move in played.moves(0) if "salary" in move] == ["exposed salary 240>120"]
    assert [move for move in played.moves(1) if "salary" in move] == ["cross_failed salary 240>120"]
    assert [move for move in played.moves(0, 1) if "salary" in move] == ["exposed salary 120>60"]


def test_bh_24_without_straights_the_winnings_vanish() -> None:
    """Two crossers alone lose everything to nobody."""
    played = heist(["100 double cross +", "100 double cross +"])
    assert shares(played) == [0, 0]
    assert played.of("shared_out")[0]["straight_share"] == 0


# --- BH-25 to BH-27: after the heist -------------------------------------------------------------


def test_bh_25_a_job_is_found_at_once() -> None:
    """A player that lost its job may be hired in the same game, for 5 % more, and is paid."""
    played = heist(["1 change jobs -"], dice={"game/0/hired/0": True})
    assert played.moves(0)[2:] == [
        "hired employed 0>1",
        "hired salary 240>252",
        "paycheck credits 239>491",
    ]


def test_bh_25_the_chance_is_one_in_twenty_for_the_unemployed_alone() -> None:
    """The die is cast for players without a job."""
    dice = loaded([["1 change jobs -", "1 x -"]], {})
    match(scripted([["1 change jobs -", "1 x -"]]), 2, dice)
    hired = {label: chance for label, chance in dice.chances.items() if "hired" in label}
    assert hired == {"game/0/hired/0": (1, 20)}


@pytest.mark.parametrize("action", ["back out", "all in"])
def test_bh_25_who_left_is_hired_but_not_paid(action: str) -> None:
    """Backing out and going all in cost the paycheck, even with a new job."""
    dice = {"game/0/hired/0": True}
    played = heist([f"1 {action} -"], dice=dice, start=having(employed=0))
    assert played.moves(0)[-2:] == ["hired employed 0>1", "hired salary 240>252"]


def test_bh_26_guards_are_bribed() -> None:
    """A credit for each, also without a paycheck."""
    start = having(credits=4, employed=0, guards=[2, 0, 0, 0, 1])
    assert heist(["0"], start=start).moves(0) == ["bribe credits 4>1"]
    start = having(credits=3, employed=0, guards=[2, 0, 0, 0, 1])
    assert heist(["0"], start=start).moves(0) == ["bribe credits 3>0"]


@pytest.mark.parametrize(("credits", "bribe"), [(1, ["bribe credits 1>0"]), (0, [])])
def test_bh_26_guards_that_are_not_paid_leave(credits: int, bribe: list[str]) -> None:
    """As many as bribes are missing, in the order of the die, each with its bonus."""
    start = having(credits=credits, employed=0, guards=[2, 1, 0, 0, 0])
    played = heist(["0"], dice={"game/0/leaving/0": "1/1 0/2 0/1"}, start=start)
    left = [
        "guard_left guards@1 1>0",
        "guard_left probability@1 488000000>482828282",
        "guard_left guards@0 2>1",
        "guard_left probability@0 540000000>535353535",
        "guard_left guards@0 1>0",
        "guard_left probability@0 535353535>530660136",
    ]
    assert played.moves(0) == bribe + left[: 6 - 2 * credits]
    assert played.clause_of(played.of("moved")[-1]) == "BH-26"


def test_bh_26_a_probability_stops_at_0() -> None:
    """Less than the bonus of a guard leaves nothing."""
    start = having(credits=0, employed=0, guards=at_bank_0(1), probability=at_bank_0(9_000_000))
    assert heist(["0"], start=start).moves(0)[-1] == "guard_left probability@0 9000000>0"


@pytest.mark.parametrize(
    ("balance", "after"), [(714, 714), (715, 716), (10_000, 10_014), (10**6 - 1, 10**6 + 1398)]
)
def test_bh_27_accounts_grow(balance: int, after: int) -> None:
    """Accounts grow by 0.14 %, rounded down, after any action; banks in their order."""
    start = having(account=[balance, 0, 0, 0, balance])
    moves = [move for move in heist(["0"], start=start).moves(0) if "interest" in move]
    expected = [f"interest account@{bank} {balance}>{after}" for bank in (0, 4)]
    assert moves == (expected if after > balance else [])


# --- BH-28, BH-29, BH-31: rabble and bounds ------------------------------------------------------


def test_bh_28_each_bet_has_a_symbol() -> None:
    """In the log the digits 0 to 4 are the bets of a member, the smallest first."""
    assert rabble.SYMBOLS == {0: "0", 69: "1", 420: "2", 6_969: "3", 80_085: "4"}


@pytest.mark.parametrize("bank", range(5))
def test_bh_28_a_member_bets_with_the_banks_probability(bank: int) -> None:
    """The last word below p bets, the next one does not."""
    last = (BANKS[bank].probability * 2**52 - 1) // 10**9
    assert [rabble.bet(word, bank, 240) for word in (0, last, last + 1)] == [69, 69, 0]


@pytest.mark.parametrize(
    ("credits", "bet"),
    [
        *((0, 0), (68, 0), (69, 69), (419, 69), (420, 420), (6_968, 420), (6_969, 6_969)),
        *((80_084, 6_969), (80_085, 80_085), (10**15, 80_085)),
    ],
)
def test_bh_28_a_member_bets_what_it_can_afford(credits: int, bet: int) -> None:
    """The largest of four amounts, or nothing."""
    assert rabble.bet(0, 0, credits) == bet


@pytest.mark.parametrize(
    ("decided", "backed_out", "chance"),
    [(0, 0, (1, 20)), (1, 0, (1, 20)), (4, 2, (3, 10)), (7, 7, (11, 20)), (3, 1, (13, 60))],
)
def test_bh_29_a_member_backs_out_as_others_did(
    decided: int, backed_out: int, chance: tuple[int, int]
) -> None:
    """With 0.05, and half the part of those who decided before it and backed out."""
    last = (chance[0] * 2**52 - 1) // chance[1]
    assert rabble.action(last, decided, backed_out) == "back out"
    assert rabble.action(last + 1, decided, backed_out) == "carry on"


def test_bh_31_credits_and_accounts_stop() -> None:
    """At 10¹⁵ nothing more comes in."""
    most = 10**15
    start = having(credits=most - 100, account=at_bank_0(most - 5, 0))
    moves = heist(["0"], start=start).moves(0)
    assert moves == [
        f"paycheck credits {most - 100}>{most}",
        f"interest account@0 {most - 5}>{most}",
    ]
    start = having(credits=most, account=at_bank_0(most, most))
    assert heist(["0"], start=start).moves(0) == []


def test_bh_31_winnings_odds_and_salaries_stop() -> None:
    """A bet of 10¹⁵ at the Federal Reserve wins 10¹⁵, its intel brings odds of 1,000."""
    most = 10**15
    played = heist([f"{most} acquire intel +"], start=having(credits=most))
    assert played.moves(0)[:4] == [
        f"bet credits {most}>0",
        f"heist winnings 0>{most}",
        "intel odds@4 1950000000>1000000000000",
        f"intel winnings {most}>0",
    ]
    start = having(employed=0, salary=most, credits=0)
    hired = heist(["0"], dice={"game/0/hired/0": True}, start=start)
    assert hired.moves(0) == ["hired employed 0>1", f"paycheck credits 0>{most}"]


def test_bh_31_the_longest_series_fits_64_bits() -> None:
    """9,000 matches of 10¹⁵ credits each are below 2⁶³, and a contest can have no more."""
    assert CARD.settings({"matches": 9_000})
    assert 9_000 * 10**15 < 2**63


def test_a_game_is_told_in_the_order_it_happens() -> None:
    """Bets, bank, actions, roll, verdict, fingers, share-out, end: as the log has them."""
    played = heist(["10 double cross -", "10 finger +", "0"])
    kinds = [event["type"] for event in played.events if event["type"] != "moved"]
    assert kinds == [
        *("match_started", "games_drawn", "game_started"),
        *("answered", "bet") * 3,
        "bets_closed",
        *("answered", "acted") * 2,
        *("heist_rolled", "cross_judged", "fingered", "shared_out"),
        *("game_finished", "match_finished"),
    ]


def test_the_state_is_shown_as_it_is_at_an_event() -> None:
    """Of the players everything, of the rabble how many were drawn and what all have."""
    states: list[State] = []
    played = match(scripted([["100 deposit +"]]), 1, Dice(SEED), states.append, rabble=20)
    snapshot = states[0].snapshot()
    [closed] = played.of("bets_closed")
    [finished] = played.of("game_finished")
    assert snapshot["rabble"] == {
        "drawn": 20 - closed["rabble_bets"].count("."),
        "credits": finished["rabble_credits"],
    }
    players: Any = snapshot["players"]
    assert players[0]["credits"] == played.credits[0]
    assert (players[0]["seat"], players[0]["bet"], players[0]["action"]) == (0, 100, "deposit")


def test_winnings_end_with_the_share_out() -> None:
    """After the share-out the state shows no winnings: they are among the credits."""
    states: list[State] = []
    played = heist(["100 x +"], start=states.append)
    assert shares(played) == [180]
    assert states[0].players[0].winnings == 0
