"""The functions and results of ``import koth``, one module per task; the command is one user."""
