"""What somebody decides before its time: if this comes, then that. Nobody else learns of it.

It can be prepared by whoever has decided and waits, where the rules can list the luck that comes next. It is looked at
as if all others had done as little as they can: what they have decided and not opened is nobody's business.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import Struct

from polyopolis.engine import CHANCE, AnyGame, IllegalAction, Match, Reason
from polyopolis.play.rows import as_json

MOST = 60
"""Decisions that a seat may have prepared."""


class Prepared(Struct, frozen=True):
    """If this luck comes, this decision is made."""

    luck: Any
    action: Any
    moves: int
    """It was prepared after so many moves: for what comes later."""
    dropped: Reason | None = None
    """Its time has come, and it was not possible any more."""


AllPrepared = tuple[Prepared, ...]


class Future(Struct, frozen=True):
    """How it may look when one is to decide next."""

    view: Any
    choices: tuple[Any, ...]


def read(kept: str | None) -> AllPrepared:
    return msgspec.json.decode(kept, type=AllPrepared) if kept else ()


def written(prepared: AllPrepared) -> str | None:
    return as_json(prepared) if prepared else None


def ahead(match: Match, seat: int, idle: Iterable[Any]) -> Match | None:
    """After this round, if all others do as little as they can; None if it is not known what comes then."""
    if seat not in match.staged:
        return None
    game, later = match.game, replace(match, staged={seat: match.staged[seat]})
    for other in sorted(later.due):
        bare = (action for action in idle if game.why_not(match.state, other, action) is None)
        later = later.decide(other, next(bare, None) or game.legal(match.state, other)[0])
    return later if later.due == {CHANCE} else None


def lucks(later: Match | None, seat: int) -> tuple[Any, ...]:
    """What may come after which a seat is to decide."""
    if later is None:
        return ()
    game, state = later.game, later.state
    come = (luck for luck, _ in game.odds(state))
    return tuple(luck for luck in come if seat in game.to_act(game.apply(state, CHANCE, luck).state))


def future(later: Match | None, seat: int, luck: Any) -> Future | None:
    """What a seat could do if this came; None if that cannot be said."""
    if later is None:
        return None
    try:
        then = later.decide(CHANCE, _as_action(later.game, luck))
    except (IllegalAction, msgspec.ValidationError):
        return None
    if seat not in then.due:
        return None
    return Future(then.game.view(then.state, None), tuple(then.game.legal(then.state, seat)))


def with_one(prepared: AllPrepared, found: Prepared) -> AllPrepared | None:
    """One for each luck; None if there are too many."""
    kept = without(prepared, found.luck)
    return (*kept, found) if len(kept) < MOST else None


def without(prepared: AllPrepared, luck: Any) -> AllPrepared:
    return tuple(one for one in prepared if one.luck != luck)


def ready(match: Match, prepared: AllPrepared, seat: int) -> Prepared | None:
    """The one whose time has come."""
    if seat not in match.due or not match.moves or match.moves[-1].seat != CHANCE:
        return None
    came = plain(match.moves[-1].action)
    return next(
        (one for one in prepared if one.luck == came and not one.dropped and one.moves < len(match.moves)), None
    )


def all_ready(match: Match, prepared: Mapping[int, str]) -> frozenset[int]:
    """The seats of which one is."""
    return frozenset(seat for seat, kept in prepared.items() if ready(match, read(kept), seat))


def prepared_for(match: Match, future: Future, luck: Any, action: Any) -> Prepared | None:
    """A decision for this luck; None if it could not be made then."""
    game = match.game
    try:
        found, came = _as_action(game, action), _as_action(game, luck)
    except msgspec.ValidationError:
        return None
    return Prepared(plain(came), plain(found), len(match.moves)) if found in future.choices else None


def plain(action: Any) -> Any:
    """As it travels."""
    return msgspec.json.decode(msgspec.json.encode(action))


def action_of(game: AnyGame, one: Prepared) -> Any:
    return _as_action(game, one.action)


def _as_action(game: AnyGame, written: Any) -> Any:
    return msgspec.convert(written, game.Action)
