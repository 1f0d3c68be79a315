"""Where a building may be placed (MC-6 to MC-10)."""

from functools import cache

from polyopolis.engine import Reason
from polyopolis.games.mycity.actions import Kiosk
from polyopolis.games.mycity.building_site import KIOSK, Building, Card, Site
from polyopolis.games.mycity.state import City
from polyopolis.games.placement import Place, why_not_build


def places(city: City, card: Card) -> list[Place]:
    """Returns all placements of a building: on free ground (MC-6), on one bank (MC-7), at the start or a building."""
    return city.site.placements[card.name].open(city.free, city.reach)


def can_place(city: City, card: Card) -> bool:
    """Returns whether the player still has the building (MC-E22) and can place it."""
    owned = city.site.placements.get(card.name)
    return owned is not None and owned.any_open(city.free, city.reach)


def empty_city(site: Site, marker: int, kiosks: int = 0) -> City:
    """Returns a city without buildings. The first one starts at the river (MC-8) or at a piece (MC-E11, MC-E22)."""
    return City(site, site.ground, site.first_reach, marker, kiosks=kiosks)


def build(city: City, card: Card, cells: tuple[str, ...]) -> City:
    """Returns the city with one more building, which is never removed (MC-10).

    Later buildings must touch one (MC-9), which may also be a piece that lies on the board from the start.
    """
    site = city.site
    at = site.placements[card.name][cells]
    return City(
        site,
        city.free & ~at.mask,
        (city.reach if city.buildings else site.beside_pieces) | at.halo,
        city.marker,
        (*city.buildings, Building(card, at)),
        city.passes,
        city.stopped,
        city.won,
        city.gained,
        city.kiosks,
    )


_NOT_AT = {
    "river": Reason("not-at-river"),
    "sawmill": Reason("not-at-sawmill"),
    "palace": Reason("not-at-palace"),
}


def why_not_place(city: City, card: Card, cells: tuple[str, ...]) -> Reason | None:
    """Returns the first rule that forbids the placement; None if none does."""
    site = city.site
    reason = why_not_build(site.placements[card.name], cells, city.free, city.reach, site.ground)
    if reason and reason.code == "not-touching" and not city.buildings:
        return _NOT_AT[site.start]
    if reason and reason.code == "not-meadow" and site.water & site.grid.mask(cells):
        return Reason("flooded", reason.about)
    return reason


def kiosk_actions(city: City) -> list[Kiosk]:
    """Returns a kiosk for every free cell that touches a building (MC-E23)."""
    return [kiosk_at(cell) for cell in city.site.grid.cells(city.free & city.reach)]


kiosk_at = cache(Kiosk)


def why_not_kiosk(city: City, cell: str) -> Reason | None:
    return why_not_place(city, KIOSK, (cell,))
