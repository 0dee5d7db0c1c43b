"""Sign the files of a tournament, and prove that one of them is among those signed."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from replay.signatures.verification import (
    OWN,
    CheckpointError,
    check_files,
    content,
    entries,
    match_log,
    opened,
)
from schema import merkle
from schema.bundle import Bundle, is_bundle
from schema.discovery import CHECKPOINT, MATCHES, TOURNAMENT, place
from schema.errors import UsageError
from schema.files import digest_of, last_line, open_regular, replacing, write_new
from schema.reader import IncompleteLog, read
from schema.registry import suggest
from schema.signed_note import Checkpoint, NoteError, PrivateKey, Proof, checked_name, verified

SEALED = re.compile(
    rb'\{"seq":(\d+),"type":"match_sealed",(?:"seed":"[0-9a-f]{64}",)?"events":\1,'
    rb'"sha256":"([0-9a-f]{64})"\}\n'
)

LONGEST_SEAL = 300
"""More bytes than a seal has."""


def sign(
    folder: Path, key: PrivateKey, origin: str, again: bool = False
) -> tuple[Checkpoint, bool]:
    """Write the checkpoint of the tournament in ``folder``; it, and whether it is new.

    One that ``key`` has signed already, over the same, stays as it is; any other is replaced only
    ``again``. Raises UsageError, LogError, CheckpointError and OSError.
    """
    try:
        checked_name(origin)
    except NoteError as error:
        raise UsageError(f"--origin: {error}.") from None
    if not (folder / TOURNAMENT).is_file():
        raise UsageError(f"{folder}: expected a tournament's folder, found no {TOURNAMENT} there.")
    _check_chain(folder)
    hashes = list(entries(folder).values())
    checkpoint = Checkpoint(origin, len(hashes), merkle.root(hashes))
    target = folder / CHECKPOINT
    if target.exists() and not again:
        with suppress(NoteError):
            if verified(content(target), key.public) == checkpoint.text:
                return checkpoint, False
        raise UsageError(
            f"{target}: expected none, or this one, found another checkpoint. Who has seen it may "
            "hold you to it; --replace replaces it."
        )
    with replacing(target, new=not again) as path:
        path.write_bytes(key.sign(checkpoint.text))
    return checkpoint, True


def prove(path: Path, match: str, target: Path) -> tuple[int, int]:
    """Write the proof that a match, or the tournament's own log, is in the checkpoint.

    ``path`` is a tournament's folder or bundle, ``match`` an id, or ``tournament``. Returns the
    index, and the size of the tree. Raises UsageError, LogError, CheckpointError and OSError.
    """
    tournament = Bundle(path).root if is_bundle(path) else place(path)
    at = tournament / CHECKPOINT
    if not (tournament / TOURNAMENT).exists():
        raise UsageError(f"{path}: expected a tournament, found no {TOURNAMENT} there.")
    if not at.exists():
        raise UsageError(f"{at}: expected a checkpoint, found none. Make it with `koth sign`.")
    if target.exists():
        raise UsageError(f"{target}: expected no file there, found one. Choose another name.")
    read(tournament / TOURNAMENT)
    found, note = entries(tournament), content(at)
    if match not in found:
        raise UsageError(
            f"{path}: there is no match '{match}'; expected an id such as 1-000000, or {OWN}."
            f"{suggest(match, list(found))}"
        )
    try:
        check_files(opened(note, None), found)
    except CheckpointError as error:
        raise CheckpointError(f"{path}: {error}. Nothing can be proved with it.") from None
    index = list(found).index(match)
    proof = Proof(index, merkle.inclusion(list(found.values()), index), note)
    try:
        write_new(target, proof.data)
    except OSError as error:
        raise UsageError(f"{target}: cannot be made: {error.strerror}.") from None
    return index, len(found)


def _check_chain(folder: Path) -> None:
    """Whether there are the matches that the tournament's log names, by their seals, and no more.

    That everything follows from the seed and the answers is left to ``koth verify``.
    """
    log = folder / TOURNAMENT
    try:
        found = read(log)
    except IncompleteLog as error:
        raise CheckpointError(
            f"{log}: expected a sealed tournament, found that {error.found}. "
            "Finish it before you sign it."
        ) from None
    if found.kind != "tournament":
        raise CheckpointError(f"{log}: expected the log of a tournament, found that of a match.")
    seals = {
        match_log(log, str(event["match"])): event["seal"]
        for event in found.events
        if event["type"] == "match_played"
    }
    for match, expected in seals.items():
        _check_seal(match, expected)
    if extra := sorted({*(folder / MATCHES).rglob("*.jsonl")} - {*seals}):
        raise CheckpointError(
            f"{extra[0]}: expected no such match in this tournament, found its log. "
            "Move it elsewhere."
        )


def _check_seal(match: Path, expected: object) -> None:
    try:
        with open_regular(match) as file:
            sealed = SEALED.fullmatch(last := last_line(file, LONGEST_SEAL))
            above = file.tell() - len(last)
            file.seek(0)
            digest = digest_of(file, above).hex() if sealed else ""
    except FileNotFoundError:
        raise CheckpointError(
            f"{match}: missing: this match was played. Put its log back before you sign."
        ) from None
    if sealed is None or not sealed[2].decode() == expected == digest:
        raise CheckpointError(
            f"{match}: expected the log that {TOURNAMENT} has with the seal {expected}, found "
            "another. `koth verify` tells more."
        )
