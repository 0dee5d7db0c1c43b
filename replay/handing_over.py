"""A folder to hand to a contestant: one log, its evidence, its proof, and how to check them."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory

from replay.signatures import signing
from replay.signatures.keys import public_key
from replay.signatures.verification import OWN, ExpectedSigner, match_log, opened
from schema import discovery
from schema.bundle import Bundle, is_bundle
from schema.errors import UsageError
from schema.files import refuse_links, write_new
from schema.log_path import LogPath, printable
from schema.scan import content
from schema.signed_note import Proof, split

LOG, PROOF, KEY, README = "log.jsonl", "proof", "key.pub", "README.txt"
EVIDENCE = f"{discovery.EVIDENCE}/{LOG}"

TEXT = """\
{match} of the tournament that was signed for {origin}.

    {log:24} the log
    {evidence:24} what the referee noted beside it, which no signature covers (if it is here)
    {proof:24} shows that the log is among the signed files
    {key:24} the public key, as the organiser gave it

Compare the key and the origin with those that the organiser published; then, in this folder:

    {command}

koth comes with `pipx install koth`. To see the match: koth report {log} -o match.html
"""


def write(path: Path, match: str, key: str, target: Path) -> str:
    """Write the folder ``target``, whole or not at all; return what it proves.

    Arguments are as in :func:`replay.signatures.signing.prove`; ``key`` must have signed. Raises
    UsageError, LogError, CheckpointError and OSError.
    """
    if target.exists() or target.is_symlink():
        raise UsageError(f"{target}: expected nothing there, found something. Name a new folder.")
    if not target.absolute().parent.is_dir():
        raise UsageError(f"{target}: expected a folder to make it in, found none.")
    home: LogPath = Bundle(path).root if is_bundle(path) else discovery.place(path)
    log = _log(home, match)
    with TemporaryDirectory(dir=target.absolute().parent, prefix=".koth-") as temporary:
        made = Path(temporary) / "made"
        made.mkdir()
        index, size = signing.prove(path, match, made / PROOF)
        note = Proof.parse((made / PROOF).read_bytes()).checkpoint
        origin = split(note)[0].partition("\n")[0]
        pinned = ExpectedSigner(public_key(key), origin)
        opened(note, pinned)  # the key must have signed it
        _copy(log, made / LOG)
        if match != OWN:
            (made / discovery.EVIDENCE).mkdir()
            evidence = discovery.evidence(log)
            refuse_links(evidence, home)
            if evidence.exists():
                _copy(evidence, made / EVIDENCE)
            else:
                (made / discovery.EVIDENCE).rmdir()
        write_new(made / KEY, f"{pinned.key}\n".encode())
        write_new(made / README, _readme(match, origin).encode())
        made.rename(target)
    return f"proves that {match} is number {index} of {size} files; {README} says how to check it"


def _log(home: LogPath, match: str) -> LogPath:
    own = home / discovery.TOURNAMENT
    return own if match == OWN else match_log(own, match)


def _copy(source: LogPath, target: Path) -> None:
    write_new(target, content(source))


def _readme(match: str, origin: str) -> str:
    command = f"koth verify {LOG} --proof {PROOF} --key {KEY} --origin {quote(printable(origin))}"
    what = "The log" if match == OWN else f"Match {match}"
    return TEXT.format(
        match=what, origin=printable(origin), command=command,
        log=LOG, evidence=EVIDENCE, proof=PROOF, key=KEY,
    )  # fmt: skip
