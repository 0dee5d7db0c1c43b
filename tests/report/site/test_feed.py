"""The feed of a site."""

from __future__ import annotations

import json

import pytest

from report.site.feed import Item, feed

ITEMS = (Item("1", "spring/index.html", "Spring", "ada won"), Item("2", "b.html", "Fall", "lost"))


@pytest.mark.parametrize("address", ["https://example.com/cup", "https://example.com/cup/"])
def test_a_feed_has_the_addresses_of_its_pages(address: str) -> None:
    """The latest item is the first, and the address of a site may end with a slash."""
    assert json.loads(feed("Cups", ITEMS, address)) == {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Cups",
        "home_page_url": "https://example.com/cup/",
        "feed_url": "https://example.com/cup/feed.json",
        "items": [
            {
                "id": "2",
                "url": "https://example.com/cup/b.html",
                "title": "Fall",
                "content_text": "lost",
            },
            {
                "id": "1",
                "url": "https://example.com/cup/spring/index.html",
                "title": "Spring",
                "content_text": "ada won",
            },
        ],
    }
