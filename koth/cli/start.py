"""Start the command ``koth``. An interrupt ends it with 130, even while modules are imported."""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import FrameType

from koth import conflicts
from koth.cli.exit_codes import FAILED, INTERRUPTED
from koth.signals import ENDING

AGAIN_SECONDS = 0.05
"""Seconds after which an interrupt comes again that a destructor, or pydantic, ignored."""


def run(arguments: list[str] | None = None) -> None:
    """Run the command and end the process with its exit code.

    SIGTERM and the end of the terminal end the command as Ctrl-C does.
    """
    signals = _interrupting_signals()
    # Plugins for pydantic could change what is valid, and the search for them takes time.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    # Workers that Python or Dask starts must not import bots of the current folder as modules.
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        if conflicts.problem:  # `import koth` has printed it
            sys.exit(FAILED)
        from koth.cli import streams
        from koth.cli.main import status

        streams.prepare()
        code = status(sys.argv[1:] if arguments is None else arguments, signals)
        if signals:  # a library may have replaced or lost the KeyboardInterrupt
            code = INTERRUPTED
    except SystemExit:
        raise
    except BaseException:  # for example a panic of a Rust library during its import
        if not signals or os.environ.get("KOTH_DEBUG"):
            raise
        print("koth: interrupted.", file=sys.stderr)
        code = INTERRUPTED
    if "duckdb" not in sys.modules:  # it reports each object that is left at exit as a leak
        gc.freeze()  # a search of all objects for cycles at exit takes a sixth of a small command
    sys.exit(code)


def _interrupting_signals() -> list[int]:
    """Let signals that end a command interrupt it; return a list that receives their numbers."""
    caught: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        caught.append(number)
        raise KeyboardInterrupt

    def ignored(unraisable: sys.UnraisableHookArgs) -> None:
        if unraisable.exc_type is KeyboardInterrupt and sys.platform != "win32":
            signal.signal(signal.SIGALRM, interrupt)
            signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)
        else:
            sys.__unraisablehook__(unraisable)

    sys.unraisablehook = ignored
    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, interrupt)
    return caught
