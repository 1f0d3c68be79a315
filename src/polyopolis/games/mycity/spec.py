"""What the house asks of My City."""

from importlib.resources import files

from polyopolis.games.daily_rotation import occasions
from polyopolis.games.game_spec import GameSpec
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.actions import Event
from polyopolis.games.mycity.campaign_rules import LASTING, plans
from polyopolis.games.mycity.content import NEWEST, content
from polyopolis.games.mycity.examples import examples
from polyopolis.games.mycity.legacy.rewards import for_good
from polyopolis.games.mycity.legacy.starting_boards import arms, named
from polyopolis.games.mycity.outline import Outline, outline
from polyopolis.games.mycity.state import Setup
from polyopolis.games.mycity.view import View
from polyopolis.games.titles import titles


def kind(setup: Setup) -> str:
    """The eternal game, or an episode: in a campaign it is counted to a limit (MC-17), and boards have grown."""
    if setup.mode == "eternal":
        return "eternal"
    return f"{setup.play}-episode-{setup.episode}"


SIGN = GameSpec(
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
    lasting=LASTING,
    for_good=for_good,
    named=named,
    arms=arms,
    kind=kind,
    titles=titles(files("polyopolis.games.mycity")),
    daily=occasions(files("polyopolis.games.mycity")),
    kernel="polyopolis.kernels.mycity",
    values="polyopolis.bots.evaluation.mycity",
    terminal="polyopolis.cli.terminal.mycity",
)
