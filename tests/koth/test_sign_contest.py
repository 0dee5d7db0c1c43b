"""``koth sign``, ``koth prove`` and ``koth verify --since`` on a contest."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from time import monotonic

import pytest

from schema.signed_note import OLD, PrivateKey
from tests import contests
from tests.koth.commands import Koth, started
from tests.referee.interruptions import Disk, disk
from tests.referee.test_resume_kills import killed
from tests.sampling import FACTOR

NAME = "example.com/cup"
KILLS = 2 * FACTOR
"""The number of times that ``koth sign`` is killed."""


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A private key, with the public one beside it."""
    private = PrivateKey(NAME, b"\x07" * 32)
    (tmp_path / "key").write_text(private.text())
    (tmp_path / "key.pub").write_text(str(private.public))
    return tmp_path / "key"


@pytest.fixture
def words(key: Path) -> list[object]:
    """The options that name the signer."""
    return ["--key", key.with_suffix(".pub"), "--origin", NAME]


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A contest of one stage."""

    def hold() -> None:
        contests.new(tmp_path / "cup")
        bots = [contests.bot(tmp_path / "bots", name) for name in ("anna", "bert")]
        contests.enter(tmp_path / "cup", bots)
        contests.run(tmp_path / "cup")

    contests.simulated(hold)
    return tmp_path / "cup"


def test_sign_prove_verify(koth: Koth, cup: Path, key: Path, words: list[object]) -> None:
    """A contest is signed twice, the checkpoints are proved to be consistent, and it verifies."""
    mine, proof = cup.parent / "mine", cup.parent / "later.proof"
    signed = koth("sign", cup, "--key", key)
    assert (signed.code, signed.err) == (0, "")
    assert signed.out == f"{cup}/checkpoint: signed, 5 lines, by {NAME}\n"
    assert koth("sign", cup, "--key", key).out.startswith(f"{cup}/checkpoint: already signed, 5")
    shutil.copy(cup / "checkpoint", mine)
    contests.enter(cup, [contests.bot(cup.parent / "bots", "cleo")])
    assert koth("sign", cup, "--key", key).out.endswith(f"signed, 6 lines, by {NAME}\n")

    printed = koth("prove", cup, "--from", mine)
    assert printed.out.startswith("old 5\n")
    written = koth("prove", cup, "--from", mine, "--to", cup / "checkpoint", "-o", proof)
    assert written.out == f"{proof}: proves that {cup}/checkpoint extends {mine}\n"
    assert proof.read_text() == printed.out

    found = koth("verify", proof, "--since", mine, *words)
    assert (found.code, found.err) == (0, "")
    reason = f"its 6 lines begin with the 5 of {mine}; signed by {NAME}"
    assert found.out == f"verified  {proof}: {reason}\n1 log: 1 verified\n"
    unchecked = koth("verify", proof, "--since", mine)
    assert (unchecked.code, "signed by" in unchecked.out) == (0, False)
    assert unchecked.err.startswith(f"koth: {proof}: its signature was not checked.")
    proof.write_text(proof.read_text().replace("old 5", "old 4"))
    forged = koth("verify", proof, "--since", mine, *words)
    assert forged.code == 1
    assert forged.out.startswith(f"forged  {proof}: ")
    found = koth("verify", cup, "--since", mine, *words)
    assert (found.code, found.err) == (0, "")
    assert f"; 6 lines signed by {NAME}\n" in found.out
    shown = koth("verify", cup, "--since", mine, *words, "--format", "json")
    assert shown.json["counts"] == {"verified": 4}


def test_a_signature_that_is_not_checked_is_named(koth: Koth, cup: Path, key: Path) -> None:
    """Without a key, a contest and a stage alone name the checkpoint that nobody checked."""
    koth("sign", cup, "--key", key)
    warning = f"koth: {cup}/checkpoint: its signature was not checked. "
    for path in (cup, cup / "stages/0001"):
        for options in ([], ["--format", "json"]):
            verified = koth("verify", path, *options)
            assert (verified.code, verified.err.partition("Give")[0]) == (0, warning)


def test_a_rewritten_contest(koth: Koth, cup: Path, key: Path, words: list[object]) -> None:
    """A contest that a kept checkpoint contradicts is forged, and gives no proof."""
    koth("sign", cup, "--key", key)
    mine = Path(shutil.move(cup / "checkpoint", cup.parent / "mine"))
    shutil.rmtree(cup / "checkpoints")
    log = cup / "contest.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:3]))
    shutil.rmtree(cup / "stages/0001")
    contests.simulated(lambda: contests.run(cup, "luckier"))
    koth("sign", cup, "--key", key)
    found = koth("verify", cup, "--since", mine, *words)
    assert found.code == 1
    assert f"forged  {log}: {mine}: expected lines 1 to 5 as they were signed" in found.out
    told = koth.complaint("prove", cup, "--from", mine, "-o", cup.parent / "proof", code=1)
    assert "expected lines 1 to 5 as they were signed, found others, in stage 1" in told
    assert not (cup.parent / "proof").exists()


def test_prove_a_log(koth: Koth, cup: Path, key: Path, words: list[object]) -> None:
    """The log of a match gives a folder that verifies when nothing else is left.

    A match may be named by its stage and its id.
    """
    koth("sign", cup, "--key", key)
    log, mine = cup / "stages/0001/matches/1-000001.jsonl", cup.parent / "mine"
    made = koth("prove", log, "--key", key.with_suffix(".pub"), "-o", mine)
    assert (made.code, made.err) == (0, "")
    for word in ("1/1-000001", "0001/1", "1-000001", "1"):
        proof = cup.parent / word.replace("/", " ")
        told = f"{proof}: proves that 1-000001 is number 1 of 3 files\n"
        assert koth("prove", cup, word, "-o", proof).out == told
        assert proof.read_bytes() == (mine / "proof").read_bytes()
    told = koth("prove", cup, "1/tournament", "-o", cup.parent / "whole").out
    assert told.endswith("proves that tournament is number 2 of 3 files\n")
    shutil.rmtree(cup)
    found = koth("verify", mine / "log.jsonl", "--proof", mine / "proof", *words)
    assert f"; number 1 of 3 files of stage 1 signed by {NAME}\n" in found.out


def test_wrong_usage(koth: Koth, cup: Path, key: Path, words: list[object]) -> None:
    """Options that do not fit together are refused, and so is a checkpoint that is none."""
    koth("sign", cup, "--key", key)
    checkpoint, proof = cup / "checkpoint", cup.parent / "extends.proof"
    proof.write_text(OLD)
    for options, told in (
        (["prove", cup, "--to", checkpoint], "--to: expected --from too"),
        (["prove", cup], "-o: expected a new file"),
        (["prove", cup, "-o", cup.parent / "new"], "expected one log, found several"),
        (["prove", cup, "2/1", "-o", cup.parent / "new"], "there is no log of a match '2/1' in"),
        (["prove", cup, "1-000000", "--from", checkpoint], "--from: expected only --to and -o"),
        (["prove", cup, "--key", key, "--from", checkpoint], "--from: expected only --to and -o"),
        (["prove", cup / "stages/0001", "--from", checkpoint], "expected a contest, found no"),
        (["prove", cup, "--from", cup / "contest.jsonl"], "expected a text, an empty line"),
        (["verify", cup / "stages/0001", "--since", checkpoint], "--since: expected one contest"),
        (["verify", cup, "--since", checkpoint, "--proof", checkpoint, *words], "give one of them"),
        (["verify", cup, proof, "--since", checkpoint], f"found both; {proof} is a proof"),
        (["verify", cup, "--since", cup / "gone"], "cannot be read: No such file"),
        (["verify", cup, "--since", cup / "contest.jsonl"], "--since: "),
        (["sign", cup, "--key", shutil.copy(key, cup / "key")], "outside of the contest's folder"),
    ):
        code = 1 if "an empty line" in told else 2
        assert told in koth.complaint(*options, code=code)


def test_killed_at_random_moments(koth: Koth, cup: Path, key: Path, words: list[object]) -> None:
    """After a kill the old or the new checkpoint is there; the next run signs, and tidies up."""
    rng, kills, begun = random.Random(), 0, monotonic()
    started("sign", cup, "--key", key).communicate(timeout=60)
    seconds = monotonic() - begun
    for place in (cup, cup / "checkpoints"):
        (place / ".koth-0123456789abcdef.tmp").touch()  # as a kill at this moment leaves it
    for number in range(10 * KILLS):
        with disk(Disk()):
            contests.enter(cup, [contests.bot(cup.parent / "bots", "anna", str(number))])
        before = (cup / "checkpoint").read_bytes()
        kills += killed(started("sign", cup, "--key", key), rng.uniform(0, seconds))
        found = (cup / "checkpoint").read_bytes()
        assert koth("sign", cup, "--key", key).code == 0
        assert found in (before, (cup / "checkpoint").read_bytes())
        assert not [*cup.rglob(".koth-*")]
        if kills >= KILLS:
            break
    assert kills == KILLS
    assert koth("verify", cup, *words).code == 0
