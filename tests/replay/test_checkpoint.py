"""Checkpoints: what a signature over a tournament shows, and every way to cheat it."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from replay.log_verdict import LogVerdict
from replay.signatures import signing, verification
from replay.signatures.signer import CheckpointError, ExpectedSigner
from replay.signatures.verification import check_signatures
from replay.verify import verify, verify_all
from schema import bundle, discovery, merkle
from schema.errors import KothError, LogError, UsageError
from schema.seal import hex_digest
from schema.signed_note import Checkpoint, PrivateKey, Proof
from tests.factories import loads, sealed, write
from tests.failures import refuse
from tests.replay.edits import edited
from tests.replay.log_factory import hex_seed, short, tournament_folder

KEY = PrivateKey("example.com/spring", b"\x07" * 32)
NAMESAKE = PrivateKey("example.com/spring", b"\x08" * 32)
ORIGIN = "example.com/spring"
PINNED = ExpectedSigner(KEY.public, ORIGIN)
MATCH = "1-000003"


@pytest.fixture
def spring(tmp_path: Path) -> Path:
    """A signed tournament of 12 matches."""
    tournament_folder(tmp_path / "spring")
    signing.sign(tmp_path / "spring", KEY, ORIGIN)
    return tmp_path / "spring"


@pytest.fixture
def proof(spring: Path) -> Path:
    """The proof of one of its matches."""
    signing.prove(spring, MATCH, spring.parent / "match.tlog-proof")
    return spring.parent / "match.tlog-proof"


UNCOVERED = "not shown to be signed"


def verdicts(*paths: Path, pinned: ExpectedSigner | None = PINNED) -> list[LogVerdict]:
    """The verdicts on all logs at these paths."""
    logs = discovery.logs(paths)
    return check_signatures(logs, list(verify_all(logs)), pinned)


def finding(*paths: Path, pinned: ExpectedSigner | None = PINNED) -> LogVerdict:
    """Return the one bad verdict, except those on logs that the signature does not cover."""
    bad = [one for one in verdicts(*paths, pinned=pinned) if not one.fine]
    uncovered = [one for one in bad if one.reason.startswith(UNCOVERED)]
    [found] = [one for one in bad if one not in uncovered] or uncovered
    assert all(one.verdict == "forged" for one in uncovered)
    return found


def forged(*paths: Path, pinned: ExpectedSigner | None = PINNED) -> str:
    """Why the tournament's log, and no other, is forged."""
    found = finding(*paths, pinned=pinned)
    assert (found.verdict, Path(found.path).name) == ("forged", "tournament.jsonl")
    return found.reason


def proven(log: Path, proof: bytes, pinned: ExpectedSigner = PINNED) -> LogVerdict:
    """The verdict on one log with a proof."""
    [found] = verdicts(log, pinned=replace(pinned, proof=proof))
    return found


def match_log(spring: Path, match: str = MATCH) -> Path:
    """Return the path of a match's log."""
    return spring / "matches" / f"{match}.jsonl"


def note(spring: Path, key: PrivateKey = KEY, **changes: object) -> bytes:
    """The checkpoint of a tournament with something else in it, signed."""
    found = Checkpoint.parse((spring / "checkpoint").read_text().partition("\n\n")[0] + "\n")
    return key.sign(replace(found, **changes).text)  # type: ignore[arg-type]


def reseal(path: Path, seq: int, field: str, value: object) -> None:
    """Change a field of a log, and seal it again with its own seed."""
    events = loads(path.read_bytes())
    path.write_bytes(sealed(edited(events, seq, field, value), events[-1]["seed"]))


# --- What it shows -------------------------------------------------------------------------------


def test_a_signed_tournament_is_verified(spring: Path) -> None:
    """All verdicts are fine, and the tournament's verdict names the signer."""
    *matches, own = verdicts(spring)
    assert {one.verdict for one in (*matches, own)} == {"verified"}
    assert own.reason.endswith("; 13 files signed by example.com/spring")
    assert all("signed" not in one.reason for one in matches)


def test_a_signed_tournament_is_verified_in_the_folder_of_its_matches(
    spring: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signature covers the matches from any working folder, and no others."""
    matches = spring / "matches"
    monkeypatch.chdir(matches)
    logs = [Path("../tournament.jsonl"), *(Path(path.name) for path in matches.iterdir())]
    assert all(one.fine for one in verdicts(*logs))
    write(matches / "extra.jsonl", short(), hex_seed(848))
    assert finding(Path("extra.jsonl")).reason.startswith(UNCOVERED)


def test_the_tree_is_that_of_the_files(spring: Path) -> None:
    """Size and root are those over the hashes of the match files in order, then the own log."""
    order = [f"matches/{one.name}" for one in sorted((spring / "matches").iterdir())]
    hashes = [hex_digest((spring / one).read_bytes()) for one in [*order, "tournament.jsonl"]]
    found = Checkpoint(ORIGIN, 13, merkle.root([bytes.fromhex(one) for one in hashes]))
    assert (spring / "checkpoint").read_bytes() == KEY.sign(found.text)


def test_the_order_is_that_of_the_matches(tmp_path: Path) -> None:
    """It is the tournament's log that orders the matches, not their names; a void one counts."""
    log = tmp_path / "tournament.jsonl"
    names = ["1-000000", "1-000001", "2-000000", "2-999999", "2-1000000"]
    lines = [
        f'{{"seq":{n},"type":"match_played","match":"{name}"}}\n' for n, name in enumerate(names)
    ]
    log.write_text("".join([*lines[:2], '{"seq":2,"type":"voided","attempt":1}\n', *lines[2:]]))
    (tmp_path / "matches").mkdir()
    for name in names:
        match_log(tmp_path, name).write_text(name)
    found = verification.entries(tmp_path)
    assert list(found) == [*names, "tournament"]
    assert found["2-999999"].hex() == hex_digest(b"2-999999")
    assert found["tournament"].hex() == hex_digest(log.read_bytes())


def test_signing_again_changes_nothing(spring: Path) -> None:
    """The same key gives the same bytes, and leaves those of witnesses that signed it too."""
    once = (spring / "checkpoint").read_bytes()
    assert not signing.sign(spring, KEY, ORIGIN)[1]
    assert signing.sign(spring, KEY, ORIGIN, overwrite=True)[1]
    assert (spring / "checkpoint").read_bytes() == once
    witnessed = once + b"\xe2\x80\x94 witness.example c2lnbmF0dXJl\n"
    (spring / "checkpoint").write_bytes(witnessed)
    assert not signing.sign(spring, KEY, ORIGIN)[1]
    assert (spring / "checkpoint").read_bytes() == witnessed
    assert all(one.fine for one in verdicts(spring))


@pytest.mark.parametrize("index", range(13))
def test_one_log_is_proved_without_the_others(index: int, spring: Path, tmp_path: Path) -> None:
    """Every match, and the tournament's log, verifies with its proof when nothing else is there."""
    match = [*(f"1-{n:06}" for n in range(12)), "tournament"][index]
    assert signing.prove(spring, match, tmp_path / "proof") == (index, 13)
    log = match_log(spring, match) if index < 12 else spring / "tournament.jsonl"
    data = log.read_bytes()
    shutil.rmtree(spring)
    (tmp_path / "alone.jsonl").write_bytes(data)
    found = proven(tmp_path / "alone.jsonl", (tmp_path / "proof").read_bytes())
    assert found.verdict == "verified"
    assert found.reason.endswith(f"; number {index} of 13 files signed by example.com/spring")


def test_a_bundle_is_as_good_as_the_folder(spring: Path, tmp_path: Path) -> None:
    """Packed, a tournament verifies and proves the same."""
    packed = tmp_path / "packed.jsonl.zst"
    files = [(name, at.read_bytes()) for name, at in discovery.tournament_files(spring)]
    bundle.write(files, packed)
    assert all(one.fine for one in verdicts(packed))
    signing.prove(packed, MATCH, tmp_path / "one")
    signing.prove(spring, MATCH, tmp_path / "other")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    inner = packed / "matches" / f"{MATCH}.jsonl"
    assert proven(inner, (tmp_path / "one").read_bytes()).fine
    bundle.write([(name, data) for name, data in files if name != "checkpoint"], packed)
    assert "checkpoint: missing" in forged(packed)


# --- Without a key -------------------------------------------------------------------------------


def test_without_a_key_the_files_are_held_against_the_checkpoint(spring: Path) -> None:
    """Nobody's signature is checked, but size and root are, and the form."""
    assert all(one.fine for one in verdicts(spring, pinned=None))
    assert verification.checkpoints(discovery.logs([spring])) == [spring / "checkpoint"]
    (spring / "checkpoint").write_bytes(note(spring, NAMESAKE))
    assert all(one.fine for one in verdicts(spring, pinned=None))
    (spring / "checkpoint").write_bytes(note(spring, size=12))
    assert "expected a size of 13" in forged(spring, pinned=None)
    (spring / "checkpoint").write_bytes(note(spring, size=13, root=bytes(32)))
    assert "expected the root of these files" in forged(spring, pinned=None)
    (spring / "checkpoint").write_bytes(b"")
    assert "checkpoint: expected" in forged(spring, pinned=None)


def test_without_a_key_and_a_checkpoint_all_is_as_ever(spring: Path) -> None:
    """A tournament that nobody signed gets the verdicts that it got before."""
    (spring / "checkpoint").unlink()
    logs = discovery.logs([spring])
    found = list(verify_all(logs))
    assert check_signatures(logs, found, None) == found
    assert verification.checkpoints(logs) == []


# --- Attacks on a tournament ---------------------------------------------------------------------


def _another_key(spring: Path) -> bytes:
    return note(spring, PrivateKey("example.com/autumn", b"\x09" * 32))


def _a_namesake_s_key(spring: Path) -> bytes:
    return note(spring, NAMESAKE)


def _another_origin(spring: Path) -> bytes:
    return note(spring, origin="example.com/autumn")


def _unsigned(spring: Path) -> bytes:
    return (spring / "checkpoint").read_bytes().partition(b"\xe2\x80\x94")[0]


def _crlf(spring: Path) -> bytes:
    return (spring / "checkpoint").read_bytes().replace(b"\n", b"\r\n")


def _for_fewer_matches(spring: Path) -> bytes:
    return note(spring, size=12, root=merkle.root([*verification.entries(spring).values()][1:]))


def _for_more_matches(spring: Path) -> bytes:
    hashes = [*verification.entries(spring).values()]
    return note(spring, size=14, root=merkle.root([*hashes, hashes[0]]))


def _another_root(spring: Path) -> bytes:
    return note(spring, root=bytes(32))


def _in_another_order(spring: Path) -> bytes:
    one, two, *others = verification.entries(spring).values()
    return note(spring, root=merkle.root([two, one, *others]))


def _of_another_tournament(spring: Path) -> bytes:
    other = spring.parent / "other"
    tournament_folder(other, hex_seed(2))
    signing.sign(other, KEY, ORIGIN)
    return (other / "checkpoint").read_bytes()


def _with_a_false_signature_appended(spring: Path) -> bytes:
    data = (spring / "checkpoint").read_bytes()
    return data + b"\xe2\x80\x94" + note(spring, size=1).rpartition(b"\xe2\x80\x94")[2]


def _with_an_unfinished_signature_appended(spring: Path) -> bytes:
    return (spring / "checkpoint").read_bytes() + "— example.com/spring".encode()


def _binary(spring: Path) -> bytes:
    return bytes(range(256)) * 4


def _huge(spring: Path) -> bytes:
    data = (spring / "checkpoint").read_bytes()
    return data + "— witness.example c2lnbmF0dXJl\n".encode() * 40_000


def _empty(spring: Path) -> bytes:
    return b""


BAD_CHECKPOINTS: dict[Callable[[Path], bytes], str] = {
    _another_key: "expected a signature by example.com/spring+",
    _a_namesake_s_key: "expected a signature by example.com/spring+",
    _another_origin: "expected the origin 'example.com/spring', found 'example.com/autumn'",
    _unsigned: "expected",
    _crlf: "control character",
    _for_fewer_matches: "expected a size of 13, as many files as there are, found 12",
    _for_more_matches: "expected a size of 13, as many files as there are, found 14",
    _another_root: "expected the root of these files",
    _in_another_order: "expected the root of these files",
    _of_another_tournament: "expected the root of these files",
    _with_a_false_signature_appended: "the text or the signature was changed",
    _with_an_unfinished_signature_appended: "whole signature lines",
    _binary: "not UTF-8",
    _huge: "more than 1000000 bytes",
    _empty: "expected a text",
}


@pytest.mark.parametrize("attack", BAD_CHECKPOINTS)
def test_a_bad_checkpoint_is_found(attack: Callable[[Path], bytes], spring: Path) -> None:
    """A checkpoint that the key did not sign for these files makes the tournament forged."""
    data = attack(spring)
    assert data != (spring / "checkpoint").read_bytes()
    (spring / "checkpoint").write_bytes(data)
    told = forged(spring)
    assert {one.verdict for one in verdicts(spring)} == {"forged"}
    assert told.startswith("checkpoint: ")
    assert BAD_CHECKPOINTS[attack] in told


def test_another_pinned_origin_is_not_that_of_the_checkpoint(spring: Path) -> None:
    """The right key is not enough: it may have signed this for something else."""
    assert "expected the origin 'b'" in forged(spring, pinned=ExpectedSigner(KEY.public, "b"))


def test_a_missing_checkpoint_is_found(spring: Path) -> None:
    """A missing checkpoint is a finding, if a signature is expected."""
    (spring / "checkpoint").unlink()
    told = forged(spring)
    assert told == "checkpoint: missing; expected one signed by example.com/spring"
    assert {one.verdict for one in verdicts(spring)} == {"forged"}


def test_a_checkpoint_that_is_no_file(spring: Path) -> None:
    """A folder or a pipe in its place is refused, not waited for."""
    (spring / "checkpoint").unlink()
    (spring / "checkpoint").mkdir()
    assert "expected a regular file, found a folder" in forged(spring)
    (spring / "checkpoint").rmdir()
    os.mkfifo(spring / "checkpoint")
    assert "expected a regular file, found a pipe" in forged(spring)
    (spring / "checkpoint").unlink()
    (spring / "checkpoint").symlink_to("/dev/zero")
    assert "expected a regular file, found a device" in forged(spring)


@pytest.mark.parametrize("number", [errno.EIO, errno.EACCES])
@pytest.mark.parametrize("place", ["checkpoint", "tournament.jsonl"])
def test_a_signed_file_that_the_disk_does_not_give_is_no_forgery(
    place: str, number: int, spring: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tournament and its matches are corrupt if a signed file cannot be read, and say why."""
    logs = discovery.logs([spring])
    verdicts = [*verify_all(logs)]
    refuse(spring / place, number, monkeypatch)
    *matches, own = check_signatures(logs, verdicts, PINNED)
    assert {verdict.verdict for verdict in (own, *matches)} == {"corrupt"}
    assert own.reason.endswith(f"found {spring / place}: {os.strerror(number)}")
    assert all("that of its tournament cannot be read" in match.reason for match in matches)


def test_a_match_edited_and_sealed_again_is_found(spring: Path) -> None:
    """Match and tournament log, edited to fit each other, do not fit what was signed."""
    text = "a bot's last words"
    path = match_log(spring)
    events = loads(path.read_bytes())
    seq = next(n for n, event in enumerate(events) if "output" in event)
    reseal(path, seq, "output", text)
    own = loads((spring / "tournament.jsonl").read_bytes())
    line = next(n for n, event in enumerate(own) if event.get("match") == MATCH)
    reseal(spring / "tournament.jsonl", line, "seal", loads(path.read_bytes())[-1]["sha256"])
    assert all(one.fine for one in verify_all(discovery.logs([spring])))
    assert "expected the root of these files" in forged(spring)
    assert "expected the root of these files" in forged(spring, pinned=None)


def test_a_dropped_match_is_found(spring: Path) -> None:
    """Without one of its files, or all of its matches, the tournament cannot be what was signed."""
    match_log(spring).unlink()
    assert forged(spring)
    shutil.rmtree(spring / "matches")
    assert "1-000000.jsonl: missing: this match was played" in forged(spring)
    log = spring / "tournament.jsonl"
    [told] = check_signatures([log], [verify(log)], PINNED)
    assert told.verdict == "forged"
    assert "1-000000.jsonl: missing;" in told.reason


def test_swapped_matches_are_found(spring: Path) -> None:
    """Two files that changed their names are another tree."""
    one, other = match_log(spring, "1-000000"), match_log(spring, "1-000001")
    entries = list(verification.entries(spring).values())
    one.rename(spring / "x")
    other.rename(one)
    (spring / "x").rename(other)
    swapped = list(verification.entries(spring).values())
    assert swapped == [entries[1], entries[0], *entries[2:]]
    assert forged(spring)


@pytest.mark.parametrize(
    "name",
    [
        "stray.jsonl",
        "matches/tournament.jsonl",
        "matches/1-000099.jsonl",
        "matches/sub/1-000003.jsonl",
    ],
)
def test_a_log_that_is_not_in_the_checkpoint_is_not_signed(name: str, spring: Path) -> None:
    """A log put into a signed tournament's folder does not pass as signed, at any path."""
    (spring / "matches/sub").mkdir()
    data = (spring / "tournament.jsonl").read_bytes()
    (spring / name).write_bytes(data)
    [found] = [one for one in verdicts(spring) if one.path == str(spring / name)]
    assert found.verdict == "forged"
    assert found.reason.startswith((UNCOVERED, "checkpoint: missing"))


def test_a_log_by_itself_is_not_signed(spring: Path, tmp_path: Path) -> None:
    """A match without its tournament needs a proof; a lone match has no checkpoint at all."""
    for log in (match_log(spring), write(tmp_path / "log.jsonl", short(), hex_seed(848))):
        found = finding(log)
        assert (found.verdict, found.line) == ("forged", None)
        assert "or give a proof" in found.reason
    assert not verdicts(match_log(spring), spring / "tournament.jsonl")[1].divergence


def test_the_checkpoint_that_does_not_cover_a_match_is_named(spring: Path) -> None:
    """The reason says whether the tournament's checkpoint is bad, or does not list the match."""
    stray = spring / "matches/1-000099.jsonl"
    stray.write_bytes(match_log(spring).read_bytes())
    by_path = {one.path: one.reason for one in verdicts(spring)}
    assert by_path[str(stray)].endswith("found none; name its tournament's folder, or give a proof")
    (spring / "checkpoint").unlink()
    by_path = {one.path: one.reason for one in verdicts(spring)}
    for match in (stray, match_log(spring)):
        assert by_path[str(match)].endswith("that of its tournament is missing or not valid")


def test_what_is_worse_stays(spring: Path) -> None:
    """A log that is corrupt or incomplete is not called forged; one that diverges is, first."""
    log = spring / "tournament.jsonl"
    data = log.read_bytes()
    log.write_bytes(data[:-1])
    assert finding(spring).verdict == "incomplete"
    log.write_bytes(data + b"x")
    assert finding(spring).verdict == "corrupt"
    log.write_bytes(data)
    reseal(log, len(loads(data)) - 2, "standings[0].score", 99)
    assert finding(spring, pinned=None).verdict == "forged"
    found = finding(spring)
    assert found.verdict == "forged"
    assert found.divergence is not None
    signing.sign(spring, KEY, ORIGIN, overwrite=True)
    assert finding(spring).verdict == "diverged"


def test_a_signature_over_an_incomplete_tournament_covers_no_match(spring: Path) -> None:
    """The matches are listed by a log that is whole, or a signature does not cover them."""
    log = spring / "tournament.jsonl"
    log.write_bytes(log.read_bytes()[:-1])
    root = merkle.root([*verification.entries(spring).values()])
    (spring / "checkpoint").write_bytes(note(spring, root=root))
    *matches, own = verdicts(spring)
    assert own.verdict == "incomplete"
    assert all(one.reason.startswith(UNCOVERED) for one in matches)


# --- Attacks on a proof --------------------------------------------------------------------------


def changed(proof: bytes, **changes: object) -> bytes:
    """A proof with something else in it."""
    return replace(Proof.parse(proof), **changes).data  # type: ignore[arg-type]


def test_a_proof_of_another_log_is_found(spring: Path, proof: Path) -> None:
    """The proof of one match proves neither another match nor a changed copy."""
    data = proof.read_bytes()
    for match in ("1-000000", "1-000002", "1-000004", "1-000011"):
        found = proven(match_log(spring, match), data)
        assert (found.verdict, found.line) == ("forged", None)
        assert found.reason.startswith("proof: expected to find this file, SHA-256 ")
    path = match_log(spring)
    seq = next(n for n, one in enumerate(loads(path.read_bytes())) if "output" in one)
    reseal(path, seq, "output", "something else")
    assert proven(path, data).verdict == "forged"


def test_a_changed_proof_is_found(spring: Path, proof: Path) -> None:
    """Another index, size, hash or number of hashes does not lead to the signed root."""
    log, data = match_log(spring), proof.read_bytes()
    hashes = list(Proof.parse(data).hashes)
    bad = [changed(data, index=index) for index in (0, 2, 4, 7, 12)]
    bad += [changed(data, hashes=some) for some in (hashes[1:], hashes[:-1], [*hashes, hashes[0]])]
    bad += [
        changed(data, hashes=[*hashes[:n], bytes(32), *hashes[n + 1 :]]) for n in range(len(hashes))
    ]
    bad += [changed(data, checkpoint=note(spring, size=size)) for size in (4, 7, 26, 1 << 62)]
    bad += [changed(data, checkpoint=note(spring, root=bytes(32)))]
    for one in bad:
        assert proven(log, one).verdict == "forged"
    for index in (13, 14, 2**62):
        found = proven(log, changed(data, index=index))
        assert found.reason == f"proof: expected an index below the tree's size 13, found {index}"
    with_extra = data.replace(b"\n", b"\nextra bWF5YmU=\n", 1)
    assert proven(log, with_extra).fine


@pytest.mark.parametrize("attack", BAD_CHECKPOINTS)
def test_a_proof_with_a_bad_checkpoint_is_found(
    attack: Callable[[Path], bytes], spring: Path, proof: Path
) -> None:
    """A proof is worth no more than the checkpoint in it."""
    data = changed(proof.read_bytes(), checkpoint=attack(spring))
    assert proven(match_log(spring), data).verdict == "forged"


@pytest.mark.parametrize(
    "data", [b"", b"\0" * 99, b"\xff", b"x" * 2_000_000, b"\n\n", b"index 0\n"]
)
def test_what_is_no_proof(data: bytes, spring: Path) -> None:
    """A file that is not a proof is reported in place of one."""
    found = proven(match_log(spring), data)
    assert found.verdict == "forged"
    assert found.reason.startswith("proof: expected a proof (c2sp.org/tlog-proof@v1)")


def test_a_proof_makes_no_log_good(spring: Path, proof: Path) -> None:
    """A proof does not change the verdict on a log that does not verify."""
    log = match_log(spring)
    log.write_bytes(log.read_bytes()[:-1])
    assert proven(log, proof.read_bytes()).verdict == "incomplete"


# --- What is not signed, or proved ---------------------------------------------------------------


def refused(
    spring: Path, error: type[KothError], key: PrivateKey = KEY, origin: str = ORIGIN
) -> str:
    """Why this is not signed; nothing is written."""
    before = sorted(spring.rglob("*"))
    with pytest.raises(error) as told:
        signing.sign(spring, key, origin)
    assert sorted(spring.rglob("*")) == before
    return str(told.value)


def test_an_unsealed_tournament_is_not_signed(spring: Path) -> None:
    """A tournament without its seal, a corrupt log and the log of a match are not signed."""
    (spring / "checkpoint").unlink()
    log = spring / "tournament.jsonl"
    data = log.read_bytes()
    log.write_bytes(data[: data.rindex(b"\n", 0, -1) + 1])
    assert "Finish the tournament before you sign it" in refused(spring, CheckpointError)
    log.write_bytes(b"?" + data)
    refused(spring, LogError)
    log.write_bytes(match_log(spring).read_bytes())
    assert "expected the log of a tournament" in refused(spring, CheckpointError)
    log.unlink()
    assert "expected a tournament's folder" in refused(spring, UsageError)


def test_a_tournament_with_a_broken_chain_is_not_signed(spring: Path) -> None:
    """A match that is missing, too many, or another than the tournament's log says is named."""
    path = match_log(spring)
    data = path.read_bytes()
    path.unlink()
    assert f"{path}: missing: this match was played" in refused(spring, CheckpointError)
    others = [data.replace(b"0", b"1", 1), data[:-1], data + b"\n", b"", b"\n", b"\xff\n"]
    hashes = [loads(data)[-1][key].encode() for key in ("seed", "sha256")]
    others += [data.replace(digits, digits[::-1]) for digits in hashes]
    *body, seal = data.splitlines(keepends=True)
    number = str(len(body)).encode()
    others.append(b"".join([*body, seal.replace(b":" + number + b",", b":" + number + b"0,")]))
    for other in (match_log(spring, "1-000000").read_bytes(), *others):
        path.write_bytes(other)
        assert f"{path}: expected the log that" in refused(spring, CheckpointError)
    path.write_bytes(data)
    extra = match_log(spring, "1-000099")
    extra.write_bytes(data)
    assert f"{extra}: expected no such match" in refused(spring, CheckpointError)
    packed = extra.rename(extra.with_name("others")).with_suffix(bundle.SUFFIX)
    bundle.write([("others.jsonl", data)], packed)
    found = f"{packed / 'others.jsonl'}: expected no such match"
    assert found in refused(spring, CheckpointError)


def test_matches_behind_a_link_are_not_signed(spring: Path) -> None:
    """A tournament whose matches are a link is not signed, because it does not verify."""
    matches = spring / "matches"
    matches.symlink_to(matches.rename(spring.parent / "elsewhere"))
    assert f"{matches}: expected no link" in refused(spring, CheckpointError)


def test_another_checkpoint_is_not_replaced_unasked(spring: Path) -> None:
    """A checkpoint by another key, for another origin, or of garbage is not replaced unasked."""
    for key, origin in ((NAMESAKE, ORIGIN), (KEY, "b")):
        assert "--replace replaces it" in refused(spring, UsageError, key, origin)
    (spring / "checkpoint").write_bytes(b"garbage")
    assert "--replace replaces it" in refused(spring, UsageError)
    assert signing.sign(spring, KEY, ORIGIN, overwrite=True)[1]
    assert all(one.fine for one in verdicts(spring))


def test_a_failed_write_leaves_no_checkpoint(spring: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checkpoint is there as a whole, or not at all."""

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    (spring / "checkpoint").unlink()
    before = sorted(spring.rglob("*"))
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        signing.sign(spring, KEY, ORIGIN)
    assert sorted(spring.rglob("*")) == before


def test_nothing_is_proved_with_a_stale_checkpoint(spring: Path, tmp_path: Path) -> None:
    """Files that differ from the checkpoint have no proof, and a checkpoint of garbage has none."""
    for data in (note(spring, root=bytes(32)), note(spring, size=12), b"garbage"):
        (spring / "checkpoint").write_bytes(data)
        with pytest.raises(CheckpointError, match="Nothing can be proved with it"):
            signing.prove(spring, MATCH, tmp_path / "proof")
    assert not (tmp_path / "proof").exists()
