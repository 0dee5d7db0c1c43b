"""The proofs that logs are signed: one file per log of a signed tournament."""

from __future__ import annotations

from collections.abc import Mapping

from replay.signatures import signing
from replay.signatures.signer import CheckpointError
from report.site.names import safe_path
from report.site.sections import Section
from schema import discovery
from schema.discovery import TOURNAMENT
from schema.errors import LogError
from schema.log_path import LogPath
from schema.signed_note import Proof


def proofs_of(section: Section) -> Mapping[str, Proof]:
    """Return the proof of each log by its :func:`proof_name`.

    A log has none if it was not signed as it is now.
    """
    tournaments = [log.parent for log in section.logs if log.name == TOURNAMENT]
    return {
        _name(section, folder, match): proof
        for folder in tournaments
        for match, proof in _proofs(folder).items()
    }


def _proofs(tournament: LogPath) -> Mapping[str, Proof]:
    try:
        return signing.proofs(tournament)
    except (CheckpointError, LogError, OSError):
        return {}  # the page shows the verdict of `koth verify`, which says why


def proof_name(section: Section, log: LogPath) -> str:
    """Return the name of the proof of a log: its match id, after its stage in a contest."""
    return _name(section, discovery.home(log), log.name.removesuffix(".jsonl"))


def _name(section: Section, tournament: LogPath, match: str) -> str:
    return match if tournament == section.home else f"{tournament.name}/{match}"


def proof_path(name: str) -> str:
    """Return the path of a proof below the section."""
    return f"proofs/{safe_path(name)}.proof"
