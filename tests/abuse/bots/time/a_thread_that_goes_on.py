"""Answers, and has a thread that keeps the interpreter from ending."""

import os
import sys
import threading
import time

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    threading.Thread(target=time.sleep, args=(60,)).start()

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
