"""Matches: deciding, staging, retracting, chance, and refusals."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyopolis.engine import (
    CHANCE,
    BadSetup,
    Dealer,
    GameOver,
    IllegalAction,
    Match,
    Move,
    NotDue,
    NothingStaged,
    PolyopolisError,
    Reason,
    describe_action,
    ranks,
    seed_of,
)
from tests.games.tiny import rules
from tests.games.tiny.actions import Keep, Kept, Leave, Left, Throw, Thrown
from tests.games.tiny.state import Setup


def thrown(pips: int = 2, seats: int = 2, rounds: int = 2, carried: tuple[int, ...] = ()) -> Match:
    """Returns a match after the throw of the first round."""
    setup = Setup(seats=seats, episode=rounds, carried=carried)
    return Match.start(rules, setup).decide(CHANCE, Throw(pips))


def finished() -> Match:
    return thrown(rounds=1).decide(0, Keep()).decide(1, Leave())


def test_a_match_starts_with_chance_and_without_moves() -> None:
    match = Match.start(rules, Setup())
    assert match.due == {CHANCE}
    assert (match.moves, match.events, dict(match.staged), match.over) == ((), (), {}, False)


def test_a_match_with_a_bad_setup_does_not_start() -> None:
    with pytest.raises(BadSetup, match=r"^the tiny game is for 2 or 3$"):
        Match.start(rules, Setup(seats=4))


def test_a_decision_is_staged_while_others_are_due() -> None:
    match = thrown().decide(1, Keep())
    assert match.due == {0}
    assert match.staged == {1: Keep()}
    assert match.state == thrown().state
    assert match.moves == (Move(CHANCE, Throw(2)),)
    assert match.events == (Thrown(2),)


def test_the_last_decision_turns_all_into_moves_in_seat_order() -> None:
    match = thrown(seats=3).decide(2, Keep()).decide(0, Leave()).decide(1, Keep())
    assert match.moves[1:] == (Move(0, Leave()), Move(1, Keep()), Move(2, Keep()))
    assert match.events[1:] == (Left(0), Kept(1, 2), Kept(2, 2))
    assert match.staged == {}
    assert match.state.pips == (0, 2, 2)
    assert match.due == {CHANCE}


def test_deciding_again_replaces_the_staged_decision() -> None:
    match = thrown().decide(0, Keep()).decide(0, Leave())
    assert match.staged == {0: Leave()}
    assert match.decide(1, Keep()).state.pips == (0, 2)


def test_a_staged_decision_can_be_taken_back() -> None:
    match = thrown(seats=3).decide(0, Keep()).decide(2, Keep()).retract(0)
    assert match.due == {0, 1}
    assert match.staged == {2: Keep()}


def test_the_moves_do_not_reveal_the_order_of_decisions() -> None:
    early = thrown().decide(0, Keep()).decide(1, Leave())
    late = thrown().decide(1, Keep()).decide(1, Leave()).retract(1).decide(0, Keep()).decide(1, Leave())
    assert early == late


def test_a_seat_without_a_decision_cannot_retract() -> None:
    match = thrown().decide(0, Keep())
    with pytest.raises(NothingStaged, match=r"^seat 1 has no decision to take back$"):
        match.retract(1)
    with pytest.raises(NothingStaged, match=r"^chance has no decision to take back$"):
        match.retract(CHANCE)


def test_moves_cannot_be_retracted() -> None:
    match = thrown().decide(0, Keep()).decide(1, Keep())
    with pytest.raises(NothingStaged, match=r"^seat 0 has no decision to take back$"):
        match.retract(0)


def test_a_refusal_names_seat_action_and_reason() -> None:
    match = thrown(carried=(0, 6))
    with pytest.raises(IllegalAction) as refused:
        match.decide(1, Keep())
    assert type(refused.value) is IllegalAction
    assert str(refused.value) == "seat 1 cannot keep: too-rich, pips 6, limit 5"
    assert (refused.value.seat, refused.value.action) == (1, Keep())
    assert refused.value.reason == Reason("too-rich", {"pips": 6, "limit": 5})


def test_a_refusal_names_the_seats_that_are_due() -> None:
    with pytest.raises(NotDue) as refused:
        thrown(seats=3).decide(CHANCE, Throw(1))
    assert str(refused.value) == "chance cannot throw 1: not-due, due seat 0 seat 1 seat 2"
    with pytest.raises(NotDue) as refused:
        Match.start(rules, Setup()).decide(0, Keep())
    assert str(refused.value) == "seat 0 cannot keep: not-due, due chance"


@pytest.mark.parametrize("seat", [2, 7, -2])
def test_a_seat_that_does_not_exist_is_not_due(seat: int) -> None:
    with pytest.raises(NotDue, match=f"^seat {seat} cannot keep: not-due, due seat 0 seat 1$"):
        thrown().decide(seat, Keep())


def test_impossible_chance_is_refused() -> None:
    with pytest.raises(IllegalAction, match=r"^chance cannot throw 4: impossible-luck$") as refused:
        Match.start(rules, Setup()).decide(CHANCE, Throw(4))
    assert type(refused.value) is IllegalAction


def test_decisions_after_the_end_are_refused() -> None:
    match = finished()
    assert match.over
    assert match.due == frozenset()
    for seat, action in [(0, Keep()), (1, Leave()), (CHANCE, Throw(1))]:
        with pytest.raises(GameOver) as refused:
            match.decide(seat, action)
        assert refused.value.reason == Reason("game-over")
    with pytest.raises(GameOver, match=r"^seat 0 cannot keep: game-over$"):
        match.decide(0, Keep())


@pytest.mark.parametrize("kind", [IllegalAction, NotDue, GameOver, NothingStaged, BadSetup])
def test_every_refusal_is_a_polyopolis_error(kind: type[Exception]) -> None:
    assert issubclass(kind, PolyopolisError)


@pytest.mark.parametrize(
    ("seat", "action"), [(0, Keep()), (0, Throw(1)), (CHANCE, Throw(1)), (5, Leave()), (0, "keep"), (0, None)]
)
def test_a_refused_decision_changes_nothing(seat: int, action: Any) -> None:
    match = thrown(seats=3, carried=(9, 0, 0)).decide(1, Keep())
    before = repr(match)
    with pytest.raises(IllegalAction):
        match.decide(seat, action)
    assert repr(match) == before


def test_why_not_returns_the_reason_that_decide_raises() -> None:
    match = thrown(carried=(6, 0))
    assert match.why_not(0, Keep()) == Reason("too-rich", {"pips": 6, "limit": 5})
    assert match.why_not(0, Leave()) is None
    assert match.why_not(1, Throw(1)) == Reason("not-an-action")
    assert match.why_not(CHANCE, Throw(1)) == Reason("not-due", {"due": ("seat 0", "seat 1")})
    assert finished().why_not(0, Leave()) == Reason("game-over")


def test_deciding_does_not_change_the_earlier_match() -> None:
    before = thrown()
    kept = repr(before)
    before.decide(0, Keep()).decide(1, Keep())
    assert repr(before) == kept
    with pytest.raises(FrozenInstanceError):
        before.state = None  # type: ignore[misc]


def test_dealing_plays_exactly_the_chance_events_that_are_due() -> None:
    dealer = Dealer(seed_of("tiny"))
    match = Match.start(rules, Setup()).deal(dealer)
    assert match.moves == (Move(CHANCE, dealer.pick(0, rules.odds(match.state))),)
    assert match.deal(dealer) == match
    staged = match.decide(0, Leave())
    assert staged.deal(dealer) == staged


def test_the_dealer_counts_chance_events_and_not_moves() -> None:
    dealer = Dealer(seed_of("tiny"))
    match = Match.start(rules, Setup(episode=3))
    for number in range(3):
        match = match.deal(dealer)
        assert match.moves[-1] == Move(CHANCE, dealer.pick(number, rules.odds(match.state)))
        match = match.decide(0, Leave()).decide(1, Leave())
    assert match.deal(dealer) == match


def test_rewinding_does_not_draw_again() -> None:
    dealer = Dealer(seed_of("tiny"))
    match = Match.start(rules, Setup(episode=2)).deal(dealer).decide(0, Keep()).decide(1, Keep()).deal(dealer)
    again = match.rewound(3).deal(dealer)
    assert again == match


def test_a_match_is_rewound_to_its_first_moves() -> None:
    match = thrown().decide(0, Keep()).decide(1, Leave()).decide(CHANCE, Throw(3))
    assert match.rewound(4) == match
    assert match.rewound(1) == thrown()
    assert match.rewound(0) == Match.start(rules, Setup(episode=2))


def test_rewinding_into_a_round_stages_its_decisions() -> None:
    match = thrown().decide(0, Keep()).decide(1, Leave())
    assert match.rewound(2) == thrown().decide(0, Keep())


def test_a_replay_equals_the_match() -> None:
    match = thrown().decide(1, Leave()).decide(0, Keep())
    assert Match.replay(rules, match.setup, match.moves) == match


def test_a_replay_checks_every_move() -> None:
    moves = [Move(CHANCE, Throw(2)), Move(0, Leave()), Move(1, Throw(2))]
    with pytest.raises(IllegalAction, match=r"^seat 1 cannot throw 2: not-an-action$"):
        Match.replay(rules, Setup(), moves)


def test_the_result_is_the_score_sheets() -> None:
    result = finished().result
    assert (result.scores, result.ranks) == ((2, 0), (1, 2))


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=6))
def test_a_shared_rank_leaves_out_the_next(keys: list[int]) -> None:
    ordered = sorted(keys)
    assert ranks(keys) == tuple(ordered.index(key) + 1 for key in keys)


def test_actions_and_reasons_are_described_in_one_line() -> None:
    assert describe_action(Throw(3)) == "throw 3"
    assert describe_action("nonsense") == "'nonsense'"
    assert str(Reason("blocked", {"cells": ("a1", "b1"), "by": "seat 2"})) == "blocked, cells a1 b1, by seat 2"
    assert str(Reason("blocked")) == "blocked"
