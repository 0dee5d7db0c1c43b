"""Import older results as logs, which have no seed and cannot be replayed.

An importer reads its files completely before anything is written.
"""
