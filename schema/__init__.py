"""The log format: events, bytes, strict reading, seals, dice, and the registry of games."""

TYPE_CHECKING = False

_OF_PYPI = {"And", "Const", "Forbidden", "Hook", "Optional", "Or", "Regex", "Schema", "Use"}
"""Names of the package ``schema`` on PyPI, which has nothing to do with Koth."""

if not TYPE_CHECKING:  # otherwise every name would exist for a type checker

    def __getattr__(name: str) -> object:
        """Raise ImportError, with the remedy, for a name of the other package called schema."""
        if name in _OF_PYPI:
            raise ImportError(
                f"'{__file__}' is Koth's package schema and has no '{name}': in one environment, "
                "it breaks the package schema of PyPI. Install Koth into an environment of its own."
            )
        raise AttributeError(f"module 'schema' has no attribute {name!r}")
