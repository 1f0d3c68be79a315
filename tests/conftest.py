"""What all tests share: a tiny game, and the profile of Hypothesis. In CI the examples are the same in every run."""

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

from tests.effort import SOAK

ROOT = str(Path(__file__).parent.parent)

# Before anything imports the games, and for all processes that tests start.
os.environ["POLYOPOLIS_GAMES"] = "tests.games.tiny.sign"
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (ROOT, os.environ.get("PYTHONPATH"))))

settings.register_profile(
    "polyopolis",
    max_examples=50 * SOAK,
    deadline=None,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("polyopolis")
