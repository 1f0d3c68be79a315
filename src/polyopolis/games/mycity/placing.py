"""Where a building may lie (MC-6 to MC-10)."""

from polyopolis.engine import Reason
from polyopolis.games.mycity.actions import Place
from polyopolis.games.mycity.content import Card, Site
from polyopolis.games.mycity.state import Building, City
from polyopolis.geometry import Shape


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
    """What forbids the place, if anything does."""
    placements = city.site.placements[card.name]
    if cells in placements:
        mask = placements[cells].mask
        if not mask & ~city.free and mask & city.reach:
            return None
    return _what_forbids(city, card, cells)


def _what_forbids(city: City, card: Card, cells: tuple[str, ...]) -> Reason:
    """The first rule that a place breaks, in the order of the rulebook."""
    site = city.site
    grid = site.grid
    if unknown := tuple(cell for cell in cells if cell not in grid):
        return Reason("off-board", {"cells": unknown})
    if reason := _why_not_shape(card, cells, site):
        return reason
    mask = grid.mask(cells)
    if wild := mask & ~site.ground:
        return Reason("not-meadow", {"cells": grid.cells(wild)})
    if built := mask & ~city.free:
        return Reason("built-over", {"cells": grid.cells(built)})
    if all(mask & ~bank for bank in site.board.banks):
        return Reason("both-banks")
    return Reason("not-touching" if city.buildings else "not-at-river")


def _why_not_shape(card: Card, cells: tuple[str, ...], site: Site) -> Reason | None:
    assert card.shape
    if not cells or len(set(cells)) < len(cells):
        return Reason("not-the-shape", {"card": card.name})
    width = site.grid.width
    squares = ((bit % width, bit // width) for bit in map(site.grid.names.index, cells))
    shape = Shape(tuple(squares))
    if shape in card.shape.rotations():
        return None
    flipped = shape in card.shape.orientations()
    return Reason("flipped" if flipped else "not-the-shape", {"card": card.name})
