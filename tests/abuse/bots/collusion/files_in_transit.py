"""Leaves a socket in transit in itself, with files, and counts how many it may still send."""

import array
import os
import resource
import socket
import sys
import time

LEFT, SPARE = 100, 90  # other bots of the same user have some in transit, too


def send(sender, *files):
    sender.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))])


asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
if fresh:
    sender, receiver = socket.socketpair()
    sent = 0
    try:
        while sent < most:
            send(sender, 0)
            sent += 1
    except BlockingIOError:
        pass
    except OSError:
        if sent < most - SPARE:
            print("got less than it may:", sent, "of", most, file=sys.stderr)
    sender.close()
    receiver.close()
sender, receiver = socket.socketpair()
send(sender, *[receiver.fileno()] * LEFT)
sender.close()
time.sleep(0.02)  # until the kernel has looked for such sockets

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
