"""Games of other packages for the tests: the skeleton under a new name, broken here and there."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from koth.game_skeleton import skeleton

_NUMBER = count(1)


def install(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    edits: dict[str, tuple[str, str]],
    protocol: str = "argv",
    name: str = "",
) -> str:
    """Lay the skeleton of a game where it is found, and return its name, a new one by default.

    ``edits`` says by file, such as ``rules.py``, what is replaced by what; NAME is the game's name.
    """
    name = name or f"made_up_{next(_NUMBER)}"
    left = dict(edits)
    for path, text in skeleton(name, protocol):
        if not path.startswith(f"{name}/"):
            continue
        if path.removeprefix(f"{name}/") in left:
            old, new = (
                one.replace("NAME", name) for one in left.pop(path.removeprefix(f"{name}/"))
            )
            assert old in text, f"{path}: nothing to replace: {old}"
            text = text.replace(old, new, 1)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    assert not left
    entry(folder, name, name)
    monkeypatch.syspath_prepend(folder)
    return name


def entry(folder: Path, distribution: str, name: str, package: str | None = None) -> None:
    """Write the metadata of an installed package, with the entry point of a game."""
    info = folder / f"{distribution}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[koth.games]\n{name} = {package or name}\n")
