"""How much memory processes take."""

import re
from pathlib import Path


def held(process: int) -> int:
    """What a process has of its own, and its part of what it shares."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    found = re.search(r"^Pss: +(\d+) kB", text, re.MULTILINE)
    return 1024 * int(found[1]) if found else 0
