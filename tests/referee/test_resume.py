"""Interrupted tournaments are resumed without losing, repeating or changing anything.

In the suite this is a sample. ``KOTH_FUZZ=2 python -m pytest tests/referee/test_resume.py`` causes
a failure at every moment.
"""

from __future__ import annotations

import errno
import os
import random
import re
import resource
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
import pytest

from games.table import Match
from koth.cli.main import status
from referee import match, resume, tournament
from referee.errors import BotsError, RefereeError
from referee.roster.resolve import absolute, resolve
from replay.verify import verify_all
from schema import discovery as layout
from schema import registry, writer
from schema.errors import CorruptLog, NothingToDo, UsageError
from schema.writer import InUse, LogWriter, ResumeMismatch, WriteError
from tests.corpus.honest import resealed
from tests.factories import SEED
from tests.failures import lack_descriptor
from tests.referee import interruptions
from tests.referee.bot_factory import UNIQUE, class_source, contents, script
from tests.referee.interruptions import (
    GAMES,
    TOURNAMENTS,
    Disk,
    Dribbling,
    Killed,
    disk,
    go_on,
    interrupted,
    lines,
    planned,
    play,
    playing,
    refusal,
    stand,
    whole,
    words,
)
from tests.sampling import FACTOR, LONG_RUN, sampled

TROUBLES: dict[str, Callable[[], dict[str, Any]]] = {
    "killed": lambda: {"trouble": Killed()},
    "killed within a line": lambda: {"trouble": Killed(), "torn": True},
    "full": lambda: {"trouble": refusal(errno.ENOSPC), "torn": True},
    "broken": lambda: {"trouble": refusal(errno.EIO)},
}
"""Failures by kind; the last two are reported, and the command ends without a crash."""

STEP = 1 if FACTOR > 1 else 4
"""The suite tries every fourth moment; each kind of failure has moments of its own."""

INTERRUPTS = 2 * FACTOR
"""The approximate number of times that batches are interrupted."""


def copied(game: str, folder: Path) -> Path:
    """Return a tournament whose log lacks its seal, and whose seed is still on disk."""
    with playing(), disk(Disk()):
        play(planned(game, folder))
    log = folder / layout.TOURNAMENT
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    (folder / layout.SEED).write_text(f"{SEED}\n")
    return folder


def bytes_of(folder: Path) -> dict[Path, bytes]:
    """Return the bytes of all files in the folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- interruptions -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "game"),
    sampled(
        {f"{kind}-{game}": (kind, game) for kind in TROUBLES for game in GAMES},
        [f"{kind}-{game}" for kind, game in zip(TROUBLES, GAMES, strict=True)],
    ),
)
def test_trouble_at_every_moment(kind: str, game: str, tmp_path: Path) -> None:
    """After a failure at any moment no whole line is lost, and resuming gives the same bytes."""
    trouble = (Killed,) if kind.startswith("killed") else (WriteError, tournament.NotBegun)
    with playing():
        for at in count(list(TROUBLES).index(kind) % STEP, STEP):
            folder = tmp_path / str(at)
            with disk(Disk(at, **TROUBLES[kind]())):
                if not interrupted(trouble, play, planned(game, folder)):
                    break
            before = lines(folder)
            with disk(Disk()):
                if not before.get(layout.TOURNAMENT):
                    with pytest.raises(NothingToDo):
                        go_on(folder)
                    continue
                go_on(folder)
            after = contents(folder)
            assert after == whole(game), at
            assert stand(before, after)
            assert not (folder / layout.SEED).exists()
            shutil.rmtree(folder)
    assert at > 20


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_trouble_before_the_first_line_changes_nothing(number: int, tmp_path: Path) -> None:
    """The message names the folder, which is empty again, and the same command plays all."""
    folder = tmp_path / "cup"
    with playing():
        for at in count():
            with (
                disk(Disk(at, refusal(number), torn=True)),
                pytest.raises((WriteError, tournament.NotBegun)) as told,
            ):
                play(planned("coins", folder))
            if not isinstance(told.value, tournament.NotBegun):
                break
            assert str(told.value).startswith(f"{folder}: could not be written: ")
            assert not list(folder.iterdir()), at
        assert at == 6  # writes and syncs of the seed, one of the evidence, and the first line
        shutil.rmtree(folder)
        for opened in (layout.SEED, f"{layout.EVIDENCE}/{layout.TOURNAMENT}"):
            with pytest.MonkeyPatch.context() as patched:
                lack_descriptor(folder / opened, patched)
                with pytest.raises(OSError, match="Too many open files"):
                    play(planned("coins", folder))
            assert not list(folder.iterdir()), opened
        for at in range(6):
            with disk(Disk(at, KeyboardInterrupt())):
                assert interrupted(KeyboardInterrupt, play, planned("coins", folder))
            assert not list(folder.iterdir()), at
        prepare = tournament.prepare

        def stopped(planned: tournament.Tournament) -> None:
            prepare(planned)
            raise KeyboardInterrupt

        with patch.object(tournament, "prepare", stopped):
            assert interrupted(KeyboardInterrupt, play, planned("coins", folder))
        assert not list(folder.iterdir())
        with disk(Disk()):
            play(planned("coins", folder))
    assert contents(folder) == whole("coins")


def test_the_second_of_two_commands_that_begin_at_once_leaves_the_first_alone(
    tmp_path: Path,
) -> None:
    """It is refused, and nothing of the other one is removed, which has no first line yet."""
    first, second = (planned("coins", tmp_path / "cup") for _ in range(2))
    tournament.prepare(first)
    before = sorted((tmp_path / "cup").rglob("*"))
    with playing(), pytest.raises(UsageError, match="cannot be made: File exists"):
        play(second)
    assert sorted((tmp_path / "cup").rglob("*")) == before != []


@pytest.mark.parametrize("game", GAMES)
def test_trouble_again_and_again(game: str, tmp_path: Path) -> None:
    """A tournament that is killed in each of many runs ends with the same bytes."""
    rng = random.Random(game)
    for attempt in range(10 if LONG_RUN else 4):
        folder = tmp_path / str(attempt)
        with playing(), disk(Disk(rng.randint(8, 20), Killed())):
            assert interrupted(Killed, play, planned(game, folder))
        before, runs = lines(folder), 1
        while True:
            trouble = Disk(rng.randint(0, 5 * runs), Killed(), torn=rng.random() < 0.5)
            with playing(), disk(trouble):
                stopped = interrupted(Killed, go_on, folder)
            now = lines(folder)
            assert stand(before, now)
            if not stopped:
                break
            before, runs = now, runs + 1
        assert runs > 2
        assert contents(folder) == whole(game)


@pytest.mark.parametrize("game", GAMES)
def test_short_writes(game: str, tmp_path: Path) -> None:
    """All bytes are written to a disk that takes a few bytes per call."""
    with playing(), disk(Dribbling()):
        play(planned(game, tmp_path / "cup"))
    assert contents(tmp_path / "cup") == whole(game)


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """A file size limit is reported like a full disk, with exit code 4, and resuming works."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with playing():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1500, limits[1]))
        try:
            with pytest.raises(WriteError, match=r"File too large.*koth resume") as told:
                play(planned("coup", tmp_path / "cup"))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert told.value.exit_code == 4
        assert len(go_on(tmp_path / "cup")) == 1
    assert contents(tmp_path / "cup") == whole("coup")


def test_every_seal_is_synced(tmp_path: Path) -> None:
    """A sealed log is synced with its name; with ``durable`` every write to a log is synced."""
    for durable in (False, True):
        with playing(), disk(Disk()) as one:
            play(planned("coins", tmp_path / str(durable), durable))
        syncs = one.calls.count("sync")
        seals = 3 + 1
        assert syncs == 2 * (seals + 2) - 1 if not durable else syncs > 3 * 3 * 3
        assert one.calls[-2:] == ["write", "sync"] if not durable else one.calls[-1] == "sync"


@pytest.mark.parametrize("game", GAMES)
def test_the_record_may_end_anywhere(game: str, tmp_path: Path) -> None:
    """A match can be resumed after any line, also between the answers to one question."""
    folder = copied(game, tmp_path / "cup")
    for path in sorted((folder / layout.MATCHES).iterdir())[:2]:
        data = path.read_bytes().splitlines(keepends=True)
        for kept in range(len(data)):
            path.write_bytes(b"".join(data[:kept]))
            with playing(), disk(Disk()):
                play(resume.plan(folder))
            assert contents(folder) == whole(game), kept
            copied_end(folder)


def copied_end(folder: Path) -> None:
    """Remove the end of a tournament's log."""
    log = folder / layout.TOURNAMENT
    log.write_bytes(log.read_bytes().splitlines(keepends=True)[0])
    (folder / layout.SEED).write_text(f"{SEED}\n")


@pytest.mark.parametrize("game", GAMES)
def test_bots_that_change_their_mind(game: str, tmp_path: Path) -> None:
    """Recorded answers are kept, different answers are evidence, and every log verifies."""
    folder = copied(game, tmp_path / "cup")
    told = 0
    for path in sorted((folder / layout.MATCHES).iterdir())[:2]:
        data = path.read_bytes().splitlines(keepends=True)
        evidence = layout.evidence(path)
        for kept in range(1, len(data)):
            path.write_bytes(b"".join(data[:kept]))
            evidence.write_bytes(b"")
            copied_end(folder)
            with playing(f"other {kept}"), disk(Disk()):
                if interrupted(ResumeMismatch, play, resume.plan(folder)):
                    # The log says that a bot failed in this game, but this time none does.
                    assert b'"type":"answered"' in data[kept - 1]
                    assert game == "smallest_unique"
                    continue
            assert path.read_bytes().startswith(b"".join(data[:kept]))
            verdicts = list(verify_all([path]))
            assert [one.verdict for one in verdicts] == ["verified"], verdicts
            notes = [orjson.loads(line) for line in evidence.read_bytes().splitlines()]
            told += sum("again" in note for note in notes)
            assert all(note["seq"] < kept for note in notes if "again" in note)
        path.write_bytes(b"".join(data))
    assert told > 10


def test_class_bots_that_fail_otherwise_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If several bots fail in other steps than before, the recorded failures count (SU-9)."""
    monkeypatch.setattr(interruptions, "UNSTEADY", TOURNAMENTS["smallest_unique"][0])
    cup = planned("smallest_unique", tmp_path / "cup")
    tournament.prepare(cup)
    steps = set()
    job = replace(tournament.job(cup, Match("1-000000", (0, 1, 2))), again=True)
    for number in range(12):
        with playing(f"{number}"):
            match.play(job)
        data = job.log.read_bytes().splitlines(keepends=True)
        for kept in range(1, len(data)):
            job.log.write_bytes(b"".join(data[:kept]))
            with playing(f"other {number}"):
                if interrupted(ResumeMismatch, match.play, job):
                    assert b'"type":"fault"' not in b"".join(data[:kept])  # it does not fail again
                    continue
            assert job.log.read_bytes().startswith(b"".join(data[:kept]))
            assert [log.verdict for log in verify_all([job.log])] == ["verified"]
            steps.add(orjson.loads(data[kept - 1]).get("ask"))
        match.drop(job)
    assert {"construct", "update", "select"} <= steps


@pytest.mark.parametrize("isolation", ["process", "none"])
def test_blocks_that_are_interrupted(isolation: str, tmp_path: Path) -> None:
    """Interrupted batches of class bots are resumed singly, and end with the same bytes."""
    failing = class_source(update="if self.index == 2 and self.round == 9: raise ValueError")
    calm = ["examples/cycler", "examples/uniform", "examples/bayes"]
    named = [*calm, str(script(tmp_path, "failing.py", failing))]
    settings = UNIQUE.settings({"seats": 3, "rounds": 12, "games_per_entrant": 2})
    bots = resolve(named, UNIQUE)

    def begin(folder: Path) -> None:
        play(
            tournament.plan(
                UNIQUE, bots, settings, SEED, None, folder, isolation, False, False, named
            )
        )

    with patch.object(writer, "LINES", 4):
        with disk(Disk()) as calls:
            begin(tmp_path / "whole")
        expected = contents(tmp_path / "whole")
        assert b'"void"' in b"".join(expected.values())
        begun = set()
        for at in range(9, calls.moments, max(1, calls.moments // INTERRUPTS)):
            folder = tmp_path / str(at)
            with disk(Disk(at, Killed(), torn=True)):
                assert interrupted(Killed, begin, folder)
            before = lines(folder)
            begun |= {data.count(b"\n") for data in before.values()}
            with disk(Disk(at, Killed(), torn=True)):
                interrupted(Killed, go_on, folder)
            assert stand(before, lines(folder))
            go_on(folder)
            assert contents(folder) == expected, at
        assert begun - {0, 1, 14}


# --- messages and refusals -----------------------------------------------------------------------


def test_a_torn_line_is_told(tmp_path: Path) -> None:
    """A partial last line is removed, and a message names file, line and size."""
    folder = copied("coup", tmp_path / "cup")
    log = folder / layout.MATCHES / "1-000000.jsonl"
    data = log.read_bytes()
    end = data.index(b"\n", 200) + 1
    log.write_bytes(data[: end + 12])
    with playing():
        told = go_on(folder)
    line = data[:end].count(b"\n") + 1
    assert told == [f"{log}:{line}: the line is torn after 12 bytes; it is cut away."]
    assert contents(folder) == whole("coup")


def test_evidence_is_gone_on_with(tmp_path: Path) -> None:
    """Resuming keeps the whole lines of evidence, and adds none for answers in the log."""
    folder = copied("coup", tmp_path / "cup")
    log = folder / layout.MATCHES / "1-000000.jsonl"
    evidence = layout.evidence(log)
    *before, _ = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(before))
    notes = evidence.read_bytes()
    evidence.write_bytes(notes + b'{"torn')
    with playing():
        go_on(folder)
    added = evidence.read_bytes().removeprefix(notes).splitlines()
    assert [orjson.loads(line)["match"] for line in added] == ["1-000000"]


def test_evidence_of_a_tournament_is_gone_on_with(tmp_path: Path) -> None:
    """Resuming writes its line in place of a partial one, so that each line can be read."""
    folder = copied("coins", tmp_path / "cup")
    evidence = layout.evidence(folder / layout.TOURNAMENT)
    notes = evidence.read_bytes()
    evidence.write_bytes(notes + b'{"torn')
    with playing():
        go_on(folder)
    assert evidence.read_bytes().startswith(notes)
    added = [orjson.loads(line) for line in evidence.read_bytes().removeprefix(notes).splitlines()]
    assert [line["bots"] for line in added] == [words("coins")]


def test_evidence_that_cannot_be_opened_costs_no_answer(tmp_path: Path) -> None:
    """Without its evidence no match is played: a begun log stays as it is, a new one is removed."""
    folder = copied("coins", tmp_path / "cup")
    log = folder / layout.MATCHES / "1-000000.jsonl"
    log.write_bytes(log.read_bytes()[:-100])
    copied_end(folder)
    layout.evidence(log).unlink()
    layout.evidence(log).mkdir()
    before = log.read_bytes()
    with playing(), pytest.raises(RefereeError, match="directory"):
        go_on(folder)
    assert log.read_bytes() == before
    new = replace(
        tournament.job(planned("coins", folder / "x"), Match("1-000000", (0, 1))),
        log=folder / "new.jsonl",
        evidence=layout.evidence(log),
    )
    with playing(), pytest.raises(RefereeError, match="directory"):
        match.play(new)
    assert not new.log.exists()


def test_one_at_a_time(tmp_path: Path) -> None:
    """A tournament that is being played or resumed cannot be resumed, and is not disturbed."""
    folder, seen = tmp_path / "cup", []

    def meanwhile(done: int, total: int) -> None:
        with pytest.raises(InUse, match="another command is writing"):
            resume.plan(folder)
        seen.append(done)

    with playing():
        play(planned("coins", folder), meanwhile)
        copied_end(folder)
        play(resume.plan(folder), meanwhile)
    assert seen == [1, 2, 3] * 2
    assert contents(folder) == whole("coins")


def test_one_log_is_written_by_one(tmp_path: Path) -> None:
    """A match that another process is writing is refused."""
    folder = copied("coins", tmp_path / "cup")
    log = folder / layout.MATCHES / "1-000001.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:4]))
    with playing(), LogWriter(log, again=True), pytest.raises(InUse, match="1-000001"):
        go_on(folder)
    with playing():
        go_on(folder)
    assert contents(folder) == whole("coins")


def test_a_complete_tournament(tmp_path: Path) -> None:
    """A complete tournament is not resumed; a seed that is left in its folder is removed."""
    folder = tmp_path / "cup"
    with playing():
        play(planned("coins", folder))
    (folder / layout.SEED).write_text(f"{SEED}\n")
    with pytest.raises(resume.Complete, match="already complete"):
        resume.plan(folder)
    assert not (folder / layout.SEED).exists()
    assert contents(folder) == whole("coins")


def changed(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    """Return a function that replaces ``old`` by ``new`` in a log."""

    def change(data: bytes) -> bytes:
        assert old in data
        return data.replace(old, new, 1)

    return change


DAMAGE: dict[str, tuple[str, Callable[[bytes], bytes], str]] = {
    "garbage after a match": (
        "matches/1-000001.jsonl",
        lambda data: data[: data.rfind(b"\n", 0, -1) + 1] + b"\0\0\0",
        "garbage",
    ),
    "a flipped bit in a sealed match": (
        "matches/1-000001.jsonl",
        changed(b'"round":1', b'"round":3'),
        "the log was changed after it was sealed",
    ),
    "garbage after the tournament's log": (
        "tournament.jsonl",
        lambda data: data + b"\xff",
        "garbage",
    ),
    "a sealed match without a result": (
        "matches/1-000000.jsonl",
        lambda data: resealed(re.sub(rb".*match_finished.*\n", b"", data)),
        "expected match_finished before the seal, found",
    ),
    "a line that is no event": (
        "matches/1-000001.jsonl",
        lambda data: data[: data.find(b"\n", 600) + 1] + b"{}\n",
        "expected an event",
    ),
    "a match that was begun with other settings": (
        "matches/1-000001.jsonl",
        lambda data: changed(b'"rounds":3', b'"rounds":4')(data[: data.find(b"\n") + 1]),
        "it was changed, or begun by another version of Koth or of its game, .*Remove it",
    ),
    "another event than the rules give": (
        "matches/1-000001.jsonl",
        lambda data: changed(b'"order":[', b'"order":[9,')(data[: data.find(b"\n", 900) + 1]),
        "it was changed",
    ),
    "another result": (
        "tournament.jsonl",
        changed(b'"scores":[', b'"scores":[9,'),
        "scores: expected 3",
    ),
    "another seal": (
        "tournament.jsonl",
        lambda data: re.sub(rb'"seal":"....', b'"seal":"0000', data, count=1),
        "it was changed, or begun by another version of Koth or of its game$",
    ),
    "a match in another's place": (
        "matches/1-000001.jsonl",
        lambda data: whole("coins")["matches/1-000000.jsonl"],
        "expected match 1-000001 of this tournament, found the log of another",
    ),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_refused(kind: str, tmp_path: Path) -> None:
    """Any other damage is reported with its file and exit code 1, and no log is changed."""
    folder = copied("coins", tmp_path / "cup")
    path, change, told = DAMAGE[kind]
    (folder / path).write_bytes(change((folder / path).read_bytes()))
    before = bytes_of(folder)
    with playing(), pytest.raises((CorruptLog, ResumeMismatch), match=told) as error:
        go_on(folder)
    assert str(folder / path) in str(error.value)
    assert error.value.exit_code == 1
    logs = [path for path in before if layout.EVIDENCE not in path.parts]
    assert {path: path.read_bytes() for path in logs} == {path: before[path] for path in logs}


@pytest.mark.parametrize("name", ["1-000099.jsonl", "more/1-000000.jsonl"])
def test_an_added_match_is_refused(name: str, tmp_path: Path) -> None:
    """A tournament with a match that is not its own gets no seal until its log is moved away."""
    folder = copied("coins", tmp_path / "cup")
    added = folder / layout.MATCHES / name
    added.parent.mkdir(exist_ok=True)
    shutil.copy(folder / layout.MATCHES / "1-000000.jsonl", added)
    with playing(), pytest.raises(UsageError, match="expected no such match") as error:
        go_on(folder)
    assert str(added) in str(error.value)
    assert b"tournament_sealed" not in (folder / layout.TOURNAMENT).read_bytes()
    added.rename(tmp_path / "away")
    with playing():
        go_on(folder)
    assert {log.verdict for log in verify_all(layout.logs([folder]))} == {"verified"}


@pytest.mark.parametrize("name", [layout.MATCHES, layout.EVIDENCE])
def test_a_folder_that_is_gone_is_made_again(name: str, tmp_path: Path) -> None:
    """Without its matches or its evidence a tournament goes on, and all logs are the same."""
    folder = copied("coins", tmp_path / "cup")
    shutil.rmtree(folder / name)
    with playing():
        play(resume.plan(folder, words("coins")))
    assert contents(folder) == whole("coins")


def test_matches_without_their_tournament_are_kept(tmp_path: Path) -> None:
    """If only the tournament's own log is missing, nobody is told to remove its matches."""
    folder = copied("coins", tmp_path / "cup")
    (folder / layout.TOURNAMENT).unlink()
    with pytest.raises(NothingToDo, match="Put it back; without it the tournament cannot go on"):
        resume.plan(folder)


def test_the_seed_has_to_be_there(tmp_path: Path) -> None:
    """A tournament without its seed, or with another seed, is not resumed."""
    folder = copied("coins", tmp_path / "cup")
    (folder / layout.SEED).write_text("0" * 64)
    with pytest.raises(CorruptLog, match="seed"):
        resume.plan(folder)
    (folder / layout.SEED).unlink()
    with pytest.raises(UsageError, match="seed"):
        resume.plan(folder)


def test_the_bots_have_to_be_the_same(tmp_path: Path) -> None:
    """Other files, bots or orders are refused; bots in a new place can be named again."""
    folder = copied("coins", tmp_path / "cup")
    changed = str(script(tmp_path, f"{TOURNAMENTS['coins'][0][0]}.py", "#"))
    others_named = [words("coins")[::-1], words("coins")[:2], [changed, *words("coins")[1:]]]
    for others in others_named:
        with pytest.raises(BotsError, match="expected"):
            resume.plan(folder, others)
    layout.evidence(folder / layout.TOURNAMENT).unlink()
    with pytest.raises(UsageError, match="Name them"):
        resume.plan(folder)
    with playing():
        play(resume.plan(folder, words("coins")))
    assert contents(folder) == whole("coins")
    assert orjson.loads(layout.evidence(folder / layout.TOURNAMENT).read_bytes())["bots"] == words(
        "coins"
    )


def test_matches_that_are_not_kept_are_dropped(tmp_path: Path) -> None:
    """Matches that an earlier run began after a match with a fault are removed, with a note."""
    folder = copied("smallest_unique", tmp_path / "cup")
    ids = [path.stem for path in sorted((folder / layout.MATCHES).iterdir())]
    first = [one for one in ids if one.startswith("1-")]
    assert len(first) < len(ids)
    added = [f"1-{number:06}" for number in range(len(first), 5)]
    for id in added:
        log = folder / layout.MATCHES / f"{id}.jsonl"
        log.write_bytes(b"")
        layout.evidence(log).write_bytes(b"")
    assert added
    copied_end(folder)
    with playing():
        go_on(folder)
    assert contents(folder) == whole("smallest_unique")
    assert {path.stem for path in (folder / layout.EVIDENCE).glob("[0-9]*")} == set(ids)
    *_, note = (
        layout.evidence(folder / layout.MATCHES / f"{first[-1]}.jsonl").read_bytes().splitlines()
    )
    assert orjson.loads(note)["not_kept"] == added


def test_bots_are_found_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words of the command are valid in any folder in which it is resumed."""
    monkeypatch.chdir(tmp_path)
    assert absolute(["examples", "examples/fox", "bots/fox.py"]) == [
        "examples",
        "examples/fox",
        str(tmp_path / "bots" / "fox.py"),
    ]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``koth resume`` reports partial lines, prints the final table, and says if all is done."""
    folder = tmp_path / "cup"
    options = ["-o", str(folder), "--seed", SEED, "--set", "games=2", "--set", "rounds=2"]
    assert status(["tournament", "coins", *words("coins"), *options]) == 0
    table = capsys.readouterr().out
    expected = contents(folder)
    log = folder / layout.MATCHES / "1-000001.jsonl"
    log.write_bytes(log.read_bytes()[:-30])
    copied_end(folder)
    assert status(["resume", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert (out, contents(folder)) == (table, expected)
    assert re.search(r"koth: .*1-000001\.jsonl:\d+: the line is torn after \d+ bytes", err)
    for word in ("resume", "resume --jobs 2"):
        assert status([*word.split(), str(folder)]) == 0
        told = f"koth: {folder}: already complete; `koth verify {folder}` checks its matches.\n"
        assert capsys.readouterr() == ("", told)
    copied_end(folder)
    assert status(["resume", str(folder), "examples/thief"]) == 2
    assert "expected 3 bots, found 1" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_bots_whose_path_is_not_utf_8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Such bots play a tournament; JSON cannot name them, so ``koth resume`` asks for them."""
    folder, bot = tmp_path / "cup", tmp_path / os.fsdecode(b"caf\xe9") / "thief.py"
    bot.parent.mkdir()
    shutil.copy(registry.card("coins").bots / "thief.py", bot)
    bots = ["examples/flipper", str(bot)]
    options = ["-o", str(folder), "--seed", SEED, "--set", "games=2", "--set", "rounds=2"]
    assert status(["tournament", "coins", *bots, *options]) == 0
    expected = contents(folder)
    copied_end(folder)
    assert status(["resume", str(folder)]) == 2
    assert "name them: koth resume" in capsys.readouterr().err
    assert status(["resume", str(folder), *bots]) == 0
    assert contents(folder) == expected


def test_a_folder_of_something_else_is_not_to_be_removed(tmp_path: Path) -> None:
    """Nobody who mistypes a folder is told to remove it; the message says what is expected."""
    (tmp_path / "bot.py").write_text("")
    with pytest.raises(NothingToDo, match="found no tournament"):
        resume.plan(tmp_path)


@pytest.mark.parametrize("what", ["nothing", "a file", "an empty folder"])
def test_nothing_to_go_on_with(what: str, tmp_path: Path) -> None:
    """A path that is no tournament is refused."""
    if what == "a file":
        (tmp_path / "cup").write_text("")
    elif what == "an empty folder":
        (tmp_path / "cup").mkdir()
    with pytest.raises(NothingToDo if what == "an empty folder" else UsageError):
        resume.plan(tmp_path / "cup")
    assert (tmp_path / "cup").exists() == (what != "nothing")
