"""What is done with rows of numbers."""

from polyopolis.kernels.runtime.jit import Floats, Ints, Words, jit


@jit
def copied(source: Words, target: Words) -> None:
    for word in range(len(source)):
        target[word] = source[word]


@jit
def sort(choices: Ints, values: Floats, number: int, first: int) -> None:
    """The choices with the highest values in front, so many of them."""
    for place in range(first):
        top = place
        for other in range(place + 1, number):
            if values[other] > values[top]:
                top = other
        choices[place], choices[top] = choices[top], choices[place]
        values[place], values[top] = values[top], values[place]
