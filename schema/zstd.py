"""Python's module for zstd frames (RFC 8878, PEP 784), which has a backport before Python 3.14."""

import sys

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["zstd"]
