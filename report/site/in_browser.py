"""Verify logs in a browser. Pyodide runs this module; nothing else imports it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import chdir, suppress
from pathlib import Path

from report.site import stand_ins

stand_ins.install()

from replay import verdict_render, verdicts  # noqa: E402
from replay.log_verdict import LogVerdict  # noqa: E402
from replay.signatures.contest_checkpoint import is_consistency_proof  # noqa: E402
from replay.signatures.keys import public_key  # noqa: E402
from replay.signatures.signer import ExpectedSigner, read_note, read_since  # noqa: E402
from replay.signatures.verification import checkpoints  # noqa: E402
from schema import discovery  # noqa: E402
from schema.errors import KothError, NothingToDo, UsageError  # noqa: E402
from schema.executor import Progress, serial  # noqa: E402
from schema.files import file_hash  # noqa: E402
from schema.log_path import LogPath, printable  # noqa: E402
from schema.signed_note import Proof, split_note  # noqa: E402

TOGETHER = Path()
"""The path of several files that were chosen together."""


def verify(
    path: str,
    proof: str | None,
    key: str | None,
    origin: str | None,
    since: str | None,
    progress: Progress = lambda done, total: None,
) -> str:
    """Return, as JSON, the verdict that ``koth verify PATH`` gives with these options.

    ``since`` is a folder with the checkpoints for ``--since``. The keys are ``verdict``, ``reason``
    and ``line`` (of the worst log, as :mod:`replay.verdicts` sums up), ``logs`` (their number),
    ``text`` (the command's output), ``signed`` (whether signatures were checked), ``unchecked``
    (whether a checkpoint was not), ``sha256`` (of a single file), and ``error`` (of the command;
    the others may be missing).
    """
    try:
        return json.dumps(_verify(Path(path), proof, key, origin, since, progress))
    except (KothError, OSError) as error:
        return json.dumps({"error": printable(str(error))})


def _verify(
    path: Path,
    proof: str | None,
    key: str | None,
    origin: str | None,
    since: str | None,
    progress: Progress,
) -> dict[str, object]:
    signer = ExpectedSigner.of(key or None, origin or None, Path(proof) if proof else None)
    earlier = []
    if since:
        with chdir(since):
            earlier = read_since(sorted(Path().iterdir()), signer)
    if is_consistency_proof(path):
        if not earlier:
            raise UsageError(f"{path}: a proof: expected the earlier checkpoint too, found none.")
        return _result(path, verdicts.check_proofs([path], earlier, signer), signer, False)
    if earlier:
        verdicts.check_one_contest([path])
    if path == TOGETHER:
        _refuse_without_folders(path)
    logs = verdicts.logs_to_verify([path], signer)
    checked, failed = verdicts.examine([path], logs, signer, serial, progress, earlier)
    result = _result(path, checked, signer, bool(checkpoints(logs)))
    return result | {"error": printable(str(failed))} if failed else result


def _refuse_without_folders(folder: Path) -> None:
    """Raise UsageError for files that are no folder of a tournament or a contest, and seem one.

    Otherwise the matches beside the log of their tournament would be missing from its folder, and
    the verdict on an honest tournament would be ``forged``. Raises NothingToDo without any log.
    """
    try:
        logs = discovery.logs([folder])
    except NothingToDo:
        raise NothingToDo("expected a log (*.jsonl) among these files, found none.") from None
    kinds = {
        discovery.TOURNAMENT: ("tournament", discovery.MATCHES),
        discovery.CONTEST: ("contest", discovery.STAGES),
    }
    for name, (kind, inner) in kinds.items():
        if len(logs) > 1 and (folder / name).is_file() and not (folder / inner).is_dir():
            raise UsageError(
                f"{name}: expected the folder of its {kind}, found other logs beside it. Choose "
                "the folder, or each log on its own."
            )


def _result(
    path: Path, checked: list[LogVerdict], signer: ExpectedSigner | None, has_checkpoint: bool
) -> dict[str, object]:
    return {
        "verdict": verdicts.worst(checked).verdict,
        "reason": printable(verdicts.reason(checked)),
        "line": checked[0].line if len(checked) == 1 else None,
        "logs": len(checked),
        "text": verdict_render.verdicts_text(checked, [path]),
        "signed": signer is not None,
        "unchecked": signer is None and has_checkpoint,
        "sha256": None if path.is_dir() else file_hash(path),
    }


def offered(path: str) -> str:
    """Return, as JSON, the ``key``, ``origin`` and ``proof`` among the files at ``path``.

    A key is a file ``*.pub`` in the folder. The origin is that of the proof or the checkpoint
    beside it, and the proof is for the only log. Each is None if there is none.
    """
    folder = Path(path)
    files = sorted(file for file in folder.iterdir() if file.is_file()) if folder.is_dir() else []
    key = next(_keys(files), None)
    logs: Sequence[LogPath] = ()
    with suppress(KothError):
        logs = discovery.logs([folder])
    proof, note = None, None
    for file in files:
        if len(logs) == 1 and (parsed := _proof(file)):
            proof, note = str(file), parsed.checkpoint
    checkpoint = folder / discovery.CHECKPOINT
    if note is None and checkpoint in files:
        note = read_note(checkpoint)
    origin = None
    if note is not None:
        with suppress(KothError):
            origin = split_note(note)[0].partition("\n")[0]
    return json.dumps({"key": key, "origin": origin, "proof": proof})


def _keys(files: list[Path]) -> Iterator[str]:
    for file in files:
        if file.suffix == ".pub":
            with suppress(KothError):
                yield str(public_key(str(file)))


def _proof(file: Path) -> Proof | None:
    """Return the proof in a file, or None if it has none."""
    if file.name.endswith((".jsonl", ".zst")):
        return None
    with suppress(KothError):
        return Proof.parse(read_note(file))
    return None
