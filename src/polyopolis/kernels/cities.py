"""Cities of the kernels: from a state of a game to arrays and back, and what the kernels do with them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from msgspec import UNSET

from polyopolis.games.building import Pass, Place, Stop
from polyopolis.games.mycity import state as mycity
from polyopolis.games.rollwrite import state as rollwrite
from polyopolis.kernels import placing as kernel
from polyopolis.kernels.compiled import Floats, Ints, Words, float_rows, floats, int_rows, ints, word_rows, words
from polyopolis.kernels.tables import KINDS, Land, halves, land_of

MOST_PLACES = 1024
"""More than any shape has on any board."""
FOCUS = 3
"""With dice: a level that tried as many choices as with cards was no better than one that only looks."""


@dataclass(frozen=True, eq=False)
class Room:
    """Arrays to work in: a kernel allocates nothing."""

    city: Words = field(default_factory=lambda: word_rows(1, kernel.CITY)[0])
    book: Ints = field(default_factory=lambda: int_rows(1, kernel.BOOK)[0])
    coming: Ints = field(default_factory=lambda: int_rows(1, kernel.MOST_LUCK)[0])
    luck: Words = field(default_factory=lambda: words([0]))
    out: Ints = field(default_factory=lambda: int_rows(1, kernel.FEATURE_COUNT)[0])
    choices: Ints = field(default_factory=lambda: int_rows(1, MOST_PLACES)[0])
    values: Floats = field(default_factory=lambda: float_rows(1, MOST_PLACES)[0])
    blend: Floats = field(default_factory=lambda: float_rows(1, kernel.FEATURE_COUNT)[0])
    chosen: Ints = field(default_factory=lambda: int_rows(1, MOST_PLACES)[0])
    cities: Sequence[Words] = field(default_factory=lambda: word_rows(kernel.MOST_AHEAD + 2, kernel.CITY))
    books: Sequence[Ints] = field(default_factory=lambda: int_rows(kernel.MOST_AHEAD + 2, kernel.BOOK))
    ahead: Sequence[Ints] = field(default_factory=lambda: int_rows(kernel.MOST_AHEAD + 2, MOST_PLACES))
    nodes: Sequence[Ints] = field(default_factory=lambda: int_rows(kernel.MOST_AHEAD + 2, kernel.NODE))
    hopes: Sequence[Floats] = field(default_factory=lambda: float_rows(kernel.MOST_AHEAD + 2, kernel.HOPES))
    means: Floats = field(default_factory=lambda: float_rows(1, MOST_PLACES)[0])

    @classmethod
    def with_luck(cls, seed: int) -> Self:
        return cls(luck=words([seed % 2**64]))


@dataclass(frozen=True, eq=False)
class City:
    """One city: its masks and its numbers. It changes as it is built."""

    site: Land
    words: Words = field(default_factory=lambda: word_rows(1, kernel.CITY)[0])
    book: Ints = field(default_factory=lambda: int_rows(1, kernel.BOOK)[0])
    room: Room = field(default_factory=Room)

    @classmethod
    def found(cls, site: Land, carried: int = 0) -> Self:
        """Before the first building, but for what is printed; with the bandits that were carried over."""
        city = cls(site)
        kernel.found(site.land, site.law, city.words, city.book)
        for number, half in enumerate(words(halves(carried))):
            city.words[kernel.FREE + number] &= ~half
            city.words[kernel.OUTLAWS + number] |= half
        for kind, at in site.printed:
            city.erect(kind, at.mask, at.halo)
        if site.land[kernel.BESIDE] | site.land[kernel.BESIDE + 1]:
            kernel.begin(site.land, city.words, city.book)
        return city

    def erect(self, kind: int, mask: int, halo: int, gear: int = 0) -> None:
        (low, high), (halo_low, halo_high) = halves(mask), halves(halo)
        values = words([low, high, halo_low, halo_high])
        kernel.erect(self.site.land, self.site.law, self.words, self.book, kind, gear, *values)

    def note(self, passed: int, won: int, open_: int) -> None:
        self.book[kernel.PASSED], self.book[kernel.WON], self.book[kernel.OPEN] = passed, won, open_

    def legal(self, task: int) -> list[Place | Pass | Stop]:
        """Every choice for a task, as the rules name it."""
        site = self.site
        number = kernel.listed(site.land, site.law, self.words, task, self.room.choices)
        named: list[Place | Pass | Stop] = [site.choices[int(choice)] for choice in self.room.choices[:number]]
        if kernel.can_pass(site.law, self.book, task):
            named.append(Pass())
        return [*named, Stop()]

    def choice(self, task: int, action: Place | Pass) -> int:
        """The number of a choice."""
        if isinstance(action, Pass):
            return kernel.PASS
        number = kernel.listed(self.site.land, self.site.law, self.words, task, self.room.choices)
        return next(int(choice) for choice in self.room.choices[:number] if self.site.choices[int(choice)] == action)

    def decide(self, task: int, choice: int) -> None:
        kernel.decide(self.site.land, self.site.law, self.words, self.book, task, choice)

    @property
    def score(self) -> int:
        return int(kernel.score(self.site.land, self.site.law, self.words, self.book, self.room.out))

    @property
    def features(self) -> dict[str, int]:
        kernel.score(self.site.land, self.site.law, self.words, self.book, self.room.out)
        return {name: int(value) for name, value in zip(kernel.FEATURES, self.room.out, strict=True)}

    @property
    def sight(self) -> tuple[int, ...]:
        """All that is known of it, as numbers."""
        return tuple(map(int, (*self.words[: kernel.FIT], *self.book)))

    @property
    def free(self) -> int:
        return int(self.words[kernel.FREE]) | int(self.words[kernel.FREE + 1]) << 64

    @property
    def reach(self) -> int:
        return int(self.words[kernel.REACH]) | int(self.words[kernel.REACH + 1]) << 64


def random_scores(site: Land, games: int, seed: int) -> tuple[Ints, int]:
    """Whole games by one who builds anywhere: the scores, and how many decisions they took."""
    first, room, scores = City.found(site), Room.with_luck(seed), ints([0] * games)
    decisions = kernel.random_games(
        site.land, site.law, first.words, first.book, room.city, room.book, site.deck, room.coming, room.luck,
        room.out, scores,
    )  # fmt: skip
    return scores, int(decisions)


def good_outcomes(site: Land, weights: Floats, seeds: Sequence[int], room: Room | None = None) -> Floats:
    """What comes of whole games by what is worth most with these weights, one for each seed of luck."""
    first, room, results = City.found(site), room or Room(), floats([0.0] * len(seeds))
    kernel.good_games(
        site.land, site.law, first.words, first.book, room.city, room.book, site.deck, room.coming, room.luck, weights,
        room.blend, room.out, room.choices, room.values, words(seeds), results,
    )  # fmt: skip
    return results


@dataclass(frozen=True, eq=False)
class Position:
    """What one seat decides on: its city, the task, and the cards that are left."""

    city: City
    task: int
    deck: Ints
    part: str = "all"
    """The part of a game whose weights hold: an episode by its number, or the whole game."""
    focus: int = 1
    """A search tries so many times fewer choices: where luck says less of each, more of it is needed."""

    def action(self, choice: int) -> Place | Pass | Stop:
        if choice == kernel.STOP:
            return Stop()
        return Pass() if choice == kernel.PASS else self.city.site.choices[choice]

    @property
    def site(self) -> Land:
        return self.city.site

    @property
    def sight(self) -> tuple[int, ...]:
        return *self.city.sight, self.task, *map(int, self.deck)

    @property
    def stopping(self) -> list[tuple[float, int]]:
        """To stop, and what that is worth."""
        city, site = self.city, self.city.site
        return [(float(kernel.outcome(site.land, site.law, city.words, city.book, city.room.out)), kernel.STOP)]

    def valued(self, weights: Floats) -> list[tuple[float, int]]:
        """Every choice but to stop, with what it is worth at sight."""
        city, site, room = self.city, self.city.site, self.city.room
        number = kernel.valued(
            site.land, site.law, city.words, city.book, self.task, weights, room.blend, room.out, room.choices,
            room.values,
        )  # fmt: skip
        return [(float(room.values[at]), int(room.choices[at])) for at in range(number)]

    def parts(self, weights: Floats, choice: int) -> dict[str, float]:
        """What the city is worth at sight once this is decided, feature by feature; nothing more once it stops."""
        if choice == kernel.STOP:
            return {}
        city, site, room = self.city, self.city.site, self.city.room
        kernel.blended(site.land, site.law, city.words, city.book, weights, room.blend)
        kernel.foresee(site.land, site.law, city.words, city.book, self.task, choice, room.out)
        counted = zip(kernel.FEATURES, room.blend, room.out, strict=True)
        return {name: float(weight * count) for name, weight, count in counted if weight and count}

    def futures(self, limit: int) -> int:
        """About how many ways there are to play on to the end, if they are fewer than this."""
        site, city = self.city.site, self.city
        return int(kernel.futures(site.land, site.law, city.words, self.task, self.deck, limit, city.room.choices))

    def solved(self) -> list[tuple[float, int]]:
        """Every choice with what it comes to if all goes as well as it can, the best first."""
        city, site, room = self.city, self.city.site, Room()
        number = kernel.solved(
            site.land, site.law, city.words, city.book, self.task, self.deck, room.cities, room.books, room.out,
            room.ahead, room.nodes, room.hopes, room.chosen, room.means,
        )  # fmt: skip
        return [(float(room.means[at]), int(room.chosen[at])) for at in range(number)]

    def searched(self, weights: Floats, simulations: int, width: int, seed: int) -> tuple[int, list[tuple[float, int]]]:
        """How many games it took, and so many choices, each with what it comes to on average, the best first."""
        city, site, room = self.city, self.city.site, Room.with_luck(seed)
        number = kernel.searched(
            site.land, site.law, city.words, city.book, self.task, self.deck, simulations, max(width // self.focus, 1),
            room.city, room.book, room.coming, room.luck, weights, room.blend, room.out, room.choices, room.values,
            room.chosen, room.means,
        )  # fmt: skip
        return simulations, [(float(room.means[at]), int(room.chosen[at])) for at in range(number)]


def position_of(key: str, state: Any, seat: int) -> Position:
    """The city of a seat that decides, in a state of a game with a kernel."""
    return POSITIONS[key](land_of(key, state.episode, state.cities[seat].site), state, seat)


def _mycity(site: Land, state: mycity.State, seat: int) -> Position:
    found, city = state.cities[seat], City.found(site)
    for building in found.buildings:
        gear = int(building.card.name in found.site.gears)
        city.erect(KINDS[building.card.kind], building.at.mask, building.at.halo, gear)
    won, open_ = ({race.race for race in races} for races in (found.won, state.open_races))
    city.note(passed=found.passes, won=int("gold" in won), open_=int("gold" in open_))
    city.book[kernel.WON_FOREST], city.book[kernel.OPEN_FOREST] = int("forest" in won), int("forest" in open_)
    city.book[kernel.GONE], city.book[kernel.BLOCKING] = len(state.revealed), int(state.blocking)
    part = "all" if state.setup.episode is UNSET else f"episode-{state.setup.episode}"
    return Position(city, site.tasks.get(state.card, 0), ints(site.tasks[card] for card in state.deck), part)


def _rollwrite(site: Land, state: rollwrite.State, seat: int) -> Position:
    found = state.cities[seat]
    city = City.found(site, found.bandits & ~found.site.bandits)
    for building in found.buildings[len(site.printed) :]:
        city.erect(KINDS[building.kind], building.at.mask, building.at.halo)
    city.note(passed=found.circles, won=len(found.won), open_=len(state.open_races))
    city.book[kernel.GONE], city.book[kernel.USED] = state.rolls, state.compasses
    return Position(city, site.tasks.get(state.task, 0), ints([]), f"episode-{state.episode.number}", FOCUS)


POSITIONS: dict[str, Callable[[Land, Any, int], Position]] = {"mycity": _mycity, "rollwrite": _rollwrite}
