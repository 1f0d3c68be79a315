"""Numbers in sections, one behind the other."""

from collections.abc import Mapping


def sections(**sizes: int) -> Mapping[str, range]:
    found, first = dict[str, range](), 0
    for name, size in sizes.items():
        found[name] = range(first, first + size)
        first += size
    return found


def count(numbers: Mapping[str, range]) -> int:
    return max(section.stop for section in numbers.values())
