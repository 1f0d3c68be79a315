"""Actions and events."""

from polyopolis.engine import Tagged


class Throw(Tagged, frozen=True, tag="throw"):
    pips: int


class Keep(Tagged, frozen=True, tag="keep"):
    pass


class Leave(Tagged, frozen=True, tag="leave"):
    pass


Action = Throw | Keep | Leave


class Thrown(Tagged, frozen=True, tag="thrown"):
    pips: int


class Kept(Tagged, frozen=True, tag="kept"):
    seat: int
    pips: int


class Left(Tagged, frozen=True, tag="left"):
    seat: int


Event = Thrown | Kept | Left
