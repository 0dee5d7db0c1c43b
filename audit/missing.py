"""Logs that a ranking lacks, because they are not among those given."""

from __future__ import annotations

from pathlib import Path

from audit.tables import Database
from schema.log_path import shell_word
from schema.words import counted

OF_CONTESTS = """
WITH known AS (
    SELECT
        logs.path, stages.files,
        stage_folder(own.folder, stages.stage) AS folder,
        regexp_replace(logs.path, '[^/]*$', printf('stages/%04d/', stages.stage)) AS below
    FROM stages
    JOIN logs USING (log)
    JOIN raw.logs AS own ON own._log = stages.log
    WHERE finished IS NOT NULL AND stage <= coalesce(getvariable('stage')::BIGINT, stage)
),
counted AS (
    SELECT
        path, files,
        (SELECT count(*) FROM raw.logs WHERE raw.logs.folder = known.folder)
        + (SELECT count(*) FROM unread WHERE starts_with(unread.path, below)) AS present
    FROM known
)
SELECT path, sum(greatest(files - present, 0)) AS missing, sum(files)
FROM counted GROUP BY path HAVING missing > 0 ORDER BY path
"""
"""By contest: the missing logs of its finished stages, and all, by the numbers that it names."""

OF_TOURNAMENTS = """
WITH counted AS (
    SELECT
        logs.path, count(*) AS files,
        count(*) FILTER ((schedule.log, schedule.match) IN (
            SELECT (tournament_log, match) FROM logs WHERE tournament_log IS NOT NULL
        )) AS present
    FROM schedule
    JOIN logs USING (log)
    JOIN raw.logs AS tournament ON tournament._log = schedule.log
    WHERE tournament.folder NOT IN (
        SELECT stage_folder(own.folder, stages.stage)
        FROM stages JOIN raw.logs AS own ON own._log = stages.log
    )
    GROUP BY logs.path
)
SELECT
    path,
    files - present - (
        SELECT count(*) FROM unread
        WHERE starts_with(unread.path, regexp_replace(counted.path, '[^/]*$', 'matches/'))
    ) AS missing,
    files
FROM counted WHERE present > 0 AND missing > 0 ORDER BY path
"""
"""By tournament outside of contests, of which a match is there: the same of its matches."""

PARTS = {"contest": ("stages", OF_CONTESTS), "tournament": ("matches", OF_TOURNAMENTS)}
"""By kind of log: the folders of the logs that it names, and the query for those missing."""


def missing_logs(database: Database) -> list[str]:
    """Return one sentence per contest or tournament some of whose logs are not among those given.

    A log that cannot be read is given, too.
    """
    kinds = {kind for (kind,) in database.rows("SELECT DISTINCT kind FROM logs")}
    return [
        f"{missing:,} of {counted(files, 'log')} of its {parts} {'is' if missing == 1 else 'are'} "
        f"not among those given; `koth verify {shell_word(Path(path).parent)}` says more."
        for kind, (parts, query) in PARTS.items()
        if kind in kinds
        for path, missing, files in database.rows(query)
    ]
