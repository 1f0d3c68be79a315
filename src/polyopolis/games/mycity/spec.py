"""GameSpec of My City."""

from importlib.resources import files

from polyopolis.games.daily_rotation import read_daily_variants
from polyopolis.games.game_spec import GameSpec
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.actions import Event
from polyopolis.games.mycity.campaign_rules import LASTING_EVENTS, plans
from polyopolis.games.mycity.content import NEWEST, content
from polyopolis.games.mycity.examples import examples
from polyopolis.games.mycity.legacy.rewards import is_permanent
from polyopolis.games.mycity.legacy.starting_boards import emblems_of, with_emblems
from polyopolis.games.mycity.outline import Outline, outline
from polyopolis.games.mycity.state import Setup
from polyopolis.games.mycity.view import View
from polyopolis.games.titles import read_titles


def kind(setup: Setup) -> str:
    """The eternal game, or an episode. Episodes of a campaign differ by the limit (MC-17) and the boards."""
    if setup.mode == "eternal":
        return "eternal"
    return f"{setup.play}-episode-{setup.episode}"


SPEC = GameSpec(
    rules=rules,
    Event=Event,
    View=View,
    Outline=Outline,
    outline=outline,
    examples=examples,
    content=content,
    versions=range(1, NEWEST + 1),
    folder=files("polyopolis.games.mycity") / "content",
    plans=plans,
    planned={"mode": "episode", "play": "campaign"},
    lasting=LASTING_EVENTS,
    for_good=is_permanent,
    named=with_emblems,
    arms=emblems_of,
    kind=kind,
    titles=read_titles(files("polyopolis.games.mycity")),
    daily=read_daily_variants(files("polyopolis.games.mycity")),
    kernel="polyopolis.kernels.mycity",
    values="polyopolis.bots.evaluation.mycity",
    terminal="polyopolis.cli.terminal.mycity",
)
