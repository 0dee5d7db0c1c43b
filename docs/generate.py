"""Renews the generated parts of the pages in this folder: ``python docs/generate.py``.

A page is worked through from its top to its end, in an empty folder, as a reader would do it: the
code block after a file's name and a colon becomes that file, the commands in ``sh`` blocks are run,
and between ``<!-- generated: WHAT -->`` and ``<!-- end -->`` comes what WHAT says:

- ``events GAME``, ``events match``, ``events tournament``: the fields of the events;
- ``settings GAME``: the settings; ``dice GAME``: the list of dice in the game's rulebook;
- ``commands``: what each subcommand says of itself;
- ``output``: what the commands of the last block printed;
- ``lines LOG FIRST LAST``: lines of a log, numbered by ``seq``.

What a page installs with ``pip`` goes into a folder of its own, which its later commands see.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import field_tables

from koth.cli.main import COMMANDS, status
from schema import registry
from schema.events import MATCH_EVENTS, TOURNAMENT_EVENTS

HERE = Path(__file__).parent
COMMON = {"match": MATCH_EVENTS, "tournament": TOURNAMENT_EVENTS}
PART = re.compile(
    r"`(?P<file>[\w./-]+)`:\n\n```\w+\n(?P<content>.*?)^```$"
    r"|^```sh\n(?P<commands>.*?)^```$"
    r"|^(?P<mark><!-- generated: (?P<what>.*?) -->\n).*?^<!-- end -->$",
    re.M | re.S,
)
INSTALLED = ".installed"
"""The folder for what a page installs, in that of the page."""

OFFLINE = {
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_NO_INDEX": "1",
    "PIP_NO_DEPS": "1",
    "PIP_NO_BUILD_ISOLATION": "0",  # pip reads it as what --no-build-isolation sets: no isolation
    "PIP_NO_CACHE_DIR": "1",
    "PIP_QUIET": "1",
    "PIP_ROOT_USER_ACTION": "ignore",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}
"""Settings by which ``pip install FOLDER`` needs no network: all that it wants is here already."""

SECTION = re.compile(r"^## Dice\n\n(.*?)(?=^## |\Z)", re.M | re.S)


class PageError(Exception):
    """A page cannot be worked through as it stands."""


def pages() -> list[Path]:
    """The pages with generated parts."""
    return sorted(page for page in HERE.rglob("*.md") if "<!-- generated: " in page.read_text())


class Page:
    """A page at work in a folder, where its own files and commands leave what it tells of."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path = path
        self.folder = folder
        self.printed = ""

    def renewed(self) -> str:
        """The page with its generated parts made anew. Raises PageError at a command that fails."""
        try:
            return PART.sub(self.part, self.path.read_text())
        except PageError as error:
            raise PageError(f"{self.path}: {error}") from None

    def part(self, found: re.Match[str]) -> str:
        """One file, block of commands, or generated part."""
        if found["file"]:
            path = self.folder / found["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(found["content"])
        elif found["commands"]:
            self.printed = "".join(self.run(found["commands"].splitlines()))
        else:
            return f"{found['mark']}\n{self.made(found['what']).strip()}\n\n<!-- end -->"
        return found[0]

    def run(self, lines: list[str]) -> Iterator[str]:
        """What commands print: those of Koth run in this process, what lies between in a shell.

        Once something is installed, everything runs in a shell: this process knows nothing of it.
        """
        for ours, block in groupby(lines, lambda line: line.startswith("koth ")):
            if ours and not (self.folder / INSTALLED).exists():
                yield from (koth(line, self.folder) for line in block)
            else:
                yield shell("\n".join(block), self.folder, quiet=not ours)

    def made(self, what: str) -> str:
        """The text of a generated part."""
        match what.split():
            case ["events", of]:
                return field_tables.events(
                    COMMON.get(of) or registry.card(of).current.event_models()
                )
            case ["settings", game]:
                return field_tables.settings(registry.card(game).current.settings_model())
            case ["dice", game]:
                return dice(game)
            case ["commands"]:
                return "\n\n".join(map(helped, COMMANDS))
            case ["output"]:
                return f"```text\n{self.printed}```"
            case ["lines", log, first, last]:
                lines = (self.folder / log).read_text().splitlines(keepends=True)
                return f"```json\n{''.join(lines[int(first) : int(last) + 1])}```"
        raise PageError(f"nothing is known of '{what}'")


def dice(game: str) -> str:
    """The section on dice of a game's rulebook."""
    found = SECTION.search(registry.card(game).rulebook.read_text())
    if found is None:
        raise PageError(f"the rulebook of {game} has no section 'Dice'")
    return found[1]


def helped(command: str) -> str:
    """The section on a subcommand: its ``--help``."""
    line = f"koth {command} --help"
    return f"## {line.removesuffix(' --help')}\n\n```text\n{koth(line, HERE)}```"


def koth(line: str, folder: Path) -> str:
    """What a command ``koth …`` prints, run in ``folder``."""
    printed, told = StringIO(), StringIO()
    # Whatever terminal this is started from, and whatever machine.
    here = patch.dict(os.environ, COLUMNS="80", KOTH_ISOLATION="process")
    with here, chdir(folder), redirect_stdout(printed), redirect_stderr(told):
        code = status(shlex.split(line, comments=True)[1:])
    if code != 0:
        raise PageError(f"{line}: ended with {code}\n{printed.getvalue()}{told.getvalue()}")
    return printed.getvalue()


def shell(script: str, folder: Path, quiet: bool = True) -> str:
    """What a script prints, run in ``folder``; if ``quiet``, it must not complain."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    installed = str(folder / INSTALLED)
    ran = subprocess.run(
        ["sh", "-ec", script],
        cwd=folder,
        env={
            "PATH": path,
            "LC_ALL": "C.UTF-8",
            "KOTH_ISOLATION": "process",
            "PYTHONPATH": installed,
            "PIP_TARGET": installed,
            **OFFLINE,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode != 0 or (quiet and ran.stderr):
        raise PageError(f"{script}\nended with {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def main() -> None:
    """Renew every page, and say which have changed."""
    for page in pages():
        with TemporaryDirectory() as folder:
            renewed = Page(page, Path(folder)).renewed()
        if renewed != page.read_text():
            page.write_text(renewed)
            print(f"renewed {page.relative_to(HERE)}")


if __name__ == "__main__":
    main()
