"""Start bots as processes, keep them warm, and measure what they use. Only Linux has the means."""

import sys

from referee.errors import RefereeError

SYSTEMS = {"darwin": "macOS", "win32": "Windows"}

if sys.platform != "linux":
    system = SYSTEMS.get(sys.platform, sys.platform)
    raise RefereeError(
        f"this needs Linux, and this is {system}. Use a machine, a container or a WSL with Linux."
    )
