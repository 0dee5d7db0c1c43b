"""The page on a dispute: the screen that it shows is the one that `koth watch` shows."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from textual.geometry import Region
from textual.widget import Widget

from replay.watch.app import Watch
from tests.sampling import left_to_the_wheel
from tests.test_docs import DOCS, generate

PAGE = DOCS / "dispute.md"
SCREEN = re.compile(
    r"```console\n\$ koth watch (?P<log>\S+)\n```\n\n```text\n(?P<shown>.*?)```", re.S
)
WIDTH, HEIGHT = 80, 24


def screen(app: Watch) -> str:
    """Return the text on the terminal."""
    rows = [[" "] * WIDTH for _ in range(HEIGHT)]

    def put(widget: Widget, within: Region) -> None:
        region = widget.region
        strips = widget.render_lines(Region(0, 0, region.width, region.height))
        for y, strip in enumerate(strips, region.y):
            for x, letter in enumerate(strip.text, region.x):
                if within.contains(x, y):
                    rows[y][x] = letter

    body = app.about.scrollable_content_region
    for widget in app.screen.query("#side, #title, Events, #status, #board"):
        put(widget, app.screen.region)
    put(app.screen.query_one("#details"), body)
    return "\n".join("".join(row).rstrip() for row in rows) + "\n"


@left_to_the_wheel
def test_the_screen_is_the_one_that_koth_watch_shows(tmp_path: Path) -> None:
    """With the tournament that the page makes, `f` leads to the fault that it is about."""
    page = generate.Page(PAGE, tmp_path)
    found = SCREEN.search(PAGE.read_text())
    assert found is not None
    parts = generate.PART.finditer(PAGE.read_text())
    while not (tmp_path / found["log"]).exists():
        page.part(next(parts))

    async def run() -> str:
        app = Watch(Path(found["log"]))
        async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
            await pilot.pause()
            await pilot.press("f")
            await pilot.pause()
            return screen(app)

    with generate.chdir(tmp_path):
        shown = asyncio.run(run())
    assert shown == found["shown"], shown
