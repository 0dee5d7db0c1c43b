"""Puts a symbolic link to a fine copy in the place of the history."""

import os
import shutil
import sys

path = sys.argv[1]
first = not os.path.getsize(path)
with open(path, "a", newline="") as history:
    history.write(sys.argv[5])
if first:
    shutil.copy(path, "copy")
    os.remove(path)
    os.symlink(os.path.abspath("copy"), path)
