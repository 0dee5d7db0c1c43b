"""Signs the log of a contest while it grows, and proves that its checkpoints extend each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from replay import contest
from replay.signatures.completeness import check_complete
from replay.signatures.contest_checkpoint import (
    check_extends,
    end_of_stage,
    finished_stages,
    lines,
    signed_lines,
)
from replay.signatures.signer import CheckpointError, ExpectedSigner, open_checkpoint, read_note
from schema import merkle
from schema.discovery import (
    CHECKPOINT,
    CHECKPOINTS,
    CONTEST,
    STAGES,
    absolute,
    folder_at,
    stage_name,
)
from schema.errors import UsageError
from schema.files import TEMPORARY, making, refuse_links, replacing, sync
from schema.log_path import LogPath
from schema.signed_note import Checkpoint, ConsistencyProof, PrivateKey, Proof


def sign(folder: Path, key: PrivateKey, origin: str, overwrite: bool) -> tuple[Checkpoint, bool]:
    """Write the signed checkpoint of the lines that the log of a contest has now.

    It is kept in the folder ``checkpoints`` under its number of lines, then replaces the file
    ``checkpoint``. Returns the checkpoint, and whether it is new. Earlier checkpoints must be about
    the first of these lines; those by another key or for another origin are replaced only with
    ``overwrite``. Raises UsageError, LogError, CheckpointError and OSError.
    """
    log, latest, history = folder / CONTEST, folder / CHECKPOINT, folder / CHECKPOINTS
    refuse_links(history, folder)
    stages = (folder / STAGES).iterdir() if (folder / STAGES).is_dir() else ()
    verdicts = {stage.name: "verified" for stage in stages if stage.is_dir()}
    outcome = contest.check(log, verdicts, {absolute(folder)})
    if outcome.verdict not in ("verified", "incomplete"):
        raise CheckpointError(
            f"{log}: expected a contest that holds together, found that it is {outcome.verdict}: "
            f"{outcome.reason}. Nothing is signed."
        )
    content = lines(log)
    for number in finished_stages(content):
        check_complete(folder / STAGES / stage_name(number), folder)
    sync(log)  # no crash may undo a line that is signed
    if not content:
        raise UsageError(f"{log}: expected the first line of a contest, found none.")
    checkpoint = Checkpoint(origin, len(content), merkle.root(content))
    note, target = key.sign(checkpoint.text), history / str(checkpoint.size)
    _check_earlier(folder, content, ExpectedSigner(key.public, origin), overwrite)
    if latest.exists() and read_note(latest) == note and target.exists():
        return checkpoint, False
    with making(target, "cannot be written"):
        history.mkdir(exist_ok=True)
        for place in (folder, history):
            for stray in place.glob(f"{TEMPORARY}*.tmp"):
                stray.unlink()  # an earlier command was killed
        for path in (target, latest):
            with replacing(path) as temporary:
                temporary.write_bytes(note)
    return checkpoint, True


def _check_earlier(
    folder: Path, content: list[bytes], signer: ExpectedSigner, overwrite: bool
) -> None:
    """Check that the contest still begins with the lines of each checkpoint in its folder."""
    history = folder / CHECKPOINTS
    paths = [*history.iterdir(), folder / CHECKPOINT] if history.is_dir() else [folder / CHECKPOINT]
    signed = []
    for path in paths:
        if path.exists() and (path.name.isdecimal() or path.name == CHECKPOINT):
            note = read_note(path)
            try:
                checkpoint = open_checkpoint(note, signer)
            except CheckpointError as error:
                if not overwrite:
                    remedy = "--replace replaces it."
                    if path.parent == history:
                        remedy = "--replace ignores it. Move it elsewhere if it is no checkpoint."
                    raise UsageError(
                        f"{path}: {error}. People who have seen it may hold you to it; {remedy}"
                    ) from None
                try:
                    checkpoint = open_checkpoint(note, None)  # another key's, or for another origin
                except CheckpointError:
                    continue
            signed.append((str(path), checkpoint))
    try:
        check_extends(content, signed)
    except CheckpointError as error:
        raise CheckpointError(
            f"{error}. A second checkpoint would be a fork, and nothing is signed; put the signed "
            f"{CONTEST} back."
        ) from None


def proofs_in_stage(stage: tuple[LogPath, str], hashes: list[bytes]) -> Iterator[Proof]:
    """Yield the proof for each file of a stage that it is signed with its contest.

    ``hashes`` are those of the stage's files. Raises CheckpointError, OSError and LogError.
    """
    contest, name = stage
    signed = signed_lines(contest, None)
    line = end_of_stage(signed, name, hashes)
    outer = merkle.inclusion(signed.lines, line)
    for index, path in enumerate(merkle.inclusions(hashes)):
        yield Proof(line, outer, signed.note, Proof(index, path, signed.lines[line]).data)


def prove_consistency(path: Path, old: Path, new: Path | None) -> ConsistencyProof:
    """Return the proof that checkpoint ``new`` of a contest extends checkpoint ``old``.

    ``path`` is the contest's folder or bundle; without ``new`` its latest checkpoint is meant.
    Raises UsageError, CheckpointError, OSError and LogError.
    """
    folder = folder_at(path)
    if not (folder / CONTEST).exists():
        raise UsageError(f"{path}: expected a contest, found no {CONTEST} there.")
    later = new or folder / CHECKPOINT
    if not later.exists():
        raise UsageError(f"{later}: expected a checkpoint, found none. Run `koth sign` first.")
    first, last = (open_checkpoint(read_note(file), None) for file in (old, later))
    if first.origin != last.origin:
        raise CheckpointError(
            f"{later}: expected the origin {first.origin!r:.80}, found {last.origin!r:.80}"
        )
    if first.size > last.size:
        raise UsageError(
            f"--from: expected the earlier checkpoint, found {first.size} lines, and {last.size} "
            "in the other. Exchange them."
        )
    content = lines(folder / CONTEST)
    check_extends(content, [(str(old), first), (str(later), last)])
    hashes = merkle.consistency(content[: last.size], first.size)
    return ConsistencyProof(first.size, hashes, read_note(later))
