"""The leaderboard: computed from the matches, by hand here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from time import process_time

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from audit import leaderboard
from audit.errors import AuditError
from audit.query import Result as Table
from audit.sql_files import run_scripts
from audit.tables import Database, open_database
from games.table import Result
from schema import registry
from schema.errors import NothingToDo
from tests import factories
from tests.audit import outcomes
from tests.audit.contest import contest, sealed
from tests.audit.doctored_logs import Doctored, ending, failing, turn
from tests.factories import answer
from tests.sampling import sampled

GAMES = ("bank_heist", "coins", "coup", "smallest_unique")


def losers(game: str) -> list[str]:
    """Those who lose in a match to one winner: as many as the game needs."""
    return [f"Cleo{n}" for n in range(9 if game == "smallest_unique" else 1)]


def test_points_and_intervals(tmp_path: Path) -> None:
    """Two wins, a loss by forfeit and a draw: 2 of 4, Wilson's interval 0.1500 to 0.8500."""
    lost = failing(answer("X"))
    winner = lost.first("match_finished")["winners"][0]
    won = [ending("C[_'<=0]", lambda log: wins(log, winner)) for _ in range(2)]
    logs = [*won, turn("I\n"), lost]
    logs[1].events[0]["match"] = "1-000001"
    logs[3].events[0]["players"].reverse()
    for seat, player in enumerate(logs[3].events[0]["players"]):
        player["seat"] = seat
    for number, log in enumerate(logs):
        factories.write(tmp_path / f"{number}.jsonl", log.events, log.seed)
    with open_database([tmp_path], current_only=True) as database:
        found = leaderboard.leaderboard(database, "coup")
    assert found.columns == (
        *("rank", "name", "games", "points", "wins", "draws", "losses", "forfeits"),
        *("points_per_game", "low", "high", "bot"),
    )
    assert [row[:11] for row in found.rows] == [
        (1, f"player{winner}", 4, 2, 2, 1, 1, 1, 0.5, 0.15, 0.85),
        (2, f"player{1 - winner}", 4, 1, 1, 1, 2, 0, 0.25, 0.0456, 0.6994),
    ]


def test_points_of_coins(tmp_path: Path) -> None:
    """Nine points in three games: 3 a game, Student's interval -1.9683 to 7.9683."""
    for number, (anna, ben) in enumerate([(3, 1), (1, 1), (5, 2)]):
        outcomes.match(tmp_path / f"{number}.jsonl", {"Anna": anna, "Ben": ben}, number=number)
    with open_database([tmp_path], current_only=True) as database:
        found = leaderboard.leaderboard(database, "coins")
    assert found.columns == (
        *("rank", "name", "games", "points", "wins", "faults"),
        *("points_per_game", "low", "high", "bot"),
    )
    assert [row[:9] for row in found.rows] == [
        (1, "Anna", 3, 9, 3, 0, 3.0, -1.9683, 7.9683),
        (2, "Ben", 3, 4, 1, 0, 1.3333, -0.1009, 2.7676),
    ]
    assert {type(value) for row in found.rows for value in row[2:6]} == {int}


def test_credits_of_bank_heist(tmp_path: Path) -> None:
    """Credits per match with Student's interval, which has nothing below 0; none of one match."""
    for number, (anna, ben) in enumerate([(100, 1000), (200, 1010), (331, 1023)]):
        scores = {"Anna": anna, "Ben": ben}
        outcomes.match(tmp_path / f"{number}.jsonl", scores, "bank_heist", number)
    outcomes.match(tmp_path / "3.jsonl", {"Cleo": 7, "Dora": 0}, "bank_heist", 3)
    with open_database([tmp_path], current_only=True) as database:
        found = leaderboard.leaderboard(database, "bank_heist")
    assert found.columns == (
        *("rank", "name", "matches", "credits", "wins", "heists", "successes", "faults"),
        *("credits_per_match", "low", "high", "bot"),
    )
    # Ben: the deviations -11, -1 and 12 give 4.3027 × √(133 / 3) = 28.6; Anna's give 287.8.
    assert [row[:11] for row in found.rows] == [
        (1, "Ben", 3, 3033, 3, 0, 0, 0, 1011.0, 982.4, 1039.6),
        (2, "Anna", 3, 631, 0, 0, 0, 0, 210.3, 0.0, 498.1),
        (3, "Cleo", 1, 7, 1, 0, 0, 0, 7.0, None, None),
        (4, "Dora", 1, 0, 0, 0, 0, 0, 0.0, None, None),
    ]


def test_wins_order_equal_credits_in_bank_heist(tmp_path: Path) -> None:
    """Bots of one sum are in the order of their wins."""
    results = [{"Anna": 5, "Zoe": 4}, {"Anna": 1, "Zoe": 2}, {"Anna": 0, "Zoe": 0}]
    for number, (scores, winner) in enumerate(zip(results, ("Anna", "Zoe", "Zoe"), strict=True)):
        path = tmp_path / f"{number}.jsonl"
        outcomes.match(path, scores, "bank_heist", number, winners=[winner])
    [ranks] = _ranks(tmp_path, "bank_heist").values()
    assert [*ranks.items()] == [("Zoe", 1), ("Anna", 1)]


def test_rates_of_smallest_unique(tmp_path: Path) -> None:
    """A win in two games each; of a game that does not count only the disqualification counts."""
    others = {f"bot{n}": 0 for n in range(8)}
    for number, scores in enumerate(({"Anna": 300, "Ben": 100}, {"Anna": 1, "Ben": 500})):
        outcomes.match(tmp_path / f"{number}.jsonl", scores | others, "smallest_unique", number)
    path, scores = tmp_path / "void.jsonl", {"Cleo": 0, "Ben": 2} | others
    void = outcomes.match(path, scores, "smallest_unique", 2, reason="void", winners=[])
    first, last = factories.loads(void.read_bytes())[:2]
    factories.write(path, [first, timeout("select"), last])
    with open_database([tmp_path], current_only=True) as database:
        found = leaderboard.leaderboard(database, "smallest_unique")
    assert found.columns == (
        *("rank", "name", "games", "wins", "rate", "low", "high"),
        *("points_per_round", "disqualifications", "bot"),
    )
    assert [row[:9] for row in found.rows[:3]] == [
        (1, "Anna", 2, 1, 0.5, 0.0945, 0.9055, 0.1505, 0),
        (1, "Ben", 2, 1, 0.5, 0.0945, 0.9055, 0.3, 1),
        (3, "bot0", 2, 0, 0.0, 0.0, 0.6576, 0.0, 0),
    ]
    assert found.rows[-1][:9] == (None, "Cleo", 0, 0, None, None, None, None, 0)


def test_the_rate_ranks_in_smallest_unique(tmp_path: Path) -> None:
    """One win in one game is better than two in three, which are better than one in two.

    Rates have four decimals.
    """
    others = {f"bot{n}": 0 for n in range(9)}
    results = [
        *({"Anna": 1} | others, {"Fay": 1} | others, {"Fay": 0} | others | {"bot0": 1}),
        *({"Ben": 1} | others, {"Ben": 1} | others, {"Ben": 0} | others | {"bot0": 1}),
    ]
    for number, scores in enumerate(results):
        outcomes.match(tmp_path / f"{number}.jsonl", scores, "smallest_unique", number)
    with open_database([tmp_path], current_only=True) as database:
        first, second, third, last, *_ = leaderboard.leaderboard(database, "smallest_unique").rows
    rounds = registry.card("smallest_unique").settings({}).model_dump()["rounds"]
    assert (*first[:5], first[7]) == (1, "Anna", 1, 1, 1.0, round(1 / rounds, 4))
    assert (*second[:5], second[7]) == (2, "Ben", 3, 2, 0.6667, round(2 / (3 * rounds), 4))
    assert (*third[:5], third[7]) == (3, "Fay", 2, 1, 0.5, round(1 / (2 * rounds), 4))
    assert (*last[:5], last[7]) == (4, "bot0", 6, 2, 0.3333, round(2 / (6 * rounds), 4))


def test_each_game_has_its_own_bots(tmp_path: Path) -> None:
    """No leaderboard has a bot that played another game only."""
    seats = dict.fromkeys(registry.names(), 2) | {"smallest_unique": 10}
    for game, most in seats.items():
        scores = {f"{game}-{number}": int(number == 0) for number in range(most)}
        outcomes.match(tmp_path / f"{game}.jsonl", scores, game)
    with open_database([tmp_path], current_only=True) as database:
        boards = leaderboard.leaderboards(database)
    assert {board.game for board in boards} == {*seats}
    for board in boards:
        names = {row["name"] for row in board.rows}
        assert names == {f"{board.game}-{number}" for number in range(seats[board.game])}


def timeout(ask: str) -> dict[str, object]:
    """A fault of the second seat."""
    head = {"type": "fault", "seat": 1, "kind": "timeout"}
    return head | {"clause": "", "penalty": "", "ask": ask}


def wins(log: Doctored, seat: int) -> bool:
    """Whether the seat wins the match."""
    return bool(log.first("match_finished")["winners"] == [seat])


def test_it_agrees_with_the_final_table(tmp_path: Path) -> None:
    """Over one tournament the points are those of its standings, and nothing is taken from them."""
    logs = contest()
    expected = {line["entrant"]: line["score"] for line in logs.standings}
    logs.standings[0]["score"] = 99
    logs.write(tmp_path)
    with open_database([tmp_path], current_only=True) as database:
        [board] = leaderboard.leaderboards(database)
    points = {row[1]: row[3] for row in board.result.rows}
    assert points == {"Anna": expected[0], "Ben": expected[1], "Cleo": expected[2]}


@pytest.fixture(scope="module")
def one_match(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A match of Coins."""
    log = outcomes.match(tmp_path_factory.mktemp("one") / "log.jsonl", {"Anna": 3, "Ben": 1})
    with open_database([log], current_only=True) as database:
        yield database


def test_a_broken_leaderboard_is_named(
    one_match: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A leaderboard's query that does not run is an error that names its file."""
    monkeypatch.setitem(vars(registry.card("coins")), "leaderboard", tmp_path / "gone.sql")
    with pytest.raises(AuditError, match=r"gone\.sql: this leaderboard does not run"):
        leaderboard.leaderboard(one_match, "coins")


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (b"SELECT * FROM nowhere", "this leaderboard does not run: "),
        (b"-- \xff\nSELECT 1", "this leaderboard does not run: 'utf-8' codec"),
        (b"-- nothing", "expected a query that ranks bots, found no statement"),
        (b"SELECT 1 WHERE false", "expected a query that ranks the bots of coins, found none"),
    ],
)
def test_a_leaderboard_that_ranks_nobody_is_named(
    query: bytes,
    told: str,
    one_match: Database,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A query of a package that fails, or has no rows though matches count, is its error."""
    board = tmp_path / "board.sql"
    board.write_bytes(query)
    monkeypatch.setitem(vars(registry.card("coins")), "leaderboard", board)
    with pytest.raises(AuditError) as error:
        leaderboard.leaderboard(one_match, "coins")
    assert str(error.value).startswith(f"{board}: {told}")


def test_a_leaderboard_after_an_interrupt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt before the macros exist leaves a database that makes them at the next call."""

    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    contest().write(tmp_path)
    with open_database([tmp_path]) as database:
        with monkeypatch.context() as patch:
            patch.setattr(leaderboard, "run_scripts", interrupted)
            with pytest.raises(KeyboardInterrupt):
                leaderboard.leaderboards(database)
        assert leaderboard.leaderboards(database)


def test_unfinished_tournaments_are_known_before_any_leaderboard(tmp_path: Path) -> None:
    """The question needs no ranking first."""
    (tmp_path / "tournament.jsonl").write_bytes(_begun("coup"))
    with open_database([tmp_path], current_only=True) as database:
        assert leaderboard.unfinished(database) == [str(tmp_path / "tournament.jsonl")]


def test_a_packages_leaderboard_has_values_for_json(
    one_match: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number that is not finite is missing, and values of other types are text."""
    query = tmp_path / "query.sql"
    query.write_text(
        "SELECT 1 AS rank, 1 / 0 AS rate, [0 / 0] AS rates, 0.5 * 1 AS share, '' AS bot"
    )
    monkeypatch.setitem(vars(registry.card("coins")), "leaderboard", query)
    boards = leaderboard.leaderboards(one_match)
    [row] = json.loads(leaderboard.as_json(boards))["games"]["coins"]
    assert row == {"rank": 1, "rate": None, "rates": [None], "share": "0.5", "bot": ""}


# --- intervals -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def intervals() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database with nothing but the macros of intervals."""
    with duckdb.connect() as connection:
        run_scripts(connection, leaderboard.MACROS, "_intervals.sql")
        yield connection


def computed(intervals: duckdb.DuckDBPyConnection, macro: str, *values: object) -> object:
    """The value of a macro with four decimals."""
    [(value,)] = intervals.execute(f"SELECT round({macro}, 4)", values).fetchall()
    return value


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0),
        (1, 1, 0.2065, 1.0),
    ],
)
def test_the_interval_of_a_share(
    wins: int, games: int, low: float, high: float, intervals: duckdb.DuckDBPyConnection
) -> None:
    """Wilson's interval is that of the literature (Newcombe 1998), also for none and for all."""
    assert computed(intervals, "wilson_low(? / ?, ?)", wins, games, games) == low
    assert computed(intervals, "wilson_high(? / ?, ?)", wins, games, games) == high


@pytest.mark.parametrize("share", [5.0, 1.01, -0.25, float("inf"), float("nan"), None])
def test_no_interval_of_a_number_that_is_no_share(
    share: float | None, intervals: duckdb.DuckDBPyConnection
) -> None:
    """Forged scores, more points than games or fewer than none, have no interval."""
    assert computed(intervals, "wilson_low(?, ?)", share, 4) is None
    assert computed(intervals, "wilson_high(?, ?)", share, 4) is None


def test_no_interval_without_a_game(intervals: duckdb.DuckDBPyConnection) -> None:
    """Nothing is known of a bot that never played."""
    assert computed(intervals, "wilson_low(?, ?)", 0.5, 0) is None
    assert computed(intervals, "wilson_high(?, ?)", 0.5, 0) is None


@pytest.mark.parametrize(
    ("n", "tabulated"),
    [
        *((1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571)),
        *((6, 2.447), (10, 2.228), (30, 2.042), (120, 1.980), (10**6, 1.960)),
    ],
)
def test_the_points_of_students_distribution(
    n: int, tabulated: float, intervals: duckdb.DuckDBPyConnection
) -> None:
    """Student's 97.5 % points are those of the tables."""
    assert computed(intervals, "student(?)", n) == pytest.approx(tabulated, abs=0.002)


@pytest.mark.parametrize(("spread", "n"), [(0.0, 1), (None, 1), (0.0, 9)])
def test_no_interval_without_a_spread(
    spread: float | None, n: int, intervals: duckdb.DuckDBPyConnection
) -> None:
    """One value, or values all equal, have no interval."""
    assert computed(intervals, "student_margin(?, ?)", spread, n) is None


@pytest.mark.parametrize("game", registry.names())
def test_the_interval_is_said(game: str) -> None:
    """Every built-in leaderboard says which interval it has."""
    note = leaderboard.note(game)
    assert note.startswith("low and high: the 95 % ")
    assert "Wilson interval" in note or "Student's t interval" in note
    assert "  " not in note


# --- what counts ---------------------------------------------------------------------------------


def test_a_copy_counts_once(tmp_path: Path) -> None:
    """A match with two copies counts once."""
    for folder in ("spring", "copy of spring"):
        outcomes.match(tmp_path / folder / "0.jsonl", {"Anna": 3, "Ben": 1})
    with open_database([tmp_path], current_only=True) as database:
        rows = leaderboard.leaderboard(database, "coins").rows
    assert [row[:4] for row in rows] == [(1, "Anna", 1, 3), (2, "Ben", 1, 1)]


def test_equal_bots_share_a_rank(tmp_path: Path) -> None:
    """The ranks below count all who share one; their names give the order."""
    bots = {"Anna": "b" * 64, "Ben": "a" * 64}
    for game in GAMES:
        for number, winner in enumerate(bots):
            path, scores = tmp_path / f"{game}{number}.jsonl", {winner: 1}
            scores |= dict.fromkeys(losers(game), 0)
            outcomes.match(path, scores, game, number, bots=bots)
    ranks = _ranks(tmp_path, *GAMES)
    for game in GAMES:
        due = [("Anna", 1), ("Ben", 1), *((loser, 3) for loser in losers(game))]
        assert [*ranks[game].items()] == due, game


def test_faults_are_added_up(tmp_path: Path) -> None:
    """A bot's faults are those in all its matches."""
    for game, ask in ("bank_heist", "decision"), ("coins", "turn"):
        for number, faults in enumerate((1, 2, 0)):
            path = tmp_path / f"{game}{number}.jsonl"
            log = outcomes.match(path, {"Anna": 1, "Ben": 0}, game, number).read_bytes()
            first, *rest = factories.loads(log)
            factories.write(path, [first, *[timeout(ask)] * faults, *rest[:-1]])
    with open_database([tmp_path], current_only=True) as database:
        boards = leaderboard.leaderboards(database)
    assert [board.game for board in boards] == ["bank_heist", "coins"]
    for board in boards:
        found = {row["name"]: row["faults"] for row in board.rows}
        assert found == {"Anna": 0, "Ben": 3}, board.game


def test_an_unfinished_match_does_not_count(tmp_path: Path) -> None:
    """A match that never came to an end, as an imported history may be, is no game played."""
    games = ["bank_heist", "coins", "coup"]
    for game in games:
        whole = outcomes.match(tmp_path / f"{game}.jsonl", {"Anna": 1, "Ben": 0}, game)
        start, *_ = factories.loads(whole.read_bytes())
        factories.write(tmp_path / f"{game} torn.jsonl", [start | {"match": "1-000001"}])
    with open_database([tmp_path], current_only=True) as database:
        assert database.logs == 2 * len(games)
        boards = leaderboard.leaderboards(database)
    assert [board.game for board in boards] == games
    for board in boards:
        assert [row[1:3] for row in board.result.rows] == [("Anna", 1), ("Ben", 1)], board.game


def test_an_imported_match_that_breaks_off_does_not_count(tmp_path: Path) -> None:
    """Only an import ends so; a game may call the reason of its own results as it likes."""
    outcomes.match(tmp_path / "own.jsonl", {"Anna": 1, "Ben": 0}, reason="unfinished")
    for names, reason in ("CD", "unfinished"), ("EF", "rounds_played"):
        path = tmp_path / f"{names}.jsonl"
        log = outcomes.match(path, dict(zip(names, (1, 0), strict=True)), number=1, reason=reason)
        events = factories.loads(log.read_bytes())[:-1]
        del events[0]["seed_commitment"]
        events[0]["source"] = "imported"
        path.write_bytes(sealed(events, ""))
    assert _ranks(tmp_path, "coins") == {"coins": {"Anna": 1, "E": 1, "Ben": 3, "F": 3}}


@pytest.mark.parametrize(
    "game", sampled({game: game for game in ("bank_heist", "coins", "coup")}, ["bank_heist"])
)
def test_an_unfinished_tournament_is_ranked_by_the_mean(game: str, tmp_path: Path) -> None:
    """The sum ranks the bots of finished tournaments, the mean those of an unfinished one.

    A match alone may be unfinished, and so may a tournament of another game.
    """
    for number, score in enumerate((1, 0, 1)):
        scores = {"Anna": score, "Cleo": 1 - score}
        outcomes.match(tmp_path / f"{number}.jsonl", scores, game, number)
    last = outcomes.match(tmp_path / "3.jsonl", {"Ben": 1, "Cleo": 0}, game, 3).read_bytes()
    (tmp_path / "torn.jsonl").write_bytes(last.splitlines(keepends=True)[0])
    first = _begun(game)
    other = _begun("coup" if game != "coup" else "coins")
    # No tournament of this game has begun, or nobody goes on with it.
    for number, begun in enumerate([b"", first[:20], first[:-1], first + b"damaged\n", other]):
        (tmp_path / f"{number}").mkdir()
        (tmp_path / f"{number}/tournament.jsonl").write_bytes(begun)
    assert _ranks(tmp_path, game) == {game: {"Anna": 1, "Ben": 2, "Cleo": 2}}
    (tmp_path / "tournament.jsonl").write_bytes(first)
    [ranks] = _ranks(tmp_path, game).values()
    assert [*ranks.items()] == [("Ben", 1), ("Anna", 2), ("Cleo", 3)]
    (tmp_path / "stages").mkdir()  # a folder of stages only beside the log of a contest
    (tmp_path / "tournament.jsonl").rename(tmp_path / "stages/tournament.jsonl")
    assert _ranks(tmp_path, game) == {game: {"Ben": 1, "Anna": 2, "Cleo": 3}}


def test_bots_of_one_rank_are_in_order(tmp_path: Path) -> None:
    """With equal means the larger sum comes first, with equal sums the larger mean."""
    results = [{"Zoe": 1, "Cleo": 0}, {"Zoe": 1, "Cleo": 0}, {"Amy": 1, "Cleo": 0}]

    def check(*games: str) -> None:
        for game in games:
            for number, scores in enumerate(results):
                outcomes.match(tmp_path / f"{game}{number}.jsonl", scores, game, number)
        for game, ranks in _ranks(tmp_path, *games).items():
            assert [*ranks.items()] == [("Zoe", 1), ("Amy", 1), ("Cleo", 3)], game

    for game in ("bank_heist", "coins", "coup"):
        (tmp_path / game).mkdir()
        (tmp_path / game / "tournament.jsonl").write_bytes(_begun(game))
    check("bank_heist", "coins", "coup")
    for game in ("bank_heist", "coins", "coup"):
        (tmp_path / game / "tournament.jsonl").unlink()
    results += [{"Amy": 1, "Cleo": 0}, {"Amy": 0, "Cleo": 1}]
    check("coins", "coup")  # in Bank Heist more wins come first


def test_bots_of_one_rate_are_in_order(tmp_path: Path) -> None:
    """In Smallest Unique Number the bot with more games comes first."""
    others = dict.fromkeys(losers("smallest_unique"), 0)
    for number, winner in enumerate(["Zoe", "Zoe", "Amy"]):
        path = tmp_path / f"{number}.jsonl"
        outcomes.match(path, {winner: 1} | others, "smallest_unique", number)
    [ranks] = _ranks(tmp_path, "smallest_unique").values()
    assert [*ranks.items()][:2] == [("Zoe", 1), ("Amy", 1)]


def test_bots_of_one_name_are_in_the_order_of_their_hashes(tmp_path: Path) -> None:
    """Two versions with the same results have one rank, and always the same order."""
    for game in GAMES:
        scores = {"Anna": 1} | dict.fromkeys(losers(game), 0)
        for number, digit in enumerate("cab"):
            path, bots = tmp_path / f"{game}{number}.jsonl", {"Anna": digit * 64}
            outcomes.match(path, scores, game, number, bots=bots)
    with open_database([tmp_path], current_only=True) as database:
        for game in GAMES:
            rows = leaderboard.leaderboard(database, game).rows[:3]
            found = [(*row[:2], row[-1]) for row in rows]
            assert found == [(1, "Anna", digit * 64) for digit in "abc"], game


def test_means_have_four_decimals(tmp_path: Path) -> None:
    """One point in three games is 0.3333 per game."""
    for game in ("coins", "coup"):
        for number, winner in enumerate(["Anna", "Ben", "Ben"]):
            scores = {"Anna": 0, "Ben": 0} | {winner: 1}
            outcomes.match(tmp_path / f"{game}{number}.jsonl", scores, game, number)
    with open_database([tmp_path], current_only=True) as database:
        boards = leaderboard.leaderboards(database)
    assert [board.game for board in boards] == ["coins", "coup"]
    for board in boards:
        assert [row["points_per_game"] for row in board.rows] == [0.6667, 0.3333], board.game


def _begun(game: str) -> bytes:
    """The first line of a game's tournament."""
    card = registry.card(game)
    own = {"game": game, "rules": card.rules, "settings": card.settings({}).model_dump()}
    return factories.sealed([contest().events[0] | own]).splitlines(keepends=True)[0]


def _ranks(folder: Path, *games: str) -> dict[str, dict[object, object]]:
    """The rank of each bot in the leaderboards of these games."""
    with open_database([folder], current_only=True) as database:
        boards = {game: leaderboard.leaderboard(database, game) for game in games}
    return {game: {row[1]: row[0] for row in board.rows} for game, board in boards.items()}


def test_nothing_counts(tmp_path: Path) -> None:
    """Without any match that counts there is nothing to rank."""
    outcomes.match(tmp_path / "void.jsonl", {"Anna": 3, "Ben": 1}, reason="void")
    with (
        open_database([tmp_path], current_only=True) as database,
        pytest.raises(
            NothingToDo, match=r"read\. A match counts if it is finished and not void\.$"
        ),
    ):
        leaderboard.leaderboards(database)


# --- final tables --------------------------------------------------------------------------------


def test_final_tables(tmp_path: Path) -> None:
    """Tables of old tournaments are added up by name, and ranked as the game ranks."""
    outcomes.final_table(
        tmp_path / "one.jsonl",
        "smallest_unique",
        {"BayesBot": (796, 1991), "Water": (660, 2054), "Absent": (0, 0)},
    )
    outcomes.final_table(
        tmp_path / "two.jsonl", "smallest_unique", {"Water": (40, 46)}, tournament="older"
    )
    with open_database([tmp_path], current_only=True) as database:
        [board] = leaderboard.leaderboards(database)
    assert (board.game, board.final_tables) == ("smallest_unique", True)
    assert board.result.columns == (
        *("rank", "name", "tournaments", "games", "score", "score_per_game", "low", "high", "bot"),
    )
    assert [row[:8] for row in board.result.rows] == [
        (1, "BayesBot", 1, 1991, 796, 0.3998, 0.3785, 0.4215),
        (2, "Water", 2, 2100, 700, 0.3333, 0.3135, 0.3538),
        (3, "Absent", 1, 0, 0, None, None, None),
    ]


def test_the_largest_numbers_are_added_up(tmp_path: Path) -> None:
    """Sums over several tables may be beyond 64 bits, and are published as they are."""
    most = 2**63 - 1
    table = {"Most": (most, most), "Some": (most - 1, most), "None": (0, most), "One": (1, 1)}
    table["Least"] = (-most - 1, most)
    games = ["coins", "coup", "smallest_unique"]
    for game in games:
        for number in range(3):
            path = tmp_path / f"{game}{number}.jsonl"
            outcomes.final_table(path, game, table, tournament=f"{number}")
    with open_database([tmp_path], current_only=True) as database:
        boards = leaderboard.leaderboards(database)
    assert leaderboard.as_text(boards)
    assert [board.game for board in boards] == games
    for board in boards:
        rows = board.result.rows
        sums = {row[1]: row[3:5] for row in rows}
        assert sums == {
            "Most": (3 * most, 3 * most),
            "Some": (3 * most, 3 * most - 3),
            "None": (3 * most, 0),
            "One": (3, 3),
            "Least": (3 * most, -3 * most - 3),
        }, board.game
        assert (rows[0][0], rows[-1][1]) == (1, "Least"), board.game


def test_close_rates_have_their_own_ranks(tmp_path: Path) -> None:
    """Rates of millions of games share a rank only if they are equal."""
    games = 2**26 - 1
    table = {
        "A": (games - 1, games),
        "B": (games - 2, games - 1),
        "C": (1, 3),
        "D": (games // 3, games),
    }
    outcomes.final_table(tmp_path / "table.jsonl", "smallest_unique", table)
    with open_database([tmp_path], current_only=True) as database:
        rows = leaderboard.final_table(database, "smallest_unique").rows
    assert [row[:2] for row in rows] == [(1, "A"), (2, "B"), (3, "C"), (3, "D")]


def test_the_largest_scores_of_matches_are_added_up(tmp_path: Path) -> None:
    """Sums over matches may be beyond 64 bits, too."""
    most = 2**63 - 1
    for game in ("bank_heist", "coins", "coup"):
        for number in range(3):
            scored = {"Anna": most, "Ben": -most - 1}
            outcomes.match(tmp_path / f"{game}{number}.jsonl", scored, game=game, number=number)
    with open_database([tmp_path], current_only=True) as database:
        boards = leaderboard.leaderboards(database)
    for board in boards:
        sums = [row.get("points", row.get("credits")) for row in board.rows]
        assert sums == [3 * most, -3 * most - 3], board.game


def test_the_order_of_matches_does_not_change_an_interval(tmp_path: Path) -> None:
    """Of far-apart scores it is the same to the last digit, however the matches come."""
    games, found = ("bank_heist", "coins"), []
    for scores in ((10**15, 1, 2), (1, 2, 10**15)):
        for game in games:
            for number, score in enumerate(scores):
                path = tmp_path / f"{game}{number}.jsonl"
                outcomes.match(path, {"Anna": score, "Ben": 0}, game, number)
        with open_database([tmp_path], current_only=True) as database:
            found.append([leaderboard.leaderboard(database, g).rows[0][-3:-1] for g in games])
    assert found[0] == found[1]


def test_a_final_table_of_sums_has_no_interval(tmp_path: Path) -> None:
    """From a sum of points alone nothing is known of their spread; the order is by the sum."""
    lines = {"Crook": (739_080, 100), "Balance": (851_428, 200), "Passive": (50, 100)}
    outcomes.final_table(tmp_path / "table.jsonl", "coins", lines)
    with open_database([tmp_path], current_only=True) as database:
        rows = leaderboard.final_table(database, "coins").rows
    assert [row[:8] for row in rows] == [
        (1, "Balance", 1, 200, 851_428, 4257.14, None, None),
        (2, "Crook", 1, 100, 739_080, 7390.8, None, None),
        (3, "Passive", 1, 100, 50, 0.5, None, None),
    ]


def test_matches_stand_before_the_final_table(tmp_path: Path) -> None:
    """The final table of a tournament adds nothing if a match of it is available."""
    outcomes.final_table(tmp_path / "tournament.jsonl", "coins", {"Anna": (3, 1), "Ben": (1, 1)})
    outcomes.match(tmp_path / "matches" / "1-000000.jsonl", {"Anna": 3, "Ben": 1}, tournament="old")
    outcomes.final_table(tmp_path / "other.jsonl", "coins", {"Cleo": (9, 1)}, tournament="other")
    with open_database([tmp_path], current_only=True) as database:
        boards = leaderboard.leaderboards(database)
    assert [board.final_tables for board in boards] == [False, True]
    assert [[row[1] for row in board.result.rows] for board in boards] == [
        ["Anna", "Ben"],
        ["Cleo"],
    ]


def test_tournaments_of_one_id(tmp_path: Path) -> None:
    """Each counts, by its matches or else by its final table; a copy of its log adds nothing."""
    for folder, score in {"2023": 3, "copy": 3, "2024": 5}.items():
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "tournament.jsonl"
        outcomes.final_table(path, "coins", {"Anna": (score, 1)})
    assert sums(tmp_path) == {(True, "Anna"): 8}
    match = tmp_path / "2024/matches/1-000000.jsonl"
    outcomes.match(match, {"Anna": 5, "Ben": 1}, tournament="old")
    assert sums(tmp_path) == {(False, "Anna"): 5, (False, "Ben"): 1, (True, "Anna"): 3}


def test_a_match_in_another_folder_than_its_tournament(tmp_path: Path) -> None:
    """Its tournament is the one that names its seal, not another one of the same id."""
    match = outcomes.match(tmp_path / "1-000000.jsonl", {"A": 1, "B": 0}, "coup")
    digest = factories.loads(match.read_bytes())[-1]["sha256"]
    played = Result(reason="eliminated", scores=(1, 0), winners=(0,), faults=(), seal="0" * 64)
    for seed, named in ("1" * 64, digest), ("2" * 64, played.seal):
        events = factories.tournament_events(lambda match: played, "AB", seed, rounds=1)
        events[0]["tournament"] = "spring"
        events[1]["seal"] = named
        factories.write(tmp_path / f"{seed[0]}.jsonl", events, seed)
    assert sums(tmp_path) == {(False, "A"): 1, (False, "B"): 0, (True, "A"): 1, (True, "B"): 1}


def sums(folder: Path) -> dict[tuple[bool, object], object]:
    """The sum of points of each bot, by whether its board is of final tables, and by its name."""
    with open_database([folder], current_only=True) as database:
        boards = leaderboard.leaderboards(database)
    return {
        (board.final_tables, row["name"]): row.get("points", row.get("score"))
        for board in boards
        for row in board.rows
    }


def test_boards_as_text_and_json(tmp_path: Path) -> None:
    """Both say which interval it is, and keep final tables apart."""
    outcomes.match(tmp_path / "match.jsonl", {"Anna": 3, "Ben": 1})
    outcomes.final_table(tmp_path / "table.jsonl", "coup", {"Taxman": (144, 240)})
    with open_database([tmp_path], current_only=True) as database:
        boards = leaderboard.leaderboards(database)
    text = leaderboard.as_text(boards)
    assert text.startswith("coins\n\nrank  name ")
    note = leaderboard.wrapped(leaderboard.note("coins"))
    assert f"\n\n{note}\n\ncoup, final tables\n\nrank  name " in text
    assert text.endswith("95 % Wilson interval of score per game.\n")
    value = json.loads(leaderboard.as_json(boards))
    assert value["format"] == "koth-leaderboard/1"
    assert [line["name"] for line in value["games"]["coins"]] == ["Anna", "Ben"]
    assert value["games"]["coins"][0]["low"] is None
    assert value["final_tables"]["coup"][0]["score_per_game"] == 0.6
    assert value["notes"] == {"coins": leaderboard.note("coins")}


def test_names_and_unfinished_tournaments_in_json() -> None:
    """Letters of all languages stay, and tournaments are listed only if some are unfinished."""
    board = leaderboard.Board("coins", False, Table(("name",), [("Zoë",)]), "")
    text = leaderboard.as_json([board])
    assert '\n    "name": "Zoë"\n' in text
    assert "unfinished" not in json.loads(text)
    unfinished = [{"path": "spring/tournament.jsonl"}]
    assert json.loads(leaderboard.as_json([board], unfinished))["unfinished"] == unfinished


def test_notes_fit_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are as wide as it is, and at most 100 characters long."""
    for columns, longest in ((60, 60), (500, 100)):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = leaderboard.wrapped("word " * 99).splitlines()
        assert max(map(len, lines)) == longest - 1


def test_a_long_word_is_not_broken() -> None:
    """A path or a command in a note can be copied as a whole."""
    word = "/spring-cup/stages" * 8
    assert leaderboard.wrapped(f"See {word}.") == f"See\n{word}."


@given(st.sets(st.text("0123456789abcdef", min_size=12, max_size=12)))
@example({"0123456789ab", "0123456789ac", "0123456780aa"})
def test_short_hashes_tell_bots_apart(bots: set[str]) -> None:
    """Each has 8 digits, or as many as no other hash begins with."""
    ordered = sorted(bots)
    results = [Table(("bot", "n"), [(bot, 1) for bot in ordered]), Table(("n",), [(7,)])]
    [first, second] = leaderboard.shortened(results)
    assert second == results[1]
    for bot, (short, n) in zip(ordered, first.rows, strict=True):
        assert isinstance(short, str)
        assert n == 1
        assert [other for other in bots if other.startswith(short)] == [bot]
        assert len(short) == 8 or sum(other.startswith(short[:-1]) for other in bots) > 1


def test_the_hashes_of_many_bots_are_shortened_at_once() -> None:
    """A tournament of 10,000 bots takes 50 times as long if each is compared with each."""
    hashes = [sha256(b"%d" % number).hexdigest() for number in range(10_000)]
    begun = process_time()
    short = leaderboard.short_hashes(hashes)
    assert process_time() - begun < 2
    assert len({*short.values()}) == 10_000


def test_a_wide_leaderboard_fits_a_terminal() -> None:
    """A long tournament of bots with long names takes at most 100 columns."""
    row: dict[str, object] = {"rank": 10, "name": "LimeadeSneaktar2", "matches": 1000}
    row |= {"credits": 3445501234, "wins": 100, "heists": 9999, "successes": 9999, "faults": 1000}
    row |= {"credits_per_match": 3445501.23, "low": 3000000.12, "high": 3900000.43}
    row["bot"] = "0a08ed7b"
    lines = leaderboard.table(Table(tuple(row), [tuple(row.values())])).splitlines()
    assert max(map(len, lines)) <= leaderboard.WIDTH


def test_heists_of_an_imported_match(tmp_path: Path) -> None:
    """Heists of an imported match come from its transcript; if it shows none, they are unknown."""
    seen = [{"type": "heist_seen", "number": n, "seat": 0, "succeeded": n // 2} for n in range(3)]
    matches = [("AB", []), ("CD", seen), ("EF", seen), ("EF", [*seen[1:], *seen[2:]])]
    for number, (names, heists) in enumerate(matches):
        path, scores = tmp_path / f"{number}.jsonl", dict(zip(names, (9, 0), strict=True))
        log = outcomes.match(path, scores, "bank_heist", number)
        start, end, _ = factories.loads(log.read_bytes())
        del start["seed_commitment"]
        path.write_bytes(sealed([start | {"source": "imported"}, *heists, end], ""))
    with open_database([tmp_path], current_only=True) as database:
        rows = leaderboard.leaderboard(database, "bank_heist").rows
    assert {row[1]: row[5:7] for row in rows} == {
        **{"A": (None, None), "B": (None, None)},
        **{"C": (3, 1), "D": (0, 0)},
        **{"E": (6, 3), "F": (0, 0)},
    }
