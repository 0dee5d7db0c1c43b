"""The frame of a page: one file, nothing from the network, and nothing hostile gets through."""

from __future__ import annotations

import gzip
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from html import unescape
from typing import Any

import orjson
import pytest
from jinja2 import UndefinedError

from replay.log_verdict import LogVerdict
from report import page
from tests.report.page_text import Page

HOSTILE = "</script><!--<script>alert(1)</script>&\u2028\u2029]]>'\""


def rendered(**context: Any) -> str:
    """A page of the frame alone."""
    verdict = LogVerdict("log.jsonl", "verified", "all is well")
    given: dict[str, Any] = {"title": "A page", "kind": "Test", "verdict": verdict} | context
    return page.render("base.html", **given)


@pytest.mark.parametrize("value", [HOSTILE, {HOSTILE: [HOSTILE, 1, None, True]}])
def test_data_in_a_script_ends_no_script(value: object) -> None:
    """Data comes back as it went in, and holds nothing that HTML or JavaScript could act on."""
    text = page.data(value)
    assert not re.search("[<>&\u2028\u2029]", text)
    assert orjson.loads(str(text)) == value
    assert orjson.loads(gzip.decompress(b64decode(page.packed(value)))) == value


def test_a_template_escapes_whatever_it_is_given() -> None:
    """A template inserts each value as escaped text."""
    text = rendered(title=HOSTILE, kind=HOSTILE, verdict=LogVerdict("", HOSTILE, HOSTILE))
    assert "alert" not in "".join(re.findall(r"<script.*?</script>", text, re.S))
    assert Page(text).words("").count("alert(1)") == 5


def test_a_template_without_what_it_needs_is_no_page() -> None:
    """A template that names what it was not given fails, instead of leaving a hole."""
    with pytest.raises(UndefinedError, match="kind"):
        page.render("base.html", "A page", verdict=LogVerdict("", "verified", ""))


def test_only_scripts_of_the_page_run() -> None:
    """The policy names each script by its hash, and lets nothing be loaded."""
    text = rendered(scripts=["match.js"])
    policy = unescape(re.findall(r'Policy" content="([^"]+)"', text)[0])
    [script] = re.findall(r"<script>(.*?)</script>", text, re.S)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert policy.startswith(f"default-src 'none'; script-src 'sha256-{digest}';")
    assert "script-src 'none'" in unescape(rendered())


def test_a_page_loads_nothing() -> None:
    """No element of a page names another file."""
    for tag, attributes in Page(rendered(scripts=["match.js"], styles=["match.css"])).tags:
        for name in ("src", "href", "action", "srcset"):
            assert (attributes.get(name) or "#").startswith(("#", "data:")), tag
    assert "url(" not in (page.FOLDER / "base.css").read_text()


def test_what_is_not_seen_has_a_sign() -> None:
    """A reader sees each character that has no shape, and spaces at the ends."""
    shown = page.visible(" a b \n\x00\u202e<b>\u00a0 ")
    assert re.sub("<.*?>", "|", shown) == (
        "|SP|a b|SP||LF||NUL||U+202E|&lt;b&gt;|U+00A0||SP|".replace("||", "||")
    )
    assert re.sub("<.*?>", "|", page.visible(b"a\xff<")) == "a|FF|&lt;"


def test_printed_lines_stay_lines() -> None:
    """Standard error keeps lines and indentation; other invisible characters have signs."""
    shown = page.lines("Traceback:\n  File <x>\n\tat\x1b\u202e")
    assert re.sub("<.*?>", "|", shown) == "Traceback:\n  File &lt;x&gt;\n\tat|ESC||U+202E|"


def _colours(dark: bool) -> dict[str, str]:
    css = (page.FOLDER / "base.css").read_text()
    light, _, rest = css.partition("@media screen and (prefers-color-scheme: dark)")
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", rest if dark else light))


def _light(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_clause_has_elements_for_its_marks() -> None:
    """Code, strong and other emphasis of a rulebook are elements; all else is text."""
    html = page.quoted("**Decided**: `*` is a *card*, and 2 * 3 < 7")
    assert html == ("<strong>Decided</strong>: <code>*</code> is a <em>card</em>, and 2 * 3 &lt; 7")


@pytest.mark.parametrize("dark", [False, True])
def test_contrast(dark: bool) -> None:
    """Text has a contrast of 4.5 to 1 on every ground, edges of controls have 3 (WCAG 2.2 AA)."""
    colours = _colours(dark)
    for names, grounds, least in (
        (("ink", "soft", "accent", "alarm"), ("paper", "panel"), 4.5),
        (("ink", "accent", "alarm"), ("tint",), 4.5),
        (("alarm",), ("alarm-tint",), 4.5),
        (("edge",), ("paper", "panel"), 3),
    ):
        for name in names:
            for ground in grounds:
                low, high = sorted((_light(colours[name]), _light(colours[ground])))
                assert (high + 0.05) / (low + 0.05) >= least, (name, ground)


def test_names_from_right_to_left_reorder_no_sentence() -> None:
    """They are isolated in it, the longer of two first; the other words stay as they are."""
    names = ["\u05d0", "\u05d0\u05d1", "p<"]
    sentence = page.told("\u05d0\u05d1 takes a coin from \u05d0, p< passes.", names)
    assert sentence == (
        "<bdi>\u05d0\u05d1</bdi> takes a coin from <bdi>\u05d0</bdi>, p&lt; passes."
    )
    assert page.told("p< passes.", names[2:]) == page.visible("p< passes.")
