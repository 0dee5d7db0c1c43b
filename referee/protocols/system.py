"""Run bots by the means of this system: those of Linux, or else plain processes."""

import sys

if sys.platform == "linux":
    from referee.pools.pool import expect
    from referee.processes import scratch_dir
    from referee.protocols.piped_process import PipedProcess as SystemProcess
    from referee.protocols.piped_process import Stderrs, attend
    from referee.protocols.workspace import (
        ahead_at_once,
        kept_at_once,
        limits_in_force,
        open_workspace,
    )
else:
    from referee.plain import scratch_dir
    from referee.protocols.plain_process import PlainProcess as SystemProcess
    from referee.protocols.plain_process import Stderrs, attend
    from referee.protocols.plain_workspace import (
        ahead_at_once,
        expect,
        kept_at_once,
        limits_in_force,
        open_workspace,
    )

__all__ = [
    "Stderrs",
    "SystemProcess",
    "ahead_at_once",
    "attend",
    "expect",
    "kept_at_once",
    "limits_in_force",
    "open_workspace",
    "scratch_dir",
]
