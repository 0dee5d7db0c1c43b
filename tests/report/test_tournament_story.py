"""The games' own stories: their numbers add up to the results, and a file that is none says so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from audit import match_plot
from audit.errors import AuditError
from audit.leaderboard import leaderboard
from audit.tables import Database, open_database
from report.pictures import picture
from schema import registry
from tests.audit import bank_heists, coin_games, outcomes, unique_games
from tests.audit.contest import Contest, contest, sealed
from tests.audit.imported_logs import EXCERPT, TRANSCRIPT, bring_in
from tests.factories import loads
from tests.sampling import sampled

CORPUS = Path(__file__).parent.parent / "corpus"
HONEST = "honest_tournament_of_"


def lines(found: match_plot.MatchPlot) -> dict[str, list[tuple[float, float]]]:
    """The points of each line."""
    series: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for name, x, y in found.rows:
        assert isinstance(name, str)
        assert isinstance(x, int)
        assert isinstance(y, float)
        series[name].append((x, y))
    return dict(series)


def opened(game: str) -> Database:
    """An honest tournament of a game as tables."""
    return open_database([CORPUS / f"{HONEST}{game}"], bare=True)


@pytest.fixture(scope="module")
def coins() -> Iterator[Database]:
    """An honest tournament of Coins as tables."""
    with opened("coins") as database:
        yield database


def told(database: Database) -> tuple[match_plot.MatchPlot, dict[object, dict[str, object]]]:
    """The story of an honest tournament, and its leaderboard by name."""
    [game] = database.games
    board = leaderboard(database, game)
    rows = {row[1]: dict(zip(board.columns, row, strict=True)) for row in board.rows}
    return match_plot.match_plot(database, game), rows


def test_coins_end_with_the_count(coins: Database) -> None:
    """The last point of a line is the mean score, after a point for each round."""
    found, rows = told(coins)
    ends = {name: points[-1][1] for name, points in lines(found).items()}
    assert {name: round(end, 4) for name, end in ends.items()} == {
        name: row["points_per_game"] for name, row in rows.items()
    }
    assert {tuple(x for x, _ in points) for points in lines(found).values()} == {(1, 2)}


def test_coins_after_a_round(coins: Database) -> None:
    """A point of a line is the mean of the points after the last turn of the round."""
    found = match_plot.match_plot(coins, "coins")
    turns = coins.execute("SELECT log, round, points FROM coins_acted ORDER BY log, seq")
    after = {(log, round): points for log, round, points in turns.fetchall()}
    players = coins.execute("SELECT name, log, seat FROM players").fetchall()
    for name, points in lines(found).items():
        own = [after[log, 1][seat] for player, log, seat in players if player == name]
        assert points[0][1] == pytest.approx(sum(own) / len(own))


def test_bank_heist_ends_with_the_credits() -> None:
    """A line ends with what a player had after the last game that all matches had."""
    with opened("bank_heist") as database:
        found = match_plot.match_plot(database, "bank_heist")
        rows = database.execute("SELECT log, number, credits FROM bank_heist_game_finished")
        games = {(log, number): credits for log, number, credits in rows.fetchall()}
        [(names,)] = database.execute("SELECT list(name ORDER BY entrant) FROM entrants").fetchall()
    assert found.log
    logs = {log for log, _ in games}
    shortest = min(max(number for one, number in games if one == log) for log in logs)
    for seat, name in enumerate(names):
        points = lines(found)[name]
        mean = sum(games[log, shortest][seat] for log in logs) / len(logs)
        assert [x for x, _ in points] == list(range(1, shortest + 2))
        assert points[-1][1] == pytest.approx(mean)


def test_bank_heist_is_not_cut_by_a_match_that_does_not_count(tmp_path: Path) -> None:
    """A shorter match that breaks off, or is of an earlier stage, does not shorten the lines; one
    that counts does.
    """

    def games() -> set[float]:
        with open_database([tmp_path], bare=True) as database:
            found = match_plot.match_plot(database, "bank_heist")
        return {x for points in lines(found).values() for x, _ in points}

    bring_in("bank-heist-transcript", tmp_path / "counts", EXCERPT)
    other = bring_in("bank-heist-transcript", tmp_path / "other", TRANSCRIPT)
    assert games() == {1, 2, 3}
    path = other / "matches/1-000000.jsonl"
    *events, end, _ = loads(path.read_bytes())
    path.write_bytes(sealed([*events, {**end, "reason": "unfinished", "winners": []}], ""))
    (other / "tournament.jsonl").unlink()
    assert games() == {4, 5}


def test_a_draw_is_no_win_in_coup(tmp_path: Path) -> None:
    """It counts as a game of the pair; a game that is won counts for the winner only."""
    outcomes.match(tmp_path / "0.jsonl", {"Anna": 0, "Ben": 0}, "coup", 0, reason="drawn")
    outcomes.match(tmp_path / "1.jsonl", {"Anna": 1, "Ben": 0}, "coup", 1)
    with open_database([tmp_path], bare=True) as database:
        found = match_plot.match_plot(database, "coup")
    assert found.rows == [["Anna", "Ben", 1, 2], ["Ben", "Anna", 0, 2]]


HELD = {
    "coins": coin_games.tournament,
    "smallest_unique": unique_games.tournament,
    "bank_heist": bank_heists.series,
    "coup": contest,
}


@pytest.mark.parametrize(
    ("game", "make", "has_story"),
    sampled(
        {f"{game}, story": (game, make, True) for game, make in HELD.items()}
        | {f"{game}, scores": (game, make, False) for game, make in HELD.items()},
        ["coins, story", "smallest_unique, story", "coup, scores"],
    ),
)
def test_a_void_match_is_not_in_the_plot(
    game: str,
    make: Callable[[], Contest],
    has_story: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A match of an earlier attempt changes no line: without the tournament's log it is void."""
    card = registry.card(game)
    if not has_story:
        plain = card.model_copy(update={"story": None})
        monkeypatch.setattr(registry, "card", lambda name: plain)
    logs = make()
    first, *later = logs.matches
    for match in later:
        logs.matches[match][0]["match"] = f"9{match[1:]}"
    logs.write(tmp_path)
    (tmp_path / "tournament.jsonl").unlink()
    plots = []
    for _ in range(2):
        with open_database([tmp_path], bare=True) as database:
            plots.append(match_plot.match_plot(database, game).rows)
        (tmp_path / f"matches/{first}.jsonl").unlink(missing_ok=True)
    assert plots[0] == plots[1] != []


def test_smallest_unique_adds_up_to_the_points() -> None:
    """If all games have the same length, the mean over the parts is the points per round."""
    with opened("smallest_unique") as database:
        found, rows = told(database)
    for name, points in lines(found).items():
        rate = sum(y for _, y in points) / len(points) / 100
        assert rows[name]["points_per_round"] == pytest.approx(rate, abs=1e-4)


def test_coup_adds_up_to_the_wins() -> None:
    """All wins of a line are the bot's wins, all its meetings the bot's games."""
    with opened("coup") as database:
        found, rows = told(database)
    won: dict[object, list[int]] = defaultdict(lambda: [0, 0])
    for name, other, wins, played in found.rows:
        assert name != other
        assert isinstance(wins, int)
        assert isinstance(played, int)
        won[name][0] += wins
        won[name][1] += played
    assert dict(won) == {name: [row["wins"], row["games"]] for name, row in rows.items()}


@pytest.mark.parametrize("number", sampled({"40": 2**40, "63": 2**63 - 1}, ["63"]))
@pytest.mark.parametrize(
    ("game", "make", "type", "field"),
    [
        ("coins", coin_games.tournament, "acted", "round"),
        ("smallest_unique", unique_games.tournament, "round", "round"),
        ("bank_heist", bank_heists.series, "game_finished", "number"),
    ],
    ids=["coins", "smallest_unique", "bank_heist"],
)
def test_a_forged_number_of_a_round_does_not_prevent_the_plot(
    game: str, make: Callable[[], Contest], type: str, field: str, number: int, tmp_path: Path
) -> None:
    """Rounds and games of forged logs may have any number; each bot keeps its line."""
    logs = make()
    logs.write(tmp_path / "honest")
    for match, events in logs.matches.items():
        [*_, last] = [event for event in events if event["type"] == type]
        last[field] = number
        logs.seal(match)
    logs.write(tmp_path / "forged")
    names = []
    for folder in ("honest", "forged"):
        with open_database([tmp_path / folder], bare=True) as database:
            names.append(lines(match_plot.match_plot(database, game)).keys())
    assert names[0] == names[1]


@pytest.mark.parametrize(("last", "step"), [(200, 1), (399, 1), (400, 2), (10_000, 50)])
def test_long_games_of_coins_have_points_for_some_rounds(
    last: int, step: int, tmp_path: Path
) -> None:
    """A line has at most 400 points, evenly spaced, before the count."""
    logs = coin_games.tournament()
    for match, events in logs.matches.items():
        events[0]["settings"]["rounds"] = last
        [event for event in events if event["type"] == "acted"][-1]["round"] = last
        logs.seal(match)
    logs.write(tmp_path)
    with open_database([tmp_path], bare=True) as database:
        found = match_plot.match_plot(database, "coins")
    expected = [*range(1, last + 1, step), last + 1]
    assert [[x for x, _ in points] for points in lines(found).values()] == 3 * [expected]


def test_long_games_of_smallest_unique_have_twenty_parts(tmp_path: Path) -> None:
    """A point is at the end of its part, the last one at the end of the game."""
    logs = unique_games.tournament()
    for match, events in logs.matches.items():
        events[0]["settings"]["rounds"] = 390
        for event in [event for event in events if event["type"] == "round"][-1:]:
            event["round"] = 390
        logs.seal(match)
    logs.write(tmp_path)
    with open_database([tmp_path], bare=True) as database:
        found = match_plot.match_plot(database, "smallest_unique")
    assert {x for points in lines(found).values() for x, _ in points} == {19, 390}


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file that is the story of Coins now."""
    path = tmp_path / "story.sql"
    changed = registry.card("coins").model_copy(update={"story": path})
    monkeypatch.setattr(registry, "card", lambda name: changed)
    return path


def test_a_game_without_a_story_has_its_scores(
    coins: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lines are the mean scores so far, and end with that of all matches."""
    plain = registry.card("coins").model_copy(update={"story": None})
    board = leaderboard(coins, "coins")
    means = {row[1]: row[6] for row in board.rows}
    monkeypatch.setattr(registry, "card", lambda name: plain)
    found = match_plot.match_plot(coins, "coins")
    assert board.columns[6] == "points_per_game"
    series = lines(found)
    assert {name: round(points[-1][1], 4) for name, points in series.items()} == means
    assert {tuple(x for x, _ in points) for points in series.values()} == {(1, 2, 3)}


def test_scores_are_in_the_order_of_the_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the order of their numbers, whatever the files are called."""
    plain = registry.card("coins").model_copy(update={"story": None})
    monkeypatch.setattr(registry, "card", lambda name: plain)
    for file, number, score in (("a", 10, 8), ("b", 9, 2), ("c", 2, 4)):
        outcomes.match(tmp_path / f"{file}.jsonl", {"Anna": score, "Ben": 1}, number=number)
    with open_database([tmp_path], bare=True) as database:
        found = match_plot.match_plot(database, "coins")
    assert lines(found)["Anna"] == [(1, 4.0), (2, 3.0), (3, pytest.approx(14 / 3))]


HEAD = "-- title: T\n-- kind: lines\n-- x: round\n-- y: points\n"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("SELECT 'a' AS series, 1 AS x, 2.0 AS y", "expected a line '-- title: …'"),
        (
            HEAD + "SELECT 'a' AS series, 1 AS x",
            "expected the columns series, x, y, found series, x",
        ),
        (HEAD.replace("lines", "pie") + "SELECT 1", "expected lines or pairs, found 'pie'"),
        (HEAD + "SELEC", "does not run"),
        (HEAD + "SELECT 1 AS series, 1 AS x, 2.0 AS y", "series: expected a name, found 1"),
        (HEAD + "SELECT 'a' AS series, 1 AS x, 'b' AS y", "y: expected a number, found 'b'"),
        (None, "does not run"),
    ],
)
def test_a_file_that_is_no_story(card: Path, text: str | None, wrong: str, coins: Database) -> None:
    """The message names the file, what was expected and what was found."""
    if text is not None:
        card.write_text(text)
    with pytest.raises(AuditError) as raised:
        match_plot.match_plot(coins, "coins")
    assert str(card) in str(raised.value)
    assert wrong in str(raised.value)


def test_the_words_at_the_head(card: Path, coins: Database) -> None:
    """Text that is no key is the note; rows without a number are left out."""
    card.write_text(
        HEAD
        + "-- How it comes\n-- about.\nFROM (VALUES ('a', 1, 2.0), ('b', 1, NULL)) t(series, x, y)"
    )
    found = match_plot.match_plot(coins, "coins")
    assert (found.title, found.kind, found.x, found.y) == ("T", "lines", "round", "points")
    assert (found.note, found.log) == ("How it comes about.", False)
    assert [row[0] for row in found.rows] == ["a"]


@pytest.mark.parametrize(
    ("numbers", "drawn"),
    [
        ("1.5::DECIMAL(3,1), 2", [1.5, 2.0]),
        ("'nan'::DOUBLE, '-inf'::DOUBLE, 1e308, -1e300, 0.5", [-1e300, 0.5]),
    ],
)
def test_a_number_is_drawn_or_left_out(
    card: Path, numbers: str, drawn: list[float], coins: Database
) -> None:
    """A decimal is a number; NaN and a number that no axis can show are left out."""
    card.write_text(f"{HEAD}SELECT 'a' AS series, 1 AS x, unnest([{numbers}]) AS y")
    plot = match_plot.match_plot(coins, "coins")
    assert [y for _, _, y in plot.rows] == drawn
    assert "<polyline" in str(picture(plot, None))
