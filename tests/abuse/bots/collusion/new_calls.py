"""Leaves attributes and flags by calls that are newer than most filters, and by ioctl and fcntl."""

import ctypes
import fcntl
import os
import sys

PLACES = ("/tmp", ".", "/dev/shm", sys.executable, os.__file__, "/usr/bin/env")
SETXATTRAT, FILE_SETATTR = 463, 469
GET_FLAGS, SET_FLAGS, NO_DUMP = 0x80086601, 0x40086602, 0x40
GET_HINT, SET_HINT = 1035, 1036
HERE = -100


class Value(ctypes.Structure):
    _fields_ = [("at", ctypes.c_uint64), ("size", ctypes.c_uint32), ("flags", ctypes.c_uint32)]


asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
libc = ctypes.CDLL(None)
text = ctypes.create_string_buffer(b"1")
value = Value(ctypes.addressof(text), 1, 0)
attributes = (ctypes.c_uint64 * 3)(0x80)  # no dump, again
if os.geteuid() == 0:
    print("got to be root, who may do that", file=sys.stderr)
for place in PLACES if os.geteuid() else ():
    try:
        if fresh and "user.koth" in os.listxattr(place):
            print("got the attribute of", place, file=sys.stderr)
    except OSError:
        pass
    path = os.fsencode(place)
    libc.syscall(SETXATTRAT, HERE, path, 0, b"user.koth", ctypes.byref(value), 16)
    libc.syscall(FILE_SETATTR, HERE, path, ctypes.byref(attributes), 24, 0)
    descriptor = os.open(place, os.O_RDONLY)
    for get, set_, mark, act in (
        (GET_FLAGS, SET_FLAGS, NO_DUMP, fcntl.ioctl),
        (GET_HINT, SET_HINT, 3, fcntl.fcntl),
    ):
        try:
            found = int.from_bytes(act(descriptor, get, bytes(8)), "little")
            if fresh and found & mark:
                print("got a flag of", place, file=sys.stderr)
            act(descriptor, set_, (found | mark).to_bytes(8, "little"))
        except OSError:
            pass
    os.close(descriptor)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
