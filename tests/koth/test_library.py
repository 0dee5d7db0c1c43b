"""``import koth``: its names, the paths that it takes, its results, and its errors."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import koth as library
from audit.archive import pack
from koth.cli.main import status
from schema import discovery
from tests.audit import coin_games
from tests.factories import write
from tests.koth.commands import Koth
from tests.replay.log_factory import SHORT, hex_seed, short

ROOT = Path(__file__).parent.parent.parent
FUNCTIONS = ("audit", "explain", "games", "leaderboard", "open", "play", "replay", "verify")


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same tournament as a folder, a bundle, an archive, and one log inside a bundle."""
    root = tmp_path_factory.mktemp("library")
    coin_games.tournament().write(root / "spring")
    [packed] = pack([root / "spring"], root / "archive")
    bundle = Path(str(packed.bundle.path))
    return {
        "folder": root / "spring",
        "bundle": bundle,
        "archive": root / "archive",
        "log in a bundle": bundle / "matches" / "1-000000.jsonl",
    }


each_place = pytest.mark.parametrize("place", ["folder", "bundle", "archive", "log in a bundle"])


# --- names ---------------------------------------------------------------------------------------


def test_only_the_names_of_the_reference_are_public() -> None:
    """``dir(koth)`` is ``__all__``; docs/api.md has each of its names, and no other."""
    assert dir(library) == sorted(library.__all__)
    assert {name for name in dir(library) if name.islower()} == set(FUNCTIONS)
    page = (ROOT / "docs" / "api.md").read_text()
    entries = [
        line.split("koth.")[1]
        for line in page.splitlines()
        if line.startswith(".. auto") and ":: koth." in line
    ]
    assert sorted(entries) == sorted(library.__all__)
    for name in library.__all__:
        assert getattr(library, name).__doc__
        assert getattr(library, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'verfy'"):
        library.verfy  # type: ignore[attr-defined]  # noqa: B018


def test_results_are_frozen() -> None:
    """Every result is a frozen dataclass with HTML for notebooks."""
    values: list[Any] = [getattr(library, name) for name in library.__all__]
    results = [value for value in values if is_dataclass(value)]
    assert len(results) == 10
    for result in results:
        assert vars(result)["__dataclass_params__"].frozen
        inner = (library.LogVerdict, library.Board, library.Setting)
        assert hasattr(result, "_repr_html_") != (result in inner)


def test_an_import_loads_nothing() -> None:
    """``import koth`` loads no other part of Koth and no library before a name is used."""
    code = (
        "import sys; before = {*sys.modules}; import koth; dir(koth); "
        "print(sorted({*sys.modules} - before))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "['koth', 'koth.conflicts']\n"


# --- the same results as the command -------------------------------------------------------------


@each_place
def test_a_verdict_is_that_of_the_command(place: str, places: dict[str, Path], koth: Koth) -> None:
    """`koth.verify` takes every kind of path as text or Path, and says what `koth verify` says."""
    verdict = library.verify(places[place])
    typed = koth("verify", places[place])
    assert (f"{verdict}\n", verdict.fine) == (typed.out, typed.code == 0)
    assert json.loads(verdict.json) == koth("verify", places[place], "--format", "json").json
    assert library.verify(str(places[place])) == verdict == library.verify([places[place]])
    assert {log.verdict for log in verdict.logs} == {verdict.verdict} == {"verified"}


def test_a_verdict_on_several_logs_is_the_worst(tmp_path: Path, places: dict[str, Path]) -> None:
    """One log with a changed event decides, whichever it is, and is named with its reason."""
    bad = write(tmp_path / "bad.jsonl", [*short()[:-1], short()[-1] | {"winners": [0, 1]}])
    for order in ([bad, places["folder"]], [places["folder"], bad]):
        verdict = library.verify(order)
        assert not verdict.fine
        assert verdict.verdict == verdict.worst.verdict == library.verify(bad).verdict != "verified"
        assert str(bad) in verdict.reason
        assert verdict.counts == {verdict.verdict: 1, "verified": len(verdict.logs) - 1}


def test_a_verdict_has_the_first_divergence(tmp_path: Path) -> None:
    """If a log diverges, the verdict holds the recorded and the recomputed event."""
    events = [event | {"reason": "drawn"} if "reason" in event else event for event in short()]
    verdict = library.verify(write(tmp_path / "bad.jsonl", events, hex_seed(SHORT)))
    assert verdict.verdict == "diverged"
    assert verdict.divergence is not None
    assert verdict.divergence == verdict.logs[0].divergence
    assert (verdict.divergence.seq, verdict.divergence.field) == (len(events) - 1, "reason")


def test_a_verdict_has_the_faults_by_bot_and_kind(koth: Koth, tmp_path: Path) -> None:
    """The faults of all logs are counted together, and printed as the command prints them."""
    players: list[Any] = [str, lambda situation: "1NN"]
    for log in (tmp_path / "a.jsonl", tmp_path / "b.jsonl"):
        match = library.play("coins", players, seed=1, settings={"rounds": 2}, log=log)
    both, one = library.verify(tmp_path), library.verify(match.log)
    assert one.faults == {"str": {"illegal": len(match.result.faults)}}
    assert both.faults == {"str": {"illegal": 2 * len(match.result.faults)}}
    assert f"{both}\n" == koth("verify", tmp_path).out


def test_a_ranking_is_that_of_the_command(places: dict[str, Path], koth: Koth) -> None:
    """`koth.leaderboard` says what `koth leaderboard` says; its rows are those of the JSON."""
    board = library.leaderboard(str(places["archive"]))
    assert str(board) == koth("leaderboard", places["archive"]).out
    value = koth("leaderboard", places["folder"], "--format", "json").json
    assert json.loads(board.json) == value
    assert json.loads(json.dumps(board.boards[0].rows)) == value["games"]["coins"]


def test_an_audit_is_that_of_the_command(places: dict[str, Path], koth: Koth) -> None:
    """`koth.audit` says what `koth audit` says, also of one rule."""
    rule, path = "coins/broken_off", places["bundle"]
    audit = library.audit(str(path), rule=rule)
    typed = koth("audit", path, "--rule", rule)
    assert (str(audit), audit.clean, len(audit.rules)) == (typed.out, typed.code == 0, 1)
    assert json.loads(audit.json)["format"] == "koth-audit/1"


def test_the_repr_of_an_audit_leaves_out_the_sql(log: Path, one_rule: None) -> None:
    """At a prompt, a result without findings names its rules and is not pages of queries."""
    audit = library.audit(log)
    assert all(rule.id in repr(audit) and rule.sql not in repr(audit) for rule in audit.rules)


@pytest.mark.parametrize("seq", [0, 5, 19, None])
def test_an_event_is_that_of_the_command(seq: int | None, log: Path, koth: Koth) -> None:
    """`koth.replay` and `koth.explain` have the text and the fields of the commands."""
    at = () if seq is None else ("--at", seq)
    event = library.replay(str(log), seq)
    assert f"{event}\n" == koth("replay", log, *at).out
    value = koth("replay", log, *at, "--format", "json").json
    assert (event.seq, event.event, event.state) == (value["seq"], value["event"], value["state"])
    assert json.loads(event.json) == value
    ruling = library.explain(log, event.seq)
    assert f"{ruling}\n" == koth("explain", log, event.seq).out
    assert json.loads(ruling.json) == koth("explain", log, event.seq, "--format", "json").json
    value = koth("explain", log, event.seq, "--format", "json").json
    names = [field.name for field in fields(ruling) if field.name not in ("text", "json")]
    shown = json.loads(json.dumps({name: getattr(ruling, name) for name in names}))
    assert shown == {name: value[name] for name in names}


@pytest.mark.parametrize("match", ["1-000000", "1-000000.jsonl", "0", 0])
def test_a_match_of_a_tournament_is_explained(
    match: str | int, places: dict[str, Path], koth: Koth
) -> None:
    """A match is named by its id or its number, in a folder and in a bundle."""
    for place in ("folder", "bundle"):
        ruling = library.explain(places[place], match=match)
        assert ruling.log.endswith("matches/1-000000.jsonl")
        assert str(ruling) in koth("explain", places[place], match).out


def test_games_are_those_of_the_command(koth: Koth) -> None:
    """`koth.games` has every installed game, with the settings that `koth games GAME` lists."""
    games = library.games()
    listed = [line.split()[:3] for line in koth("games").out.splitlines()]
    assert [[game.name, game.rules, game.protocol] for game in games] == listed
    for game in games:
        text = koth("games", game.name).out
        assert all(setting.meaning in text for setting in game.settings)


# --- tables --------------------------------------------------------------------------------------


def test_an_event_of_a_tournament_has_a_sentence(places: dict[str, Path]) -> None:
    """The own log of a tournament is replayed like that of a match, to its last event."""
    path = places["folder"] / "tournament.jsonl"
    event = library.replay(path)
    assert event.type == "tournament_finished"
    assert event.event["standings"]
    assert event.sentence == library.explain(path, event.seq).sentence


def test_without_a_number_the_first_fault_is_explained(tmp_path: Path) -> None:
    """In a log with faults, this is not the last decision."""
    match = library.play("coins", [str, str], seed=1, settings={"rounds": 2}, log=tmp_path / "log")
    first = next(
        seq
        for seq, line in enumerate(match.log.read_text().splitlines())
        if json.loads(line)["type"] == "fault"
    )
    assert library.explain(match.log) == library.explain(match.log, first)


@pytest.fixture(scope="module")
def database(places: dict[str, Path]) -> Iterator[library.Database]:
    """The tournament as tables."""
    with library.open(str(places["archive"])) as database:
        yield database


def test_an_open_database_says_what_it_has(database: library.Database) -> None:
    """Its games and logs, the tables that may have rows, and no note if all logs were read."""
    assert repr(database) == f"<koth.Database: {database.logs} logs of coins>"
    assert database.notes == ()
    tables = database.tables()
    assert tables["players"] == "One row per seat of every match."
    assert all(database.sql(f"FROM {name}").fetchall() for name in ("coins_acted", "schedule"))
    assert {"coins_acted", "schedule", "evidence"} < set(tables)
    assert not {"coup_card_lost", "unread"} & set(tables)


def test_a_query_becomes_any_frame(database: library.Database) -> None:
    """A relation gives the same rows to pandas, Polars, PyArrow and Python."""
    rows = database.sql("SELECT name, score FROM players ORDER BY log, seat")
    tuples = rows.fetchall()
    assert tuples
    assert rows.df().to_records(index=False).tolist() == tuples
    assert rows.pl().rows() == tuples
    assert [tuple(row.values()) for row in rows.to_arrow_table().to_pylist()] == tuples


@pytest.mark.parametrize(
    "query",
    [
        "DROP TABLE players",
        "COPY players TO 'rows.csv'",
        "FROM 'secret.csv'",
        "SELECT nam FROM players",
        "FROM no_table",
        "FROM local",
        "",
    ],
)
def test_a_query_only_reads(
    query: str, database: library.Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A statement that writes, or reads a file or a variable, is a KothError and does nothing."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.csv").write_text("a\n1\n")
    local = database.sql("FROM players").df()  # DuckDB could find a variable by its name
    with pytest.raises(library.KothError):
        database.sql(query)
    assert len(database.sql("FROM players").fetchall()) == len(local)
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]


def test_files_that_cannot_be_read_are_named(places: dict[str, Path], tmp_path: Path) -> None:
    """Logs that are left out of the tables are a warning, a note, and rows of ``unread``."""
    (tmp_path / "torn.jsonl").write_bytes(b"{")
    with pytest.warns(UserWarning, match="1 of . files could not be read") as caught:
        database = library.open([tmp_path, places["folder"]])
    assert [warning.filename for warning in caught] == [__file__]  # the line of the caller
    with database:
        assert len(database.notes) == 1
        assert "torn.jsonl" in str(database.sql("FROM unread").fetchall())
    unread = r"1 of . files could not be read; `koth\.audit` says why"
    with pytest.warns(UserWarning, match=unread) as caught:
        board = library.leaderboard([tmp_path, places["folder"]])
    assert len(board.notes) == 1
    assert [warning.filename for warning in caught] == [__file__]
    with pytest.warns(UserWarning, match="1 of 1 files could not be read"):
        database = library.open(tmp_path)
    with database:
        assert repr(database) == "<koth.Database: 0 logs of no game>"
        assert "0 logs of no game" in database._repr_html_()
    with (
        pytest.warns(UserWarning, match="1 of 1 files could not be read"),
        pytest.raises(library.KothError, match="no match counts"),
    ):
        library.leaderboard(tmp_path / "torn.jsonl")


def test_evidence_is_read_in_any_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change of the working folder after ``open`` changes no row, even of evidence."""
    monkeypatch.chdir(tmp_path)
    library.play("coins", [str, str], seed=1, settings={"rounds": 2}, log="log.jsonl")
    with library.open("log.jsonl") as database:
        monkeypatch.chdir("/")
        assert database.sql("SELECT DISTINCT isolation FROM evidence").fetchall() == [("none",)]
        assert database.sql("SELECT path FROM logs").fetchall() == [("log.jsonl",)]


def test_evidence_that_cannot_be_read_is_one_warning(tmp_path: Path) -> None:
    """The number of unreadable lines of evidence is a warning, at the first query that reads it."""
    log = tmp_path / "log.jsonl"
    library.play("coins", [str, str], seed=1, settings={"rounds": 2}, log=log)
    with discovery.evidence(log).open("ab") as file:
        file.write(b"torn\n{}\n")
    with library.open(log) as database:
        with pytest.warns(UserWarning, match="evidence that could not be read: 2") as caught:
            rows = database.sql("SELECT count(*) FROM evidence")
        assert [warning.filename for warning in caught] == [__file__]
        with warnings.catch_warnings(action="error"):
            assert database.sql("SELECT count(*) FROM evidence").fetchall() == rows.fetchall()


def test_temporary_files_that_were_removed_are_named(log: Path) -> None:
    """A machine may clean its temporary folder while a notebook is open: a query says so."""
    with library.open(log) as database:
        folder = database._database.folder.name
        shutil.rmtree(folder)
        with pytest.raises(library.KothError, match=rf"{folder}\S+: No such file or directory"):
            database.sql("FROM evidence")


def test_an_interrupt_is_a_keyboard_interrupt(
    database: library.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reaches the caller as such, although DuckDB puts a RuntimeError in its place."""

    def interrupted(*_: object) -> None:
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr("audit.query.tables", interrupted)
    with pytest.raises(KeyboardInterrupt):
        database.tables()


def test_threads_prepare_one_query_at_a_time(
    database: library.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No two threads make the same table."""
    busy: list[int] = []
    most: list[int] = []

    def relation(*_: object) -> None:
        busy.append(1)
        most.append(len(busy))
        time.sleep(0.001)
        busy.pop()

    monkeypatch.setattr("audit.query.relation", relation)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(database.sql, ["FROM players"] * 20))
    assert most == [1] * 20


# --- errors --------------------------------------------------------------------------------------


def folder_of_two(log: Path) -> Path:
    """A folder with two logs."""
    (log.parent / "second.jsonl").write_bytes(log.read_bytes())
    return log.parent


def broken_link(log: Path) -> Path:
    """A link to a file that does not exist."""
    link = log.parent / "link"
    link.symlink_to("gone")
    return link


def closed(log: Path) -> library.Database:
    """A database that is closed again."""
    with library.open(log) as database:
        return database


def broken(folder: Path) -> Path:
    """A bot that cannot start."""
    path = folder / "broken.py"
    path.write_text("import no_such_module\n")
    return path


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda log: library.verify("nowhere.jsonl"), "nowhere.jsonl: there is no such file"),
        (lambda log: library.verify(log.parent / "empty"), "expected a log"),
        (lambda log: library.verify(log, proof=log), "expected a key too"),
        (lambda log: library.replay(log.parent), "found a folder with one. Name the log itself"),
        (lambda log: library.explain(log.parent / "empty"), "found a folder without one"),
        (lambda log: library.verify(log, jobs=0), "jobs: expected a number from 1 to 512, found 0"),
        (
            lambda log: library.audit(log, jobs=-1),
            "jobs: expected a number from 1 to 512, found -1",
        ),
        (lambda log: closed(log).tables(), "the tables cannot be listed"),
        (lambda log: closed(log).sql("FROM players"), "the query was refused"),
        (
            lambda log: library.play("coup", [str, broken(log.parent)]),
            r"Mend it, or play all the same with allow_broken=True\.",
        ),
        (lambda log: library.replay(log, at=21), "expected an event from 0 to 20, found 21"),
        (lambda log: library.replay(log, at=-1), "expected an event from 0 to 20, found -1"),
        (lambda log: library.explain(log.parent, match=9), "there is no log of a match '9'"),
        (lambda log: library.explain(log, match=9), "with the match '9', found a file"),
        (lambda log: library.explain(folder_of_two(log)), "or the match with match=…"),
        (
            lambda log: library.verify(broken_link(log)),
            "the link leads to gone, which does not exi",
        ),
        (
            lambda log: library.audit(log, rule="?"),
            r"there is no rule '\?'. Expected GAME/NAME, such",
        ),
        (lambda log: library.open([]), "paths: expected a log, a folder, .* found none"),
        (lambda log: library.verify(""), "path: expected a path, found an empty text"),
        (lambda log: library.play("coup", [str, str], log=""), "log: expected a path, found an"),
        (lambda log: library.play("coup", [str, str], log="a\0b"), "log: expected a path, found a"),
        (lambda log: library.verify("\ud800"), "path: expected a path, found a text with a surr"),
        (lambda log: library.verify(log, key="a\0", origin="o"), "key: expected a path, found a"),
        (lambda log: library.play("coup", [str, ""]), "expected a bot, found an empty text"),
        (lambda log: library.audit(log, rule="no_such"), "there is no rule 'no_such'"),
        (lambda log: library.leaderboard(log.parent / "empty"), "expected a log"),
        (lambda log: library.play("chess", [str]), "no game is called 'chess'"),
        (lambda log: library.play("coup", [str]), "expected 2 bots, found 1"),
        (lambda log: library.play("coup", [str, str], seed="xyz"), "seed: expected 1 to 64 hex"),
        (lambda log: library.play("coup", [str, str], seed=-1), "seed: expected 1 to 64 hex"),
        (lambda log: library.play("coup", [str, str], log=log), "there is a file already"),
        (
            lambda log: library.play("coup", [str, str], settings={"x": 1}),
            "coup has no setting .x.",
        ),
        (
            lambda log: UNTYPED.play("coup", [str, str], settings={"mirrored": [1]}),
            r"setting mirrored: expected a valid integer, found '\[1\]'",
        ),
        (lambda log: library.play("coup", [str, "no/bot"]), "there is no such bot"),
        (
            lambda log: library.play("coup", [str, "examples/taxman"], isolation="glass"),
            "isolation: expected one of sandbox, process, none, found 'glass'",
        ),
        (
            lambda log: library.play("coup", [str, str], isolation="glass"),
            "isolation: expected one",
        ),
    ],
)
def test_errors_are_of_one_kind(call: Any, words: str, log: Path) -> None:
    """An error that a person can act on is a KothError with the expected and the actual value."""
    (log.parent / "empty").mkdir()
    with pytest.raises(library.KothError, match=words):
        call(log)


def test_a_file_without_permission_is_a_koth_error(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of the system becomes a KothError with the path."""

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied", str(log))

    monkeypatch.setattr("koth.library.events.read_sealed", refuse)
    with pytest.raises(library.KothError, match=r"log\.jsonl: Permission denied\."):
        library.replay(log)


UNTYPED: Any = library
"""The library for calls that a type checker refuses."""


class PathOfBytes:
    """A path as bytes, such as an entry of ``os.scandir(b".")``."""

    def __fspath__(self) -> bytes:
        return b"log.jsonl"


def test_a_path_is_text_or_a_path(log: Path) -> None:
    """Anything else is an error of the program, a TypeError."""
    for function in UNTYPED.verify, UNTYPED.audit, UNTYPED.open, UNTYPED.leaderboard:
        for wrong, kind in (
            (7, "int"),
            (None, "NoneType"),
            (b"a", "bytes"),
            (PathOfBytes(), "bytes"),
            ([log, 7.5], "float"),
        ):
            with pytest.raises(
                TypeError, match=f"path: expected a str or os.PathLike, found {kind}"
            ):
                function(wrong)
    for one in UNTYPED.replay, UNTYPED.explain:
        with pytest.raises(TypeError, match=r"path: expected a str or os\.PathLike, found list"):
            one([log])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda log: UNTYPED.replay(log, at="5"), "at: expected an int, found str"),
        (lambda log: UNTYPED.replay(log, at=5.5), "at: expected an int, found float"),
        (lambda log: UNTYPED.explain(log, "5"), "seq: expected an int, found str"),
        (lambda log: UNTYPED.explain(log, match=1.5), "match: expected an int, found float"),
        (lambda log: UNTYPED.verify(log, jobs="2"), "jobs: expected an int, found str"),
        (lambda log: UNTYPED.verify(log, key=7), "key: expected a str or os.PathLike, found int"),
        (lambda log: UNTYPED.verify(log, key=PathOfBytes(), origin="o"), "key: expected a str or"),
        (lambda log: UNTYPED.play("coup", [str, PathOfBytes()]), "players: expected a str or"),
        (lambda log: UNTYPED.verify(log, key="k", origin=7), "origin: expected a str, found int"),
        (lambda log: UNTYPED.verify(log, proof=7), "proof: expected a str or os.PathLike"),
        (lambda log: UNTYPED.audit(log, jobs=None), "jobs: expected an int, found NoneType"),
        (lambda log: UNTYPED.audit(log, rule=7), "rule: expected a str, found int"),
        (lambda log: UNTYPED.open(log).sql(None), "query: expected a str, found NoneType"),
        (lambda log: UNTYPED.play(7, [str, str]), "game: expected the name of a game, found int"),
        (lambda log: UNTYPED.play("coup", None), "players: expected a list of them, found None"),
        (lambda log: UNTYPED.play("coup", {"a": str}), "players: expected a list of them"),
        (lambda log: UNTYPED.play("coup", {str, len}), "players: expected a list of them"),
        (lambda log: UNTYPED.play("coup", [7, 7]), "players: expected a path or a function"),
        (lambda log: UNTYPED.play("coup", [str, str], seed=1.5), "seed: expected an int, found"),
        (lambda log: UNTYPED.play("coup", [str, str], log=7), "log: expected a str or os.PathLike"),
        (
            lambda log: UNTYPED.play("coup", [str, str], isolation=0),
            "isolation: expected a str, found int",
        ),
        (
            lambda log: UNTYPED.play("coup", [str, str], allow_broken="no"),
            "allow_broken: expected a bool, found str",
        ),
        (
            lambda log: UNTYPED.play("coup", [str, str], settings=["rounds=2"]),
            "settings: expected names with values, found list",
        ),
        (
            lambda log: UNTYPED.play("coup", [str, str], settings={1: 2}),
            "settings: expected a str for each name, found int",
        ),
    ],
)
def test_an_argument_of_a_wrong_type_is_named(call: Any, words: str, log: Path) -> None:
    """It is an error of the program: a TypeError with the parameter and both types."""
    with pytest.raises(TypeError, match=words):
        call(log)


def test_integers_of_numpy_are_integers(log: Path, tmp_path: Path) -> None:
    """An event and a seed may come from a frame."""
    number = UNTYPED.open(log).sql("SELECT max(seq) AS seq FROM events").df().seq[0]
    assert type(number) is not int
    assert UNTYPED.replay(log, at=number) == UNTYPED.replay(log, at=int(number))
    assert UNTYPED.explain(log, number) == UNTYPED.explain(log, int(number))
    played = UNTYPED.play("coins", [str, str], seed=number, log=tmp_path / "coins.jsonl")
    assert played.verdict.fine


def test_a_broken_bot_plays_if_that_is_allowed(tmp_path: Path) -> None:
    """Each of its questions is a fault, as with --allow-broken."""
    log, bad = tmp_path / "coins.jsonl", broken(tmp_path)
    with pytest.warns(UserWarning, match="no_such_module"):
        match = library.play("coins", [str, bad], seed=1, log=log, allow_broken=True)
    assert (1, "crash") in match.result.faults


def test_the_seed_of_a_log_is_any_that_the_command_takes(koth: Koth, tmp_path: Path) -> None:
    """An integer is the seed with its hex digits."""
    for seed in (0x2A, "2a", "0" * 62 + "2A"):
        path = tmp_path / f"{seed}.jsonl"
        library.play("coup", [str, str], seed=seed, log=path)
        assert library.verify(path).verdict == "verified"
        assert f'"seed":"{hex_seed(0x2A)}"' in path.read_text()
    assert status(["verify", str(tmp_path)]) == 0
