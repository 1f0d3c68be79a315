"""GameSpec of the tiny game, which has no kernel."""

from polyopolis.games.game_spec import GameSpec
from tests.games.tiny import rules
from tests.games.tiny.actions import Event, Thrown
from tests.games.tiny.campaign_rules import named, plans
from tests.games.tiny.content import FOLDER, NEWEST, content
from tests.games.tiny.view import View

SPEC = GameSpec(
    rules=rules,
    Event=Event,
    View=View,
    content=content,
    versions=range(1, NEWEST + 1),
    folder=FOLDER,
    plans=plans,
    lasting=(Thrown,),
    named=named,
    values="tests.games.tiny.values",
    terminal="tests.games.tiny.terminal",
)
