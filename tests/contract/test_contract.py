"""The contract of the `Game` protocol, tested with random play of all games."""

import os
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyopolis.engine import CHANCE, AnyGame, IllegalAction, Match, Reason
from polyopolis.games import GAME_SPECS, UnknownGame, game
from polyopolis.games.city_emblems import CityEmblem
from tests.contract.__main__ import printed
from tests.contract.examples import cases, examples_of, setup_of
from tests.support.property_budget import examples
from tests.support.random_play import MOODS, Mood, finished, moments

every_case = pytest.mark.parametrize(("key", "number"), cases())
seeds = st.integers(0, 10**9).map(str)
moods = st.sampled_from(MOODS)
randoms = st.randoms(use_true_random=False)


def random_match(key: str, number: int, seed: str, mood: Mood) -> Match:
    return finished(game(key), setup_of(key, number), seed, mood)


def random_moments(key: str, number: int, seed: str, mood: Mood) -> list[Match]:
    return list(moments(game(key), setup_of(key, number), seed, mood))


def test_every_game_has_examples() -> None:
    assert {key for key, _ in cases()} == GAME_SPECS.keys()


def test_games_are_found_by_their_keys() -> None:
    for key, spec in GAME_SPECS.items():
        assert spec.key == spec.rules.key == key
        assert game(key) is spec.rules
    with pytest.raises(UnknownGame, match=r"^there is no game 'chess'; the games are mycity"):
        game("chess")


@pytest.mark.slow
@every_case
@examples(8)
@given(seeds, moods)
def test_states_are_immutable(key: str, number: int, seed: str, mood: Mood) -> None:
    seen = [(match, snapshot(match)) for match in moments(game(key), setup_of(key, number), seed, mood)]
    for match, before in seen:
        assert snapshot(match) == before


def snapshot(match: Match) -> tuple[str, list[bytes]]:
    """Returns all observable values of a match and its state."""
    viewers = [None, *range(match.setup.seats)]
    return repr(match), [msgspec.json.encode(match.game.view(match.state, seat)) for seat in viewers]


@every_case
@examples(8)
@given(seeds, moods)
def test_a_seat_can_act_until_the_match_is_over(key: str, number: int, seed: str, mood: Mood) -> None:
    for match in random_moments(key, number, seed, mood):
        acting = match.game.to_act(match.state)
        assert match.over == (not acting)
        for seat in acting - {CHANCE}:
            assert 0 <= seat < match.setup.seats
            legal = list(match.game.legal(match.state, seat))
            assert legal
            assert len(set(legal)) == len(legal)


@every_case
@examples(8)
@given(seeds, moods)
def test_chance_acts_alone_and_every_weight_is_positive(key: str, number: int, seed: str, mood: Mood) -> None:
    dealt = [match for match in random_moments(key, number, seed, mood) if CHANCE in match.due]
    assert dealt
    for match in dealt:
        assert match.game.to_act(match.state) == {CHANCE}
        odds = list(match.game.odds(match.state))
        assert odds
        assert all(isinstance(weight, int) and weight > 0 for _, weight in odds)
        assert len({luck for luck, _ in odds}) == len(odds)
        for luck, _ in odds:
            assert match.decide(CHANCE, luck).moves[-1].action == luck


@every_case
@examples(8)
@given(seeds, moods, randoms)
def test_every_legal_action_can_be_applied(key: str, number: int, seed: str, mood: Mood, rng: Random) -> None:
    deciding = [match for match in random_moments(key, number, seed, mood) if match.due - {CHANCE}]
    for match in rng.sample(deciding, min(4, len(deciding))):
        for seat in match.due:
            others_first = all_but(match, seat)
            for action in match.game.legal(match.state, seat):
                assert match.why_not(seat, action) is None
                after = others_first.decide(seat, action)
                assert len(after.moves) == len(match.moves) + len(match.due)
                assert action in [move.action for move in after.moves if move.seat == seat]


def all_but(match: Match, seat: int) -> Match:
    """Returns the match after a decision of all other seats."""
    for other in sorted(match.due - {seat}):
        match = match.decide(other, match.game.legal(match.state, other)[-1])
    return match


@every_case
@examples(8)
@given(seeds, moods, randoms)
def test_illegal_actions_are_refused_with_a_reason(key: str, number: int, seed: str, mood: Mood, rng: Random) -> None:
    along = random_moments(key, number, seed, mood)
    deciding = [match for match in along if match.due - {CHANCE}]
    for match in rng.sample(deciding, min(6, len(deciding))):
        seat = rng.choice(sorted(match.due))
        legal = match.game.legal(match.state, seat)
        elsewhere = rng.choice(deciding)
        other_seat = rng.choice(sorted(elsewhere.due))
        tried = [*elsewhere.game.legal(elsewhere.state, other_seat), *examples_of(key).dubious_actions(legal, rng)]
        for action in tried:
            check_refusal(match, seat, action, action in set(legal))


def check_refusal(match: Match, seat: int, action: Any, is_legal: bool) -> None:
    reason = match.why_not(seat, action)
    assert (reason is None) == is_legal
    if is_legal:
        match.decide(seat, action)
        return
    assert isinstance(reason, Reason)
    with pytest.raises(IllegalAction) as refused:
        match.decide(seat, action)
    assert refused.value.reason == reason
    assert (refused.value.seat, refused.value.action) == (seat, action)


@every_case
@examples(8)
@given(seeds, moods)
def test_seats_that_are_not_due_are_refused(key: str, number: int, seed: str, mood: Mood) -> None:
    along = random_moments(key, number, seed, mood)
    actions = {move.action for move in along[-1].moves}
    for match in along:
        for seat in {CHANCE, *range(match.setup.seats + 1)} - match.due:
            for action in actions:
                reason = match.why_not(seat, action)
                assert reason
                assert reason.code == ("game-over" if match.over else "not-due")


@every_case
@examples(4)
@given(seeds, moods)
def test_the_rules_give_a_reason_to_seats_that_do_not_decide(key: str, number: int, seed: str, mood: Mood) -> None:
    """Also to a seat that does not exist, and to chance."""
    along = random_moments(key, number, seed, mood)
    actions = {move.action for move in along[-1].moves}
    for match in along:
        acting = match.game.to_act(match.state)
        for seat in {-2, CHANCE, *range(match.setup.seats + 1), 7, 99} - (acting - {CHANCE}):
            for action in actions:
                assert match.game.why_not(match.state, seat, action)


@every_case
@examples(8)
@given(seeds, moods)
def test_json_round_trips(key: str, number: int, seed: str, mood: Mood) -> None:
    along = random_moments(key, number, seed, mood)
    rules: AnyGame = game(key)
    setup = along[0].setup
    assert msgspec.json.decode(msgspec.json.encode(setup), type=rules.Setup) == setup
    for move in along[-1].moves:
        assert msgspec.json.decode(msgspec.json.encode(move.action), type=rules.Action) == move.action
    for event in along[-1].events:
        assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event
        assert msgspec.to_builtins(event)["type"]
    for match in along:
        for seat in [None, *range(setup.seats)]:
            view = rules.view(match.state, seat)
            assert msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view


@every_case
@examples(8)
@given(seeds, moods)
def test_a_replay_equals_the_match(key: str, number: int, seed: str, mood: Mood) -> None:
    match = random_match(key, number, seed, mood)
    again = Match.replay(match.game, match.setup, match.moves)
    assert again == match
    assert repr(again) == repr(match)
    assert again.result == match.result


@every_case
@examples(8)
@given(seeds, moods, randoms)
def test_the_record_does_not_depend_on_the_order_of_decisions(
    key: str, number: int, seed: str, mood: Mood, rng: Random
) -> None:
    match = random_match(key, number, seed, mood)
    again = Match.start(match.game, match.setup)
    for by_chance, moves in groupby(match.moves, key=lambda move: move.seat == CHANCE):
        left = list(moves)
        while left:
            due = 1 if by_chance else len(again.due)
            again = hesitant(again, {move.seat: move.action for move in left[:due]}, rng)
            del left[:due]
    assert again == match
    assert msgspec.json.encode([again.moves, again.events]) == msgspec.json.encode([match.moves, match.events])


def hesitant(match: Match, decisions: dict[int, Any], rng: Random) -> Match:
    """Returns the match after these decisions in any order, with other decisions made and retracted in between."""
    *early, last = rng.sample(sorted(decisions), len(decisions))
    for seat in early:
        if rng.random() < 0.5:
            match = match.decide(seat, rng.choice(match.game.legal(match.state, seat)))
        if seat in match.staged and rng.random() < 0.5:
            match = match.retract(seat)
        match = match.decide(seat, decisions[seat])
    if early and rng.random() < 0.5:
        seat = rng.choice(early)
        match = match.retract(seat).decide(seat, decisions[seat])
    return match.decide(last, decisions[last])


@every_case
@examples(8)
@given(seeds, moods)
def test_every_game_ends(key: str, number: int, seed: str, mood: Mood) -> None:
    match = random_match(key, number, seed, mood)
    assert match.over
    assert len(match.moves) <= examples_of(key).max_moves(match.setup)


@every_case
@examples(8)
@given(seeds, moods)
def test_sheets_scores_and_ranks_agree(key: str, number: int, seed: str, mood: Mood) -> None:
    for match in random_moments(key, number, seed, mood):
        result = match.result
        seats = range(len(result.scores))
        assert len(result.ranks) == len(result.sheets) == len(result.scores)
        assert result.scores == tuple(sum(line.points for line in sheet) for sheet in result.sheets)
        for seat in seats:
            assert result.ranks[seat] == 1 + sum(result.ranks[other] < result.ranks[seat] for other in seats)
            for other in seats:
                if result.scores[seat] > result.scores[other]:
                    assert result.ranks[seat] < result.ranks[other]


@pytest.mark.parametrize("hash_seed", ["0", "20261115"])
def test_the_same_seed_gives_the_same_bytes_in_another_process(hash_seed: str) -> None:
    other = subprocess.run(
        [sys.executable, "-m", "tests.contract"],
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )
    assert other.stderr == b""
    assert other.stdout == printed()
    assert len(other.stdout) > 1000


@every_case
@examples(8)
@given(seeds, moods)
def test_emblems_do_not_affect_the_rules(key: str, number: int, seed: str, mood: Mood) -> None:
    """A match with other emblems is the same match, and can be the next one of a campaign."""
    rules, setup = game(key), setup_of(key, number)
    renamed = GAME_SPECS[key].named(setup, [CityEmblem(f"City {seat}", "fox") for seat in range(setup.seats)])
    match, other = finished(rules, setup, seed, mood), finished(rules, renamed, seed, mood)
    assert (match.moves, match.events, match.result) == (other.moves, other.events, other.result)
    assert rules.alike(setup, renamed)


@every_case
def test_a_setup_is_alike_only_to_itself(key: str, number: int) -> None:
    rules, setup = game(key), setup_of(key, number)
    assert rules.alike(setup, setup_of(key, number))
    for other in {0, 1} - {number}:
        assert not rules.alike(setup, setup_of(key, other))
