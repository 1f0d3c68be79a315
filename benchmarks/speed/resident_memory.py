"""The memory of this process; it imports nothing that would count."""

import os
import resource
from pathlib import Path


def resident() -> int:
    """Bytes that are in memory now; where that cannot be read, those that were at most."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
