"""Run a bot on a terminal, so that ``breakpoint()`` and pdb work in it.

    foreground.py script TERMINAL SCRIPT ARGUMENT…          run the script
    foreground.py stream KEYBOARD TERMINAL SILENT SCRIPT    run the script, which reads lines
    foreground.py class STEPS ANSWERS                       take the steps of a class bot

TERMINAL is a descriptor. While the debugger talks, standard output is the terminal; otherwise it
holds the bot's answer. With TERMINAL -1, breakpoints are ignored. KEYBOARD is the descriptor of the
debugger's standard input; the bot's own holds the questions. The first SILENT lines are silent:
they have no breakpoints, and no standard error. STEPS is the descriptor of marshalled
:data:`Steps`; the answers go as lines to ANSWERS, as those of class_worker. All steps but the last
are silent: they have no terminal and no breakpoints.
"""

from __future__ import annotations

import io
import marshal
import os
import pdb
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from referee.in_bot.class_worker import answer_of, encoded, load_module, traceback_of

    Steps = tuple[str, str, int, Sequence[tuple[bool, bool, Sequence[int]]]]
    """The bot's file, its class, its index, and whether each step constructs (else updates) and
    selects, with the last choices."""
else:
    from class_worker import answer_of, encoded, load_module, traceback_of

HOOK, SET_TRACE = sys.breakpointhook, pdb.set_trace


def main(kind: str, *words: str) -> None:
    """Run a script or a class bot, and end as an interpreter does."""
    sys.dont_write_bytecode = True
    try:
        if kind == "script":
            run_script(int(words[0]), *words[1:])
        elif kind == "stream":
            keyboard, terminal, silent, *command = words
            run_stream(int(keyboard), int(terminal), int(silent), *command)
        else:
            take_steps(int(words[0]), int(words[1]))
    except Exception as error:
        sys.stderr.write(traceback_of(error, __file__))
        sys.exit(1)


def run_script(terminal: int, script: str, *arguments: str) -> None:
    """Run a script that is asked once. Raises the bot's errors."""
    if terminal < 0:
        ignore_breakpoints()
    else:
        talk_on(terminal)
    execute(script, *arguments)


def run_stream(keyboard: int, terminal: int, silent: int, script: str, *arguments: str) -> None:
    """Run a script that reads lines, the first ``silent`` of them silently. Raises its errors."""
    talk_on(terminal, keyboard)
    restore = silenced([2]) if silent else lambda: None
    lines = Lines(silent, restore)
    sys.stdin = io.TextIOWrapper(
        io.BufferedReader(lines), sys.stdin.encoding, sys.stdin.errors, line_buffering=True
    )
    try:
        execute(script, *arguments)
    finally:
        lines.restore()


class Lines(io.FileIO):
    """The lines on standard input. It ends the process that reads on after the last one.

    The referee kills a bot that waits for a line, too.
    """

    def __init__(self, silent: int, restore: Callable[[], None]) -> None:
        super().__init__(0, closefd=False)
        self.silent, self.restore = silent, restore

    def readinto(self, buffer: Any) -> int:
        """Read lines; the one after the silent ones has breakpoints."""
        size = super().readinto(buffer) or 0
        if not size:
            os.kill(os.getpid(), signal.SIGKILL)
        self.silent -= bytes(buffer[:size]).count(b"\n")
        if self.silent < 0:
            self.restore()
        return size


def execute(script: str, *arguments: str) -> None:
    """Run a script as the main module. Raises the bot's errors."""
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
    for number, (construct, select, choices) in enumerate(listed, 1):
        restore = silenced() if number < len(listed) else lambda: None
        try:
            if construct:
                bot_class = load_module(name, class_name)
                os.write(answers, b"load\n")
                bot = bot_class(index)
                os.write(answers, b"construct\n")
            else:
                bot.update([*choices])
                os.write(answers, b"update\n")
            choice = bot.select() if select else 0
            sys.stdout.flush()
        finally:
            restore()
        os.write(answers, encoded([answer_of(choice)]))


def ignore_breakpoints() -> None:
    """Let ``breakpoint()`` and ``pdb.set_trace()`` do nothing."""
    sys.breakpointhook = pdb.set_trace = lambda *words, **options: None


def silenced(streams: Sequence[int] = range(3)) -> Callable[[], None]:
    """Take the terminal and the breakpoints away; return the function that gives them back.

    Only its first call has an effect.
    """
    ignore_breakpoints()
    kept = {stream: os.dup(stream) for stream in streams}
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in streams:
        os.dup2(nowhere, stream)
    os.close(nowhere)

    def restore() -> None:
        sys.breakpointhook, pdb.set_trace = HOOK, SET_TRACE
        while kept:
            stream, descriptor = kept.popitem()
            os.dup2(descriptor, stream)
            os.close(descriptor)

    return restore


def talk_on(terminal: int, keyboard: int = 0) -> None:
    """Let the debugger write to ``terminal``, and not into the answer; it reads ``keyboard``."""
    depth = 0
    typed = open(0, closefd=False) if keyboard else sys.stdin  # noqa: SIM115

    def wrapped(method: Callable[..., Any]) -> Callable[..., Any]:
        def talk(*words: Any, **options: Any) -> Any:
            nonlocal depth
            if depth:
                return method(*words, **options)
            depth += 1
            sys.stdout.flush()
            kept, questions = [os.dup(stream) for stream in range(2)], sys.stdin
            os.dup2(keyboard, 0)
            os.dup2(terminal, 1)
            sys.stdin = typed
            try:
                return method(*words, **options)
            finally:
                sys.stdout.flush()
                sys.stdin = questions
                for stream, descriptor in enumerate(kept):
                    os.dup2(descriptor, stream)
                    os.close(descriptor)
                depth -= 1

        return talk

    for name in ("interaction", "message", "error"):
        setattr(pdb.Pdb, name, wrapped(getattr(pdb.Pdb, name)))


if __name__ == "__main__":
    main(*sys.argv[1:])
