"""Folders of tournaments in which one file is changed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.verify import verify_all
from schema.discovery import logs
from tests.corpus.entries import Files
from tests.corpus.honest import GAMES, TOURNAMENT, Honest, tournament
from tests.factories import sealed
from tests.fuzz import EXAMPLES
from tests.replay.edits import changes, edited

OTHER = "b" * 64


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of the tournament's folder."""
    return tmp_path_factory.mktemp("fuzz") / "spring"


def fine(home: Path, files: Files) -> bool:
    """Return whether ``koth verify`` finds nothing in a folder of these files."""
    shutil.rmtree(home, ignore_errors=True)
    (home / "matches").mkdir(parents=True)
    for path, content in files.items():
        (home / path).write_bytes(content)
    return all(verdict.fine for verdict in verify_all(logs([home])))


def one_field(data: st.DataObject, log: Honest) -> bytes:
    """Return ``log`` with one field of one event changed, sealed again with the right seed."""
    events = log.events
    seq = data.draw(st.integers(0, len(events) - 1))
    where, value = data.draw(st.sampled_from(list(changes(events[seq], ""))))
    if (seq, where) == (0, "type"):
        return log.data[:-1]
    return sealed(edited(events, seq, where, value), log.seed)


@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_no_change_of_one_file_goes_unnoticed(home: Path, data: st.DataObject) -> None:
    """A log that is missing, exchanged, cut, or edited and sealed again is found."""
    game = data.draw(st.sampled_from(GAMES))
    files = dict(tournament(game))
    matches = [path for path in files if path != TOURNAMENT]
    path, other = data.draw(st.sampled_from(matches)), data.draw(st.sampled_from(matches))
    was = dict(files)
    match data.draw(st.sampled_from(["drop", "other", "stranger", "extra", "cut", "edit"])):
        case "drop":
            del files[path]
        case "other":
            files[path] = files[other]
        case "stranger":
            files[path] = tournament(game, OTHER)[path]
        case "extra":
            files["matches/1-000077.jsonl"] = files[path]
        case "cut":
            path = data.draw(st.sampled_from(list(files)))
            files[path] = files[path][: data.draw(st.integers(0, len(files[path])))]
        case _:
            path = data.draw(st.sampled_from(list(files)))
            files[path] = one_field(data, Honest(files[path]))
    assert fine(home, files) == (files == was)
