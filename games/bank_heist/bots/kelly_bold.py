"""Bets by Kelly's criterion for the bank as it stands, and never looks back.

The criterion stakes the part of the credits that lets them grow fastest in the long run. That
those who back out lower its chances is not its concern.
"""

import sys

_game, round_, _participants, _decided, _heisters, _total, _confirmed, bank = sys.argv[1:9]
credits, *_ = sys.argv[9:17]
probabilities, odds = sys.argv[22:27], sys.argv[27:32]

p, o = float(probabilities[int(bank)]), float(odds[int(bank)])
fraction = (p * (o + 1) - 1) / o if o > 0 else 0.0

print(int(max(0.0, fraction) * int(credits)) if round_ == "1" else "!guncheck")
