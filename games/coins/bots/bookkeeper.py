"""Notes what each of its plans has brought, and repeats the one that has paid best.

The notes are one line a turn: the plan, and what the bot had before it. What a plan has brought,
with all that the others did until the next turn, is the difference to the line after it.
"""

import sys

PLANS = ("2FF", "3FF", "FFF", "CCC", "RFF", "TFF", "NNN")

_round, me, _centre, *players = sys.argv[1].split(";")
seats = [[int(number) for number in player.split("_")] for player in players]
_id, points, flipped, unflipped = next(seat for seat in seats if seat[0] == int(me))
total = points + 2 * flipped - unflipped

with open("bookkeeper.txt", "a+") as notes:
    notes.seek(0)
    lines = [line.split() for line in notes]
    totals = [int(before) for _plan, before in lines] + [total]
    gains: dict[str, list[int]] = {plan: [] for plan in PLANS}
    for turn, (plan, before) in enumerate(lines):
        gains[plan].append(totals[turn + 1] - int(before))
    untried = [plan for plan in PLANS if not gains[plan]]
    choice = untried[0] if untried else max(PLANS, key=lambda p: sum(gains[p]) / len(gains[p]))
    notes.write(f"{choice} {total}\n")

print(choice)
