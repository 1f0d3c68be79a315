"""Premoves: decisions that a player prepares for a chance event or for their next turn.

In simultaneous rounds a player who has decided can prepare the next decision, if the rules can list the chance events
that come next. The position is the one after all others have done as little as possible, so it reveals no staged
decision. In games with turns a player can prepare a decision while others play, on the current table; it is played if
the objects it refers to are still there. No other player sees premoves.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import Struct

from polyopolis.engine import CHANCE, AnyGame, IllegalAction, Match, Reason
from polyopolis.games import spec_of
from polyopolis.play.entities import as_json

MAX_PREMOVES = 60
"""Premoves of a seat."""


TURN = {"type": "turn"}
"""The condition of a premove in games with turns: the player's own turn."""
NOT_THERE = Reason("not-there-any-more")


class Premove(Struct, frozen=True):
    """A premove."""

    luck: Any
    """The chance event on which it is played, or `TURN`."""
    action: Any
    moves: int
    """The number of moves when it was prepared. It is played later."""
    dropped: Reason | None = None
    """Why it was not played when it was due: it had become impossible."""
    grounds: tuple[str, ...] = ()
    """What the action refers to. It must be the same when it is played."""


AllPrepared = tuple[Premove, ...]


class PossibleFuture(Struct, frozen=True):
    """A position in which a player may decide next."""

    view: Any
    choices: tuple[Any, ...]


def read_premoves(kept: str | None) -> AllPrepared:
    return msgspec.json.decode(kept, type=AllPrepared) if kept else ()


def encode_premoves(prepared: AllPrepared) -> str | None:
    return as_json(prepared) if prepared else None


def next_decision_state(match: Match, seat: int, idle: Iterable[Any]) -> Match | None:
    """The match when a seat is to decide next, with minimal decisions of all others; None if that is unknown."""
    if seat not in match.staged:
        return _at_turn(match, seat) if match.due - {seat, CHANCE} and seat not in match.due else None
    game, later = match.game, replace(match, staged={seat: match.staged[seat]})
    for other in sorted(later.due):
        bare = (action for action in idle if game.why_not(match.state, other, action) is None)
        later = later.decide(other, next(bare, None) or game.legal(match.state, other)[0])
    return later if later.due == {CHANCE} else None


def _at_turn(match: Match, seat: int) -> Match | None:
    state = spec_of(match.game.key).at_turn(match.state, seat)
    return None if state is None else replace(match, state=state, staged={})


def possible_chance_outcomes(later: Match | None, seat: int) -> tuple[Any, ...]:
    """The chance events, or `TURN`, after which a seat is to decide."""
    if later is None:
        return ()
    game, state = later.game, later.state
    if later.due == {seat}:
        return (TURN,)
    come = (luck for luck, _ in game.odds(state))
    return tuple(luck for luck in come if seat in game.to_act(game.apply(state, CHANCE, luck).state))


def possible_future(later: Match | None, seat: int, luck: Any) -> PossibleFuture | None:
    """The position of a seat after a chance event; None if the event is impossible."""
    if later is None:
        return None
    if later.due == {seat}:
        return _position(later, seat) if luck == TURN else None
    try:
        then = later.decide(CHANCE, _as_action(later.game, luck))
    except (IllegalAction, msgspec.ValidationError):
        return None
    if seat not in then.due:
        return None
    return _position(then, seat)


def _position(then: Match, seat: int) -> PossibleFuture:
    return PossibleFuture(then.game.view(then.state, None), tuple(then.game.legal(then.state, seat)))


def add_premove(prepared: AllPrepared, found: Premove) -> AllPrepared | None:
    """Adds a premove or replaces that for the same event; None if there are too many."""
    kept = remove_premove(prepared, found.luck)
    return (*kept, found) if len(kept) < MAX_PREMOVES else None


def remove_premove(prepared: AllPrepared, luck: Any) -> AllPrepared:
    return tuple(one for one in prepared if one.luck != luck)


def matching_premove(match: Match, prepared: AllPrepared, seat: int) -> Premove | None:
    """The premove that is to be played now."""
    if seat not in match.due or not match.moves:
        return None
    came = _fulfilled(match, seat)
    return next(
        (one for one in prepared if one.luck in came and not one.dropped and one.moves < len(match.moves)), None
    )


def _fulfilled(match: Match, seat: int) -> list[Any]:
    """The conditions that hold for a seat that is to decide."""
    own_turn = spec_of(match.game.key).at_turn(match.state, seat) == match.state
    lucky = match.moves[-1].seat == CHANCE
    return [*([TURN] if own_turn else []), *([to_json_value(match.moves[-1].action)] if lucky else [])]


def seats_with_matching_premove(match: Match, prepared: Mapping[int, str]) -> frozenset[int]:
    """The seats that have a premove to be played now."""
    return frozenset(seat for seat, kept in prepared.items() if matching_premove(match, read_premoves(kept), seat))


def premove_for(match: Match, future: PossibleFuture, luck: Any, action: Any) -> Premove | None:
    """The premove of an action for a chance event; None if it is not possible then."""
    game = match.game
    try:
        found, came = _as_action(game, action), luck if luck == TURN else _as_action(game, luck)
    except msgspec.ValidationError:
        return None
    if found not in future.choices:
        return None
    return Premove(
        to_json_value(came),
        to_json_value(found),
        len(match.moves),
        grounds=spec_of(game.key).grounds(match.state, found),
    )


def to_json_value(action: Any) -> Any:
    """The value after encoding to JSON and decoding."""
    return msgspec.json.decode(msgspec.json.encode(action))


def apply_premove(match: Match, seat: int, one: Premove) -> Match:
    """Decides what was prepared. Raises `IllegalAction` if that is impossible now, or would mean something else."""
    action = _as_action(match.game, one.action)
    later = match.decide(seat, action)
    if spec_of(match.game.key).grounds(match.state, action) != one.grounds:
        raise IllegalAction(seat, action, NOT_THERE)
    return later


def _as_action(game: AnyGame, written: Any) -> Any:
    return msgspec.convert(written, game.Action)
