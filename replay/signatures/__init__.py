"""Signatures over tournaments: keys, signed checkpoints, and proofs for single logs.

A checkpoint states the number of a tournament's files and the root of a Merkle tree over them. A
proof shows that one file belongs to that tree, without the other files.
"""
