"""``python -m koth`` is ``koth``: Koth imports no file of the current folder, such as a bot."""

import sys

from koth.conflicts import HOME

if not sys.flags.safe_path and sys.path[0] != HOME:  # Python has put the current folder first
    del sys.path[0]

from koth.cli.start import run

run()
