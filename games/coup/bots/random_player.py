"""Picks any legal action, each as likely as the next.

It looks at nothing but the list of legal actions; an Exchange keeps cards at random too.
"""

import os
import random
import sys

path, _theirs, _mine, cards, *legal = sys.argv[1:]
dice = random.Random(os.environ.get("KOTH_BOT_SEED"))

if len(cards) > 2:  # Exchange: two drawn cards lie before our own
    print("".join(dice.sample(cards, len(cards) - 2)))

with open(path, "a", newline="") as history:
    history.write(dice.choice(legal))
