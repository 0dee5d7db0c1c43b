"""Answers honestly in every game, and says on standard error what it finds around it."""

import json
import os
import sys

SHARED = ("/tmp", "/var/tmp", "/dev/shm")


def around() -> str:
    """What is there that another decision, match or bot may have left."""
    with open("/proc/sysvipc/shm") as file:
        segments = len(file.readlines()) - 1
    processes = [name for name in os.listdir("/proc") if name.isdigit()]
    shared = [name for one in SHARED if os.path.isdir(one) for name in os.listdir(one)]
    found = {
        "folder": sorted(os.listdir()),
        "shared": [name for name in shared if "abuse" in name],
        "environment": sorted(os.environ.keys() - {"LC_CTYPE"}),
        "processes": len(processes),
        "segments": segments,
    }
    return json.dumps(found)


class Witness:
    """For Smallest Unique Number."""

    def __init__(self, index: int) -> None:
        print(around(), file=sys.stderr)

    def select(self) -> int:
        """Return the number to play."""
        return 2

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""


if __name__ == "__main__" and len(sys.argv) == 1:  # line by line
    for _ in sys.stdin:
        print(around(), file=sys.stderr)
        print("keep", flush=True)
elif __name__ == "__main__":
    asked = sys.argv[1]
    print(around(), file=sys.stderr)
    if os.path.isfile(asked):  # Coup
        with open(asked, "a", newline="") as history:
            history.write(sys.argv[5])
    print("NNN" if ";" in asked else 0)  # Coins, Bank Heist
