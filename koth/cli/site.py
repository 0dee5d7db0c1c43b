"""``koth site``: write a folder that any web server can serve."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def site(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Logs, or folders and bundles with logs.", metavar="PATH…"),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The folder to write.", metavar="DIR")
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
) -> None:
    """Write a site, whose visitors can verify logs and ask in SQL in their browsers."""
    from report.site import assets

    downloads = assets.cache() if offline_tools is None else offline_tools
    if fetch_tools:
        for asset in assets.fetch(downloads):
            print(f"{asset.name} {asset.version}: {downloads / asset.file}")
        return
    if not paths or output is None:
        raise typer.BadParameter("expected PATH… and -o DIR, or --fetch-tools.")
    from report.site import folder
    from schema.errors import UsageError

    if offline_tools is not None and no_browser_tools:
        raise UsageError("--offline-tools: expected without --no-browser-tools, found with it.")
    if offline_tools is not None:
        assets.check(offline_tools)
    problem = folder.write(output, paths, None if no_browser_tools else downloads)
    if problem:
        print(f"koth: without verify.html and sql.html: {problem}", file=sys.stderr)
    print(f"koth: {output} is written.", file=sys.stderr)
