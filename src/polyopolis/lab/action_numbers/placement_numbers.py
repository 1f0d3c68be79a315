"""Places of the building that is due: the way it lies, and the cell of the top left corner of its frame."""

from functools import lru_cache

from polyopolis.games.placement import Place, Places


@lru_cache(4096)
def numbered(places: Places) -> tuple[dict[Place, int], dict[int, Place]]:
    """The number of each place, way by way and in reading order, and what each number is called."""
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
