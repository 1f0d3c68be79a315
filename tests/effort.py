"""How many examples the properties try: a modest number each time, many more with POLYOPOLIS_SOAK=1."""

import os

from hypothesis import settings

IS_SOAK = os.environ.get("POLYOPOLIS_SOAK") == "1"
SOAK = 100 if IS_SOAK else 1


def examples(number: int) -> settings:
    """Returns the settings of a property that is tried with `number` examples, and with 100 times as many in a soak."""
    return settings(max_examples=number * SOAK)
