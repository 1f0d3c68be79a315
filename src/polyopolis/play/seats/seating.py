"""The seats of a table and their changes, as values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec.structs import replace

from polyopolis.engine import CHANCE, PolyopolisError
from polyopolis.games.city_emblems import CityEmblem
from polyopolis.play.entities import SeatEntity, as_json
from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.seats.player_names import are_confusable, validate_name
from polyopolis.play.timing import rest_hours
from polyopolis.play.timing.clocks import encode_rest, rest_of
from polyopolis.play.timing.rest_hours import Hours, Rest, Vacation
from polyopolis.play.wire.requests import (
    BotSeat,
    EndVacation,
    HandOver,
    Join,
    Leave,
    NameCity,
    OfRest,
    OpenSeat,
    OwnSeat,
    PutBot,
    ReclaimSeat,
    SeatChange,
    SetRestHours,
    StartVacation,
    TurnAway,
)


@dataclass(frozen=True)
class Seating:
    """The seats of a table."""

    rows: tuple[SeatEntity, ...]
    typed: bool
    """Whether players enter the chance events."""

    @property
    def full(self) -> bool:
        return all(row.person or row.bot for row in self.rows)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(row.name for row in self.rows)

    @property
    def players(self) -> str:
        """The names as JSON, for the entity of a match."""
        return as_json(self.names)

    def row(self, seat: int) -> SeatEntity:
        if seat not in range(len(self.rows)):
            raise NotFound(f"the table has no seat {seat}")
        return self.rows[seat]

    def held_by(self, person: str | None) -> tuple[int, ...]:
        return self._held.get(person, ()) if person else ()

    @cached_property
    def _held(self) -> dict[str, tuple[int, ...]]:
        return {person: tuple(row.seat for row in self.rows if row.person == person) for person in self.people}

    def first_of(self, seat: int) -> int:
        """Returns the first seat of the player who has this one."""
        person = self.rows[seat].person if seat in range(len(self.rows)) else None
        return min(self.held_by(person), default=seat)

    @cached_property
    def bots(self) -> dict[int, str]:
        """The bots in seats of their own, and those that stand in for a player."""
        return {row.seat: row.bot for row in self.rows if row.bot}

    def deciding_bots(self, *, lasting: bool) -> dict[int, str]:
        """The bots that may decide. A lasting decision is left to the player for whom a bot stands in, unless all
        other players have agreed that the bot decides."""
        if not lasting:
            return self.bots
        rows = self.rows
        return {seat: bot for seat, bot in self.bots.items() if rows[seat].entrusted or not rows[seat].person}

    def played(self, held: tuple[int, ...]) -> tuple[int, ...]:
        """The held seats for which their player decides: none where a bot stands in, and chance too where players
        enter the chance events."""
        own = tuple([seat for seat in held if seat not in self.bots])
        return (*own, CHANCE) if own and self.typed else own

    def played_by(self, person: str | None) -> tuple[int, ...]:
        return self.played(self.held_by(person))

    @property
    def people(self) -> tuple[str, ...]:
        """The people who have a seat. A person with several seats occurs several times."""
        return tuple(row.person for row in self.rows if row.person)

    def others(self, person: str | None) -> frozenset[str]:
        """The people in the other seats, present or absent."""
        return frozenset(row.person for row in self.rows if row.person and row.person != person)

    def held_by_any(self, people: frozenset[str]) -> tuple[int, ...]:
        return tuple(row.seat for row in self.rows if row.person in people)

    def with_row(self, row: SeatEntity) -> "Seating":
        rows = tuple(row if old.seat == row.seat else old for old in self.rows)
        return Seating(rows, self.typed)

    # Changes

    def seat_after_change(self, person: str, seat: int, wish: SeatChange, allowed: "SeatPermissions") -> SeatEntity:
        """The seat after a change. Raises `Forbidden` if this person may not make it."""
        row = self.row(seat)
        seated = bool(self.held_by(person))
        match wish:
            case Join(name):
                _require(not (row.person or row.bot), f"seat {seat} is taken")
                name = self.proper_name(seat, name)
                return replace(row, name=name, person=person, bot=None, rest=_rest_after_leaving(row, allowed))
            case Leave():
                frees = person == allowed.maker and not allowed.begun
                mine = row.person == person or (seated and (not row.person or frees))
                _require(mine, f"seat {seat} is not yours")
                return replace(
                    row, name="", person=None, bot=None, rest=_rest_after_leaving(row, allowed), entrusted=False
                )
            case PutBot(bot):
                _require(
                    row.person == person or (seated and (not row.person or allowed.replace(row))),
                    f"seat {seat} belongs to a player who is present or was a moment ago",
                )
                return replace(row, name=row.name if row.person else bot, bot=bot, entrusted=False)
            case ReclaimSeat():
                _require(row.person == person, f"seat {seat} is not yours")
                return replace(row, bot=None, entrusted=False)
            case HandOver(name):
                _require(row.person == person, f"seat {seat} is not yours")
                return replace(row, name=self.proper_name(seat, name), bot=None, entrusted=False)
            case NameCity(city, animal):
                _require(row.person == person or (seated and not row.person), f"seat {seat} is not yours")
                return self._named(row, validate_name(city), animal)
            case TurnAway(bot):
                _require(seated and person == allowed.maker, "only the creator of the table can turn players away")
                _require(row.person not in (None, person), f"no other player is in seat {seat}")
                left = replace(row, rest=_rest_after_leaving(row, allowed), entrusted=False)
                return replace(left, name=bot or "", person=None, bot=bot)
            case SetRestHours() | StartVacation() | EndVacation():
                _require(row.person == person, f"seat {seat} is not yours")
                return replace(row, rest=encode_rest(_rest_after_change(rest_of(row), wish, allowed)))

    def proper_name(self, seat: int, name: str) -> str:
        """The validated name. Raises `PolyopolisError` if it looks like that of another seat."""
        found = validate_name(name)
        if other := next((row.name for row in self.rows if row.seat != seat and are_confusable(found, row.name)), None):
            raise PolyopolisError(f"the name: it looks like {other}")
        return found

    def _named(self, row: SeatEntity, city: str, animal: str) -> SeatEntity:
        _require(row.city is not None, "cities have no names at this table")
        if any(other.animal == animal for other in self.rows if other.seat != row.seat):
            raise PolyopolisError(f"another city has the {animal}")
        return replace(row, city=city, animal=animal)


@dataclass(frozen=True)
class SeatPermissions:
    """What a person may do to seats that are not their own."""

    maker: str | None
    """The person who may turn players away, and free their seats before the first match."""
    begun: bool
    replace: Callable[[SeatEntity], bool]
    """Whether a bot may stand in for the player of a seat."""
    now: int
    away: tuple[Vacation, ...] = ()
    """The person's vacations in other seats."""


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Forbidden(otherwise)


def _rest_after_leaving(row: SeatEntity, allowed: SeatPermissions) -> str | None:
    return encode_rest(rest_hours.after_leaving_seat(rest_of(row), allowed.now))


def _rest_after_change(rest: Rest, wish: OfRest, allowed: SeatPermissions) -> Rest:
    match wish:
        case SetRestHours(nights, weekends, zone, evening, morning):
            return rest_hours.with_hours(rest, Hours(zone, nights, weekends, evening, morning), allowed.now)
        case StartVacation(days):
            return rest_hours.with_vacation(rest, allowed.now, days, allowed.away)
        case EndVacation():
            return rest_hours.with_vacation_ended(rest, allowed.now)


# Seats of new tables


def seats_from_request(seats: Sequence[OwnSeat | OpenSeat | BotSeat], person: str) -> tuple[SeatEntity, ...]:
    return tuple(_requested_seat(number, seat, person) for number, seat in enumerate(seats))


def _requested_seat(number: int, wish: OwnSeat | OpenSeat | BotSeat, person: str) -> SeatEntity:
    match wish:
        case OwnSeat(name):
            return SeatEntity(number, validate_name(name), person, None)
        case BotSeat(bot):
            return SeatEntity(number, bot, None, bot)
        case OpenSeat():
            return SeatEntity(number, "", None, None)


@dataclass(frozen=True)
class ForkOwner:
    """A person who plays on from a match of other people."""

    person: str
    name: str
    seat: int


def seats_for_branch(rows: Sequence[SeatEntity], newcomer: ForkOwner, stand_in: str) -> tuple[SeatEntity, ...]:
    """One seat for the person, bots in all others."""
    return tuple(
        _taken_by_owner(row, newcomer) if row.seat == newcomer.seat else _played_by_bot(row, stand_in) for row in rows
    )


def seats_for_fork(
    rows: Sequence[SeatEntity], newcomer: ForkOwner, stand_in: str, *, alone: bool
) -> tuple[SeatEntity, ...]:
    """The person keeps their own seats, or takes one. Bots stay. The other seats are open, or played by bots."""
    own = {row.seat for row in rows if row.person == newcomer.person}

    def seat(row: SeatEntity) -> SeatEntity:
        if row.seat in own:
            return replace(row, bot=None)
        if not own and row.seat == newcomer.seat:
            return _taken_by_owner(row, newcomer)
        return (
            replace(row, name="", person=None, bot=None, rest=None)
            if row.person and not alone
            else _played_by_bot(row, stand_in)
        )

    return tuple(map(seat, rows))


def seats_for_import(
    players: Sequence[str], arms: Sequence[CityEmblem], person: str, bots: Sequence[str]
) -> tuple[SeatEntity, ...]:
    """Bots keep their seats, and all others go to the person, who also takes the first seat of a match among bots."""
    alone = all(name in bots for name in players)

    def seat(number: int, name: str) -> SeatEntity:
        own = name not in bots or (alone and number == 0)
        row = SeatEntity(number, name, person if own else None, name if name in bots else None)
        return replace(row, city=arms[number].city, animal=arms[number].animal) if arms else row

    return tuple(seat(number, name) for number, name in enumerate(players))


def _taken_by_owner(row: SeatEntity, newcomer: ForkOwner) -> SeatEntity:
    return replace(row, name=newcomer.name, person=newcomer.person, bot=None, rest=None)


def _played_by_bot(row: SeatEntity, stand_in: str) -> SeatEntity:
    name = row.bot or stand_in
    return replace(row, name=name, person=None, bot=name, rest=None)
