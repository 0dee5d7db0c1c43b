"""Write what a command printed as a moving picture of a terminal: one SVG file without scripts.

``python docs/recording.py`` renews ``docs/pictures/demo.svg`` from a run of ``koth demo``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape

PICTURE = Path(__file__).parent / "pictures" / "demo.svg"
COLUMNS, ROWS = 100, 26
"""Characters in a row of the terminal, and rows."""
WIDTH, HEIGHT = 8.4, 19
"""Pixels of a character."""
EDGE = 14
PAUSE, READING = 1.0, 0.3
"""Seconds that a step is shown, and seconds more for each of its rows."""
LAST = 5.0
"""Seconds that the end is shown before it begins again."""

STYLE = """\
text { font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #d5dde5; }
text { white-space: pre; }
.title { fill: #f2c55c; } .command { fill: #7fd1b9; } .caught { fill: #ff8b7b; }
"""


def recorded(printed: str) -> str:
    """Return the picture of what a command printed. A step begins at a sentence or a command."""
    steps = _steps(printed)
    ends = list(accumulate(map(len, steps)))
    waits = [PAUSE + READING * len(step) for step in steps]
    waits[-1] += LAST
    starts = [sum(waits[:number]) for number in range(len(steps))]
    seconds = sum(waits)
    rules, groups, row = [STYLE], [], 0
    for number, (step, start) in enumerate(zip(steps, starts, strict=True)):
        shown = 100 * start / seconds
        rules.append(
            f"@keyframes s{number} {{ 0% {{ opacity: {int(not number)}; }} "
            f"{shown:.2f}% {{ opacity: 1; }} 100% {{ opacity: 1; }} }}\n"
            f"#s{number} {{ animation: s{number} {seconds:g}s step-end infinite; }}\n"
        )
        texts = [_text(line, row + at) for at, line in enumerate(step)]
        groups.append(f'<g id="s{number}">\n{"".join(texts)}</g>\n')
        row += len(step)
    frames = [
        f"{100 * start / seconds:.2f}% {{ transform: translateY({up(end)}px); }}"
        for start, end in zip(starts, ends, strict=True)
    ]
    rules.append(f"@keyframes up {{ {' '.join(frames)} }}\n")
    rules.append(f"#up {{ animation: up {seconds:g}s step-end infinite; }}\n")
    width, height = round(COLUMNS * WIDTH + 2 * EDGE), ROWS * HEIGHT + 2 * EDGE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">\n'
        f"<title>A terminal in which koth demo runs</title>\n<style>\n{''.join(rules)}</style>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="#17212b"/>\n'
        f'<svg y="{EDGE}" width="{width}" height="{ROWS * HEIGHT}">\n<g id="up">\n'
        f"{''.join(groups)}</g>\n</svg>\n</svg>\n"
    )


def up(row: int) -> int:
    """Return by how many pixels the rows move so that ``row`` is the last one shown."""
    return -HEIGHT * max(0, row - ROWS)


def _steps(printed: str) -> list[list[str]]:
    """Return the rows of each step, long lines broken."""
    steps: list[list[str]] = []
    for line in printed.splitlines():
        if not steps or line.startswith("$ ") or (not line and steps[-1] != [""]):
            steps.append([])
        steps[-1] += [line[at : at + COLUMNS] for at in range(0, len(line) or 1, COLUMNS)]
    return steps


def _text(line: str, row: int) -> str:
    kind = "title" if line.endswith((":", "?", "count.", "lost.")) else ""
    if line.startswith("$ "):
        kind = "command"
    if line.startswith(("corrupt ", "diverged ")):
        kind = "caught"
    styled = f' class="{kind}"' if kind else ""
    return f'<text x="{EDGE}" y="{(row + 1) * HEIGHT - 5}"{styled}>{escape(line)}</text>\n'


def run(command: Sequence[str]) -> str:
    """Return what ``koth`` prints in an empty folder, for a terminal of this width."""
    with TemporaryDirectory() as folder:
        ran = subprocess.run(
            [sys.executable, "-m", "koth", *command],
            cwd=folder,
            env={**os.environ, "COLUMNS": str(COLUMNS)},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return ran.stdout


if __name__ == "__main__":
    PICTURE.write_text(recorded(run(["demo", "-o", "demo"])))
