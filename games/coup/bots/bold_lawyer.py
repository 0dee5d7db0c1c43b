"""Never lies, but attacks and challenges at the toss of a coin.

It Coups when it can. Else it draws lots among its honest attacks, and without one among the rest.
"""

import os
import random
import sys

# The card that each action claims; an action that is not listed claims nothing.
CLAIM = {"E": "~", "T": "$", "A": "^", "S": "*", "a": "~", "c": "*", "d": "$", "s": "!"}

path, _theirs, _mine, cards, *legal = sys.argv[1:]
dice = random.Random(os.environ.get("KOTH_BOT_SEED"))

if len(cards) > 2:  # Exchange: two drawn cards lie before our own
    print("".join(dice.sample(cards, len(cards) - 2)))

honest = [action for action in legal if CLAIM.get(action, "") in cards]
attacks = [action for action in honest if action in ("A", "S", "T")]
blocks = [action for action in honest if action in ("a", "c", "d", "s")]
others = [action for action in honest if action not in ("q", "I\n")]

if "C" in legal:
    action = "C"
elif attacks or blocks:
    action = dice.choice(attacks or blocks)
elif "q" in legal and dice.random() < 0.5:
    action = "q"
else:
    action = dice.choice(others or legal)

with open(path, "a", newline="") as history:
    history.write(action)
