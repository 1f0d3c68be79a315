"""Name and animal of a city in a campaign, and the default ones. No rule depends on them."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

CityName = Annotated[str, Meta(min_length=1, max_length=24, pattern=r"\S")]
Animal = Literal[
    "bear", "beaver", "deer", "duck", "fish", "fox", "frog", "hare", "hedgehog", "owl", "snail", "squirrel"
]  # fmt: skip
ANIMALS: tuple[Animal, ...] = get_args(Animal)
DEFAULT_CITY_NAMES = ("Bramwick", "Oldmere", "Farrowby", "Thornleigh")


class CityEmblem(Struct, frozen=True):
    """The name of a city and its animal."""

    city: str
    animal: str


def default_emblem(seat: int) -> CityEmblem:
    """Returns the emblem of a seat whose player has not chosen one. Those of four seats differ."""
    return CityEmblem(DEFAULT_CITY_NAMES[seat % len(DEFAULT_CITY_NAMES)], ANIMALS[seat * 3 % len(ANIMALS)])
