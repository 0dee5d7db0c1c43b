"""Renew the generated parts of the pages in this folder: ``python docs/generate.py``.

The script follows a page from its top, in an empty folder, as a reader would do. A code block after
a file's name and a colon becomes that file. The commands in ``sh`` blocks are run, and so are the
``python`` blocks above a generated output, in one session as in a notebook. The text between
``<!-- generated: CONTENT -->`` and ``<!-- end -->`` is replaced; CONTENT is one of:

- ``events GAME``, and ``events match``, ``tournament`` or ``contest``: the fields of the events;
- ``settings GAME``: the settings; ``dice GAME``: the list of dice in the game's rulebook;
- ``commands``: the ``--help`` of each subcommand;
- ``output``: the output of the last block of commands or of Python;
- ``lines LOG FIRST LAST``: lines of a log, numbered by ``seq``.

Packages that a page installs with ``pip`` go into a folder of the page, for its later commands.
"""

from __future__ import annotations

import linecache
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

from koth.cli.commands import COMMANDS, EXAMPLES
from koth.cli.main import status
from schema import registry
from schema.reader import COMMON

HERE = Path(__file__).parent
PART = re.compile(
    r"`(?P<file>[\w./-]+)`:\n\n```\w+\n(?P<content>.*?)^```$"
    r"|^```sh\n(?P<commands>.*?)^```$"
    r"|^```python\n(?P<cell>(?:(?!```)[^\n]*\n)*)```$(?=\n\n<!-- generated: output -->)"
    r"|^(?P<mark><!-- generated: (?P<content_type>.*?) -->\n).*?^<!-- end -->$",
    re.M | re.S,
)
INSTALLED = ".installed"
"""The folder of a page for the packages that it installs."""

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
"""Settings for ``pip install FOLDER`` without a network; all dependencies are installed."""

SECTION = re.compile(r"^## Dice\n\n(.*?)(?=^## |\Z)", re.M | re.S)


class PageError(Exception):
    """Raised when a command of a page fails, or the content of a part is unknown."""


def pages() -> list[Path]:
    """Return the pages with generated parts."""
    return sorted(page for page in HERE.rglob("*.md") if "<!-- generated: " in page.read_text())


class Page:
    """A page, and the folder for its files and the results of its commands."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path = path
        self.folder = folder
        self.printed = ""
        self.session: dict[str, object] = {"__name__": "__main__"}

    def renewed(self) -> str:
        """Return the page with new generated parts. Raises PageError if a command fails."""
        try:
            return PART.sub(self.part, self.path.read_text())
        except PageError as error:
            raise PageError(f"{self.path}: {error}") from None

    def part(self, match: re.Match[str]) -> str:
        """Process one file, block of commands, or generated part; return its new text."""
        if match["file"]:
            path = self.folder / match["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(match["content"])
        elif match["commands"]:
            self.printed = "".join(self.run(match["commands"].splitlines()))
        elif match["cell"]:
            self.printed = self.run_cell(match["cell"])
        else:
            content = self.generate(match["content_type"]).strip()
            return f"{match['mark']}\n{content}\n\n<!-- end -->"
        return match[0]

    def run(self, lines: list[str]) -> Iterator[str]:
        """Yield the output of commands. Those of Koth run in this process, all others in a shell.

        After ``pip install`` everything runs in a shell, because this process does not see the
        new package.
        """
        for is_koth, block in groupby(lines, lambda line: line.startswith("koth ")):
            if is_koth and not (self.folder / INSTALLED).exists():
                yield from (koth(line, self.folder) for line in block)
            else:
                yield shell("\n".join(block), self.folder, quiet=not is_koth)

    def run_cell(self, source: str) -> str:
        """Run a block of Python after the blocks before it; return its output."""
        name = f"<cell {len(linecache.cache)} of {self.path.name}>"
        linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
        output = StringIO()
        environment = patch.dict(os.environ, KOTH_ISOLATION="process")
        try:
            with environment, chdir(self.folder), redirect_stdout(output):
                exec(compile(source, name, "exec"), self.session)
        except Exception as error:
            raise PageError(f"{source}\nended with {type(error).__name__}: {error}") from error
        return output.getvalue()

    def generate(self, content_type: str) -> str:
        """Return the text of a generated part."""
        match content_type.split():
            case ["events", of]:
                return field_tables.events(
                    COMMON.get(of) or registry.card(of).current.event_models()
                )
            case ["settings", game]:
                return field_tables.settings(registry.card(game).current.settings_model())
            case ["dice", game]:
                return dice(game)
            case ["commands"]:
                return "\n\n".join(map(help_section, all_commands()))
            case ["output"]:
                return f"```text\n{self.printed}```"
            case ["lines", log, first, last]:
                lines = (self.folder / log).read_text().splitlines(keepends=True)
                return f"```json\n{''.join(lines[int(first) : int(last) + 1])}```"
        raise PageError(f"unknown content '{content_type}'")


def dice(game: str) -> str:
    """Return the section on dice of a game's rulebook."""
    section = SECTION.search(registry.card(game).rulebook.read_text())
    if section is None:
        raise PageError(f"the rulebook of {game} has no section 'Dice'")
    return section[1]


def all_commands() -> Iterator[str]:
    """Yield every command, each followed by the commands below it."""
    for command in COMMANDS:
        yield command
        yield from (below for below in EXAMPLES if below.startswith(f"{command} "))


def help_section(command: str) -> str:
    """Return the section on a subcommand: its ``--help``."""
    line = f"koth {command} --help"
    return f"## {line.removesuffix(' --help')}\n\n```text\n{koth(line, HERE)}```"


def koth(line: str, folder: Path) -> str:
    """Run a command ``koth …`` in ``folder``; return its standard output."""
    output, errors = StringIO(), StringIO()
    # The same output on every terminal and every machine.
    environment = patch.dict(os.environ, COLUMNS="80", KOTH_ISOLATION="process")
    with environment, chdir(folder), redirect_stdout(output), redirect_stderr(errors):
        code = status(shlex.split(line, comments=True)[1:])
    if code != 0:
        raise PageError(f"{line}: ended with {code}\n{output.getvalue()}{errors.getvalue()}")
    return output.getvalue()


def shell(script: str, folder: Path, quiet: bool = True) -> str:
    """Run a script in ``folder``; return its output. If ``quiet``, it must not print errors."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    installed = str(folder / INSTALLED)
    process = subprocess.run(
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
    if process.returncode != 0 or (quiet and process.stderr):
        code = process.returncode
        raise PageError(f"{script}\nended with {code}\n{process.stdout}{process.stderr}")
    return process.stdout


def main() -> None:
    """Renew every page, and print the names of the pages that changed."""
    for page in pages():
        with TemporaryDirectory() as folder:
            renewed = Page(page, Path(folder)).renewed()
        if renewed != page.read_text():
            page.write_text(renewed)
            print(f"renewed {page.relative_to(HERE)}")


if __name__ == "__main__":
    main()
