"""Exchanges what the interpreter is made of: builtins, pipes, modules."""

import builtins
import operator
import os
import sys


class Bot:
    def __init__(self, index):
        self.round = 0

    def select(self):
        self.round += 1
        return 1

    def update(self, choices):
        if self.round == 2:
            builtins.int = builtins.len = builtins.open = operator.index = None
            os.write = os.read = os.dup = None
            sys.modules.clear()
