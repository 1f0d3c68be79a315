"""The sign on the door of a game: everything that the rest of the house asks of it.

`games/<key>/sign.py` hangs it out. What lives in a layer above (kernel, values, terminal) is named as a module and
looked up by the layer that needs it, because imports go down only.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources.abc import Traversable
from typing import Any

from msgspec import Struct

from polyopolis.engine import AnyGame, PolyopolisError
from polyopolis.games.city_emblems import CityEmblem
from polyopolis.games.content_loader import digest_of
from polyopolis.games.daily_rotation import DailyVariant
from polyopolis.games.rule_examples import Example
from polyopolis.games.titles import Titles

Plans = Mapping[str, tuple[int, ...]]
"""The ways to play several episodes in a row, by name."""


class BadGameSpec(PolyopolisError):
    """Something names a module that is not there."""


class UnknownContent(PolyopolisError):
    """There is no content of this version."""


def no_plans(version: int) -> Plans:
    """Nothing is played in a row."""
    return {}


def no_examples(version: int) -> tuple[Example, ...]:
    """There is nothing to try."""
    return ()


def passing(state: Any) -> bool:
    """Whatever is decided ends with the match."""
    return False


def not_by_turns(state: Any, seat: int) -> None:
    """Nobody waits for their turn, or what they will find then is not what lies there now."""


def nothing(state: Any, action: Any) -> tuple[str, ...]:
    """Whatever can be done is what was meant."""
    return ()


def nameless(setup: Any, arms: Sequence[CityEmblem]) -> Any:
    """Nothing here bears a name."""
    return setup


def armless(setup: Any) -> tuple[CityEmblem, ...]:
    """Nothing here bears a name."""
    return ()


def of_one_kind(setup: Any) -> str:
    """All matches for so many are alike."""
    return f"for-{setup.seats}"


@dataclass(frozen=True, kw_only=True)
class GameSpec:
    """What has a default may be missing: such a game is played all the same."""

    rules: AnyGame
    Event: Any
    """The union of all events, as they travel beside the actions of the rules."""
    View: type[Struct]
    """The type of what the screens get."""
    Outline: type[Struct] | None = None
    """The type of what is known of the game before anybody plays it."""
    outline: Callable[[int], Struct] | None = None
    """That, for a version of the content; without it nothing of the game is fetched before a match."""

    examples: Callable[[int], tuple[Example, ...]] = no_examples
    """Positions on which a reader of the rules tries something, for a version of the content."""

    content: Callable[[int], object]
    """Reads the content of a version whole; ContentError if anything in it cannot be."""
    versions: range
    """Of the content."""
    folder: Traversable
    """Where the content lies, in a folder for each version."""

    plans: Callable[[int], Plans] = no_plans
    """For a version of the content."""
    planned: Mapping[str, str] = field(default_factory=dict)
    """What the setup of an episode that belongs to a plan says besides its number."""
    lasting: tuple[type[Struct], ...] = ()
    """The events of an episode that a campaign goes on telling."""
    for_good: Callable[[Any], bool] = passing
    """Whether what is decided in this state stays on boards for the rest of a campaign."""
    at_turn: Callable[[Any, int], Any] = not_by_turns
    """The state as if it were the turn of this seat, with the table as it lies: so it can be planned. None if not."""
    grounds: Callable[[Any, Any], tuple[str, ...]] = nothing
    """What on the table an action is about: what was planned is played only if that is still so."""
    named: Callable[[Any, Sequence[CityEmblem]], Any] = nameless
    """The setup of a campaign with these arms on its boards. What can be done stays the same."""

    arms: Callable[[Any], tuple[CityEmblem, ...]] = armless
    """Those on the boards of a setup, none or one for each."""

    kind: Callable[[Any], str] = of_one_kind
    """What is played with a setup: matches of one kind are scored alike, so that one may be better than another."""
    titles: Mapping[str, Titles] = field(default_factory=dict)
    """The titles that a score earns who plays alone, for a kind."""
    daily: tuple[DailyVariant, ...] = ()
    """What is played day after day, going round; without any it has no game of the day."""

    kernel: str | None = None
    """The module that searches it, a `Kernel` of kernels/positions.py; without one levels play as greedy does."""
    values: str | None = None
    """The module whose `parts` say what a position is worth; without one greedy sees the score alone."""
    terminal: str | None = None
    """The module that draws it, a `Screen` of cli/terminal/screen.py; without one it is played in the browser alone."""

    @property
    def key(self) -> str:
        return self.rules.key

    @property
    def screen_types(self) -> tuple[type[Struct], ...]:
        """What the screens get, besides actions and events."""
        return (self.View,) if self.Outline is None else (self.View, self.Outline)

    def digest(self, version: int) -> str:
        """SHA-256 of the content of a version, whatever its comments say."""
        if version not in self.versions:
            known = f"{self.versions[0]} to {self.versions[-1]}"
            raise UnknownContent(f"{self.key} has content {known}, not {version}")
        return digest_of(self.folder / f"v{version}")

    def upstairs(self, module: str) -> Any:
        """A module that this sign names."""
        return looked_up(module, f"the sign of {self.key}")


def looked_up(module: str, by: str) -> Any:
    """The module that somebody names; BadSign if it is not there."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise  # it is there, and lacks something itself
        raise BadGameSpec(f"{by} names the module {module}, which is not there") from error
