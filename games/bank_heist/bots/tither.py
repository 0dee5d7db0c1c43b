"""Bets a tenth of its credits in every game, come what may."""

import sys

_game, round_, _participants, _decided, _heisters, _total, _confirmed, _bank = sys.argv[1:9]
credits, *_ = sys.argv[9:]

print(int(credits) // 10 if round_ == "1" else "!guncheck")
