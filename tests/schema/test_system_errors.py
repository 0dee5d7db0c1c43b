"""Errors of the system, which are told apart from those of a file."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from schema.errors import CorruptLog
from schema.system_errors import leaving_out_unreadable, raise_exhaustion, raise_system_error


def of_system(number: int) -> OSError:
    """Return the error of the system with this number."""
    return OSError(number, os.strerror(number))


def leave_out(error: Exception) -> None:
    """Raise an error where unreadable files are left out."""
    with leaving_out_unreadable():
        raise error


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM])
def test_a_lack_of_resources_is_always_raised(number: int) -> None:
    """Without descriptors or memory no file can be judged."""
    for pass_on in (raise_exhaustion, raise_system_error, leave_out):
        with pytest.raises(OSError, match=os.strerror(number)):
            pass_on(of_system(number))


def test_a_disk_that_fails_is_about_one_file() -> None:
    """It makes a log unreadable, and is raised where a file has no verdict."""
    error = of_system(errno.EIO)
    raise_exhaustion(error)
    leave_out(error)
    with pytest.raises(OSError, match="Input/output"):
        raise_system_error(error)


@pytest.mark.parametrize(
    "error",
    [of_system(errno.ENOENT), of_system(errno.EACCES), CorruptLog(Path("log"), 1, "torn")],
    ids=str,
)
def test_errors_of_a_file_are_left_out(error: Exception) -> None:
    """A file that is missing, closed to the reader or damaged says nothing of the system."""
    for pass_on in (raise_exhaustion, raise_system_error, leave_out):
        pass_on(error)


def test_other_errors_are_raised() -> None:
    """Only errors of reading are left out, no fault of the program."""
    with pytest.raises(ZeroDivisionError):
        leave_out(ZeroDivisionError())
