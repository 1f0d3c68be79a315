"""Where a building may lie (MC-6 to MC-10)."""

from functools import cache

from polyopolis.engine import Reason
from polyopolis.games.mycity.actions import Kiosk
from polyopolis.games.mycity.building_site import KIOSK, Building, Card, Site
from polyopolis.games.mycity.state import City
from polyopolis.games.placement import Place, why_not_build


def places(city: City, card: Card) -> list[Place]:
    """Every place for the building: on free ground (MC-6), on one bank (MC-7), at the start or at a building."""
    return city.site.placements[card.name].open(city.free, city.reach)


def can_place(city: City, card: Card) -> bool:
    """Whether there is a place for it, if it is still the owner's (MC-E22)."""
    owned = city.site.placements.get(card.name)
    return owned is not None and owned.any_open(city.free, city.reach)


def laid_out(site: Site, marker: int, kiosks: int = 0) -> City:
    """A board before its first building, which lies along the river (MC-8) or beside a piece (MC-E11, MC-E22)."""
    return City(site, site.ground, site.first_reach, marker, kiosks=kiosks)


def build(city: City, card: Card, cells: tuple[str, ...]) -> City:
    """The city with one more building, which stays for good (MC-10).

    Later ones touch a building (MC-9), be it one that lay there from the start.
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
    """The first rule that forbids the place."""
    site = city.site
    reason = why_not_build(site.placements[card.name], cells, city.free, city.reach, site.ground)
    if reason and reason.code == "not-touching" and not city.buildings:
        return _NOT_AT[site.start]
    if reason and reason.code == "not-meadow" and site.water & site.grid.mask(cells):
        return Reason("flooded", reason.about)
    return reason


def kiosks(city: City) -> list[Kiosk]:
    """Every free cell that touches a building (MC-E23)."""
    return [kiosk_at(cell) for cell in city.site.grid.cells(city.free & city.reach)]


kiosk_at = cache(Kiosk)


def why_not_kiosk(city: City, cell: str) -> Reason | None:
    return why_not_place(city, KIOSK, (cell,))
