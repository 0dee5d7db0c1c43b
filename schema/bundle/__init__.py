"""Bundles: the files of a tournament in one file, ``<name>.jsonl.zst``, compressed and sealed.

A bundle is a sequence of zstd frames (RFC 8878), which ``zstd -dc`` unpacks to one text:

1. the index: one line about the bundle, then one line per file, sorted by name;
2. the contents of the files in that order, with nothing in between; a frame holds whole files;
3. the seal, a skippable frame: the SHA-256 of all bytes before it, as 64 hex digits.

The line about the bundle has ``files``, the number of files, and ``frames``, one pair for each
frame of contents: the number of files in it, and its compressed bytes. The line of a file has its
name, a relative path, and the size and SHA-256 of its content. Equal files give equal bytes.
"""

from schema.bundle.index import FORMAT, MAX_FRAME_BYTES, SEAL_HEAD, SUFFIX, Entry
from schema.bundle.reading import Bundle, Member, is_bundle, shared_bundle
from schema.bundle.writing import MAX_FOLDERS, extract, write

__all__ = [
    "FORMAT",
    "MAX_FOLDERS",
    "MAX_FRAME_BYTES",
    "SEAL_HEAD",
    "SUFFIX",
    "Bundle",
    "Entry",
    "Member",
    "extract",
    "is_bundle",
    "shared_bundle",
    "write",
]
