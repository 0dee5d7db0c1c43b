"""Make golden logs: ``python -m tests.golden.make`` writes the missing ones.

A golden log is never written again: a log that was sealed must verify forever.
"""

from __future__ import annotations

from pathlib import Path

from tests.golden.recipes import bank_heist, coins, coup, smallest_unique

HERE = Path(__file__).parent

RECIPES = {
    "bank_heist-1": bank_heist.RECIPES,
    "coins-1": coins.RECIPES,
    "coup-1": coup.RECIPES,
    "coup-2": coup.RECIPES_2,
    "smallest_unique-1": smallest_unique.RECIPES,
}
"""By folder, which is named after the rules version."""


def main() -> None:
    """Write every missing golden log."""
    for folder, recipes in RECIPES.items():
        for name, recipe in recipes.items():
            path = HERE / folder / f"{name}.jsonl"
            if not path.exists():
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(recipe.make())
                print(path)


if __name__ == "__main__":
    main()
