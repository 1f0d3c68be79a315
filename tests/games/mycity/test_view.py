"""The view of a seat and of a spectator."""

import pytest

from polyopolis.games.mycity import rules
from polyopolis.games.mycity.actions import Kiosk, Pass, Stop
from polyopolis.games.mycity.state import Legacy
from tests.games.mycity.positions import (
    ETERNAL,
    begin,
    city,
    field,
    finished_match,
    opened_match,
    play,
    reveal,
    table,
    unbuilt_city,
)

SITUATIONS = {
    "before the first card": begin(3, "eternal"),
    "a card lies": reveal(begin(3, "eternal"), "blue-j4"),
    "one has stopped": reveal(play(begin(3, "eternal"), "red-i2", "e1 e2", "stop", "pass"), "blue-j4"),
    "blocking": reveal(begin(3, "eternal"), "block"),
    "over": play(begin(3, "eternal"), "red-i2", "stop", "stop", "stop"),
    "episode 1": reveal(begin(2), "yellow-u5"),
    "flood": reveal(opened_match(8), "church-4th"),
    "investor": reveal(play(opened_match(13), "red-i2", "e1 e2", "stop"), "blue-j4"),
    "kiosk": play(opened_match(23), "red-i2", "f6 f7", "stop"),
    "reward": play(opened_match(16, play="campaign"), "red-i2", "stop", "stop"),
    "sticker": play(opened_match(3, 3, play="campaign"), "red-i2", "stop", "stop", "stop"),
}


def test_the_view_contains_the_remaining_cards_and_not_their_order() -> None:
    match = play(play(begin(2, "eternal"), "red-i2", "pass", "pass"), "yellow-i4", "pass", "pass")
    table = rules.view(match.state, 0).table
    assert table.revealed == ("red-i2", "yellow-i4")
    assert table.remaining == tuple(card for card in ETERNAL.cards if card not in table.revealed)


def test_the_same_remaining_cards_look_the_same() -> None:
    first = play(play(begin(), "red-i2", "pass", "pass"), "blue-i2", "pass", "pass")
    other = play(play(begin(), "blue-i2", "pass", "pass"), "red-i2", "pass", "pass")
    assert rules.view(first.state, 0).table.remaining == rules.view(other.state, 0).table.remaining


def test_staged_decisions_of_other_seats_are_hidden() -> None:
    match = reveal(begin(), "red-i2")
    assert rules.view(match.decide(0, Stop()).state, 1) == rules.view(match.state, 1)


def test_the_table_contains_the_board_the_card_and_the_cities() -> None:
    table = rules.view(SITUATIONS["one has stopped"].state, 0).table
    assert table.rows == ETERNAL.site.board.rows
    assert table.river == ETERNAL.site.board.river
    assert (table.card, table.shape) == ("blue-j4", "#..\n###")
    assert [(building.card, building.cells) for building in table.cities[0].buildings] == [("red-i2", ("e1", "e2"))]
    assert [(city.marker, city.passes, city.stopped) for city in table.cities] == [
        (10, 0, False),
        (10, 0, True),
        (9, 1, False),
    ]
    assert table.acting == (0, 2)
    assert table.open_races == ("gold",)
    assert table.result == rules.scores(SITUATIONS["one has stopped"].state)


def test_the_table_contains_the_squares_of_the_front_board() -> None:
    table = rules.view(SITUATIONS["episode 1"].state, None).table
    assert len(table.squares) == 14
    assert table.setup == SITUATIONS["episode 1"].setup


def test_the_table_shows_that_a_card_will_be_blocked() -> None:
    table = rules.view(SITUATIONS["blocking"].state, 0).table
    assert (table.blocking, table.card, table.shape, table.acting, table.over) == (True, None, None, (), False)


def test_the_table_shows_when_the_match_is_over() -> None:
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
    state = finished_match(land, built, unbuilt_city(land)).state
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


def test_each_city_of_a_campaign_shows_its_own_board() -> None:
    boards = (Legacy(stickers={"g1": "tree"}, church="z5", gears=("i4",), nuggets=2, shafts={"blue": 3}), Legacy())
    table = rules.view(opened_match(22, play="campaign", boards=boards).state, None).table
    rich, other = table.cities
    assert (rich.rows[0], other.rows[0]) == ("..2...1...g", "..2.......g")
    assert [(piece.card, piece.cells) for piece in rich.pieces] == [("port", ("e3",)), ("red-palace", ("e6",))]
    assert (rich.fourth, other.fourth) == ("##.\n.#.\n.##", "##\n##\n#.")
    assert rich.factories == ("blue-i4",)
    assert rich.gone == tuple(f"blue-{shape}" for shape in ("i2", "j4", "l3", "o4", "s4", "t4", "u5"))
    assert rich.legacy
    assert (rich.legacy.nuggets, rich.legacy.stickers, rich.legacy.shafts) == (2, {"g1": "tree"}, {"blue": 3})


def test_the_table_shows_the_kind_of_decision() -> None:
    asked = {name: rules.view(match.state, 0).table.asks for name, match in SITUATIONS.items()}
    assert asked["a card lies"] == "building"
    assert asked["kiosk"] == "kiosk"
    assert asked["sticker"] == "reward"


def test_the_investor_stands_on_the_last_building() -> None:
    table = rules.view(SITUATIONS["investor"].state, 0).table
    assert [city.investor for city in table.cities] == [("e1", "e2"), ()]
    assert rules.view(SITUATIONS["episode 1"].state, 0).table.cities[0].investor == ()


def test_rewards_to_place_are_shown_with_the_next_one_first() -> None:
    legacy = rules.view(SITUATIONS["sticker"].state, 0).table.cities[0].legacy
    assert legacy
    assert legacy.rewards == ("rock",)
    assert legacy.circles == 2


def test_remaining_kiosks_are_shown() -> None:
    assert [city.kiosks for city in rules.view(SITUATIONS["kiosk"].state, 0).table.cities] == [2, 2]


def test_the_shafts_show_the_boxes_that_would_be_ticked() -> None:
    match = play(play(opened_match(16), "red-i2", "e1 e2", "stop"), "blue-i4", "a1 b1 c1 d1")
    legacy = rules.view(match.state, 0).table.cities[0].legacy
    assert legacy
    assert legacy.ticks == {"blue": 1}


@pytest.mark.rule("MC-E25")
def test_the_table_contains_the_boxes_of_active_shafts() -> None:
    shafts = rules.view(opened_match(17).state, None).table.episode.shafts
    assert [(shaft.colour, shaft.boxes) for shaft in shafts] == [("blue", 15), ("red", 10)]
    assert [(box.box, box.gives, box.triangle) for box in shafts[1].rewards] == [
        (3, "tree", False),
        (5, "nugget", True),
        (8, "circle", False),
        (10, "circle", True),
    ]


@pytest.mark.rule("MC-32")
def test_the_table_contains_the_rules_of_the_episode() -> None:
    sixth, eleventh, last = (rules.view(opened_match(number).state, None).table.episode for number in (6, 11, 23))
    assert (sixth.passing, sixth.must_build, sixth.marker, sixth.limit) == (None, ("church",), 10, 50)
    assert (eleventh.start, eleventh.forest, last.start, last.kiosks) == ("sawmill", True, "palace", 2)


@pytest.mark.rule("MC-E4")
def test_the_table_draws_the_churches_of_the_ranks() -> None:
    ranks = rules.view(opened_match(4, 3).state, None).table.episode.ranks
    assert [(rank.rank, rank.church.name, rank.church.shape) for rank in ranks if rank.church] == [
        ("first", "z5", "##.\n.#.\n.##"),
        ("second", "p5", "##\n##\n#."),
        ("others", "l3", "#.\n##"),
    ]


@pytest.mark.rule("MC-20")
def test_two_cities_have_no_second_rank() -> None:
    two, three = (rules.view(opened_match(10, seats).state, None).table.episode.ranks for seats in (2, 3))
    assert [(rank.rank, rank.rewards) for rank in two] == [
        ("first", ("circle", "circle")),
        ("others", ("tree", "nugget")),
    ]
    assert [rank.rank for rank in three] == ["first", "second", "others"]
    assert all(rank.church is None for rank in three)


def test_a_city_shows_its_rank() -> None:
    for seats, names in ((2, {"first", "others"}), (3, {"first", "second", "others"})):
        state = play(begin(seats), "yellow-i2", "e1 e2", *["stop"] * (seats - 1)).state
        table = rules.view(state, None).table
        assert {city.rank for city in table.cities} <= names
        assert [city.rank == "first" for city in table.cities] == [rank == 1 for rank in table.result.ranks]


def test_the_table_explains_the_signs_of_all_boards() -> None:
    for name, match in SITUATIONS.items():
        table = rules.view(match.state, None).table
        rows = [row for city in table.cities for row in (*city.rows, *(city.legacy.rows if city.legacy else ()))]
        assert set(table.signs) == set("".join(rows)), name
    flooded = rules.view(SITUATIONS["flood"].state, None).table.signs
    assert (flooded["~"], flooded["."], flooded["W"]) == ("water", "meadow", "well")
    assert rules.view(SITUATIONS["kiosk"].state, None).table.signs["H"] == "meadow"
    assert "~" not in rules.view(SITUATIONS["episode 1"].state, None).table.signs


def test_cards_show_their_kind_and_shape() -> None:
    cards = {card.card: card for card in rules.view(SITUATIONS["flood"].state, None).table.cards}
    assert "block" not in cards
    assert (cards["blue-i4"].kind, cards["blue-i4"].shape, cards["blue-i4"].takes_gear) == ("industrial", "i4", True)
    assert (cards["yellow-t4"].kind, cards["red-o4"].kind, cards["red-o4"].takes_gear) == (
        "residential",
        "public",
        False,
    )
    assert (cards["church-4th"].kind, cards["church-4th"].drawing) == ("church", None)


def test_buildings_show_their_kind_and_roof() -> None:
    boards = (Legacy(church="z5", gears=("i2",)), Legacy(church="z5"))
    match = play(opened_match(23, play="campaign", boards=boards), "blue-i2", "f6 f7")
    match = match.decide(0, Kiosk("g6"))
    city = rules.view(match.state, None).table.cities[0]
    assert [(building.card, building.kind, building.roof) for building in (*city.pieces, *city.buildings)] == [
        ("port", "neutral", "port"),
        ("red-palace", "public", "palace"),
        ("blue-i2", "industrial", "factory"),
        ("yellow-kiosk", "residential", "kiosk"),
    ]


def test_the_table_shows_the_building_to_place() -> None:
    laid = {name: rules.view(match.state, 0).table.laid for name, match in SITUATIONS.items()}
    kiosk, card = laid["kiosk"], laid["a card lies"]
    assert kiosk
    assert card
    assert (kiosk.card, kiosk.roof, card.card, card.roof) == ("yellow-kiosk", "kiosk", "blue-j4", None)
    assert laid["before the first card"] is None


@pytest.mark.rule("MC-26")
def test_the_table_shows_the_card_after_the_blocking_card() -> None:
    before = rules.view(SITUATIONS["a card lies"].state, None).table
    assert (before.block, before.forbidden, before.blocked) == ("left", (), None)
    match = reveal(reveal(reveal(begin(2, "eternal"), "block"), "red-o4"), "yellow-t4")
    table = rules.view(match.state, None).table
    assert (table.block, table.forbidden, table.blocked) == ("gone", ("red-o4",), "red-o4")
    later = rules.view(reveal(match.decide(0, Pass()).decide(1, Pass()), "blue-i2").state, None).table
    assert (later.forbidden, later.blocked) == (("red-o4",), None)
    assert rules.view(SITUATIONS["episode 1"].state, None).table.block is None


def test_while_rewards_are_placed_the_boards_are_cleared() -> None:
    cleared = {name: rules.view(match.state, None).table.cleared for name, match in SITUATIONS.items()}
    assert {name for name, is_cleared in cleared.items() if is_cleared} == {"sticker"}, "in the other all is placed"


def test_the_view_contains_the_free_squares() -> None:
    boards = (Legacy(stickers={"g1": "tree"}), Legacy())
    table = rules.view(opened_match(7, play="campaign", boards=boards).state, None).table
    marked, bare = table.cities
    assert marked.legacy
    assert bare.legacy
    assert set(bare.legacy.squares) - set(marked.legacy.squares) == {"g1"}
    assert marked.squares == marked.legacy.squares


def test_the_railway_runs_along_the_bottom_row() -> None:
    late = rules.view(opened_match(19).state, None).table
    assert late.track == tuple(f"{column}{len(late.rows)}" for column in "abcdefghijk")
    assert rules.view(SITUATIONS["episode 1"].state, None).table.track == ()


def test_dykes_run_along_the_river_on_dry_land() -> None:
    table = rules.view(SITUATIONS["flood"].state, None).table
    city = table.cities[0]
    assert city.dykes
    assert all(city.rows[int(cell[1:]) - 1]["abcdefghijk".index(cell[0])] != "~" for cell in city.dykes)
    assert rules.view(SITUATIONS["episode 1"].state, None).table.cities[0].dykes == ()


def test_cities_show_the_races_they_have_won() -> None:
    land = field(". g g|. .\n. . .|. .")
    match = play(table(land, unbuilt_city(land), unbuilt_city(land), deck=["red-i2"]), "red-i2", "pass", "b1 c1")
    seen = rules.view(match.state, None).table
    assert [city.won for city in seen.cities] == [(), ("gold",)]


def test_the_table_contains_the_grounds_of_stickers() -> None:
    stickers = {number: rules.view(opened_match(number).state, None).table.episode.stickers for number in (1, 7)}
    assert stickers == {1: {"tree": "tree", "rock": "rocks"}, 7: {"meadow": "meadow", "forest-tree": "tree"}}


@pytest.mark.rule("MC-E25")
def test_triangles_that_were_won_are_shown() -> None:
    boards = (Legacy(church="p5", shafts={"blue": 6}), Legacy(church="p5"))
    match = opened_match(17, play="campaign", boards=boards, triangles=("blue-6",))
    shaft = rules.view(match.state, None).table.episode.shafts[0]
    assert [box.box for box in shaft.rewards if box.won] == [6]


def test_after_the_end_no_box_would_be_ticked() -> None:
    legacies = [city.legacy for city in rules.view(SITUATIONS["reward"].state, None).table.cities]
    assert [legacy.ticks for legacy in legacies if legacy] == [{"blue": 0}, {"blue": 0}]


def test_each_city_shows_its_progress_in_races() -> None:
    table = rules.view(play(opened_match(19), "red-i2", "c11 d11", "stop").state, None).table
    assert {race: found.goal for race, found in table.episode.races.items()} == {"stations": 3}
    assert [city.progress for city in table.cities] == [{"stations": 1}, {"stations": 0}]
    assert rules.view(SITUATIONS["a card lies"].state, None).table.episode.races["gold"].goal == 2


def test_the_cleared_board_shows_its_stickers_above_the_water() -> None:
    boards = (Legacy(stickers={"g1": "tree"}, city="Oxbow", animal="owl"), Legacy())
    table = rules.view(opened_match(7, play="campaign", boards=boards).state, None).table
    oxbow, nameless = (city.legacy for city in table.cities)
    assert oxbow
    assert nameless
    assert (oxbow.rows[0], nameless.rows[0]) == ("..2...1...r", "..2.......r")
    assert (oxbow.city, oxbow.animal, nameless.city, nameless.animal) == ("Oxbow", "owl", None, None)


def test_the_eternal_game_has_no_permanent_changes() -> None:
    assert all(city.legacy is None for city in rules.view(SITUATIONS["a card lies"].state, 0).table.cities)


def test_points_lost_by_open_ground_are_shown_separately() -> None:
    table = rules.view(begin(2, "eternal").state, None).table
    lines = {line.line: line.points for line in table.result.sheets[0]}
    assert table.open_lines == ("rocks", "empty")
    assert table.cities[0].open == lines["rocks"] + lines["empty"] < 0
    assert table.result.scores[0] - table.cities[0].open == lines["start"] + lines["trees"] > 0


@pytest.mark.parametrize("episode", range(1, 25))
def test_every_episode_has_a_par(episode: int) -> None:
    assert rules.view(opened_match(episode).state, None).table.par is not None
