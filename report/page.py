"""The frame of every page: HTML that loads nothing from the network.

Templates, styles and scripts are files in this folder. A page alone has them inline; a page of a
site shares them with the other pages as :class:`Asset`. Names, answers and error
texts of bots are hostile: templates escape every value, data is escaped for its context, and the
page's Content-Security-Policy runs only these scripts.
"""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from unicodedata import bidirectional

import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from games.narration import short
from replay.render import compact
from report.links import LEADERS, SEATS, Links
from schema.contract import EXPORT
from schema.seal import NO_FILES

FOLDER = Path(__file__).parent

MEANINGS: Mapping[str, str] = {
    "verified": "Every event was recomputed from the seed and the answers, and equals the recorded"
    " one, byte for byte.",
    "imported": "It was recorded elsewhere and has no seed: nothing here was recomputed.",
    "incomplete": "It has no seal and so no seed: nothing here was recomputed.",
    "diverged": "The rules do not lead from the seed and the answers to what is recorded.",
    "forged": "It is not the log that was committed to.",
}
"""The meaning of each verdict, in a sentence."""

MARKS = {"verified": "✓", "imported": "○", "incomplete": "…"}
"""The sign of each verdict, so that nothing depends on colour; all others have ✕."""

CONTROLS = {"\0": "NUL", "\t": "TAB", "\n": "LF", "\r": "CR", "\x1b": "ESC", " ": "SP"}
"""Names of invisible characters; others are shown by their code points."""

RIGHT_TO_LEFT = {"R", "AL"}
"""The bidirectional classes of letters that are written from right to left."""

_ENDS = re.compile("^ +| +$", re.MULTILINE)
_QUOTED = re.compile(r"`(?P<code>[^`]+)`|\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^*]+)\*")

SCRIPT_SAFE = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}
"""Escapes in JSON for characters that could end a script or start a comment."""

EXACT = 2**53
"""The first integer above which JavaScript's numbers have gaps."""


SHARED_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'"
)
"""The Content-Security-Policy of the pages of a site."""

ASSETS = "assets"
"""The folder of a site for shared files."""

SHARES = "".join(f".share-{n} {{ --share: {n}%; }}\n" for n in range(101))
"""A class per percent, for pages that allow no inline styles."""


@dataclass(frozen=True)
class Asset:
    """A file that pages of a site share; its path changes with its content."""

    path: str
    """The path from the top of the site."""
    content: bytes

    @classmethod
    def of(cls, name: str, suffix: str, text: str) -> Asset:
        """Return the asset with this text."""
        content = text.encode()
        return cls(f"{ASSETS}/{name}-{sha256(content).hexdigest()[:12]}{suffix}", content)


@dataclass(frozen=True)
class Assets:
    """The shared files of one kind of page: a stylesheet, and its scripts in order."""

    style: Asset
    scripts: Sequence[Asset]


def render(
    template: str,
    title: str,
    *,
    styles: Sequence[str | Path] = (),
    scripts: Sequence[str | Path] = (),
    board: Path | None = None,
    rulebook: tuple[str, Mapping[str, str]] | None = None,
    links: Links | None = None,
    **context: object,
) -> str:
    """Return the HTML of ``template``, a file in this folder that extends ``base.html``.

    ``styles`` and ``scripts`` are files of the page; relative paths start in this folder.
    ``board`` is an ES module that exports ``draw``, which scripts find as ``drawBoard``.
    With ``links``, the page is part of a site: it loads these files, and the clauses of
    ``rulebook`` (game, clauses), from the folder of assets.
    ``context`` must define every name that the template uses. Raises jinja2.UndefinedError if not.
    """
    frame: dict[str, object]
    if links is None:
        codes = [Markup(_text(script)) for script in scripts]
        if board is not None:
            codes.insert(0, Markup(_board(board)))
        sources = " ".join(f"'sha256-{_digest(code)}'" for code in codes) or "'none'"
        policy = (
            f"default-src 'none'; script-src {sources}; style-src 'unsafe-inline'; "
            "img-src data:; base-uri 'none'; form-action 'none'"
        )
        inline = [Markup(_text(style)) for style in ("base.css", *styles)]
        frame = {"policy": policy, "styles": inline, "scripts": codes, "assets": None}
    else:
        clauses = rulebook and rulebook_asset(*rulebook)
        shared = assets(tuple(styles), tuple(scripts), board, clauses)
        frame = {"policy": SHARED_POLICY, "styles": [], "scripts": [], "assets": shared}
    environment = _environment()
    return environment.get_template(template).render(
        title=title, koth=_version(), links=links or Links(), **frame, **context
    )


@cache
def assets(
    styles: tuple[str | Path, ...],
    scripts: tuple[str | Path, ...],
    board: Path | None = None,
    first: Asset | None = None,
) -> Assets:
    """Return the shared files of pages with these styles and scripts, ``first`` before the others.

    The site's own style comes last.
    """
    sheets = ("base.css", *styles, "site/site.css")
    name = _name(styles or sheets[:1])
    codes = [] if first is None else [first]
    if board is not None:
        codes.append(Asset.of(f"board-{board.parent.name}", ".js", _board(board)))
    if scripts:
        codes.append(Asset.of(_name(scripts), ".js", "".join(map(_text, scripts))))
    style = Asset.of(name, ".css", "".join(map(_text, sheets)) + SHARES)
    return Assets(style, codes)


def rulebook_asset(game: str, clauses: Mapping[str, str]) -> Asset:
    """Return a script that defines the clauses of a rulebook as ``sharedClauses``."""
    code = f'"use strict";\nconst sharedClauses = {data(clauses)};\n'
    return Asset.of(f"rulebook-{game}", ".js", code)


def _name(files: Sequence[str | Path]) -> str:
    return Path(files[-1]).stem


@cache
def _version() -> str:
    return version("koth")


def data(value: object) -> Markup:
    """Return ``value`` as JSON for a ``<script type="application/json">``."""
    text = orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()
    for unsafe, escape in SCRIPT_SAFE.items():
        text = text.replace(unsafe, escape)
    return Markup(text)


def packed(value: object) -> Markup:
    """Return ``value`` as compressed JSON (gzip, base64), for a script of another type."""
    text = orjson.dumps(value, default=str)  # a rule of a package may return a BLOB
    data = bytearray(gzip.compress(text, 9, mtime=0))
    data[9] = 255  # not the name of this machine's system (RFC 1952, 2.3)
    return Markup(b64encode(data).decode())


def visible(text: str | bytes) -> Markup:
    """Return ``text`` with a sign for each invisible character.

    Spaces have a sign at the ends of a line. Bytes are text that is not UTF-8; those outside of
    ASCII have a sign.
    """
    if isinstance(text, bytes):
        return Markup("").join(_byte(byte) for byte in text)
    ends = {index for match in _ENDS.finditer(text) for index in range(*match.span())}
    return Markup("").join(
        _character(char, is_visible=char.isprintable() and index not in ends)
        for index, char in enumerate(text)
    )


def lines(text: str) -> Markup:
    """Return ``text`` as printed, with a sign for each invisible character but white space."""
    return Markup("").join(
        _character(char, is_visible=char.isprintable() or char in "\n\t") for char in text
    )


def told(sentence: str, names: Iterable[str]) -> Markup:
    """Return a visible sentence in which ``names`` of bots from right to left reorder no words."""
    text = visible(sentence)
    shown = [visible(name) for name in names_from_the_right(names)]
    if not shown:
        return text
    return Markup(re.sub("|".join(map(re.escape, shown)), r"<bdi>\g<0></bdi>", str(text)))


def names_from_the_right(names: Iterable[str]) -> list[str]:
    """Return the names from right to left, as a sentence has them, the longest first."""
    shown = {short(name) for name in names if RIGHT_TO_LEFT & {*map(bidirectional, name)}}
    return sorted(shown, key=lambda name: (-len(name), name))


def quoted(text: str) -> Markup:
    """Return a text of the rulebook with its code and emphasis as elements."""

    def element(match: re.Match[str]) -> str:
        name = str(match.lastgroup)
        return f"<{name}>{match[name]}</{name}>"

    return Markup(_QUOTED.sub(element, str(Markup.escape(text))))


def _character(char: str, is_visible: bool) -> Markup:
    code = f"U+{ord(char):04X}"
    return Markup.escape(char) if is_visible else _sign(code, CONTROLS.get(char, code))


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
        "json": compact,
        "data": data,
        "packed": packed,
        "visible": visible,
        "lines": lines,
        "told": told,
        "quoted": quoted,
        "number": "{:,}".format,
    }
    environment.globals |= {
        "MEANINGS": MEANINGS,
        "MARKS": MARKS,
        "NO_FILES": NO_FILES,
        "SEATS": SEATS,
        "LEADERS": LEADERS,
    }
    return environment


def _text(path: str | Path) -> str:
    return (FOLDER / path).read_text(encoding="utf-8")


def _board(path: Path) -> str:
    """Return a game's board as a script: a module cannot be inline and have a hash everywhere."""
    code = EXPORT.sub("", path.read_text(encoding="utf-8")).replace("</", "<\\/")
    return f'"use strict";\nconst drawBoard = (() => {{\n{code}\nreturn draw;\n}})();\n'


def _digest(code: str) -> str:
    return b64encode(sha256(code.encode()).digest()).decode()
