"""Builds the site of tournaments: checks every log once, and writes the pages that changed."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from audit.tables import open_database
from replay.signatures.signer import ExpectedSigner
from report import data
from report.links import LEADERS
from report.site import pages
from report.site.context import Context, Summary
from report.site.feed import Item, feed
from report.site.output import Output
from report.site.section import write_section
from report.site.sections import Section, find
from report.site.tools import Tools
from schema import registry
from schema.errors import UsageError
from schema.executor import Mapper, Progress
from schema.files import file_hash, is_inside
from schema.log_path import LogPath, path_text

CODE = ("schema", "games", "replay", "audit", "report")
"""The packages whose files decide what a page says."""

NOT_CODE = (".pyc",)

CHECKS, STEPS = 2, 3
"""Steps of the work on a log: it is read into tables, verified, and gets a page."""


@dataclass(frozen=True)
class Site:
    """The input of a build: tournaments and contests, and settings of their pages."""

    paths: Sequence[Path]
    title: str | None = None
    base_url: str | None = None
    """The address of the site, for its feed."""
    signer: ExpectedSigner | None = None
    tools: Tools | None = None
    """Writes further pages, which become part of the site."""
    tools_key: str = ""
    """The version of these pages. They depend on it and on the logs alone."""


@dataclass(frozen=True)
class Built:
    """The result of a build."""

    clean: bool
    """Whether all logs are verified or imported, and the audit has no findings."""
    matches: int
    tournaments: int
    contests: int
    changed: bool = True
    """Whether anything was done: not if inputs and files were those of the last build."""


def build(site: Site, folder: Path, mapper: Mapper, progress: Progress) -> Built:
    """Write the site into ``folder``, which is new, or was written by an earlier build.

    Files that are equal already are not written, and those of the earlier build that are not part
    of the site any more are removed. Raises UsageError for a folder with other files, and as
    :func:`report.data.checked` does; LogError for logs that cannot be read.
    """
    sections = find(site.paths)
    for path in site.paths:
        if is_inside(folder, path):
            raise UsageError(
                f"-o {path_text(folder)}: expected a folder outside of {path_text(path)}, whose "
                "logs the site copies. Name another folder."
            )
    output = Output(folder)
    inputs = _inputs(site, sections)
    match output.result(inputs):
        case {
            "clean": bool(clean),
            "matches": int(matches),
            "tournaments": int(tournaments),
            "contests": int(contests),
        }:
            return Built(clean, matches, tournaments, contests, changed=False)
    with TemporaryDirectory(prefix="koth-") as tools, closing(output):
        output.begin()
        if site.tools is not None:
            site.tools(Path(tools), _published(sections))
        built = _write(site, sections, [*_files(Path(tools))], output, mapper, progress)
        output.finish(inputs, asdict(built))
    return built


def _write(
    site: Site,
    sections: Sequence[Section],
    tools: Sequence[tuple[str, Path]],
    output: Output,
    mapper: Mapper,
    progress: Progress,
) -> Built:
    """Write all files, those of a section when its logs are checked."""
    context = Context(
        title=site.title,
        sections=sections,
        code=_code(),
        tools=[name for name, _ in tools if name.endswith(".html")],
        key=str(site.signer.key) if site.signer else None,
    )
    summaries = []
    total = STEPS * sum(len(section.logs) for section in sections)
    start = 0
    for section in sections:
        show = _after(progress, start, total)
        with data.checked(section.path, mapper, show, site.signer, section.logs) as checked:
            show = _after(progress, start + CHECKS * len(section.logs), total)
            summaries.append(write_section(section, checked, context, output, mapper, show))
        start += STEPS * len(section.logs)
    title = site.title or summaries[0].title
    if len(sections) > 1:
        title = site.title or "Results"
        with open_database(site.paths, current_only=True, mapper=mapper) as database:
            standings = {game: [*data.standings(database, game)] for game in database.games}
        output.put("index.html", pages.overview(title, summaries, standings, context).encode())
    output.put("feed.json", feed(title, [*map(_item, summaries)], site.base_url))
    output.put(".nojekyll", b"")
    output.put(".gitattributes", b"* -text\n")  # Git on Windows would corrupt each log
    if site.signer:
        output.put("key.pub", f"{site.signer.key}\n".encode())
    games = sorted({game for summary in summaries for game in summary.games})
    for asset in pages.shared_files(games):
        output.put(asset.path, asset.content)
    for name, path in tools:
        output.put_file(name, path)
    return Built(
        clean=all(summary.clean for summary in summaries),
        matches=sum(summary.matches for summary in summaries),
        tournaments=sum(not summary.is_contest for summary in summaries),
        contests=sum(summary.is_contest for summary in summaries),
    )


def _published(sections: Sequence[Section]) -> dict[LogPath, str]:
    """Return all logs, with their paths on the site."""
    return {
        log: f"{section.prefix}{path}"
        for section in sections
        for log, path in section.published.items()
    }


def _after(progress: Progress, start: int, total: int) -> Progress:
    """Return the progress of a part of the work that begins after ``start`` of ``total`` steps."""
    return lambda done, _: progress(start + done, total)


def _item(summary: Summary) -> Item:
    names = [name for name, _ in summary.leaders]
    first = ", ".join(names) or "no result yet"
    if len(names) > LEADERS:
        first = f"{len(names)} bots share the first rank"
    return Item(
        summary.id,
        f"{summary.prefix}index.html",
        f"{summary.title}: {first}",
        summary.conclusion,
    )


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files in a folder: relative path, and path."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path


def _inputs(site: Site, sections: Sequence[Section]) -> str:
    """Return a hash of everything that the site is made from."""
    signer = site.signer and (str(site.signer.key), site.signer.origin)
    inputs = [section.inputs for section in sections]
    value = [_code(), site.title, site.base_url, signer, site.tools_key, inputs]
    return sha256(orjson.dumps(value)).hexdigest()


@cache
def _code() -> str:
    """Return a hash of Koth and of all games: programs, templates, queries and rulebooks."""
    digest = sha256(version("koth").encode())
    packages = [*CODE, *(card.package for card in registry.cards()[0])]
    for package in dict.fromkeys(packages):
        for folder in importlib.import_module(package).__path__:
            for name, path in _files(Path(folder)):
                if path.suffix not in NOT_CODE:
                    digest.update(f"{package}/{name}\0{file_hash(path)}\0".encode())
    return digest.hexdigest()
