"""Consecutive ranges of action numbers."""

from collections.abc import Mapping


def consecutive_ranges(**sizes: int) -> Mapping[str, range]:
    found, first = dict[str, range](), 0
    for name, size in sizes.items():
        found[name] = range(first, first + size)
        first += size
    return found


def total_count(numbers: Mapping[str, range]) -> int:
    return max(section.stop for section in numbers.values())
