"""Where a building may lie (MC-6 to MC-10)."""

from polyopolis.engine import Reason
from polyopolis.games.building import Place, why_not_build
from polyopolis.games.mycity.content import Card, Site
from polyopolis.games.mycity.state import Building, City


def places(city: City, card: Card) -> list[Place]:
    """Every place for the building: on free meadow (MC-6), on one bank (MC-7), at the river or at a building."""
    return city.site.placements[card.name].open(city.free, city.reach)


def can_place(city: City, card: Card) -> bool:
    return city.site.placements[card.name].any_open(city.free, city.reach)


def found(site: Site, marker: int) -> City:
    """A board before its first building, which must have a side along the river (MC-8)."""
    return City(site, site.ground, site.board.riverside, marker)


def build(city: City, card: Card, cells: tuple[str, ...]) -> City:
    """The city with one more building, which stays for good (MC-10). Later ones touch a building (MC-9)."""
    at = city.site.placements[card.name][cells]
    return City(
        city.site,
        city.free & ~at.mask,
        (city.reach if city.buildings else 0) | at.halo,
        city.marker,
        (*city.buildings, Building(card, at)),
        city.passes,
        city.stopped,
        city.won,
    )


def why_not_place(city: City, card: Card, cells: tuple[str, ...]) -> Reason | None:
    """The first rule that forbids the place."""
    reason = why_not_build(city.site.placements[card.name], cells, city.free, city.reach)
    if reason and reason.code == "not-touching" and not city.buildings:
        return Reason("not-at-river")
    return reason
