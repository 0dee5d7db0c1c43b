"""Lives by stealing, and exchanges until it holds Captains and Ambassadors.

Without a Captain it steals half the time, and it blocks every Steal, with whatever it holds. Every
other block it meets is challenged.
"""

import os
import random
import sys

HOARD = "*~$!^"  # best first: who holds Captain and Ambassador steals and is not stolen from
LOST = "'=0_<"  # give-up symbols, least useful card first

path, theirs, _mine, cards, *legal = sys.argv[1:]
dice = random.Random(os.environ.get("KOTH_BOT_SEED"))

if len(cards) > 2:  # Exchange: one of each kind before a second of the same
    kept = sorted(set(cards), key=HOARD.index) + sorted(cards, key=HOARD.index)
    print("".join(kept[: len(cards) - 2]))


def choose() -> str:
    """Return the action to add."""
    if "C" in legal:
        return "C"
    if "I\n" in legal:  # our turn
        if int(theirs) >= 2 and ("*" in cards or dice.random() < 0.5):
            return "S"
        return "F" if "*" in cards else "E"
    if "c" in legal:  # they steal: always block, if need be with a Captain made up
        return "a" if "~" in cards and "*" not in cards else "c"
    if "q" in legal and "\n" in legal:  # they blocked
        return dice.choice(["q", "\n"])
    if "s" in legal and ("!" in cards or len(cards) == 1):
        return "s"
    losses = [action for action in legal if action[0] in LOST]
    if losses:
        return min(losses, key=lambda action: LOST.index(action[0]))
    return "p" if "p" in legal else legal[0]


with open(path, "a", newline="") as history:
    history.write(choose())
