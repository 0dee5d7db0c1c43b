"""``koth verify`` where the rules of a game fail on one of several logs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from koth.library import verdicts as library
from replay import streaming_verify
from replay.tournament_links import LogSummary
from replay.verify import verify
from schema.errors import GameError
from schema.log_path import LogPath
from tests.koth.commands import Koth

CORPUS = Path(__file__).parents[1] / "corpus"


def fail_on(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let the rules fail on the logs with these names."""
    verified = streaming_verify.verified

    def failing(path: LogPath) -> LogSummary | None:
        if path.name in names:
            raise GameError("the rules are broken.")
        return verified(path)

    monkeypatch.setattr(streaming_verify, "verified", failing)


def test_the_other_logs_get_their_verdicts(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are printed first; then the error names the log, and the exit code is 4."""
    home = tmp_path / "spring"
    shutil.copytree(CORPUS / "honest_tournament_of_coins", home)
    fail_on(monkeypatch, "1-000000.jsonl", "1-000002.jsonl")
    with pytest.raises(GameError, match="the rules are broken"):
        verify(home / "matches/1-000000.jsonl")
    text = koth("verify", home)
    assert (text.code, text.out.count("verified  ")) == (4, 2)
    assert text.out.endswith("\n2 logs: 2 verified\n")
    broken = home / "matches/1-000000.jsonl"
    more = "1 other log without a verdict, too"
    assert text.err == f"koth: {broken}: the rules are broken. ({more}.)\n"
    listed = koth("verify", home, "--format", "json")
    assert (listed.code, len(listed.json["logs"])) == (4, 2)


def test_all_logs_of_a_contest_without_a_verdict_are_counted(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text, which comes stage by stage, ends with the same error as the JSON."""
    home = tmp_path / "spring"
    shutil.copytree(CORPUS / "honest_contest", home)
    fail_on(monkeypatch, "1-000000.jsonl")
    text, listed = koth("verify", home), koth("verify", home, "--format", "json")
    assert (text.code, listed.code) == (4, 4)
    assert text.err == listed.err
    assert text.err.endswith("the rules are broken. (1 other log without a verdict, too.)\n")


def test_the_library_raises_the_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`koth.verify` gives no verdict on a folder if the rules fail on one of its logs."""
    home = tmp_path / "spring"
    shutil.copytree(CORPUS / "honest_tournament_of_coins", home)
    fail_on(monkeypatch, "1-000002.jsonl")
    with pytest.raises(GameError, match=r"1-000002\.jsonl: the rules are broken"):
        library.verify(home)
