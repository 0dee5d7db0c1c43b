"""Flips a coin if it has one and its seed begins with an even digit; otherwise takes one."""

import os
import sys

_round, me, _centre, *players = sys.argv[1].split(";")
unflipped = next(seat[3] for player in players if (seat := player.split("_"))[0] == me)
even = int(os.environ["KOTH_BOT_SEED"][0], 16) % 2 == 0
print("1NN" if unflipped == "0" else "FNN" if even else "NNN")
