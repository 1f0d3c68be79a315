"""Request bodies."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Raw, Struct

from polyopolis.engine import Tagged
from polyopolis.games.city_emblems import Animal, CityName
from polyopolis.play.integer_types import LARGEST_INT32, Int32
from polyopolis.play.timing.pace import Pace
from polyopolis.play.timing.rest_hours import EVENING_HOUR, MORNING_HOUR, VACATION_DAYS, Hour, Zone

Name = Annotated[str, Meta(min_length=1, max_length=24)]
Key = Annotated[str, Meta(max_length=24)]

Language = Annotated[str, Meta(pattern="^[a-z]{2,3}$")]

Luck = Literal["dealt", "typed"]
"""Whether the server deals, or players enter the events of real dice or cards."""

Reaction = Literal["wave", "applause", "thinking", "sorry"]
LONGEST_REMARK = 400


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """A request body. Unknown fields are rejected."""


class OwnSeat(Tagged, frozen=True, tag="me"):
    """A seat for the person who creates the table. Several of them share a device."""

    name: Name


class OpenSeat(Tagged, frozen=True, tag="open"):
    """An open seat."""


class BotSeat(Tagged, frozen=True, tag="bot"):
    bot: Key


class CreateTable(Body, frozen=True):
    game: Key
    setup: dict[str, Any]
    """Without the number of seats, which follows from `seats`, and without the boards of a campaign."""
    seats: Annotated[tuple[OwnSeat | OpenSeat | BotSeat, ...], Meta(min_length=1, max_length=12)]
    seed: Annotated[str, Meta(max_length=64)] | None = None
    """A chosen seed, which is public. Otherwise the seed is random and secret."""
    plan: Annotated[tuple[Int32, ...], Meta(max_length=24)] = ()
    """The episodes of a campaign, in order; empty for single matches."""
    luck: Luck = "dealt"
    pace: Pace | None = None
    """None for no clocks."""
    rated: bool = False
    """Whether matches are rated. Players agree by taking a seat."""
    invites: Language | None = None
    """The language in which the list of open tables invites players; None keeps the table off the list."""
    talk: bool = True
    """Whether players may chat."""
    outsiders: bool = False
    """Whether external bots may take seats. One that creates a table may always take one."""


class Join(Tagged, frozen=True, tag="join"):
    """Take an open seat."""

    name: Name


class Leave(Tagged, frozen=True, tag="leave"):
    """Leave a seat, or remove a bot: the seat is open again. Before the first match the creator of the table, if
    seated, may free any seat; its player may take a seat again."""


class PutBot(Tagged, frozen=True, tag="put-bot"):
    """Let a bot play in an open seat, in one's own seat, or for a player who has been absent."""

    bot: Key


class ReclaimSeat(Tagged, frozen=True, tag="return"):
    """Take a seat back from the bot that stands in."""


class HandOver(Tagged, frozen=True, tag="hand-over"):
    """Another person plays the seat from now on, on the same device."""

    name: Name


class NameCity(Tagged, frozen=True, tag="name-city"):
    """Choose the name and the animal of a city in a campaign. No two cities have the same animal."""

    city: CityName
    animal: Animal


class SetRestHours(Tagged, frozen=True, tag="keep-hours"):
    """Set the rest hours, from the next midnight in the player's time zone on. They replace hours that do not hold
    yet."""

    nights: bool
    weekends: bool
    zone: Zone
    evening: Hour = EVENING_HOUR
    """Start and end of the night."""
    morning: Hour = MORNING_HOUR


class StartVacation(Tagged, frozen=True, tag="go-away"):
    """Start a vacation of some days, during which the clock stands."""

    days: Annotated[int, Meta(ge=1, le=VACATION_DAYS)]


class EndVacation(Tagged, frozen=True, tag="come-back"):
    """End a vacation."""


class TurnAway(Tagged, frozen=True, tag="turn-away"):
    """Take the seats of a player away, as the seated creator of the table: they are open, or a bot plays. The player
    may watch but not take a seat again. Finished matches keep their players."""

    bot: Key | None = None


OfRest = SetRestHours | StartVacation | EndVacation
SeatChange = Join | Leave | PutBot | ReclaimSeat | HandOver | NameCity | TurnAway | OfRest


class PlayDaily(Body, frozen=True):
    """Play a daily game under this name."""

    name: Name


class SetListed(Body, frozen=True):
    """Put a table on one's own list, or take it off."""

    listed: bool


class Arrange(Body, frozen=True):
    """Set who is invited to a table and whether players may chat."""

    invites: Language | None
    talk: bool


class SendChatMessage(Body, frozen=True):
    """A chat remark to the players."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_REMARK)]


class SendReaction(Body, frozen=True):
    """A reaction to all guests of the table."""

    reaction: Reaction
    seat: Int32


class Ignore(Body, frozen=True):
    """Ignore, or stop ignoring, the player of a seat or the author of a remark."""

    ignored: bool
    seat: Int32 | None = None
    remark: Annotated[str, Meta(max_length=24)] | None = None


class UseSeatCode(Body, frozen=True):
    code: Annotated[str, Meta(max_length=32)]
    name: Name | None = None
    """The name of the player who takes over; None keeps the name of the seat."""


class Branch(Body, frozen=True):
    """Branch from a finished or practice match after a number of moves."""

    moves: Annotated[int, Meta(ge=0, le=LARGEST_INT32)]
    seat: Int32


class Solution(Body, frozen=True):
    """An answer to an exercise from a finished match."""

    move: Annotated[int, Meta(ge=0, le=LARGEST_INT32)]
    """The index of the decision among the moves."""
    action: Any
    beside: Any
    """The best known action, with which it is compared."""


class Import(Body, frozen=True):
    """Import a record of another site."""

    record: Annotated[Raw, Meta(extra_json_schema={"type": "object"})]
    """The record of a match or campaign. It may be large and is decoded by the export worker."""
    luck: Luck = "dealt"
    """How an unfinished match goes on."""


class Fork(Body, frozen=True):
    """Start from a finished episode: repeat it for practice, or continue the campaign."""

    play: Literal["practice", "campaign"]
    seat: Int32
    """The city for a person who has no seat at the table."""
