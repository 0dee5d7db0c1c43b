"""Checks that all files of a tournament are there and fit together, before they are signed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

from replay.signatures.signer import CheckpointError
from schema.discovery import MATCHES, TOURNAMENT
from schema.files import CHUNK, digest_of, last_line, open_regular, refuse_links
from schema.reader import IncompleteLog, read
from schema.seal import MAX_BYTES, match_seed
from schema.tournament_tree import added_log, match_log

MATCH_SEAL = re.compile(
    rb'\{"seq":(\d+),"type":"match_sealed",(?:"seed":"([0-9a-f]{64})",)?"events":\1,'
    rb'"sha256":"([0-9a-f]{64})"\}\n'
)


def check_complete(folder: Path, inside: Path) -> None:
    """Check that the matches are those that the tournament's log names, by their seals and seeds.

    ``inside`` is the folder to be signed: ``folder`` itself, or that of its contest. The contents
    of the matches are not re-run; ``koth verify`` does that. Raises CheckpointError.
    """
    path = folder / TOURNAMENT
    try:
        refuse_links(folder / MATCHES, inside)
    except OSError as error:
        remedy = "`koth verify` would find no match there. Put the folder itself in its place."
        raise CheckpointError(f"{error.filename}: {error.strerror}. {remedy}") from None
    try:
        own = read(path)
    except IncompleteLog as error:
        remedy = "Finish the tournament before you sign it (`koth resume`)."
        raise CheckpointError(f"{error}. {remedy}") from None
    if own.kind != "tournament":
        raise CheckpointError(f"{path}: expected the log of a tournament, found a {own.kind}'s.")
    events = cast(Sequence[Mapping[str, Any]], own.events)
    played = {event["match"]: event for event in events if event["type"] == "match_played"}
    for match, event in played.items():
        seed = own.seal.get("seed") and match_seed(own.seal["seed"], match, event.get("dice"))
        _check_seal(match_log(path, match), seed, event["seal"])
    if added := added_log(path, played):
        raise CheckpointError(
            f"{added}: expected no such match in this tournament, found its log. Move it elsewhere."
        )


def _check_seal(match: Path, seed: str | None, expected: str) -> None:
    """Check that the log at ``match`` has this seed and this seal, which fits its lines."""
    try:
        with open_regular(match) as file:
            last = last_line(file, MAX_BYTES)
            sealed = MATCH_SEAL.fullmatch(last)
            body_bytes = file.tell() - len(last)
            file.seek(0)
            digest = digest_of(file, match, body_bytes).hex() if sealed else ""
            file.seek(0)
            lines = sum(chunk.count(b"\n") for chunk in iter(partial(file.read, CHUNK), b""))
    except FileNotFoundError:
        raise CheckpointError(
            f"{match}: missing: this match was played. Put its log back before you sign."
        ) from None
    found = sealed and [part and part.decode() for part in sealed.group(2, 3, 1)]
    if found != [seed, expected, f"{lines - 1}"] or digest != expected:
        raise CheckpointError(
            f"{match}: expected the log that {TOURNAMENT} names with the seal {expected}, and the "
            "seed of this match, found another. `koth verify` tells more."
        )
