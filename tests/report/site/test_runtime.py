"""The archive of Koth for browsers is complete, and the same each time."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch
from zipfile import ZipFile

import orjson

from replay.verify import verify
from report.site import runtime
from tests.corpus.entries import HERE as CORPUS
from tests.golden.make import HERE as GOLDEN

LOGS = (
    GOLDEN / "coup-1/many_turns_at_random.jsonl",
    GOLDEN / "smallest_unique-1/void_by_eleven.jsonl",
    CORPUS / "trailing_comma/log.jsonl",
    CORPUS / "answer_edited_and_resealed_in_bank_heist/log.jsonl",
)

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from report.site.in_browser import verify
assert verify.__code__.co_filename.startswith(sys.argv[1])
for log in sys.argv[2:]:
    print(verify(log, None, None, None, None))
"""


def test_equal_bytes() -> None:
    """The same installation gives the same bytes, on every system."""
    here = runtime.archive()
    with patch.object(sys, "platform", "win32"):
        assert runtime.archive() == here


def test_it_verifies(tmp_path: Path) -> None:
    """The archive alone, with the stand-ins in place of libraries, gives the same verdicts."""
    ZipFile(io.BytesIO(runtime.archive())).extractall(tmp_path)
    command = [sys.executable, "-c", SCRIPT, str(tmp_path), *map(str, LOGS)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    results = [orjson.loads(line) for line in run.stdout.splitlines()]
    verdicts = [verify(log) for log in LOGS]
    assert [(result["verdict"], result["reason"], result["line"]) for result in results] == [
        (verdict.verdict, verdict.reason, verdict.line) for verdict in verdicts
    ]
    assert {verdict.verdict for verdict in verdicts} == {"verified", "corrupt", "diverged"}
