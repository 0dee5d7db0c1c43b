"""Archives: bytes per round as a bundle and as Parquet; logs to Parquet, packing, unpacking."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from audit.archive import ZSTD, pack, unpack
from audit.loading.columns import literal
from audit.loading.load import BulkTables
from audit.tables import open_database
from benchmarks._packed import history
from benchmarks.measure import Figure, at_most, in_turn, medians, times

SIZE = 10_000_000
"""Rounds of ten choices each."""

QUICK = 300_000

UNCHECKED = f"""
COPY (
    SELECT filename, seq, round, choices, winner
    FROM read_json({{logs}}, format = 'newline_delimited', filename = true, columns = {{{{
        seq: 'BIGINT', type: 'VARCHAR', round: 'BIGINT', choices: 'BIGINT[]', winner: 'BIGINT'
    }}}})
    WHERE type = 'round'
)
TO {{target}} (FORMAT parquet, {ZSTD})
"""
"""The calibration of strict reading: this query takes all lines, and checks nothing."""

ENTROPY = """
WITH chosen AS (
    SELECT unnest(choices) AS choice, len(choices) AS seats FROM smallest_unique_round
),
counts AS (SELECT choice, count(*) AS n, max(seats) AS seats FROM chosen GROUP BY choice)
SELECT max(seats) * sum(-n * log2(n / total)) / max(total) / 8
FROM counts, (SELECT sum(n) AS total FROM counts)
"""
"""Lower bound of bytes per round for lossless storage, if choices are independent."""


def run(size: int) -> Iterator[Figure]:
    """Compare sizes with the entropy of the choices, and MB of logs per second with copying."""
    with history(size) as (folder, rounds), TemporaryDirectory(dir=folder.parent) as place:
        works = _Works(folder, Path(place))
        taken = medians(
            in_turn(
                {
                    "to_parquet": works.to_parquet,
                    "unchecked": works.unchecked,
                    "pack": works.pack,
                    "unpack": works.unpack,
                    "copy": works.copy,
                },
                rounds=3,
            )
        )
        logs = _size(folder)
        parquet = _size(works.archive / "parquet")
        bundle = _size(works.archive) - parquet
        with open_database([works.archive]) as database:
            [(entropy,)] = database.execute(ENTROPY).fetchall()
    least = "entropy of the choices"
    yield Figure("logs", logs / rounds, "B/round", least, entropy)
    yield Figure("bundle", bundle / rounds, "B/round", least, entropy)
    yield Figure("Parquet", parquet / rounds, "B/round", least, entropy, (at_most(4.7),))
    speed = {name: logs / 1e6 / seconds for name, seconds in taken.items()}
    yield Figure(
        "logs to Parquet",
        speed["to_parquet"],
        "MB/s",
        "read_json and COPY, unchecked",
        speed["unchecked"],
        (times(0.85),),
    )
    for name in ("pack", "unpack"):
        yield Figure(name, speed[name], "MB/s", "copying the folder", speed["copy"])


class _Works:
    """The measured works; ``archive`` is the archive of the last ``pack``."""

    def __init__(self, folder: Path, place: Path) -> None:
        self._folder = folder
        self._place = place
        self.archive = place / "archive"

    def to_parquet(self) -> None:
        with open_database([self._folder], bare=True, bulk_tables=BulkTables(ZSTD)):
            pass

    def unchecked(self) -> None:
        target = self._place / "unchecked.parquet"
        logs = self._folder / "matches" / "*.jsonl"
        with duckdb.connect() as connection:
            connection.execute(UNCHECKED.format(logs=literal(logs), target=literal(target)))

    def pack(self) -> None:
        shutil.rmtree(self.archive, ignore_errors=True)
        pack([self._folder], self.archive)

    def unpack(self) -> None:
        with TemporaryDirectory(dir=self._place) as back:
            unpack(self.archive, Path(back) / "back")

    def copy(self) -> None:
        with TemporaryDirectory(dir=self._place) as back:
            shutil.copytree(self._folder, Path(back) / "back")


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
