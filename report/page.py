"""The frame of every page: one file with all that it needs, and nothing from the network.

Templates, styles and scripts are files in this folder; they are put inline. Names, answers and
error texts of bots are hostile: templates escape whatever they are given, data is escaped for the
place where it stands, and the page's own policy runs no script but those put in here.
"""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

FOLDER = Path(__file__).parent

RESTS_ON: Mapping[str, str] = {
    "verified": "Every event was recomputed from the seed and the answers, and is the one recorded,"
    " byte for byte. The seed is the one that the log committed to at its start.",
    "imported": "It was seen elsewhere and has no seed: nothing here was recomputed.",
    "incomplete": "There is no seal and so no seed: nothing here was recomputed.",
    "diverged": "The rules do not lead from the seed and the answers to what is recorded.",
    "forged": "It is not the log that was committed to.",
}
"""What a verdict rests on, in a sentence."""

MARKS = {"verified": "✓", "imported": "○", "incomplete": "…"}
"""The sign of a verdict, so that it can be told without its colour; any other is ✕."""

CONTROLS = {"\0": "NUL", "\t": "TAB", "\n": "LF", "\r": "CR", "\x1b": "ESC", " ": "SP"}
"""Signs for characters that are not seen by themselves; others are shown by their numbers."""

_ENDS = re.compile("^ +| +$", re.MULTILINE)

SCRIPT_SAFE = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}
"""What could end a script or start a comment, as JSON may write it just as well."""


def render(
    template: str,
    title: str,
    *,
    styles: Sequence[str | Path] = (),
    scripts: Sequence[str | Path] = (),
    **context: object,
) -> str:
    """The page of ``template``, a file in this folder that extends ``base.html``, as HTML.

    ``styles`` and ``scripts`` are files put inline, from this folder where their paths are
    relative. All else is for the template; it must define everything that the template names.
    """
    codes = [Markup(_text(script)) for script in scripts]
    sources = " ".join(f"'sha256-{_digest(code)}'" for code in codes) or "'none'"
    policy = (
        f"default-src 'none'; script-src {sources}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        _environment()
        .get_template(template)
        .render(
            title=title,
            policy=policy,
            styles=[Markup(_text(style)) for style in ("base.css", *styles)],
            scripts=codes,
            koth=version("koth"),
            **context,
        )
    )


def data(value: object) -> Markup:
    """``value`` as JSON for a ``<script type="application/json">``."""
    text = orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()
    for unsafe, written in SCRIPT_SAFE.items():
        text = text.replace(unsafe, written)
    return Markup(text)


def packed(value: object) -> Markup:
    """``value`` as JSON, compressed (gzip, base64): for a script of an unknown type."""
    return Markup(b64encode(gzip.compress(orjson.dumps(value), 9, mtime=0)).decode())


def visible(text: str | bytes) -> Markup:
    """``text`` with a sign for each character that is not seen by itself.

    A space has one at the ends of a line. Of bytes, which are no UTF-8, those have one that are not
    ASCII.
    """
    if isinstance(text, bytes):
        return Markup("").join(_byte(byte) for byte in text)
    ends = {at for found in _ENDS.finditer(text) for at in range(*found.span())}
    return Markup("").join(
        _character(char, seen=char.isprintable() and at not in ends) for at, char in enumerate(text)
    )


def _character(char: str, seen: bool) -> Markup:
    code = f"U+{ord(char):04X}"
    return Markup.escape(char) if seen else _sign(code, CONTROLS.get(char, code))


def _byte(byte: int) -> Markup:
    char = chr(byte)
    if byte < 0x80 and char.isprintable():
        return Markup.escape(char)
    return _sign(f"byte {byte:02X}", f"{byte:02X}")


def _sign(title: str, text: str) -> Markup:
    return Markup('<span class="sign" title="{}">{}</span>').format(title, text)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "json": _json,
        "data": data,
        "packed": packed,
        "visible": visible,
        "number": _number,
    }
    environment.globals |= {"RESTS_ON": RESTS_ON, "MARKS": MARKS}
    return environment


def _json(value: object) -> str:
    return orjson.dumps(value).decode()


def _number(number: int) -> str:
    return f"{number:,}"


def _text(path: str | Path) -> str:
    return (FOLDER / path).read_text(encoding="utf-8")


def _digest(code: str) -> str:
    return b64encode(sha256(code.encode()).digest()).decode()
