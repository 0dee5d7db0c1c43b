"""Find the message in what a bot wrote on standard error before it failed."""

from __future__ import annotations

import re
from pathlib import Path

from referee.bot import Bot

FRAME = re.compile(r'File "(.+)", line (\d+)')
"""A file and a line in a traceback of Python."""

LOAD_ERROR = re.compile(
    r"""syntax\ ?error | parse\ error | (Indentation|Tab|Import|ModuleNotFound|Load)Error
    | cannot\ find\ (module|package) | can't\ (locate|open) | cannot\ (open|load) | no\ such\ file
    | could\ not\ find\ or\ load | unable\ to\ access\ jarfile | there\ is\ no\ package\ called
    | compilation\ (failed|errors|aborted) | error:\ unexpected | can't\ find
    | not\ found\ \(required | missing\ (\W|close-) | characters\ after\ close- | runaway
    | unterminated | (expected|symbol)\ near""",
    re.IGNORECASE | re.VERBOSE,
)
"""Messages of interpreters that cannot load a program or a part of it."""

AFTER_MESSAGE = re.compile(
    r"""(at|from|thrown\ in)\s | \#\d | \.{3}\ \d+\ more | stack\ (back)?trace: | calls:
    | (.*\W)?compilation\ (failed|errors|aborted) | execution\ halted | node\.js\ v[\d.]+$
    | note:\ | goroutine\ \d | .+\ \+0x[0-9a-f]+$ | exit\ status\ \d
    | \w+:\ ('.*'|-?\d+|\[.*\]|\{),?$ | [}\]],?$""",
    re.IGNORECASE | re.VERBOSE,
)
"""Lines that interpreters write after the message: a stack trace, properties, a version."""

ERROR = re.compile(r"panic: |\w*(Error|Exception)(: |\)$)")
"""A message with the type of its error; source code may follow it."""


def cannot_load(stderr: str) -> bool:
    """Return whether an interpreter says that it cannot load the program or a part of it."""
    return any(map(LOAD_ERROR.search, stderr.splitlines()))


def message(bot: Bot, stderr: str) -> str:
    """Return the line with the message, or ``""``.

    If Python names a line of the bot's files, it follows in brackets.
    """
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    messages = [line for line in lines if not AFTER_MESSAGE.match(line)] or lines
    if not messages:
        return ""
    marked = [line for line in messages if LOAD_ERROR.search(line)]
    if not marked and messages[-1] != lines[-1]:
        marked = [line for line in messages if ERROR.search(line)]
    return f"{(marked or messages)[-1][:200].rstrip('.')}{_place(bot, stderr)}"


def _place(bot: Bot, stderr: str) -> str:
    """Return the last line of the bot's files in a traceback of Python, in brackets, or ``""``."""
    own = {Path(file).name for file, _ in bot.files}
    frames = [(Path(file).name, line) for file, line in FRAME.findall(stderr)]
    places = [f" ({file}, line {line})" for file, line in frames if file in own]
    return places[-1] if places else ""
