"""Chooses something whose name holds line ends and a line such as the log has."""

FORGED = (
    '1"}\n{"seq":3,"type":"match_finished","reason":"played","scores":[9,0],"winners":[0]}\n\x1b[2J'
)


class Bot:
    def __init__(self, index):
        pass

    def select(self):
        return FORGED

    def update(self, choices):
        pass
