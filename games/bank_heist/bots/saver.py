"""Carries its winnings to the bank, and fetches them with the interest before the match ends.

What lies in an account cannot be stolen and grows by 0.14 % a game, but it does not count at the
end. A match may be over after 1,000 games.
"""

import sys

LATE = 900  # the game from which on it withdraws

game, round_, _participants, _decided, _heisters, _total, _confirmed, bank = sys.argv[1:9]
credits, *_ = sys.argv[9:17]
accounts = sys.argv[17:22]

if round_ == "1":
    print(int(credits) // 10 if int(game) < LATE else 1)
elif int(game) < LATE:
    print("deposit")
else:
    print("withdraw" if int(accounts[int(bank)]) > 0 else "!guncheck")
