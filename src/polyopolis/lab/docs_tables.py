"""Writes the tables of docs/lab.md: `python -m polyopolis.lab.docs_tables docs/lab.md`."""

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from polyopolis.lab.action_numbers import numbering_of
from polyopolis.lab.environment_ids import EnvironmentId, offers
from polyopolis.lab.observations import PARTS

NUMBERS_BLOCK = re.compile(r"(?<=<!-- numbers -->\n).*(?=<!-- /numbers -->)", re.DOTALL)
TITLES = {"mycity": "My City", "rollwrite": "Roll & Write", "pointcity": "Point City"}


def id_families(key: str) -> Iterator[tuple[str, str]]:
    """Yields ids with their seats. Ids that differ only in a number are combined."""
    found = dict[str, list[EnvironmentId]]()
    for offer in offers().values():
        if offer.key == key:
            found.setdefault(re.sub(r"(episode|chapter)-\d+", r"\1-N", offer.id), []).append(offer)
    for family, members in found.items():
        named = f"`{members[0].id}` to `{members[-1].id}`" if len(members) > 1 else f"`{family}`"
        yield named, range_text(members[0].seats)


def range_text(numbers: range) -> str:
    return f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


def game_section(key: str) -> Iterator[str]:
    numbers = numbering_of(key)
    yield f"### {TITLES[key]}"
    yield ""
    yield from markdown_table(("id", "seats"), list(id_families(key)))
    yield f"{numbers.COUNT:,} action numbers and {numbers.CHANCES} numbers of chance outcomes:"
    yield ""
    yield from markdown_table(
        ("action", "numbers"),
        [(name.replace("_", "-"), range_text(section)) for name, section in numbers.SECTIONS.items()],
    )
    yield "Observation of a seat:"
    yield ""
    parts = [
        (f"`{part.name}`", " x ".join([*(["seats"] if part.each else []), *map(str, part.shape)]), part.about)
        for part in PARTS[key]
    ]
    yield from markdown_table(("part", "shape", "content"), parts)


def markdown_table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    for row in (head, ("---",) * len(head), *rows):
        yield f"| {' | '.join(row)} |"
    yield ""


def updated_page(page: str) -> str:
    """Returns the page with current tables."""
    text = "\n".join(line for key in TITLES for line in game_section(key))
    return NUMBERS_BLOCK.sub(lambda _: text, page)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path, help="page to update")
    path = parser.parse_args().page
    path.write_text(updated_page(path.read_text("utf-8")), "utf-8")
