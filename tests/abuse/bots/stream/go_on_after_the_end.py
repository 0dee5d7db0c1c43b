"""Leaves a thread and a child that go on when it has answered, and when the match is over."""

import os
import sys
import threading
import time

threading.Thread(target=time.sleep, args=(60,)).start()
if os.fork() == 0:
    time.sleep(60)
for _ in sys.stdin:
    print("keep", flush=True)
