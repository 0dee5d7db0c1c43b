"""``python -m koth`` is the command ``koth``."""

from koth.cli.start import run

run()
