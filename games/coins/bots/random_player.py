"""Picks three actions at random, each as likely as the next."""

import os
import random

dice = random.Random(os.environ.get("KOTH_BOT_SEED"))

print("".join(dice.choices("N123ABCXYZFURT", k=3)))
