"""What people call a city, and the animal on its flag. No rule asks for either."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

CityName = Annotated[str, Meta(min_length=1, max_length=24, pattern=r"\S")]
Animal = Literal[
    "bear", "beaver", "deer", "duck", "fish", "fox", "frog", "hare", "hedgehog", "owl", "snail", "squirrel"
]  # fmt: skip
ANIMALS: tuple[Animal, ...] = get_args(Animal)
CITIES = ("Bramwick", "Oldmere", "Farrowby", "Thornleigh")


class CityEmblem(Struct, frozen=True):
    """The name of a city, and its animal."""

    city: str
    animal: str


def first_arms(seat: int) -> CityEmblem:
    """What the city of a seat bears before its people have chosen; no two of four alike."""
    return CityEmblem(CITIES[seat % len(CITIES)], ANIMALS[seat * 3 % len(ANIMALS)])
