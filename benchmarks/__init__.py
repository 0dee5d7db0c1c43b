"""How fast Koth is, as figures that anyone can repeat: ``python -m benchmarks NAME [--json]``.

Machines differ and are noisy. So every figure is measured together with a calibration, in turn, in
one run; what counts is the ratio of the two. One module a benchmark, each with

    def run(size: int) -> Iterator[Figure]

``size`` says how much work is done (its unit is in the module's ``SIZE`` docstring); a small one
shows that a benchmark works, only the default is worth quoting.
"""
