"""The list of tables: nothing in it is without a sentence."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from audit.loading.models import SQL
from audit.query import Result, Table, _head, tables
from audit.result_format import columns_of, describe, list_tables
from audit.tables import open_database
from schema import registry
from tests import factories
from tests.audit.doctored_logs import turn


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Table]:
    """The tables over one log of Coup, by their names; those of the other games are there too."""
    log = turn("Tp\n")
    path = factories.write(tmp_path_factory.mktemp("logs") / "log.jsonl", log.events, log.seed)
    with open_database([path]) as database:
        database.make_tables(list(database.pending))
        return {table.name: table for table in tables(database)}


def test_every_table_and_column_has_its_sentence(listed: dict[str, Table]) -> None:
    """Every table, and every column of every table, is described by a sentence."""
    missing = [name for name, table in listed.items() if not table.description.endswith(".")]
    missing += [
        f"{name}.{column.name}"
        for name, table in listed.items()
        for column in table.columns
        if not column.description.endswith(".")
    ]
    assert missing == []


def test_every_game_has_its_tables(listed: dict[str, Table]) -> None:
    """There is a table for each type of event of each game, whether the game was played or not."""
    for game in registry.names():
        models = registry.card(game).current.event_models()
        assert len([name for name in listed if name.startswith(game)]) > len(models)


def test_a_file_speaks_of_the_columns_that_it_makes(listed: dict[str, Table]) -> None:
    """A view's own file comes first, then those it is made from, then events and general words."""

    def said(table: str, column: str) -> str:
        [found] = [one for one in listed[table].columns if one.name == column]
        return found.description

    assert said("coup_calls", "hand") == "The caller's hand."
    assert said("coup_reshuffles", "deck_before") == said("coup_before", "deck_before")
    assert said("coins_turns", "actions") == said("coins_acted", "actions")
    assert said("bank_heist_settled", "game") == "The number of the game in its match, from 0."
    assert said("matches", "game") == "The game, as `koth games` lists it."
    assert said("coup_dealt", "deck") == "The rest of the deck, the next card first."
    assert said("tournaments", "seed").startswith("The tournament's seed, revealed")
    assert said("contests", "seed_commitment").startswith("The head of the chain: ")


def test_columns_that_a_file_tells_of_exist(listed: dict[str, Table]) -> None:
    """No sentence is about a column that is not there."""
    made = {path.stem: path for path in (SQL / "tables").glob("*.sql")}
    for game in registry.names():
        folder = registry.card(game).audit
        made |= {f"{game}{path.stem}": path for path in folder.glob("_*.sql")}
    assert set(made) <= set(listed)
    for name, path in made.items():
        told = set(_head(path.read_text())[1])
        assert told <= {column.name for column in listed[name].columns}, path


def test_the_list_for_people(listed: dict[str, Table]) -> None:
    """A table is listed with its sentence, and shown with its columns and its first rows."""
    table = listed["coup_dealt"]
    assert list_tables([table, listed["matches"]]).splitlines() == [
        "coup_dealt  The deck was shuffled and both hands were dealt (CP-1).",
        "matches     One row per match: its start and its result.",
    ]
    first = Result(("deck", "n"), [("c" * 80, 1)])
    assert describe(replace(table, columns=table.columns[-1:]), first) == (
        "coup_dealt: The deck was shuffled and both hands were dealt (CP-1).\n"
        "  deck  VARCHAR  The rest of the deck, the next card first.\n\n"
        f"{'deck':60}  n\n{'-' * 60}  -\n{'c' * 59}…  1\n"
    )
    text = describe(listed["tournaments"], Result(("n",), []))
    assert "\n  entrants         STRUCT(entrant BIGINT, " in text
    assert re.search(r"\n {20,}In the order of their numbers\.\n", text)


def test_the_list_for_programs(listed: dict[str, Table]) -> None:
    """Every column of every table is a row."""
    result = columns_of(list(listed.values()))
    assert result.columns == ("table", "column", "type", "description")
    assert len(result.rows) == sum(len(table.columns) for table in listed.values())
    assert ("players", "seat", "BIGINT", "A player's seat, from 0.") in result.rows
