"""Koth on other systems than Linux: it checks logs there, and plays bots that one trusts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

import pytest

from referee.plain.program import variables
from schema.log_path import path_text, shell_word
from tests.factories import SEED
from tests.koth.commands import COMMAND, ROOT

GOLDEN = ROOT / "tests" / "golden" / "coup-1"
LOG = GOLDEN / "wrong_challenge_of_an_assassin_costs_both_cards.jsonl"

HERE = [sys.executable, "-m", "tests.koth.elsewhere", "linux"]
ELSEWHERE = [*HERE[:-1], "macos"]

CHECKS = [
    ["verify", GOLDEN],
    ["audit", GOLDEN],
    ["explain", LOG],
    ["replay", LOG, "--at", "7"],
    ["faults", GOLDEN],
    ["sql", GOLDEN, "SELECT * FROM events"],
    ["leaderboard", GOLDEN],
    ["games", "coup"],
    ["rules", "coup"],
]


def run(
    command: list[str], folder: Path, settings: Mapping[str, str] = MappingProxyType({})
) -> tuple[int, str, str]:
    """The exit code and the output of a command."""
    path = {**os.environ, "PYTHONPATH": str(ROOT), **settings}
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=path, check=False
    )
    return done.returncode, done.stdout, done.stderr


def typed(words: list[object]) -> list[str]:
    """Words as they are typed."""
    return [str(word) for word in words]


@pytest.mark.parametrize("words", CHECKS, ids=lambda words: words[0])
def test_logs_are_checked_on_every_system(words: list[object], tmp_path: Path) -> None:
    """A command that runs no bots says the same without Linux."""
    elsewhere = run([*ELSEWHERE, "koth", *typed(words)], tmp_path)
    assert elsewhere == run([*COMMAND, *typed(words)], tmp_path)
    assert elsewhere[1]


@pytest.mark.parametrize(
    "words",
    [
        ["play", "coup", "examples/taxman", "examples/bandit", "-o", "match.jsonl"],
        ["tournament", "coup", "examples", "-o", "cup"],
        ["try", "coup", "examples/taxman", "--against", "examples/bandit"],
        [
            "try",
            "coup",
            "examples/taxman",
            "--against",
            "examples/bandit",
            "--isolation",
            "process",
        ],
    ],
    ids=lambda words: f"{words[0]}-{len(words)}",
)
def test_bots_are_isolated_on_linux_only(words: list[object], tmp_path: Path) -> None:
    """Elsewhere a command says how to play bots that one trusts, and writes nothing."""
    code, out, err = run([*ELSEWHERE, "koth", *typed(words)], tmp_path)
    assert (code, out) == (2, "")
    assert "only Linux isolates bots, and this is macOS. For bots that you trust, use" in err
    assert err.count("\n") == 1
    assert not any(tmp_path.iterdir())


UNIQUE = "avoid_crowd constant_one cycler gap_finder geometric one_under repeat_winner uniform"


@pytest.mark.parametrize(
    "words",
    [
        ["debug", LOG, "2", "examples/taxman", "--seat", "0"],
        ["tournament", "coup", "examples", "-o", "cup", "--cluster", "tcp://10.0.0.1:1"],
    ],
    ids=lambda words: words[0],
)
def test_what_needs_linux_says_so(words: list[object], tmp_path: Path) -> None:
    """Elsewhere it names the system, and writes nothing."""
    settings = {"KOTH_ISOLATION": "none"}
    code, out, err = run([*ELSEWHERE, "koth", *typed(words)], tmp_path, settings)
    assert (code, out) == (4, "")
    assert "this needs Linux, and this is macOS. Use a machine, a container or a WSL" in err
    assert not any(tmp_path.iterdir())


FAULTY = {
    "ends.py": "import sys\nprint('why', file=sys.stderr)\nsys.exit(3)\n",
    "floods.py": "while True:\n    print('x' * 100_000)\n",
    "leaves.py": "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', "
    "'import time; time.sleep(987)'])\nprint(1)\n",
}
"""Bots of Bank Heist of which most fail; the last one leaves a process."""


@pytest.mark.parametrize(
    "words",
    [
        ["coup", "examples/taxman", "examples/bandit"],
        ["coins", "examples", "--set", "rounds=1"],
        ["bank_heist", "bots", "--set", "games_min=1", "--set", "games_max=1"],
        [
            "smallest_unique",
            *(f"examples/{bot}" for bot in f"{UNIQUE} saboteur second_smallest".split()),
            "--set",
            "rounds=20",
        ],
    ],
    ids=lambda words: words[0],
)
def test_trusted_bots_play_on_every_system(words: list[object], tmp_path: Path) -> None:
    """The same bots with the same seed give the same log there, faults included."""
    (tmp_path / "bots").mkdir()
    for name, source in FAULTY.items():
        (tmp_path / "bots" / name).write_text(source)
    settings = ["--isolation", "none", "--seed", SEED, "--allow-broken"]
    logs, said = [], []
    for number, command in enumerate([COMMAND, [*ELSEWHERE, "koth"]]):
        log = tmp_path / f"{number}.jsonl"
        code, out, err = run([*command, "play", *typed(words), *settings, "-o", log.name], tmp_path)
        assert code == 0, err
        said.append((out + err).replace(log.name, "LOG"))
        logs.append(log.read_bytes())
    assert logs[0] == logs[1]
    assert said[0] == said[1]
    assert not any(b"time.sleep(987)" in words for words in command_lines())


def command_lines() -> Iterator[bytes]:
    """The command lines of all processes."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            yield path.read_bytes()


@pytest.mark.parametrize("protocol", ["stream", "class"])
def test_processes_that_are_asked_often_react_alike(protocol: str, tmp_path: Path) -> None:
    """A bot with a process for its match is answered, and fails, as on Linux."""
    here, elsewhere = (run([*system, protocol], tmp_path) for system in (HERE, ELSEWHERE))
    assert here[0] == 0, here[2]
    assert elsewhere == here
    assert all(kind in here[1] for kind in ("crash", "timeout"))


def test_a_recorded_match_is_played_again_elsewhere(tmp_path: Path) -> None:
    """Its bots are asked again, and a changed one plays it, as on Linux."""
    bots = ROOT / "games" / "coup" / "bots"
    words = ["play", "coup", *typed([bots / "taxman.py", bots / "bandit.py"]), "-o", "m.jsonl"]
    none = {"KOTH_ISOLATION": "none"}
    assert run([*COMMAND, *words, "--seed", SEED], tmp_path, none)[0] == 0
    for asked in (
        ["reask", "m.jsonl", str(bots)],
        ["again", "m.jsonl", str(bots / "lawyer.py"), "--seat", "0"],
    ):
        here, elsewhere = (
            run([*command, *asked], tmp_path, none) for command in (COMMAND, [*ELSEWHERE, "koth"])
        )
        assert here[0] in (0, 1), here[2]
        assert here[1]
        assert elsewhere[:2] == here[:2]  # it may show progress, as it is slower


FUNCTIONS = """
import koth
from tests.koth.elsewhere import pretend

pretend()
match = koth.play("coup", [lambda *words: "p", lambda *words: "x"], log="match.jsonl")
print(match.verdict.verdict)
"""


def test_functions_play_on_every_system(tmp_path: Path) -> None:
    """`koth.play` with functions needs nothing of Linux, and no isolation."""
    done = run([sys.executable, "-c", FUNCTIONS], tmp_path)
    assert done == (0, "verified\n", "")


def test_a_tournament_is_played_elsewhere(tmp_path: Path) -> None:
    """A tournament of trusted bots has the same logs as on Linux, and can be verified."""
    words = ["tournament", "smallest_unique", "examples", "--isolation", "none", "--seed", SEED]
    for setting in ("games_per_entrant=1", "min_games_per_entrant=0", "rounds=20"):
        words += ["--set", setting]
    for command, folder in ((COMMAND, "here"), ([*ELSEWHERE, "koth"], "there")):
        code, _, err = run([*command, *words, "-o", folder], tmp_path)
        assert code == 0, err
        assert run([*COMMAND, "verify", folder], tmp_path)[0] == 0
    here, there = (sorted((tmp_path / cup / "matches").iterdir()) for cup in ("here", "there"))
    assert len(here) > 1
    assert [log.read_bytes() for log in here] == [log.read_bytes() for log in there]


@pytest.mark.parametrize(
    "words", [["audit", GOLDEN], ["rules", "coup"], ["new-game", "duel"], ["sql", GOLDEN, "events"]]
)
def test_texts_have_the_same_encoding_on_every_system(words: list[object], tmp_path: Path) -> None:
    """No file is read or written in the encoding of the machine, which is not always UTF-8."""
    strict = ["-X", "warn_default_encoding", "-W", "error::EncodingWarning"]
    code, _, err = run([sys.executable, *strict, "-m", "koth", *typed(words)], tmp_path)
    assert code in (0, 1), err
    assert "EncodingWarning" not in err


def test_paths_on_windows_have_slashes_and_double_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables and pages hold the same paths there, and a command with one can be copied."""
    monkeypatch.setattr(sys, "platform", "win32")
    assert path_text(r"cup\matches\1-000000.jsonl") == "cup/matches/1-000000.jsonl"
    assert shell_word(r"C:\my cups\spring") == '"C:/my cups/spring"'
    assert shell_word("spring") == "spring"


def test_python_bots_write_utf_8_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that prints other letters there plays as on Linux, and does not crash."""
    assert "PYTHONUTF8" not in variables(SEED)
    monkeypatch.setattr(sys, "platform", "win32")
    assert variables(SEED)["PYTHONUTF8"] == "1"
