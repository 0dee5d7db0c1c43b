"""``koth site``: write tournaments and contests as a folder of static pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from koth.cli import inputs, progress
from koth.cli.options import Key, LocalJobs, Origin
from koth.cli.output import note, say
from koth.workers import workers
from schema.errors import UsageError
from schema.log_path import is_encodable

if TYPE_CHECKING:
    from replay.signatures.signer import ExpectedSigner
    from report.site.tools import Tools

BASE_URL = re.compile(r"https?://[^/?#\s\ud800-\udfff][^?#\s\ud800-\udfff]*")
"""An address in UTF-8 to which the path of a page can be appended."""


def site(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Folders, archives and bundles of tournaments and contests.", metavar="PATH"
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="A new folder, or one that an earlier run wrote.", metavar="DIR"
        ),
    ] = None,
    title: Annotated[
        str | None,
        typer.Option(
            help="Title of the first page. Default: that of the game; with several tournaments, "
            "`Results`.",
            metavar="TEXT",
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            help="The address of the site, for the links in feed.json. Default: no links there.",
            metavar="URL",
        ),
    ] = None,
    offline_tools: Annotated[
        Path | None,
        typer.Option(
            help="Folder with the downloaded tools. Default: koth/browser-tools in the user's "
            "cache folder.",
            metavar="DIR",
        ),
    ] = None,
    no_browser_tools: Annotated[
        bool, typer.Option("--no-browser-tools", help="Leave out verify.html and sql.html.")
    ] = False,
    fetch_tools: Annotated[
        bool, typer.Option("--fetch-tools", help="Download the tools with npm and pip, and exit.")
    ] = False,
    jobs: LocalJobs = 1,
    key: Key = None,
    origin: Origin = None,
) -> None:
    """Write tournaments and contests as a site: static pages that any web server can serve.

    There are pages of standings, bots, faults, stages and matches, with raw logs and Parquet files
    beside them. All logs are replayed and audited first. A second run writes only what changed.
    """
    from report.site import packages

    downloads = packages.cache() if offline_tools is None else offline_tools
    if fetch_tools:
        for package in packages.fetch(downloads):
            say(f"{package.name} {package.version}: {downloads / package.file}")
        return
    if not paths or output is None:
        raise UsageError("expected PATH… and -o DIR, or --fetch-tools.")
    if title is not None and not is_encodable(title):
        raise UsageError(f"--title: expected UTF-8, found {title!r}.")
    if base_url is not None and not BASE_URL.fullmatch(base_url):
        raise UsageError(
            "--base-url: expected an address such as https://example.org/cup, without ? and #, "
            f"found '{base_url}'."
        )
    if offline_tools is not None and no_browser_tools:
        raise UsageError("--offline-tools: expected without --no-browser-tools, found with it.")
    from replay.signatures.signer import ExpectedSigner
    from report.site.build import Site, build
    from report.site.pages import sizes

    signer = ExpectedSigner.of(key, origin)
    is_required = offline_tools is not None
    writer = None if no_browser_tools else _tools(paths, downloads, signer, is_required)
    inputs.warn_without_logs(paths)
    with workers(jobs) as mapper, progress.bar("site") as show:
        site = Site(paths, title, base_url, signer, writer, "tools" if writer else "")
        built = build(site, output, mapper, show)
    size = sizes(built.tournaments, built.contests, built.matches)
    state = "is written" if built.changed else "is up to date"
    findings = "" if built.clean else " The pages list the findings."
    note(f"{output} {state}: {size}.{findings}")
    raise typer.Exit(0 if built.clean else 1)


def _tools(
    paths: Sequence[Path], downloads: Path, signer: ExpectedSigner | None, is_required: bool
) -> Tools | None:
    """Return the writer of the tools; None, with a message, if they are missing.

    Raises ToolsMissing if they are required.
    """
    from report.site import packages, tools

    try:
        return tools.writer(paths, downloads, signer)
    except packages.ToolsMissing as error:
        if is_required:
            raise
        note(f"without verify.html and sql.html: {error}")
        return None
