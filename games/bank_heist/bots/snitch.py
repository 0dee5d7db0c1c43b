"""Joins every heist for one credit, and points its finger whoever is there."""

import sys

_game, round_, *_ = sys.argv[1:]

print(1 if round_ == "1" else "finger")
