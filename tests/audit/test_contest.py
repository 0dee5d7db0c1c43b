"""The standings of a contest: equal to those of one tournament of the same matches."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from audit import comparison, leaderboard, rating
from audit.contest import count_until, waiting
from audit.query import query
from audit.run_rules import audit
from audit.tables import Database, open_database
from referee.contest.folder import opened
from replay.verify import verify_all
from schema import discovery
from schema.errors import NothingToDo, UsageError
from tests import contests
from tests.corpus.honest import sealed_without_seed
from tests.factories import loads
from tests.referee.interruptions import Disk, disk
from tests.sampling import FACTOR, LONG_RUN, sampled

histories = pytest.importorskip("benchmarks._contests", reason="benchmarks are not in the wheel")

STRENGTHS = {f"bot{n}": 1.0 + n / 2 for n in range(6)}


def tables(database: Database) -> tuple[list[Any], list[Any]]:
    """The leaderboard and the ratings of a contest or a tournament, by name."""
    board = leaderboard.leaderboard(database, "coup")
    name = board.columns.index("name")
    rated = rating.ratings(database)["coup"]
    return sorted(board.rows, key=lambda row: str(row[name])), sorted(rated.rows, key=str)


@settings(max_examples=2 * FACTOR if LONG_RUN else 1)
@given(st.randoms(use_true_random=False), st.integers(1, 3))
def test_the_order_of_entering_does_not_matter(rng: random.Random, rounds: int) -> None:
    """Bots that come in any order, are revised and withdrawn, rank as in one tournament of them.

    Points and games are equal, and so are all ratings.
    """
    luck = rng.random()
    play = histories.by_strength(STRENGTHS, luck)
    with TemporaryDirectory() as folder, disk(Disk()):
        cup = histories.new(Path(folder) / "cup", rounds)
        names = rng.sample([*STRENGTHS], 5)
        versions = Counter[str]()
        for name in names:
            if rng.random() < 0.4 and versions:
                changed = rng.choice([*versions])
                versions[changed] += 1
                words = histories.bots(Path(folder) / "bots", [changed], versions[changed])
                histories.enter(cup, words)
            versions[name] += 1
            histories.enter(cup, histories.bots(Path(folder) / "bots", [name]))
            if len(versions) > 1 and rng.random() < 0.6:
                histories.run(cup, play)
        out = rng.choice(names)
        histories.withdraw(cup, out)
        histories.run(cup, play)
        one = histories.new(Path(folder) / "one", rounds)
        for name in rng.sample([name for name in names if name != out], 4):
            words = histories.bots(Path(folder) / "bots", [name], versions[name])
            histories.enter(one, words)
        assert histories.run(one, histories.by_strength(STRENGTHS, luck)) == 4 * 3 * rounds
        with open_database([cup]) as contest, open_database([one / "stages/0001"]) as tournament:
            assert tables(contest) == tables(tournament)


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A contest of three stages: a late bot, a revision, and a withdrawal since."""
    folder = tmp_path_factory.mktemp("contest")
    play = histories.by_strength(STRENGTHS)
    cup: Path = histories.new(folder / "cup", 2)
    with disk(Disk()):
        histories.enter(cup, histories.bots(folder / "bots", ["bot0", "bot1", "bot2"]))
        histories.run(cup, play)
        histories.enter(cup, histories.bots(folder / "bots", ["bot3"]))
        histories.run(cup, play)
        histories.enter(cup, histories.bots(folder / "bots", ["bot1"], 2))
        histories.run(cup, play)
        histories.withdraw(cup, "bot0")
    with open_database([cup]) as database:
        yield database


def games(database: Database, at: int | None = None, game: str = "coup") -> dict[str, int]:
    """The number of games of each bot in the standings."""
    count_until(database, at)
    board = leaderboard.leaderboard(database, game)
    return {str(row[1]): int(str(row[2])) for row in board.rows}


def test_the_standings_are_those_of_the_bots_that_are_in(cup: Database) -> None:
    """Each bot has played each other bot that is in; those withdrawn and revised are out."""
    assert games(cup) == {"bot1": 8, "bot2": 8, "bot3": 8}


def test_the_standings_at_an_earlier_stage(cup: Database) -> None:
    """After an earlier stage those count that were in then, with their versions of then."""
    assert games(cup, 1) == {"bot0": 8, "bot1": 8, "bot2": 8}
    assert games(cup, 2) == dict.fromkeys(["bot0", "bot1", "bot2", "bot3"], 12)
    before = leaderboard.leaderboard(cup, "coup").rows
    assert games(cup, 3) == games(cup, 2)
    count_until(cup, 3)
    after = leaderboard.leaderboard(cup, "coup").rows
    revised = {row[1] for row in after} - {row[1] for row in before if str(row[-1]) in str(after)}
    assert revised == {"bot1"}


def test_two_contests_are_ranked_as_each_by_itself(tmp_path: Path) -> None:
    """In both, only the bots that are in have games, and only those between them; versions of a
    name are counted in each.
    """
    with disk(Disk()):
        for number, folder in enumerate(("one", "two")):
            cup = histories.new(tmp_path / folder, 1)
            names = [f"bot{2 * number + n}" for n in range(3)]
            histories.enter(cup, histories.bots(tmp_path / "bots", names))
            histories.run(cup, histories.by_strength(STRENGTHS))
            histories.withdraw(cup, names[0])
    with open_database([tmp_path / "one", tmp_path / "two"]) as database:
        assert games(database) == dict.fromkeys(["bot1", "bot2", "bot3", "bot4"], 2)
        assert query(database, "SELECT DISTINCT version FROM entries").rows == [(1,)]


def test_bots_with_the_same_files_are_ranked_by_name(tmp_path: Path) -> None:
    """Each has its own games, although one hash names both."""
    for name in ("fox", "owl"):
        contests.bot(tmp_path / name, "main")
    (tmp_path / "bots.toml").write_text(
        "".join(
            f'[[bots]]\nname = "{name}"\ncommand = "python3 main.py"\nfolder = "{name}"\n'
            for name in ("fox", "owl")
        )
    )
    cup = contests.new(tmp_path / "cup")

    def hold() -> None:
        contests.enter(cup, [str(tmp_path / "bots.toml"), contests.bot(tmp_path, "hen")])
        contests.run(cup)

    contests.simulated(hold)
    with open_database([cup]) as database:
        assert games(database) == dict.fromkeys(["fox", "owl", "hen"], 4)
        bots = query(database, "SELECT DISTINCT bot FROM entries WHERE name <> 'hen'").rows
    assert len(bots) == 1


def test_a_copy_of_a_match_beside_the_contest_changes_nothing(tmp_path: Path) -> None:
    """A match of a withdrawn bot that was read twice counts for nothing, whatever comes first."""
    cup = contests.two_stages(tmp_path)
    for match in sorted((cup / "stages" / "0001" / "matches").iterdir()):
        shutil.copy(match, tmp_path / f"copy-{match.name}")
    copies = [*tmp_path.glob("copy-*.jsonl")]
    with open_database([cup]) as database:
        alone = tables(database)
    for paths in ([cup, *copies], [*copies, cup]):
        with open_database(paths) as database:
            assert tables(database) == alone


@pytest.mark.parametrize("name", sampled({n: n for n in ("a.jsonl", "z.jsonl")}, ["a.jsonl"]))
def test_a_copy_of_a_log_in_the_contest_counts_no_match_twice(name: str, tmp_path: Path) -> None:
    """A backup beside the log of the contest, of a stage or a match changes no standings."""
    cup = contests.two_stages(tmp_path)

    def standings() -> object:
        with open_database([cup], current_only=True) as database:
            rules = {finding.rule.id for finding in audit(database).findings}
            return tables(database), rules - {"log/match_in_two_logs"}

    alone = standings()
    stage = cup / "stages/0001"
    match = min((stage / "matches").iterdir())
    log = (cup / "contest.jsonl").read_bytes()
    earlier = log[: log.index(b"\n", log.index(b"stage_finished")) + 1]
    for content, other in (log, stage / "tournament.jsonl"), (earlier, match):
        (cup / name).write_bytes(content)
        shutil.copy(other, other.with_name(name))
        assert standings() == alone
        other.with_name(name).unlink()


RANKED: set[tuple[tuple[str, int, bool], ...]] = set()
"""Changes after which the right bots were ranked: many examples begin with equal changes."""

CHANGES = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(0, 2), st.booleans()), min_size=4, max_size=9
)
"""A bot, its new version or 0 if it is withdrawn, and whether a stage is played then."""


@settings(max_examples=2 * FACTOR if LONG_RUN else 1)
@given(CHANGES)
@example([("a", 1, False), ("b", 1, True), ("a", 2, True), ("a", 1, False)])
@example([("a", 1, False), ("b", 1, True), ("a", 2, True), ("a", 3, False), ("a", 1, False)])
@example([("a", 1, False), ("b", 1, True), ("b", 2, True), ("b", 3, False), ("b", 1, False)])
@example([("a", 1, False), ("b", 1, False), ("c", 1, True), ("c", 0, False), ("c", 1, False)])
@example(
    [
        ("a", 1, False),
        ("b", 1, False),
        ("c", 1, True),
        ("a", 2, False),
        ("a", 1, False),
        ("c", 2, False),
        ("b", 0, False),
    ]
)
def test_a_bot_that_comes_back_is_ranked(changes: list[tuple[str, int, bool]]) -> None:
    """The versions that are in are ranked, each by games with all others, if no match is missing.

    Otherwise those of the last stage are, without bots that are out. A bot may go back to an
    earlier version, or come again, after the last stage.
    """
    play = histories.by_strength(dict.fromkeys("abc", 1.0))
    before: dict[str, str] = {}
    with TemporaryDirectory() as folder, disk(Disk()):
        cup = histories.new(Path(folder) / "cup", 1)
        for number, (name, version, runs) in enumerate(changes, 1):
            if version:
                histories.enter(cup, histories.bots(Path(folder) / "bots", [name], version))
            else:
                with suppress(UsageError):
                    histories.withdraw(cup, name)
            with opened(cup) as held:
                state = held.state
            current = {bot.name: bot.bot for bot in state.current.values()}
            if len(current) < 2:
                continue
            if runs:
                histories.run(cup, play)
                before = current
            ranked = current
            if not runs and state.next_stage() is not None:
                ranked = {name: bot for name, bot in before.items() if name in current}
            if len(ranked) > 1 and tuple(changes[:number]) not in RANKED:
                with open_database([cup]) as database:
                    board = leaderboard.leaderboard(database, "coup")
                found = {(row[1], row[-1], row[2]) for row in board.rows}
                assert found == {(*bot, 2 * (len(ranked) - 1)) for bot in ranked.items()}
                RANKED.add(tuple(changes[:number]))


def test_a_stage_that_is_not_finished_has_no_standings(cup: Database, tmp_path: Path) -> None:
    """Standings at a stage to come are refused, and so are those without any stage."""
    with pytest.raises(UsageError, match="expected one of 3 finished stages, found 4"):
        count_until(cup, 4)
    new = contests.new(tmp_path / "new")
    message = "no stage of this contest is finished. `koth contest run` plays one"
    with open_database([new]) as database, pytest.raises(NothingToDo, match=message):
        count_until(database, None)
    with opened(new) as held:
        held.close()
    message = "no stage of this contest is finished. It was closed without any"
    with open_database([new]) as database, pytest.raises(NothingToDo, match=message):
        count_until(database, None)


def test_a_stage_that_breaks_off_is_no_unfinished_tournament(tmp_path: Path) -> None:
    """A contest ranks by sums in any case; beside a tournament that broke off the mean ranks."""
    with disk(Disk()):
        cup = histories.new(tmp_path / "cup", 1)
        histories.enter(cup, histories.bots(tmp_path / "bots", ["bot0", "bot1"]))
        histories.run(cup, histories.by_strength(STRENGTHS))
    with (cup / "stages/0001/tournament.jsonl").open("rb") as log:
        start = log.readline()
    stage, other = cup / "stages/0002/tournament.jsonl", tmp_path / "other/tournament.jsonl"
    for path in (stage, other):
        path.parent.mkdir()
        path.write_bytes(start)
    for paths, unfinished in (([cup], []), ([cup, other], [("coup", str(other))])):
        with open_database(paths) as database:
            leaderboard.leaderboard(database, "coup")
            assert database.execute("FROM unfinished()").fetchall() == unfinished


def test_nothing_counts_and_the_reason_is_true(tmp_path: Path) -> None:
    """If all matches are finished and none counts, the message says what counts in a contest."""
    cup = contests.new(tmp_path / "cup")

    def hold() -> None:
        contests.enter(cup, [contests.bot(tmp_path, name) for name in ("anna", "bert")])
        contests.run(cup)
        contests.withdraw(cup, "anna", "bert")

    contests.simulated(hold)
    message = f"its stage is finished.*`koth leaderboard {cup}/stages/0001` takes a stage by itself"
    with open_database([cup]) as database:
        with pytest.raises(NothingToDo, match=message):
            leaderboard.leaderboards(database)
        with pytest.raises(NothingToDo, match=message):
            rating.ratings(database)
        with pytest.raises(NothingToDo, match=message):
            comparison.compare(database, "anna", "bert")
    with open_database([cup / "stages/0001"]) as database:
        assert leaderboard.leaderboards(database)
    contests.rewrite(cup, contests.events(cup)[:4])
    with open_database([cup]) as database, pytest.raises(NothingToDo, match=message):
        leaderboard.leaderboards(database)


def test_the_tables_of_a_contest(cup: Database) -> None:
    """``contests``, ``stages`` and ``entries`` hold the log of an open contest."""
    assert cup.unread == 0
    rows = query(cup, "SELECT contest, plays, finished, closed FROM contests").rows
    assert rows == [("cup", "pairings", 3, False)]
    sql = "SELECT stage, tournament, files FROM stages ORDER BY ALL"
    assert query(cup, sql).rows == [(n, f"cup/000{n}", 13) for n in (1, 2, 3)]
    sql = "SELECT name, version, first_stage, last_stage, ended FROM entries ORDER BY ALL"
    assert query(cup, sql).rows == [
        ("bot0", 1, 1, 3, "withdrawn"),
        ("bot1", 1, 1, 2, "revised"),
        ("bot1", 2, 3, None, None),
        ("bot2", 1, 1, None, None),
        ("bot3", 1, 2, None, None),
    ]


def test_the_seals_of_a_contest(tmp_path: Path) -> None:
    """``contests`` and ``tournaments`` have the seals of their logs; an open contest has none."""
    cup = contests.new(tmp_path / "cup")

    def hold() -> None:
        contests.enter(cup, [contests.bot(tmp_path, name) for name in ("anna", "bert")])
        contests.run(cup)
        contests.withdraw(cup, "anna")

    contests.simulated(hold)
    ends = "SELECT events, seal FROM contests UNION ALL SELECT events, seal FROM tournaments"
    [*_, last] = loads((cup / "stages/0001/tournament.jsonl").read_bytes())
    stage = (last["events"], last["sha256"])
    with open_database([cup]) as database:
        assert query(database, ends).rows == [(None, None), stage]
        [(entered, withdrawn)] = query(
            database, "SELECT seq, ended_seq FROM entries WHERE ended IS NOT NULL"
        ).rows
        assert (entered, withdrawn) == (1, 5)
    (cup / discovery.CONTEST).write_bytes(sealed_without_seed(contests.events(cup)))
    [*events, last] = contests.events(cup)
    with open_database([cup]) as database:
        assert query(database, ends).rows == [(len(events), last["sha256"]), stage]


def test_files_that_come_again_are_the_same_version(tmp_path: Path) -> None:
    """A version has one number, however often it is entered, and the verdict counts it once."""
    cup = contests.new(tmp_path / "cup")
    anna = contests.bot(tmp_path, "anna")
    better = contests.bot(tmp_path / "better", "anna", "better")
    contests.enter(cup, [anna])
    contests.withdraw(cup, "anna")
    for again in (anna, better, anna):
        contests.enter(cup, [again])
    with open_database([cup]) as database:
        rows = query(database, "SELECT version, ended FROM entries ORDER BY seq").rows
    assert rows == [(1, "withdrawn"), (1, "revised"), (2, "revised"), (1, None)]
    [verdict] = verify_all(discovery.logs([cup]), given={cup})
    assert verdict.reason.endswith("by 2 versions of 1 bot")


GAMES_OF_ALL = {
    "coins": {"games": 2, "rounds": 2},
    "bank_heist": {"games_min": 2, "games_max": 2, "rabble": 2, "matches": 2},
    "smallest_unique": {
        "seats": 3,
        "rounds": 2,
        "games_per_entrant": 8,
        "min_games_per_entrant": 1,
    },
}


@pytest.mark.parametrize(
    ("game", "values"),
    sampled({name: (name, values) for name, values in GAMES_OF_ALL.items()}, ["smallest_unique"]),
)
def test_a_whole_tournament_replaces_the_one_before(
    game: str, values: dict[str, int], tmp_path: Path
) -> None:
    """In games of all, the last stage alone counts, without bots that were withdrawn since.

    Versions that a later stage replaced, and bots that came later, are in no table of a stage. No
    pairing is missing.
    """
    cup = contests.new(tmp_path / "cup", game, **values)
    player = "plays\nclass Bot:\n    def select(self): ...\n    def update(self, seen): ..."
    *bots, late = [
        contests.bot(tmp_path, name, player) for name in ("anna", "bert", "cleo", "dora")
    ]
    better = contests.bot(tmp_path / "better", "anna", f"{player}  # better")

    def hold() -> None:
        contests.enter(cup, bots)
        contests.run(cup)
        contests.enter(cup, [late, better])
        contests.run(cup)

    contests.simulated(hold)
    with open_database([cup / "stages/0002"]) as database:
        rows = leaderboard.leaderboard(database, game).rows
    with open_database([cup], current_only=True) as database:
        ranked = games(database, game=game)
        assert ranked == {row[1]: row[2] for row in rows}
        assert [*sorted(ranked)] == ["anna", "bert", "cleo", "dora"]
        assert [*sorted(games(database, 1, game))] == ["anna", "bert", "cleo"]
        assert audit(database, "log/pairings_not_those_missing").clean
    contests.withdraw(cup, "dora")
    with open_database([cup]) as database:
        assert [*sorted(games(database, game=game))] == ["anna", "bert", "cleo"]


def test_the_bots_that_are_not_ranked_yet_are_said(tmp_path: Path) -> None:
    """A bot that came or changed since is named; after the next stage and at an earlier, none."""
    new = contests.new(tmp_path / "new")
    bots = [contests.bot(tmp_path, name) for name in ("anna", "bert", "cleo")]

    def said(*stages: int) -> list[str]:
        """Return the texts at these stages, and the one of now."""
        with open_database([new]) as database:
            texts = []
            for at in (*stages, None):
                count_until(database, at)
                texts.append(waiting(database))
            return texts

    def hold() -> None:
        contests.enter(new, bots)
        contests.run(new)
        assert said() == [""]
        contests.withdraw(new, "cleo")
        assert said() == [""]
        contests.enter(new, [contests.bot(tmp_path, f"new{n}") for n in range(5)])
        contests.enter(new, [contests.bot(tmp_path / "better", "anna", "better")])
        earlier, now = said(1)
        assert earlier == ""
        assert now.startswith("matches of new0, new1, new2, new3, new4 and 1 more are missing:")
        assert now.endswith("this is the table after stage 1")
        contests.run(new)
        assert said() == [""]
        contests.withdraw(new, "bert")
        contests.enter(new, [bots[0]])

    contests.simulated(hold)
    [now] = said()
    assert now.startswith("matches of anna are missing:")
    with opened(new) as held:
        held.close()
    assert said() == [""]
