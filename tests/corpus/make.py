"""Makes the corpus: ``python -m tests.corpus.make`` writes every entry anew, always the same."""

from __future__ import annotations

import shutil

from tests.corpus.entries import EXPECTED, HERE
from tests.corpus.recipes import ENTRIES


def main() -> None:
    """Write every entry; those of which there is no recipe any more go."""
    for expected in HERE.glob(f"*/{EXPECTED}"):
        shutil.rmtree(expected.parent)
    for name, entry in ENTRIES.items():
        for path, content in entry.files().items():
            file = HERE / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    print(f"{len(ENTRIES)} entries")


if __name__ == "__main__":
    main()
