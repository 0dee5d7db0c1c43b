"""Has a child trace a thread that ends, so that it cannot be reaped when it is killed."""

import ctypes
import os
import sys
import threading
import time

SEIZE, SET_TRACER, ANYBODY = 0x4206, 0x59616D61, -1

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    libc = ctypes.CDLL(None)
    libc.prctl(SET_TRACER, ctypes.c_long(ANYBODY))
    traced, told = threading.Event(), os.pipe()

    def end_when_traced() -> None:
        if os.fork() == 0:
            os.setsid()
            libc.ptrace(SEIZE, int(os.read(told[0], 20)), None, None)
            time.sleep(600)
        os.write(told[1], str(threading.get_native_id()).encode())
        time.sleep(0.1)

    threading.Thread(target=end_when_traced).start()
    time.sleep(600)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
