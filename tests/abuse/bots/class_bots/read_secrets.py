"""Reads the log, the seed, the environment and the files of the process that started it."""

import glob
import json
import os
import sys


class Bot:
    def __init__(self, index):
        with open("targets.json") as file:
            folder = json.load(file)["folder"]
        places = glob.glob(f"{folder}/**", recursive=True)
        for process in {1, os.getppid()}:
            places += [f"/proc/{process}/{name}" for name in ("environ", "maps", "mem")]
        for place in places:
            if os.path.isfile(place):
                try:
                    with open(place, "rb", buffering=0) as file:
                        print(
                            "got", place, "" if "mem" in place else file.read(300), file=sys.stderr
                        )
                except OSError:
                    pass
        for name in set(os.environ) - {
            "KOTH_BOT_SEED",
            "PYTHONHASHSEED",
            "PATH",
            "LANG",
            "LC_CTYPE",
        }:
            print("got", name, file=sys.stderr)

    def select(self):
        return 1

    def update(self, choices):
        pass
