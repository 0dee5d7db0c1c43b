"""``koth pack`` and ``koth unpack``, and the commands that read what is packed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from koth.cli.main import status
from schema.bundle import write
from tests.factories import SEED
from tests.koth.commands import Koth
from tests.replay.log_factory import tournament_folder


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tournament of 12 matches, a little evidence, and their archive."""
    folder = tmp_path_factory.mktemp("packed")
    tournament_folder(folder / "spring")
    (folder / "spring" / "evidence").mkdir()
    note = '{"seq":2,"seat":0,"ask":"turn","ms":1.5}\n'
    (folder / "spring" / "evidence" / "1-000000.jsonl").write_text(note)
    assert status(["pack", str(folder / "spring"), "-o", str(folder / "archive")]) == 0
    return folder


@pytest.fixture
def spring(packed: Path, tmp_path: Path) -> Path:
    """The tournament."""
    return Path(shutil.copytree(packed / "spring", tmp_path / "spring"))


@pytest.fixture
def bundle(packed: Path, spring: Path) -> Path:
    """The same tournament, packed."""
    archive = Path(shutil.copytree(packed / "archive", spring.parent / "archive"))
    return archive / "spring.jsonl.zst"


def test_pack_and_unpack(koth: Koth, spring: Path, tmp_path: Path) -> None:
    """Each bundle is named when it is packed; the unpacked tournament verifies as before."""
    packed, again = (koth("pack", spring, "-o", tmp_path / "archive") for _ in range(2))
    assert (packed.code, packed.err, again.code, again.err) == (0, "", 0, "")
    bundle = tmp_path / "archive" / "spring.jsonl.zst"
    size = sum(path.stat().st_size for path in spring.rglob("*.jsonl"))
    told = f"{bundle}: packed, 14 files, {size} bytes in {bundle.stat().st_size}\n"
    assert packed.out == told
    assert again.out == packed.out.replace("packed", "already packed", 1)
    unpacked = koth("unpack", tmp_path / "archive", "-o", tmp_path / "back")
    assert (unpacked.code, unpacked.out, unpacked.err) == (0, f"{tmp_path}/back/spring\n", "")
    one, two = koth("verify", spring), koth("verify", tmp_path / "back" / "spring")
    assert two.out == one.out.replace(str(spring), f"{tmp_path}/back/spring")


def test_a_file_is_no_folder_to_unpack_into(koth: Koth, bundle: Path) -> None:
    """It is wrong usage, and the file stays."""
    before = bundle.read_bytes()
    told = koth.complaint("unpack", bundle, "-o", bundle)
    assert told == f"{bundle}: expected a folder, found a file."
    assert bundle.read_bytes() == before


@pytest.mark.parametrize("name", ["", ".", "..", "a\nb", "\x1b[31m"])
def test_a_bundle_that_names_no_folder(name: str, koth: Koth, bundle: Path) -> None:
    """A bundle whose folder would have no name, or one that is not printable, must be renamed."""
    archive = bundle.parent
    bundle = bundle.rename(archive / f"{name}.jsonl.zst")
    told = f"{bundle}: expected the name of a folder, printable, before .jsonl.zst. "
    told = told.replace("\n", "\\n").replace("\x1b", "\\x1b") + "Rename the bundle."
    assert koth.complaint("unpack", bundle, "-o", archive.parent / "back") == told
    assert koth.complaint("unpack", archive, "-o", archive.parent / "back") == told
    assert koth.complaint("pack", "-o", archive) == told
    assert not (archive.parent / "back").exists()


def test_a_bundle_without_a_tournament(koth: Koth, bundle: Path) -> None:
    """A bundle of somebody else that lacks the log of its tournament is named."""
    odd = bundle.with_name("odd.jsonl.zst")
    write([("matches/1-000000.jsonl", b"{}\n")], odd)
    told = koth.complaint("pack", "-o", bundle.parent, code=4)
    assert told == f"{odd}/tournament.jsonl: there is no such file in the bundle."


def test_a_match_in_a_damaged_bundle(koth: Koth, bundle: Path) -> None:
    """The message says that the bundle is damaged, not that it has no such match."""
    bundle.write_bytes(bundle.read_bytes()[:-9])
    assert "the bundle is damaged" in koth.complaint("explain", bundle, "1-000001", code=1)


@pytest.mark.parametrize("words", [("sql", "FROM standings"), ("leaderboard",)])
def test_parquet_that_was_changed_is_named(
    words: tuple[str, ...], koth: Koth, spring: Path, bundle: Path
) -> None:
    """If Parquet files differ from their bundle, koth reads the bundle, and a message says so."""
    command, *query = words
    before = koth(command, bundle, *query)
    assert (before.code, before.err) == (0, "")
    for path in (bundle.parent / "parquet").rglob("*.parquet"):
        path.write_bytes(path.read_bytes() + b"PAR1")
    after = koth(command, bundle, *query)
    assert (after.code, after.out) == (0, before.out)
    assert after.err.startswith(f"koth: {bundle}: {bundle.parent}/parquet/")
    assert "is not the file that the bundle vouches for. The bundle was read; " in after.err


@pytest.mark.parametrize("jobs", [1, 2])
def test_verify_an_archive(jobs: int, koth: Koth, bundle: Path) -> None:
    """Every log of a bundle gets its verdict, and is shown as the bundle and its path inside."""
    typed = koth("verify", bundle.parent, "--jobs", jobs)
    assert (typed.code, typed.err) == (0, "")
    assert f"verified  {bundle}/matches/1-000011.jsonl: " in typed.out
    assert typed.out.endswith("13 logs: 13 verified\n")


def test_verify_a_damaged_bundle(koth: Koth, spring: Path, bundle: Path) -> None:
    """A damaged bundle is corrupt, also together with other logs and as JSON."""
    bundle.write_bytes(bundle.read_bytes()[:-1])
    typed = koth("verify", bundle.parent, spring)
    assert (typed.code, typed.err) == (1, "")
    assert f"corrupt  {bundle}: the bundle is damaged: " in typed.out
    assert typed.out.endswith("14 logs: 1 corrupt, 13 verified\n")
    [log] = koth("verify", bundle, "--format", "json").json["logs"]
    assert (log["path"], log["verdict"], log["line"]) == (str(bundle), "corrupt", None)


@pytest.mark.parametrize(
    "words",
    [
        "replay LOG --at 5",
        "explain LOG 2",
        "diff LOG LOG",
        "audit LOG --rule coup/coins_do_not_add_up",
    ],
)
def test_a_log_in_a_bundle(words: str, koth: Koth, spring: Path, bundle: Path) -> None:
    """A command says the same of a log in a bundle as of the same log in its folder."""
    inner = "matches/1-000000.jsonl"
    here, there = (koth(*words.replace("LOG", str(at / inner)).split()) for at in (spring, bundle))
    assert here.code == there.code == 0
    assert there.out.replace(str(bundle), str(spring)) == here.out
    assert here.out


def test_explain_finds_the_evidence_in_the_bundle(koth: Koth, bundle: Path) -> None:
    """The referee's note on an answer comes out of the same bundle."""
    shown = koth("explain", bundle / "matches" / "1-000000.jsonl", 2, "--format", "json").json
    assert shown["evidence"]["ms"] == 1.5


def test_a_bundle_is_no_log(koth: Koth, bundle: Path) -> None:
    """A bundle is wrong usage for a command that needs one log; so is a log missing from it."""
    told = koth.complaint("replay", bundle)
    assert told.startswith(f"{bundle}: expected one log, found several")
    told = koth.complaint("replay", bundle / "matches" / "9-000000.jsonl")
    assert told == f"{bundle}/matches/9-000000.jsonl: there is no such file or folder."


def test_a_damaged_bundle_is_a_finding_everywhere(koth: Koth, bundle: Path, tmp_path: Path) -> None:
    """Each command that reads a damaged bundle names it in one sentence, and exits with 1."""
    bundle.write_bytes(b"\0" + bundle.read_bytes()[1:])
    for words in (
        ["replay", bundle / "tournament.jsonl"],
        ["explain", bundle / "tournament.jsonl", 1],
        ["verify", bundle / "matches"],
        ["unpack", bundle.parent, "-o", tmp_path / "back"],
        ["pack", "-o", bundle.parent],
    ):
        told = koth.complaint(*words, code=1)
        assert told.startswith(f"{bundle}: the bundle is damaged: ")
    assert f"{bundle}: not read, corrupt: the bundle is damaged" in koth("audit", bundle).out


def test_exit_codes(koth: Koth, spring: Path, tmp_path: Path) -> None:
    """An unsealed tournament is a finding, no tournament wrong usage, no bundle nothing to do."""
    archive = tmp_path / "archive"
    assert koth.complaint("pack", tmp_path, "-o", archive).startswith(f"{tmp_path}: expected a")
    koth.complaint("unpack", tmp_path, "-o", tmp_path / "back", code=3)
    log = spring / "tournament.jsonl"
    log.write_bytes(log.read_bytes().rpartition(b'{"seq"')[0])
    told = koth.complaint("pack", spring, "-o", archive, code=1)
    assert told.startswith("spring: this tournament is not sealed")
    assert not archive.exists()


def test_the_seed_is_in_no_bundle(koth: Koth, spring: Path, tmp_path: Path) -> None:
    """The private seed of a tournament is left where it is."""
    (spring / "seed.private").write_text(SEED)
    koth("pack", spring, "-o", tmp_path / "archive")
    koth("unpack", tmp_path / "archive", "-o", tmp_path / "back")
    assert not (tmp_path / "back" / "spring" / "seed.private").exists()
