"""Re-runs logs and proves or refutes them."""
