"""Seals, commitments and hashes of bots, recomputed with coreutils or by their definition."""

from __future__ import annotations

import random
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema import seal
from schema.reader import read
from tests.factories import SEED, at_random, match_events, write
from tests.schema.shell import sh

SEEDS = st.text("0123456789abcdef", min_size=64, max_size=64)


@pytest.mark.parametrize("luck", range(3))
def test_the_seal_is_checkable_with_head_and_sha256sum(luck: int, tmp_path: Path) -> None:
    """`head -n -1 LOG | sha256sum` prints the hash in the seal."""
    log = write(tmp_path / "log.jsonl", match_events(at_random(random.Random(luck))))
    printed = sh("head -n -1 log.jsonl | sha256sum", tmp_path)
    assert printed.split()[0] == read(log).seal["sha256"]


def laid_out(folder: Path, files: dict[str, bytes]) -> str:
    """Write ``files`` to ``folder``; return their sorted names, quoted for a shell."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return " ".join("'" + name.replace("'", "'\\''") + "'" for name in sorted(files))


@pytest.mark.parametrize(
    "files",
    [
        {"taxman.py": b"print('T')\n"},
        {"bot.py": b"", "lib/table.txt": b"\0\xff", "a b.py": b"x", "Z.py": b"z", "ü.py": b"u"},
        {"it's.py": b"", "$x.py": b"1", "-.py": b"2"},
        {"back\\slash.py": b""},
        {"two\nlines.py": b""},
    ],
    ids=["one", "several", "quoted", "backslash", "newline"],
)
def test_the_hash_of_a_bot_is_what_sha256sum_says(files: dict[str, bytes], tmp_path: Path) -> None:
    """`sha256sum FILES | sha256sum` prints the hash of a bot, if the files are sorted by name."""
    names = laid_out(tmp_path, files)
    assert sh(f"sha256sum -- {names} | sha256sum", tmp_path).split()[0] == seal.bot_hash(files)


def test_command_and_class_are_lines_of_the_hash_of_a_bot(tmp_path: Path) -> None:
    """The command and the class of a bot are lines after those of its files, in JSON."""
    files = {"bot.py": b"x"}
    names = laid_out(tmp_path, files)
    command, kind = """echo 'command ["python","bot.py"]'""", """echo 'class "Bot"'"""
    for lines, hash in (
        (command, seal.bot_hash(files, ["python", "bot.py"])),
        (kind, seal.bot_hash(files, class_name="Bot")),
        (f"{command}; {kind}", seal.bot_hash(files, ["python", "bot.py"], "Bot")),
    ):
        printed = sh(f"(sha256sum -- {names}; {lines}) | sha256sum", tmp_path)
        assert printed.split()[0] == hash


def test_words_beyond_ascii_are_hashed_as_they_are() -> None:
    """The JSON in the lines of a command and a class has letters beyond ASCII in UTF-8."""
    lines = 'command ["./bücher","棋"]\nclass "Könıg"\n'
    assert seal.bot_hash({}, ["./bücher", "棋"], "Könıg") == sha256(lines.encode()).hexdigest()


def test_the_hash_of_a_bot_of_one_file_is_as_documented(tmp_path: Path) -> None:
    """The command in the documentation prints the hash of a bot of one file."""
    (tmp_path / "taxman.py").write_bytes(b"print('T')\n")
    printed = sh("sha256sum taxman.py | sha256sum", tmp_path)
    assert printed.split()[0] == seal.bot_hash({"taxman.py": b"print('T')\n"})


@given(st.dictionaries(st.text("abc/", min_size=1), st.binary(), min_size=2))
def test_the_hash_of_a_bot_depends_on_nothing_but_its_files(files: dict[str, bytes]) -> None:
    """The order of files does not change the hash; another name or byte changes it."""
    hashed = seal.bot_hash(files)
    assert seal.bot_hash(dict(reversed(files.items()))) == hashed
    name = min(files)
    assert seal.bot_hash(files | {name: files[name] + b"\n"}) != hashed
    assert seal.bot_hash(files | {"d": b""}) != hashed


def test_a_commitment_is_the_hash_of_the_seeds_text(tmp_path: Path) -> None:
    """A commitment is the SHA-256 of the seed's 64 hex digits, without a newline."""
    assert seal.commitment(SEED) == sh(f"printf '%s' {SEED} | sha256sum").split()[0]
    assert seal.tournament_id(seal.commitment(SEED)) == seal.commitment(SEED)[:16]


@given(SEEDS, st.integers(0, 10**6), st.integers(0, 9), st.integers(0, 10**6))
def test_seeds_follow_from_seeds_as_designed(seed: str, match: int, seat: int, n: int) -> None:
    """Seeds of matches and bots are hashes of the seed above them and of their purpose."""

    def hashed(text: str) -> str:
        return sha256(text.encode()).hexdigest()

    name = f"1-{match:06}"
    assert seal.match_seed(seed, name) == hashed(f"{seed}:match:{name}")
    assert seal.bot_seed(seed, seat, n) == hashed(f"{seed}:bot/{seat}/{n}")
    assert seal.bot_seed(seed, seat) == hashed(f"{seed}:bot/{seat}")


def test_every_bot_and_decision_has_its_own_seed() -> None:
    """No two matches, seats or decisions share a seed, and no bot has the match's seed."""
    seeds = [SEED, *(seal.match_seed(SEED, f"1-{n:06}") for n in range(20))]
    seeds += [seal.bot_seed(SEED, seat, n) for seat in range(12) for n in range(20)]
    seeds += [seal.bot_seed(SEED, seat) for seat in range(12)]
    assert len(set(seeds)) == len(seeds)
