"""Goes all in in every game, until it is broke, and again with the next paycheck."""

import sys

_game, round_, *_ = sys.argv[1:]

# The bet only opens the door: who goes all in stakes everything, and a loan.
print(1 if round_ == "1" else "all in")
