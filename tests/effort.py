"""How many examples the properties try: a modest number each time, many more with POLYOPOLIS_SOAK=1."""

import os

from hypothesis import settings

SOAK = 100 if os.environ.get("POLYOPOLIS_SOAK") == "1" else 1


def examples(number: int) -> settings:
    """The settings of a property that is tried with so many examples, and with 100 times as many in the soak."""
    return settings(max_examples=number * SOAK)
