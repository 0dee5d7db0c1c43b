"""Counts its games on a function, which a method under another name sets."""

import sys


class Names:
    count = 0


def board():
    pass


class Bot:
    def count(self):
        self.games = 1

    call = count

    def __init__(self, index):
        try:
            print("got", board.games, file=sys.stderr)
        except AttributeError:
            Bot.call(board)

    def select(self):
        return 1

    def update(self, choices):
        pass
