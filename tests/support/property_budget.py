"""Number of examples of property tests: 100 times as many with POLYOPOLIS_SOAK=1."""

import os

from hypothesis import settings

IS_SOAK = os.environ.get("POLYOPOLIS_SOAK") == "1"
SOAK = 100 if IS_SOAK else 1


def examples(number: int) -> settings:
    """Returns Hypothesis settings for `number` examples, or 100 times as many in a soak."""
    return settings(max_examples=number * SOAK)
