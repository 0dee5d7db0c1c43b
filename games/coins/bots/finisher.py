"""Empties the centre in a hurry when it leads, to end the game before anybody catches up.

While it does not lead by enough to pay for the coins, it takes and flips.
"""

import sys

COST = 18  # nine coins cost a point each now, and one more at the end

_round, me, centre, *players = sys.argv[1].split(";")
seats = [[int(number) for number in player.split("_")] for player in players]
totals = {who: points + 2 * flipped - unflipped for who, points, flipped, unflipped in seats}
coins = {who: unflipped for who, _points, _flipped, unflipped in seats}
best_other = max(total for who, total in totals.items() if who != int(me))

if totals[int(me)] - best_other > COST:
    print("333")
else:
    print("FFF" if coins[int(me)] >= 3 or centre == "0" else "3FF")
