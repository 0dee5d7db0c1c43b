"""Honest until it sees that nobody challenges; then it lies.

Two claims that went unchallenged make it a liar, and a single challenge makes it honest for good.
"""

import sys

# The card that each action claims; an action that is not listed claims nothing.
CLAIM = {"E": "~", "T": "$", "A": "^", "S": "*", "a": "~", "c": "*", "d": "$", "s": "!"}
WISHES = ("C", "A", "T", "S", "s", "c", "a", "d")
LOST = "_<'=0"  # give-up symbols, least useful card first

path, _theirs, _mine, cards, *legal = sys.argv[1:]

if len(cards) > 2:  # Exchange: keep our own, which lie after the two drawn cards
    print(cards[2:])

with open(path, newline="") as history:
    lines = history.read().split("\n")

# Calls alternate within a line, and lines alternate between the players.
first_is_ours = len(lines[-1]) % 2 == 0
believed = doubted = 0
blocked = ""  # what the other has blocked is not tried again
for age, line in enumerate(reversed(lines)):
    ours = (age % 2 == 0) == first_is_ours
    claim, answer = (line[:1], line[1:2]) if ours else (line[1:2], line[2:3])
    if claim in CLAIM and (answer or age > 0):
        doubted += answer == "q"
        believed += answer != "q"
    if ours and line[1:] in ("a", "c", "d", "s"):
        blocked += line[0]

liar = believed >= 2 and not doubted
fit = [a for a in legal if a not in blocked and (liar or CLAIM.get(a, "") in cards)]
losses = sorted((action for action in legal if action[0] in LOST), key=lambda a: LOST.index(a[0]))
last_stand = ["q"] if "s" in legal and len(cards) == 1 else []
wishes = [*WISHES, "F", "I\n", "p", "\n", *last_stand, *losses, *legal]

with open(path, "a", newline="") as history:
    history.write(next(wish for wish in wishes if wish in fit))
