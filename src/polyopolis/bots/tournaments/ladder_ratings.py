"""Measured ratings of bots by game and number of seats (`ladders/<key>.toml`), extracted from the tables in docs/games.

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

Z_95 = 1.96
"""Half the width of the 95 % interval of a rating in standard deviations. openskill models a rating as a normal
distribution with a known standard deviation, so Student's t does not apply."""

TABLE = re.compile(r"<!-- ladder for (\d+),.*?-->\n(.*?)<!-- end of the ladder -->", re.DOTALL)
LINE = re.compile(r"^\| (\S+) \| (-?[\d.]+) ± ([\d.]+) \|", re.MULTILINE)


class LadderRating(Struct, frozen=True):
    """Rating of a bot with half the width of its 95 % interval."""

    rating: float
    margin: float

    @property
    def sigma(self) -> float:
        return self.margin / Z_95


LadderRatings = Mapping[str, LadderRating]


def ratings_folder() -> Path:
    return Path(str(files("polyopolis.bots"))) / "ladders"


def ratings_for(key: str, seats: int = 2) -> LadderRatings:
    """Ratings for this number of seats or the nearest measured one; empty if the game has no ladder."""
    found = _read(key)
    return found[min(found, key=lambda measured: (abs(measured - seats), measured))] if found else {}


@cache
def _read(key: str) -> dict[int, LadderRatings]:
    path = ratings_folder() / f"{key}.toml"
    if not path.exists():
        return {}
    tables = tomllib.loads(path.read_text("utf-8"))
    return {
        int(name.removeprefix("for-")): {bot: LadderRating(*rung) for bot, rung in table.items()}
        for name, table in tables.items()
    }


def parse_ratings(document: str) -> dict[int, LadderRatings]:
    """Ratings in the tables of a document, by number of seats."""
    return {
        int(seats): {bot: LadderRating(float(rating), float(margin)) for bot, rating, margin in LINE.findall(table)}
        for seats, table in TABLE.findall(document)
    }


def format_ratings(key: str, found: Mapping[int, LadderRatings]) -> str:
    """Text of a ratings file."""
    lines = [f"# Ratings and 95 % margins, written by `make rungs` from the tables of docs/games/{key}.md."]
    for seats, table in sorted(found.items()):
        lines += ["", f"[for-{seats}]", *(f"{bot} = [{rung.rating}, {rung.margin}]" for bot, rung in table.items())]
    return "\n".join(lines) + "\n"


def main(documents: Path) -> None:
    for path in sorted(documents.glob("*.md")):
        if found := parse_ratings(path.read_text("utf-8")):
            (ratings_folder() / f"{path.stem}.toml").write_text(format_ratings(path.stem, found), "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("documents", type=Path, help="folder with GAME.md files")
    main(parser.parse_args().documents)
