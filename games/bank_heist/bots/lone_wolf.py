"""Buys guards until its chances are good, and then goes all in alone until it leads.

Who goes all in does not depend on the others' staying. In the lead it risks one credit a game.
"""

import sys

GOOD = 0.7  # a probability to stake everything on

_game, round_, _participants, _decided, _heisters, _total, _confirmed, bank = sys.argv[1:9]
_credits, _bet, salary, _employed, rank, _mean, _deviation, _highest = sys.argv[9:17]
probabilities = sys.argv[22:27]

p = float(probabilities[int(bank)])

if round_ == "1":
    print(1)
elif p >= GOOD and rank != "1":
    print("all in")
elif p < GOOD and int(salary) > 0:  # what the salary still pays for
    print("buy guard")
else:
    print("!guncheck")
