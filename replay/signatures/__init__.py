"""Signatures over tournaments and contests: keys, signed checkpoints, and proofs.

A checkpoint states the number of a tournament's files, or of a contest's lines, and the root of a
Merkle tree over them. A proof shows that one file belongs to that tree without the other files, or
that a contest was only continued between two checkpoints.
"""
