"""Bets 69 in every game, whatever the bank, and always carries on."""

import sys

_game, round_, *_ = sys.argv[1:]

print(69 if round_ == "1" else "!guncheck")
