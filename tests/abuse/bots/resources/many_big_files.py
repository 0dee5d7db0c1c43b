"""Fills the disk with files of an allowed size, in every folder that it can write to."""

import os
import sys

PIECE, ENOUGH = 16 << 20, 512 << 20

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    for number in range(ENOUGH // PIECE):
        folder = (".", "/tmp", "/dev/shm", "/var/tmp")[number % 4]
        name = f"{folder}/koth-abuse-{os.getpid()}-{number}"
        try:
            with open(name, "wb") as file:
                file.write(bytes(PIECE))
        except PermissionError:
            with open(os.path.basename(name), "wb") as file:
                file.write(bytes(PIECE))
        except OSError as error:
            if error.errno != 30:  # not a read-only one
                raise
            with open(os.path.basename(name), "wb") as file:
                file.write(bytes(PIECE))
    print("got", ENOUGH, "bytes", file=sys.stderr)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
