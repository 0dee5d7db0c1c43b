"""Settings of interpreters that a sandbox shows."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from referee.sandbox import interpreter_settings

SECRETS = (
    *("shadow", "gshadow", "ssh", "ssl/private", "sudoers", "machine-id", "passwd", "hostname"),
    *("security", "ssl", "environment", "resolv.conf", "no-such-file"),
)


@pytest.mark.parametrize("name", SECRETS)
def test_what_is_about_the_machine_is_not_shown(name: str) -> None:
    """Secret files and folders, and folders that hold one, are not shown."""
    assert not interpreter_settings.may_be_shown(Path("/etc", name))
    assert not interpreter_settings.may_be_shown(Path("/etc", name, "x"))


def test_what_is_shown_everybody_may_read() -> None:
    """Linked settings on this machine belong to root, and everybody can read them."""
    for shown in interpreter_settings.linked():
        for folder, _, files in os.walk(shown):
            for path in map(Path, [folder, *(f"{folder}/{name}" for name in files)]):
                assert path.is_symlink() or path.stat().st_uid == 0
                assert path.is_symlink() or path.stat().st_mode & 0o004


@pytest.mark.parametrize(
    ("mode", "owner", "is_shown"),
    [
        (stat.S_IFREG | 0o644, 0, True),
        (stat.S_IFREG | 0o640, 0, False),
        (stat.S_IFREG | 0o644, 1000, False),
        (stat.S_IFDIR | 0o755, 0, True),
        (stat.S_IFDIR | 0o754, 0, False),
        (stat.S_IFDIR | 0o751, 0, False),
        (stat.S_IFLNK | 0o777, 1000, True),
        (stat.S_IFIFO | 0o777, 0, False),
        (stat.S_IFSOCK | 0o777, 0, False),
    ],
)
def test_a_file_of_root_that_everybody_may_read(
    mode: int, owner: int, is_shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files and folders are shown if root owns them and everybody may read them, and links."""
    status = os.stat_result((mode, 0, 0, 1, owner, 0, 0, 0, 0, 0))
    monkeypatch.setattr(Path, "lstat", lambda _: status)
    assert interpreter_settings.is_for_all(Path("/etc/R/Renviron")) == is_shown


def test_links_are_followed_into_etc_and_nowhere_else(tmp_path: Path) -> None:
    """Links into /etc are followed, relative or absolute; a link through /etc is not."""
    (tmp_path / "R/etc").mkdir(parents=True)
    up = "../" * 30
    for name, target in {
        "R/etc/absolute": "/etc/R/Renviron",
        "R/etc/relative": f"{up}etc/octaverc",
        "R/elsewhere": "/usr/lib/R",
        "R/through": "/etc/../home/somebody",
        "R/etc/all": "/etc",
    }.items():
        (tmp_path / name).symlink_to(target)
    found = interpreter_settings.links_into_etc((str(tmp_path), "/no/such/folder"))
    assert sorted(map(str, found)) == ["/etc/R/Renviron", "/etc/octaverc"]


def test_what_not_everybody_may_read_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a folder has a private file, only its files that links name are shown."""
    monkeypatch.setattr(interpreter_settings, "ETC", tmp_path)
    monkeypatch.setattr(interpreter_settings, "is_for_all", lambda path: path.name != "password")
    (tmp_path / "R").mkdir()
    for name in ("Renviron", "password", "Rprofile"):
        (tmp_path / "R" / name).touch()
    folder = tmp_path / "usr"
    folder.mkdir()
    for name in ("Renviron", "password"):
        (folder / name).symlink_to(tmp_path / "R" / name)
    assert interpreter_settings.linked((str(folder),)) == (tmp_path / "R/Renviron",)


def test_excluded_paths_hide_what_is_in_them_and_above_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An excluded path, each file in it, and each folder around it are hidden, and no others."""
    etc = tmp_path / "etc"
    for name in ("ssh/config", "ssl/private/key", "ssl/certs/x", "R/x"):
        (etc / name).parent.mkdir(parents=True)
        (etc / name).touch()
    excluded = (etc / "ssh", etc / "ssl/private")
    monkeypatch.setattr(interpreter_settings, "OF_THE_MACHINE", excluded)
    monkeypatch.setattr(interpreter_settings, "is_for_all", lambda path: True)
    shown = filter(interpreter_settings.may_be_shown, etc.rglob("*"))
    assert {str(path.relative_to(etc)) for path in shown} == {
        "ssl/certs",
        "ssl/certs/x",
        "R",
        "R/x",
    }
