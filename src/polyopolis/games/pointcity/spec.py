"""GameSpec of Point City, which has no plans and no emblems."""

from importlib.resources import files

from msgspec import UNSET

from polyopolis.games.daily_rotation import read_daily_variants
from polyopolis.games.game_spec import GameSpec
from polyopolis.games.pointcity import rules
from polyopolis.games.pointcity.actions import Event
from polyopolis.games.pointcity.content import NEWEST, content
from polyopolis.games.pointcity.examples import examples
from polyopolis.games.pointcity.outline import Outline, outline
from polyopolis.games.pointcity.planned_turn import at_turn, grounds
from polyopolis.games.pointcity.state import Setup
from polyopolis.games.pointcity.view import View
from polyopolis.games.titles import read_titles


def kind(setup: Setup) -> str:
    """The number of players determines the number of turns. The Automa's level does not affect the score (PC-23)."""
    if setup.automa is UNSET:
        return f"for-{setup.seats}"
    return "alone" if setup.tokens is UNSET else "alone-chosen"


SPEC = GameSpec(
    rules=rules,
    Event=Event,
    View=View,
    Outline=Outline,
    outline=outline,
    examples=examples,
    content=content,
    versions=range(1, NEWEST + 1),
    folder=files("polyopolis.games.pointcity") / "content",
    at_turn=at_turn,
    grounds=grounds,
    kind=kind,
    titles=read_titles(files("polyopolis.games.pointcity")),
    daily=read_daily_variants(files("polyopolis.games.pointcity")),
    kernel="polyopolis.kernels.pointcity",
    values="polyopolis.bots.evaluation.pointcity",
    terminal="polyopolis.cli.terminal.pointcity",
)
