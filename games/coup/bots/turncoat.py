"""Honest until it sees that nobody challenges; then it lies.

Two claims that went unchallenged make it a liar, and a single challenge makes it honest for good.
"""

import sys

# The card that each action claims; an action that is not listed claims nothing.
CLAIM = {"E": "~", "T": "$", "A": "^", "S": "*", "a": "~", "c": "*", "d": "$", "s": "!"}
WISHES = ("C", "A", "T", "S", "s", "c", "a", "d", "F", "p", "\n")
LOST = "_<'=0"  # give-up symbols, least useful card first

path, _theirs, _mine, cards, *legal = sys.argv[1:]

if len(cards) > 2:  # Exchange: keep our own, which lie after the two drawn cards
    print(cards[2:])

with open(path, newline="") as history:
    lines = history.read().split("\n")

# Calls alternate within a line, and lines alternate between the players.
first_is_ours = len(lines[-1]) % 2 == 0
believed = doubted = 0
for age, line in enumerate(reversed(lines)):
    ours = (age % 2 == 0) == first_is_ours
    claim, answer = (line[:1], line[1:2]) if ours else (line[1:2], line[2:3])
    if claim in CLAIM and (answer or age > 0):
        doubted += answer == "q"
        believed += answer != "q"

liar = believed >= 2 and not doubted
honest = [action for action in legal if liar or CLAIM.get(action, cards) in cards]
losses = sorted((action for action in legal if action[0] in LOST), key=lambda a: LOST.index(a[0]))
wishes = [wish for wish in WISHES if wish in honest] + losses + legal

with open(path, "a", newline="") as history:
    history.write(wishes[0])
