"""Numbers of placements: orientation, and the cell of the top left corner of the bounding box."""

from functools import lru_cache

from polyopolis.games.placement import Place, Places


@lru_cache(4096)
def placement_numbers(places: Places) -> tuple[dict[Place, int], dict[int, Place]]:
    """Returns the number of each place, by orientation and in reading order, and the place of each number."""
    grid = places.board.grid
    cells = len(grid.names)
    shapes = {shape.squares: way for way, shape in enumerate(places.orientations)}
    by_place = dict[Place, int]()
    for place in places:
        spots = [divmod(grid.names.index(cell), grid.width) for cell in place.cells]
        top, left = min(row for row, _ in spots), min(column for _, column in spots)
        way = shapes[tuple((column - left, row - top) for row, column in spots)]
        by_place[place.choice] = way * cells + top * grid.width + left
    return by_place, {number: place for place, number in by_place.items()}
