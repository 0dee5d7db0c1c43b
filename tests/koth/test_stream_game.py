"""A game of the *stream* protocol, which ``koth new-game`` writes, with every command."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import koth as library
from games.recorded import ANSWERS
from referee import entry_checks, match, resume, tournament
from referee.roster.resolve import resolve
from referee.sandbox import sandbox
from referee.tournament import Tournament
from schema import registry
from tests.factories import SEED, loads
from tests.game_factory import install
from tests.koth.commands import ROOT, Koth
from tests.referee.bot_factory import contents, job, short_decisions
from tests.referee.interruptions import Disk, Killed, disk, interrupted, play

DRAWING = """\
import os
import random
import sys

dice = random.Random(os.environ["KOTH_BOT_SEED"])
for line in sys.stdin:
    print(dice.choice(["keep", "roll"]), line.split()[0], file=sys.stderr)
    print(dice.choice(["keep", "roll"]), flush=True)
"""
needs_sandbox = pytest.mark.skipif(
    bool(sandbox.unavailable_reason()), reason=sandbox.unavailable_reason() or "is there"
)
BOTS = {
    "drawing": DRAWING,
    "early": "import time\nprint('keep\\nroll\\n' * 9, flush=True)\ntime.sleep(60)\n",
    "double": "while line := input():\n    print('thinking\\nroll', flush=True)\n",
    "leaver": "input()\nprint('roll', flush=True)\ninput()\nprint('ke', end='')\n",
}
"""Bots of which some talk too early, too much, or too little."""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the name of a game with this protocol, which is installed."""
    with pytest.MonkeyPatch.context() as patch:
        yield install(tmp_path_factory.mktemp("game"), patch, {}, "stream")


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the bots."""
    folder = tmp_path_factory.mktemp("bots")
    for name, source in BOTS.items():
        (folder / f"{name}.py").write_text(source)
    return folder


def planned(game: str, bots: Path, folder: Path) -> Tournament:
    """Return a tournament of the bots, ready to be played into ``folder``."""
    card, words = registry.card(game), [str(bots)]
    values = card.settings({"games": 1, "rounds": 4})
    found = resolve(words, card)
    return tournament.plan(card, found, values, SEED, None, folder, "process", False, False, words)


def test_a_bot_that_does_not_flush(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check before the first match warns of a bot whose line stays in its buffer."""
    monkeypatch.setattr(entry_checks, "DRY_START_LIMIT", 0.5)
    path = tmp_path / "silent.py"
    path.write_text("import sys\nfor line in sys.stdin:\n    print('roll')\n")
    card = registry.card(game)
    bots, settings = resolve([str(path)], card), card.settings({})
    assert entry_checks.check_bots(card, bots, settings, "process", allow_broken=False) == [
        "silent: it writes no line within 0.5 s of a first question; "
        "if it is not that slow, it has to flush."
    ]


@pytest.fixture(scope="module")
def cup(game: str, bots: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tournament that was played by one process without interruption."""
    folder = tmp_path_factory.mktemp("cup") / "cup"
    play(planned(game, bots, folder))
    return folder


def faults(log: Path) -> list[tuple[int, str]]:
    """Return seat and kind of each fault in a log."""
    return [(e["seat"], e["kind"]) for e in loads(log.read_bytes()) if e["type"] == "fault"]


def test_faults_after_the_end_of_a_bot_are_told_with_the_one_that_ended_it(
    cup: Path, koth: Koth
) -> None:
    """`koth faults` has a paragraph for each fault for which a bot was asked, and counts all."""
    listed = koth("faults", cup).out
    later = re.findall(r"\n  then      (\d+) more faults?, because the bot had ended: ev", listed)
    told = koth("faults", cup, "--format", "json").json["faults"]
    ended = [fault for fault in told if fault["evidence"].get("ended_earlier")]
    assert sum(map(int, later)) == len(ended) > 0
    assert listed.count("\n  $ koth explain ") == len(told) - len(ended) > 0
    assert f"\n{len(told)} faults: " in listed
    log = next(log for log in sorted((cup / "matches").iterdir()) if "crash" in str(faults(log)))
    events = loads(log.read_bytes())
    seqs = [seq for seq, event in enumerate(events) if event.get("kind") == "crash"]
    assert f"the bot had ended: event{'s' * (len(seqs) > 2)} {seqs[1]}" in koth("faults", log).out


def test_a_tournament_verifies_and_passes_the_audit(
    game: str, cup: Path, tmp_path: Path, koth: Koth
) -> None:
    """Every log verifies, also for the independent checker, and the audit finds nothing."""
    for words in (["verify", cup], ["audit", cup], ["leaderboard", cup]):
        assert koth(*words).code == 0
    (tmp_path / f"{game}.json").write_text(koth("schema", game).out)
    check = [sys.executable, ROOT / "independent" / "koth_check.py", "--schema", tmp_path, cup]
    checked = subprocess.run([*map(str, check)], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout.count(": sound: ")) == (0, 7), checked
    logs = sorted((cup / "matches").iterdir())
    kinds = {kind for log in logs for _, kind in faults(log)}
    assert (len(logs), kinds) == (6, {"crash", "illegal"})


@pytest.mark.parametrize(
    ("jobs", "isolation"), [(2, "process"), pytest.param(1, "sandbox", marks=needs_sandbox)]
)
def test_neither_jobs_nor_isolation_change_logs(
    jobs: int, isolation: str, game: str, bots: Path, cup: Path, koth: Koth
) -> None:
    """Several processes, and bots in a sandbox, give the bytes of one process without."""
    folder = cup.with_name(f"{isolation}-{jobs}")
    words = ["tournament", game, bots, "-o", folder, "--seed", SEED, "--set", "games=1"]
    words += ["--set", "rounds=4", "--jobs", str(jobs), "--isolation", isolation]
    typed = koth(*words, "--allow-broken")
    assert typed.code == 0, typed.err
    assert contents(folder) == contents(cup)


@pytest.mark.parametrize("moment", [8, 15, 31])
def test_an_interrupted_tournament_goes_on(
    moment: int, game: str, bots: Path, cup: Path, tmp_path: Path
) -> None:
    """After a kill in the middle of a line, a resumed tournament has the same bytes."""
    whole = planned(game, bots, tmp_path / "cup")
    with disk(Disk(moment, Killed(), torn=True)):
        assert interrupted(Killed, play, whole)
    play(resume.plan(tmp_path / "cup"))
    assert contents(tmp_path / "cup") == contents(cup)


def test_a_recorded_timeout_ends_a_bot_after_an_interruption(
    game: str, tmp_path: Path, koth: Koth
) -> None:
    """A bot that is in time when it is asked again is still out after its recorded timeout."""
    slow, quick = tmp_path / "slow.py", tmp_path / "quick.py"
    hang = f"import os, time\nwhile line := input():\n    time.sleep(60 * os.path.exists('{slow}')"
    slow.write_text(f"{hang} * (line[0] == '2'))\n    print('roll', flush=True)\n")
    quick.write_text(DRAWING)
    card = registry.card(game)
    one = job(tmp_path / "match", resolve([str(slow), str(quick)], card), card, rounds=4)
    with short_decisions(0.1):
        match.play(one)
    recorded = one.log.read_bytes()
    assert faults(one.log) == [(0, "timeout")] * 3
    slow.unlink()
    beginning = recorded[: recorded.index(b"\n", recorded.index(b'"kind":"timeout"')) + 1]
    one.log.write_bytes(beginning)
    match.play(replace(one, again=True))
    assert one.log.read_bytes() == recorded
    assert "time limit 1 s, 10 s for its first answer)" in koth("faults", one.log).out


def test_bots_are_asked_again(cup: Path, bots: Path, koth: Koth) -> None:
    """Bots that are reproducible give the recorded answers; one that is exchanged does not."""
    log = next(log for log in sorted((cup / "matches").iterdir()) if "crash" in str(faults(log)))
    assert koth("reask", log, bots).code == 0
    other = bots / "other.py"
    names = [player["name"] for player in loads(log.read_bytes())[0]["players"]]
    other.write_text("while input():\n    print('never', flush=True)\n")
    words = [other if name == "leaver" else bots / f"{name}.py" for name in names]
    typed = koth("reask", log, *words, "--any-files")
    other.unlink()
    assert typed.code == 1, typed


def test_what_if_and_explain(cup: Path, bots: Path, koth: Koth) -> None:
    """Another answer is followed, with live bots too, and a question is shown as its line."""
    log = next(log for log in sorted((cup / "matches").iterdir()) if not faults(log))
    seq = next(n for n, e in enumerate(loads(log.read_bytes())) if e["type"] == "answered")
    assert "line" in koth("explain", log, seq).out
    for answer in ("keep", "roll"):
        words = ["replay", log, "--at", seq, "--answer", answer]
        assert koth(*words).code == koth(*words, "--bots", bots).code == 0


def test_a_line_is_shown_as_the_bot_reads_it(cup: Path, koth: Koth, tmp_path: Path) -> None:
    """It has no quotes around it: in the text of a question, in a seat's view, and on its page."""
    log, page = cup / "matches" / "1-000000.jsonl", tmp_path / "page.html"
    seq = next(n for n, e in enumerate(loads(log.read_bytes())) if e["type"] in ANSWERS)
    seat = loads(log.read_bytes())[seq]["seat"]
    for words in (["explain", log, seq], ["replay", log, "--seat", seat]):
        assert re.search(rf"^  line  1 {seat} [1-6] ", koth(*words).out, re.MULTILINE)
    assert koth("report", log, "--seat", seat, "-o", page).code == 0
    assert f"<samp>1 {seat} " in page.read_text()


def test_a_match_is_played_again_and_its_decisions_ranked(
    cup: Path, bots: Path, koth: Koth
) -> None:
    """Unchanged bots play the recorded match, also those that fail; each line has its score."""
    for log in sorted((cup / "matches").iterdir()):
        names = [player["name"] for player in loads(log.read_bytes())[0]["players"]]
        assert koth("again", log, bots / f"{names[0]}.py", "--bots", bots, "--seat", 0).code == 0
    typed = koth("blame", log, "--seat", 0, "--bots", bots, "--format", "json")
    assert typed.code == 0, typed
    assert typed.json["decisions"]


def draw(line: str) -> str:
    """Answer as the bot ``drawing`` does in its first round."""
    dice = random.Random(os.environ["KOTH_BOT_SEED"])
    dice.choice(["keep", "roll"])
    return dice.choice(["keep", "roll"])


def test_a_function_plays_what_its_program_plays(game: str, bots: Path, tmp_path: Path) -> None:
    """Equal answers give equal events, for functions, programs, and both."""
    tables: list[list[Any]] = [[bots / "drawing.py"] * 2, [draw] * 2, [draw, bots / "drawing.py"]]
    played = [
        library.play(game, players, seed=7, settings={"rounds": 1}, log=tmp_path / f"{n}.jsonl")
        for n, players in enumerate(tables)
    ]
    first, *others = [loads(one.log.read_bytes())[1:-1] for one in played]
    assert others == [first, first]
    assert all(one.verdict.verdict == "verified" for one in played)
