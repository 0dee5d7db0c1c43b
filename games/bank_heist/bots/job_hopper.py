"""Quits every job it finds for a better one, and settles down for the last 400 games.

A change costs about 19 paychecks and brings 5 % more from then on: it pays while there are more
than 380 games to come, and a match has at least 1,000.
"""

import sys

SETTLE = 600  # the game from which on a job is kept

game, round_, *_ = sys.argv[1:9]
_credits, _bet, _salary, employed, *_ = sys.argv[9:]

if round_ == "1":
    print(1 if employed == "1" and int(game) < SETTLE else 0)
else:
    print("change jobs")
