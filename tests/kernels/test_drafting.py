"""The kernel of Point City compared with the rules move by move: legal actions, numbers and scores; playouts and
search."""

from collections.abc import Iterator
from dataclasses import replace
from math import log, ulp
from typing import Any

import pytest

from polyopolis.bots.feature_weights import DRAFTING_WEIGHTS, flat_weights
from polyopolis.engine import CHANCE, Match, Rng, seed_of
from polyopolis.games import game
from polyopolis.games.pointcity.actions import Flip, NameFirst, Pay, ShowBuilding, ShowFace, Skip
from polyopolis.games.pointcity.content import MARKET, content
from polyopolis.games.pointcity.market import flips
from polyopolis.kernels import draft_position
from polyopolis.kernels.city_arrays import NoKernel
from polyopolis.kernels.draft_arrays import build_draft_site, draft_site
from polyopolis.kernels.draft_position import Draft, DraftPosition, greedy_leads, new_tree, random_scores
from polyopolis.kernels.drafting import layout
from polyopolis.kernels.drafting.chance import draw_setup, next_chance, shuffle
from polyopolis.kernels.drafting.legal_choices import list_choices
from polyopolis.kernels.drafting.search_tree import add_branch, best_branch, init_node, logarithm, record_gap
from polyopolis.kernels.drafting.standings import write_utilities
from polyopolis.kernels.drafting.transitions import build_cheaply
from polyopolis.kernels.runtime.rng import future_seeds, new_rng, random_below
from tests.kernels.comparisons import assert_same_choices, assert_same_in_plain_python, needs_numba
from tests.support.property_budget import SOAK
from tests.support.random_play import MOODS, Mood, chosen, moments

pointcity = game("pointcity")
TABLES = [pointcity.Setup(seats=seats) for seats in (2, 3, 4)]
ALONE = [pointcity.Setup(seats=1, automa=level) for level in ("easy", "medium", "hard")]
SETUPS = [pytest.param(setup, id=f"{setup.seats}-{setup.automa or 'people'}") for setup in TABLES + ALONE]
PAIR = TABLES[0]
WEIGHTS = flat_weights(DRAFTING_WEIGHTS, layout.FEATURES)


def drawn(odds: Any, rng: Rng) -> Any:
    """Returns a random chance outcome by its weight."""
    return rng.choice([rng for rng, weight in odds for _ in range(weight)])


def follow(setup: Any, seed: str, mood: Mood) -> set[str]:
    """Plays a match in both, from the first token to the end. Returns the kinds of actions that were compared."""
    rng, state = Rng(seed_of(seed)), pointcity.start(setup)
    draft, kinds = Draft.of(state), set[str]()
    while acting := pointcity.to_act(state):
        (seat,) = acting
        if seat == CHANCE:
            action = drawn(pointcity.odds(state), rng)
            draft.apply_chance(action)
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
def test_random_games_match_the_rules_move_by_move(setup: Any) -> None:
    for number in range(4 * SOAK):
        for mood in MOODS:
            assert follow(setup, f"drafting {number}", mood) >= {"Take", "ShowFace", "ShowBuilding"}


@pytest.mark.slow
@pytest.mark.parametrize("setup", SETUPS)
def test_many_random_games_match_the_rules_move_by_move(setup: Any) -> None:
    kinds = set[str]()
    for number in range(12 * SOAK):
        for mood in MOODS:
            kinds |= follow(setup, f"many {number}", mood)
    assert kinds >= {"Take", "Draw", "Flip", "Pay", "PickToken"}


def test_seat_without_another_choice_skips() -> None:
    """With an empty deck and a market of buildings that are too expensive."""
    *_, match = moments(pointcity, PAIR, "skip", "any")
    draft = Draft.of(match.state)
    dear = next(number for number, card in enumerate(draft.material.cards) if card.name == "c7-energy")
    draft.numbers[layout.PHASE] = layout.PHASE_TURN
    for cell in range(layout.CELL_COUNT):
        draft.numbers[layout.MARKET + cell] = layout.FIRST_BUILDING + dear
    for number in range(layout.PLAYER_SIZE):
        draft.numbers[layout.PLAYERS_AT + layout.PLAYER_SIZE * draft.numbers[layout.SEAT] + number] = 0
    assert draft.legal() == [Skip()]
    draft.decide(layout.SKIP)
    assert draft.over


def decisions(setup: Any, seed: str) -> Iterator[tuple[Match, DraftPosition]]:
    for match in moments(pointcity, setup, seed, "kinds"):
        if match.due and match.due != {CHANCE}:
            yield match, DraftPosition(Draft.of(match.state))


@pytest.mark.parametrize("setup", SETUPS)
def test_feature_values_add_up_for_every_choice(setup: Any) -> None:
    for match, position in decisions(setup, "parts"):
        valued = position.choice_values(WEIGHTS)
        (seat,) = match.due
        assert {position.action(choice) for _, choice in valued} == set(pointcity.legal(match.state, seat))
        for value, choice in valued if match.state.phase in ("turn", "take", "pay") else ():
            if not isinstance(position.action(choice), Flip | Skip):
                assert value == pytest.approx(sum(position.feature_values(WEIGHTS, choice).values()))


@pytest.mark.parametrize("setup", SETUPS)
def test_cheapest_payment_is_the_first_of_the_rules(setup: Any) -> None:
    """Fewest jokers, then fewest cards."""
    for number in range(4):
        for match, position in decisions(setup, f"thrift {number}"):
            if match.state.phase == "pay":
                (seat,) = match.due
                first = pointcity.legal(match.state, seat)[0]
                draft = position.draft
                paid = pointcity.apply(match.state, seat, first).state.players[seat].stock
                build_cheaply(draft.material.law, draft.numbers)
                at = layout.PLAYERS_AT + layout.PLAYER_SIZE * seat
                stock = tuple(map(int, draft.numbers[at : at + layout.FACE_COUNT]))
                assert (stock[layout.JOKER_FACE], sum(stock)) == (paid[layout.JOKER_FACE], sum(paid))
                assert isinstance(first, Pay)


def test_shuffle_contains_exactly_the_remaining_cards() -> None:
    """Each face of a tier and each building of a side, as often as it is unseen or not yet shown."""
    for match in list(moments(pointcity, PAIR, "shuffle", "busy"))[::9]:
        draft = Draft.of(match.state)
        scratch = draft.scratch
        shuffle(draft.material.law, draft.numbers, new_rng(3), scratch.coming)
        for tier, pool in enumerate(match.state.deck.unseen):
            at = tier * layout.MAX_TIER_FACES
            left = [side.index for side, count in pool for _ in range(count)]
            assert sorted(scratch.coming[at : at + len(left)]) == sorted(left)
        for side, cards in enumerate(match.state.deck.unshown):
            at = layout.COMING_BUILDINGS + side * layout.MAX_BACKS
            names = [draft.material.card_number[card.name] for card, count in cards for _ in range(count)]
            assert sorted(scratch.coming[at : at + len(names)]) == sorted(names)


def replayed(setup: Any, seed: int) -> tuple[int, ...]:
    """Replays a random game of the kernel by the rules, with the same random numbers."""
    state, rng = pointcity.start(setup), new_rng(seed)
    draft = Draft.of(state)
    law, numbers, scratch = draft.material.law, draft.numbers, draft.scratch
    draw_setup(law, numbers, rng)
    for token in list(numbers[layout.TABLE_TOKENS : layout.TABLE_TOKENS + numbers[layout.TABLE_TOKEN_COUNT]]):
        state = pointcity.apply(state, CHANCE, draft.material.tokens[int(token)].pick).state
    if state.phase == "first":
        state = pointcity.apply(state, CHANCE, NameFirst(int(numbers[layout.SEAT]))).state
    shuffle(law, numbers, rng, scratch.coming)
    while acting := pointcity.to_act(state):
        (seat,) = acting
        if seat == CHANCE:
            action = chance_due(state, draft)
            draft.apply_chance(action)
        else:
            number = list_choices(law, numbers, scratch.choices)
            choice = int(scratch.choices[random_below(rng, number)])
            action = draft.action(choice)
            draft.decide(choice)
        state = pointcity.apply(state, seat, action).state
    return pointcity.scores(state).scores


def chance_due(state: Any, draft: Draft) -> Any:
    """Returns the next chance event of the kernel's shuffle."""
    what = int(next_chance(draft.numbers, draft.scratch.coming))
    if state.phase in ("flip", "refill"):
        return ShowBuilding(MARKET.names[state.spaces[0].number], draft.material.cards[what].name)
    return ShowFace(draft.material.sides[what].face)


@pytest.mark.parametrize("setup", SETUPS)
def test_playout_follows_the_rules(setup: Any) -> None:
    for seed in range(3):
        scores, decided = random_scores(setup, 1, new_rng(seed))
        assert scores[0] == replayed(setup, seed)[0]
        assert decided > 17


def test_logarithm_is_accurate() -> None:
    assert logarithm(1.0) == 0.0
    for number in (*range(2, 3000), 10**6, 10**9):
        assert abs(logarithm(float(number)) - log(number)) <= 2 * ulp(log(number))


PLAYED = """
from tests.kernels.test_drafting import PAIR, TABLES, ALONE, WEIGHTS, decisions
from polyopolis.games.pointcity.content import content
from polyopolis.kernels import draft_position
from polyopolis.kernels.drafting import layout
from polyopolis.kernels.draft_position import greedy_leads, random_scores
from polyopolis.kernels.runtime.rng import future_seeds, new_rng
from polyopolis.kernels.draft_arrays import draft_site
print([list(map(int, random_scores(setup, 5, new_rng(1))[0])) for setup in TABLES + ALONE])
print([greedy_leads(draft_site(content(), setup), WEIGHTS, WEIGHTS, future_seeds(1, 2)) for setup in TABLES + ALONE])
some = [position for _, position in decisions(PAIR, "told")][40:44]
for tree_players in (layout.NO_PLAYERS, layout.ALL_PLAYERS, layout.SEARCHER):
    draft_position.SEARCH_EFFORTS = {
        1: {0: draft_position.SearchEffort(turns=2, simulation_factor=1, tree_players=tree_players)}
    }
    for position in some:
        print([(round(mean, 6), choice) for mean, choice in position.search(WEIGHTS, 9, 4, new_rng(1))[1]])
effort = draft_position.SearchEffort(
    turns=1, simulation_factor=1, tree_players=layout.ALL_PLAYERS, nodes=9, tolerance=-1
)
draft_position.SEARCH_EFFORTS = {1: {0: effort}}
for position in some:
    print([(mean.hex(), choice) for mean, choice in position.search(WEIGHTS, 70, 3, new_rng(2))[1]])
"""


@pytest.mark.slow
@needs_numba
def test_plain_python_plays_evaluates_and_searches_identically() -> None:
    assert_same_in_plain_python(PLAYED)


def test_content_above_a_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "MAX_SIDES", 3)
    with pytest.raises(NoKernel, match=f"the Point City kernel supports 3 sides, not {len(content().sides)}"):
        build_draft_site(content(), PAIR)


def test_lead_over_identical_weights_is_zero() -> None:
    leads = greedy_leads(draft_site(content(), PAIR), WEIGHTS, WEIGHTS, future_seeds(0, 6))
    assert leads == [0.0] * 6


def test_search_returns_tried_choices_best_first() -> None:
    for match, position in list(decisions(PAIR, "search"))[::6]:
        (seat,) = match.due
        games, found = position.search(WEIGHTS, 40, 6, new_rng(5))
        legal = pointcity.legal(match.state, seat)
        assert len(found) == min(6, len(legal))
        assert {position.action(choice) for _, choice in found} <= set(legal)
        assert (games, found) == position.search(WEIGHTS, 40, 6, new_rng(5))


@pytest.mark.parametrize("tree_players", [layout.ALL_PLAYERS, layout.SEARCHER])
@pytest.mark.parametrize("setup", [PAIR, TABLES[-1], ALONE[0]])
def test_tree_visits_are_consistent(setup: Any, tree_players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The visits of a node are the sum of those of its branches, and only one branch leads to it.

    Other players may remove all branches of the searcher before its next decision.
    """
    trees: list[layout.Tree] = []
    monkeypatch.setattr(
        draft_position,
        "SEARCH_EFFORTS",
        {1: {0: draft_position.SearchEffort(turns=3, simulation_factor=1, tree_players=tree_players)}},
    )
    monkeypatch.setattr(draft_position, "new_tree", lambda nodes: trees.append(made := new_tree(nodes)) or made)  # type: ignore[func-returns-value]
    position = [position for _, position in decisions(setup, "tree")][12]
    games, found = position.search(WEIGHTS, 300, 5, new_rng(1))
    nodes = [trees[0].nodes[at : at + layout.NODE_SIZE] for at in range(0, len(trees[0].nodes), layout.NODE_SIZE)]
    grown = [node for node in nodes if node[layout.NODE_VISITS]]
    led: list[int] = []
    for node in grown:
        branches = [node[at : at + 3] for at in range(layout.FIRST_BRANCH, layout.NODE_SIZE, 3)][
            : int(node[layout.NODE_BRANCHES])
        ]
        assert sum(int(branch[layout.BRANCH_VISITS]) for branch in branches) == node[layout.NODE_VISITS]
        assert len({int(branch[0]) for branch in branches}) == len(branches)
        led += [int(branch[layout.BRANCH_NODE]) for branch in branches if branch[layout.BRANCH_NODE] != layout.NONE]
    assert len(set(led)) == len(led) > 5
    roots = nodes[: len(found)]
    assert {int(root[layout.NODE_CHOICE]) for root in roots} == {choice for _, choice in found}
    reached = sum(int(root[layout.NODE_VISITS]) for root in roots)
    assert 0 < reached <= games <= 300
    assert reached == games or tree_players == layout.SEARCHER
    took = {int(trees[0].path[3 + 3 * step]) for step in range(int(trees[0].path[0]))}
    assert took == {int(position.draft.numbers[layout.SEAT])} or (tree_players == layout.ALL_PLAYERS and len(took) > 1)


def trees_of(efforts: list[draft_position.SearchEffort], monkeypatch: pytest.MonkeyPatch) -> list[layout.Tree]:
    """Returns the tree that each effort grows after the same decision."""
    position, trees = [position for _, position in decisions(PAIR, "room")][12], list[layout.Tree]()
    monkeypatch.setattr(draft_position, "new_tree", lambda nodes: trees.append(made := new_tree(nodes)) or made)  # type: ignore[func-returns-value]
    for effort in efforts:
        monkeypatch.setattr(draft_position, "SEARCH_EFFORTS", {1: {0: effort}})
        position.search(WEIGHTS, 600, 5, new_rng(1))
    return trees


def test_tree_size_is_limited_by_the_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """No further nodes are added when the tree is full, but existing ones are still updated."""
    effort = draft_position.SearchEffort(turns=3, simulation_factor=1, tree_players=layout.ALL_PLAYERS)
    trees = trees_of([replace(effort, nodes=nodes) for nodes in (7, 40)], monkeypatch)
    for tree, nodes in zip(trees, (7, 40), strict=True):
        visits = [int(tree.nodes[at + layout.NODE_VISITS]) for at in range(0, len(tree.nodes), layout.NODE_SIZE)]
        assert len(visits) == nodes
        assert min(visits) > 0


def test_correction_prefers_choices_that_chance_has_improved() -> None:
    """Two choices had equal results, and one of them has a better static value than usual. Only a search with
    `correction` prefers it, independent of the static value of the other one."""
    first, second, scratch, tree = 16, 17, draft_position.new_scratch(), new_tree(4)
    init_node(tree.nodes, 0, layout.NONE)
    scratch.choices[:2] = [first, second]
    scratch.evals[layout.CHOICE_VALUES : layout.CHOICE_VALUES + 2] = [9.0, 8.0]
    for _ in range(2):
        add_branch(tree, 0, scratch, 2)
    for branch, usual in enumerate((0.0, -6.0)):
        tree.nodes[layout.FIRST_BRANCH + 3 * branch + layout.BRANCH_VISITS] = 100
        tree.behind[branch] = 100 * usual
    tree.nodes[layout.NODE_VISITS] = 200
    assert [best_branch(tree, 0, scratch, 2, correction) for correction in (0, 1)] == [0, 1]
    record_gap(tree, 0, 1, scratch, 2)
    assert tree.behind[1] == -601.0, "one more game with a gap of one point"


def test_gaps_are_recorded_only_with_correction(monkeypatch: pytest.MonkeyPatch) -> None:
    effort = draft_position.SearchEffort(turns=3, simulation_factor=1, tree_players=layout.ALL_PLAYERS)
    trees = trees_of([replace(effort, correction=correction) for correction in (0, 1)], monkeypatch)
    assert [min(tree.behind) < 0 for tree in trees] == [False, True]


def test_lower_tolerance_needs_more_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lower the tolerance, the later a search settles; at -1 point it hardly ever does."""
    position, spent = [position for _, position in decisions(PAIR, "settle")][12], []
    for tolerance in (9, 1, 0, -1):
        effort = draft_position.SearchEffort(
            turns=2, simulation_factor=1, tree_players=layout.ALL_PLAYERS, tolerance=tolerance
        )
        monkeypatch.setattr(draft_position, "SEARCH_EFFORTS", {1: {0: effort}})
        spent.append(position.search(WEIGHTS, 2000, 6, new_rng(1))[0])
    assert spent == sorted(spent)
    assert spent[0] < spent[-1] <= 2000


def test_utility_of_a_lead_grows_with_certainty() -> None:
    """The utility grows with the lead, and winning has a bonus at the end."""
    (_, position), *_ = decisions(PAIR, "hope")
    draft = position.draft
    law, numbers, scratch = draft.material.law, draft.numbers, draft.scratch
    utilities: list[float] = []
    for turns in (0, 20, 33):
        numbers[layout.TURNS_PLAYED] = turns
        numbers[layout.PLAYERS_AT + layout.BUILDING_POINTS] = 9
        write_utilities(law, numbers, position.rows(WEIGHTS), scratch.trial, scratch.evals)
        own, other = (float(scratch.evals[layout.UTILITIES + seat]) for seat in range(2))
        assert own == -other > float(scratch.evals[layout.LEADS]) > 0
        utilities.append(own / float(scratch.evals[layout.LEADS]))
    assert utilities == sorted(utilities)
    numbers[layout.PHASE] = layout.PHASE_OVER
    write_utilities(law, numbers, position.rows(WEIGHTS), scratch.trial, scratch.evals)
    assert scratch.evals[layout.UTILITIES] == scratch.evals[layout.LEADS] + layout.WIN_POINTS == 9 + layout.WIN_POINTS


def test_only_the_last_turn_is_solved() -> None:
    """Without chance events the value of a choice is the score with the best tokens."""
    solved = 0
    for match, position in decisions(PAIR, "solved"):
        last = match.state.deck.top is None and not (match.state.phase == "turn" and flips(match.state.market))
        assert (position.count_continuations(50) < 50) == last
        if last:
            (seat,) = match.due
            found = position.solve()
            assert len(found) == position.count_continuations(50) == len(pointcity.legal(match.state, seat))
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
