"""The limits documented in docs/hosting.md match the code."""

from pathlib import Path

import pytest

from polyopolis.server.limits.client_addresses import IPV6_NETWORKS
from polyopolis.server.limits.fair_queue import QueueLimits
from polyopolis.server.limits.rate_limits import Limits, RateLimit
from polyopolis.server.limits.reader_queue import READER_LIMITS
from polyopolis.server.workers.bot_processes import BOT_QUEUE_BOUNDS
from polyopolis.server.workers.review_process import REVIEW_QUEUE_BOUNDS

PAGE = (Path(__file__).parents[3] / "docs" / "hosting.md").read_text()
SECTION = PAGE.partition("## What the limits protect")[2].partition("\n## ")[0]
MULTIPLES = [multiple for _, multiple in IPV6_NETWORKS]


@pytest.mark.parametrize("name", ["requests", "reading", "imports", "sockets", "tries", "receivers"])
def test_documented_rate_limits_are_current(name: str) -> None:
    allowance: RateLimit = getattr(Limits(), name)
    (row,) = (line for line in SECTION.splitlines() if line.startswith("|") and f"--limit-{name}`" in line)
    _, _, address, *wider, _, _ = row.split("|")
    assert f"{allowance.most:,.0f} in {allowance.seconds:g} s" in address
    assert [cell.strip() for cell in wider] == [f"{multiple * allowance.most:,.0f}" for multiple in MULTIPLES[1:]]


@pytest.mark.parametrize(
    "bounds", [READER_LIMITS, REVIEW_QUEUE_BOUNDS, BOT_QUEUE_BOUNDS], ids=["reading", "reviews", "bots"]
)
def test_documented_queue_limits_are_current(bounds: QueueLimits) -> None:
    of_networks = ", ".join(f"{multiple * bounds.of_address:,}" for multiple in MULTIPLES)
    assert f"| {bounds.total:,} | {of_networks} | {bounds.of_person} |" in SECTION
