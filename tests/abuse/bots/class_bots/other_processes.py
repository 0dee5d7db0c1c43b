"""Looks for processes that are not its own, reads their memory, and kills them."""

import os
import sys


class Bot:
    def __init__(self, index):
        pass

    def select(self):
        for name in os.listdir("/proc"):
            if not name.isdigit() or int(name) in (1, os.getpid(), os.getppid()):
                continue
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    print("got", name, file.read(), file=sys.stderr)
                os.close(os.open(f"/proc/{name}/mem", os.O_RDWR))
                print("got the memory of", name, file=sys.stderr)
            except OSError:
                pass
        return 1

    def update(self, choices):
        pass
