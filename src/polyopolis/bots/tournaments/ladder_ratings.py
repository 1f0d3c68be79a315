"""How well bots play, as ladders have measured it: `ladders/<key>.toml`, written from the tables of docs/games.

python -m polyopolis.bots.tournaments.ladder_ratings docs/games
"""

import argparse
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from msgspec import Struct

CONFIDENCE = 1.96
"""Standard deviations on either side of a rating in tables. openskill models a rating as a normal
distribution with a known standard deviation, so Student's t does not apply."""

TABLE = re.compile(r"<!-- ladder for (\d+),.*?-->\n(.*?)<!-- end of the ladder -->", re.DOTALL)
LINE = re.compile(r"^\| (\S+) \| (-?[\d.]+) ± ([\d.]+) \|", re.MULTILINE)


class LadderRating(Struct, frozen=True):
    """The rating of a bot, and how far it may be from the truth (95 %)."""

    rating: float
    margin: float

    @property
    def sigma(self) -> float:
        return self.margin / CONFIDENCE


Rungs = Mapping[str, LadderRating]


def folder() -> Path:
    return Path(str(files("polyopolis.bots"))) / "ladders"


def rungs(key: str, seats: int = 2) -> Rungs:
    """Of a game for so many, or for the number that was measured and is next to it; none where nobody has measured."""
    found = _read(key)
    return found[min(found, key=lambda measured: (abs(measured - seats), measured))] if found else {}


@cache
def _read(key: str) -> dict[int, Rungs]:
    path = folder() / f"{key}.toml"
    if not path.exists():
        return {}
    tables = tomllib.loads(path.read_text("utf-8"))
    return {
        int(name.removeprefix("for-")): {bot: LadderRating(*rung) for bot, rung in table.items()}
        for name, table in tables.items()
    }


def measured(document: str) -> dict[int, Rungs]:
    """What the tables of a document say, by the number of seats."""
    return {
        int(seats): {bot: LadderRating(float(rating), float(margin)) for bot, rating, margin in LINE.findall(table)}
        for seats, table in TABLE.findall(document)
    }


def written(key: str, found: Mapping[int, Rungs]) -> str:
    """A file of rungs as text."""
    lines = [f"# Ratings and 95 % margins, written by `make rungs` from the tables of docs/games/{key}.md."]
    for seats, table in sorted(found.items()):
        lines += ["", f"[for-{seats}]", *(f"{bot} = [{rung.rating}, {rung.margin}]" for bot, rung in table.items())]
    return "\n".join(lines) + "\n"


def main(documents: Path) -> None:
    for path in sorted(documents.glob("*.md")):
        if found := measured(path.read_text("utf-8")):
            (folder() / f"{path.stem}.toml").write_text(written(path.stem, found), "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("documents", type=Path, help="where GAME.md is")
    main(parser.parse_args().documents)
