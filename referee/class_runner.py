"""Runs one class bot in a process of its own: ``python class_runner.py FILE CLASS INDEX``.

Every line on standard input is a message: ``select``, ``select 3 1 10 …`` (to be updated with what
everybody chose last, and then to choose), or ``update 3 1 10 …``. After each step that the bot
comes through a line goes out: ``ready`` before anything of the bot is loaded, ``load``,
``construct``, ``update``, and ``select`` with the choice: an integer, or words that say what it was
instead. A bot that fails ends the process.

Nothing of Koth is imported here, and little else, so that a bot finds a plain interpreter.
"""

from __future__ import annotations

import operator
import os
import sys
from importlib.util import module_from_spec, spec_from_file_location

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

CAP = 64 * 1024


def main() -> None:
    """Serve messages until there are no more."""
    file, class_name, index = sys.argv[1:]
    messages, send = take_over_the_pipes()
    send("ready")
    bot = None
    for message in messages:
        wanted, *numbers = message.split()
        if bot is None:
            bot_class = load(file, class_name)
            send("load")
            bot = bot_class(int(index))
            send("construct")
        if numbers:
            bot.update([int(number) for number in numbers])
            send("update")
        if wanted == "select":
            send(f"select {chosen(bot.select())}")


def take_over_the_pipes() -> tuple[TextIO, Callable[[str], object]]:
    """Messages, and what sends a line; a bot that reads or prints finds nothing there."""
    messages, lines = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    return open(messages), lambda line: os.write(lines, line.encode() + b"\n")  # noqa: PTH123


def load(file: str, class_name: str) -> type:
    """The bot's class out of its file."""
    sys.argv = [file]
    sys.dont_write_bytecode = True
    sys.path[0] = os.path.dirname(os.path.abspath(file))  # noqa: PTH100, PTH120
    name = os.path.splitext(os.path.basename(file))[0]  # noqa: PTH119, PTH122
    spec = spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: type = getattr(module, class_name)
    return found


def chosen(value: object) -> str:
    """An integer in digits (SU-9: ``int`` or a type with ``__index__``, but no ``bool``).

    Anything else, and an integer beyond 64 bits, is told in words, with its type in front; by more
    than its type only if that is the same in every run.
    """
    if type(value) is not bool:
        try:
            number = int(operator.index(value))  # type: ignore[arg-type]
        except TypeError:
            pass
        else:
            return str(number) if -(2**63) <= number < 2**63 else "int beyond 64 bits"
    plain = type(value) in (bool, float, str, bytes, type(None))
    told = f"{type(value).__name__} {repr(value) if plain else 'object'}"
    return told.encode("unicode_escape").decode()[:CAP]


if __name__ == "__main__":
    main()
