"""Fails with an error in characters that no file can hold, longer than anybody keeps."""


class Bot:
    def __init__(self, index):
        self.index = index

    def select(self):
        raise ValueError("\ud800" * 30_000)

    def update(self, choices):
        pass
