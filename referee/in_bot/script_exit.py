"""End a script without the interpreter's own exit, unless something may act during that.

This module imports few modules, and none of Koth, because a bot's interpreter loads it.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from _thread import _count as other_threads
from _weakref import ReferenceType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def exit_now(code: object) -> None:
    """Exit without the interpreter's own exit, unless something may act during that.

    The interpreter's exit takes several times as long as the rest of a small decision.
    """
    status = 0 if code is None else code
    if type(status) is int and can_exit_now(status):
        os._exit(status)


def can_exit_now(status: int) -> bool:
    """Flush the output. Return whether the interpreter's own exit would do nothing else."""
    if not 0 <= status <= 255 or atexit._ncallbacks() or other_threads():
        return False
    if sys.stdout is not sys.__stdout__ or sys.stderr is not sys.__stderr__:
        return False
    try:
        if any_acts_at_exit(gc.get_objects()):
            return False
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except Exception:
        return False
    return True


def any_acts_at_exit(objects: list[object]) -> bool:
    """Return whether the deletion of any of ``objects`` runs code."""
    types = {id(kind): kind for kind in map(type, objects)}  # the hash of a type may be overridden
    return any(map(type_can_act, types.values())) and any(map(acts_at_exit, objects))


def type_can_act(kind: type) -> bool:
    """Return whether the deletion of an object of this type may run code."""
    return hasattr(kind, "__del__") or issubclass(kind, ReferenceType)


def acts_at_exit(item: Any) -> bool:
    """Return whether an object's deletion runs code: a finalizer or a weak reference's callback."""
    kind = type(item)
    if hasattr(kind, "__del__"):
        return kind.__module__ != "_io" or not item.closed
    return isinstance(item, ReferenceType) and item.__callback__ is not None
