"""What somebody decides before its time: if this comes, then that. Nobody else learns of it.

Where all decide at once it can be prepared by whoever has decided and waits, if the rules can list the luck that comes
next. It is looked at as if all others had done as little as they can: what they have decided and not opened is nobody's
business. Where seats take turns it can be prepared while others play, with the table as it lies; it is done if what it
is about is still there.
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
"""Decisions that a seat may have prepared."""


TURN = {"type": "turn"}
"""What comes where seats take turns: one's own."""
NOT_THERE = Reason("not-there-any-more")


class Prepared(Struct, frozen=True):
    """If this luck comes, this decision is made."""

    luck: Any
    """Or one's turn."""
    action: Any
    moves: int
    """It was prepared after so many moves: for what comes later."""
    dropped: Reason | None = None
    """Its time has come, and it was not possible any more."""
    grounds: tuple[str, ...] = ()
    """What it is about must be this then."""


AllPrepared = tuple[Prepared, ...]


class PossibleFuture(Struct, frozen=True):
    """How it may look when one is to decide next."""

    view: Any
    choices: tuple[Any, ...]


def read_premoves(kept: str | None) -> AllPrepared:
    return msgspec.json.decode(kept, type=AllPrepared) if kept else ()


def encode_premoves(prepared: AllPrepared) -> str | None:
    return as_json(prepared) if prepared else None


def next_decision_state(match: Match, seat: int, idle: Iterable[Any]) -> Match | None:
    """After this round, if all others do as little as they can, or in one's turn; None if it is not known what comes
    then."""
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
    """What may come after which a seat is to decide."""
    if later is None:
        return ()
    game, state = later.game, later.state
    if later.due == {seat}:
        return (TURN,)
    come = (luck for luck, _ in game.odds(state))
    return tuple(luck for luck in come if seat in game.to_act(game.apply(state, CHANCE, luck).state))


def possible_future(later: Match | None, seat: int, luck: Any) -> PossibleFuture | None:
    """What a seat could do if this came; None if that cannot be said."""
    if later is None:
        return None
    if later.due == {seat}:
        return _looked_at(later, seat) if luck == TURN else None
    try:
        then = later.decide(CHANCE, _as_action(later.game, luck))
    except (IllegalAction, msgspec.ValidationError):
        return None
    if seat not in then.due:
        return None
    return _looked_at(then, seat)


def _looked_at(then: Match, seat: int) -> PossibleFuture:
    return PossibleFuture(then.game.view(then.state, None), tuple(then.game.legal(then.state, seat)))


def add_premove(prepared: AllPrepared, found: Prepared) -> AllPrepared | None:
    """One for each luck; None if there are too many."""
    kept = remove_premove(prepared, found.luck)
    return (*kept, found) if len(kept) < MAX_PREMOVES else None


def remove_premove(prepared: AllPrepared, luck: Any) -> AllPrepared:
    return tuple(one for one in prepared if one.luck != luck)


def matching_premove(match: Match, prepared: AllPrepared, seat: int) -> Prepared | None:
    """The one whose time has come."""
    if seat not in match.due or not match.moves:
        return None
    came = _come(match, seat)
    return next(
        (one for one in prepared if one.luck in came and not one.dropped and one.moves < len(match.moves)), None
    )


def _come(match: Match, seat: int) -> list[Any]:
    """What has just come for a seat that is to decide."""
    own_turn = spec_of(match.game.key).at_turn(match.state, seat) == match.state
    lucky = match.moves[-1].seat == CHANCE
    return [*([TURN] if own_turn else []), *([to_json_value(match.moves[-1].action)] if lucky else [])]


def seats_with_matching_premove(match: Match, prepared: Mapping[int, str]) -> frozenset[int]:
    """The seats of which one is."""
    return frozenset(seat for seat, kept in prepared.items() if matching_premove(match, read_premoves(kept), seat))


def premove_for(match: Match, future: PossibleFuture, luck: Any, action: Any) -> Prepared | None:
    """A decision for this luck; None if it could not be made then."""
    game = match.game
    try:
        found, came = _as_action(game, action), luck if luck == TURN else _as_action(game, luck)
    except msgspec.ValidationError:
        return None
    if found not in future.choices:
        return None
    return Prepared(
        to_json_value(came),
        to_json_value(found),
        len(match.moves),
        grounds=spec_of(game.key).grounds(match.state, found),
    )


def to_json_value(action: Any) -> Any:
    """As it travels."""
    return msgspec.json.decode(msgspec.json.encode(action))


def apply_premove(match: Match, seat: int, one: Prepared) -> Match:
    """With what was prepared; IllegalAction if that is not possible any more, or would be something else now."""
    action = _as_action(match.game, one.action)
    later = match.decide(seat, action)
    if spec_of(match.game.key).grounds(match.state, action) != one.grounds:
        raise IllegalAction(seat, action, NOT_THERE)
    return later


def _as_action(game: AnyGame, written: Any) -> Any:
    return msgspec.convert(written, game.Action)
