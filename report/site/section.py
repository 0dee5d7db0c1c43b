"""Writes the pages of one tournament: standings, bots, pairings, lists, matches, and raw files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import orjson

from audit import query, render, views
from audit.loading.columns import literal, quoted
from audit.tables import Database
from report import basis, listing, match, standings, tournament
from report.contents import Tournament
from report.data import Checked
from report.listing import Row
from report.site import bots, pages
from report.site.context import Context, Summary
from report.site.match_job import MatchJob, match_files
from report.site.names import pair_name
from report.site.output import Output
from report.site.sections import Section, log_target
from report.site.site_links import (
    SiteLinks,
    Targets,
    bot_path,
    list_path,
    match_path,
    pair_path,
)
from schema import discovery, reader, registry
from schema.errors import LogError
from schema.executor import Mapper, Progress
from schema.files import first_line
from schema.log_path import LogPath, path_text

NO_PAGE = ("corrupt", "unsupported")
"""Verdicts on logs of which there is no page; their matches link to the raw logs."""

ORDER = ("log", "seq", "seat", "entrant", "place", "path")
"""Columns that order the rows of a Parquet file."""


def write_section(
    section: Section,
    checked: Checked,
    context: Context,
    output: Output,
    mapper: Mapper,
    progress: Progress,
) -> Summary:
    """Write all files of a tournament, and return its result."""
    return _Writer(section, checked, context, output).write(mapper, progress)


class _Writer:
    def __init__(
        self, section: Section, checked: Checked, context: Context, output: Output
    ) -> None:
        self._section = section
        self._contents: Tournament = checked.contents
        self._checked = checked
        self._context = context
        self._output = output
        self._rows = listing.rows(checked.contents)
        self._logs = {path_text(log): log for log in section.logs}
        self._verdicts = {verdict.path: verdict for verdict in checked.contents.verdicts}
        self._pairs = bots.is_pairs(self._rows)
        self._pairings = self._by_pairing()
        self._targets = self._all_targets()
        self._title = context.title or f"{tournament.title(checked.contents)}, {section.name}"

    def write(self, mapper: Mapper, progress: Progress) -> Summary:
        """Write all files of the section, and return its result."""
        self._write_matches(mapper, progress)
        self._write_bots()
        self._write_pairings()
        if not pages.fits_on_index(self._rows):
            self._write_list()
        for file in self._section.files:
            target = "checkpoint" if file.target == discovery.CHECKPOINT else None
            self._put(f"logs/{file.target}", content := file.read())
            if target:
                self._put(target, content)
        tables = self._write_tables(self._checked.database)
        self._write_index(tables)
        return self._summary()

    def _write_index(self, tables: Sequence[str]) -> None:
        links = self._links("index.html", [])
        files = [*self._downloads(), *((f"data/{name}", f"data/{name}") for name in tables)]
        html = tournament.page(
            self._contents,
            links,
            self._rows,
            None if pages.fits_on_index(self._rows) else list_path(1),
            self._context.title if not self._section.prefix else None,
            files,
        )
        self._put("index.html", html.encode())

    def _downloads(self) -> Iterator[tuple[str, str]]:
        targets = {file.target for file in self._section.files}
        for name in (discovery.TOURNAMENT, discovery.CHECKPOINT):
            if name in targets:
                yield name, f"logs/{name}"
        if self._context.key:
            yield "public key", f"{self._root('index.html')}key.pub"

    def _write_bots(self) -> None:
        elsewhere = self._other_tournaments()
        everything = bots.pages(self._contents, self._checked.database, self._rows, self._logs)
        for page in everything:
            parts = pages.parts(page.rows)
            paths = [bot_path(page.name, number) for number in range(1, len(parts) + 1)]
            names = [path.rpartition("/")[2] for path in paths]
            links = self._links(paths[0], [("Bots", "index.html#standings"), (page.name, None)])
            others = [
                (name, f"{links.root}{prefix}{bot_path(page.name)}", hash)
                for name, prefix, hash in elsewhere.get(page.name, ())
            ]
            html = pages.bot_page(page, links, parts[0], names, others, self._pairs)
            self._put(paths[0], html.encode())
            title = f"Matches of {page.name[:60]}"
            self._write_parts(parts, paths, title, [page.name], (page.name, paths[0]), start=2)

    def _write_pairings(self) -> None:
        for (name, other), rows in self._pairings.items():
            parts = pages.parts(rows)
            pair = pair_name(name, other)
            paths = [pair_path(pair, number) for number in range(1, len(parts) + 1)]
            title = f"{name[:60]} against {other[:60]}"
            lead = pages.pairing_lead(name, other, rows)
            self._write_parts(parts, paths, title, [name, other], (title, paths[0]), lead)

    def _write_list(self) -> None:
        parts = pages.parts(self._rows)
        paths = [list_path(number) for number in range(1, len(parts) + 1)]
        self._write_parts(parts, paths, "Matches", [], ("Matches", paths[0]))

    def _write_parts(
        self,
        parts: Sequence[Sequence[Row]],
        paths: Sequence[str],
        title: str,
        names: Sequence[str],
        above: tuple[str, str],
        lead: str | None = None,
        start: int = 1,
    ) -> None:
        """Write the pages of a list from page ``start`` on."""
        files = [path.rpartition("/")[2] for path in paths]
        total = sum(map(len, parts))
        for number, (rows, path) in enumerate(zip(parts, paths, strict=True), 1):
            if number >= start:
                trail = [(above[0], None if number == 1 else above[1])]
                trail += [(f"Page {number}", None)] if number > 1 else []
                first = sum(map(len, parts[: number - 1])) + 1
                shown = lead or f"{first:,}–{first + len(rows) - 1:,} of {total:,} matches."
                html = pages.match_list(
                    title,
                    shown,
                    self._links(path, trail),
                    rows,
                    pages.turns(files, number),
                    names,
                )
                self._put(path, html.encode())

    def _write_matches(self, mapper: Mapper, progress: Progress) -> None:
        """Write the pages of the matches whose inputs changed."""
        digests = {file.target: file.digest for file in self._section.files}
        findings = self._findings()
        own = [row for row in self._rows if self._has_page(row)]
        done = 0

        def jobs() -> Iterator[MatchJob]:
            nonlocal done
            for number, row in enumerate(own):
                near = [own[at] if 0 <= at < len(own) else None for at in (number - 1, number + 1)]
                job = self._job(row, near, findings, digests)
                if self._output.keep(f"{self._section.prefix}{job.path}.html", job.key):
                    done += 1
                else:
                    yield job

        for key, files in mapper(match_files, jobs()):
            for path, content in files:
                self._put(path, content, key)
            done += 1
            progress(done, len(own))

    def _job(
        self,
        row: Row,
        near: Sequence[Row | None],
        findings: Mapping[str, list[dict[str, Any]]],
        digests: Mapping[str, str],
    ) -> MatchJob:
        path = self._targets.matches[row["key"]]
        log, verdict = self._logs[row["log"]], self._verdicts[row["log"]]
        raw = log_target(log)
        links = self._links(path, [("Matches", self._list_link()), (row["match"], None)])
        signs = ("← Previous match", "Next match →")
        beside = [
            (sign, str(links.match(other["key"])))
            for sign, other in zip(signs, near, strict=True)
            if other
        ]
        beside += self._context.verify(links.root, f"{self._section.prefix}logs/{raw}")
        links = replace(
            links,
            targets=Targets(
                bots=frozenset(row["names"]),
                logs={row["match"]: f"logs/{raw}"},
            ),
            beside=beside,
            chunks=path.rpartition("/")[2].removesuffix(".html"),
        )
        audit = self._audit(log.name, findings.get(row["log"], []))
        evidence = digests.get(raw.replace(discovery.MATCHES, discovery.EVIDENCE, 1), "")
        inputs = [
            *(self._context.code, path, digests[raw], evidence, verdict.verdict, verdict.reason),
            *(links.trail, links.beside, audit),
        ]
        key = sha256(orjson.dumps(inputs, default=str)).hexdigest()[:32]
        return MatchJob(log, verdict, audit, links, path.removesuffix(".html"), key)

    def _audit(self, name: str, findings: list[dict[str, Any]]) -> match.Audit:
        rules = [rule.id for rule in self._checked.findings.rules]
        return {"rules": rules, "findings": findings, "unread": self._unread(name)}

    def _unread(self, name: str) -> list[dict[str, str]]:
        unread = self._checked.findings.unread
        return [
            {"path": one.path, "verdict": one.verdict, "reason": one.reason}
            for one in unread
            if one.path.endswith(f"/{name}")
        ]

    def _findings(self) -> dict[str, list[dict[str, Any]]]:
        """Return the findings of the audit by the path of the log."""
        by_log: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for finding in self._checked.findings.findings:
            by_log[path_text(finding.path)].append(render.finding_json(finding))
        return by_log

    def _has_page(self, row: Row) -> bool:
        return row["log"] in self._logs and row["verdict"] not in (*NO_PAGE, listing.MISSING)

    def _all_targets(self) -> Targets:
        matches, logs = {}, {}
        for row in self._rows:
            if row["log"] in self._logs:
                logs[row["key"]] = f"logs/{log_target(self._logs[row['log']])}"
                page = f"{match_path(row['key'])}.html"
                matches[row["key"]] = page if self._has_page(row) else logs[row["key"]]
        start = self._contents.log.start if self._contents.log else {}
        names = {name for row in self._rows for name in row["names"]}
        names |= {entrant["name"] for entrant in start.get("entrants", ())}
        pairings = frozenset(pair_name(*names) for names in self._pairings)
        return Targets(matches, logs, frozenset(names), pairings)

    def _by_pairing(self) -> dict[tuple[str, str], list[Row]]:
        """Return the matches of each pair of bots, if all matches are between two."""
        pairings: dict[tuple[str, str], list[Row]] = defaultdict(list)
        if self._pairs:
            for row in self._rows:
                name, other = sorted(row["names"])
                pairings[name, other].append(row)
        return pairings

    def _other_tournaments(self) -> dict[str, list[tuple[str, str, str]]]:
        """Return name, path and hash of files of each bot in the other sections of the site."""
        others: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        for section in self._context.sections:
            if section is not self._section:
                for entrant in _entrants(section.home / discovery.TOURNAMENT):
                    others[entrant["name"]].append((section.name, section.prefix, entrant["bot"]))
        return others

    def _write_tables(self, database: Database) -> list[str]:
        """Write the tables as Parquet files, with paths on the site; return the files' names."""
        derived = {view for game in database.games for view in views.files(registry.card(game))}
        names = []
        for table in query.non_empty(database, query.tables(database)):
            if table.name in derived:
                continue
            columns = [column.name for column in table.columns]
            order = ", ".join(name for name in ORDER if name in columns) or "ALL"
            within = len(path_text(self._section.home)) + 2
            path = f" REPLACE ({literal('logs/')} || substr(path, {within}) AS path)"
            selected = f"*{path if 'path' in columns else ''}"
            sql = f"SELECT {selected} FROM {quoted(table.name)} ORDER BY {order}"
            names.append(f"{table.name}.parquet")
            self._put(f"data/{names[-1]}", query.query_parquet(database, sql))
        return names

    def _summary(self) -> Summary:
        contents, prefix = self._contents, self._section.prefix
        start = contents.log.start if contents.log else {}
        leaders = standings.leaders(contents.standings[0]) if contents.standings else []
        verified = all(verdict.fine for verdict in contents.verdicts)
        return Summary(
            id=f"{self._section.name} {start.get('seed_commitment', '')}".rstrip(),
            name=self._section.name,
            prefix=prefix,
            title=f"{tournament.title(contents)}, {self._section.name}",
            game=tournament.title(contents),
            games=self._checked.database.games,
            matches=len(self._rows),
            leaders=[(name, f"{prefix}{bot_path(name)}") for name in leaders[:4]],
            bots={name: f"{prefix}{bot_path(name)}" for name in self._targets.bots},
            faults=sum(row["failed"] for row in self._rows),
            verdict=basis.worst(contents.verdicts),
            conclusion=basis.conclusion(contents),
            clean=verified and not contents.audit.broken and not contents.audit.unread,
        )

    def _list_link(self) -> str:
        return "index.html#matches" if pages.fits_on_index(self._rows) else list_path(1)

    def _root(self, path: str) -> str:
        return "../" * f"{self._section.prefix}{path}".count("/")

    def _links(self, path: str, trail: Iterable[tuple[str, str | None]]) -> SiteLinks:
        """Return the links of the page at ``path``; those of ``trail`` start in the section."""
        home, root = "../" * path.count("/"), self._root(path)
        above: list[tuple[str, str | None]] = []
        if self._section.prefix:
            above.append((self._context.title or "Tournaments", f"{root}index.html"))
        own = self._section.name if self._section.prefix else "Standings"
        steps = [(text, f"{home}{href}" if href else None) for text, href in trail]
        above.append((own, f"{home}index.html" if steps else None))
        shown = [(text if len(text) <= 60 else f"{text[:59]}…", href) for text, href in steps]
        return SiteLinks(
            home=home,
            root=root,
            targets=self._targets,
            trail=[*above, *shown],
            beside=self._context.beside(root),
        )

    def _put(self, path: str, content: bytes, key: str = "") -> None:
        self._output.put(f"{self._section.prefix}{path}", content, key)


def _entrants(log: LogPath) -> list[dict[str, str]]:
    """Return the entrants of a tournament, or nobody if its log cannot be read."""
    try:
        entrants: list[dict[str, str]] = reader.read_start(first_line(log), log).start["entrants"]
    except (LogError, OSError, KeyError):
        return []
    return entrants
