"""Measure how fast Koth is: ``python -m benchmarks NAME [--json] [--size N]``.

Machines differ and are noisy. So each benchmark measures its figures together with a calibration,
in turn, in one run; the ratio of the two is the result. Each benchmark is one module with

    def run(size: int) -> Iterator[Figure]

``size`` is the amount of work (its unit is in the docstring of the module's ``SIZE``). A small size
shows that a benchmark works; quote only figures of the default size.
"""
