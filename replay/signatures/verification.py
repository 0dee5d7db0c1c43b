"""Verifies signed checkpoints of tournaments, and proofs that one log belongs to a checkpoint.

A checkpoint is a signed note (c2sp.org/signed-note) in the format of c2sp.org/tlog-checkpoint: an
origin, a number of files, and the root of a Merkle tree over them (RFC 6962, section 2.1). Each
entry of the tree is the SHA-256 (32 bytes) of a whole file. The matches come first, in the order of
the tournament's log, and that log comes last. These are checked, in this order:

1. The checkpoint is a signed note, and the expected key signed it.
2. It names the expected origin, because a key may sign for several.
3. Its size is the number of files.
4. Its root is the root of the tree over these files. With a proof (c2sp.org/tlog-proof) instead:
   the proof leads from the one file to the root (RFC 6962, section 2.1.1).

A contest has a checkpoint over the lines of its log, which covers its stages, too
(:mod:`replay.signatures.contest_checkpoint`). Any failure makes the log ``forged``. Without an
expected key, only 3 and 4 can be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

from replay.errors import problem_of
from replay.log_verdict import LogVerdict
from replay.signatures import contest_checkpoint
from replay.signatures.contest_checkpoint import SignedLines, Since
from replay.signatures.signer import CheckpointError, ExpectedSigner, open_checkpoint, read_note
from schema import merkle, tournament_tree
from schema.discovery import CHECKPOINT, CONTEST, TOURNAMENT, absolute
from schema.discovery import home as home_of
from schema.errors import LogError
from schema.files import sha256_of
from schema.log_path import LogPath
from schema.merkle import HASH_BYTES
from schema.signed_note import Checkpoint, NoteError, Proof
from schema.system_errors import is_unreadable
from schema.tournament_tree import match_log, played
from schema.words import counted

UNREADABLE = ("corrupt", "unsupported", "incomplete")
"""Verdicts on a tournament's log after which its list of matches is not read."""

FINAL = (*UNREADABLE, "forged")
"""Verdicts that no checkpoint changes."""


def entries(tournament: LogPath) -> dict[str, bytes]:
    """Return the hash of each file of a tournament, in the order of the tree.

    Raises OSError, LogError, and CheckpointError if a match is missing.
    """
    return tournament_tree.entries(tournament, _digest)


def checkpoints(logs: Iterable[LogPath]) -> list[LogPath]:
    """Return the checkpoints of the tournaments and contests whose own logs are among ``logs``.

    That of a stage may be the checkpoint of its contest.
    """
    candidates = [_checkpoint(log) for log in logs if log.name in (TOURNAMENT, CONTEST)]
    return [*{absolute(path): path for path in candidates if _exists(path)}.values()]


def _checkpoint(log: LogPath) -> LogPath:
    """Return the checkpoint that covers a tournament or a contest; it may not exist."""
    own = log.parent / CHECKPOINT
    if log.name == CONTEST or _exists(own):
        return own
    with suppress(OSError, LogError):
        if stage := contest_checkpoint.stage_folder(log.parent):
            return stage[0] / CHECKPOINT
    return own


def unchecked(checkpoints: Sequence[LogPath], remedy: str) -> list[str]:
    """Return a sentence about the signatures that were not checked, with a remedy; or nothing."""
    if not checkpoints:
        return []
    more = f" and {len(checkpoints) - 1} more" if len(checkpoints) > 1 else ""
    return [f"{checkpoints[0]}{more}: its signature was not checked. {remedy}"]


def check_signatures(
    logs: Sequence[LogPath],
    verdicts: Iterable[LogVerdict],
    signer: ExpectedSigner | None,
    since: Since = (),
) -> list[LogVerdict]:
    """Check ``logs`` against their checkpoints or a proof, and return the resulting verdicts.

    ``verdicts`` are the verdicts on ``logs`` so far. With ``signer``, each log that no valid
    checkpoint or proof covers is ``forged``, because its signature cannot be shown; or ``corrupt``,
    if a file that was signed cannot be read. ``since`` has the checkpoints that a contest must
    extend, with their names.
    """
    by_path = {str(log): log for log in logs}
    pairs = [(verdict, by_path[verdict.path]) for verdict in verdicts]
    if signer is not None and signer.proof is not None:
        proof = signer.proof
        return [_apply(verdict, _run(_check_proof, log, proof, signer)) for verdict, log in pairs]
    signed_lines = cache(contest_checkpoint.signed_lines)  # a contest may have many stages
    tournaments = {
        absolute(log.parent): _run(_check_tournament, log.parent, signer, signed_lines)
        for verdict, log in pairs
        if log.name == TOURNAMENT and verdict.verdict not in UNREADABLE
    }
    covered = {
        match_log(home / TOURNAMENT, match)
        for home, outcome in tournaments.items()
        if signer is not None and not outcome.problem
        for match in played(home / TOURNAMENT)
    }
    results = []
    for verdict, log in pairs:
        outcome = _Outcome()
        if log.name == CONTEST:
            if verdict.verdict not in ("corrupt", "unsupported"):
                outcome = _run(_check_contest, log, signer, since)
            if verdict.verdict == "incomplete" and outcome.problem:
                verdict = replace(verdict, verdict="verified")  # its whole lines can be checked
        elif log.name == TOURNAMENT:
            outcome = tournaments.get(absolute(log.parent), outcome)
        elif signer is not None and absolute(log) not in covered:
            outcome = _not_covered(tournaments.get(absolute(home_of(log))), signer)
        results.append(_apply(verdict, outcome))
    return results


@dataclass(frozen=True)
class _Outcome:
    """The outcome of checking one log or tournament."""

    note: str = ""
    """An addition to the reason of the verdict."""
    problem: str = ""
    """Why the log is not as it was signed; empty if it is."""
    verdict: str = "forged"
    """The verdict on a log with a problem."""


def _run(check: Callable[..., str], *arguments: object) -> _Outcome:
    """Run a check that returns a note or raises an error."""
    try:
        return _Outcome(check(*arguments))
    except CheckpointError as error:
        return _Outcome(problem=str(error))
    except (LogError, OSError) as error:
        problem = f"expected to read what was signed, found {problem_of(error)}"
        return _Outcome("", problem, "corrupt" if is_unreadable(error) else "forged")


def _not_covered(tournament: _Outcome | None, signer: ExpectedSigner) -> _Outcome:
    """Return the problem of a log without signature; ``tournament`` is its tournament's outcome."""
    expected = f"not shown to be signed: expected a checkpoint by {signer.key.name} that covers it"
    if tournament is not None and tournament.problem:
        is_forged = tournament.verdict == "forged"
        state = "is missing or not valid" if is_forged else "cannot be read"
        return _Outcome("", f"{expected}, that of its tournament {state}", tournament.verdict)
    advice = "found none; name its tournament's folder, or give a proof"
    return _Outcome(problem=f"{expected}, {advice}")


def _apply(verdict: LogVerdict, outcome: _Outcome) -> LogVerdict:
    """Return ``verdict`` changed by the outcome, unless it is final."""
    if verdict.verdict in FINAL:
        return verdict
    if outcome.problem:
        return replace(verdict, verdict=outcome.verdict, reason=outcome.problem, line=None)
    if outcome.note:
        return replace(verdict, reason=f"{verdict.reason}{outcome.note}")
    return verdict


def _check_tournament(
    tournament: LogPath,
    signer: ExpectedSigner | None,
    signed_lines: Callable[[LogPath, ExpectedSigner], SignedLines],
) -> str:
    """Check a tournament's files against its checkpoint, if it has one. Returns a note."""
    path = tournament / CHECKPOINT
    if not _exists(path):
        if signer is None:
            return ""
        if stage := contest_checkpoint.stage_folder(tournament):
            files = contest_checkpoint.check_stage(*stage, signed_lines(stage[0], signer))
            return f"; {files} signed by {signer.key.name}"
        raise CheckpointError(f"checkpoint: missing; expected one signed by {signer.key.name}")
    checkpoint = open_checkpoint(read_note(path), signer)
    check_files(checkpoint, entries(tournament))
    files = counted(checkpoint.size, "file")
    return "" if signer is None else f"; {files} signed by {signer.key.name}"


def _check_contest(log: LogPath, signer: ExpectedSigner | None, since: Since) -> str:
    """Check a contest's log against its checkpoints and earlier ones. Returns a note."""
    lines = contest_checkpoint.lines(log)
    contest_checkpoint.check_extends(lines, since)
    contest_checkpoint.check_extends(lines, contest_checkpoint.kept(log.parent, signer))
    path = log.parent / CHECKPOINT
    if not _exists(path):
        if signer is None:
            return ""
        raise CheckpointError(f"checkpoint: missing; expected one signed by {signer.key.name}")
    checkpoint = open_checkpoint(read_note(path), signer)
    contest_checkpoint.check_extends(lines, [("checkpoint", checkpoint)])
    if signer is None:
        return ""
    if checkpoint.size < len(lines):
        raise CheckpointError(
            f"not shown to be signed: expected a checkpoint of all {len(lines)} lines, found one "
            f"of {checkpoint.size}; `koth sign` signs the others"
        )
    return f"; {counted(checkpoint.size, 'line')} signed by {signer.key.name}"


def _check_proof(log: LogPath, data: bytes, signer: ExpectedSigner) -> str:
    """Check a log against the proof in ``data``. Returns a note."""
    try:
        proof = Proof.parse(data)
    except NoteError as error:
        raise CheckpointError(f"proof: {error}") from None
    checkpoint = open_checkpoint(proof.checkpoint, signer)
    entry, index, size = _digest(log), proof.index, checkpoint.size
    if inner := contest_checkpoint.proof_in_stage(proof):
        note = contest_checkpoint.check_in_stage(entry, index, inner)
        entry = inner.checkpoint
    else:
        note = f"number {index} of {size} files"
    if index >= size:
        raise CheckpointError(
            f"proof: expected an index below the tree's size {size}, found {index}"
        )
    if not merkle.is_included(entry, index, size, proof.hashes, checkpoint.root):
        raise CheckpointError(
            f"proof: expected to find this {_entry(entry)}, as number {index} of the {size} "
            "signed ones, found another there"
        )
    return f"; {note} signed by {signer.key.name}"


def _entry(entry: bytes) -> str:
    """Return an entry of a tree for a message: a digest, or a line of a contest's log."""
    return f"file, SHA-256 {entry.hex()}" if len(entry) == HASH_BYTES else "line of a contest"


def check_files(checkpoint: Checkpoint, hashes: dict[str, bytes]) -> None:
    """Raise CheckpointError unless ``checkpoint`` is about the files with these ``hashes``."""
    if checkpoint.size != len(hashes):
        raise CheckpointError(
            f"checkpoint: expected a size of {len(hashes)}, as many files as there are, found "
            f"{checkpoint.size}"
        )
    root = merkle.root(list(hashes.values()))
    if checkpoint.root != root:
        raise CheckpointError(
            f"checkpoint: expected the root of these files, {root.hex()}, found "
            f"{checkpoint.root.hex()}: some file is another than when it was signed"
        )


def _exists(path: LogPath) -> bool:
    try:
        return path.exists()
    except (OSError, LogError):
        return False


def _digest(file: LogPath) -> bytes:
    try:
        return sha256_of(file)
    except FileNotFoundError:
        problem = "missing; the checkpoint counts it among its files"
        raise CheckpointError(f"{file}: {problem}") from None
