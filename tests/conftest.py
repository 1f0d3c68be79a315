"""What all tests share: the profile of Hypothesis. In CI the examples are the same in every run."""

import os

from hypothesis import HealthCheck, settings

from tests.effort import SOAK

settings.register_profile(
    "polyopolis",
    max_examples=50 * SOAK,
    deadline=None,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("polyopolis")
