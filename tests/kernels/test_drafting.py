"""The kernel of Point City beside its rules: legal sets, numbers and scores, move by move; and what it plays inside."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from polyopolis.bots.weighing import DRAFTING, flat
from polyopolis.engine import CHANCE, Match, Rng, seed_of
from polyopolis.games import game
from polyopolis.games.pointcity.actions import Flip, NameFirst, Pay, ShowBuilding, ShowFace, Skip
from polyopolis.games.pointcity.content import MARKET, content
from polyopolis.games.pointcity.market import flips
from polyopolis.kernels import drafting as kernel
from polyopolis.kernels import drafts
from polyopolis.kernels.compiled import FAST, PLAIN
from polyopolis.kernels.drafts import (
    Draft,
    Position,
    Room,
    Tree,
    good_leads,
    material,
    material_of,
    random_scores,
)
from polyopolis.kernels.placing import below
from polyopolis.kernels.tables import NoKernel
from tests.effort import SOAK
from tests.play import MOODS, Mood, chosen, moments

pointcity = game("pointcity")
TABLES = [pointcity.Setup(seats=seats) for seats in (2, 3, 4)]
ALONE = [pointcity.Setup(seats=1, automa=level) for level in ("easy", "medium", "hard")]
SETUPS = [pytest.param(setup, id=f"{setup.seats}-{setup.automa or 'people'}") for setup in TABLES + ALONE]
PAIR = TABLES[0]
WEIGHTS = flat(DRAFTING, kernel.FEATURES)


def drawn(odds: Any, rng: Rng) -> Any:
    """Luck by its weights."""
    return rng.choice([luck for luck, weight in odds for _ in range(weight)])


def follow(setup: Any, seed: str, mood: Mood) -> set[str]:
    """One match in both, from the first token to the end; the kinds of actions that were compared."""
    rng, state = Rng(seed_of(seed)), pointcity.start(setup)
    draft, kinds = Draft.of(state), set[str]()
    while acting := pointcity.to_act(state):
        (seat,) = acting
        if seat == CHANCE:
            action = drawn(pointcity.odds(state), rng)
            draft.turn_up(action)
        else:
            allowed, legal = pointcity.legal(state, seat), draft.legal()
            assert len(legal) == len(set(legal))
            assert set(legal) == set(allowed)
            action = chosen(allowed, mood, rng)
            draft.decide(draft.choice(action))
        kinds.add(type(action).__name__)
        state = pointcity.apply(state, seat, action).state
        assert list(draft.numbers) == list(Draft.of(state).numbers)
        assert draft.scores == pointcity.scores(state).scores
    assert draft.over
    return kinds


@pytest.mark.parametrize("setup", SETUPS)
def test_random_games_are_the_same_move_by_move(setup: Any) -> None:
    for number in range(4 * SOAK):
        for mood in MOODS:
            assert follow(setup, f"drafting {number}", mood) >= {"Take", "ShowFace", "ShowBuilding"}


@pytest.mark.slow
@pytest.mark.parametrize("setup", SETUPS)
def test_a_thousand_random_games_are_the_same_move_by_move(setup: Any) -> None:
    kinds = set[str]()
    for number in range(60 * SOAK):
        for mood in MOODS:
            kinds |= follow(setup, f"thousand {number}", mood)
    assert kinds >= {"Take", "Draw", "Flip", "Pay", "PickToken"}


def test_one_who_can_take_nothing_skips_in_the_kernel_too() -> None:
    """With an empty deck and a market of buildings that nobody can pay."""
    *_, match = moments(pointcity, PAIR, "skip", "any")
    draft = Draft.of(match.state)
    dear = next(number for number, card in enumerate(draft.material.cards) if card.name == "c7-energy")
    draft.numbers[kernel.PHASE] = kernel.TURN
    for cell in range(kernel.CELLS):
        draft.numbers[kernel.MARKET + cell] = kernel.HOUSE + dear
    for number in range(kernel.BLOCK):
        draft.numbers[kernel.PLAYER + kernel.BLOCK * draft.numbers[kernel.SEAT] + number] = 0
    assert draft.legal() == [Skip()]
    draft.decide(kernel.SKIP)
    assert draft.over


def decisions(setup: Any, seed: str) -> Iterator[tuple[Match, Position]]:
    for match in moments(pointcity, setup, seed, "kinds"):
        if match.due and match.due != {CHANCE}:
            yield match, Position(Draft.of(match.state))


@pytest.mark.parametrize("setup", SETUPS)
def test_every_choice_is_valued_and_its_parts_add_up(setup: Any) -> None:
    for match, position in decisions(setup, "parts"):
        valued = position.valued(WEIGHTS)
        (seat,) = match.due
        assert {position.action(choice) for _, choice in valued} == set(pointcity.legal(match.state, seat))
        for value, choice in valued if match.state.phase in ("turn", "take", "pay") else ():
            if not isinstance(position.action(choice), Flip | Skip):
                assert value == pytest.approx(sum(position.parts(WEIGHTS, choice).values()))


@pytest.mark.parametrize("setup", SETUPS)
def test_a_thrifty_payment_is_the_first_that_the_rules_name(setup: Any) -> None:
    """Least jokers, then fewest cards."""
    for number in range(4):
        for match, position in decisions(setup, f"thrift {number}"):
            if match.state.phase == "pay":
                (seat,) = match.due
                first = pointcity.legal(match.state, seat)[0]
                draft = position.draft
                paid = pointcity.apply(match.state, seat, first).state.players[seat].stock
                kernel.build_thriftily(draft.material.law, draft.numbers)
                at = kernel.PLAYER + kernel.BLOCK * seat
                stock = tuple(map(int, draft.numbers[at : at + kernel.FACES]))
                assert (stock[kernel.JOKER], sum(stock)) == (paid[kernel.JOKER], sum(paid))
                assert isinstance(first, Pay)


def test_shuffled_luck_is_the_luck_that_is_left() -> None:
    """Every face of a tier and every building of a side once, as often as they were not seen or shown yet."""
    for match in list(moments(pointcity, PAIR, "shuffle", "busy"))[::9]:
        draft, room = Draft.of(match.state), Room.with_luck(3)
        kernel.shuffle(draft.material.law, draft.numbers, room.luck, room.coming)
        for tier, pool in enumerate(match.state.deck.unseen):
            at = tier * kernel.MOST_FACES
            left = [side.index for side, count in pool for _ in range(count)]
            assert sorted(room.coming[at : at + len(left)]) == sorted(left)
        for side, cards in enumerate(match.state.deck.unshown):
            at = kernel.BEHIND + side * kernel.MOST_BACKS
            names = [draft.material.card_number[card.name] for card, count in cards for _ in range(count)]
            assert sorted(room.coming[at : at + len(names)]) == sorted(names)


def replayed(setup: Any, seed: int) -> tuple[int, ...]:
    """A random game of the kernel, by the rules: with its luck and its choices."""
    state, room = pointcity.start(setup), Room.with_luck(seed)
    draft = Draft.of(state)
    law, numbers = draft.material.law, draft.numbers
    kernel.lay_out(law, numbers, room.luck)
    for token in list(numbers[kernel.UP : kernel.UP + numbers[kernel.UP_COUNT]]):
        state = pointcity.apply(state, CHANCE, draft.material.tokens[int(token)].pick).state
    if state.phase == "first":
        state = pointcity.apply(state, CHANCE, NameFirst(int(numbers[kernel.SEAT]))).state
    kernel.shuffle(law, numbers, room.luck, room.coming)
    while acting := pointcity.to_act(state):
        (seat,) = acting
        if seat == CHANCE:
            action = luck_due(state, draft, room)
            draft.turn_up(action)
        else:
            number = kernel.listed(law, numbers, room.choices)
            choice = int(room.choices[below(room.luck, number)])
            action = draft.action(choice)
            draft.decide(choice)
        state = pointcity.apply(state, seat, action).state
    return pointcity.scores(state).scores


def luck_due(state: Any, draft: Draft, room: Room) -> Any:
    """What comes next in the kernel's shuffle."""
    what = int(kernel.due(draft.numbers, room.coming))
    if state.phase in ("flip", "refill"):
        return ShowBuilding(MARKET.names[state.spaces[0].number], draft.material.cards[what].name)
    return ShowFace(draft.material.sides[what].face)


@pytest.mark.parametrize("setup", SETUPS)
def test_a_game_inside_the_kernel_is_a_game_of_the_rules(setup: Any) -> None:
    for seed in range(3):
        scores, decided = random_scores(setup, 1, seed)
        assert scores[0] == replayed(setup, seed)[0]
        assert decided > 17


TOLD = """
from tests.kernels.test_drafting import PAIR, TABLES, ALONE, WEIGHTS, decisions
from polyopolis.games.pointcity.content import content
from polyopolis.kernels import drafting as kernel, drafts
from polyopolis.kernels.drafts import good_leads, material_of, random_scores
print([list(map(int, random_scores(setup, 5, 1)[0])) for setup in TABLES + ALONE])
print([good_leads(material_of(content(), setup), WEIGHTS, WEIGHTS, range(2)) for setup in TABLES + ALONE])
some = [position for _, position in decisions(PAIR, "told")][40:44]
for growing in (kernel.NOBODY, kernel.EVERYBODY, kernel.SEARCHER):
    drafts.EFFORTS = {1: {0: drafts.Effort(turns=2, times=1, growing=growing)}}
    print([[(round(mean, 6), choice) for mean, choice in position.searched(WEIGHTS, 9, 4, 1)[1]] for position in some])
"""


def told(plain: bool) -> str:
    environment = {**os.environ, PLAIN: str(int(plain))}
    run = [sys.executable, "-c", TOLD]
    return subprocess.run(run, env=environment, capture_output=True, check=True, text=True).stdout


@pytest.mark.skipif(not FAST, reason="numba is not installed, so there is only one way to run")
def test_plain_python_plays_values_and_searches_the_same() -> None:
    assert told(plain=True) == told(plain=False)


def test_a_content_that_does_not_fit_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "MOST_SIDES", 3)
    with pytest.raises(NoKernel, match=f"a kernel of Point City holds 3 sides, not {len(content().sides)}"):
        material(content(), PAIR)


def test_who_plays_against_himself_is_never_ahead() -> None:
    leads = good_leads(material_of(content(), PAIR), WEIGHTS, WEIGHTS, range(6))
    assert leads == [0.0] * 6


def test_a_search_tells_what_it_tried_the_best_first() -> None:
    for match, position in list(decisions(PAIR, "search"))[::6]:
        (seat,) = match.due
        games, found = position.searched(WEIGHTS, 40, 6, 5)
        legal = pointcity.legal(match.state, seat)
        assert len(found) == min(6, len(legal))
        assert {position.action(choice) for _, choice in found} <= set(legal)
        assert (games, found) == position.searched(WEIGHTS, 40, 6, 5)


@pytest.mark.parametrize("growing", [kernel.EVERYBODY, kernel.SEARCHER])
@pytest.mark.parametrize("setup", [PAIR, TABLES[-1], ALONE[0]])
def test_a_tree_counts_what_it_has_seen(setup: Any, growing: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every node was reached as often as its branches were taken, and only one branch leads to it.

    Where others decide before the searcher does again, they may leave none of its branches.
    """
    trees: list[drafts.Tree] = []
    monkeypatch.setattr(drafts, "EFFORTS", {1: {0: drafts.Effort(turns=3, times=1, growing=growing)}})
    monkeypatch.setattr(drafts, "Tree", lambda: trees.append(made := Tree()) or made)  # type: ignore[func-returns-value]
    position = [position for _, position in decisions(setup, "tree")][12]
    games, found = position.searched(WEIGHTS, 300, 5, 1)
    nodes = [trees[0].nodes[at : at + kernel.NODE] for at in range(0, len(trees[0].nodes), kernel.NODE)]
    grown = [node for node in nodes if node[kernel.VISITS]]
    led: list[int] = []
    for node in grown:
        branches = [node[at : at + 3] for at in range(kernel.BRANCH, kernel.NODE, 3)][: int(node[kernel.USED])]
        assert sum(int(branch[kernel.TAKEN]) for branch in branches) == node[kernel.VISITS]
        assert len({int(branch[0]) for branch in branches}) == len(branches)
        led += [int(branch[kernel.LEADS_TO]) for branch in branches if branch[kernel.LEADS_TO] != kernel.NONE]
    assert len(set(led)) == len(led) > 5
    roots = nodes[: len(found)]
    assert {int(root[kernel.AFTER]) for root in roots} == {choice for _, choice in found}
    reached = sum(int(root[kernel.VISITS]) for root in roots)
    assert 0 < reached <= games <= 300
    assert reached == games or growing == kernel.SEARCHER
    took = {int(trees[0].path[3 + 3 * step]) for step in range(int(trees[0].path[0]))}
    assert took == {int(position.draft.numbers[kernel.SEAT])} or (growing == kernel.EVERYBODY and len(took) > 1)


def test_a_lead_is_worth_more_the_surer_it_is() -> None:
    """What a search hopes for grows with the lead, and at the end winning is worth a leap."""
    (_, position), *_ = decisions(PAIR, "hope")
    draft, room = position.draft, Room()
    law, numbers = draft.material.law, draft.numbers
    hopes: list[float] = []
    for turns in (0, 20, 33):
        numbers[kernel.TURNS] = turns
        numbers[kernel.PLAYER + kernel.SCORED] = 9
        kernel.look_ahead(law, numbers, position._rows(WEIGHTS), room.desk, room.notes)
        own, other = (float(room.notes[kernel.HOPES + seat]) for seat in range(2))
        assert own == -other > float(room.notes[kernel.LEADS]) > 0
        hopes.append(own / float(room.notes[kernel.LEADS]))
    assert hopes == sorted(hopes)
    numbers[kernel.PHASE] = kernel.OVER
    kernel.look_ahead(law, numbers, position._rows(WEIGHTS), room.desk, room.notes)
    assert room.notes[kernel.HOPES] == room.notes[kernel.LEADS] + kernel.WINNING == 9 + kernel.WINNING


def test_the_last_turn_is_solved_and_none_before() -> None:
    """No luck is left: what a choice comes to is what the rules count, tokens picked as well as can be."""
    solved = 0
    for match, position in decisions(PAIR, "solved"):
        last = match.state.deck.top is None and not (match.state.phase == "turn" and flips(match.state.market))
        assert (position.futures(50) < 50) == last
        if last:
            (seat,) = match.due
            found = position.solved()
            assert len(found) == position.futures(50) == len(pointcity.legal(match.state, seat))
            leads = [_lead(match, seat, position.action(choice)) for _, choice in found]
            assert leads[0] == max(leads)
            solved += 1
    assert solved


def _lead(match: Match, seat: int, action: Any) -> int:
    after = match.decide(seat, action)
    if not after.over:
        return max(_lead(after, seat, more) for more in pointcity.legal(after.state, seat))
    own = after.result.scores[seat]
    return own - max(score for other, score in enumerate(after.result.scores) if other != seat)
