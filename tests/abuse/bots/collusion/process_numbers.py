"""Counts the numbers of processes up, to tell its next time that it was here."""

import os
import sys
import threading

FAR = 2_000

asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
if fresh and os.getpid() > FAR:
    print("got the number", os.getpid(), file=sys.stderr)
elif fresh:
    while True:
        thread = threading.Thread(target=lambda: None)
        thread.start()
        thread.join()
        if thread.native_id > FAR:
            break

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
