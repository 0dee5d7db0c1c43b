"""Verify one log in a browser. Pyodide runs this module; nothing else imports it."""

from __future__ import annotations

import json
from pathlib import Path

from report.site import stand_ins

stand_ins.install()

from replay.render import divergence_lines  # noqa: E402
from replay.signatures.verification import ExpectedSigner, check_signatures  # noqa: E402
from replay.verify import verify_all  # noqa: E402
from schema.errors import KothError  # noqa: E402
from schema.log_path import printable  # noqa: E402


def verify(log: str, proof: str | None, key: str | None, origin: str | None) -> str:
    """Return, as JSON, the verdict that ``koth verify LOG`` gives, with or without a signer.

    ``log`` and ``proof`` are paths. The keys are ``verdict``, ``reason``, ``line``, ``signed``
    (whether a signature was checked) and ``details`` (lines about a divergence), or only ``error``.
    """
    try:
        path = Path(log)
        signer = ExpectedSigner.of(key or None, origin or None, Path(proof) if proof else None)
        [verdict] = check_signatures([path], verify_all([path], given={path}), signer)
    except KothError as error:
        return json.dumps({"error": str(error)})
    details = divergence_lines(verdict.divergence) if verdict.divergence else []
    return json.dumps(
        {
            "verdict": verdict.verdict,
            "reason": printable(verdict.reason),
            "line": verdict.line,
            "signed": signer is not None,
            "details": details,
        }
    )
