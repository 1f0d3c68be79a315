"""The kernel of Point City beside its rules: legal sets, numbers and scores, move by move; and what it plays inside."""

from collections.abc import Iterator
from dataclasses import replace
from math import log, ulp
from typing import Any

import pytest

from polyopolis.bots.feature_weights import DRAFTING, flat
from polyopolis.engine import CHANCE, Match, Rng, seed_of
from polyopolis.games import game
from polyopolis.games.pointcity.actions import Flip, NameFirst, Pay, ShowBuilding, ShowFace, Skip
from polyopolis.games.pointcity.content import MARKET, content
from polyopolis.games.pointcity.market import flips
from polyopolis.kernels import draft_position
from polyopolis.kernels.city_arrays import NoKernel
from polyopolis.kernels.draft_arrays import material, material_of
from polyopolis.kernels.draft_position import Draft, DraftPosition, good_leads, new_tree, random_scores
from polyopolis.kernels.drafting import layout
from polyopolis.kernels.drafting.chance import due, lay_out, shuffle
from polyopolis.kernels.drafting.legal_choices import listed
from polyopolis.kernels.drafting.search_tree import grown, logarithm, most_promising, note_behind, planted
from polyopolis.kernels.drafting.standings import look_ahead
from polyopolis.kernels.drafting.transitions import build_thriftily
from polyopolis.kernels.runtime.rng import below, futures_of, luck_of
from tests.kernels.comparisons import assert_same_both_ways, assert_same_choices, both_ways
from tests.support.property_budget import SOAK
from tests.support.random_play import MOODS, Mood, chosen, moments

pointcity = game("pointcity")
TABLES = [pointcity.Setup(seats=seats) for seats in (2, 3, 4)]
ALONE = [pointcity.Setup(seats=1, automa=level) for level in ("easy", "medium", "hard")]
SETUPS = [pytest.param(setup, id=f"{setup.seats}-{setup.automa or 'people'}") for setup in TABLES + ALONE]
PAIR = TABLES[0]
WEIGHTS = flat(DRAFTING, layout.FEATURES)


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
            allowed = pointcity.legal(state, seat)
            assert_same_choices(draft.legal(), allowed)
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
def test_many_random_games_are_the_same_move_by_move(setup: Any) -> None:
    kinds = set[str]()
    for number in range(12 * SOAK):
        for mood in MOODS:
            kinds |= follow(setup, f"many {number}", mood)
    assert kinds >= {"Take", "Draw", "Flip", "Pay", "PickToken"}


def test_one_who_can_take_nothing_skips_in_the_kernel_too() -> None:
    """With an empty deck and a market of buildings that nobody can pay."""
    *_, match = moments(pointcity, PAIR, "skip", "any")
    draft = Draft.of(match.state)
    dear = next(number for number, card in enumerate(draft.material.cards) if card.name == "c7-energy")
    draft.numbers[layout.PHASE] = layout.TURN
    for cell in range(layout.CELLS):
        draft.numbers[layout.MARKET + cell] = layout.HOUSE + dear
    for number in range(layout.BLOCK):
        draft.numbers[layout.PLAYER + layout.BLOCK * draft.numbers[layout.SEAT] + number] = 0
    assert draft.legal() == [Skip()]
    draft.decide(layout.SKIP)
    assert draft.over


def decisions(setup: Any, seed: str) -> Iterator[tuple[Match, DraftPosition]]:
    for match in moments(pointcity, setup, seed, "kinds"):
        if match.due and match.due != {CHANCE}:
            yield match, DraftPosition(Draft.of(match.state))


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
                build_thriftily(draft.material.law, draft.numbers)
                at = layout.PLAYER + layout.BLOCK * seat
                stock = tuple(map(int, draft.numbers[at : at + layout.FACES]))
                assert (stock[layout.JOKER], sum(stock)) == (paid[layout.JOKER], sum(paid))
                assert isinstance(first, Pay)


def test_shuffled_luck_is_the_luck_that_is_left() -> None:
    """Every face of a tier and every building of a side once, as often as they were not seen or shown yet."""
    for match in list(moments(pointcity, PAIR, "shuffle", "busy"))[::9]:
        draft = Draft.of(match.state)
        room = draft.room
        shuffle(draft.material.law, draft.numbers, luck_of(3), room.coming)
        for tier, pool in enumerate(match.state.deck.unseen):
            at = tier * layout.MOST_FACES
            left = [side.index for side, count in pool for _ in range(count)]
            assert sorted(room.coming[at : at + len(left)]) == sorted(left)
        for side, cards in enumerate(match.state.deck.unshown):
            at = layout.BEHIND + side * layout.MOST_BACKS
            names = [draft.material.card_number[card.name] for card, count in cards for _ in range(count)]
            assert sorted(room.coming[at : at + len(names)]) == sorted(names)


def replayed(setup: Any, seed: int) -> tuple[int, ...]:
    """A random game of the kernel, by the rules: with its luck and its choices."""
    state, luck = pointcity.start(setup), luck_of(seed)
    draft = Draft.of(state)
    law, numbers, room = draft.material.law, draft.numbers, draft.room
    lay_out(law, numbers, luck)
    for token in list(numbers[layout.UP : layout.UP + numbers[layout.UP_COUNT]]):
        state = pointcity.apply(state, CHANCE, draft.material.tokens[int(token)].pick).state
    if state.phase == "first":
        state = pointcity.apply(state, CHANCE, NameFirst(int(numbers[layout.SEAT]))).state
    shuffle(law, numbers, luck, room.coming)
    while acting := pointcity.to_act(state):
        (seat,) = acting
        if seat == CHANCE:
            action = luck_due(state, draft)
            draft.turn_up(action)
        else:
            number = listed(law, numbers, room.choices)
            choice = int(room.choices[below(luck, number)])
            action = draft.action(choice)
            draft.decide(choice)
        state = pointcity.apply(state, seat, action).state
    return pointcity.scores(state).scores


def luck_due(state: Any, draft: Draft) -> Any:
    """What comes next in the kernel's shuffle."""
    what = int(due(draft.numbers, draft.room.coming))
    if state.phase in ("flip", "refill"):
        return ShowBuilding(MARKET.names[state.spaces[0].number], draft.material.cards[what].name)
    return ShowFace(draft.material.sides[what].face)


@pytest.mark.parametrize("setup", SETUPS)
def test_a_game_inside_the_kernel_is_a_game_of_the_rules(setup: Any) -> None:
    for seed in range(3):
        scores, decided = random_scores(setup, 1, luck_of(seed))
        assert scores[0] == replayed(setup, seed)[0]
        assert decided > 17


def test_a_logarithm_needs_no_library() -> None:
    assert logarithm(1.0) == 0.0
    for number in (*range(2, 3000), 10**6, 10**9):
        assert abs(logarithm(float(number)) - log(number)) <= 2 * ulp(log(number))


PLAYED = """
from tests.kernels.test_drafting import PAIR, TABLES, ALONE, WEIGHTS, decisions
from polyopolis.games.pointcity.content import content
from polyopolis.kernels import drafts
from polyopolis.kernels.drafting import layout
from polyopolis.kernels.draft_position import good_leads, random_scores
from polyopolis.kernels.runtime.rng import futures_of, luck_of
from polyopolis.kernels.draft_arrays import material_of
print([list(map(int, random_scores(setup, 5, luck_of(1))[0])) for setup in TABLES + ALONE])
print([good_leads(material_of(content(), setup), WEIGHTS, WEIGHTS, futures_of(1, 2)) for setup in TABLES + ALONE])
some = [position for _, position in decisions(PAIR, "told")][40:44]
for growing in (layout.NOBODY, layout.EVERYBODY, layout.SEARCHER):
    drafts.EFFORTS = {1: {0: drafts.Effort(turns=2, times=1, growing=growing)}}
    for position in some:
        print([(round(mean, 6), choice) for mean, choice in position.searched(WEIGHTS, 9, 4, luck_of(1))[1]])
drafts.EFFORTS = {1: {0: drafts.Effort(turns=1, times=1, growing=layout.EVERYBODY, nodes=9, alike=-1)}}
for position in some:
    print([(mean.hex(), choice) for mean, choice in position.searched(WEIGHTS, 70, 3, luck_of(2))[1]])
"""


@pytest.mark.slow
@both_ways
def test_plain_python_plays_values_and_searches_the_same() -> None:
    assert_same_both_ways(PLAYED)


def test_a_content_that_does_not_fit_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "MOST_SIDES", 3)
    with pytest.raises(NoKernel, match=f"a kernel of Point City holds 3 sides, not {len(content().sides)}"):
        material(content(), PAIR)


def test_who_plays_against_himself_is_never_ahead() -> None:
    leads = good_leads(material_of(content(), PAIR), WEIGHTS, WEIGHTS, futures_of(0, 6))
    assert leads == [0.0] * 6


def test_a_search_tells_what_it_tried_the_best_first() -> None:
    for match, position in list(decisions(PAIR, "search"))[::6]:
        (seat,) = match.due
        games, found = position.searched(WEIGHTS, 40, 6, luck_of(5))
        legal = pointcity.legal(match.state, seat)
        assert len(found) == min(6, len(legal))
        assert {position.action(choice) for _, choice in found} <= set(legal)
        assert (games, found) == position.searched(WEIGHTS, 40, 6, luck_of(5))


@pytest.mark.parametrize("growing", [layout.EVERYBODY, layout.SEARCHER])
@pytest.mark.parametrize("setup", [PAIR, TABLES[-1], ALONE[0]])
def test_a_tree_counts_what_it_has_seen(setup: Any, growing: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every node was reached as often as its branches were taken, and only one branch leads to it.

    Where others decide before the searcher does again, they may leave none of its branches.
    """
    trees: list[layout.Tree] = []
    monkeypatch.setattr(
        draft_position, "EFFORTS", {1: {0: draft_position.SearchEffort(turns=3, times=1, growing=growing)}}
    )
    monkeypatch.setattr(draft_position, "new_tree", lambda nodes: trees.append(made := new_tree(nodes)) or made)  # type: ignore[func-returns-value]
    position = [position for _, position in decisions(setup, "tree")][12]
    games, found = position.searched(WEIGHTS, 300, 5, luck_of(1))
    nodes = [trees[0].nodes[at : at + layout.NODE] for at in range(0, len(trees[0].nodes), layout.NODE)]
    grown = [node for node in nodes if node[layout.VISITS]]
    led: list[int] = []
    for node in grown:
        branches = [node[at : at + 3] for at in range(layout.BRANCH, layout.NODE, 3)][: int(node[layout.USED])]
        assert sum(int(branch[layout.TAKEN]) for branch in branches) == node[layout.VISITS]
        assert len({int(branch[0]) for branch in branches}) == len(branches)
        led += [int(branch[layout.LEADS_TO]) for branch in branches if branch[layout.LEADS_TO] != layout.NONE]
    assert len(set(led)) == len(led) > 5
    roots = nodes[: len(found)]
    assert {int(root[layout.AFTER]) for root in roots} == {choice for _, choice in found}
    reached = sum(int(root[layout.VISITS]) for root in roots)
    assert 0 < reached <= games <= 300
    assert reached == games or growing == layout.SEARCHER
    took = {int(trees[0].path[3 + 3 * step]) for step in range(int(trees[0].path[0]))}
    assert took == {int(position.draft.numbers[layout.SEAT])} or (growing == layout.EVERYBODY and len(took) > 1)


def trees_of(efforts: list[draft_position.SearchEffort], monkeypatch: pytest.MonkeyPatch) -> list[layout.Tree]:
    """What grows by each of them after the same decision."""
    position, trees = [position for _, position in decisions(PAIR, "room")][12], list[layout.Tree]()
    monkeypatch.setattr(draft_position, "new_tree", lambda nodes: trees.append(made := new_tree(nodes)) or made)  # type: ignore[func-returns-value]
    for effort in efforts:
        monkeypatch.setattr(draft_position, "EFFORTS", {1: {0: effort}})
        position.searched(WEIGHTS, 600, 5, luck_of(1))
    return trees


def test_a_tree_has_as_much_room_as_its_search_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes beyond that are not planted; what there is goes on learning."""
    effort = draft_position.SearchEffort(turns=3, times=1, growing=layout.EVERYBODY)
    trees = trees_of([replace(effort, nodes=nodes) for nodes in (7, 40)], monkeypatch)
    for tree, nodes in zip(trees, (7, 40), strict=True):
        visits = [int(tree.nodes[at + layout.VISITS]) for at in range(0, len(tree.nodes), layout.NODE)]
        assert len(visits) == nodes
        assert min(visits) > 0


def test_a_tree_turns_to_what_luck_has_made_better() -> None:
    """Two choices did equally well, and one of them looks better now than it usually does: only who amends that takes
    it, however much the other one is worth at sight."""
    first, second, room, tree = 16, 17, draft_position.new_room(), new_tree(4)
    planted(tree.nodes, 0, layout.NONE)
    room.choices[:2] = [first, second]
    room.notes[layout.VALUES : layout.VALUES + 2] = [9.0, 8.0]
    for _ in range(2):
        grown(tree, 0, room, 2)
    for branch, usual in enumerate((0.0, -6.0)):
        tree.nodes[layout.BRANCH + 3 * branch + layout.TAKEN] = 100
        tree.behind[branch] = 100 * usual
    tree.nodes[layout.VISITS] = 200
    assert [most_promising(tree, 0, room, 2, amending) for amending in (0, 1)] == [0, 1]
    note_behind(tree, 0, 1, room, 2)
    assert tree.behind[1] == -601.0, "one more game in which it is a point behind"


def test_only_who_amends_notes_how_choices_look(monkeypatch: pytest.MonkeyPatch) -> None:
    effort = draft_position.SearchEffort(turns=3, times=1, growing=layout.EVERYBODY)
    trees = trees_of([replace(effort, amending=amending) for amending in (0, 1)], monkeypatch)
    assert [min(tree.behind) < 0 for tree in trees] == [False, True]


def test_who_wants_to_know_better_plays_on_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The less another choice may be better, the later a search settles; at -1 point it hardly ever does."""
    position, spent = [position for _, position in decisions(PAIR, "settle")][12], []
    for alike in (9, 1, 0, -1):
        effort = draft_position.SearchEffort(turns=2, times=1, growing=layout.EVERYBODY, alike=alike)
        monkeypatch.setattr(draft_position, "EFFORTS", {1: {0: effort}})
        spent.append(position.searched(WEIGHTS, 2000, 6, luck_of(1))[0])
    assert spent == sorted(spent)
    assert spent[0] < spent[-1] <= 2000


def test_a_lead_is_worth_more_the_surer_it_is() -> None:
    """What a search hopes for grows with the lead, and at the end winning is worth a leap."""
    (_, position), *_ = decisions(PAIR, "hope")
    draft = position.draft
    law, numbers, room = draft.material.law, draft.numbers, draft.room
    hopes: list[float] = []
    for turns in (0, 20, 33):
        numbers[layout.TURNS] = turns
        numbers[layout.PLAYER + layout.SCORED] = 9
        look_ahead(law, numbers, position.rows(WEIGHTS), room.desk, room.notes)
        own, other = (float(room.notes[layout.HOPES + seat]) for seat in range(2))
        assert own == -other > float(room.notes[layout.LEADS]) > 0
        hopes.append(own / float(room.notes[layout.LEADS]))
    assert hopes == sorted(hopes)
    numbers[layout.PHASE] = layout.OVER
    look_ahead(law, numbers, position.rows(WEIGHTS), room.desk, room.notes)
    assert room.notes[layout.HOPES] == room.notes[layout.LEADS] + layout.WINNING == 9 + layout.WINNING


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
