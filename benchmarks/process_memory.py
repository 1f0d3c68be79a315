"""Memory of processes."""

import re
from pathlib import Path


def pss_bytes(process: int) -> int:
    """Returns the proportional set size (PSS) of a process in bytes; 0 if the process has ended."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    pss = re.search(r"^Pss: +(\d+) kB", text, re.MULTILINE)
    return 1024 * int(pss[1]) if pss else 0
