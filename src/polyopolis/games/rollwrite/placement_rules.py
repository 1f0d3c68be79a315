"""Where a building may be drawn (RW-4 to RW-8)."""

from polyopolis.engine import Reason
from polyopolis.games.placement import Place, why_not_build
from polyopolis.games.rollwrite.content import Episode, Task
from polyopolis.games.rollwrite.state import Building, City
from polyopolis.geometry import Mask


def places(city: City, task: Task) -> list[Place]:
    """Returns all placements of a building: on free ground (RW-5), on one bank (RW-6), touching a building (RW-7)."""
    return task.places.open(city.free, reach(city, task))


def can_place(city: City, task: Task) -> bool:
    return task.places.any_open(city.free, reach(city, task))


def reach(city: City, task: Task) -> Mask:
    """Returns the cells of which a building must cover one. A fort need not touch a building (RW-32)."""
    return city.free if task.anywhere else city.reach


def empty_city(episode: Episode, carried: Mask = 0) -> City:
    """Returns a city with only printed buildings, at which the first building starts (RW-24, RW-25, RW-32).

    Without printed buildings it starts at the river (RW-7). Bandits that are carried over keep their cells (RW-30).
    """
    site = episode.site
    printed = tuple(Building(kind, at) for kind, at in site.printed)
    start = site.board.riverside if episode.rules.start == "river" else site.grid.neighbours(site.printed_cells)
    return City(site, site.ground & ~carried, start, printed, site.bandits | carried)


def build(city: City, task: Task, cells: tuple[str, ...]) -> City:
    """Returns the city with one more building. Later buildings must touch one (RW-7), also across the river (RW-8)."""
    at = task.places[cells]
    return City(
        city.site,
        city.free & ~at.mask,
        (city.reach if city.buildings else 0) | at.halo,
        (*city.buildings, Building(task.kind, at)),
        city.bandits,
        city.circles,
        city.stopped,
        city.won,
    )


def why_not_place(city: City, task: Task, cells: tuple[str, ...]) -> Reason | None:
    """Returns the first rule that forbids the placement; None if none does."""
    reason = why_not_build(task.places, cells, city.free, reach(city, task))
    if reason is None:
        return None
    if reason.code == "not-touching":
        return reason if city.buildings else Reason("not-at-river")
    return _on_what_stands(city, cells) if reason.code in ("not-meadow", "built-over") else reason


def _on_what_stands(city: City, cells: tuple[str, ...]) -> Reason:
    """Returns the obstacle: a bandit, land that cannot be built on, or a building."""
    grid, site = city.site.grid, city.site
    mask = grid.mask(cells)
    if bandits := mask & city.bandits:
        return Reason("bandit", {"cells": grid.cells(bandits)})
    if wild := mask & ~site.ground & ~site.printed_cells:
        return Reason("not-meadow", {"cells": grid.cells(wild)})
    return Reason("built-over", {"cells": grid.cells(mask & ~city.free)})
