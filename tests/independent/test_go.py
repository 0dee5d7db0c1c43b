"""Go's verifiers of notes and of Merkle trees agree with Koth on checkpoints and proofs."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from replay.signatures import contest_signing, signing
from schema.merkle import consistency, root
from schema.signed_note import Checkpoint, ConsistencyProof, PrivateKey, Proof
from tests import contests
from tests.replay.log_factory import tournament_folder

HERE = Path(__file__).parent / "go_check"
GO_PATH = Path("/usr/share/gocode")
KEY = PrivateKey("example.com/cup", b"\x07" * 32)
OTHER = PrivateKey("example.com/cup", b"\x08" * 32)

pytestmark = pytest.mark.skipif(
    not (shutil.which("go") and (GO_PATH / "src/golang.org/x/mod/sumdb/tlog").is_dir()),
    reason="no Go here (Debian's golang-go and golang-golang-x-mod-dev)",
)

Check = tuple[str | Path, ...]
Go = Callable[[Sequence[Check]], list[str]]


@pytest.fixture(scope="module")
def go(tmp_path_factory: pytest.TempPathFactory) -> Go:
    """The verifier in Go; it returns one result per check."""
    folder = tmp_path_factory.mktemp("go")
    paths = {"GO111MODULE": "off", "GOPATH": str(GO_PATH), "GOCACHE": str(folder / "cache")}
    command = ["go", "build", "-o", str(folder / "check"), "."]
    subprocess.run(command, cwd=HERE, env={**os.environ, **paths}, check=True)

    def run(checks: Sequence[Check], key: PrivateKey = KEY) -> list[str]:
        words: list[list[str]] = [
            [str(kind), str(key.public), key.name, *map(str, rest)] for kind, *rest in checks
        ]
        text = "".join("\t".join(line) + "\n" for line in words)
        process = subprocess.run(
            [folder / "check"], input=text, capture_output=True, text=True, check=True
        )
        results = process.stdout.splitlines()
        assert len(results) == len(checks)
        return results

    return run


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A contest of two stages, signed after each."""
    folder = tmp_path_factory.mktemp("go_contest")

    def hold() -> None:
        contests.new(folder / "cup")
        bots = [contests.bot(folder / "bots", name) for name in ("anna", "bert", "cleo")]
        for words in (bots[:2], bots[2:]):
            contests.enter(folder / "cup", words)
            contests.run(folder / "cup")
            signing.sign(folder / "cup", KEY, KEY.name)

    contests.simulated(hold)
    return folder / "cup"


def written(folder: Path, name: str, data: bytes) -> Path:
    """Write a file and return its path."""
    (folder / name).write_bytes(data)
    return folder / name


def changes(data: bytes) -> list[bytes]:
    """Return the data with one bit changed, at several places of each line."""
    places = range(0, len(data) - 1, 7)
    return [data[:n] + bytes([data[n] ^ 1]) + data[n + 1 :] for n in places]


def test_go_accepts_checkpoints(go: Go, cup: Path, tmp_path: Path) -> None:
    """Go opens the checkpoints of a tournament and of a contest, and refuses changed ones."""
    tournament_folder(tmp_path / "spring")
    signing.sign(tmp_path / "spring", KEY, KEY.name)
    notes = [tmp_path / "spring/checkpoint", *(cup / "checkpoints").iterdir()]
    assert {*go([("note", note) for note in notes])} == {"ok"}
    bad = [*changes(notes[0].read_bytes()), OTHER.sign("example.com/cup\n1\n\n")]
    paths = [written(tmp_path, str(number), data) for number, data in enumerate(bad)]
    assert "ok" not in go([("note", path) for path in paths])


def test_go_has_the_same_root(go: Go, cup: Path, tmp_path: Path) -> None:
    """The root in a checkpoint is the one that Go computes from the lines of the log."""
    log = cup / "contest.jsonl"
    fewer = written(tmp_path, "fewer", log.read_bytes().rpartition(b'{"seq"')[0])
    other = written(tmp_path, "other", log.read_bytes().replace(b"anna", b"otto", 1))
    found = go([("lines", cup / "checkpoint", path) for path in (log, fewer, other)])
    assert [result.partition(" ")[0] for result in found] == ["ok", "refused", "refused"]


def test_go_accepts_consistency(go: Go, cup: Path, tmp_path: Path) -> None:
    """Go accepts the proof between two checkpoints of a contest, and refuses changed ones."""
    old = min((cup / "checkpoints").iterdir(), key=lambda path: int(path.name))
    proof = contest_signing.prove_consistency(cup, old, None)
    good = written(tmp_path, "proof", proof.data)
    assert go([("extends", old, good)]) == ["ok"]
    fork = KEY.sign(Checkpoint(KEY.name, int(old.name), bytes(32)).text)
    assert go([("extends", written(tmp_path, "fork", fork), good)]) != ["ok"]
    hashes = [ConsistencyProof(proof.old, proof.hashes[:-1], proof.checkpoint).data]
    bad = [*changes(proof.data), *hashes]
    paths = [written(tmp_path, f"bad{number}", data) for number, data in enumerate(bad)]
    assert "ok" not in go([("extends", old, path) for path in paths])


def test_go_accepts_inclusion(go: Go, cup: Path, tmp_path: Path) -> None:
    """Go accepts the proofs of matches of a tournament and of a stage, and refuses others."""
    tournament_folder(tmp_path / "spring")
    signing.sign(tmp_path / "spring", KEY, KEY.name)
    logs = [
        tmp_path / "spring/matches/1-000003.jsonl",
        cup / "stages/0002/matches/1-000001.jsonl",
        cup / "stages/0002/tournament.jsonl",
    ]
    proofs = [tmp_path / f"proof{number}" for number in range(3)]
    for log, proof in zip(logs, proofs, strict=True):
        signing.prove(*signing.tournament_of(log), proof)
    pairs = [(proof, log) for proof in proofs for log in logs]
    found = [result == "ok" for result in go([("includes", *pair) for pair in pairs])]
    assert found == [proofs.index(proof) == logs.index(log) for proof, log in pairs]
    good = Proof.parse(proofs[1].read_bytes())
    bad = [*changes(good.data), replace(good, extra=b"").data]
    bad.append(replace(good, extra=good.extra[:-2]).data)
    paths = [written(tmp_path, f"bad{number}", data) for number, data in enumerate(bad)]
    assert "ok" not in go([("includes", path, logs[1]) for path in paths])


def test_go_accepts_every_consistency_proof(go: Go, tmp_path: Path) -> None:
    """Go accepts our proofs between all trees of up to 20 leaves, and no proof to another root."""
    entries = [b"%d" % number for number in range(20)]
    checks: list[Check] = []
    for size in range(1, 21):
        later = KEY.sign(Checkpoint(KEY.name, size, root(entries[:size])).text)
        for old in range(1, size + 1):
            note = KEY.sign(Checkpoint(KEY.name, old, root(entries[:old])).text)
            proof = ConsistencyProof(old, consistency(entries[:size], old), later).data
            checkpoint = written(tmp_path, f"{old}", note)
            checks.append(("extends", checkpoint, written(tmp_path, f"{old}-{size}", proof)))
    assert {*go(checks)} == {"ok"}
    wrong = [(kind, old, checks[n - 1][2]) for n, (kind, old, _) in enumerate(checks)]
    found = go(wrong)
    sizes = [(Path(old).name, Path(proof).name.partition("-")[0]) for _, old, proof in wrong]
    assert all((result == "ok") == (a == b) for result, (a, b) in zip(found, sizes, strict=True))
