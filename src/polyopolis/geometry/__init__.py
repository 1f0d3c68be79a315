"""Public API of the grid geometry: cells as bits, shapes, boards with rivers."""

from polyopolis.geometry.boards import Board, Corner, Edge, Placement, Placements
from polyopolis.geometry.cells import Grid, Mask, bits
from polyopolis.geometry.shapes import Shape

__all__ = ["Board", "Corner", "Edge", "Grid", "Mask", "Placement", "Placements", "Shape", "bits"]
