"""The check of words finds phrases that are not plain, and lets technical terms pass."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


def load_check() -> Any:
    """Return the script docs/plain_words.py as a module."""
    spec = spec_from_file_location("plain_words", ROOT / "docs" / "plain_words.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


plain_words = load_check()


@pytest.mark.parametrize(
    "text",
    [
        "Lines behind the third are let be.",
        "It holds whatever there is, for want of anything better.",
        "The level that is told at start.",
        "The log lies in a folder.",
        "What stands there is hashed.",
        "An answer is held against the log.",
        "There is one log a match.",
        "The file is gone.",
        "Every bot is in order.",
        "Play it once\nmore.",
        "# Play it once\n# more.",
        "Whoever asks, gets it.",
        '    """What a bot wrote."""',
    ],
)
def test_a_phrase_that_is_not_plain_is_found(text: str) -> None:
    """A text with a banned phrase has a finding, also if the phrase is broken over lines."""
    assert plain_words.findings(text)


@pytest.mark.parametrize(
    "text",
    [
        "A bot never lies, and it is caught lying.",
        "RFC stands for Request for Comments.",
        "The rows are in order of their numbers.",
        "Bots are told apart by their hash.",
        "In a match a bot may play itself.",
        "It takes not so much time.",
        "Write a bot\n\nA bot is a program.",
        "The tuple (`told`) and the name behind_it.",
        "Wall-clock time counts, and so does the heap of a JVM.",
        "<!-- generated: commands -->\nWhoever.\n<!-- end -->",
    ],
)
def test_a_technical_term_passes(text: str) -> None:
    """A word is no finding where it has its technical sense, or is in a generated part."""
    assert plain_words.findings(text) == []


def test_a_finding_names_file_line_phrase_and_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check prints one line per finding, and its exit status is 1."""
    monkeypatch.setattr(plain_words, "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("Good.\n\nIt plays once more.\n")
    assert plain_words.main([str(tmp_path)]) == 1
    assert capsys.readouterr().out == f"{page}:3: 'once more'; write instead: again\n"
    page.write_text("It plays again.\n")
    assert plain_words.main([str(tmp_path)]) == 0


def test_data_is_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Golden logs, the corpus, example bots and the changelog keep their words."""
    monkeypatch.setattr(plain_words, "ROOT", tmp_path)
    for name in (
        "CHANGELOG.md",
        "games/coup/bots/liar.py",
        "tests/corpus/cut/expected.toml",
        "tests/golden/coup-1/notes.md",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("once more")
    assert [*plain_words.files(tmp_path)] == []
