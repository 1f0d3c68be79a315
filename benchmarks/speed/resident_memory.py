"""Memory of this process, measured with few imports because they would be counted."""

import os
import resource
from pathlib import Path


def resident_bytes() -> int:
    """Returns the current resident bytes, or the maximum on systems without /proc."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
