"""Buys guards until its chances are good, and then spends every other haul on better odds.

While it buys guards it bets a single credit. Afterwards it stakes a twentieth of its credits in one
game, for intel, and what Kelly's criterion says in the next, for cash.
"""

import sys

GOOD = 0.7  # a probability that needs no more guards
STAYING = 0.9  # the part of the heisters that usually stays

game, round_, _participants, _decided, _heisters, _total, _confirmed, bank = sys.argv[1:9]
credits, _bet, salary, *_ = sys.argv[9:17]
probabilities, odds = sys.argv[22:27], sys.argv[27:32]

p, o = float(probabilities[int(bank)]), float(odds[int(bank)])
for_intel = int(game) % 2 == 0

if round_ == "1":
    fraction = 0.0
    if p >= GOOD and o > 0:
        fraction = 0.05 if for_intel else (STAYING * p * (o + 1) - 1) / o
    print(max(1, int(fraction * int(credits))))
elif p < GOOD and int(salary) > 0:  # what the salary still pays for
    print("buy guard")
else:
    print("acquire intel" if for_intel else "!guncheck")
