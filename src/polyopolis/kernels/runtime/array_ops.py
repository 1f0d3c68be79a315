"""Copy and partial sort of arrays."""

from polyopolis.kernels.runtime.jit import Floats, Ints, Words, jit


@jit
def copy_into(source: Words, target: Words) -> None:
    for word in range(len(source)):
        target[word] = source[word]


@jit
def partial_sort(choices: Ints, values: Floats, number: int, first: int) -> None:
    """Moves the `first` choices with the highest values to the front, best first."""
    for place in range(first):
        top = place
        for other in range(place + 1, number):
            if values[other] > values[top]:
                top = other
        choices[place], choices[top] = choices[top], choices[place]
        values[place], values[top] = values[top], values[place]
