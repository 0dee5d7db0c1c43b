"""Writes the pages of one tournament or contest: standings, bots, lists, matches, and raw files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from audit import query, views
from audit.archive import SORT_COLUMNS
from audit.tables import Database
from replay.verdicts import worst
from report import basis, listing, standings, tournament
from report.contents import Tournament
from report.data import Checked
from report.listing import Row
from report.site import bots, pages
from report.site.context import Context, Summary
from report.site.database import path_on_site
from report.site.fault_lists import PER_PAGE, FaultLists, ShownFault
from report.site.match_job import MatchJob, match_files
from report.site.match_pages import MatchPages
from report.site.names import pair_name
from report.site.output import Output
from report.site.proofs import proof_path, proofs_of
from report.site.section_links import SectionLinks, targets
from report.site.sections import Section, is_match
from report.site.site_links import bot_path, bots_path, fault_path, list_path, pair_path, stage_path
from report.site.stage_pages import StagePages
from report.site.versions import versions
from schema import discovery, registry
from schema.executor import Mapper, Progress
from schema.log_path import path_text


def write_section(
    section: Section,
    checked: Checked,
    context: Context,
    output: Output,
    mapper: Mapper,
    progress: Progress,
) -> Summary:
    """Write all files of a tournament or contest, and return its result."""
    return _Writer(section, checked, context, output).write(mapper, progress)


class _Writer:
    def __init__(
        self, section: Section, checked: Checked, context: Context, output: Output
    ) -> None:
        self._section = section
        # The tables come first, because the contents take memory, too.
        self._tables = _make_tables(section, checked.database)
        self._contents: Tournament = checked.contents
        self._checked = checked
        self._context = context
        self._output = output
        self._logs = {path_text(log): log for log in section.logs}
        self._rows = listing.rows(checked.contents)
        read = {match.path for match in checked.contents.matches}
        for row in self._rows:
            if row["legible"] and row["log"] not in read:
                row["legible"] = is_match(self._logs[row["log"]])
        self._versions = versions(checked.database)
        self._pairs = bots.is_pairs(self._rows)
        self._pairings = self._by_pairing()
        names = {name for row in self._rows for name in row["names"]}
        self._proofs = proofs_of(section)
        self._links = SectionLinks(
            section,
            context,
            targets(
                section,
                self._rows,
                self._logs,
                names | {*section.bots},
                self._pairings,
                (stage.number for stage in checked.contents.stages),
            ),
        )

    def write(self, mapper: Mapper, progress: Progress) -> Summary:
        """Write all files of the section, and return its result."""
        self._write_matches(mapper, progress)
        self._write_bots()
        self._write_pairings()
        self._write_stages()
        if not pages.fits_on_index(self._rows):
            self._write_list()
        for file in self._section.files:
            self._put(f"logs/{file.target}", content := file.read())
            if file.target == discovery.CHECKPOINT:
                self._put(file.target, content)
        for name, proof in self._proofs.items():
            self._put(proof_path(name), proof.data)
        for table in self._tables:
            self._output.put_file(f"{self._section.prefix}data/{table.name}", table)
        self._write_index()
        return self._summary()

    def _write_index(self) -> None:
        files = [*self._downloads(), *((f"data/{file.name}",) * 2 for file in self._tables)]
        title = f"{tournament.title(self._contents)}, {self._section.name}"
        html = tournament.page(
            self._contents,
            self._links.page("index.html", []),
            self._rows,
            None if pages.fits_on_index(self._rows) else list_path(1),
            title if self._section.prefix else self._context.title,
            files,
        )
        self._put("index.html", html.encode())

    def _downloads(self) -> Iterator[tuple[str, str]]:
        """Yield the files that are about the whole section, as (text, link)."""
        for file in self._section.files:
            folder, _, name = file.target.rpartition("/")
            is_log = not folder and (name.endswith(".jsonl") or name == discovery.CHECKPOINT)
            if is_log or folder == discovery.CHECKPOINTS:
                yield file.target, f"logs/{file.target}"
        if self._context.key:
            yield "public key", f"{self._links.root('index.html')}key.pub"

    def _write_bots(self) -> None:
        elsewhere = self._other_sections()
        database = self._checked.database
        ids = {row["log"]: row["match"] for row in self._rows}
        faults = FaultLists(database, self._logs, ids)
        listed: list[bots.Listed] = []
        for page in bots.pages(self._contents, database, self._rows, self._versions):
            listed.append(page.listed)
            parts = pages.parts(page.rows)
            paths = [bot_path(page.name, number) for number in range(1, len(parts) + 1)]
            trail = [("Bots", bots_path(1)), (page.name, None)]
            links = self._links.page(paths[0], trail)
            others = [
                (name, f"{links.root}{prefix}{bot_path(page.name)}", hash)
                for name, prefix, hash in elsewhere.get(page.name, ())
            ]
            lists = [(kind, count, [*faults.of(page.name, kind)]) for kind, count in page.kinds]
            html = pages.bot_page(page, links, parts[0], paths, others, lists, self._pairs)
            self._put(paths[0], html.encode())
            title = f"Matches of {pages.isolated(page.name, 60)}"
            self._write_parts(parts, paths, title, [page.name], (page.name, paths[0]), start=2)
            for kind, count, shown in lists:
                self._write_faults(page.name, kind, count, shown)
        self._write_bot_list(listed)

    def _write_bot_list(self, listed: Sequence[bots.Listed]) -> None:
        parts = pages.cut(listed, pages.BOTS)
        paths = [bots_path(number) for number in range(1, len(parts) + 1)]
        for number, (part, path) in enumerate(zip(parts, paths, strict=True), 1):
            links = self._links.page(path, [("Bots", None)])
            html = pages.bot_list(part, len(listed), links, pages.turns(paths, number))
            self._put(path, html.encode())

    def _write_faults(self, name: str, kind: str, count: int, faults: Sequence[ShownFault]) -> None:
        """Write the list of the faults of one bot that are of one kind."""
        parts = pages.cut(faults, PER_PAGE)
        paths = [fault_path(name, kind, number) for number in range(1, len(parts) + 1)]
        for number, (part, path) in enumerate(zip(parts, paths, strict=True), 1):
            links = self._links.page(path, [(name, bot_path(name)), (f"Faults: {kind}", None)])
            turns = pages.turns(paths, number)
            html = pages.fault_page(name, kind, count, len(faults), links, part, turns)
            self._put(path, html.encode())

    def _write_stages(self) -> None:
        stages = StagePages(self._links, self._checked, self._versions)
        by_stage: dict[int | None, list[Row]] = defaultdict(list)
        for row in self._rows:
            by_stage[row["stage"]].append(row)
        for stage in self._contents.stages:
            parts = pages.parts(by_stage[stage.number])
            paths = [stage_path(stage.number, number) for number in range(1, len(parts) + 1)]
            html = stages.page(stage, parts[0], pages.turns(paths, 1))
            self._put(paths[0], html.encode())
            title = f"Stage {stage.number}"
            self._write_parts(parts, paths, title, [], (title, paths[0]), start=2)

    def _write_pairings(self) -> None:
        for (name, other), rows in self._pairings.items():
            parts = pages.parts(rows)
            pair = pair_name(name, other)
            paths = [pair_path(pair, number) for number in range(1, len(parts) + 1)]
            title = " against ".join(pages.isolated(bot, 60) for bot in (name, other))
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
                    self._links.page(path, trail),
                    rows,
                    pages.turns(paths, number),
                    names,
                )
                self._put(path, html.encode())

    def _write_matches(self, mapper: Mapper, progress: Progress) -> None:
        """Write the pages of the matches whose inputs changed."""
        matches = MatchPages(
            *(self._links, self._checked, self._rows, self._logs),
            *(self._proofs.keys(), self._list_link()),
        )
        done = 0

        def changed() -> Iterator[MatchJob]:
            nonlocal done
            for job in matches.jobs():
                if self._output.keep(f"{self._section.prefix}{job.path}.html", job.key):
                    done += 1
                else:
                    yield job

        for key, files in mapper(match_files, changed()):
            for path, content in files:
                self._put(path, content, key)
            done += 1
            progress(done, len(matches))

    def _by_pairing(self) -> dict[tuple[str, str], list[Row]]:
        """Return the matches of each pair of bots, if all matches are between two."""
        pairings: dict[tuple[str, str], list[Row]] = defaultdict(list)
        if self._pairs:
            for row in self._rows:
                name, other = sorted(row["names"])
                pairings[name, other].append(row)
        return pairings

    def _other_sections(self) -> dict[str, list[tuple[str, str, str]]]:
        """Return name, path and last hash of each bot in the other sections of the same game."""
        others: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        for section in self._context.sections:
            if section is not self._section and section.game == self._contents.game:
                for name, hash in section.bots.items():
                    others[name].append((section.name, section.prefix, hash))
        return others

    def _summary(self) -> Summary:
        contents, prefix = self._contents, self._section.prefix
        start = contents.log.start if contents.log else {}
        leaders = standings.leaders(contents.standings[0]) if contents.standings else []
        return Summary(
            id=f"{self._section.name} {start.get('seed_commitment', '')}".rstrip(),
            name=self._section.name,
            prefix=prefix,
            title=f"{tournament.title(contents)}, {self._section.name}",
            game=tournament.title(contents),
            games=self._checked.database.games,
            matches=len(self._rows),
            is_contest=basis.is_contest(contents),
            leaders=[(name, f"{prefix}{bot_path(name)}") for name in leaders],
            bots={name: f"{prefix}{bot_path(name)}" for name in self._links.targets.bots},
            faults=sum(row["failed"] for row in self._rows),
            verdict=worst(contents.verdicts).verdict,
            conclusion=basis.conclusion(contents),
            clean=contents.clean,
        )

    def _list_link(self) -> str:
        return "index.html#matches" if pages.fits_on_index(self._rows) else list_path(1)

    def _put(self, path: str, content: bytes, key: str = "") -> None:
        self._output.put(f"{self._section.prefix}{path}", content, key)


def _make_tables(section: Section, database: Database) -> list[Path]:
    """Make Parquet files of the tables, with paths on the site, in the database's folder."""
    derived = {view for game in database.games for view in views.files(registry.card(game))}
    folder = Path(database.folder.name) / "parquet"
    folder.mkdir()
    path = path_on_site(database, section.published)
    files = []
    for table in query.non_empty(database, query.tables(database)):
        if table.name not in derived:
            columns = [column.name for column in table.columns]
            order = [name for name in SORT_COLUMNS if name in columns]
            files.append(folder / f"{table.name}.parquet")
            query.write_parquet(database, table, files[-1], order, {"path": path})
    return files
