"""Believes nothing: it challenges every claim, and claims nothing itself.

It lives on Income and Coups, so there is nothing to challenge it for.
"""

import sys

WISHES = ("C", "q", "I\n", "p")  # the first of these that is legal

path, _theirs, _mine, cards, *legal = sys.argv[1:]

if len(cards) > 2:  # Exchange: keep our own, which lie after the two drawn cards
    print(cards[2:])

action = next((wish for wish in WISHES if wish in legal), legal[0])
with open(path, "a", newline="") as history:
    history.write(action)
