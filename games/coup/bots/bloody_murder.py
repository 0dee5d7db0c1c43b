"""Swears that it holds a Duke and an Assassin, and kills as soon as it can pay.

Every turn is Tax, murder or Coup, true or not, and every block is challenged.
"""

import sys

WISHES = ("C", "A", "T", "d", "p", "q")  # the first of these that is legal
LOST = "_<=0'"  # give-up symbols, least useful card first

path, _theirs, _mine, cards, *legal = sys.argv[1:]

if len(cards) > 2:  # Exchange: the cards offered are the two drawn, then our own
    print("".join(sorted(cards, key="^$!*~".index)[: len(cards) - 2]))

losses = sorted((action for action in legal if action[0] in LOST), key=lambda a: LOST.index(a[0]))

if "s" in legal:  # they mean to kill us
    action = "s" if "!" in cards else "q" if len(cards) == 1 else losses[0]
else:
    action = next((wish for wish in WISHES if wish in legal), (losses or legal)[0])

with open(path, "a", newline="") as history:
    history.write(action)
