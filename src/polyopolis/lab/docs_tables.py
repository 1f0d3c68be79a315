"""Tables of environment ids and observations: `python -m polyopolis.lab.docs_tables docs/lab.md` writes them."""

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from polyopolis.lab.action_numbers import numbering_of
from polyopolis.lab.environment_ids import EnvironmentId, offers
from polyopolis.lab.observations import PARTS

PLACE = re.compile(r"(?<=<!-- numbers -->\n).*(?=<!-- /numbers -->)", re.DOTALL)
TITLES = {"mycity": "My City", "rollwrite": "Roll & Write", "pointcity": "Point City"}


def families(key: str) -> Iterator[tuple[str, str]]:
    """Ids that differ in a number alone stand together, each with its seats."""
    found = dict[str, list[EnvironmentId]]()
    for offer in offers().values():
        if offer.key == key:
            found.setdefault(re.sub(r"(episode|chapter)-\d+", r"\1-N", offer.id), []).append(offer)
    for family, members in found.items():
        named = f"`{members[0].id}` to `{members[-1].id}`" if len(members) > 1 else f"`{family}`"
        yield named, extent(members[0].seats)


def extent(numbers: range) -> str:
    return f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


def chapter(key: str) -> Iterator[str]:
    numbers = numbering_of(key)
    yield f"### {TITLES[key]}"
    yield ""
    yield from table(("id", "seats"), list(families(key)))
    yield f"{numbers.COUNT:,} action numbers and {numbers.CHANCES} numbers of chance outcomes:"
    yield ""
    yield from table(
        ("action", "numbers"), [(name.replace("_", "-"), extent(section)) for name, section in numbers.SECTIONS.items()]
    )
    yield "Observation of a seat:"
    yield ""
    parts = [
        (f"`{part.name}`", " x ".join([*(["seats"] if part.each else []), *map(str, part.shape)]), part.about)
        for part in PARTS[key]
    ]
    yield from table(("part", "shape", "content"), parts)


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    for row in (head, ("---",) * len(head), *rows):
        yield f"| {' | '.join(row)} |"
    yield ""


def written(page: str) -> str:
    """The page with all of this as it is now."""
    text = "\n".join(line for key in TITLES for line in chapter(key))
    return PLACE.sub(lambda _: text, page)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path, help="the page with the tables")
    path = parser.parse_args().page
    path.write_text(written(path.read_text("utf-8")), "utf-8")
