"""Joins every heist for one credit, and takes everybody's winnings when they are worth its job.

A cross that fails costs the job and half of the salary, so small heists are left in peace.
"""

import sys

WORTH = 20  # salaries that a job is worth: on average it takes so many games to find the next

_game, round_, _participants, _decided, _heisters, total, _confirmed, _bank = sys.argv[1:9]
_credits, _bet, salary, *_ = sys.argv[9:]

if round_ == "1":
    print(1)
else:
    print("double cross" if int(total) > WORTH * int(salary) else "!guncheck")
