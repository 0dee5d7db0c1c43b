"""Leaves a process in a session of its own, that outlives the game."""

import json
import os
import time


class Bot:
    def __init__(self, index):
        with open("targets.json") as file:
            outside = json.load(file)["outside"]
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.closerange(0, 64)
                time.sleep(30)
                open(f"{outside}/daemon", "w").close()
            os._exit(0)
        os.wait()

    def select(self):
        return 1

    def update(self, choices):
        pass
