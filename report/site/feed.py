"""The results of a site as a JSON Feed (https://www.jsonfeed.org/version/1.1/)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

VERSION = "https://jsonfeed.org/version/1.1"


@dataclass(frozen=True)
class Item:
    """The result of one tournament."""

    id: str
    page: str
    """The path of its page on the site."""
    title: str
    text: str


def feed(title: str, items: Sequence[Item], base_url: str | None) -> bytes:
    """Return the feed. Only ``base_url``, the address of the site, makes its links absolute.

    The latest item comes first. There are no dates, because logs have no clock.
    """
    value: dict[str, object] = {"version": VERSION, "title": title}
    base = base_url and base_url.rstrip("/") + "/"
    if base:
        value |= {"home_page_url": base, "feed_url": f"{base}feed.json"}
    value["items"] = [
        {
            "id": item.id,
            **({"url": f"{base}{item.page}"} if base else {}),
            "title": item.title,
            "content_text": item.text,
        }
        for item in reversed(items)
    ]
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"
