"""The second verifier agrees with ``koth verify`` on everything that needs no rules."""

from __future__ import annotations

import ast
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import nullcontext, redirect_stderr, redirect_stdout
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Annotated, Any
from unittest.mock import patch

import pytest
from pydantic import Field, TypeAdapter, ValidationError

from replay.signatures import keys, signing, verification
from replay.signatures.signer import ExpectedSigner
from replay.verify import verify_all
from schema import discovery, merkle, signed_note
from schema.errors import NothingToDo
from schema.signed_note import PrivateKey
from tests.corpus.honest import plain, refielded
from tests.factories import sealed
from tests.golden.make import HERE as GOLDEN
from tests.sampling import is_sampled, one_in

ROOT = Path(__file__).parents[2]
FILE = ROOT / "independent" / "koth_check.py"
CORPUS = ROOT / "tests" / "corpus"
NAMES = sorted(path.parent.name for path in CORPUS.glob("*/expected.toml"))
ORIGIN = "spring.example/2026"

if not FILE.exists():
    pytest.skip("the wheel does not have the second verifier", allow_module_level=True)


@cache
def loaded() -> Any:
    """Return the file as a module; it reads the schemas of a folder once, which takes long."""
    spec = spec_from_file_location("koth_check", FILE)
    assert spec
    assert spec.loader
    module: Any = module_from_spec(spec)
    sys.modules["koth_check"] = module  # its dataclasses look for it there
    spec.loader.exec_module(module)
    module.read_schemas = cache(module.read_schemas)
    return module


def run(*words: object) -> tuple[int, str]:
    """Run the command in this process; return its exit status and its output."""
    out = io.StringIO()
    with (
        patch.object(sys, "argv", [str(FILE), *map(str, words)]),
        redirect_stdout(out),
        redirect_stderr(out),
    ):
        try:
            status = loaded().main()
        except SystemExit as error:  # of a wrong command line
            status = int(error.code or 0)
    return status, out.getvalue()


def verdicts(home: Path, *words: object) -> dict[str, str]:
    """Return the verdict on each log of a folder, by path; the exit status must fit."""
    status, out = run(*words)
    by_path = dict(re.findall(rf"^{re.escape(str(home))}/(.+?): ([a-z]+): .", out, re.MULTILINE))
    assert len(by_path) == out.count("\n")
    assert status == (0 if {*by_path.values()} <= {"sound", "imported"} else 1)
    return by_path


def expected(home: Path, *paths: Path, pinned: ExpectedSigner | None = None) -> dict[str, str]:
    """Return the expected verdicts on the logs at these paths, from ``koth verify``."""
    logs = discovery.logs(paths)
    verdicts = verification.check_signatures(logs, verify_all(logs, given={*paths}), pinned)
    by_path = {str(Path(verdict.path).relative_to(home)): verdict.verdict for verdict in verdicts}
    for path in [path for path, verdict in by_path.items() if verdict == "diverged"]:
        # Without the rules a diverged match looks valid, but differs from the recorded one.
        own = f"{path.rpartition('matches/')[0]}tournament.jsonl"
        if "matches/" in path and by_path.get(own) == "verified":
            by_path[own] = "forged"
    same = {"verified": "sound", "diverged": "sound"}
    return {path: same.get(verdict, verdict) for path, verdict in by_path.items()}


def is_contest(name: str) -> bool:
    """Return whether an entry has the log of a contest, or its recipe speaks of one."""
    return "contest" in name or any((CORPUS / name).rglob("contest.jsonl"))


@pytest.mark.parametrize(
    "name",
    [name for name in NAMES if is_contest(name) or is_sampled(name, 6)],
)
def test_it_agrees_on_every_entry_of_the_corpus(name: str) -> None:
    """Both verifiers agree on each log, with key, origin and proof if the entry has them.

    In the suite these are all contests, and of the others one in six; for some of them the logs are
    also given one by one. In the long run all.
    """
    home = CORPUS / name
    entry = tomllib.loads((home / "expected.toml").read_text())
    words: list[object] = []
    for option in ("key", "origin"):
        words += [f"--{option}", entry[option]] if option in entry else []
    proof = home / entry["proof"] if "proof" in entry else None
    words += ["--proof", proof] if proof else []
    pinned = ExpectedSigner.of(entry.get("key"), entry.get("origin"), proof)
    try:
        logs = [Path(str(log)) for log in discovery.logs([home])]
    except NothingToDo:
        assert [*verdicts(home, home / "log.jsonl").values()] == ["corrupt"]
        return
    assert verdicts(home, *words, home) == expected(home, home, pinned=pinned)
    if is_sampled(name, 12):
        assert verdicts(home, *words, *logs) == expected(home, *logs, pinned=pinned)


def _removed(home: Path) -> None:
    shutil.rmtree(home / "matches")


def _one_removed(home: Path) -> None:
    (home / "matches/1-000001.jsonl").unlink()


def _renamed(home: Path) -> None:
    (home / "matches").rename(home / "Matches")


def _linked(home: Path) -> None:
    (home / "matches").rename(home / "others")
    (home / "matches").symlink_to("others")


def _linked_to_others(home: Path) -> None:
    _linked(home)
    for log in (home / "others").iterdir():
        log.write_bytes((home / "others/1-000000.jsonl").read_bytes())


def _one_linked(home: Path) -> None:
    (home / "matches/1-000001.jsonl").rename(home / "elsewhere")
    (home / "matches/1-000001.jsonl").symlink_to(home / "elsewhere")


def _one_linked_to_nowhere(home: Path) -> None:
    _one_removed(home)
    (home / "matches/1-000001.jsonl").symlink_to(home / "nowhere")


def _swapped(home: Path) -> None:
    first, other = (home / f"matches/1-00000{number}.jsonl" for number in (0, 1))
    data = first.read_bytes()
    first.write_bytes(other.read_bytes())
    other.write_bytes(data)


def _added(home: Path, name: str = "matches/1-000009.jsonl") -> None:
    (home / name).parent.mkdir(exist_ok=True, parents=True)
    shutil.copy(home / "matches/1-000001.jsonl", home / name)


def _hidden(home: Path) -> None:
    _added(home, "matches/.jsonl")


def _as_evidence(home: Path) -> None:
    _added(home, "matches/evidence/1-000009.jsonl")
    _added(home, "evidence/1-000009.jsonl")


def _nested(home: Path) -> None:
    _added(home, "matches/matches/1-000001.jsonl")


def _moved_down(home: Path) -> None:
    (home / "matches/more").mkdir()
    (home / "matches/1-000001.jsonl").rename(home / "matches/more/1-000001.jsonl")


def _a_tournament_among_the_matches(home: Path) -> None:
    shutil.copytree(home, home.parent / "copy")
    shutil.move(home.parent / "copy", home / "matches/copy")


def _a_match_for_the_tournament(home: Path) -> None:
    shutil.copy(home / "matches/1-000001.jsonl", home / "tournament.jsonl")


def _a_tournament_for_a_match(home: Path) -> None:
    shutil.copy(home / "tournament.jsonl", home / "matches/1-000001.jsonl")


def _renamed_own_log(home: Path) -> None:
    (home / "tournament.jsonl").rename(home / "final.jsonl")


def _no_own_log(home: Path) -> None:
    (home / "tournament.jsonl").unlink()


def _a_pipe_for_a_match(home: Path) -> None:
    _one_removed(home)
    os.mkfifo(home / "matches/1-000001.jsonl")


def _a_folder_for_a_match(home: Path) -> None:
    _one_removed(home)
    (home / "matches/1-000001.jsonl").mkdir()


def _torn(home: Path) -> None:
    log = home / "matches/1-000001.jsonl"
    log.write_bytes(log.read_bytes()[:-9])


def _a_hole(home: Path) -> None:
    with (home / "matches/1-000001.jsonl").open("r+b") as file:
        file.truncate(1 << 40)


def _checkpoint_gone(home: Path) -> None:
    (home / "checkpoint").unlink()


def _checkpoint_that_is_a_pipe(home: Path) -> None:
    _checkpoint_gone(home)
    os.mkfifo(home / "checkpoint")


def _checkpoint_that_is_a_device(home: Path) -> None:
    _checkpoint_gone(home)
    (home / "checkpoint").symlink_to("/dev/zero")


def _with_signatures(home: Path, lines: str) -> None:
    path = home / "checkpoint"
    path.write_bytes(path.read_bytes() + lines.encode())


def _checkpoint_over_a_megabyte(home: Path) -> None:
    _with_signatures(home, f"— witness {'A' * 1_000_000}\n")


def _an_extra_signature(home: Path) -> None:
    _with_signatures(home, "— witness AAAAAAAA\n")


def _an_extra_signature_that_is_empty(home: Path) -> None:
    _with_signatures(home, "— witness AAAA\n")


def _an_extra_signature_that_is_not_canonical(home: Path) -> None:
    _with_signatures(home, "— witness AAAAAB==\n")


def _an_extra_signature_with_a_plus(home: Path) -> None:
    _with_signatures(home, "— wit+ness AAAAAAAA\n")


def _hundred_extra_signatures(home: Path) -> None:
    _with_signatures(home, "— witness AAAAAAAA\n" * 100)


MUTATIONS = [
    value for name, value in [*globals().items()] if re.match("_[a-z]", name) and callable(value)
]


@pytest.mark.parametrize(
    "mutate",
    one_in(2, {mutate.__name__: mutate for mutate in MUTATIONS if mutate is not _with_signatures}),
)
def test_it_agrees_on_every_mutation_of_a_folder(
    mutate: Callable[[Path], None], signed: Path
) -> None:
    """Both verifiers agree on a changed folder, with and without a key.

    Each log is also given on its own, with and without its tournament's log.
    """
    home = signed / "spring"
    mutate(home)
    key = ExpectedSigner.of((signed / "key.public").read_text().strip(), ORIGIN)
    logs = [Path(str(log)) for log in discovery.logs([home])]
    own = home / "tournament.jsonl"
    named = [[home], [signed], logs, logs[:2], [log for log in logs if log == own] or logs]
    named += [[home / "matches"]] if [*(home / "matches").rglob("*.jsonl")] else []
    for paths in named:
        for pin, words in ((None, []), (key, pinned(signed))):
            assert verdicts(home.parent, *words, *paths) == expected(
                home.parent, *paths, pinned=pin
            ), (paths, bool(pin))


def odd_starts() -> Iterator[dict[str, Any]]:
    """Yield changes to a log's first event: unknown games, rules and formats, and wrong types."""
    odd: list[Any] = ["chess", "", 5, None, [], {}, True, 1.5]
    for game in odd:
        yield {"game": game}
        yield {"game": game, "players": []}
        yield {"game": game, "settings": {"a": []}}
    for rules in ["coins/2", *odd]:
        yield {"rules": rules}
    large: list[Any] = [{"a": True}, {"a": 1.5}, {"a": 2**63}, {"a": "b"}]
    for value in [*odd, *large]:
        yield {"game": "chess", "settings": value}
        yield {"settings": value}
    for format in ("koth-log/2", "koth-log/0", "koth-log/x", 2, None):
        yield {"format": format}
        yield {"format": format, "game": "chess"}


@pytest.mark.parametrize("change", list(odd_starts()), ids=str)
def test_it_agrees_on_what_it_does_not_know(change: dict[str, Any], tmp_path: Path) -> None:
    """Both verifiers agree on unknown games, rules and formats, with right and wrong types."""
    log = plain("coins")
    for name, wrong in (("start", {}), ("later", {"points": 1e3}), ("large", {"points": 2**63})):
        events = [dict(event) for event in log.events]
        events[0] |= change
        events[2] |= wrong
        (tmp_path / f"{name}.jsonl").write_bytes(sealed(events, log.seed))
    assert verdicts(tmp_path, tmp_path) == expected(tmp_path, tmp_path)


def test_all_golden_logs_are_sound() -> None:
    """All golden logs of matches and of tournaments are sound, for every game."""
    found = verdicts(GOLDEN, GOLDEN)
    assert len(found) == len([*GOLDEN.rglob("*.jsonl")]) > 0
    assert {*found.values()} == {"sound"}


# --- The file -------------------------------------------------------------------------------------


def test_it_can_be_read_at_a_sitting() -> None:
    """The file has at most 1,000 lines, of at most 100 characters."""
    lines = FILE.read_text().splitlines()
    assert len(lines) <= 1_000
    assert max(map(len, lines)) <= 100


def imported() -> Iterator[str]:
    """Yield the packages that the file imports."""
    for node in ast.walk(ast.parse(FILE.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield str(node.module).partition(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)


def test_it_shares_no_code_with_the_rest() -> None:
    """The file imports the standard library and cryptography only, and loads no code by name."""
    found = {*imported()}
    assert found - {*sys.stdlib_module_names} == {"cryptography"}
    assert not found & {"importlib", "runpy", "subprocess"}
    assert not re.search(r"\b(exec|eval|__import__)\b", FILE.read_text())


CHECKED = {
    *("$ref", "type", "const", "enum", "minimum", "maximum", "minLength", "maxLength", "minItems"),
    *("maxItems", "pattern", "items", "properties", "required"),
}
IGNORED = {"title", "description", "default", "additionalProperties"}
"""Keywords that the file need not check, because it always refuses undeclared fields."""


def schemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a schema and the schemas in it."""
    yield schema
    for part in [*schema.get("properties", {}).values(), schema.get("items")]:
        yield from schemas(part) if part else ()


@pytest.mark.parametrize("file", sorted((ROOT / "schema" / "json").glob("*.json")), ids=str)
def test_it_checks_every_keyword_of_the_schemas(file: Path) -> None:
    """The schemas use only keywords that the file checks, and names that fit their types.

    Only the settings have several versions; the file chooses the one with the title of the rules.
    """
    definitions: dict[str, Any] = json.loads(file.read_text())["$defs"]
    settings = definitions.pop("Settings")
    assert [*settings] == ["anyOf"]
    for name, definition in [*definitions.items(), *enumerate(settings["anyOf"])]:
        for schema in schemas(definition):
            assert {*schema} <= CHECKED | IGNORED
            assert "$ref" in schema or "type" in schema
            assert schema.get("additionalProperties", False) is False
            assert re.fullmatch(r"\^.*\$", schema.get("pattern", "^$"))
        kind = definition["properties"].get("type", {}).get("const")
        assert kind is None or kind.title().replace("_", "") == name


# --- Signatures -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def signed_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a signed tournament, its key, another key, and a proof."""
    folder = tmp_path_factory.mktemp("signed")
    home = folder / "spring"
    shutil.copytree(CORPUS / "honest_tournament_of_coins", home)
    for name in ("key", "other"):
        key = keys.make_key(ORIGIN, folder / f"{name}.private")
        (folder / f"{name}.public").write_text(f"{key}\n")
    signing.sign(home, keys.private_key(folder / "key.private"), ORIGIN)
    signing.prove(home, "1-000001", folder / "proof")
    return folder


@pytest.fixture
def signed(signed_once: Path, tmp_path: Path) -> Path:
    """Return a copy of that folder, to be changed."""
    return shutil.copytree(signed_once, tmp_path, dirs_exist_ok=True)


def pinned(signed: Path, key: str = "key", origin: str = ORIGIN) -> list[object]:
    """Return the options for a key in a file and its origin."""
    return ["--key", signed / f"{key}.public", "--origin", origin]


def test_a_signed_tournament_is_accepted(signed: Path) -> None:
    """A signed tournament is sound with its key in a file or as text, and without a key."""
    verdicts_without_key = expected(signed / "spring", signed / "spring")
    text = ["--key", (signed / "key.public").read_text().strip(), "--origin", ORIGIN]
    for words in (pinned(signed), text, []):
        assert verdicts(signed / "spring", *words, signed / "spring") == verdicts_without_key


@pytest.mark.parametrize(("key", "origin"), [("other", ORIGIN), ("key", "autumn")])
def test_another_key_or_origin_is_refused(signed: Path, key: str, origin: str) -> None:
    """With another key or origin, the tournament and a match with its proof are forged."""
    words = pinned(signed, key, origin)
    assert verdicts(signed / "spring", *words, signed / "spring")["tournament.jsonl"] == "forged"
    match = signed / "spring" / "matches" / "1-000001.jsonl"
    assert verdicts(match.parent, *words, "--proof", signed / "proof", match) == {
        match.name: "forged"
    }


def test_a_proof_shows_its_match_to_be_signed_and_no_other(signed: Path) -> None:
    """The match may be in any folder; without a proof, or with another's proof, it is forged."""
    for name, proof, verdict in (
        ("1-000001", True, "sound"),
        ("1-000000", True, "forged"),
        ("1-000001", False, "forged"),
    ):
        match = Path(shutil.copy(signed / "spring" / "matches" / f"{name}.jsonl", signed))
        words = [*pinned(signed), *(["--proof", signed / "proof"] if proof else []), match]
        assert verdicts(signed, *words) == {match.name: verdict}


def test_a_match_alone_is_not_shown_to_be_signed(signed: Path) -> None:
    """A match alone is forged, also with a key; with its tournament's log it is sound.

    A match that the tournament does not have is forged.
    """
    home = signed / "spring"
    match = home / "matches" / "1-000001.jsonl"
    assert verdicts(home, *pinned(signed), match) == {"matches/1-000001.jsonl": "forged"}
    both = verdicts(home, *pinned(signed), match, home / "tournament.jsonl")
    assert both == {"matches/1-000001.jsonl": "sound", "tournament.jsonl": "sound"}
    extra = Path(shutil.copy(match, match.with_name("1-000099.jsonl")))
    found = verdicts(home, *pinned(signed), home)
    forged = {path for path, verdict in found.items() if verdict == "forged"}
    assert forged == {str(extra.relative_to(home)), "tournament.jsonl"}


def test_the_log_of_a_tournament_alone(signed: Path) -> None:
    """Without its matches it is sound if it is named itself, and forged if its folder is."""
    (signed / "lone").mkdir()
    log = Path(shutil.copy(signed / "spring/tournament.jsonl", signed / "lone"))
    for named, verdict in ((log, "sound"), (log.parent, "forged")):
        assert verdicts(log.parent, named) == expected(log.parent, named) == {log.name: verdict}


def test_as_many_play_as_the_setting_says(tmp_path: Path) -> None:
    """The number of players must equal the setting `seats`, if a game has it."""
    log = plain("smallest_unique")
    seats = len(log.events[0]["players"])
    for more, verdict in ((0, "sound"), (1, "corrupt")):
        change = lambda start, more=more: start["settings"].update(seats=seats + more)  # noqa: E731
        (tmp_path / "log.jsonl").write_bytes(refielded(log, 0, change))
        assert verdicts(tmp_path, tmp_path) == {"log.jsonl": verdict}


def test_the_model_of_an_event_has_any_name(tmp_path: Path) -> None:
    """An event is found in the schema by its type: a package may call its model anything."""
    text = (ROOT / "schema/json/coins.json").read_text().replace("/Counted", "/Total")
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/coins.json").write_text(text.replace('"Counted": {', '"Total": {'))
    (tmp_path / "log.jsonl").write_bytes(plain("coins").data)
    words = ["--schema", tmp_path / "schemas", tmp_path]
    assert verdicts(tmp_path, *words) == {"log.jsonl": "sound"}


def test_every_bound_of_a_number_counts() -> None:
    """A number at an exclusive bound, or not a multiple, is corrupt, as in the model."""
    bounds = (Field(gt=100), Field(lt=100), Field(multiple_of=3))
    for value, right in ((100, (False, False, False)), (99, (False, True, True))):
        for bound, fits in zip(bounds, right, strict=True):
            adapter = TypeAdapter(Annotated[int, bound])
            with nullcontext() if fits else pytest.raises(ValidationError):
                adapter.validate_python(value)
            assert loaded().conforms(value, adapter.json_schema(), {}) == fits


def test_a_folder_of_folders(signed: Path) -> None:
    """Each tournament is compared with its own matches and checkpoint; evidence is no log."""
    shutil.copytree(signed / "spring", signed / "autumn")
    (signed / "autumn" / "checkpoint").unlink()
    (signed / "autumn" / "evidence").mkdir()
    (signed / "autumn" / "evidence" / "1-000000.jsonl").write_text("{}\n")
    assert verdicts(signed, signed) == expected(signed, signed)
    words = pinned(signed)
    key = ExpectedSigner.of(str(words[1]), ORIGIN)
    found = verdicts(signed, *words, signed)
    assert found == expected(signed, signed, pinned=key)
    assert {path.partition("/")[0] for path in found if found[path] == "forged"} == {"autumn"}


def test_the_tree_is_that_of_rfc_6962(tmp_path: Path) -> None:
    """Proofs hold for every leaf of every tree of up to 20 leaves, and at no other index."""
    module = loaded()
    files = [tmp_path / str(number) for number in range(20)]
    entries = []
    for file in files:
        file.write_text(file.name)
        entries.append(verification._digest(file))
    key = PrivateKey(ORIGIN, b"k" * 32)
    signer = module.read_signer(str(key.public), ORIGIN)
    for size in range(1, 21):
        signed = key.sign(signed_note.Checkpoint(ORIGIN, size, merkle.root(entries[:size])).text)
        (tmp_path / "checkpoint").write_bytes(signed)
        own = (tmp_path / str(size - 1)).rename(tmp_path / "own")
        module.check_checkpoint(own, files[: size - 1], signer)
        own.rename(tmp_path / str(size - 1))
        for index in range(size):
            hashes = merkle.inclusion(entries[:size], index)
            for claimed in (index, index ^ 1, size):
                proof = signed_note.Proof(claimed, hashes, signed).data
                if claimed == index:
                    module.check_proof(files[index], proof, signer)
                else:
                    with pytest.raises(module.Finding, match="forged"):
                        module.check_proof(files[index], proof, signer)


# --- The command ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--key", "a+b+c", GOLDEN),
        ("--key", "nonsense", "--origin", ORIGIN, GOLDEN),
        ("--origin", ORIGIN, GOLDEN),
        ("--proof", FILE, GOLDEN),
        ("--since", CORPUS / "signed_tournament/checkpoint", GOLDEN),
        ("--schema", CORPUS / "nowhere", GOLDEN),
        ("--schema", FILE, GOLDEN),
        (GOLDEN, GOLDEN / "nowhere.jsonl"),
        ("--nonsense", GOLDEN),
    ],
)
def test_wrong_usage_ends_with_status_2(words: tuple[object, ...]) -> None:
    """Wrong usage gives exit status 2 and no verdict."""
    status, out = run(*words)
    assert status == 2
    assert "usage: " in out
    assert "sound: " not in out


def test_a_folder_that_cannot_be_read_is_named(signed: Path) -> None:
    """Nobody is accused of the logs that may be in it."""
    matches, iterdir = signed / "spring" / "matches", Path.iterdir

    def refused(path: Path) -> Iterator[Path]:
        if path == matches:
            raise PermissionError(13, "Permission denied", str(path))
        return iterdir(path)

    with patch.object(Path, "iterdir", refused):  # root passes every real barrier
        status, out = run(signed)
    assert (status, "forged" in out) == (2, False)
    assert f"Permission denied: '{matches}'" in out


@pytest.mark.parametrize("key", ["nonsense", "a+b+c", FILE])
def test_what_is_no_key(key: object) -> None:
    """A text or a file that is no key gives the form of one."""
    assert (
        "--key: expected a key, NAME+8 hex digits+base64"
        in run("--key", key, "--origin", ORIGIN, GOLDEN)[1]
    )


def test_it_needs_nothing_around_it(tmp_path: Path) -> None:
    """A copy in another folder works with --schema; bad files get a verdict and no traceback."""
    copy = Path(shutil.copy(FILE, tmp_path))
    (tmp_path / "log.jsonl").mkdir()
    (tmp_path / "line\nfeed.jsonl").write_bytes(b"\xff\0")
    paths = [str(CORPUS / "nested_50000_deep"), "log.jsonl", "line\nfeed.jsonl"]
    command = [sys.executable, "-I", str(copy), "--schema", str(ROOT / "schema" / "json"), *paths]
    process = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (process.returncode, process.stderr) == (1, "")
    assert re.findall(": ([a-z]+): ", process.stdout) == ["corrupt"] * 3
    assert r"line\nfeed.jsonl: " in process.stdout
