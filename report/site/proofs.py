"""The proofs that logs are signed: one file per log of a signed tournament."""

from __future__ import annotations

from collections.abc import Mapping

from replay.signatures import signing
from replay.signatures.signer import CheckpointError
from report.site.sections import Section
from schema.discovery import TOURNAMENT
from schema.errors import LogError
from schema.log_path import LogPath
from schema.signed_note import Proof


def proofs_of(section: Section) -> Mapping[str, Proof]:
    """Return the proof of each log by its match id, after its stage in a contest.

    A log has none if it was not signed as it is now.
    """
    tournaments = [log.parent for log in section.logs if log.name == TOURNAMENT]
    return {
        match if folder == section.home else f"{folder.name}/{match}": proof
        for folder in tournaments
        for match, proof in _proofs(folder).items()
    }


def _proofs(tournament: LogPath) -> Mapping[str, Proof]:
    try:
        return signing.proofs(tournament)
    except (CheckpointError, LogError, OSError):
        return {}  # the page shows the verdict of `koth verify`, which says why


def proof_path(match: str) -> str:
    """Return the path of a proof below the section."""
    return f"proofs/{match}.proof"
