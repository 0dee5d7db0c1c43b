"""Pure Python in place of libraries that have no build for browsers, with the same behaviour."""

from __future__ import annotations

import sys

CRYPTOGRAPHY = "cryptography.hazmat.primitives.asymmetric"


def install() -> None:
    """Make Python import the stand-ins for the libraries, from now on."""
    from report.site.stand_ins import ed25519, orjson

    sys.modules["orjson"] = orjson
    name = ""
    for part in (*CRYPTOGRAPHY.split("."), "ed25519"):
        name = f"{name}.{part}" if name else part
        sys.modules[name] = ed25519
    sys.modules["cryptography.exceptions"] = ed25519
