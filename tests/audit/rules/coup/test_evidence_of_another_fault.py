"""The rule ``coup/evidence_of_another_fault``."""

from __future__ import annotations

from functools import partial

from games.table import Fault
from tests.audit.doctored_logs import Doctored, doctored, failing, fired
from tests.factories import answer


def _illegal(**evidence: str) -> Doctored:
    log = failing(answer("X"))
    fault = log.first("fault")
    raw = {field: fault.pop(field) for field in ("output", "appended")}
    found = {"found": evidence.pop("found")} if "found" in evidence else {}
    fault |= {**found, **raw, **evidence}
    return log


def _tampered(**evidence: str) -> Doctored:
    log = failing(Fault("tampered", {"output": b"", "file": b"F"}))
    fault = log.first("fault")
    fault |= {**evidence, "file": fault.pop("file")}
    return log


OTHERS = [
    doctored(partial(_illegal, file="X")),
    doctored(partial(_illegal, file_base64="/w==")),
    doctored(partial(_illegal, found="nothing")),
    doctored(partial(_tampered, appended="F")),
    doctored(partial(_tampered, appended_base64="/w==")),
]


def test_evidence_of_another_fault() -> None:
    """An illegal answer with a whole file is found, and a changed file with an addition."""
    assert all(fired(other) == {"coup/evidence_of_another_fault"} for other in OTHERS)
