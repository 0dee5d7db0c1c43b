"""Files of strangers with random changes: texts to import, proofs, and bundles with a right seal.

Each gets a documented exit code and at most one sentence, and leaves nothing if it is refused.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from schema.bundle import SEAL_HEAD
from schema.bundle import write as write_bundle
from schema.discovery import tournament_files
from schema.seal import hex_digest
from schema.signed_note import PrivateKey, Proof, verify_note
from schema.zstd import zstd
from tests.koth.commands import Koth
from tests.sampling import FACTOR

CASES = 8 * FACTOR

DATA = Path(__file__).parents[1] / "data"
HONEST = Path(__file__).parents[1] / "corpus" / "honest_tournament_of_coins"
ORIGIN = "spring.example/2026"
KEY = PrivateKey(ORIGIN, b"k" * 32)

HISTORY = "Anna_Ben_1_0.txt", b"I\nFp\nEq=\nTq~\nSaq0\nAs\nCp\n" * 3
"""A history of Coup: its name tells the players and the result."""
IMPORTS = {
    "smallest-unique-results.txt": "results",
    "coins-results.txt": "results",
    "coup-results.txt": "results",
    "bank-heist-excerpt.txt": "bank-heist-transcript",
    HISTORY[0]: "coup-history",
}

PIECES = (
    *(b"", b"\0", b"\r\n", b"\n\n", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x1b[31m", b" "),
    *(b"-1", b"00", b"18446744073709551616", b"9" * 5000, b"NaN", b"1e9", "٣".encode(), b"="),
    *(b"../", b'"', b"/", b"\xc2\x9b", b"\xe2\x80\xae", b"\xe2\x80\xa8", b"a/" * 400, b"x" * 300),
)


def changed(data: bytes, chance: random.Random) -> bytes:
    """Return ``data`` with up to three changes of bytes or lines."""
    for _ in range(chance.randint(1, 3)):
        at, lines = chance.randrange(len(data) + 1), data.splitlines(keepends=True)
        end = min(len(data), at + chance.choice([0, 1, 1, 4, 40]))
        match chance.randrange(4):
            case 0:
                data = data[:at] + chance.choice(PIECES) + data[end:]
            case 1:
                data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
            case 2 if lines:
                lines.insert(chance.randrange(len(lines)), chance.choice(lines))
                data = b"".join(lines)
            case _ if lines:
                del lines[chance.randrange(len(lines))]
                data = b"".join(lines)
    return data


def refused_or_done(koth: Koth, folder: Path, *words: object, codes: tuple[int, ...]) -> int:
    """Run a command that makes ``new`` in ``folder``; check its outcome, and return its code."""
    before = {*folder.iterdir()}
    typed = koth(*words)
    assert typed.code in codes, typed
    assert "bug in koth" not in typed.err
    assert (typed.out + typed.err).replace("\n", "").isprintable()
    if typed.code:
        assert typed.err.count("\n") <= 1
        assert {*folder.iterdir()} == before
    if (folder / "new").exists():
        shutil.rmtree(folder / "new")
    return typed.code


@pytest.mark.parametrize("name", IMPORTS)
def test_a_changed_text_is_imported_or_refused(name: str, koth: Koth, tmp_path: Path) -> None:
    """It is imported whole, or one sentence names its first wrong line."""
    chance = random.Random(name)
    data = HISTORY[1] if name == HISTORY[0] else (DATA / name).read_bytes()
    for _ in range(CASES):
        (tmp_path / name).write_bytes(changed(data, chance))
        words = ("import", IMPORTS[name], tmp_path / name, "-o", tmp_path / "new")
        refused_or_done(koth, tmp_path, *words, codes=(0, 2))


def test_a_changed_proof_proves_nothing_else(koth: Koth, tmp_path: Path) -> None:
    """A proof that is accepted has the index, the hashes and the signed text of the right one."""
    home = Path(shutil.copytree(HONEST, tmp_path / "spring"))
    for path, content in ((tmp_path / "key", KEY.text()), (tmp_path / "key.pub", KEY.public)):
        path.write_text(f"{content}\n")
    assert koth("sign", home, "--key", tmp_path / "key").code == 0
    assert koth("prove", home, "1-000001", "-o", tmp_path / "right").code == 0
    right, chance = (tmp_path / "right").read_bytes(), random.Random(1)

    def proved(data: bytes) -> tuple[object, ...]:
        proof = Proof.parse(data)
        return proof.index, [*proof.hashes], verify_note(proof.checkpoint, KEY.public)

    log, proof = home / "matches" / "1-000001.jsonl", tmp_path / "proof"
    words = ("verify", log, "--proof", proof, "--key", tmp_path / "key.pub", "--origin", ORIGIN)
    proof.write_bytes(right)
    assert refused_or_done(koth, tmp_path, *words, codes=(0,)) == 0
    for _ in range(3 * CASES):
        proof.write_bytes(changed(right, chance))
        if refused_or_done(koth, tmp_path, *words, codes=(0, 1)) == 0:
            assert proved(proof.read_bytes()) == proved(right)


def test_a_changed_index_is_unpacked_or_refused(koth: Koth, tmp_path: Path) -> None:
    """A bundle with another index and a right seal is unpacked below its folder, or refused."""
    bundle, chance = tmp_path / "spring.jsonl.zst", random.Random(2)
    write_bundle([(name, path.read_bytes()) for name, path in tournament_files(HONEST)], bundle)
    content = bundle.read_bytes()[:-72]
    unpacking = zstd.ZstdDecompressor()
    index, frames = unpacking.decompress(content), unpacking.unused_data
    for _ in range(3 * CASES):
        packed = zstd.compress(changed(index, chance)) + frames
        bundle.write_bytes(packed + SEAL_HEAD + hex_digest(packed).encode())
        words = ("unpack", bundle, "-o", tmp_path / "new")
        refused_or_done(koth, tmp_path, *words, codes=(0, 1, 2))
        refused_or_done(koth, tmp_path, "verify", bundle, codes=(0, 1))
