"""GameSpec of Roll & Write."""

from importlib.resources import files

from polyopolis.games.daily_rotation import read_daily_variants
from polyopolis.games.game_spec import GameSpec
from polyopolis.games.rollwrite import rules
from polyopolis.games.rollwrite.actions import Event
from polyopolis.games.rollwrite.campaign_rules import plans
from polyopolis.games.rollwrite.content import NEWEST, content
from polyopolis.games.rollwrite.examples import examples
from polyopolis.games.rollwrite.outline import Outline, outline
from polyopolis.games.rollwrite.state import Setup
from polyopolis.games.rollwrite.view import View
from polyopolis.games.titles import read_titles


def kind(setup: Setup) -> str:
    """All players have the same sheet, so the number of seats does not matter (RW-1)."""
    return f"episode-{setup.episode}"


SPEC = GameSpec(
    rules=rules,
    Event=Event,
    View=View,
    Outline=Outline,
    outline=outline,
    examples=examples,
    content=content,
    versions=range(1, NEWEST + 1),
    folder=files("polyopolis.games.rollwrite") / "content",
    plans=plans,
    kind=kind,
    titles=read_titles(files("polyopolis.games.rollwrite")),
    daily=read_daily_variants(files("polyopolis.games.rollwrite")),
    kernel="polyopolis.kernels.rollwrite",
    values="polyopolis.bots.evaluation.rollwrite",
    terminal="polyopolis.cli.terminal.rollwrite",
)
