"""GameSpec: all that the rest of the package needs to know about a game.

`games/<key>/spec.py` declares it. Modules of upper layers (kernel, values, terminal) are named as text and imported by
the layer that needs them, because imports go down only.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from polyopolis.engine import AnyGame, PolyopolisError
from polyopolis.engine.former_names import former_names
from polyopolis.games.city_emblems import CityEmblem
from polyopolis.games.content_loader import folder_digest
from polyopolis.games.daily_rotation import DailyVariant
from polyopolis.games.rule_examples import Example
from polyopolis.games.titles import Titles

Plans = Mapping[str, tuple[int, ...]]
"""Lists of episodes that are played in order, by name."""


class BadGameSpec(PolyopolisError):
    """A module named in a spec or in `POLYOPOLIS_GAMES` does not exist or defines no spec."""


class UnknownContent(PolyopolisError):
    """The game has no content of this version."""


def no_plans(version: int) -> Plans:
    """Default of `GameSpec.plans`."""
    return {}


def no_examples(version: int) -> tuple[Example, ...]:
    """Default of `GameSpec.examples`."""
    return ()


def never_permanent(state: Any) -> bool:
    """Default of `GameSpec.for_good`: no decision outlives its match."""
    return False


def no_planned_turn(state: Any, seat: int) -> None:
    """Default of `GameSpec.at_turn`: turns cannot be planned, since seats act at once or the table changes before."""


def no_grounds(state: Any, action: Any) -> tuple[str, ...]:
    """Default of `GameSpec.grounds`: a planned action is played whenever it is legal."""
    return ()


def ignore_emblems(setup: Any, emblems: Sequence[CityEmblem]) -> Any:
    """Default of `GameSpec.named`: setups contain no emblems."""
    return setup


def no_emblems(setup: Any) -> tuple[CityEmblem, ...]:
    """Default of `GameSpec.arms`: setups contain no emblems."""
    return ()


def kind_by_seats(setup: Any) -> str:
    """Default of `GameSpec.kind`: matches with the same number of seats are comparable."""
    return f"for-{setup.seats}"


@dataclass(frozen=True, kw_only=True)
class GameSpec:
    """Declaration of a game. A game can be played without the fields that have a default."""

    rules: AnyGame
    Event: Any
    """The union of all events, which are sent like the actions of the rules."""
    View: type[Struct]
    """The type of the view that clients receive."""
    Outline: type[Struct] | None = None
    """The type of the static facts about the game that clients load before a match."""
    outline: Callable[[int], Struct] | None = None
    """Returns these facts for a version of the content."""

    examples: Callable[[int], tuple[Example, ...]] = no_examples
    """Returns the example positions for the rules pages, for a version of the content."""

    content: Callable[[int], object]
    """Reads and validates the content of a version. Raises `ContentError`."""
    versions: range
    """The versions of the content."""
    folder: Traversable
    """The content, with a folder for each version."""

    plans: Callable[[int], Plans] = no_plans
    """Returns the plans of campaigns for a version of the content."""
    planned: Mapping[str, str] = field(default_factory=dict)
    """Fields of a setup, besides `episode`, that make it part of a plan."""
    lasting: tuple[type[Struct], ...] = ()
    """The types of events that stay relevant for the rest of a campaign."""
    for_good: Callable[[Any], bool] = never_permanent
    """Returns whether decisions in this state are permanent: they stay on boards for the rest of a campaign."""
    at_turn: Callable[[Any, int], Any] = no_planned_turn
    """Returns the state as if it were the turn of this seat, so that it can plan a turn; None if it cannot now."""
    grounds: Callable[[Any, Any], tuple[str, ...]] = no_grounds
    """Returns what an action depends on: a planned action is played only if this is unchanged."""
    named: Callable[[Any, Sequence[CityEmblem]], Any] = ignore_emblems
    """Returns the setup of a campaign with these emblems on its boards, or without any. Rules do not depend on them."""

    arms: Callable[[Any], tuple[CityEmblem, ...]] = no_emblems
    """Returns the emblems on the boards of a setup: none, or one for each seat."""

    kind: Callable[[Any], str] = kind_by_seats
    """Returns the kind of match of a setup. The scores of matches of one kind are comparable."""
    titles: Mapping[str, Titles] = field(default_factory=dict)
    """The titles that solo scores earn, by kind."""
    daily: tuple[DailyVariant, ...] = ()
    """The variants of the daily game, which alternate; without any the game has no daily game."""

    kernel: str | None = None
    """The module that implements `Kernel` of kernels/positions.py; without it, levels play like `greedy`."""
    values: str | None = None
    """The module whose `parts` evaluate a position; without it, `greedy` uses the score."""
    terminal: str | None = None
    """The module that implements `Screen` of cli/terminal/screen.py; without it, the terminal cannot draw the game."""

    @property
    def key(self) -> str:
        return self.rules.key

    @property
    def screen_types(self) -> tuple[type[Struct], ...]:
        """The types that clients receive, besides actions and events."""
        return (self.View,) if self.Outline is None else (self.View, self.Outline)

    def digest(self, version: int) -> str:
        """Returns the SHA-256 of the content of a version; see `folder_digest`. Raises `UnknownContent`."""
        if version not in self.versions:
            known = f"{self.versions[0]} to {self.versions[-1]}"
            raise UnknownContent(f"{self.key} has content {known}, not {version}")
        return folder_digest(self.folder / f"v{version}")

    def load_module(self, module: str) -> Any:
        """Imports a module that this spec names. Raises `BadGameSpec` if it does not exist."""
        return import_named_module(module, f"the spec of {self.key}")


def import_named_module(module: str, named_by: str) -> Any:
    """Imports a module. Raises `BadGameSpec`, which mentions `named_by`, if it does not exist."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise  # the module exists, but one of its own imports does not
        raise BadGameSpec(f"{named_by} names the module {module}, which does not exist") from error


if not TYPE_CHECKING:
    __getattr__ = former_names(__name__, {"Sign": "GameSpec", "BadSign": "BadGameSpec"})  # in version 0.2, until 0.4
