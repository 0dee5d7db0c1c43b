"""Text boards: any state of any game is at most eight lines, none wider than the terminal."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from games.table import MatchTable
from games.text_board import LINES, TextBoard, fit, grid, number, pad
from koth.processes import Stop
from schema import registry
from schema.dice import Dice
from schema.seal import commitment
from tests.factories import at_random, drive_rules
from tests.sampling import LONG_RUN

Snapshot = Mapping[str, Any]

FEW = {"games_min": 2, "games_max": 2}
"""Games of a match of Bank Heist."""

PLAYERS = {
    "bank_heist": (
        (1, {"rabble": 500, **FEW}),
        (60, {"rabble": 500, **FEW}),
        (5, {"rabble": 20, **FEW}),
    ),
    "coins": ((2, {}), (12, {}), (60, {"rounds": 2})),
    "coup": ((2, {}),),
    "smallest_unique": ((10, {"seats": 10, "rounds": 30}), (3, {"seats": 3, "rounds": 9})),
}
"""Numbers of players with settings, by game."""


@cache
def states(game: str, players: int, options: tuple[tuple[str, int], ...], n: int) -> list[Snapshot]:
    """Return the states at all events of a match at random."""
    card = registry.card(game)
    names = [f"player{seat}" for seat in range(players)]
    found: list[Snapshot] = []
    table: MatchTable[Any] = MatchTable(
        names,
        card.settings(dict(options)),
        Dice(commitment(f"{n:064x}")),
        lambda event, clause: found.append(table.state.snapshot() if table.state else {}),
    )
    drive_rules(card.current.match_rules()(table), at_random(random.Random(n), players))
    return found


def start(names: list[str]) -> dict[str, Any]:
    """Return as much of a match's first event as a board needs."""
    return {"players": [{"seat": seat, "name": name} for seat, name in enumerate(names)]}


@pytest.mark.parametrize(
    ("game", "players", "options"),
    [(game, *case) for game, cases in PLAYERS.items() for case in cases],
)
@given(data=st.data(), width=st.integers(1, 160), name=st.text(max_size=40))
@settings(max_examples=15 if LONG_RUN else 6)
def test_a_board_fits(
    game: str, players: int, options: dict[str, int], data: st.DataObject, width: int, name: str
) -> None:
    """A board of any names has at most eight printable lines, none wider than ``width``."""
    known = states(game, players, tuple(options.items()), data.draw(st.integers(0, 2)))
    state = data.draw(st.sampled_from(known))
    names = [f"{name}{seat}" for seat in range(players)]
    lines = TextBoard(registry.card(game), start(names))(state, width)
    assert 0 < len(lines) <= LINES
    assert all(cell_len(line) <= width and line.isprintable() for line in lines)


@pytest.mark.parametrize(
    ("game", "players", "options"),
    [(game, *case) for game, cases in PLAYERS.items() for case in cases],
)
def test_nothing_is_cut_away_on_a_usual_terminal(
    game: str, players: int, options: dict[str, int]
) -> None:
    """On 80 columns the game's own lines fit, so that :class:`TextBoard` cuts none of them."""
    draw = registry.card(game).text_drawer()
    assert draw is not None
    for state in states(game, players, tuple(options.items()), 0):
        lines = draw(state, [f"player{seat}" for seat in range(players)], 80)
        assert len(lines) <= LINES
        assert all(cell_len(line) <= 80 for line in lines), lines


def board(game: str, state: Snapshot, players: int, width: int = 80) -> str:
    """Return a board for players called ``player0`` and so on."""
    names = [f"player{seat}" for seat in range(players)]
    return "\n".join(TextBoard(registry.card(game), start(names))(state, width))


def test_coup_shows_hands_coins_and_claims() -> None:
    """Both hands with the names of their cards, lost cards, coins, and what the turn claims."""
    state = {
        "calls": 7, "history": "I\nI\nTq", "line": "Tq", "turn_of": 0, "caller": 0,
        "coins": [2, 1], "hands": ["$^", "!"], "offered": "", "deck": "~" * 11,
    }  # fmt: skip
    assert board("coup", state, 2).splitlines() == [
        "▸ player0   2 coins  [Duke]  [Assassin]",
        "  player1    1 coin  [Contessa]  lost",
        "this turn: player0 claims the Duke and asks for tax. player1 challenges the",
        "claim.",
        "deck: 11 cards · [ ] hidden from the other",
    ]
    between = state | {"history": "I\nI\n", "line": "", "turn_of": 0}
    assert "last turn: player1 takes income." in board("coup", between, 2)
    assert "the first turn" in board("coup", state | {"history": "", "line": ""}, 2)


def test_coup_shows_whole_cards_on_a_narrow_terminal() -> None:
    """On 40 columns the cards are below the coins, so that none is cut."""
    state = {
        "calls": 7, "history": "Tq", "line": "Tq", "turn_of": 0, "caller": 0,
        "coins": [2, 10], "hands": ["~~", "!~"], "offered": "", "deck": "~" * 11,
    }  # fmt: skip
    assert board("coup", state, 2, 38).splitlines()[:4] == [
        "▸ player0   2 coins",
        "    [Ambassador]  [Ambassador]",
        "  player1  10 coins",
        "    [Contessa]  [Ambassador]",
    ]


def test_a_grid_says_how_many_entries_are_left_out() -> None:
    """The words for the others are whole, even if they are longer than an entry."""
    assert grid(["5 anna", "4 bob", "3 carl"], 14, 2) == ["5 anna", "… and 2 others"]


def test_coins_shows_the_ring() -> None:
    """The centre, and the players in turn order with their piles; an arrow marks the turn."""
    state = {
        "round": 3, "turn_of": 0, "order": [2, 0, 1], "centre": 1_234,
        "unflipped": [1, 0, 3], "flipped": [0, 2, 0], "points": [-1, 4, -3],
    }  # fmt: skip
    assert "1,234 in the centre" in board("coins", state, 3)
    assert board("coins", state, 3, 40).splitlines()[1:] == [
        "  player2  ▲0 ▽3    = −3",
        "▸ player0  ▲0 ▽1    = −1",
        "  player1  ▲2 ▽0    = 4",
    ]


def test_smallest_unique_shows_who_chose_what() -> None:
    """Each number has the bots that chose it; an arrow marks the one that scores."""
    state = {"rounds": 17, "choices": [1, 1, 4, 9], "winner": 2, "points": [0, 3, 12, 0]}
    lines = board("smallest_unique", state, 4).splitlines()
    assert lines[0] == "round 17 · player2 scores"
    assert lines[1].startswith("  1  player0, player1")
    assert lines[4].startswith("▸ 4  player2")
    assert "9  player3" in lines[4]
    assert lines[6].startswith("points: 12 player2")


def test_bank_heist_of_sixty_players_is_readable() -> None:
    """With 60 players and 500 members of the rabble those with most credits are shown."""
    state = states("bank_heist", 60, (("rabble", 500), *FEW.items()), 0)[-1]
    shown = board("bank_heist", state, 60)
    richest = max(state["players"], key=lambda player: player["credits"])
    assert f"player{richest['seat']} " in shown
    assert "Federal Reserve" in shown
    assert "others" in shown.splitlines()[-1]


# --- Packages of other people --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawn", "shown"),
    [
        (["x" * 99, "\x1b[2J\u202e", "a\nb"], ["xxxx…", "\\x1b…", "a\\nb"]),
        (["line"] * 20, ["line"] * LINES),
        ([], []),
        (None, []),
        (["字字字"], ["字字…"]),
    ],
)
def test_what_a_package_draws_is_kept_in_bounds(
    drawn: Any, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines of a package are cut and made printable; a function that fails draws nothing."""
    found = TextBoard(registry.card("coup"), start(["a", "b"]))
    monkeypatch.setattr(found, "draw", lambda state, players, width: drawn)
    assert found({}, 5) == shown


def test_a_signal_ends_a_function_that_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that is stopped while it draws does end."""
    board = TextBoard(registry.card("coup"), start(["a", "b"]))

    def draw(state: object, players: object, width: int) -> list[str]:
        raise Stop

    monkeypatch.setattr(board, "draw", draw)
    with pytest.raises(Stop):
        board({}, 5)


def test_without_a_state_or_a_function_there_is_no_board() -> None:
    """An incomplete log has no states, and a tournament's log no board."""
    found = TextBoard(registry.card("coup"), {"entrants": []})
    assert found(None, 80) == []
    assert found({}, 80) == []
    found.draw = None
    assert found({"points": []}, 80) == []


@given(
    entries=st.lists(st.text(max_size=12).map(lambda text: f"{text}x")), width=st.integers(1, 90)
)
@settings(max_examples=30)
def test_a_grid_keeps_to_its_lines(entries: list[str], width: int) -> None:
    """A grid has as many lines as are allowed at most, and says how many entries it left out."""
    lines = grid(entries, width, 3)
    assert len(lines) <= 3
    assert bool(lines) == bool(entries)


def test_texts_and_numbers_of_a_width() -> None:
    """A cut says so, wide characters count twice, and large numbers have a unit."""
    assert [fit("abcdef", 4), pad("a", 3), pad("字", 3)] == ["abc…", "a  ", "字 "]
    assert [number(n) for n in (-1_234, 1_230_000, 2 * 10**18)] == ["−1,234", "1.23M", "2E"]
    assert [number(n) for n in (999_999, 999_999_999, 1 - 10**9)] == ["999,999", "999M", "−999M"]
    assert [number(n) for n in (10**6, 10**9, 10**15 - 1, 10**15)] == ["1M", "1G", "999T", "1P"]


def test_one_heister_backs_out() -> None:
    """The board of Bank Heist says that one backs out, and that several back out."""
    known = [state for state in states("bank_heist", 5, (("rabble", 20), *FEW.items()), 0) if state]
    for count, words in ((1, "1 backs out"), (2, "2 back out")):
        state = next(state for state in known if state["backed_out"] == count)
        assert words in board("bank_heist", state, 5)
