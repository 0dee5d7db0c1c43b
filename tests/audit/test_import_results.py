"""Importing published final tables of three games."""

from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path

import pytest

from audit.run_rules import audit
from audit.tables import open_database
from games.importing import formats, imported
from schema import registry
from schema.errors import UsageError
from tests.audit.imported_logs import DATA, bring_in, refusal, tournament_in
from tests.audit.together import report_on
from tests.referee.interruptions import Disk, disk
from tests.referee.interruptions import refusal as refusal_of_the_disk

TABLES = {"smallest_unique": 48, "coins": 17, "coup": 13}
SOME = {game: (DATA / f"{game.replace('_', '-')}-results.txt").read_text() for game in TABLES}


def table(game: str, folder: Path) -> Path:
    """The folder, with the published final table of a game in it."""
    return bring_in("results", folder, DATA / f"{game.replace('_', '-')}-results.txt")


@pytest.mark.parametrize("game", TABLES)
def test_a_table_comes_back_as_it_was(game: str, tmp_path: Path) -> None:
    """The import recognises the game by its form, and exporting it again gives the same file."""
    log = tournament_in(table(game, tmp_path / "deep" / "new"))
    assert log.imported
    assert (log.card.name, len(log.start["entrants"])) == (game, TABLES[game])
    transcript = registry.card(game).current.transcript("tournament")
    assert transcript is not None
    assert transcript(log) == SOME[game]


@pytest.mark.parametrize(
    ("game", "place", "standing"),
    [
        ("smallest_unique", 4, {"rank": 5, "entrant": 4, "score": 564, "games": 2056}),
        ("coins", 16, {"rank": 17, "entrant": 16, "score": 62240, "games": 100}),
        ("coup", 4, {"rank": 4, "entrant": 4, "score": 137, "games": 240}),
    ],
)
def test_games_and_ranks_come_from_the_line_or_the_settings(
    game: str, place: int, standing: dict[str, int], tmp_path: Path
) -> None:
    """Games and ranks that a line omits follow from the settings; equal points share a rank."""
    finished = tournament_in(table(game, tmp_path / "new")).events[-2]
    assert finished["standings"][place] == standing  # type: ignore[index]


@pytest.mark.parametrize("game", TABLES)
def test_the_audit_finds_nothing_in_a_sound_table(game: str, tmp_path: Path) -> None:
    """The published tables add up, and no rule asks for matches that nobody has."""
    report = report_on(table(game, tmp_path / "new"))
    assert (report.findings, report.unread) == ([], [])


@pytest.mark.parametrize(
    "rule",
    [
        "coins/published_rank_not_from_the_sums",
        "smallest_unique/more_wins_than_games",
        "smallest_unique/published_games_do_not_add_up",
        "smallest_unique/published_rank_not_from_the_rate",
        "smallest_unique/published_with_too_few_games",
    ],
)
def test_the_published_tables_add_up(rule: str, tmp_path: Path) -> None:
    """Ranks, wins and games of the published tables are as the rules want them."""
    folder = table(rule.partition("/")[0], tmp_path / "new")
    with open_database([folder], current_only=True) as database:
        assert audit(database, rule).findings == []


def test_negative_sums_are_read(tmp_path: Path) -> None:
    """A sum of points of Coins may be below 0."""
    (tmp_path / "old.txt").write_text("1. A: 5\n2. B: -7\n")
    folder = bring_in("results", tmp_path / "new", tmp_path / "old.txt")
    finished = tournament_in(folder).events[-2]
    assert finished["standings"][1]["score"] == -7  # type: ignore[index]


def test_numbers_at_their_bounds_are_read(tmp_path: Path) -> None:
    """The largest number of a log is read, and a ratio that was rounded up or down."""
    path = tmp_path / "old.txt"
    for lines in (f"{2**63 - 1} A\n", "A: 0.3 (1/4)\nB: 0.2 (1/4)\n"):
        path.write_text(lines)
        assert formats.read("results", [path]).tournament


@pytest.mark.parametrize("game", TABLES)
def test_games_that_follow_from_the_settings_are_noted(game: str) -> None:
    """The note names the file; a table that has the games needs none."""
    path = DATA / f"{game.replace('_', '-')}-results.txt"
    note = formats.read("results", [path]).note
    if game == "smallest_unique":
        assert note is None
    else:
        assert (note or "").startswith(f"{path} does not say how many games each bot played; ")


@pytest.mark.parametrize(
    ("game", "old", "new", "told"),
    [
        ("coup", "137 Solver", "137 Sol ver", ":4: expected '154 NAME', found '137 Sol ver'."),
        ("coup", "137 Solver", "3. Solver: 1", ":4: expected '154 NAME', found '3. Solver: 1'."),
        ("coup", "Mask", "Taxman", ":12: expected each name once, found 'Taxman' again."),
        (
            "coup",
            "79",
            "9" * 19,
            ":11: expected a number of at most 9223372036854775807, found '9999999999999999999'.",
        ),
        ("coup", "64 Random\n", "64 Rand", ":13: expected a line that ends in LF, found '64 Rand"),
        ("coup", "\n", "\r\n", ":1: expected lines that end in LF, found a carriage return."),
        (
            "smallest_unique",
            "",
            "\ufeff",
            ":1: expected UTF-8 without a byte order mark, found one.",
        ),
        ("coins", "3. Sec", "0. Sec", ":3: expected a rank of at least 1, found 0."),
        (
            "smallest_unique",
            "0.3216",
            "0.3217",
            ":3: expected 0.3216, which is 649 ÷ 2018, found 0.3217.",
        ),
    ],
)
def test_a_line_that_cannot_be_read_is_refused(
    game: str, old: str, new: str, told: str, tmp_path: Path
) -> None:
    """The message has the number of the first bad line; a rate must be wins ÷ games."""
    assert refusal("results", tmp_path, SOME[game].replace(old, new, 1)).startswith(told)


def test_a_file_of_no_known_form_is_refused(tmp_path: Path) -> None:
    """The forms that are known are all named."""
    assert refusal("results", tmp_path, "hello\n") == (
        ":1: expected 'NAME: 0.3998 (796/1991)' or '1. NAME: 1017790' or '154 NAME', found 'hello'."
    )


@pytest.mark.parametrize(
    ("format", "kind"), [("results", "final table"), ("bank-heist-transcript", "transcript")]
)
def test_several_files_are_refused_by_their_names(format: str, kind: str) -> None:
    """A table or a transcript is one file; the message names those given, and the remedy."""
    told = f"^expected one {kind}, found 2 files: a.txt, b.txt. Import each alone.$"
    with pytest.raises(UsageError, match=told):
        formats.read(format, [Path("a.txt"), Path("b.txt")])


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    """If writing fails halfway, no folder and no part of one is left."""
    found = formats.read("results", [DATA / "coup-results.txt"])
    assert found.tournament is not None
    torn = replace(found, tournament=[*found.tournament, {"type": "what", "ever": object()}])
    with pytest.raises(TypeError):
        imported.write(torn, tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


ZEROS = "0" * 5000
"""More digits than Python's ``int`` reads."""


def test_leading_zeros_are_read(tmp_path: Path) -> None:
    """Any number of zeros before a number changes nothing."""
    (tmp_path / "old.txt").write_text(f"{ZEROS}1. A: {ZEROS}5\n2. B: -{ZEROS}7\n3. C: -{ZEROS}\n")
    folder = bring_in("results", tmp_path / "new", tmp_path / "old.txt")
    standings = tournament_in(folder).events[-2]["standings"]
    assert [(s["rank"], s["score"]) for s in standings] == [(1, 5), (2, -7), (3, 0)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (f"{'9' * 5000} A\n", ":1: expected a number of at most 9223372036854775807, found '999"),
        (f"1. A: -{'9' * 5000}\n", ":1: expected a number of at most 9223372036854775807, found "),
        (f"A: 0.5{ZEROS} (1/2)\n", ":1: expected a ratio of at most 100 decimals, found '0.5000"),
        (f"5 A\n4 {'B' * 200_000}\n", ":2: expected a line of at most 100000 characters, found 2"),
        (
            "".join(f"1 Bot{number}\n" for number in range(10_001)),
            ":10001: expected at most 10000 bots, found one more.",
        ),
    ],
    ids=["score", "negative", "ratio", "line", "bots"],
)
def test_what_is_too_long_is_refused(table: str, told: str, tmp_path: Path) -> None:
    """Too many digits, characters or bots are an error in a line, not one of koth."""
    assert refusal("results", tmp_path, table).startswith(told)


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    """If the disk is full, the message names the new folder, and no part of it is left."""
    found = formats.read("results", [DATA / "coup-results.txt"])
    with (
        disk(Disk(0, refusal_of_the_disk(errno.ENOSPC))),
        pytest.raises(imported.NotWritten, match="new: could not be written: No space") as error,
    ):
        imported.write(found, tmp_path / "new")
    assert error.value.exit_code == 4
    assert list(tmp_path.iterdir()) == []


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    """Nothing can be written to a link that leads to itself, and a message says so."""
    (tmp_path / "new").symlink_to("new")
    with pytest.raises(imported.NotWritten, match="new: could not be written"):
        bring_in("results", tmp_path / "new", DATA / "coup-results.txt")


ALIGNED = {
    "smallest_unique": lambda line: f"{line.partition(': ')[0]:>40}: {line.partition(': ')[2]}",
    "coins": lambda line: f"  {line}  ",
    "coup": lambda line: f"{line.partition(' ')[0]:>5} {line.partition(' ')[2]}",
}
"""A line as a game's controller prints it, with names and scores aligned."""


@pytest.mark.parametrize("game", TABLES)
def test_a_table_as_the_controller_prints_it(game: str, tmp_path: Path) -> None:
    """White space around a line changes nothing."""
    lines = map(ALIGNED[game], SOME[game].splitlines())
    (tmp_path / "printed.txt").write_text("".join(f"{line}\n" for line in lines))
    log = tournament_in(bring_in("results", tmp_path / "new", tmp_path / "printed.txt"))
    assert log.events[1:-1] == tournament_in(table(game, tmp_path / "plain")).events[1:-1]
