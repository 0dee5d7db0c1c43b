"""``koth keygen``, ``koth sign``, ``koth prove``, and ``koth verify`` with a key."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import koth as library
from schema import bundle, discovery
from schema.files import write_new
from schema.signed_note import PrivateKey
from tests.koth.commands import ROOT, Koth
from tests.replay.log_factory import tournament_folder

NAME = "example.com/spring"
MATCH = "1-000003"
TRANSCRIPT = ROOT / "tests/data/bank-heist-excerpt.txt"


@pytest.fixture
def key(koth: Koth, tmp_path: Path) -> Path:
    """A private key, with the public one beside it."""
    typed = koth("keygen", NAME, "-o", tmp_path / "key")
    assert (typed.code, typed.err) == (0, "")
    (tmp_path / "key.pub").write_text(typed.out)
    return tmp_path / "key"


@pytest.fixture
def vkey(key: Path) -> str:
    """The public key."""
    return key.with_suffix(".pub").read_text().strip()


@pytest.fixture
def spring(koth: Koth, key: Path, tmp_path: Path) -> Path:
    """A signed tournament."""
    tournament_folder(tmp_path / "spring")
    assert koth("sign", tmp_path / "spring", "--key", key).code == 0
    return tmp_path / "spring"


# --- koth keygen ---------------------------------------------------------------------------------


def test_keygen(key: Path, vkey: str) -> None:
    """The private key is its owner's alone; what is printed is the public one, and nothing else."""
    private = PrivateKey.parse(key.read_text().removesuffix("\n"))
    assert str(private.public) == vkey
    assert vkey.startswith(f"{NAME}+")
    assert key.stat().st_mode & 0o777 == 0o600


def test_a_key_is_never_overwritten(koth: Koth, key: Path, tmp_path: Path) -> None:
    """A file, a link or a folder that is there stays as it is."""
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    for there in (key, tmp_path / "link", tmp_path):
        before = key.read_bytes()
        told = koth.complaint("keygen", "other", "-o", there)
        assert told.startswith(f"{there}: expected no file there, found one")
        assert key.read_bytes() == before
    assert not (tmp_path / "gone").exists()


def test_a_key_does_not_lie_in_a_tournament(koth: Koth, key: Path, spring: Path) -> None:
    """No key is created in a tournament's folder, or used from one, by any path."""
    (spring.parent / "link").symlink_to(spring / "matches")
    for inside in (spring / "key", spring / "matches" / "key", spring.parent / "link" / "key"):
        told = koth.complaint("keygen", NAME, "-o", inside)
        assert "expected a key outside of the tournament's folder" in told
        assert not inside.exists()
        shutil.copy(key, inside)
        told = koth.complaint("sign", spring, "--key", inside)
        assert "expected a key outside of the tournament's folder" in told
        inside.unlink()


@pytest.mark.parametrize("name", ["a b", "a+b", "a\nb", "x" * 256])
def test_a_bad_name(name: str, koth: Koth, tmp_path: Path) -> None:
    """A name that cannot be that of a key is refused, and no file is made."""
    assert "expected a name of 1 to 255 bytes" in koth.complaint(
        "keygen", name, "-o", tmp_path / "key"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(koth: Koth, tmp_path: Path) -> None:
    """A key in a folder that does not exist is refused with a message."""
    told = koth.complaint("keygen", NAME, "-o", tmp_path / "gone" / "key")
    assert told == f"{tmp_path}/gone/key: cannot be written: No such file or directory."


def full_disk(path: Path, *content: object) -> None:
    """Write nothing, as on a full disk."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_no_wrong_usage(
    koth: Koth, spring: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key, a proof or a contest without room ends with 4, and its path is named."""
    for module in ("replay.signatures.keys", "replay.signatures.signing"):
        monkeypatch.setattr(f"{module}.write_new", full_disk)
    monkeypatch.setattr("referee.contest.folder.replacing_folder", full_disk)
    new = tmp_path / "new"
    commands: list[list[object]] = [
        ["keygen", NAME, "-o", new],
        ["prove", spring, MATCH, "-o", new],
        ["contest", "new", new, "coup"],
    ]
    for words in commands:
        assert koth.complaint(*words, code=4) == f"{new}: No space left on device."


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
def test_no_private_key_without_its_public_one(
    error: BaseException, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the second file cannot be written, the first goes, and the command can be repeated."""

    def write(path: Path, *content: Any) -> None:
        if path.suffix == ".pub":
            raise error
        write_new(path, *content)

    with monkeypatch.context() as patched:
        patched.setattr("replay.signatures.keys.write_new", write)
        assert koth("keygen", NAME, "-o", tmp_path / "key").code in (4, 130)
    assert list(tmp_path.iterdir()) == []
    assert koth("keygen", NAME, "-o", tmp_path / "key").code == 0


# --- koth sign -----------------------------------------------------------------------------------


def test_sign(koth: Koth, key: Path, tmp_path: Path) -> None:
    """The checkpoint is written once; a second run says that it exists, and keeps its bytes."""
    tournament_folder(tmp_path / "spring")
    words = ["sign", tmp_path / "spring", "--key", key]
    once = koth(*words)
    at = tmp_path / "spring" / "checkpoint"
    assert (once.code, once.err) == (0, "")
    assert once.out == f"{at}: signed, 13 files, by {NAME}\n"
    before = at.read_bytes()
    assert before.startswith(f"{NAME}\n13\n".encode())
    assert koth(*words).out == f"{at}: already signed, 13 files, by {NAME}\n"
    assert at.read_bytes() == before


def test_a_folder_that_cannot_be_written(
    koth: Koth, key: Path, spring: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is wrong usage, as for every other command that writes."""

    def refused(path: Path, data: bytes) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "write_bytes", refused)  # root passes every real barrier
    told = koth.complaint("sign", spring, "--key", key, "--replace")
    assert told == f"{spring / 'checkpoint'}: cannot be written: Permission denied."


def test_sign_for_another_origin(koth: Koth, key: Path, vkey: str, spring: Path) -> None:
    """A checkpoint is replaced only on request; then verification needs the new origin."""
    words = ["sign", spring, "--key", key, "--origin", "example.com/other"]
    assert "--replace replaces it" in koth.complaint(*words)
    assert koth(*words, "--replace").code == 0
    assert koth("verify", spring, "--key", vkey, "--origin", "example.com/other").code == 0
    assert koth("verify", spring, "--key", vkey, "--origin", NAME).code == 1
    told = koth.complaint("sign", spring, "--key", key, "--origin", "a b")
    assert told.startswith("--origin: expected a name")


@pytest.mark.parametrize("content", [b"", b"\n", b"\0\xff" * 99, b"x" * 3_000_000, None])
def test_a_damaged_key(content: bytes | None, koth: Koth, key: Path, spring: Path) -> None:
    """A file that holds no key, or one that was changed, is refused; it is not shown."""
    secret = key.read_text()
    key.write_bytes(secret.replace("+K", "+L").encode()[:-9] if content is None else content)
    told = koth.complaint("sign", spring, "--key", key)
    assert told.startswith(f"{key}: no private key: expected")
    assert secret[-30:-10] not in told


def test_a_disk_that_fails_has_no_wrong_key(koth: Koth, key: Path, spring: Path) -> None:
    """A key or a proof that the disk does not give is an error of the disk, which names it."""
    failing = "/proc/self/mem"  # it cannot be read at its beginning
    signer, told = ["--key", key.with_suffix(".pub"), "--origin", NAME], set()
    told.add(koth.complaint("sign", spring, "--key", failing, code=4))
    told.add(koth.complaint("verify", spring, "--key", failing, "--origin", NAME, code=4))
    told.add(koth.complaint("verify", spring, *signer, "--proof", failing, code=4))
    told.add(koth.complaint("verify", spring, "--since", failing, code=4))
    assert told == {f"{failing}: Input/output error."}


def test_a_key_that_is_no_file(koth: Koth, key: Path, vkey: str, spring: Path) -> None:
    """A key that is not there, a folder, or a public key in its place is refused."""
    told = koth.complaint("sign", spring, "--key", spring.parent / "gone")
    assert told.endswith("gone: cannot be read: No such file or directory.")
    assert "cannot be read" in koth.complaint("sign", spring, "--key", spring.parent)
    told = koth.complaint("sign", spring, "--key", key.with_suffix(".pub"))
    assert "expected a private key" in told


def test_what_cannot_be_signed(koth: Koth, key: Path, spring: Path, tmp_path: Path) -> None:
    """No tournament is wrong usage; one that does not hold together, or has no end, a finding."""
    told = koth.complaint("sign", tmp_path, "--key", key)
    assert told == f"{tmp_path}: expected a tournament's folder, found no tournament.jsonl there."
    (spring / "matches" / f"{MATCH}.jsonl").unlink()
    assert MATCH in koth.complaint("sign", spring, "--key", key, code=1)
    log = spring / "tournament.jsonl"
    log.write_bytes(log.read_bytes()[:-1])
    told = koth.complaint("sign", spring, "--key", key, code=1)
    assert "Finish the tournament before you sign it" in told


# --- koth prove, koth verify ---------------------------------------------------------------------


def test_prove_and_verify(koth: Koth, vkey: str, spring: Path, tmp_path: Path) -> None:
    """One match verifies with its proof and the public key, when nothing else is there."""
    log, proof = spring / "matches" / f"{MATCH}.jsonl", tmp_path / "match.tlog-proof"
    typed = koth("prove", spring, MATCH, "-o", proof)
    assert (typed.code, typed.err) == (0, "")
    assert typed.out == f"{proof}: proves that {MATCH} is number 3 of 13 files\n"
    assert proof.read_text().startswith("c2sp.org/tlog-proof@v1\nindex 3\n")
    assert koth("prove", spring, "3", "-o", tmp_path / "same").code == 0
    assert (tmp_path / "same").read_bytes() == proof.read_bytes()
    told = koth.complaint("prove", spring, "99", "-o", tmp_path / "other")
    assert "there is no log of a match '99' in this folder. Its matches are 1-000000 to" in told
    alone = tmp_path / "alone.jsonl"
    shutil.copy(log, alone)
    shutil.rmtree(spring)
    typed = koth("verify", alone, "--proof", proof, "--key", vkey, "--origin", NAME)
    assert (typed.code, typed.err) == (0, "")
    assert f"; number 3 of 13 files signed by {NAME}\n" in typed.out
    alone.write_bytes(alone.read_bytes().replace(b'"ask"', b'"ask" ', 1))
    words = ["verify", alone, "--proof", proof, "--key", vkey, "--origin", NAME]
    assert koth(*words).out.startswith(f"corrupt  {alone}:")


def test_an_imported_tournament(koth: Koth, key: Path, vkey: str, tmp_path: Path) -> None:
    """Its logs, which have no seed, are signed and proved like those that were played."""
    old, proof = tmp_path / "old", tmp_path / "match.tlog-proof"
    assert koth("import", "bank-heist-transcript", TRANSCRIPT, "-o", old).code == 0
    assert koth("sign", old, "--key", key).code == 0
    assert koth("prove", old, "1-000000", "-o", proof).code == 0
    log = old / "matches" / "1-000000.jsonl"
    for words in ([old], [log, "--proof", proof]):
        typed = koth("verify", *words, "--key", vkey, "--origin", NAME)
        assert (typed.code, typed.err) == (0, "")
        assert f"signed by {NAME}\n" in typed.out


def test_a_proof_of_another_log(koth: Koth, vkey: str, spring: Path, tmp_path: Path) -> None:
    """A log with the proof of another one is forged, and that is a finding."""
    log, proof = spring / "matches" / "1-000004.jsonl", tmp_path / "match.tlog-proof"
    koth("prove", spring, MATCH, "-o", proof)
    typed = koth("verify", log, "--proof", proof, "--key", vkey, "--origin", NAME)
    assert (typed.code, typed.err) == (1, "")
    assert typed.out.startswith(f"forged  {log}: proof: expected to find this file, SHA-256 ")
    assert typed.out.endswith("\n1 log: 1 forged\n")


def test_what_cannot_be_proved(koth: Koth, spring: Path, tmp_path: Path) -> None:
    """An unknown match, evidence, a file in the way, no checkpoint or tournament: wrong usage."""
    proof = tmp_path / "proof"
    told = koth.complaint("prove", spring, "1-00003", "-o", proof)
    assert "no match '1-00003'" in told
    assert "Did you mean '1-000003'?" in told
    assert "expected a tournament" in koth.complaint("prove", tmp_path, MATCH, "-o", proof)
    assert "no such file" in koth.complaint("prove", tmp_path / "gone", MATCH, "-o", proof)
    told = koth.complaint("prove", spring, MATCH, "-o", tmp_path / "gone" / "proof")
    assert told.endswith("proof: cannot be written: No such file or directory.")
    assert "expected no file there" in koth.complaint("prove", spring, MATCH, "-o", spring)
    (spring / "checkpoint").write_bytes(b"")
    assert "Nothing can be proved" in koth.complaint("prove", spring, MATCH, "-o", proof, code=1)
    (spring / "checkpoint").unlink()
    assert "Run `koth sign` first" in koth.complaint("prove", spring, MATCH, "-o", proof)
    evidence = spring / "evidence" / f"{MATCH}.jsonl"
    evidence.parent.mkdir(exist_ok=True)
    evidence.touch()
    assert "expected a log, found evidence" in koth.complaint("prove", evidence, "-o", proof)
    assert not proof.exists()


def test_a_log_of_zero_bytes(koth: Koth, spring: Path, tmp_path: Path) -> None:
    """A signed log that has zero bytes is named, with what was expected and found."""
    log = spring / "matches" / f"{MATCH}.jsonl"
    log.write_bytes(bytes(64))
    expected = f"{log}: expected a log, found a file with zero bytes"
    assert expected in koth.complaint("prove", spring, MATCH, "-o", tmp_path / "proof", code=4)
    assert expected in koth("verify", spring).out


def test_a_key_in_any_form(koth: Koth, vkey: str, spring: Path, key: Path) -> None:
    """The key is text or a file, also as an editor on Windows saves it."""
    windows = key.with_suffix(".txt")
    windows.write_bytes(f"{vkey}\r\n".encode())
    for given in (vkey, key.with_suffix(".pub"), windows):
        typed = koth("verify", spring, "--key", given, "--origin", NAME)
        assert (typed.code, typed.err) == (0, "")
        assert f"; 13 files signed by {NAME}\n" in typed.out


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_changed_checkpoint(
    jobs: int, koth: Koth, vkey: str, spring: Path, tmp_path: Path
) -> None:
    """With a key, a signed tournament is verified, and forged if its checkpoint was changed."""
    summer = shutil.copytree(spring, tmp_path / "summer")
    _with_another_size(summer / "checkpoint")
    typed = koth("verify", spring, summer, "--key", vkey, "--origin", NAME, "--jobs", jobs)
    assert (typed.code, typed.err) == (1, "")
    assert f"verified  {spring}/tournament.jsonl: " in typed.out
    assert f"; 13 files signed by {NAME}\n" in typed.out
    assert f"forged  {summer}/tournament.jsonl: checkpoint: expected the signature of" in typed.out
    assert typed.out.endswith("26 logs: 13 forged, 13 verified\n")


def test_a_changed_checkpoint_in_json(koth: Koth, vkey: str, spring: Path) -> None:
    """JSON counts the logs of a changed checkpoint as forged."""
    _with_another_size(spring / "checkpoint")
    shown = koth("verify", spring, "--key", vkey, "--origin", NAME, "--format", "json").json
    assert shown["counts"] == {"forged": 13}


def _with_another_size(checkpoint: Path) -> None:
    checkpoint.write_bytes(checkpoint.read_bytes().replace(b"\n13\n", b"\n12\n"))


def test_a_key_as_the_text_of_its_file(koth: Koth, key: Path, spring: Path) -> None:
    """The text of a key's file is a key with its newline, also for ``koth.verify``."""
    text = key.with_suffix(".pub").read_text()
    assert text.endswith("\n")
    assert koth("verify", spring, "--key", text, "--origin", NAME).code == 0
    assert library.verify(spring, key=text, origin=NAME).fine


def test_verify_without_a_key_says_so(koth: Koth, vkey: str, spring: Path, tmp_path: Path) -> None:
    """A signature that was not checked is reported on standard error, and as a warning."""
    typed = koth("verify", spring)
    assert typed.code == 0
    told = "its signature was not checked. Give --key and --origin for that.\n"
    assert typed.err == f"koth: {spring}/checkpoint: {told}"
    with pytest.warns(match=r"/checkpoint: its signature was not checked\. Give key and origin"):
        assert library.verify(spring).fine
    assert "signed" not in typed.out
    shutil.copytree(spring, tmp_path / "summer")
    assert koth("verify", tmp_path).err == f"koth: {spring}/checkpoint and 1 more: {told}"
    (spring / "checkpoint").write_bytes(b"")
    assert koth("verify", spring).code == 1


def test_verify_an_archive_with_a_key(koth: Koth, vkey: str, spring: Path, tmp_path: Path) -> None:
    """A packed tournament is verified with its signature, without being unpacked."""
    archive = tmp_path / "archive"
    archive.mkdir()
    files = [(name, at.read_bytes()) for name, at in discovery.tournament_files(spring)]
    bundle.write(files, archive / "spring.jsonl.zst")
    words = ["verify", archive, "--key", vkey, "--origin", NAME]
    typed = koth(*words, "--jobs", 2)
    assert (typed.code, typed.err) == (0, "")
    assert typed.out.endswith("13 logs: 13 verified\n")
    bundle.write([one for one in files if one[0] != "checkpoint"], archive / "summer.jsonl.zst")
    typed = koth(*words)
    assert typed.code == 1
    assert "summer.jsonl.zst/tournament.jsonl: checkpoint: missing" in typed.out
    assert typed.out.endswith("26 logs: 13 forged, 13 verified\n")


def test_wrong_usage_of_a_key(koth: Koth, vkey: str, key: Path, spring: Path) -> None:
    """Key and origin go together, a proof needs both and one log; a key that is none is refused."""
    log = spring / "matches" / f"{MATCH}.jsonl"
    for words, told in (
        (["--key", vkey], "expected an origin too"),
        (["--origin", NAME], "expected a key too"),
        (["--proof", log], "expected a key too"),
        (["--proof", log, "--key", vkey], "expected an origin too"),
        (["--key", vkey, "--origin", ""], "origin: expected printable text"),
        (["--key", vkey, "--origin", "a\nb"], "origin: expected printable text"),
        (["--key", vkey[:-1], "--origin", NAME], "key: expected a public key"),
        (["--key", "x" * 5000, "--origin", NAME], "key: expected a public key"),
        (["--key", spring, "--origin", NAME], "key: expected a public key"),
        (["--key", log, "--origin", NAME], f"{log}: no public key: "),
        (["--key", key, "--origin", NAME], f"{key}: no public key: "),
    ):
        assert told in koth.complaint("verify", log, *words)
    both = ["--key", vkey, "--origin", NAME]
    for command in (["verify", spring], ["report", spring, "-o", spring.parent / "page.html"]):
        told = koth.complaint(*command, *both, "--proof", log)
        assert told == "proof: expected one log, found 13."
    told = koth.complaint("verify", log, *both, "--proof", spring / "gone")
    assert told == f"proof: {spring}/gone: cannot be read: No such file or directory."
    secret = key.read_text().strip()
    assert secret not in koth.complaint("verify", log, "--key", secret, "--origin", NAME)


def test_keys_are_not_loaded_without_need(spring: Path) -> None:
    """Verifying without a key does not import the library for them: it would take a while."""
    code = (
        "import sys; from koth.cli.main import status; "
        f"code = status(['verify', {str(spring)!r}]); "
        "sys.exit(code or 'cryptography' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.DEVNULL, check=False
    )
    assert ran.returncode == 0


# --- What is handed over --------------------------------------------------------------------------


def test_a_folder_to_hand_over(
    koth: Koth, vkey: str, spring: Path, tmp_path: Path, one_rule: None
) -> None:
    """It holds log, proof, key and a command that verifies it; nothing of it is left on failure."""
    target = tmp_path / "handed"
    typed = koth("prove", spring, MATCH, "--key", vkey, "-o", target)
    assert (typed.code, typed.err) == (0, "")
    assert (target / "log.jsonl").read_bytes() == (spring / f"matches/{MATCH}.jsonl").read_bytes()
    command = re.search(r"    koth (verify .*)", (target / "README.txt").read_text())
    assert command
    files = {"log.jsonl": "log.jsonl", "proof": "proof", "key.pub": "key.pub"}
    words = [str(target / files[word]) if word in files else word for word in command[1].split()]
    assert koth(*words).code == 0
    page = tmp_path / "page.html"
    more = ["--proof", target / "proof", "--key", target / "key.pub", "--origin", NAME]
    assert koth("report", target / "log.jsonl", *more, "-o", page).code == 0
    assert "signed" in page.read_text()
    assert "expected nothing there" in koth.complaint(
        "prove", spring, MATCH, "--key", vkey, "-o", target
    )


def test_a_folder_is_not_made_with_another_key(koth: Koth, spring: Path, tmp_path: Path) -> None:
    """A key that did not sign is refused, and nothing is left."""
    koth("keygen", NAME, "-o", tmp_path / "other")
    before = {*tmp_path.iterdir()}
    words = ["prove", spring, MATCH, "--key", tmp_path / "other.pub", "-o", tmp_path / "handed"]
    assert "expected a signature by" in koth.complaint(*words, code=1)
    assert {*tmp_path.iterdir()} == before


def test_the_evidence_in_a_folder_to_hand_over(
    koth: Koth, vkey: str, spring: Path, tmp_path: Path
) -> None:
    """It is that of the match; a link to another file is refused, and nothing is left."""
    evidence, target = spring / discovery.EVIDENCE / f"{MATCH}.jsonl", tmp_path / "handed"
    words = ["prove", spring, MATCH, "--key", vkey, "-o", target]
    evidence.parent.mkdir(exist_ok=True)
    evidence.write_text('{"seq":1}\n')
    assert koth(*words).code == 0
    assert (target / discovery.EVIDENCE / "log.jsonl").read_text() == '{"seq":1}\n'
    shutil.rmtree(target)
    evidence.unlink()
    evidence.symlink_to(tmp_path / "key")
    assert "expected no link" in koth.complaint(*words, code=4)
    assert [*tmp_path.glob("handed*"), *tmp_path.glob(".koth-*")] == []


def test_the_log_of_a_tournament_is_handed_over(
    koth: Koth, vkey: str, spring: Path, tmp_path: Path
) -> None:
    """Its folder has no evidence, and the instructions speak of the log instead of a match."""
    target = tmp_path / "handed"
    (spring / discovery.EVIDENCE).mkdir(exist_ok=True)
    (spring / discovery.EVIDENCE / "tournament.jsonl").write_text('{"seq":1}\n')
    assert koth("prove", spring, "tournament", "--key", vkey, "-o", target).code == 0
    assert not (target / discovery.EVIDENCE).exists()
    assert (target / "README.txt").read_text().startswith("The log of the tournament that was ")
