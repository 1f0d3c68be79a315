"""Properties of the views of all games, in several situations of each."""

from typing import Any

import msgspec
import pytest

from polyopolis.engine import Match
from tests.games.mycity import test_view
from tests.games.pointcity import test_view as pointcity
from tests.games.rollwrite import test_view as rollwrite

SITUATIONS = {
    f"{match.game.key}: {about}": match
    for game in (test_view, pointcity, rollwrite)
    for about, match in game.SITUATIONS.items()
}
situations = pytest.mark.parametrize("match", SITUATIONS.values(), ids=SITUATIONS.keys())


def seats(match: Match) -> list[int | None]:
    return [None, *range(match.setup.seats)]


def seen(match: Match, seat: int | None) -> Any:
    """Returns the view of a seat, whose type depends on the game."""
    return match.game.view(match.state, seat)


@situations
def test_the_choices_of_a_seat_are_its_legal_actions(match: Match) -> None:
    for seat in range(match.setup.seats):
        view = seen(match, seat)
        assert view.choices == (tuple(match.game.legal(match.state, seat)) if seat in match.due else ())
        assert view.seat == seat


@situations
def test_a_spectator_sees_the_same_table_and_has_no_choices(match: Match) -> None:
    views = [seen(match, seat) for seat in seats(match)]
    assert (views[0].seat, views[0].choices) == (None, ())
    assert all(view.table == views[0].table for view in views)


@situations
def test_a_view_round_trips_through_json(match: Match) -> None:
    for seat in seats(match):
        view = seen(match, seat)
        assert msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view
