"""A tournament's folder, changed as a whole: its log and those of its matches fit no more."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from replay.signatures import signing, verification
from replay.signatures.signer import ExpectedSigner
from replay.tournament_links import CHANGED, MISSING, LogSummary, Mismatch, mismatches
from replay.verify import verify, verify_all
from schema import bundle
from schema.discovery import logs
from schema.reader import parse, read
from schema.signed_note import PrivateKey
from tests.corpus.honest import imported, sealed_without_seed
from tests.factories import SEED, Events, loads, sealed, write
from tests.koth.commands import Koth
from tests.replay.edits import edited
from tests.replay.log_factory import (
    findings,
    hex_seed,
    random_match,
    tournament_events,
    tournament_folder,
)


def test_a_match_that_is_dropped_is_missed(tmp_path: Path) -> None:
    """A match whose log is missing breaks the chain, and is named."""
    tournament_folder(tmp_path)
    (tmp_path / "matches/1-000003.jsonl").unlink()
    found = findings(tmp_path)
    assert {name: one.verdict for name, one in found.items()} == {"tournament.jsonl": "forged"}
    assert "1-000003.jsonl" in found["tournament.jsonl"].reason
    assert "more" not in found["tournament.jsonl"].reason
    assert found["tournament.jsonl"].line == 5


def test_a_match_that_is_added_is_found(tmp_path: Path) -> None:
    """A match that verifies, but that the tournament does not know, breaks the chain."""
    tournament_folder(tmp_path)
    write(tmp_path / "matches/1-000099.jsonl", random_match(1), hex_seed(1))
    found = findings(tmp_path)
    assert list(found) == ["tournament.jsonl"]
    assert "1-000099.jsonl" in found["tournament.jsonl"].reason
    assert found["tournament.jsonl"].line == 1


def test_a_match_that_is_added_in_a_bundle_is_found(tmp_path: Path) -> None:
    """A bundle among the matches holds matches, too, at its root and below."""
    log = tournament_folder(tmp_path / "spring")[-1]
    match, packed = random_match(1), log.parent / "matches/more.jsonl.zst"
    data = sealed(match, hex_seed(1))
    for name in ("1-000099.jsonl", "matches/1-000000.jsonl"):
        bundle.write([(name, data)], packed)
        found = findings(tmp_path)["tournament.jsonl"]
        assert (found.verdict, found.line) == ("forged", 1)
        assert found.reason.startswith(f"{packed / name}: added: expected no such match")
    bundle.write([("1-000000.jsonl", data)], log.parent / "more.jsonl.zst")
    packed.unlink()
    assert findings(tmp_path) == {}


def test_logs_named_in_the_folder_of_matches_belong_to_their_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The working folder and the spelling of paths change no verdict."""
    matches = tournament_folder(tmp_path)[0].parent
    monkeypatch.chdir(matches)
    own = Path("../tournament.jsonl")
    paths = [own, *(Path(path.name) for path in matches.iterdir())]
    [told] = [one for one in verify_all(paths) if one.path == str(own)]
    assert (told.verdict, "not looked at" in told.reason) == ("verified", False)
    write(matches / "1-000099.jsonl", random_match(1), hex_seed(1))
    told = [*verify_all([*paths, Path("1-000099.jsonl")])][-1]
    assert (told.path, told.verdict) == (str(own), "forged")
    assert "1-000099.jsonl: added" in told.reason


def test_a_match_of_another_tournament_is_found(tmp_path: Path) -> None:
    """A match log with the right name, out of a tournament with another seed, breaks the chain."""
    tournament_folder(tmp_path / "one")
    tournament_folder(tmp_path / "two", hex_seed(2))
    other = (tmp_path / "two/matches/1-000002.jsonl").read_bytes()
    (tmp_path / "one/matches/1-000002.jsonl").write_bytes(other)
    found = findings(tmp_path / "one")
    assert found["tournament.jsonl"].verdict == "forged"
    assert "1-000002.jsonl: seed" in found["tournament.jsonl"].reason


def test_two_matches_that_change_places_are_found(tmp_path: Path) -> None:
    """The names of two match logs exchanged break the chain."""
    tournament_folder(tmp_path)
    one, other = tmp_path / "matches/1-000000.jsonl", tmp_path / "matches/1-000001.jsonl"
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    assert findings(tmp_path)["tournament.jsonl"].verdict == "forged"


def _renamed(events: Events) -> Events:
    return edited(events, 0, "players[0].name", "somebody")


def _another_bot(events: Events) -> Events:
    return edited(events, 0, "players[1].bot", "0" * 64)


def _another_tournament(events: Events) -> Events:
    return edited(events, 0, "tournament", "autumn")


def _another_setting(events: Events) -> Events:
    return edited(events, 0, "settings.time_limit_s", 3)


@pytest.mark.parametrize("change", [_renamed, _another_bot, _another_tournament, _another_setting])
def test_inputs_of_a_match_are_held_against_the_tournament(
    change: Callable[[Events], Events], tmp_path: Path
) -> None:
    """A match is forged if an input of its rules differs from its tournament."""
    path = tournament_folder(tmp_path)[4]
    data = path.read_bytes()
    seed = data[data.index(b'"seed":"') + 8 :][:64].decode()
    path.write_bytes(sealed(change(loads(data)), seed))
    found = findings(tmp_path)
    assert {name: one.verdict for name, one in found.items()} == {"tournament.jsonl": "forged"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("reason", "drawn"),
        ("winners", []),
        ("seal", "0" * 64),
        ("faults", [{"seat": 0, "kind": "crash"}]),
    ],
)
def test_reports_of_a_match_are_held_against_its_log(
    field: str, value: Any, tmp_path: Path
) -> None:
    """A tournament's log is forged if a value copied from a match differs from the match's log."""
    tournament_folder(tmp_path)
    events = tournament_events()
    [seq, *_] = [
        n for n, event in enumerate(events) if event["type"] == "match_played" and event["winners"]
    ]
    assert events[seq][field] != value
    write(tmp_path / "tournament.jsonl", edited(events, seq, field, value), SEED)
    found = findings(tmp_path)
    assert {name: one.verdict for name, one in found.items()} == {"tournament.jsonl": "forged"}
    assert found["tournament.jsonl"].line == seq + 1


def test_a_match_log_that_is_corrupt_is_found_once(tmp_path: Path) -> None:
    """A corrupt log among the matches is a finding of its own, of which its tournament is free."""
    path = tournament_folder(tmp_path)[4]
    path.write_bytes(path.read_bytes().replace(b"answered", b"answerer", 1))
    added = path.with_name("1-000099.jsonl")
    added.write_bytes(path.read_bytes())
    found = findings(tmp_path)
    assert {name: one.verdict for name, one in found.items()} == dict.fromkeys(
        [path.name, added.name], "corrupt"
    )


def test_a_log_that_changes_while_it_is_verified(tmp_path: Path) -> None:
    """A problem whose logs have changed since then is named without a line."""
    *_, match, log = tournament_folder(tmp_path)
    changed = Mismatch(match, match.stem)
    was = match.read_bytes()
    for data in (was, log.read_bytes(), b"damaged\n"):
        match.write_bytes(data)
        assert changed.describe(log) == (f"{match}: {CHANGED}", None)
    match.unlink()
    assert changed.describe(log) == (f"{match}: {CHANGED}", None)
    assert Mismatch(match, "9-000000", MISSING).describe(log) == (f"{match}: {MISSING}", None)


def test_the_order_of_the_arguments_does_not_matter(tmp_path: Path) -> None:
    """A tournament's log that is named before its matches is compared with them too."""
    paths = tournament_folder(tmp_path)
    swapped = [*paths[:2], paths[3], *paths[3:]]
    paths[2].write_bytes(swapped[2].read_bytes())
    told = {one.path: one.verdict for one in verify_all(reversed(paths))}
    assert told[str(paths[-1])] == "forged"


def test_verdicts_are_in_the_order_of_the_logs(tmp_path: Path) -> None:
    """A tournament's log follows its matches, but keeps its place if it is damaged."""
    paths = tournament_folder(tmp_path)
    log, *matches = given = [paths[-1], *paths[:-1]]
    assert [one.path for one in verify_all(given)] == [*map(str, matches), str(log)]
    log.write_bytes(b"damaged\n")
    assert [one.path for one in verify_all(given)] == [*map(str, given)]


def test_a_copy_of_a_match_with_another_suffix_is_found(tmp_path: Path) -> None:
    """A log whose name has the id of a match, but not its suffix, is none of the tournament's."""
    paths = tournament_folder(tmp_path)
    for name in ("1-000000", "1-000000.json"):
        copy = paths[0].with_name(name)
        copy.write_bytes(paths[0].read_bytes())
        told = {one.path: one.reason for one in verify_all([*paths, copy])}
        assert f"{copy}: added: " in told[str(paths[-1])]


# --- More than one log of a tournament, or one under another name --------------------------------


def swapped() -> Events:
    """The tournament's events with two entrants' names exchanged: it verifies by itself."""
    names = ["bot1", "bot0"]
    events = tournament_events()
    for entrant, name in enumerate(names):
        events = edited(events, 0, f"entrants[{entrant}].name", name)
    return events


def forged(folder: Path) -> dict[str, str]:
    """Why logs below ``folder`` are forged, by file name; nothing else is wrong with any."""
    found = findings(folder)
    assert {one.verdict for one in found.values()} <= {"forged"}
    return {name: one.reason for name, one in found.items()}


@pytest.mark.parametrize("name", ["a.jsonl", "tournament-copy.jsonl", "z.jsonl"])
def test_every_log_of_a_tournament_is_held_against_the_matches(name: str, tmp_path: Path) -> None:
    """An honest copy beside an edited log hides nothing, wherever it is in the order."""
    honest = tournament_folder(tmp_path)[-1]
    (tmp_path / name).write_bytes(honest.read_bytes())
    assert findings(tmp_path) == {}
    write(honest, swapped(), SEED)
    assert "players" in forged(tmp_path)["tournament.jsonl"]
    honest.rename(tmp_path / "0.jsonl")
    assert list(forged(tmp_path)) == ["0.jsonl"]


def test_the_log_of_a_tournament_may_come_first(tmp_path: Path) -> None:
    """A log whose name sorts before its matches is compared with them too."""
    log = tournament_folder(tmp_path)[-1].rename(tmp_path / "final.jsonl")
    assert findings(tmp_path) == {}
    (tmp_path / "matches/1-000003.jsonl").unlink()
    assert "1-000003.jsonl: missing: " in forged(tmp_path)[log.name]
    write(log, swapped(), SEED)
    assert list(forged(tmp_path)) == [log.name]


@pytest.mark.parametrize("name", ["tournament.jsonl", "final.jsonl"])
def test_a_tournament_in_a_folder_called_matches(name: str, tmp_path: Path) -> None:
    """The folder of a tournament may be called as that of its matches is, in any order."""
    paths = tournament_folder(tmp_path / "matches")
    paths[-1] = paths[-1].rename(tmp_path / "matches" / name)
    assert findings(tmp_path) == {}
    paths[3].unlink()
    assert list(forged(tmp_path)) == [name]
    told = {one.path: one.verdict for one in verify_all([paths.pop(), *paths[:3], *paths[4:]])}
    assert told[str(tmp_path / "matches" / name)] == "forged"


# --- Something else in the place of a log --------------------------------------------------------


def test_what_is_no_file_is_no_match(tmp_path: Path) -> None:
    """A folder or a pipe with the name of a match's log does not replace it."""
    paths = tournament_folder(tmp_path)
    paths[1].unlink()
    paths[1].mkdir()
    assert (
        "missing: this match was played, its log is not there"
        in forged(tmp_path)["tournament.jsonl"]
    )
    paths[1].rmdir()
    os.mkfifo(paths[1])
    assert (
        "missing: this match was played, its log is not there"
        in forged(tmp_path)["tournament.jsonl"]
    )


def test_the_log_of_a_tournament_is_no_match(tmp_path: Path) -> None:
    """A log of a tournament, also its own, is found in the place of a match, and among them."""
    *_, match, log = tournament_folder(tmp_path, entrants=2, rounds=1)
    was = match.read_bytes()
    for other in (sealed(tournament_events(hex_seed(2)), hex_seed(2)), log.read_bytes()):
        match.write_bytes(other)
        assert "another log: expected that of this match" in forged(tmp_path)[log.name]
        match.write_bytes(was)
        extra = match.with_name("tournament.jsonl")
        extra.write_bytes(other)
        assert "expected no such match" in forged(tmp_path)[log.name]
        extra.unlink()


def test_one_match_is_not_its_tournament(tmp_path: Path) -> None:
    """The log of a tournament of one match does not replace that match, though both agree."""
    *_, match, log = tournament_folder(tmp_path)
    events = loads(log.read_bytes())[:-1]
    one = next(event for event in events if event.get("match") == match.stem)
    events = [events[0], one, {"type": "tournament_finished", "standings": []}]
    links = LogSummary.of(parse(sealed(events), log)).fingerprints()
    assert links.matches is not None
    assert [*mismatches(log, links.matches, {match.name: links}, lambda place: True)]
    match_links = LogSummary.of(read(match)).fingerprints()
    assert not [*mismatches(log, links.matches, {match.name: match_links}, lambda place: True)]


def test_a_match_below_the_matches_is_extra(tmp_path: Path) -> None:
    """A log in a folder below that of the matches is no match of the tournament."""
    paths = tournament_folder(tmp_path)
    below = tmp_path / "matches/more"
    below.mkdir()
    write(below / "1-000099.jsonl", random_match(1), hex_seed(1))
    assert "more/1-000099.jsonl: added: " in forged(tmp_path)["tournament.jsonl"]
    paths[2].rename(below / "1-000099.jsonl")
    assert "; and 1 more" in forged(tmp_path)["tournament.jsonl"]


def test_a_match_in_the_place_of_the_tournament(tmp_path: Path) -> None:
    """With matches beside it, a log called as the tournament's has to be that."""
    match, *_, log = tournament_folder(tmp_path)
    log.write_bytes(match.read_bytes())
    assert "found a match's" in forged(tmp_path)["tournament.jsonl"]
    assert findings(tmp_path)["tournament.jsonl"].line == 1
    lone = tmp_path / "lone"
    lone.mkdir()
    log.rename(lone / log.name)
    assert findings(tmp_path) == {}


def test_a_match_above_a_tournament_hides_nothing_of_it(tmp_path: Path) -> None:
    """A tournament below a match that only has its name is compared with its own matches."""
    inner = tmp_path / "matches/inner"
    match, *_, log = tournament_folder(inner)
    (tmp_path / log.name).write_bytes(match.read_bytes())
    match.unlink()
    found = {one.path: one.reason for one in verify_all(logs([tmp_path])) if not one.fine}
    assert list(found) == [str(log), str(tmp_path / log.name)]
    assert "missing: " in found[str(log)]
    assert "found a match's" in found[str(tmp_path / log.name)]


# --- Without its matches -------------------------------------------------------------------------


def without_matches(folder: Path) -> Path:
    """The log of a tournament that has lost its matches."""
    *matches, log = tournament_folder(folder)
    for match in matches:
        match.unlink()
    log.with_name("matches").rmdir()
    return log


def test_matches_that_are_all_gone_are_missed(tmp_path: Path) -> None:
    """In a folder that is verified, a tournament that was played has matches."""
    log = without_matches(tmp_path)
    assert "1-000000.jsonl: missing: " in forged(tmp_path)[log.name]
    log.with_name("matches").write_bytes(b"")
    assert "; and 11 more" in forged(tmp_path)[log.name]


def test_a_tournaments_log_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The log given alone has its own verdict, which says what was not looked at."""
    koth = Koth(capsys)
    log = without_matches(tmp_path)
    assert koth("verify", tmp_path).code == 1
    told = koth("verify", log)
    assert told.code == 0
    assert "; 12 of its 12 matches were not looked at" in told.out
    log = log.rename(tmp_path / "spring.jsonl")
    told = koth("verify", tmp_path)
    assert told.code == 0
    assert "; 12 of its 12 matches were not looked at" in told.out


def test_a_tournaments_log_and_some_matches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """If files are given one by one, the other matches must exist, but are not checked."""
    koth = Koth(capsys)
    *matches, log = tournament_folder(tmp_path)
    told = koth("verify", log, *matches[:5])
    assert told.code == 0
    assert "; 7 of its 12 matches were not looked at" in told.out
    assert "not looked at" not in koth("verify", log, matches[0].parent).out
    matches[7].unlink()
    assert koth("verify", log, *matches[:5]).code == 1
    matches[7].mkdir()
    for home in (matches[0].parent, tmp_path):
        assert "missing: " in koth("verify", log, home).out


# --- Imported ------------------------------------------------------------------------------------


def test_an_imported_tournament_over_matches_that_were_played(tmp_path: Path) -> None:
    """A tournament whose matches committed to seeds was not seen elsewhere."""
    *matches, log = tournament_folder(tmp_path)
    log.write_bytes(sealed_without_seed(imported(tournament_events())))
    assert "an imported log" in forged(tmp_path)["tournament.jsonl"]
    assert findings(tmp_path)["tournament.jsonl"].line == 1
    for match in matches:
        match.write_bytes(sealed_without_seed(imported(loads(match.read_bytes())[:-1])))
    assert findings(tmp_path) == {}
    matches[0].write_bytes(b"damaged\n")
    assert list(findings(tmp_path)) == [matches[0].name]
    for match in matches:
        match.unlink()
    assert findings(tmp_path) == {}


def test_an_imported_tournament_beside_one_that_was_played(tmp_path: Path) -> None:
    """Only a match needs a seed because its tournament has one; a tournament stands for itself."""
    tournament_folder(tmp_path / "spring")
    elsewhere = tmp_path / "spring/elsewhere.jsonl"
    elsewhere.write_bytes(sealed_without_seed(imported(tournament_events())))
    assert verify(elsewhere).verdict == "imported"


def test_imported_matches_under_another_name_of_the_tournament(tmp_path: Path) -> None:
    """A match that lost its seed is found however the log of its tournament is called."""
    *_, match, log = tournament_folder(tmp_path)
    log.rename(tmp_path / "final.jsonl")
    match.write_bytes(sealed_without_seed(imported(loads(match.read_bytes())[:-1])))
    assert "another log: expected that of this match" in forged(tmp_path)["final.jsonl"]


# --- Names ---------------------------------------------------------------------------------------


def test_swapped_names_verify_unless_they_are_signed(tmp_path: Path) -> None:
    """Names and hashes follow from no seed: only the published first line and a signature bind."""
    *matches, last = tournament_folder(tmp_path)
    key = PrivateKey("example.com/spring", b"k" * 32)
    signing.sign(tmp_path, key, key.name)
    own = loads(last.read_bytes())
    one, two = ({key: own[0]["entrants"][n][key] for key in ("name", "bot")} for n in (0, 1))
    other = {one["name"]: two, two["name"]: one}

    def swap(people: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [person | other.get(person["name"], {}) for person in people]

    seals = {}
    for log in matches:
        events = loads(log.read_bytes())
        events[0]["players"] = swap(events[0]["players"])
        log.write_bytes(sealed(events, events[-1]["seed"]))
        seals[log.stem] = loads(log.read_bytes())[-1]["sha256"]
    own[0]["entrants"] = swap(own[0]["entrants"])
    own = [event | {"seal": seals[event["match"]]} if "seal" in event else event for event in own]
    last.write_bytes(sealed(own, own[-1]["seed"]))
    found = [*verify_all(logs([tmp_path]))]
    assert {one.verdict for one in found} == {"verified"}
    pinned = ExpectedSigner(key.public, key.name)
    told = verification.check_signatures(logs([tmp_path]), found, pinned)
    assert {one.verdict for one in told} == {"forged"}
