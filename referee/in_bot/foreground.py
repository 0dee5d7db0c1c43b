"""Run a bot on a terminal, so that ``breakpoint()`` and pdb work in it.

    foreground.py script TERMINAL SCRIPT ARGUMENT…    run the script
    foreground.py class STEPS ANSWERS                 take the steps of a class bot

TERMINAL is a descriptor. While the debugger talks, standard output is the terminal; otherwise it
holds the bot's answer. With TERMINAL -1, breakpoints are ignored. STEPS is the descriptor of
marshalled :data:`Steps`; the answers go as lines to ANSWERS, as those of class_worker. All steps
but the last are silent: they have no terminal and no breakpoints.
"""

from __future__ import annotations

import marshal
import os
import pdb
import sys
import traceback

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from referee.in_bot.class_worker import answer_of, encoded, load_module

    Steps = tuple[str, str, int, Sequence[tuple[bool, bool, Sequence[int]]]]
    """The bot's file, its class, its index, and whether each step constructs (else updates) and
    selects, with the last choices."""
else:
    from class_worker import answer_of, encoded, load_module

HOOK, SET_TRACE = sys.breakpointhook, pdb.set_trace


def main(kind: str, *words: str) -> None:
    """Run a script or a class bot, and end as an interpreter does."""
    sys.dont_write_bytecode = True
    try:
        if kind == "script":
            run_script(int(words[0]), *words[1:])
        else:
            take_steps(int(words[0]), int(words[1]))
    except Exception as error:
        frames = error.__traceback__
        while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
            frames = frames.tb_next
        traceback.print_exception(type(error), error, frames)
        sys.exit(1)


def run_script(terminal: int, script: str, *arguments: str) -> None:
    """Run a script as the main module. Raises the bot's errors."""
    if terminal < 0:
        ignore_breakpoints()
    else:
        talk_on(terminal)
    path = os.path.abspath(script)  # noqa: PTH100
    sys.argv, sys.path[0] = [script, *arguments], os.path.dirname(path)  # noqa: PTH120
    with open(path, "rb") as file:  # noqa: PTH123
        code = compile(file.read(), path, "exec", dont_inherit=True)
    module = type(sys)("__main__")
    module.__dict__.update(__file__=path, __builtins__=__builtins__)
    sys.modules["__main__"] = module
    exec(code, module.__dict__)


def take_steps(steps: int, answers: int) -> None:
    """Load a class, and take its steps. Raises the bot's errors."""
    with os.fdopen(steps, "rb") as file:
        name, class_name, index, listed = marshal.load(file)
    bot: Any = None
    for number, (construct, select, told) in enumerate(listed, 1):
        restore = silenced() if number < len(listed) else lambda: None
        try:
            if construct:
                bot_class = load_module(name, class_name)
                os.write(answers, b"load\n")
                bot = bot_class(index)
                os.write(answers, b"construct\n")
            else:
                bot.update([*told])
                os.write(answers, b"update\n")
            choice = bot.select() if select else 0
            sys.stdout.flush()
        finally:
            restore()
        os.write(answers, encoded([answer_of(choice)]))


def ignore_breakpoints() -> None:
    """Let ``breakpoint()`` and ``pdb.set_trace()`` do nothing."""
    sys.breakpointhook = pdb.set_trace = lambda *words, **options: None


def silenced() -> Callable[[], None]:
    """Take the terminal and the breakpoints away; return the function that gives them back."""
    ignore_breakpoints()
    kept = [os.dup(stream) for stream in range(3)]
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    os.close(nowhere)

    def restore() -> None:
        sys.breakpointhook, pdb.set_trace = HOOK, SET_TRACE
        for stream, descriptor in enumerate(kept):
            os.dup2(descriptor, stream)
            os.close(descriptor)

    return restore


def talk_on(terminal: int) -> None:
    """Let the debugger write to ``terminal``, and not into the answer."""
    depth = 0

    def wrapped(method: Callable[..., Any]) -> Callable[..., Any]:
        def talk(*words: Any, **options: Any) -> Any:
            nonlocal depth
            if depth:
                return method(*words, **options)
            depth += 1
            sys.stdout.flush()
            answer = os.dup(1)
            os.dup2(terminal, 1)
            try:
                return method(*words, **options)
            finally:
                sys.stdout.flush()
                os.dup2(answer, 1)
                os.close(answer)
                depth -= 1

        return talk

    for name in ("interaction", "message", "error"):
        setattr(pdb.Pdb, name, wrapped(getattr(pdb.Pdb, name)))


if __name__ == "__main__":
    main(*sys.argv[1:])
