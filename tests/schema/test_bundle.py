"""Bundles are lossless, reproducible, and strict about every byte."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema import bundle
from schema.bundle import (
    MAX_FOLDERS,
    SEAL_HEAD,
    Bundle,
    extract,
    long_file,
    reading,
    write,
    writing,
)
from schema.discovery import evidence, folder_at, home, log, logs, resolve
from schema.errors import CorruptLog, NothingToDo, UnsupportedLog, UsageError
from schema.reader import read
from schema.seal import hex_digest
from schema.zstd import zstd
from tests import factories
from tests.schema.test_writer_and_reader import full_disk

FILES = {
    "checkpoint": b"origin\n3\n",
    "evidence/1-000000.jsonl": b'{"torn',
    "matches/1-000000.jsonl": factories.sealed(
        factories.match_events(factories.scripted("q", "0"))
    ),
    "tournament.jsonl": b"",
}
WORDS = st.text(st.characters(exclude_categories=["C"], exclude_characters="/"), min_size=1)
NAMES = st.lists(WORDS.filter(lambda word: word not in (".", "..")), min_size=1, max_size=3)

TREES = st.dictionaries(NAMES.map("/".join), st.binary(max_size=50), max_size=8).filter(
    lambda files: not any(name.startswith(f"{folder}/") for name in files for folder in files)
)
"""Files by name; none of them is also a folder."""


def made(path: Path, files: Mapping[str, bytes] = FILES) -> Bundle:
    """Return a bundle of these files."""
    write(sorted(files.items()), path)
    return Bundle(path)


@contextmanager
def small_frames(frame: int, held: int) -> Iterator[None]:
    """Write frames of ``frame`` bytes, and keep frames of at most ``held`` bytes in memory."""
    with (
        patch.object(writing, "FRAME_BYTES", frame),
        patch.multiple(reading, FRAME_BYTES=frame, HELD_BYTES=held),
        patch.object(long_file, "FRAME_BYTES", frame),
    ):
        yield


def text(path: Path) -> bytes:
    """Return the output of ``zstd -dc`` for a file."""
    return zstd.decompress(path.read_bytes())


def forged(path: Path, index: bytes, *contents: bytes) -> Bundle:
    """Return a bundle of this index and these contents, with a right seal."""
    frames = b"".join(zstd.compress(one) for one in (index, *contents))
    path.write_bytes(frames + SEAL_HEAD + hex_digest(frames).encode())
    return Bundle(path)


def index(*frames: tuple[int, bytes], format: str = bundle.FORMAT, **files: bytes) -> bytes:
    """Return an index of these files and frames; a frame is (number of files, content)."""
    sizes = [(number, len(zstd.compress(content))) for number, content in frames]
    lines: list[object] = [{"format": format, "files": len(files), "frames": sizes}]
    lines += [
        {"file": name, "size": len(content), "sha256": hex_digest(content)}
        for name, content in files.items()
    ]
    return b"".join(orjson.dumps(line) + b"\n" for line in lines)


def head_of(name: str) -> bytes:
    """Return an index of one file with this name."""
    return index((1, b"x"), a=b"x").replace(b'"a"', orjson.dumps(name))


@given(
    files=TREES,
    frame=st.integers(1, 100),
    held=st.integers(0, 100),
)
@settings(max_examples=50)
def test_a_bundle_gives_back_every_byte(files: dict[str, bytes], frame: int, held: int) -> None:
    """A bundle returns each file unchanged, for any names, contents and frame size.

    This also holds for frames that are too long to be kept in memory.
    """
    with (
        TemporaryDirectory() as place,
        small_frames(frame, held),
    ):
        found = made(Path(place) / "spring.jsonl.zst", files)
        assert {entry.file: found.read(entry.file) for entry in found.entries} == files


@given(seeks=st.lists(st.tuples(st.integers(0, 70), st.integers(0, 30)), max_size=10))
@settings(max_examples=50)
def test_a_long_frame_can_be_read_anywhere(seeks: list[tuple[int, int]]) -> None:
    """A file in a long frame can be read from any position, like a file in memory."""
    content = bytes(range(60))
    with TemporaryDirectory() as place, small_frames(64, held=0):
        found = made(Path(place) / "spring.jsonl.zst", {"a": b"x" * 10, "b": content})
        with found.open("b") as file:
            for at, size in seeks:
                file.seek(at)
                assert file.read(size) == content[at : at + size]
            assert file.seek(-5, 2) == 55
            assert file.read() == content[-5:]


def test_a_file_that_does_not_compress_is_packed(tmp_path: Path) -> None:
    """A frame may be longer packed than unpacked, as that of random bytes is."""
    content = random.Random(1).randbytes(1 << 20)
    packed = made(tmp_path / "spring.jsonl.zst", {"a": content})
    assert packed.path.stat().st_size > len(content)
    assert packed.read("a") == content


@given(files=TREES)
@settings(max_examples=20)
def test_a_bundle_is_one_text(files: dict[str, bytes]) -> None:
    """Unpacked, a bundle is its index with one line per file, and then the contents in order."""
    with TemporaryDirectory() as place:
        made(Path(place) / "spring.jsonl.zst", files)
        lines = text(Path(place) / "spring.jsonl.zst").split(b"\n", len(files) + 1)
    listed = [orjson.loads(line) for line in lines[1 : len(files) + 1]]
    assert orjson.loads(lines[0])["files"] == len(files)
    assert [(line["file"], line["size"]) for line in listed] == [
        (name, len(content)) for name, content in sorted(files.items())
    ]
    assert lines[-1] == b"".join(content for _, content in sorted(files.items()))


def test_its_seal_is_the_hash_of_all_before(tmp_path: Path) -> None:
    """The last 64 bytes are the SHA-256 of all bytes but the last 72."""
    data = made(tmp_path / "spring.jsonl.zst").path.read_bytes()
    assert data[-64:] == hex_digest(data[:-72]).encode()


def test_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    """The same files give the same bytes, whatever the name of the bundle."""
    one, two = made(tmp_path / "spring.jsonl.zst"), made(tmp_path / "autumn.jsonl.zst")
    assert one.path.read_bytes() == two.path.read_bytes()
    assert (one.name, two.name) == ("spring", "autumn")


def test_any_changed_byte_is_found(tmp_path: Path) -> None:
    """A bundle with any bit changed is reported as damaged."""
    data = made(tmp_path / "spring.jsonl.zst").path.read_bytes()
    for at in range(len(data)):
        changed = tmp_path / f"{at}.jsonl.zst"
        changed.write_bytes(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :])
        with pytest.raises(CorruptLog, match=f"^{changed}: the bundle is damaged: "):
            Bundle(changed).check()


def test_any_cut_is_found(tmp_path: Path) -> None:
    """A bundle that is cut, or has bytes after its end, is damaged."""
    data = made(tmp_path / "spring.jsonl.zst").path.read_bytes()
    for at, cut in enumerate([*(data[:size] for size in range(len(data))), data + b"\n"]):
        path = tmp_path / f"{at}.jsonl.zst"
        path.write_bytes(cut)
        with pytest.raises(CorruptLog, match="the bundle is damaged"):
            Bundle(path).check()


@pytest.mark.parametrize(
    ("head", "contents"),
    [
        (b"", ()),
        (b"[]\n", ()),
        (b'{"files":0,"frames":[]}\n', ()),
        (b'{"format":"koth-bundle/1","files":0,"frames":[]}\n{}\n', ()),
        (b'{"format":"koth-bundle/1","files":0,"frames":[],"more":1}\n', ()),
        (index((1, b"x"), a=b"x", b=b""), (b"x",)),
        (index((2, b"x"), a=b"x"), (b"x",)),
        (index((1, b"x"), a=b"x"), (b"x", b"y")),
        (index((1, b"x"), a=b"x"), ()),
        (index((2, b"x"), b=b"x", a=b""), (b"x",)),
        (
            index((3, b"x"), a=b"x", b=b"", c=b"")
            .replace(b'"b"', b'"a-"')
            .replace(b'"c"', b'"a/c"'),
            (b"x",),
        ),
        (index((1, b"x"), a=b"x") + index(a=b"x").split(b"\n")[1], (b"x",)),
        (index((2, b"x"), a=b"x", b=b"").replace(b'"b"', b'"a"'), (b"x",)),
        (index((1, b"x"), (0, b""), a=b"x"), (b"x", b"")),
        *(
            (index((1, b"x"), a=b"x").replace(old, new), (b"x",))
            for old, new in (
                (b'"size":1', b'"size":true'),
                (b'"size":1', b'"size":1,"more":0'),
                (b'"size":1', b'"size":-1'),
                (b'"frames":[[1', b'"frames":[["1"'),
                (b'"files":1', b'"files":1.0'),
                (hex_digest(b"x").encode(), hex_digest(b"x").upper().encode()),
                (hex_digest(b"x").encode(), hex_digest(b"x").encode() + rb"\n"),
            )
        ),
        *(
            (head_of(name), (b"x",))
            for name in ("", "../a", "/a", "a/", "a/./b", "a\0", "é" * 2049)
        ),
    ],
)
def test_an_index_that_does_not_fit_is_refused(
    head: bytes, contents: tuple[bytes, ...], tmp_path: Path
) -> None:
    """A bundle with a right seal, but an index that no writer makes, is damaged."""
    with pytest.raises(CorruptLog, match="its index"):
        forged(tmp_path / "spring.jsonl.zst", head, *contents).check()


@pytest.mark.parametrize("held", [0, 100])
@pytest.mark.parametrize("content", [b"y", b"", b"xx"])
def test_a_content_that_does_not_fit_is_refused(
    content: bytes, held: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file whose size or hash differs from the index is not returned."""
    monkeypatch.setattr(reading, "HELD_BYTES", held)
    head = index((1, content), a=b"x")
    with pytest.raises(CorruptLog, match="is not what its index says"):
        forged(tmp_path / "spring.jsonl.zst", head, content).read("a")


@pytest.mark.parametrize("held", [0, 100])
def test_a_frame_is_what_its_index_says(held: int, tmp_path: Path) -> None:
    """A wrong frame is damaged, whether it is kept in memory or not."""
    head = index((1, b"xyz"), a=b"xyz")
    for content in (b"xyw", b"abcdefghi"):
        found = forged(tmp_path / "spring.jsonl.zst", head, content)
        with (
            patch.object(reading, "HELD_BYTES", held),
            pytest.raises(CorruptLog, match=r"is not what its index says|its index"),
        ):
            found.read("a")


NOISE = random.Random(1).randbytes(200)
CHECKED = zstd.compress(NOISE[:140], options={zstd.CompressionParameter.checksum_flag: 1})


@pytest.mark.parametrize("held", [0, 1000])
@pytest.mark.parametrize(
    "frame",
    [
        b"garbage",
        zstd.compress(NOISE)[:50],
        CHECKED[:-4],
        zstd.compress(NOISE[:1]),
        zstd.compress(NOISE),
    ],
    ids=["garbage", "cut", "without_its_checksum", "shorter", "longer"],
)
def test_a_frame_that_does_not_hold_its_files_is_refused(
    frame: bytes, held: int, tmp_path: Path
) -> None:
    """The last file of a frame that cannot be unpacked, is cut, shorter or longer is refused.

    Reading in pieces may end exactly with the frame, and more bytes may still be in it.
    """
    packed = len(zstd.compress(NOISE[:140]))
    head = index((2, NOISE[:140]), a=NOISE[:70], b=NOISE[70:140])
    head = head.replace(b"[2,%d]" % packed, b"[2,%d]" % len(frame))
    frames = zstd.compress(head) + frame
    path = tmp_path / "spring.jsonl.zst"
    path.write_bytes(frames + SEAL_HEAD + hex_digest(frames).encode())
    with (
        patch.object(reading, "HELD_BYTES", held),
        patch.object(long_file, "PACKED_BYTES", len(frame)),
        pytest.raises(CorruptLog, match="a frame is not what its index says"),
    ):
        Bundle(path).read("b")


@pytest.mark.parametrize("held", [0, 100])
def test_nothing_is_hidden_after_a_frame(held: int, tmp_path: Path) -> None:
    """Another frame in the room of one, which only ``zstd -dc`` would show, is damage."""
    one, both = (
        sum(len(zstd.compress(part)) for part in parts) for parts in ([b"x"], [b"x", b"y"])
    )
    head = index((1, b"x"), a=b"x").replace(b"[1,%d]" % one, b"[1,%d]" % both)
    found = forged(tmp_path / "spring.jsonl.zst", head, b"x", b"y")
    with (
        patch.object(reading, "HELD_BYTES", held),
        pytest.raises(CorruptLog, match="a frame is not what its index says"),
    ):
        found.read("a")


def test_an_index_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    """An index that is too large is refused before it is unpacked, with the maximum."""
    line = index(a=b"").split(b"\n")[1] + b"\n"
    head = index() + line * 800_000
    with pytest.raises(CorruptLog, match="its index is more than 32 times as long as the bundle"):
        forged(tmp_path / "spring.jsonl.zst", head).check()


def test_many_versions_of_a_bot_share_their_files(tmp_path: Path) -> None:
    """A bundle of many equal files can be read, although their lines in the index compress well."""
    versions = [f"bots/anna/{hex_digest(b'%d' % number)[:12]}" for number in range(60)]
    files = {
        f"{version}/library/module_{number:04}.py": b"%d" % number
        for version in versions
        for number in range(1000)
    }
    path = tmp_path / "cup.jsonl.zst"
    assert len(made(path, files).entries) == len(files)


def test_an_index_that_could_not_be_read_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No bundle is written with an index that is too large to be read again."""
    monkeypatch.setattr("schema.bundle.index.INDEX_FREE", 0)
    files = {f"{'a' * 4000}{number:04}": b"" for number in range(100)}
    with pytest.raises(UsageError, match="more than 32 times as long"):
        made(tmp_path / "cup.jsonl.zst", files)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("size", "packed", "told"),
    [
        (bundle.MAX_FRAME_BYTES + 1, 20, f"more than {bundle.MAX_FRAME_BYTES}"),
        (1, 1 << 40, "longer packed than unpacked"),
    ],
)
def test_a_frame_that_is_too_long_is_refused(
    size: int, packed: int, told: str, tmp_path: Path
) -> None:
    """A frame that is too long, packed or unpacked, is refused by its index."""
    about = {"format": bundle.FORMAT, "files": 1, "frames": [[1, packed]]}
    entry = {"file": "a", "size": size, "sha256": "0" * 64}
    head = b"".join(orjson.dumps(line) + b"\n" for line in (about, entry))
    with pytest.raises(CorruptLog, match=told):
        forged(tmp_path / "spring.jsonl.zst", head, b"x").check()


def test_a_frame_ends_with_the_file_that_fills_it(tmp_path: Path) -> None:
    """A frame in which a file begins after 1 MiB is refused: to read it, all before is unpacked."""
    full = bytes(1 << 20)
    for last in (b"", b"x"):
        head = index((2, full + last), a=full, b=last)
        with pytest.raises(CorruptLog, match="its index has a frame with another file after"):
            forged(tmp_path / "spring.jsonl.zst", head, full + last).check()
    head = index((2, full), a=full[1:], b=full[:1])
    assert forged(tmp_path / "spring.jsonl.zst", head, full).read("b") == full[:1]


def test_a_window_that_is_too_large_is_refused(tmp_path: Path) -> None:
    """A frame that needs too much memory is refused before it is unpacked."""
    data = bytes.fromhex("28b52ffd 00 b8 010000")  # a window of 2 ** 33 bytes, and an empty block
    (tmp_path / "spring.jsonl.zst").write_bytes(data + SEAL_HEAD + hex_digest(data).encode())
    with pytest.raises(CorruptLog, match="it does not begin with an index"):
        Bundle(tmp_path / "spring.jsonl.zst").check()


def test_a_bundle_with_a_hole_is_not_read_to_its_end(tmp_path: Path) -> None:
    """A file of a terabyte without a seal is refused at once."""
    with (tmp_path / "spring.jsonl.zst").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(CorruptLog, match="there is no seal at its end"):
        Bundle(tmp_path / "spring.jsonl.zst").check()


def test_a_log_that_was_packed_by_hand(tmp_path: Path) -> None:
    """The error of a log that another program packed says how to unpack it."""
    path = tmp_path / "1-000000.jsonl.zst"
    path.write_bytes(zstd.compress(b"".join(b'{"seq":%d}\n' % seq for seq in range(99))))
    with pytest.raises(CorruptLog, match=r"no seal at its end\. .* with `zstd -d`"):
        Bundle(path).check()


def test_a_newer_format_is_refused_by_name(tmp_path: Path) -> None:
    """An unknown format is unsupported, not damaged."""
    with pytest.raises(UnsupportedLog, match="found 'koth-bundle/2'"):
        forged(tmp_path / "spring.jsonl.zst", index(format="koth-bundle/2")).check()


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    """If a file cannot be read, neither a bundle nor a part of one is written."""

    def files() -> object:
        yield "a", b"x"
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        write(files(), tmp_path / "spring.jsonl.zst")  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    """If the disk is full, the error names the bundle, and no part of one is written."""
    target, content = tmp_path / "spring.jsonl.zst", random.Random(1).randbytes(5000)
    with full_disk(1000), pytest.raises(OSError, match=f"too large: '{target}'"):
        write([("a", content)], target)
    assert not list(tmp_path.iterdir())


def test_a_file_longer_than_a_frame_may_be_is_not_packed(tmp_path: Path) -> None:
    """The writer refuses a file that no reader would take, and packs one of the maximum size."""
    with patch.object(writing, "MAX_FILE_BYTES", 3):
        made(tmp_path / "fits.jsonl.zst", {"a": b"xxx"}).check()
        with pytest.raises(UsageError, match="expected a file of up to 3 bytes"):
            made(tmp_path / "spring.jsonl.zst", {"a": b"xxxx"})
    assert not (tmp_path / "spring.jsonl.zst").exists()


def test_small_files_share_a_frame(tmp_path: Path) -> None:
    """A frame is closed as soon as it holds enough bytes."""
    path = tmp_path / "spring.jsonl.zst"
    with small_frames(10, held=100):
        made(path, {"a": b"x" * 10, "b": b"x", "c": b"x" * 9, "d": b""})
    about = orjson.loads(text(path).partition(b"\n")[0])
    assert [files for files, _ in about["frames"]] == [1, 2, 1]


def test_extracting_gives_back_the_files(tmp_path: Path) -> None:
    """Every file is written to its path."""
    extract(made(tmp_path / "spring.jsonl.zst"), tmp_path / "spring")
    assert {name: (tmp_path / "spring" / name).read_bytes() for name in FILES} == FILES


@pytest.mark.parametrize(
    "name",
    [
        "..\\evil.jsonl",
        "C:evil.jsonl",
        "matches\\..\\..\\evil.jsonl",
        ".. /evil.jsonl",
        "evil.jsonl.",
    ],
)
def test_no_name_leads_out_of_its_folder_on_windows(name: str, tmp_path: Path) -> None:
    """A name that Windows would take for another path is refused there, and nothing is written."""
    source = made(tmp_path / "spring.jsonl.zst", {name: b"{}\n"})
    with (
        patch.object(writing, "IS_WINDOWS", True),
        pytest.raises(UsageError, match=r"expected names without .* found"),
    ):
        extract(source, tmp_path / "spring")
    assert not any((tmp_path / "spring").iterdir())
    extract(source, tmp_path / "elsewhere")
    assert (tmp_path / "elsewhere" / name).read_bytes() == b"{}\n"
    with patch.object(writing, "IS_WINDOWS", True):
        extract(made(tmp_path / "plain.jsonl.zst"), tmp_path / "plain")


def test_folders_inside_each_other(tmp_path: Path) -> None:
    """A file in a hundred folders is extracted; with one more, nothing of the bundle is."""
    name = f"matches/{'d/' * (MAX_FOLDERS - 1)}log.jsonl"
    extract(made(tmp_path / "deep.jsonl.zst", FILES | {name: b"{}\n"}), tmp_path / "deep")
    assert (tmp_path / "deep" / name).read_bytes() == b"{}\n"
    deeper = made(tmp_path / "deeper.jsonl.zst", FILES | {f"matches/{name}": b"{}\n"})
    with pytest.raises(UsageError, match=r"deeper.*: expected names with up to 100 folders, found"):
        extract(deeper, tmp_path / "deeper")
    assert not any((tmp_path / "deeper").iterdir())


@pytest.mark.parametrize("part", ["a" * 300, f"{'a' * 200}/" * 20], ids=["name of a file", "path"])
def test_a_name_that_is_too_long_for_the_system_is_refused(part: str, tmp_path: Path) -> None:
    """The message has the bundle and the beginning of the name."""
    source = made(tmp_path / "spring.jsonl.zst", {f"matches/{part}z": b""})
    with pytest.raises(UsageError, match=r"spring.*short enough.*found 'matches/a.{65,70}\. U"):
        extract(source, tmp_path / "spring")


# --- Paths in a bundle ---------------------------------------------------------------------------


def test_a_bundle_is_walked_like_a_folder(tmp_path: Path) -> None:
    """Paths in a bundle answer like the same files on disk."""
    bundled = made(tmp_path / "spring.jsonl.zst", FILES | {"matches-2": b"", "matches/1/2/3": b""})
    extract(bundled, tmp_path / "spring")
    names = ("tournament.jsonl", "matches", "matches/1-000000.jsonl", "gone", "matches/gone")
    for inner in (*names, "matches-2", "matches-", "match", "matches/1", "matches/1/2", "z"):
        there, here = bundled.root / inner, tmp_path / "spring" / inner
        assert (there.exists(), there.is_dir()) == (here.exists(), here.is_dir())
        assert (there.name, there.parent.name) == (
            here.name,
            bundled.root.name if "/" not in inner else here.parent.name,
        )
        assert str(there) == str(bundled.path / inner)
        if here.is_file():
            assert there.read_bytes() == there.open("rb").read() == here.read_bytes()
        else:
            with pytest.raises((FileNotFoundError, IsADirectoryError)):
                there.read_bytes()


def test_the_root_of_a_bundle_is_a_folder(tmp_path: Path) -> None:
    """The root has the name of the bundle's file, and exists if the bundle has a file."""
    root = made(tmp_path / "spring.jsonl.zst").root
    assert (root.name, root.parent) == ("spring.jsonl.zst", root)
    assert root.exists()
    assert root.is_dir()
    assert not made(tmp_path / "empty.jsonl.zst", {}).root.exists()


def test_a_place_in_a_bundle_can_be_sent(tmp_path: Path) -> None:
    """A path in a bundle can be pickled, for another process."""
    member = made(tmp_path / "spring.jsonl.zst").root / "checkpoint"
    again = pickle.loads(pickle.dumps(member))
    assert (again, hash(again)) == (member, hash(member))
    assert again.read_bytes() == FILES["checkpoint"]
    assert again != member.parent


def test_logs_are_found_in_bundles(tmp_path: Path) -> None:
    """A bundle has the same logs as its folder, whether it is named or found."""
    path = made(tmp_path / "spring.jsonl.zst").path
    expected = [f"{path}/matches/1-000000.jsonl", f"{path}/tournament.jsonl"]
    assert list(map(str, logs([tmp_path]))) == list(map(str, logs([path, tmp_path]))) == expected
    assert list(map(str, logs([path / "matches"]))) == expected[:1]
    [match] = logs([path / "matches" / "1-000000.jsonl"])
    assert str(home(match)) == str(path)
    assert str(evidence(match)) == f"{path}/evidence/1-000000.jsonl"


def test_a_log_in_a_bundle_is_read_strictly(tmp_path: Path) -> None:
    """A log in a bundle is read like a file, and named by the bundle and its inner path."""
    path = made(tmp_path / "spring.jsonl.zst").path
    found = read(log(path / "matches" / "1-000000.jsonl"))
    assert (found.kind, str(found.path)) == ("match", f"{path}/matches/1-000000.jsonl")


def test_a_folder_with_the_name_of_a_bundle_is_a_folder(tmp_path: Path) -> None:
    """Only a file is a bundle, whatever the name of a folder ends with."""
    folder = tmp_path / "spring.jsonl.zst"
    extract(made(tmp_path / "other.jsonl.zst"), folder)
    inner = folder / "matches/1-000000.jsonl"
    assert logs([folder])[0] == resolve(inner) == log(inner) == inner
    assert folder_at(folder) == folder


def test_a_damaged_bundle_is_in_the_list_and_cannot_be_read(tmp_path: Path) -> None:
    """A damaged bundle is listed among the logs, and reading it reports the damage."""
    (tmp_path / "spring.jsonl.zst").write_bytes(b"hello")
    [found] = logs([tmp_path])
    with pytest.raises(CorruptLog, match=r"spring.jsonl.zst: the bundle is damaged"):
        read(found)


def test_one_log_is_not_several(tmp_path: Path) -> None:
    """A bundle, or a folder in one, is a usage error if one log is expected."""
    path = made(tmp_path / "spring.jsonl.zst").path
    for wrong in (path, path / "matches", tmp_path):
        with pytest.raises(UsageError, match=f"^{wrong}: expected one log"):
            log(wrong)
    with pytest.raises(UsageError, match="there is no such file or folder"):
        resolve(path / "gone")


def test_a_bundle_without_logs_is_nothing_to_do(tmp_path: Path) -> None:
    """A bundle without logs is reported."""
    with pytest.raises(NothingToDo, match="expected a log"):
        logs([made(tmp_path / "spring.jsonl.zst", {"checkpoint": b""}).path])
