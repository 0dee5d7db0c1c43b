"""Writes a folder for a contestant: a log, its evidence, its proof, and how to check them."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from replay.signatures import signing
from replay.signatures.contest_checkpoint import stage_folder
from replay.signatures.keys import public_key
from replay.signatures.signer import ExpectedSigner, open_checkpoint
from schema import discovery
from schema.errors import UsageError
from schema.files import refuse_links, replacing_folder, require_folder_of, write_new
from schema.log_path import LogPath, printable
from schema.scan import read_log_bytes
from schema.signed_note import Proof, split_note
from schema.tournament_tree import TOURNAMENT_ENTRY, match_log

LOG, PROOF, KEY, README = "log.jsonl", "proof", "key.pub", "README.txt"
EVIDENCE = f"{discovery.EVIDENCE}/{LOG}"

TEXT = """\
{match} of {whole} that was signed for {origin}.

    {log:24} the log
    {evidence:24} the referee's notes, which no signature covers (if there are any)
    {proof:24} proves that the log is among the signed files
    {key:24} the public key that the organiser gave

Compare the key and the origin with those that the organiser published; then, in this folder:

    {command}

To see the match: koth report {log} -o match.html

Ask the organiser for the source of Koth; `pipx install ./koth` installs it from its folder. The
package `koth` on PyPI is another program.
"""


def write(path: Path, match: str, key: str, target: Path) -> str:
    """Write the folder ``target`` completely or not at all; return a sentence about the proof.

    ``path`` and ``match`` are as in :func:`replay.signatures.signing.prove`; ``key`` is the public
    key of the signer. Raises UsageError, LogError, CheckpointError and OSError.
    """
    if target.exists() or target.is_symlink():
        raise UsageError(f"{target}: expected nothing there, found something. Name a new folder.")
    require_folder_of(target)
    home = discovery.folder_at(path)
    tournament_log = home / discovery.TOURNAMENT
    log = tournament_log if match == TOURNAMENT_ENTRY else match_log(tournament_log, match)
    with replacing_folder(target) as folder:
        index, size = signing.prove(path, match, folder / PROOF)
        note = Proof.parse((folder / PROOF).read_bytes()).checkpoint
        origin = split_note(note)[0].partition("\n")[0]
        signer = ExpectedSigner(public_key(key), origin)
        open_checkpoint(note, signer)  # the key must have signed it
        write_new(folder / LOG, read_log_bytes(log))
        if match != TOURNAMENT_ENTRY:
            _copy_evidence(log, home, folder)
        write_new(folder / KEY, f"{signer.key}\n".encode())
        stage = stage_folder(home)
        whole = f"stage {int(stage[1])} of the contest" if stage else "the tournament"
        write_new(folder / README, _readme(match, whole, origin).encode())
    return f"proves that {match} is number {index} of {size} files; {README} says how to check it"


def _copy_evidence(log: LogPath, home: LogPath, folder: Path) -> None:
    evidence = discovery.evidence(log)
    refuse_links(evidence, home)
    if evidence.exists():
        (folder / discovery.EVIDENCE).mkdir()
        write_new(folder / EVIDENCE, read_log_bytes(evidence))


def _readme(match: str, whole: str, origin: str) -> str:
    command = f"koth verify {LOG} --proof {PROOF} --key {KEY} --origin {quote(printable(origin))}"
    subject = "The log" if match == TOURNAMENT_ENTRY else f"Match {match}"
    return TEXT.format(
        match=subject, whole=whole, origin=printable(origin), command=command,
        log=LOG, evidence=EVIDENCE, proof=PROOF, key=KEY,
    )  # fmt: skip
