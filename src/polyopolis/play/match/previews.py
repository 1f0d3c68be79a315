"""What would come of an action: whether it is possible now, why not, and what would happen."""

from typing import Any

import msgspec

from polyopolis.engine import CHANCE, Reason, shortened
from polyopolis.play.match import projections
from polyopolis.play.match.live_match import LiveMatch
from polyopolis.play.match.messages import Previewed

MAX_ERROR_LENGTH = 200
"""Characters of what is said about something that is no action."""


def check_action(live: LiveMatch, seat: int, action: Any) -> tuple[Any, Reason | None]:
    """An action as the rules know it, and why it is not possible now."""
    try:
        found = live.decode_action(action)
    except msgspec.ValidationError as error:
        return None, invalid_action_reason(error)
    return found, live.match.why_not(seat, found)


def invalid_action_reason(error: msgspec.ValidationError) -> Reason:
    return Reason("not-an-action", {"error": shortened(str(error), MAX_ERROR_LENGTH)})


def preview_action(live: LiveMatch, ask: int, seat: int, action: Any) -> Previewed:
    """What would happen if this seat alone did this now, and chance nothing."""
    found, reason = check_action(live, seat, action)
    if reason or seat == CHANCE:
        return Previewed(ask, (), (), None)
    game, state = live.game, live.match.state
    step = game.apply(state, seat, found)
    before, after = game.scores(state).sheets[seat], game.scores(step.state).sheets[seat]
    return Previewed(ask, projections.sheet_changes(before, after), step.events, game.view(step.state, None))
