"""Commands that play refuse bots that cannot run, and say what is missing or given away."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories import SEED
from tests.koth.commands import Koth
from tests.referee.bot_factory import contents, script


def test_every_broken_bot_is_named(koth: Koth, tmp_path: Path) -> None:
    """A tournament lists all problems, with exit code 2, and leaves no folder."""
    bots = [script(tmp_path, f"b{n}.py", "print(") for n in range(3)]
    for jobs in ([], ["--jobs", "2"]):
        typed = koth("tournament", "coins", *bots, "examples/thief", "-o", tmp_path / "cup", *jobs)
        assert typed.code == 2
        told = typed.err.splitlines()
        assert told[0] == "koth: 3 problems with the bots:"
        assert [line.split(":")[0].strip() for line in told[1:4]] == ["b0", "b1", "b2"]
        assert told[4] == "Mend them, or play all the same with --allow-broken."
        assert not (tmp_path / "cup").exists()


def test_broken_bots_that_are_allowed(koth: Koth, tmp_path: Path) -> None:
    """With --allow-broken they are warned about; the logs are those without any check."""
    words = [script(tmp_path, "broken.py", "print("), "examples/thief"]
    options = ["--seed", SEED, "--set", "games=2", "--set", "rounds=2", "--allow-broken"]
    typed = koth("tournament", "coins", *words, "-o", tmp_path / "cup", *options)
    assert typed.code == 0
    assert typed.err.startswith("koth: broken: ends at once, with exit status 1: SyntaxError")
    again = koth("tournament", "coins", *words, "-o", tmp_path / "two", *options, "--jobs", "2")
    assert again.code == 0
    assert contents(tmp_path / "cup") == contents(tmp_path / "two")
    options = ["--seed", SEED, "--set", "rounds=2", "-o", str(tmp_path / "log.jsonl")]
    assert "broken: ends at once" in koth.complaint("play", "coins", *words, *options)
    assert koth("play", "coins", *words, *options, "--allow-broken").code == 0


def test_resuming_checks_too(koth: Koth, tmp_path: Path) -> None:
    """A tournament goes on with broken bots only if that is allowed again."""
    words = [script(tmp_path, "broken.py", "print("), "examples/thief"]
    options = ["--seed", SEED, "--set", "games=2", "--set", "rounds=2", "--allow-broken"]
    cup = tmp_path / "cup"
    assert koth("tournament", "coins", *words, "-o", cup, *options).code == 0
    whole = contents(cup)
    log = cup / "tournament.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:1]))
    (cup / "seed.private").write_text(f"{SEED}\n")
    assert "broken: ends at once" in koth.complaint("resume", cup, *words)
    assert koth("resume", cup, *words, "--allow-broken").code == 0
    assert contents(cup) == whole


# --- koth play -----------------------------------------------------------------------------------


def test_play_without_a_log(koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without -o, ``koth play`` writes the log to a new temporary folder and prints its path."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    words = ["play", "coins", "examples/thief", "examples/planner", "--set", "rounds=1"]
    typed = [koth(*words) for _ in range(2)]
    paths = [Path(one.err.split(": ")[0]) for one in typed]
    assert len({*paths}) == 2
    for path in paths:
        assert path.parent.parent == tmp_path
        assert path.parent.name.startswith("coins-")
        assert koth("verify", path).code == 0


def test_play_that_is_refused_leaves_no_folder(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that is not played leaves no empty folder."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    koth.complaint("play", "coup", "examples/taxman")
    koth.complaint("play", "coins", script(tmp_path, "a.py", "print("), "examples/thief")
    assert [path.name for path in tmp_path.iterdir()] == ["a.py"]


@pytest.mark.parametrize(
    ("seed", "few"),
    [
        ("7", "32 hex digits"),
        ("f" * 31, "32 hex digits"),
        ("0" * 41 + "f" * 23, "24 hex digits after its zeros"),
    ],
)
def test_a_short_seed(seed: str, few: str, koth: Koth, tmp_path: Path) -> None:
    """A seed that can be guessed is warned about in one line; a random one of 32 digits is not."""
    words = ["play", "coins", "examples/thief", "examples/planner", "--set", "rounds=1", "--seed"]
    [warning, _] = koth(*words, seed, "-o", tmp_path / "a.jsonl").err.splitlines()
    assert warning.startswith(f"koth: --seed {seed}: a bot can guess a seed of fewer than {few}, ")
    for enough in ("f" * 32, "0" * 8 + "f" * 24):
        assert len(koth(*words, enough, "-o", tmp_path / f"{enough}.jsonl").err.splitlines()) == 1
