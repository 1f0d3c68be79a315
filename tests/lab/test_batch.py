"""Batches compared with the rules decision by decision: legal actions, cities and scores."""

from collections import Counter
from typing import Any

import numpy
import pytest

from polyopolis.engine import CHANCE, seed_of
from polyopolis.games.placement import Stop
from polyopolis.kernels import FAST
from polyopolis.kernels.city_arrays import city_site
from polyopolis.kernels.city_position import position_of
from polyopolis.kernels.draft_position import Draft
from polyopolis.kernels.placing import layout
from polyopolis.kernels.runtime.jit import ints, words
from polyopolis.kernels.runtime.rng import random_below
from polyopolis.lab.action_numbers import mask_of, numbering_of
from polyopolis.lab.batch import Batch, BatchUnavailable, CpuRunner, batch_of, game_seeds
from polyopolis.lab.batch_plans import UnsupportedBatch, plan_of
from polyopolis.lab.environment_ids import offer_of, offers
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.gpu.cuda_batch import NoGpu, load_cupy
from polyopolis.lab.stepping import city_steps, draft_steps

pytestmark = [
    pytest.mark.skipif(not FAST, reason="batches run in machine code, and numba is not installed"),
    pytest.mark.slow,
]

CITIES = [
    "mycity-eternal-v0",
    *(f"mycity-episode-{number}-v0" for number in range(1, 23)),
    *(f"rollwrite-episode-{number}-v0" for number in range(1, 13)),
]
DRAFTS = [("pointcity-v0", 2), ("pointcity-v0", 3), ("pointcity-v0", 4), ("pointcity-alone-hard-v0", 1)]


class Beside:
    """A game of the rules that follows a game of a batch."""

    def __init__(self, name: str, seats: int, luck: int) -> None:
        self.offer, self.seats, self.luck = offer_of(name), seats, words([luck])
        self.numbers = numbering_of(self.offer.key)
        self.begin()

    def begin(self) -> None:
        self.table = GameTable.begun(self.offer, self.seats)
        self.deal()

    def deal(self) -> None:
        while self.table.due == {CHANCE}:
            self.table = self.table.decide(CHANCE, self.drawn())

    def decide(self, number: int) -> None:
        seat = min(self.table.due)
        self.table = self.table.decide(seat, self.numbers.action(self.table.state, seat, number))
        self.deal()

    def drawn(self) -> Any:
        """Returns the batch's chance event as an action of the rules."""
        raise NotImplementedError


class BesideCity(Beside):
    """The other seats stop at once, so that the first one plays alone."""

    def begin(self) -> None:
        state = self.offer.rules.start(self.offer.setup(self.seats))
        self.land = city_site(self.offer.key, state.episode, state.cities[0].site)
        self.desk, self.book = ints([0] * city_steps.DESK_SIZE), ints([0] * layout.BOOK_SIZE)
        self.desk[city_steps.CARDS_LEFT] = len(self.land.deck)
        self.desk[city_steps.DECK : city_steps.DECK + len(self.land.deck)] = self.land.deck
        super().begin()

    def deal(self) -> None:
        super().deal()
        while self.table.due - {0, CHANCE}:
            self.table = self.table.decide(max(self.table.due), Stop())
            super().deal()

    def drawn(self) -> Any:
        task = city_steps.draw_task(self.land.arrays.law, self.book, self.desk, self.luck)
        state = self.table.state
        if self.offer.key == "mycity":
            return next(luck for luck, _ in self.table.rules.odds(state) if self._is(luck, task))
        used = self.table.state.compasses
        return next(luck for luck, _ in state.episode.dice.odds if self._asks(luck.faces, used) == task)

    def _is(self, luck: Any, task: int) -> bool:
        return self.land.tasks[self.table.state.episode.cards[luck.card]] == task

    def _asks(self, faces: Any, used: int) -> int:
        return self.land.tasks[self.table.state.episode.task_of(faces, used)]

    def assert_same(self, batch: Batch, game: int) -> None:
        own = position_of(self.offer.key, self.table.state, 0).city.arrays
        there = batch.arrays
        assert list(own.city[: layout.GROUP_HALOS]) == list(there["city"][game, : layout.GROUP_HALOS])
        assert list(own.book[: layout.GROUP_SIZES]) == list(there["book"][game, : layout.GROUP_SIZES])
        assert self.luck[0] == there["luck"][game, 0]
        assert numpy.array_equal(mask_of(self.table, 0)[: batch.numbers], batch.masks()[game])


class BesideDraft(Beside):
    """Purchases are paid with the cheapest payment."""

    def decide(self, number: int) -> None:
        super().decide(number)
        while self.table.due and self.table.state.phase == "pay":
            super().decide(self.numbers.SECTIONS["pay"][0])

    def drawn(self) -> Any:
        draft = Draft.of(self.table.state)
        law, numbers = draft.material.law, draft.numbers
        what = draft_steps.chance_outcome(
            law, numbers, random_below(self.luck, draft_steps.chance_weight(law, numbers))
        )
        return next(luck for luck, _ in self.table.rules.odds(self.table.state) if draft._chance_number(luck) == what)

    def assert_same(self, batch: Batch, game: int) -> None:
        state = self.table.state
        assert list(Draft.of(state).numbers) == list(batch.arrays["draft"][game])
        assert self.luck[0] == batch.arrays["luck"][game, 0]
        assert batch.seats[game] == state.seat
        assert numpy.array_equal(mask_of(self.table, state.seat)[: batch.numbers], batch.masks()[game])


def follow(kind: type[Any], name: str, seats: int, steps: int, games: int = 2) -> int:
    """Plays a batch and the rules in step. Returns the number of finished games."""
    batch = batch_of(name, games, seed=11, seats=None if kind is BesideCity else seats)
    beside = [kind(name, seats, int(word)) for word in game_seeds(11, games)[:games]]
    finished = 0
    for step in range(steps):
        for game, other in enumerate(beside):
            other.assert_same(batch, game)
        actions = batch.choose()
        if kind is BesideCity and step % 9 == 8:  # one game passes, or stops if it cannot
            allowed = batch.masks()[0, -2]
            actions[0] = batch.numbers - (2 if allowed else 1)
        rewards, overs = batch.step(actions)
        for game, other in enumerate(beside):
            other.decide(int(actions[game]))
            assert other.table.over == bool(overs[game])
            if overs[game]:
                scores = other.table.match.result.scores
                expected = [rewards[game]] if kind is BesideCity else list(rewards[game, : len(scores)])
                assert expected == list(scores[: len(expected)])
                finished += 1
                other.begin()
            else:
                assert not numpy.any(rewards[game])
    return finished


@pytest.mark.parametrize("name", CITIES)
def test_city_batches_match_the_rules(name: str) -> None:
    assert follow(BesideCity, name, offer_of(name).seats[0], steps=70) > 1


@pytest.mark.parametrize(("name", "seats"), DRAFTS)
def test_draft_batches_match_the_rules(name: str, seats: int) -> None:
    assert follow(BesideDraft, name, seats, steps=420) > 1


@pytest.mark.parametrize(("name", "seats"), DRAFTS)
def test_chance_of_drafts_has_the_odds_of_the_rules(name: str, seats: int) -> None:
    """Counts all outcomes."""
    offer, luck, phases = offer_of(name), seed_of("odds"), set[str]()
    table, number = GameTable.begun(offer, seats), 0
    while not table.over:
        if table.due == {CHANCE}:
            draft, odds = Draft.of(table.state), table.rules.odds(table.state)
            law, numbers = draft.material.law, draft.numbers
            ways = range(draft_steps.chance_weight(law, numbers))
            assert Counter(draft_steps.chance_outcome(law, numbers, way) for way in ways) == Counter(
                {draft._chance_number(luck): weight for luck, weight in odds}
            )
            phases.add(table.state.phase)
            table = table.decide(CHANCE, table.dealer(luck).pick(table.match.drawn, odds))
        else:
            legal = table.legal(seat := min(table.due))
            table = table.decide(seat, legal[number % len(legal)])
            number += 1
    assert phases >= {"tokens", "opening", "flip", "refill", "top", "draw"}


@pytest.mark.parametrize(("name", "seats"), [("mycity-eternal-v0", None), ("rollwrite-episode-4-v0", None), *DRAFTS])
def test_wander_equals_choose_and_step(name: str, seats: int | None) -> None:
    first, second = (batch_of(name, 5, seed=3, seats=seats) for _ in range(2))
    points, games = first.wander(100)
    expected, finished = numpy.zeros(5), numpy.zeros(5)
    for _ in range(100):
        rewards, overs = second.step(second.choose())
        expected += rewards if rewards.ndim == 1 else rewards[:, 0]
        finished += overs
    assert numpy.array_equal(points, expected)
    assert numpy.array_equal(games, finished)
    names = [array for array in first.arrays if array != "totals"]
    assert all(numpy.array_equal(first.arrays[array], second.arrays[array]) for array in names)


@pytest.mark.parametrize("name", ["mycity-eternal-v0", "pointcity-v0"])
def test_illegal_action_ends_a_game(name: str) -> None:
    batch = batch_of(name, 6, seed=5)
    actions = batch.choose().copy()
    wrong = [-1, batch.numbers, 2**62, int(numpy.flatnonzero(batch.masks()[3] == 0)[0])]
    actions[:4] = wrong
    deciding = batch.seats.copy() if name == "pointcity-v0" else numpy.zeros(6, dtype=int)
    rewards, overs = batch.step(actions)
    assert list(overs) == [1, 1, 1, 1, 0, 0]
    rows = rewards.reshape(6, -1)
    assert [rows[game, deciding[game]] for game in range(6)] == [-1, -1, -1, -1, 0, 0]
    assert rows.sum() == -4
    for game in range(4):
        assert batch.masks()[game].any()


@pytest.mark.parametrize("kind", ["float64", "object", "<U1", "datetime64[s]", "complex128"])
def test_actions_must_be_integers(kind: str) -> None:
    batch = batch_of("pointcity-v0", 3, seed=5)
    before = batch.arrays["draft"].copy()
    with pytest.raises(TypeError, match="actions must be whole numbers"):
        batch.step(numpy.zeros(3, dtype=kind))
    for games in (2, 4):
        with pytest.raises(ValueError, match="reshape"):
            batch.step(numpy.zeros(games, dtype=int))
    assert numpy.array_equal(batch.arrays["draft"], before)
    for small in ("int8", "uint64", "bool"):
        batch.step(numpy.zeros(3, dtype=small))


def test_number_of_games_and_device_are_checked() -> None:
    for games in (0, -1):
        with pytest.raises(UnsupportedBatch, match=f"a batch needs at least one game, not {games}"):
            batch_of("mycity-eternal-v0", games)
    for device in ("gpu", "cuda:0", ""):
        with pytest.raises(BatchUnavailable, match=f"unknown device '{device}'; available: cpu, cuda, any"):
            batch_of("mycity-eternal-v0", 2, device=device)


def test_games_with_the_same_seed_get_the_same_cards() -> None:
    """They are like seats at one table."""
    plan = plan_of("mycity-eternal-v0")
    batch = Batch(plan, CpuRunner(plan, numpy.array([7, 7, 1, 2], dtype=numpy.uint64)))
    cards = []
    for _ in range(12):
        cards.append(batch.arrays["desk"][:, city_steps.DUE_TASK].tolist())
        _, overs = batch.step(batch.choose())
        assert not overs.any()
    assert all(first == second for first, second in cards)
    assert len({first for first, _ in cards}) == 12


def test_arrays_are_shared_without_copies() -> None:
    batch = batch_of("mycity-eternal-v0", 8)
    before = batch.rewards, batch.overs, batch.fits
    rewards, overs = batch.step(batch.choose())
    for old, new in zip(before, (rewards, overs, batch.fits), strict=True):
        assert numpy.shares_memory(old, new)
    assert numpy.shares_memory(numpy.from_dlpack(rewards), batch.arrays["rewards"])


def test_unsupported_environments_are_refused() -> None:
    batches = 0
    for name in offers():
        try:
            plan_of(name)
            batches += 1
        except UnsupportedBatch:
            assert any(word in name for word in ("campaign", "chapter", "mini", "chosen", "episode-23", "episode-24"))
    assert batches == len(CITIES) + 4


def test_any_device_falls_back_to_the_cpu() -> None:
    try:
        load_cupy()
    except NoGpu:
        with pytest.warns(UserWarning, match="using one CPU core instead of a GPU"):
            batch = batch_of("mycity-eternal-v0", 2, device="any")
        assert isinstance(batch.arrays["rewards"], numpy.ndarray)
        with pytest.raises(NoGpu):
            batch_of("mycity-eternal-v0", 2, device="cuda")
