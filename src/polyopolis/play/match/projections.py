"""Projections of a match for clients: what all guests may see, and what the player of one seat may see."""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from typing import Any, cast, get_args

import msgspec
from msgspec import Raw

from polyopolis.engine import CHANCE, AnyGame, Match, Result, Sheet
from polyopolis.games.city_emblems import Animal
from polyopolis.play.entities import MatchEntity, Outage, SeatEntity
from polyopolis.play.match import premoves
from polyopolis.play.match.live_match import LiveMatch
from polyopolis.play.match.match_chain import MatchChain
from polyopolis.play.match.messages import BarredAction, Clocks, Scene, ScoreChange, SeatClock, SeatState
from polyopolis.play.seats.bot_ids import is_external_bot
from polyopolis.play.timing.clocks import ClockCalculation
from polyopolis.play.wire.responses import MatchInfo, SeatInfo


def match_info(row: MatchEntity, *, playable: bool, sealed: bool) -> MatchInfo:
    """The public data of a match. The seed is published when it is over, unless other players may still get the same
    deck. Matches with entered chance events have no seed."""
    return MatchInfo(
        number=row.number,
        setup=Raw(row.setup.encode()),
        commitment=sha256(row.seed).hexdigest() if row.seed else None,
        practice=row.practice,
        over=row.over,
        playable=playable,
        seed=row.seed.hex() if row.seed and row.over and not sealed else None,
        practice_for=row.practice_for,
        ended=row.ended,
        imported=row.imported,
        rated=row.rated,
    )


def seat_info(
    row: SeatEntity, *, online: bool = False, replaceable: bool = False, deadline: int | None = None
) -> SeatInfo:
    """The public data of a seat, without the id of its player."""
    return SeatInfo(
        seat=row.seat,
        name=row.name,
        kind="person" if row.person else "bot" if row.bot else "open",
        bot=row.bot,
        online=online or bool(row.bot),
        replaceable=replaceable,
        city=row.city,
        animal=cast("Animal | None", row.animal),
        deadline=deadline,
        entrusted=row.entrusted,
        outside=is_external_bot(row.person),
    )


def raw_result(result: str | None) -> Result | None:
    """A stored result, passed on as raw JSON."""
    return None if result is None else cast("Result", Raw(result.encode()))


def public_view(
    live: LiveMatch, info: MatchInfo, chain: MatchChain, events: Sequence[Any], back: bool = False
) -> Scene:
    match = live.match
    return Scene(
        match=info,
        number=live.number,
        moves=len(match.moves),
        events=tuple(events),
        view=live.game.view(match.state, None),
        due=live.due if info.playable and not info.ended else (),
        decided=tuple(sorted(match.staged)),
        result=match.result,
        standings=raw_result(chain.standings),
        lasting=chain.spec.for_good(match.state),
        back=back,
    )


def clocks(live: LiveMatch, outages: Sequence[Outage], now: int) -> Clocks | None:
    """The remaining time of all seats; None for a match without clocks."""
    calculation = live.current_clocks(outages)
    if calculation is None:
        return None
    return Clocks(now, tuple(_seat_clock(calculation, seat, now) for seat in calculation.seats_at(now)))


def _seat_clock(calculation: ClockCalculation, seat: int, now: int) -> SeatClock:
    deadline = calculation.deadline(seat)
    return SeatClock(
        seat=seat,
        left=calculation.left(seat, now),
        runs=calculation.runs(seat, now),
        deadline=deadline,
        rests=None if deadline is None else calculation.running_time.why(seat, now),
    )


def preencoded(shown: Scene) -> Scene:
    """The same as raw JSON, so that several messages share the encoding."""
    return cast("Scene", Raw(msgspec.json.encode(shown)))


def seat_view(live: LiveMatch, seat: int, by_correspondence: bool = False) -> SeatState:
    """The private data of a seat."""
    match = live.match
    acting = seat in live.game.to_act(match.state)
    return SeatState(
        seat=seat,
        turn=live.turns.get(seat, 0),
        choices=_choices(live, seat) if acting else (),
        staged=match.staged.get(seat),
        free=live.decided_last(seat),
        played=live.before_last_decision(seat) is not None,
        barred=tuple(_barred(live, seat)) if acting and seat != CHANCE else (),
        prepared=premoves.read_premoves(live.prepared.get(seat)),
        foresees=by_correspondence and next_own_position(live, seat) is not None,
    )


def next_own_position(live: LiveMatch, seat: int) -> Match | None:
    """The match when a seat is to decide next, as far as its player can know it."""
    return premoves.next_decision_state(live.match, seat, parameterless_actions(live.game))


def _choices(live: LiveMatch, seat: int) -> tuple[Any, ...]:
    state = live.match.state
    if seat == CHANCE:
        return tuple(luck for luck, _ in live.game.odds(state))
    return tuple(live.game.legal(state, seat))


def _barred(live: LiveMatch, seat: int) -> list[BarredAction]:
    reasons = [
        (action, live.game.why_not(live.match.state, seat, action)) for action in parameterless_actions(live.game)
    ]
    return [BarredAction(action, reason) for action, reason in reasons if reason]


@cache
def _bare_actions(union: Any) -> tuple[Any, ...]:
    return tuple(kind() for kind in get_args(union) if not kind.__struct_fields__)


def parameterless_actions(game: AnyGame) -> tuple[Any, ...]:
    """The actions without parameters, such as to pass or to stop."""
    return _bare_actions(game.Action)


def sheet_changes(before: Sheet, after: Sheet) -> tuple[ScoreChange, ...]:
    """The lines that differ between two score sheets."""
    old, new = ({line.line: line for line in sheet} for sheet in (before, after))
    return tuple(
        ScoreChange(line, old.get(line), new.get(line))
        for line in dict.fromkeys([*old, *new])
        if old.get(line) != new.get(line)
    )
