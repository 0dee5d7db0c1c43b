"""Third-party packages that run in a browser: pinned, fetched once, kept in the user's cache.

npm and pip download them from the registries that the user has configured. A file is used only if
its SHA-256 is the pinned one. ``koth site --fetch-tools`` fetches them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from schema.errors import UsageError
from schema.files import cache_folder, file_hash, make_folder

PLATFORM = "pyemscripten_2026_0_wasm32"
"""The platform tag of Pyodide's Python."""
PYTHON = "314"
"""The version of Pyodide's Python, as pip writes it."""

SECONDS = 600
"""Seconds until a download is given up."""


@dataclass(frozen=True)
class Package:
    """One package of npm or PyPI, pinned by its version and the hash of its file."""

    client: str
    """``npm`` or ``pip``."""
    name: str
    version: str
    file: str
    sha256: str
    members: Mapping[str, str]
    """The names on the site, by the path in the package; a wheel is copied whole."""


PACKAGES = (
    Package(
        "npm", "pyodide", "314.0.7", "pyodide-314.0.7.tgz",
        "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
        {
            f"package/{name}": name
            for name in (
                "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json",
                "python_stdlib.zip",
            )
        },
    ),
    Package(
        "npm", "@duckdb/duckdb-wasm", "1.32.0", "duckdb-duckdb-wasm-1.32.0.tgz",
        "13c29d80888b795cb493b281685d3d3e1738db2fad50d419e2884c6585789722",
        {
            "package/dist/duckdb-browser-blocking.mjs": "duckdb.mjs",
            "package/dist/duckdb-eh.wasm": "duckdb.wasm",
        },
    ),
    Package(
        "pip", "pydantic-core", "2.50.4", f"pydantic_core-2.50.4-cp314-cp314-{PLATFORM}.whl",
        "e6da138a1ecc1341c8b788a5ee822670b03788e1f5decf7af9d461de6e508b8e", {},
    ),
    Package(
        "pip", "pydantic", "2.14.3", "pydantic-2.14.3-py3-none-any.whl",
        "3f7b347782ab7e4cf4c798496ae3a82787d9f21ec12676a9c564355eeef8daa8", {},
    ),
    Package(
        "pip", "annotated-types", "0.8.0", "annotated_types-0.8.0-py3-none-any.whl",
        "f072f4d804ea359e4eaf198b1af7a8b0943881a87f31bb764f8bf219bb9419e0", {},
    ),
    Package(
        "pip", "typing-extensions", "4.16.0", "typing_extensions-4.16.0-py3-none-any.whl",
        "481caa481374e813c1b176ada14e97f1f67a4539ce9cfeb3f350d78d6370c2e8", {},
    ),
    Package(
        "pip", "typing-inspection", "0.4.5", "typing_inspection-0.4.5-py3-none-any.whl",
        "bc210535442b39e1bf2805e0c7a17dfd6a4ace760c84c7f7d16245d23a6b1c39", {},
    ),
)  # fmt: skip
"""All of them. Another version of Pyodide needs other wheels: its platform and Python change."""

WHEELS = tuple(package.file for package in PACKAGES if package.client == "pip")

BARE, RELATIVE = b'"apache-arrow"', b'"./arrow.mjs"'
"""The name of a module that duckdb.mjs imports, and a name by which a browser finds a file."""


class ToolsMissing(UsageError):
    """Raised if a pinned file is missing, or is not the pinned one."""


def cache() -> Path:
    """Return the folder of the downloaded files."""
    return cache_folder() / "browser-tools"


def fetch(folder: Path) -> Iterator[Package]:
    """Download what ``folder`` lacks; yield each file when it is there. Raises ToolsMissing."""
    make_folder(folder)
    for package in PACKAGES:
        if _problem(folder, package):
            with TemporaryDirectory(dir=folder) as temporary:
                _download(package, Path(temporary))
                if problem := _problem(Path(temporary), package):
                    raise ToolsMissing(f"{package.client} downloaded another file: {problem}.")
                (Path(temporary) / package.file).replace(folder / package.file)
        yield package


def check(folder: Path) -> None:
    """Raise ToolsMissing unless ``folder`` has all files."""
    for package in PACKAGES:
        if problem := _problem(folder, package):
            raise ToolsMissing(f"{problem}. `koth site --fetch-tools` downloads the tools, once.")


def members(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name on the site, and the bytes, of every file. Raises ToolsMissing."""
    check(folder)
    for package in PACKAGES:
        if package.client == "pip":
            yield package.file, (folder / package.file).read_bytes()
            continue
        # As a stream: to look a member up would decompress the whole archive for each of them.
        with tarfile.open(folder / package.file, "r|gz") as archive:
            for member in archive:
                if name := package.members.get(member.name):
                    content = archive.extractfile(member)
                    assert content is not None  # the hash is that of an archive of files
                    data = content.read()
                    yield name, data.replace(BARE, RELATIVE) if name.endswith(".mjs") else data


def _problem(folder: Path, package: Package) -> str:
    """Return why a file cannot be used; empty if it can."""
    file = folder / package.file
    try:
        actual = file_hash(file)
    except FileNotFoundError:
        return f"{file}: missing; expected {package.name} {package.version} there"
    if actual != package.sha256:
        return f"{file}: expected the SHA-256 {package.sha256}, found {actual}"
    return ""


def _download(package: Package, target: Path) -> None:
    """Run npm or pip, which use the user's own settings. Raises ToolsMissing."""
    command = _npm(package, target) if package.client == "npm" else _pip(package, target)
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
    except subprocess.CalledProcessError as error:
        lines = error.stderr.decode(errors="replace").strip().splitlines() or ["it gave no reason"]
        reason = lines[0 if package.client == "npm" else -1]  # npm names its log in the last one
        raise ToolsMissing(f"{package.name}: {package.client} failed: {reason}") from None
    except subprocess.TimeoutExpired:
        raise ToolsMissing(f"{package.name}: {package.client} took over {SECONDS} s.") from None


def _npm(package: Package, target: Path) -> list[str]:
    npm = shutil.which("npm")
    if npm is None:
        raise ToolsMissing("npm: expected this program, found none. Install Node.js with npm.")
    specification = f"{package.name}@{package.version}"
    return [npm, "pack", "--loglevel=error", "--pack-destination", str(target), specification]


def _pip(package: Package, target: Path) -> list[str]:
    options = "--quiet --no-deps --only-binary :all: --implementation cp --abi none"
    tags = f"--abi cp{PYTHON} --platform {PLATFORM} --python-version {PYTHON}"
    specification = f"{package.name}=={package.version}"
    return [*_pip_program(), "download", *options.split(), *tags.split(), "-d", str(target),
            specification]  # fmt: skip


def _pip_program() -> list[str]:
    """Return the command of pip: of this Python, or else the one on the search path."""
    if find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    pip = shutil.which("pip") or shutil.which("pip3")
    if pip is None:
        raise ToolsMissing("pip: expected this program, found none. Install it.")
    return [pip]
