"""Start bots as processes, keep them warm, and measure what they use. Only Linux has the means."""

import sys

from referee.environment import system_name
from referee.errors import RefereeError

if sys.platform != "linux":
    raise RefereeError(
        f"this needs Linux, and this is {system_name()}. Use a machine, a container or a WSL with "
        "Linux."
    )
