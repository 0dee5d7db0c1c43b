"""Archives on shared storage: a second engine finds the types that ``docs/scale.md`` promises."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pyarrow.dataset  # type: ignore[import-untyped]
import pytest

from audit.archive import pack
from audit.loading.vouched import PARQUET
from audit.tables import open_database
from tests.audit.archives import each_game, names, played
from tests.koth.commands import ROOT

QUOTE = '"'
PAGE = ROOT / "docs" / "scale.md"
ROW = re.compile(r"^\| (`[A-Z`, ]+`) \| [^|]+ \| `(\w+)` \|$", re.M)


def plain_types() -> Mapping[str, str]:
    """Return the types that are neither lists nor structs, with their Arrow types on the page."""
    if not PAGE.exists():
        pytest.skip("the pages are no part of the wheel")
    rows = ROW.findall(PAGE.read_text())
    return {name: arrow for cell, arrow in rows for name in re.findall(r"\w+", cell)}


def in_arrow(type_: str, plain: Mapping[str, str]) -> str:
    """Return the Arrow type of a column type of ``koth sql``."""
    if type_.endswith("[]"):
        return f"list<element: {in_arrow(type_[:-2], plain)}>"
    if type_.startswith("STRUCT("):
        fields = [field.rsplit(" ", 1) for field in type_[len("STRUCT(") : -1].split(", ")]
        inner = [f"{name.strip(QUOTE)}: {in_arrow(of, plain)}" for name, of in fields]
        return f"struct<{', '.join(inner)}>"
    return plain[type_]


@each_game
def test_a_table_is_a_dataset_of_the_types_on_the_page(game: str, tmp_path: Path) -> None:
    """Each table of an archive is one dataset, with the game as its partition."""
    pack([played(tmp_path / "spring", game)], tmp_path / "archive")
    plain = plain_types()
    compared = 0
    with open_database([tmp_path / "archive"], bare=True) as database:
        for table in names(game):
            path = tmp_path / "archive" / PARQUET / table
            found = pyarrow.dataset.dataset(path, partitioning="hive")
            assert found.schema.names[-1] == "game"
            rows = database.execute(f'DESCRIBE "{table}"').fetchall()
            types = {name: in_arrow(type_, plain) for name, type_, *_ in rows}
            for name in set(found.schema.names) & types.keys() - {"game"}:
                assert str(found.schema.field(name).type) == types[name], (table, name)
                compared += 1
    assert compared > 50
