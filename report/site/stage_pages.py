"""The pages of the stages of a contest: who played, the standings after it, and its matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.contest import set_stage
from report import data
from report import page as frame
from report import standings as tables
from report.contents import Stage, Standings
from report.data import Checked
from report.listing import Row
from report.site.pages import STYLES
from report.site.section_links import SectionLinks
from report.site.site_links import stage_path
from report.site.versions import Versions, participants, withdrawn
from schema import discovery

BOTS_LISTED = 100
"""Maximum bots of a stage that its page lists."""


class StagePages:
    """Renders the pages of the stages of one contest."""

    def __init__(self, links: SectionLinks, checked: Checked, versions: Versions) -> None:
        self._links = links
        self._checked = checked
        self._versions = versions
        self._files = {file.target for file in links.section.files}

    def page(
        self, stage: Stage, rows: Sequence[Row], turns: Sequence[tuple[str, str | None]]
    ) -> str:
        """Return the page of a stage with the first ``rows`` of its matches."""
        links = self._links.page(
            stage_path(stage.number),
            [("Stages", "index.html#stages"), (f"Stage {stage.number}", None)],
        )
        folder = f"{discovery.STAGES}/{discovery.stage_name(stage.number)}"
        names = (discovery.TOURNAMENT, discovery.CHECKPOINT)
        return frame.render(
            "site/stage.html",
            f"Stage {stage.number}",
            styles=STYLES,
            links=links,
            kind="Stage",
            contest=self._links.section.name,
            stage=stage,
            near=[*self._near(stage)],
            participants=[*participants(self._versions, stage.number)],
            withdrawn=withdrawn(self._versions, stage.number),
            bots_listed=BOTS_LISTED,
            standings=[tables.table(table, BOTS_LISTED) for table in self._standings(stage)],
            rows=rows,
            turns=turns,
            files=[
                (name, f"{links.home}logs/{folder}/{name}")
                for name in names
                if f"{folder}/{name}" in self._files
            ],
            folder=f"logs/{folder}",
        )

    def _near(self, stage: Stage) -> Iterator[tuple[str, int]]:
        """Yield the stages before and after this one, if they exist."""
        for sign, number in (
            ("← Previous stage", stage.number - 1),
            ("Next stage →", stage.number + 1),
        ):
            if number in self._links.targets.stages:
                yield sign, number

    def _standings(self, stage: Stage) -> list[Standings]:
        """Return the standings of the contest after this stage, if it is finished."""
        if stage.seed is None:
            return []
        database = self._checked.database
        set_stage(database, stage.number)
        try:
            return [table for game in database.games for table in data.standings(database, game)]
        finally:
            set_stage(database, None)
