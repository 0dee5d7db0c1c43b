"""A transcript of Bank Heist that was imported is exported again as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.bank_heist.transcript import of_match
from games.importing import formats, imported
from schema import reader
from tests.audit.imported_logs import EXCERPT, TRANSCRIPT

TOLD = """\
#####GAME 7: 31 players######
Round 1:
Mole bet 1.
Lurker bet 0.
Snitch bet 69.
Round 2
Snitch decided to  back out, maybe .
Mole decided to .
Results
Snitch was successful, and may gain ¥124
Mole failed. :(
Results:
0. Snitch: 3600
1. Mole: 0
2. Lurker: 3600
#####GAME 8: 3 players######
Round 1:
Lurker bet 0.
Round 2
Results:
0. Lurker: 3840
1. Snitch: 3840
2. Mole: 240
#####GAME 9: 45 players######
Round 1:
Snitch bet 3840.
Round 2
Snitch decided to all in.
Results
Snitch was successful, and may gain ¥0
"""
"""With odd words, a table out of order, a game without a heist, and no table at its end."""


def back(text: str, tmp_path: Path) -> str:
    """A transcript, imported and exported."""
    (tmp_path / "old.txt").write_text(text)
    found = formats.read("bank-heist-transcript", [tmp_path / "old.txt"])
    imported.write(found, tmp_path / "new")
    return of_match(reader.read(tmp_path / "new" / "matches" / "1-000000.jsonl"))


@pytest.mark.parametrize("text", [TOLD, EXCERPT.read_text()], ids=["odd", "excerpt"])
def test_an_imported_transcript_comes_back(text: str, tmp_path: Path) -> None:
    """Every line is as it was, in its order."""
    assert back(text, tmp_path) == text


def test_the_older_variant_comes_back_without_its_blank_lines(tmp_path: Path) -> None:
    """It has no lines about the heist, so none are made up."""
    lines = TRANSCRIPT.read_text().splitlines(keepends=True)
    kept = [line for line in lines if line.strip()]
    assert len(kept) < len(lines)
    assert back("".join(lines), tmp_path) == "".join(kept)


def test_what_says_nothing_is_not_kept(tmp_path: Path) -> None:
    """Zeros in front of a number, a part that is empty, and words that cannot be printed go."""
    odd = TOLD.replace("bet 69.", "bet 0069.").replace("Mole decided to .", "Mole decided to \x1b.")
    odd = odd.replace("Round 2\nResults:", "Round 2\nResults\nResults:")
    plain = TOLD.replace("Mole decided to .", "Mole decided to !guncheck.")
    assert back(odd, tmp_path) == plain
