"""Write the folder of a site: logs, tables, the two tools, and a page that links to them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from audit.tables import open_database
from report import page
from report.site import assets, tools
from schema import discovery
from schema.bundle import SUFFIX, Member
from schema.errors import UsageError
from schema.log_path import LogPath


def write(folder: Path, paths: Iterable[Path], downloads: Path | None) -> str:
    """Write the logs at ``paths``, and the tools unless ``downloads`` is None.

    Returns why the tools are missing, or an empty text. Raises UsageError if two logs would have
    one path on the site, and what opening and writing raise.
    """
    paths = list(paths)
    logs = named_logs(paths)
    problem = ""
    if downloads is not None:
        try:
            assets.check(downloads)
        except assets.ToolsMissing as error:
            downloads, problem = None, str(error)
    tools.write_logs(folder, logs.items())
    if downloads is not None:
        with open_database(paths) as tables:
            tools.write_tools(folder, tables, downloads)
    index = page.render(
        "site/index.html", "Logs", kind="Site", logs=list(logs), has_tools=downloads is not None
    )
    tools.put(folder / "index.html", index.encode())
    return problem


def named_logs(paths: Iterable[Path]) -> dict[str, LogPath]:
    """Return the logs at ``paths`` by their paths below the site's folder of logs.

    Raises UsageError if two have the same one.
    """
    logs: dict[str, LogPath] = {}
    for path in paths:
        for log in discovery.logs([path]):
            name = _name(path, log)
            if name in logs:
                raise UsageError(
                    f"{log}: expected another name than that of {logs[name]}, found the same one, "
                    f"{name}. Rename a folder."
                )
            logs[name] = log
    return logs


def _name(path: Path, log: LogPath) -> str:
    """Return the path of ``log`` from the folder that holds ``path``; a bundle is a folder."""
    file, inner = (log.bundle.path, log.inner) if isinstance(log, Member) else (log, None)
    assert isinstance(file, Path)
    base = path.absolute().parent
    name = PurePosixPath(file.absolute().relative_to(base))
    if inner is None:
        return str(name)
    return str(name.with_name(name.name.removesuffix(SUFFIX)) / inner)
