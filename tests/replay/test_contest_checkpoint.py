"""Checkpoints of a contest: what they prove while it grows, and every way to rewrite it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from games.contest import Stage, chain_seed, stage_seed
from referee import tournament
from referee.contest import stages
from referee.contest.folder import ContestFolder, opened
from replay import proof_folder
from replay.log_verdict import LogVerdict
from replay.signatures import contest_checkpoint, contest_signing, signing, verification
from replay.signatures.signer import CheckpointError, ExpectedSigner, read_since
from replay.signatures.verification import check_signatures
from replay.verify import verify_all
from schema import discovery, merkle
from schema.bundle import write
from schema.discovery import CHECKPOINT, CHECKPOINTS, CONTEST
from schema.errors import KothError, UsageError
from schema.executor import serial
from schema.log_path import LogPath
from schema.signed_note import Checkpoint, ConsistencyProof, PrivateKey, Proof
from tests import contests
from tests.factories import SEED
from tests.referee.interruptions import Disk, disk, unheard
from tests.schema.test_writer_and_reader import full_disk

KEY = PrivateKey("example.com/cup", b"\x07" * 32)
OTHER = PrivateKey("example.com/cup", b"\x08" * 32)
SIGNER = ExpectedSigner(KEY.public, KEY.name)
MATCH = "stages/0002/matches/1-000003.jsonl"


def sign(cup: Path, key: PrivateKey = KEY, replace: bool = False) -> Checkpoint:
    """Sign the contest as it is."""
    with disk(Disk()):
        return signing.sign(cup, key, key.name, replace)[0]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A contest of two stages, signed after the first entries and after each stage."""
    folder = tmp_path_factory.mktemp("signed")
    cup, bots = folder / "cup", folder / "bots"

    def hold() -> None:
        contests.new(cup)
        contests.enter(cup, [contests.bot(bots, name) for name in ("anna", "bert", "cleo")])
        sign(cup)
        contests.run(cup)
        sign(cup)
        contests.enter(cup, [contests.bot(bots, "dora")])
        contests.run(cup)
        sign(cup)

    contests.simulated(hold)
    return cup


@pytest.fixture
def cup(played: Path, tmp_path: Path) -> Path:
    """A copy of the contest, to be changed."""
    shutil.copytree(played, tmp_path / "cup")
    return tmp_path / "cup"


@pytest.fixture
def mine(played: Path) -> list[Path]:
    """The checkpoints that a contestant kept, from the first."""
    return sorted((played / CHECKPOINTS).iterdir(), key=lambda path: int(path.name))


def verdicts(
    *paths: Path, since: list[Path] | None = None, signer: ExpectedSigner | None = SIGNER
) -> list[LogVerdict]:
    """The verdicts on all logs, that on a contest last."""
    logs = discovery.logs(paths)
    found = verify_all(logs, serial, {*map(discovery.resolve, paths)})
    return check_signatures(logs, found, signer, read_since(since or [], signer))


def verdict(
    cup: Path, since: list[Path] | None = None, signer: ExpectedSigner | None = SIGNER
) -> LogVerdict:
    """The verdict on the contest."""
    return verdicts(cup, since=since, signer=signer)[-1]


def forged(cup: Path, since: list[Path] | None = None) -> str:
    """Why the contest is forged, without a key if checkpoints of a contestant are given."""
    found = verdict(cup, since, None if since else SIGNER)
    assert (found.verdict, Path(found.path).name) == ("forged", CONTEST)
    return found.reason


def unsign(cup: Path) -> None:
    """Remove the contest's own checkpoints, as an organiser does who signs another past."""
    (cup / CHECKPOINT).unlink()
    shutil.rmtree(cup / CHECKPOINTS)


def keep_lines(cup: Path, number: int) -> None:
    """Cut the contest's log after some lines."""
    log = cup / CONTEST
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:number]))


# --- What it shows -------------------------------------------------------------------------------


def test_a_signed_contest_is_verified(cup: Path, mine: list[Path]) -> None:
    """Every log of a signed contest is verified, also since each earlier checkpoint."""
    assert [path.name for path in mine] == ["4", "6", "9"]
    found = verdicts(cup, since=mine)
    assert {log.verdict for log in found} == {"verified"}
    assert found[-1].reason.endswith("; 9 lines signed by example.com/cup")
    own = [log.reason for log in found if log.path.endswith("/0002/tournament.jsonl")]
    assert own[0].endswith("; 7 files of stage 2 signed by example.com/cup")


def test_the_signed_lines_are_read_once_for_all_stages(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check of a stage takes no longer if the contest has many."""
    read = contest_checkpoint.signed_lines
    calls = []

    def counted(contest: LogPath, signer: ExpectedSigner | None) -> contest_checkpoint.SignedLines:
        calls.append(contest)
        return read(contest, signer)

    monkeypatch.setattr(contest_checkpoint, "signed_lines", counted)
    assert {log.verdict for log in verdicts(cup)} == {"verified"}
    assert calls == [cup]


def test_the_tree_is_that_of_the_lines(cup: Path) -> None:
    """Size and root are those over the lines, each with its LF."""
    lines = (cup / CONTEST).read_bytes().splitlines(keepends=True)
    expected = Checkpoint(KEY.name, 9, merkle.root(lines))
    assert (cup / CHECKPOINT).read_bytes() == KEY.sign(expected.text)
    assert (cup / CHECKPOINTS / "9").read_bytes() == KEY.sign(expected.text)


def test_signing_again_changes_nothing(cup: Path) -> None:
    """A second signature of the same lines leaves every byte."""
    before = {path: path.read_bytes() for path in cup.rglob("*") if path.is_file()}
    assert signing.sign(cup, KEY, KEY.name) == (Checkpoint(KEY.name, 9, sign(cup).root), False)
    assert {path: path.read_bytes() for path in cup.rglob("*") if path.is_file()} == before


def test_a_kept_checkpoint_that_is_gone_is_written_again(cup: Path, mine: list[Path]) -> None:
    """The latest checkpoint is kept among the others again when the contest is signed again."""
    kept = cup / CHECKPOINTS / mine[-1].name
    kept.unlink()
    sign(cup)
    assert kept.read_bytes() == mine[-1].read_bytes()


def test_checkpoints_are_consistent(cup: Path, mine: list[Path]) -> None:
    """Each checkpoint is proved to extend each earlier one, and the proof needs no contest."""
    for first in range(3):
        for last in range(first, 3):
            proof = contest_signing.prove_consistency(cup, mine[first], mine[last])
            (cup / "proof").write_bytes(proof.data)
            since = read_since([mine[first]], SIGNER)
            found = contest_checkpoint.check_consistency(cup / "proof", since, SIGNER)
            assert found[0] == "verified", found


def test_a_match_is_proved_without_the_contest(cup: Path, tmp_path: Path) -> None:
    """Every file of a stage verifies with its proof alone, and with no other's."""
    logs = sorted((cup / "stages").glob("*/**/*.jsonl"))
    logs = [log for log in logs if log.parent.name != "evidence"]
    proofs = []
    for number, log in enumerate(logs):
        alone = tmp_path / f"proof{number}"
        signing.prove(*signing.tournament_of(log), alone)
        proofs.append(alone.read_bytes())
    for log in logs:
        shutil.copy(log, tmp_path / "log.jsonl")
        fine = [
            verdicts(tmp_path / "log.jsonl", signer=replace(SIGNER, proof=proof))[0].fine
            for proof in proofs
        ]
        assert fine.count(True) == 1
        assert fine.index(True) == logs.index(log)


def test_a_folder_to_hand_over(cup: Path, tmp_path: Path) -> None:
    """The folder of a match says which stage it is of, and verifies by itself."""
    target = tmp_path / "mine"
    words = signing.tournament_of(cup / MATCH)
    assert "1-000003 is number 3 of 7 files" in proof_folder.write(*words, str(KEY.public), target)
    shutil.rmtree(cup)
    readme = (target / "README.txt").read_text()
    assert readme.startswith("Match 1-000003 of stage 2 of the contest that was signed for ")
    signer = ExpectedSigner.of(str(target / "key.pub"), KEY.name, target / "proof")
    [found] = verdicts(target / "log.jsonl", signer=signer)
    assert found.reason.endswith("; number 3 of 7 files of stage 2 signed by example.com/cup")


def test_a_full_disk_leaves_no_folder_to_hand_over(cup: Path, tmp_path: Path) -> None:
    """The error names the folder that is wanted, no temporary one, and nothing is left."""
    target = tmp_path / "given" / "mine"
    target.parent.mkdir()
    words = signing.tournament_of(cup / MATCH)
    with full_disk(100), pytest.raises(OSError, match="too large") as error:
        proof_folder.write(*words, str(KEY.public), target)
    assert error.value.filename == str(target)
    assert not list(target.parent.iterdir())


def test_a_folder_to_hand_over_of_a_stage_that_is_signed_itself(cup: Path, tmp_path: Path) -> None:
    """With a checkpoint of its own, a stage is proved as a tournament, and its text says so."""
    stage, own = cup / "stages/0002", PrivateKey("example.com/stage", b"\x08" * 32)
    sign(stage, own)
    proof_folder.write(stage, "1-000003", str(own.public), tmp_path / "mine")
    readme = (tmp_path / "mine/README.txt").read_text()
    assert readme.startswith("Match 1-000003 of the tournament that was signed for example.com/st")


def test_a_bundle_is_as_good_as_the_folder(cup: Path, mine: list[Path], tmp_path: Path) -> None:
    """A packed contest is verified with its checkpoints, and proves its matches."""
    with disk(Disk()), opened(cup) as held:
        held.close()
    sign(cup)
    bundle = tmp_path / "cup.jsonl.zst"
    write(((name, path.read_bytes()) for name, path in discovery.tournament_files(cup)), bundle)
    shutil.rmtree(cup)
    found = verdicts(bundle, since=mine)
    assert {log.verdict for log in found} == {"verified"}
    assert found[-1].reason.endswith("; 10 lines signed by example.com/cup")
    signing.prove(*signing.tournament_of(bundle / MATCH), tmp_path / "proof")
    signer = replace(SIGNER, proof=(tmp_path / "proof").read_bytes())
    assert verdicts(bundle / MATCH, signer=signer)[0].fine


def test_a_stage_alone_is_signed(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stage's folder is signed through the contest around it, and one of its matches is not."""
    for folder, path in ((cup, "stages/0001"), (cup / "stages/0001", ".")):
        monkeypatch.chdir(folder)
        assert {log.verdict for log in verdicts(Path(path))} == {"verified"}
    [match] = verdicts(cup / MATCH)
    assert match.verdict == "forged"
    assert "not shown to be signed" in match.reason


def test_the_checkpoint_of_a_stage_is_that_of_its_contest(cup: Path) -> None:
    """Without a key, the checkpoint of the contest is named once, for a stage alone too."""
    for path in (cup, cup / "stages", cup / "stages/0001", cup / "stages/0001/tournament.jsonl"):
        assert verification.checkpoints(discovery.logs([path])) == [cup / CHECKPOINT]
    own = cup / "stages/0001" / CHECKPOINT
    shutil.copy(cup / CHECKPOINT, own)
    assert verification.checkpoints(discovery.logs([cup / "stages"])) == [own, cup / CHECKPOINT]
    unsign(cup)
    assert verification.checkpoints(discovery.logs([cup])) == [own]


# --- Attacks: another past -----------------------------------------------------------------------


def play_again(cup: Path, number: int, beacon: str) -> None:
    """Play the rest of the contest again from stage ``number``, as an organiser could."""
    events = contests.events(cup)
    cut = next(n for n, event in enumerate(events) if event.get("stage") == number)
    keep_lines(cup, cut)
    for stage in sorted((cup / "stages").iterdir())[number - 1 :]:
        shutil.rmtree(stage)
    contests.simulated(lambda: contests.run(cup, beacon))


def test_stage_replayed(cup: Path, mine: list[Path]) -> None:
    """A stage that was played again is forged by name, also if the organiser signs it."""
    play_again(cup, 2, "luckier")
    assert verdict(cup, signer=None).verdict == "forged"  # its own checkpoint
    unsign(cup)
    sign(cup)
    assert verdict(cup).verdict == "verified"
    reason = forged(cup, mine)
    assert reason.endswith("expected lines 7 to 9 as they were signed, found others, in stage 2")
    assert forged(cup, mine[2:]).endswith("found others, in stages 1 to 2")


def test_stage_dropped_and_numbers_closed_up(cup: Path, mine: list[Path]) -> None:
    """A stage that is dropped is forged: the contest ends before the checkpoint."""
    play_again(cup, 1, "luckier")
    unsign(cup)
    sign(cup)
    assert verdict(cup).verdict == "verified"
    reason = forged(cup, mine)
    assert reason.endswith("expected lines 5 to 6 as they were signed, found others, in stage 1")
    reason = forged(cup, mine[2:])
    assert reason.endswith(
        "expected the 9 lines that were signed, found 6: all after stage 1 is missing"
    )


@pytest.mark.parametrize("number", range(1, 9))
def test_truncated(number: int, cup: Path, mine: list[Path]) -> None:
    """A contest that is cut off below a checkpoint is forged, at every line."""
    keep_lines(cup, number)
    assert verdict(cup, mine[2:], None).verdict == "forged"
    assert verdict(cup).verdict == "forged"


def test_earlier_line_rewritten(cup: Path, mine: list[Path]) -> None:
    """A name that is changed in the log, and in all that is made from it, is forged."""
    events = contests.events(cup)
    events[0]["contest"] = "pot"
    contests.rewrite(cup, events)
    for stage in (1, 2):
        shutil.rmtree(cup / f"stages/000{stage}")
    events = contests.events(cup)
    keep_lines(cup, 4)
    contests.simulated(lambda: contests.run(cup))
    unsign(cup)
    sign(cup)
    assert verdict(cup).verdict == "verified"
    assert "expected lines 1 to 4 as they were signed" in forged(cup, mine)


def test_line_added_after_the_checkpoint(cup: Path) -> None:
    """Lines that no checkpoint covers are not signed, although the contest may go on."""
    contests.withdraw(cup, "anna")
    assert verdict(cup, signer=None).verdict == "verified"
    assert "expected a checkpoint of all 10 lines, found one of 9" in forged(cup)
    sign(cup)
    assert verdict(cup).verdict == "verified"


def test_stage_after_the_checkpoint(cup: Path, mine: list[Path]) -> None:
    """The files of a stage that no checkpoint covers are not signed; those before it are."""
    shutil.copy(mine[1], cup / CHECKPOINT)
    shutil.rmtree(cup / CHECKPOINTS)
    found = {str(Path(log.path).relative_to(cup)): log for log in verdicts(cup)}
    stage = found["stages/0002/tournament.jsonl"]
    assert "expected the end of stage 2 among the 6 signed lines" in stage.reason
    signed = {path.split("/")[1] for path, log in found.items() if log.fine}
    assert signed == {"0001"}


def test_files_of_a_stage_exchanged(cup: Path) -> None:
    """A stage that another one replaces, with matches that fit, has another root."""
    with opened(cup) as held:
        again(held, cup)
    found = [log for log in verdicts(cup) if log.path.endswith("0002/tournament.jsonl")]
    assert found[0].verdict == "forged"
    assert "stage 2: expected the 7 files that were signed" in found[0].reason


def again(held: ContestFolder, cup: Path) -> None:
    """Play stage 2 with another seed in the place of the first."""
    entries = [held.state.current[name] for name in held.state.names]
    stage = Stage(2, entries, [(0, 3), (1, 3), (2, 3)])
    shutil.rmtree(cup / "stages/0002")
    planned = stages.tournament(held, stage, stages.bots(held, stage), "process")
    other = stage_seed(chain_seed(SEED, 20, 2), "luckier")
    contests.simulated(lambda: tournament.play(replace(planned, seed=other), serial, unheard))


# --- Attacks: checkpoints ------------------------------------------------------------------------


def note(size: int, root: bytes = bytes(32), origin: str = KEY.name) -> bytes:
    """A checkpoint of other lines, signed."""
    return KEY.sign(Checkpoint(origin, size, root).text)


def test_a_fork_is_found(cup: Path, mine: list[Path], tmp_path: Path) -> None:
    """A checkpoint of the same size with another root, or of none of its lines, is forged."""
    for size in (4, 5, 9):
        (tmp_path / "fork").write_bytes(note(size))
        assert f"expected lines 1 to {size} as they were" in forged(cup, [tmp_path / "fork"])
    (tmp_path / "fork").write_bytes(note(10))
    assert "expected the 10 lines that were signed, found 9" in forged(cup, [tmp_path / "fork"])


def test_a_fork_in_the_folder_is_found(cup: Path) -> None:
    """A kept checkpoint that the contest does not extend is forged, with a key and without."""
    (cup / CHECKPOINTS / "5").write_bytes(note(5))
    assert "checkpoints/5: expected lines 5 to 5 as they were signed" in forged(cup)
    assert verdict(cup, signer=None).verdict == "forged"


def test_a_stage_alone_needs_the_signed_lines(cup: Path) -> None:
    """A stage is forged, and not proved, if its contest's signed checkpoint has other lines."""
    size = len((cup / CONTEST).read_bytes().splitlines())
    (cup / CHECKPOINT).write_bytes(note(size))
    assert {found.verdict for found in verdicts(cup / "stages/0001")} == {"forged"}
    words = signing.tournament_of(cup / MATCH)
    refused(CheckpointError, lambda: signing.prove(*words, cup / "proof"))
    assert not (cup / "proof").exists()


def test_the_checkpoint_of_another_contest(cup: Path, tmp_path: Path) -> None:
    """A checkpoint of another contest by the same organiser is forged, in either place."""
    other = tmp_path / "other"
    contests.simulated(lambda: contests.new(other, rounds=2))
    sign(other)
    assert "expected lines 1 to 1 as they were signed" in forged(cup, [other / CHECKPOINT])
    shutil.copy(other / CHECKPOINT, cup / CHECKPOINT)
    assert "expected lines 1 to 1 as they were signed" in forged(cup)


def test_two_checkpoints_of_as_many_lines(cup: Path, mine: list[Path], tmp_path: Path) -> None:
    """Of two checkpoints of equal size the one that does not fit is called a fork."""
    fork = tmp_path / "fork"
    fork.write_bytes(note(9))
    reason = f"{fork}: a fork: it has 9 lines with another root"
    assert forged(cup, [mine[-1], fork]).endswith(reason)
    refused(CheckpointError, lambda: contest_signing.prove_consistency(cup, mine[-1], fork))


Edit = Callable[[ConsistencyProof], ConsistencyProof]
BAD_PROOFS: dict[str, tuple[Edit, str]] = {
    "another root": (lambda proof: replace(proof, checkpoint=note(9)), "a fork: its 9 lines do"),
    "same size": (lambda proof: replace(proof, checkpoint=note(6)), "a fork: "),
    "smaller": (lambda proof: replace(proof, checkpoint=note(5)), "a fork: "),
    "another size": (lambda proof: replace(proof, old=5), "expected a proof from 6 lines"),
    "no hashes": (lambda proof: replace(proof, hashes=[]), "a fork: "),
    "hash changed": (lambda proof: replace(proof, hashes=[bytes(32), *proof.hashes[1:]]), "a fork"),
    "hash more": (lambda proof: replace(proof, hashes=[*proof.hashes, bytes(32)]), "a fork: "),
    "order": (lambda proof: replace(proof, hashes=[*proof.hashes][::-1]), "a fork: "),
    "origin": (lambda proof: replace(proof, checkpoint=note(9, origin="pot")), "the origin"),
    "unsigned": (lambda proof: replace(proof, checkpoint=proof.checkpoint[:60]), "expected a"),
}


@pytest.mark.parametrize("attack", BAD_PROOFS)
def test_a_bad_consistency_proof(attack: str, cup: Path, mine: list[Path]) -> None:
    """A proof between other trees, or with any hash changed, is forged."""
    edit, reason = BAD_PROOFS[attack]
    proof = contest_signing.prove_consistency(cup, mine[1], None)
    (cup / "proof").write_bytes(edit(proof).data)
    since = read_since([mine[1]], SIGNER)
    found = contest_checkpoint.check_consistency(cup / "proof", since, SIGNER)
    assert found[0] == "forged"
    assert reason in found[1]


@pytest.mark.parametrize("data", [b"", b"old 6\n", b"old x\n\n", b"old 6\nhash\n\n", b"\xff"])
def test_a_malformed_consistency_proof(data: bytes, cup: Path, mine: list[Path]) -> None:
    """A file that is no consistency proof has a verdict like one that is wrong."""
    (cup / "proof").write_bytes(data)
    since = read_since([mine[1]], SIGNER)
    found = contest_checkpoint.check_consistency(cup / "proof", since, SIGNER)
    assert found[0] == "forged"
    assert found[1].startswith("expected ")


def test_a_forged_contest_keeps_its_reason(cup: Path) -> None:
    """A checkpoint that does not fit either changes no reason of a contest that is forged."""
    shutil.rmtree(cup / "stages/0001")
    reason = forged(cup)
    assert reason.startswith("stage 1: missing")
    (cup / CHECKPOINT).write_bytes(note(2))
    assert forged(cup) == reason


def test_what_else_is_in_a_contest_is_not_signed(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Partial lines, other files among the checkpoints, and other folders are left out."""
    log = cup / CONTEST
    lines, kept = contest_checkpoint.lines(log), contest_checkpoint.kept(cup, None)
    with log.open("ab") as file:
        file.write(b'{"seq":')
    (cup / CHECKPOINTS / "README").write_text("not signed\n")
    assert contest_checkpoint.lines(log) == lines
    assert contest_checkpoint.kept(cup, None) == kept
    assert contest_checkpoint.stage_folder(cup / "stages/0001") == (cup, "0001")
    for other in ("0001", "stages/final", "stages/0001/inner"):
        assert contest_checkpoint.stage_folder(cup / other) is None
    monkeypatch.chdir(cup / "stages/0001/matches")
    assert contest_checkpoint.stage_folder(Path("..")) == (cup, "0001")
    assert contest_checkpoint.stage_folder(Path()) is None
    log.write_bytes(b"")
    assert contest_checkpoint.lines(log) == []
    log.unlink()
    assert contest_checkpoint.stage_folder(cup / "stages/0001") is None


def test_what_is_no_consistency_proof(cup: Path) -> None:
    """A folder, another file and a missing file are no consistency proofs."""
    for other in (cup, cup / CONTEST, cup / "none"):
        assert not contest_checkpoint.is_consistency_proof(other)


def test_a_consistency_proof_is_of_one_checkpoint_and_one_origin(
    cup: Path, mine: list[Path]
) -> None:
    """Without a key, too, a proof leads from one checkpoint to one of the same origin."""
    path = cup / "proof"
    path.write_bytes(contest_signing.prove_consistency(cup, mine[1], None).data)
    since = read_since(mine[:2], None)
    name, old = since[1]
    for checkpoints, verdict, reason in (
        (since[1:], "verified", "its 9 lines begin with the 6 of"),
        (since, "forged", "expected one --since for a proof, found 2"),
        ([(name, replace(old, origin="pot"))], "forged", "expected the origin 'pot'"),
    ):
        found = contest_checkpoint.check_consistency(path, checkpoints, None)
        assert (found[0], found[1][: len(reason)]) == (verdict, reason)


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda proof, inner: replace(proof, extra=b""), "expected to find this file"),
        (lambda proof, inner: replace(proof, index=proof.index - 1), "expected line 8 of the"),
        (lambda proof, inner: replace(proof, hashes=[]), "expected to find this line of a contest"),
        (
            lambda proof, inner: replace(proof, extra=replace(inner, index=4).data),
            "as number 4 of the 7 files of stage 2",
        ),
        (
            lambda proof, inner: replace(
                proof,
                extra=replace(inner, checkpoint=inner.checkpoint.replace(b"2", b"1", 1)).data,
            ),
            "expected",
        ),
        (
            lambda proof, inner: replace(proof, extra=replace(inner, checkpoint=b"{}").data),
            "expected to find this file",
        ),
    ],
    ids=[
        *("without the stage", "another line", "no hashes", "another index", "another stage"),
        "no stage",
    ],
)
def test_a_bad_proof_of_a_match(
    edit: Callable[[Proof, Proof], Proof], reason: str, cup: Path, tmp_path: Path
) -> None:
    """A proof with either half changed is forged."""
    signing.prove(*signing.tournament_of(cup / MATCH), tmp_path / "proof")
    proof = Proof.parse((tmp_path / "proof").read_bytes())
    changed = edit(proof, Proof.parse(proof.extra)).data
    [found] = verdicts(cup / MATCH, signer=replace(SIGNER, proof=changed))
    assert found.verdict == "forged"
    assert reason in found.reason


# --- What is not signed, or proved ---------------------------------------------------------------


def refused(error: type[KothError], call: Callable[[], object]) -> str:
    """Return the message of a refusal."""
    with pytest.raises(error) as raised:
        call()
    return str(raised.value)


def test_a_contest_without_a_checkpoint_is_not_signed(cup: Path) -> None:
    """A contest whose checkpoint was removed is forged if a key is expected."""
    (cup / CHECKPOINT).unlink()
    assert forged(cup).startswith("checkpoint: missing; expected one signed by")


def test_another_past_is_not_signed(cup: Path) -> None:
    """A contest that does not extend its own checkpoints is not signed, by whatever key."""
    play_again(cup, 2, "luckier")
    before = (cup / CHECKPOINT).read_bytes()
    for key, replacing in [(KEY, False), (KEY, True), (OTHER, True)]:
        assert "A second checkpoint would be a fork" in refused(
            CheckpointError, partial(sign, cup, key, replacing)
        )
    assert (cup / CHECKPOINT).read_bytes() == before


def test_another_key_signs_only_if_asked(cup: Path) -> None:
    """The checkpoints of another key are replaced or ignored only with ``overwrite``."""
    assert "--replace ignores it" in refused(UsageError, lambda: sign(cup, OTHER))
    shutil.rmtree(cup / CHECKPOINTS)
    assert "--replace replaces it" in refused(UsageError, lambda: sign(cup, OTHER))
    (cup / CHECKPOINT).write_text("no checkpoint\n")
    sign(cup, OTHER, True)
    assert verdict(cup, signer=ExpectedSigner(OTHER.public, OTHER.name)).verdict == "verified"


def test_a_file_among_the_checkpoints_is_named(cup: Path) -> None:
    """A kept file that is no checkpoint is named with a remedy, by `koth verify` and `sign`."""
    file = cup / CHECKPOINTS / "7"
    file.write_text("seven\n")
    messages = verdict(cup, signer=None).reason, refused(UsageError, lambda: sign(cup))
    for message in messages:
        assert message.startswith(f"{file}: checkpoint: expected a text, an empty line")
        assert "Move it elsewhere if it is no checkpoint" in message
    file.unlink()
    sign(cup)


@pytest.mark.parametrize("folder", ["stages", CHECKPOINTS])
def test_other_files_of_a_contest_do_not_matter(folder: str, cup: Path) -> None:
    """Files beside stages and kept checkpoints, such as those of Git or macOS, are ignored."""
    (cup / folder / ".gitkeep").touch()
    sign(cup)
    assert verdict(cup).verdict == "verified"


def test_a_contest_that_does_not_hold_together_is_not_signed(cup: Path) -> None:
    """A contest with a stage or a bot that does not belong to it is not signed."""
    match = cup / MATCH
    whole = match.read_bytes()
    match.write_bytes(whole[:-1])
    assert "stage 2: expected 7 files with the root" in refused(CheckpointError, lambda: sign(cup))
    match.write_bytes(whole)
    extra = match.with_name("9-000000.jsonl")
    shutil.copy(match, extra)
    assert "expected no such match" in refused(CheckpointError, lambda: sign(cup))
    extra.unlink()
    shutil.rmtree(cup / "bots/anna")
    assert "the files of anna" in refused(CheckpointError, lambda: sign(cup))


def test_a_contest_without_lines_is_not_signed(cup: Path) -> None:
    """A contest that lost all its lines is not signed."""
    unsign(cup)
    for path in (cup / "stages", cup / "bots"):
        shutil.rmtree(path)
    (cup / CONTEST).write_bytes(b"")
    assert "the first line of a contest" in refused(KothError, lambda: sign(cup))
    assert not (cup / CHECKPOINT).exists()


def test_no_checkpoint_is_kept_behind_a_link(cup: Path, tmp_path: Path) -> None:
    """A folder of checkpoints that is a link is refused, and nothing is written through it."""
    (cup / CHECKPOINTS).rename(tmp_path / "elsewhere")
    (cup / CHECKPOINTS).symlink_to(tmp_path / "elsewhere")
    contests.withdraw(cup, "anna")
    before = sorted((tmp_path / "elsewhere").iterdir())
    with pytest.raises(OSError, match="expected no link"):
        sign(cup)
    assert sorted((tmp_path / "elsewhere").iterdir()) == before


@pytest.mark.parametrize("folder", ["stages", "stages/0001", "stages/0001/matches"])
def test_a_stage_behind_a_link_is_not_signed(folder: str, cup: Path, tmp_path: Path) -> None:
    """A contest with a stage that is a link is not signed, because it does not verify."""
    contests.withdraw(cup, "anna")
    (cup / folder).symlink_to((cup / folder).rename(tmp_path / "elsewhere"))
    assert f"{cup / folder}: expected no link" in refused(CheckpointError, lambda: sign(cup))


@pytest.mark.parametrize("number", range(4))
def test_a_failed_write_leaves_a_whole_checkpoint(
    number: int, cup: Path, mine: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the disk fails, the old or the new checkpoint is there; the next run signs."""
    contests.withdraw(cup, "anna")
    synced: list[int] = []

    def sync(descriptor: int) -> None:
        synced.append(descriptor)
        if len(synced) > number:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", sync)
        with pytest.raises(OSError, match="No space"):
            signing.sign(cup, KEY, KEY.name)
    found = (cup / CHECKPOINT).read_bytes()
    sign(cup)
    assert found in (mine[2].read_bytes(), (cup / CHECKPOINT).read_bytes())
    assert verdict(cup, mine).verdict == "verified"


def test_nothing_is_proved_without_a_checkpoint(cup: Path, mine: list[Path]) -> None:
    """A stage after the last checkpoint, and a checkpoint of other lines, are not proved."""
    shutil.copy(mine[1], cup / CHECKPOINT)
    words = signing.tournament_of(cup / MATCH)
    told = refused(CheckpointError, lambda: signing.prove(*words, cup / "proof"))
    assert "expected the end of stage 2 among the 6 signed lines" in told
    (cup / "fork").write_bytes(note(5))
    for old in (cup / "fork", mine[2]):
        refused(KothError, partial(contest_signing.prove_consistency, cup, old, None))
    lines = (cup / CONTEST).read_bytes().splitlines(keepends=True)[:5]
    other = Checkpoint("example.com/other", 5, merkle.root(lines))
    (cup / "other").write_bytes(KEY.sign(other.text))
    extends = partial(contest_signing.prove_consistency, cup, cup / "other", None)
    assert "expected the origin 'example.com/other'" in refused(CheckpointError, extends)
    (cup / CHECKPOINT).unlink()
    assert "koth sign" in refused(UsageError, extends)
    assert "koth sign" in refused(CheckpointError, lambda: signing.prove(*words, cup / "proof"))
