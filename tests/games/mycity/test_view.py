"""What a seat and a spectator see."""

import msgspec
import pytest

from polyopolis.engine import Match
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.actions import Stop
from polyopolis.games.mycity.view import View
from tests.games.mycity.tables import ETERNAL, begin, city, counted, field, nothing_built, play, reveal

SITUATIONS = {
    "before the first card": begin(3, "eternal"),
    "a card lies": reveal(begin(3, "eternal"), "blue-j4"),
    "one has stopped": reveal(play(begin(3, "eternal"), "red-i2", "e1 e2", "stop", "pass"), "blue-j4"),
    "blocking": reveal(begin(3, "eternal"), "block"),
    "over": play(begin(3, "eternal"), "red-i2", "stop", "stop", "stop"),
    "episode 1": reveal(begin(2), "yellow-u5"),
}
situations = pytest.mark.parametrize("match", SITUATIONS.values(), ids=SITUATIONS.keys())


def seats(match: Match) -> list[int | None]:
    return [None, *range(match.setup.seats)]


@situations
def test_the_choices_of_a_seat_are_what_is_legal(match: Match) -> None:
    for seat in range(match.setup.seats):
        expected = tuple(rules.legal(match.state, seat)) if seat in match.due else ()
        assert rules.view(match.state, seat).choices == expected
        assert rules.view(match.state, seat).seat == seat


@situations
def test_a_spectator_sees_the_same_table_and_has_no_choices(match: Match) -> None:
    views = [rules.view(match.state, seat) for seat in seats(match)]
    assert (views[0].seat, views[0].choices) == (None, ())
    assert all(view.table == views[0].table for view in views)


@situations
def test_a_view_goes_to_json_and_back(match: Match) -> None:
    for seat in seats(match):
        view = rules.view(match.state, seat)
        assert msgspec.json.decode(msgspec.json.encode(view), type=View) == view


def test_the_cards_left_are_seen_and_never_their_order() -> None:
    match = play(play(begin(2, "eternal"), "red-i2", "pass", "pass"), "yellow-i4", "pass", "pass")
    table = rules.view(match.state, 0).table
    assert table.revealed == ("red-i2", "yellow-i4")
    assert table.remaining == tuple(card for card in ETERNAL.cards if card not in table.revealed)


def test_two_ways_to_the_same_cards_left_look_the_same() -> None:
    one = play(play(begin(), "red-i2", "pass", "pass"), "blue-i2", "pass", "pass")
    other = play(play(begin(), "blue-i2", "pass", "pass"), "red-i2", "pass", "pass")
    assert rules.view(one.state, 0).table.remaining == rules.view(other.state, 0).table.remaining


def test_what_another_seat_is_about_to_do_is_not_seen() -> None:
    match = reveal(begin(), "red-i2")
    assert rules.view(match.decide(0, Stop()).state, 1) == rules.view(match.state, 1)


def test_the_table_tells_the_board_the_card_and_the_cities() -> None:
    table = rules.view(SITUATIONS["one has stopped"].state, 0).table
    assert table.rows == ETERNAL.site.board.rows
    assert table.river == ETERNAL.site.board.river
    assert (table.card, table.shape) == ("blue-j4", "#..\n###")
    assert [(one.card, one.cells) for one in table.cities[0].buildings] == [("red-i2", ("e1", "e2"))]
    assert [(one.marker, one.passes, one.stopped) for one in table.cities] == [
        (10, 0, False),
        (10, 0, True),
        (9, 1, False),
    ]
    assert table.acting == (0, 2)
    assert table.open_races == ("gold",)
    assert table.result == rules.scores(SITUATIONS["one has stopped"].state)


def test_the_table_tells_the_squares_of_the_front_board() -> None:
    table = rules.view(SITUATIONS["episode 1"].state, None).table
    assert len(table.squares) == 14
    assert table.setup == SITUATIONS["episode 1"].setup


def test_the_table_tells_that_a_card_will_be_blocked() -> None:
    table = rules.view(SITUATIONS["blocking"].state, 0).table
    assert (table.blocking, table.card, table.shape, table.acting, table.over) == (True, None, None, (), False)


def test_the_table_tells_when_it_is_over() -> None:
    assert rules.view(SITUATIONS["over"].state, 0).table.over


def test_the_table_shows_the_buildings_of_all_cards() -> None:
    shapes = rules.view(SITUATIONS["over"].state, None).table.shapes
    assert shapes == {name: str(card.shape) for name, card in ETERNAL.cards.items() if name != "block"}


def test_each_line_of_the_sheet_shows_its_cells() -> None:
    land = field("""
        . . g r|2 .
        . . . .|. W
        . . . .|. g
    """)
    built = city(
        land,
        """
        A A g B|2 .
        C C C B|. W
        . C D D|. g
        """,
        A="yellow-i2",
        B="red-i2",
        C="church-t4",
        D="blue-i2",
    )
    state = counted(land, built, nothing_built(land)).state
    assert rules.view(state, None).table.cities[0].counted == {
        "trees": ("e1",),
        "rocks": (),
        "group-yellow": ("a1", "b1"),
        "group-red": ("d1", "d2"),
        "group-blue": ("c3", "d3"),
        "churches": ("a2", "b2", "c2", "b3"),
        "wells": (),
        "empty": ("f1", "e2", "a3", "e3"),
    }
