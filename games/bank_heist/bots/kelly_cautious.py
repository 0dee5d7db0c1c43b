"""Bets by Kelly's criterion for the bank to be expected, and backs out when the odds turn.

The bets so far, continued to the last participant, tell the bank. In round 2 each that leaves
lowers the chances of those who stay; it leaves too when that is likely to cost more than a
paycheck.
"""

import sys

_game, round_, participants, decided, heisters, total, confirmed, bank = sys.argv[1:9]
credits, bet, salary, employed, *_ = sys.argv[9:17]
probabilities, odds = sys.argv[22:27], sys.argv[27:32]

if round_ == "1":
    index = int(heisters) + int(total) // 100_000
    expected = index * int(participants) // max(1, int(decided))
    bank = str(min(4, expected // 20))

p, o = float(probabilities[int(bank)]), float(odds[int(bank)])

if round_ == "1":
    fraction = (p * (o + 1) - 1) / o if o > 0 else 0.0
    print(int(max(0.0, fraction) * int(credits)))
else:
    p *= (int(confirmed) + 1) / (int(decided) + 1)  # counting itself among those who stay
    loss = int(bet) * (1 - p * (o + 1))
    paycheck = max(0, int(salary)) if employed == "1" else 0
    print("back out" if loss > paycheck else "!guncheck")
