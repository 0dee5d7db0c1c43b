"""Takes coins and flips them, and minds nobody else."""

import sys

_round, me, centre, *players = sys.argv[1].split(";")
seats = [player.split("_") for player in players]
_id, _points, _flipped, unflipped = next(seat for seat in seats if seat[0] == me)

print("FFF" if int(unflipped) >= 3 or centre == "0" else "3FF")
