"""Bots choose legal actions from public information and do not depend on the order of the legal actions."""

from typing import Any

import pytest

from polyopolis.bots import BOTS, UnknownBot, bot, choose
from polyopolis.bots.bot_protocol import tag_of
from polyopolis.bots.tournaments.arena import play
from polyopolis.engine import CHANCE, Match, Rng, seed_of
from polyopolis.games import game
from polyopolis.games.mycity.actions import Gear, Kiosk, NoKiosk, Pass, Place, Reveal, Stop

mycity = game("mycity")
LONG = ("level-4", "level-5", "master")
EVERY_BOT = [pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in sorted(BOTS)]


class Backwards:
    """My City with reversed lists of legal actions."""

    key = mycity.key
    apply = staticmethod(mycity.apply)

    @staticmethod
    def legal(state: Any, seat: int) -> Any:
        return tuple(reversed(mycity.legal(state, seat)))


def seen(name: str) -> list[tuple[Match, int, Any]]:
    """Returns the decisions of a bot in a game against itself."""
    match = play(mycity, mycity.Setup(seats=2), (name, name), seed_of("seen"), seed_of("bots"))
    again, decisions = Match.start(mycity, match.setup), []
    for move in match.moves:
        if move.seat != CHANCE:
            decisions.append((again, move.seat, move.action))
        again = again.decide(move.seat, move.action)
    return decisions


def after(*cards: str) -> Match:
    """Returns a match in which both seats have passed on all cards except the last."""
    match = Match.start(mycity, mycity.Setup(seats=2))
    for card in cards[:-1]:
        match = match.decide(CHANCE, Reveal(card)).decide(0, Pass()).decide(1, Pass())
    return match.decide(CHANCE, Reveal(cards[-1]))


def test_random_builds_whenever_possible() -> None:
    for match, seat, action in seen("random"):
        tags = {tag_of(legal) for legal in mycity.legal(match.state, seat)}
        assert tag_of(action) == next(tag for tag in ("place", "pass", "stop") if tag in tags)


def test_random_chooses_every_place_eventually() -> None:
    match = after("yellow-i2")
    taken = {choose(bot("random"), match, 0, seed_of(str(number))) for number in range(2000)}
    assert taken == {action for action in mycity.legal(match.state, 0) if isinstance(action, Place)}


def test_uniform_chooses_every_legal_action_eventually() -> None:
    match = after("yellow-i2")
    taken = {choose(bot("uniform"), match, 0, seed_of(str(number))) for number in range(2000)}
    assert taken == set(mycity.legal(match.state, 0))


@pytest.mark.slow
def test_greedy_breaks_ties_by_its_rng_and_not_by_the_list() -> None:
    backwards: Any = Backwards
    for match, seat, action in seen("greedy")[::6]:
        state = match.state
        assert isinstance(action, Place | Pass | Stop)
        both = {
            bot("greedy")(rules, state, seat, Rng(seed_of(str(n)))) for rules in (mycity, backwards) for n in range(8)
        }
        worth = {bot("greedy")(mycity, state, seat, Rng(seed_of(str(n)))) for n in range(64)}
        assert both <= worth


def test_greedy_does_not_stop_while_most_of_the_deck_can_be_built() -> None:
    assert isinstance(choose(bot("greedy"), after("red-i4"), 0, seed_of("x")), Place)


@pytest.mark.parametrize("name", EVERY_BOT)
def test_a_choice_depends_only_on_the_match_and_the_seed(name: str) -> None:
    match = after("blue-t4", "red-u5", "church-z4")
    first = choose(bot(name), match, 1, seed_of("same"))
    assert all(choose(bot(name), match, 1, seed_of("same")) == first for _ in range(5))


def test_the_error_names_an_unknown_bot() -> None:
    with pytest.raises(UnknownBot, match="there is no bot 'deep-blue'; there are gaze, greedy, level-1, level-2"):
        bot("deep-blue")


@pytest.mark.parametrize("name", EVERY_BOT)
def test_bots_place_gears_of_a_campaign(name: str) -> None:
    setup = mycity.Setup(mode="episode", episode=14, seats=3, play="campaign")
    match = play(mycity, setup, (name, "random", "random"), seed_of("gears"), seed_of("bots"))
    placing = {move.seat for move in match.moves if isinstance(move.action, Gear)}
    assert 0 in placing
    assert all(len(board.gears) > 4 for board in match.state.boards)


@pytest.mark.parametrize("name", sorted(BOTS))
@pytest.mark.slow
def test_bots_decide_on_kiosks(name: str) -> None:
    setup = mycity.Setup(mode="episode", episode=23, seats=2)
    match = play(mycity, setup, (name, "random"), seed_of("kiosks"), seed_of("bots"))
    assert any(move.seat == 0 and isinstance(move.action, Kiosk | NoKiosk) for move in match.moves)


def test_greedy_puts_a_tree_at_the_edge_and_a_rock_in_the_open() -> None:
    setup = mycity.Setup(mode="episode", episode=1, seats=2, play="campaign")
    match = Match.start(mycity, setup).decide(CHANCE, Reveal("red-i2")).decide(0, Stop())
    match = match.decide(1, Place(("e1", "e2"))).decide(CHANCE, Reveal("blue-i2")).decide(1, Stop())
    tree, rock = (choose(bot("greedy"), match, seat, seed_of("x")) for seat in (0, 1))
    assert (tree.kind, rock.kind) == ("tree", "rock")
    ground = match.state.cities[0].site
    sides = {action.kind: ground.grid.neighbours(ground.grid.mask([action.cell])) for action in (tree, rock)}
    assert (sides["tree"] & ground.ground).bit_count() < (sides["rock"] & ground.ground).bit_count()
