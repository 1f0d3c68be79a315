"""What people ask of the house outside a match: tables, seats, positions to play on from."""

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
"""The house deals, or people around real dice or cards type in what they see."""

Reaction = Literal["wave", "applause", "thinking", "sorry"]
LONGEST_REMARK = 400


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """What a request says: exactly these fields."""


class Me(Tagged, frozen=True, tag="me"):
    """A seat for whoever creates the table. Several of them make a hot-seat."""

    name: Name


class Open(Tagged, frozen=True, tag="open"):
    """A seat for a friend."""


class BotSeat(Tagged, frozen=True, tag="bot"):
    bot: Key


class CreateTable(Body, frozen=True):
    game: Key
    setup: dict[str, Any]
    """Without the seats: they are counted. What a campaign leaves on boards is not for whoever makes a table to say."""
    seats: Annotated[tuple[Me | Open | BotSeat, ...], Meta(min_length=1, max_length=12)]
    seed: Annotated[str, Meta(max_length=64)] | None = None
    """A chosen seed; the table says so. Without one nobody can know the luck."""
    plan: Annotated[tuple[Int32, ...], Meta(max_length=24)] = ()
    """The episodes of a campaign, in order; none for single matches."""
    luck: Luck = "dealt"
    pace: Pace | None = None
    """None: without clocks."""
    rated: bool = False
    """Matches are rated; whoever sits down agrees."""
    invites: Language | None = None
    """On the list of open tables, for people who speak this; None: only for whoever has the link."""
    talk: bool = True
    """Whether its people may write to each other."""
    outsiders: bool = False
    """Whether outside bots may sit down; whoever sits down agrees. One that makes a table may sit there."""


class Join(Tagged, frozen=True, tag="join"):
    """Take an open seat."""

    name: Name


class Leave(Tagged, frozen=True, tag="leave"):
    """Give up one's seat, or send a bot away: the seat is open again. Whoever made the table and has a seat there may
    free any other before the first match; the one who sat in it may look on, and sit down again."""


class PutBot(Tagged, frozen=True, tag="put-bot"):
    """Let a bot play: in an open seat, in one's own, or in for somebody who has been absent for a while."""

    bot: Key


class Return(Tagged, frozen=True, tag="return"):
    """Take one's seat back from the bot that played in."""


class HandOver(Tagged, frozen=True, tag="hand-over"):
    """Somebody else plays one's seat from now on, on the same device."""

    name: Name


class NameCity(Tagged, frozen=True, tag="name-city"):
    """What one's city is called in a campaign, and its animal, which no other city has."""

    city: CityName
    animal: Animal


class KeepHours(Tagged, frozen=True, tag="keep-hours"):
    """Stop one's clock at night, or at weekends, where one lives: from the next midnight there. It replaces hours that
    do not count yet."""

    nights: bool
    weekends: bool
    zone: Zone
    evening: Hour = EVENING_HOUR
    """When the night begins, and when it ends."""
    morning: Hour = MORNING_HOUR


class GoAway(Tagged, frozen=True, tag="go-away"):
    """One's clock stands for some days, from now on."""

    days: Annotated[int, Meta(ge=1, le=VACATION_DAYS)]


class ComeBack(Tagged, frozen=True, tag="come-back"):
    """From vacation."""


class TurnAway(Tagged, frozen=True, tag="turn-away"):
    """Whoever made the table and has a seat there takes somebody's seat away: it is open, or a bot's. They may look on,
    and not sit down there again. What was played stays as it was written."""

    bot: Key | None = None


OfRest = KeepHours | GoAway | ComeBack
SeatChange = Join | Leave | PutBot | Return | HandOver | NameCity | TurnAway | OfRest


class PlayDay(Body, frozen=True):
    """Play the game of a day, as somebody of this name."""

    name: Name


class Listing(Body, frozen=True):
    """Whether a table is on one's own list."""

    listed: bool


class Arrange(Body, frozen=True):
    """Who is invited to a table, and whether its people may write to each other."""

    invites: Language | None
    talk: bool


class Say(Body, frozen=True):
    """Something to those who have a seat."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_REMARK)]


class React(Body, frozen=True):
    """A sign to everybody at the table."""

    reaction: Reaction
    seat: Int32


class Ignore(Body, frozen=True):
    """Somebody is not to be heard any more, or again: whoever sits there, or has written this."""

    ignored: bool
    seat: Int32 | None = None
    remark: Annotated[str, Meta(max_length=24)] | None = None


class UseCode(Body, frozen=True):
    code: Annotated[str, Meta(max_length=32)]
    name: Name | None = None
    """The name of the one who takes over; None keeps the name of the seat."""


class Branch(Body, frozen=True):
    """Play on from after these moves of a match that is finished or practice."""

    moves: Annotated[int, Meta(ge=0, le=LARGEST_INT32)]
    seat: Int32


class Solution(Body, frozen=True):
    """What somebody would do instead, in a match that is over."""

    move: Annotated[int, Meta(ge=0, le=LARGEST_INT32)]
    """The number of the decision among the moves, from 0."""
    action: Any
    beside: Any
    """What it is compared with: the best that is known."""


class Import(Body, frozen=True):
    """A table of what was played in another house."""

    record: Annotated[Raw, Meta(extra_json_schema={"type": "object"})]
    """The file of a match or of a campaign; decoded by the scribe, because it may be large."""
    luck: Luck = "dealt"
    """How it goes on."""


class Fork(Body, frozen=True):
    """Play on from the start of a finished episode: that episode alone, or the rest of the campaign."""

    play: Literal["practice", "campaign"]
    seat: Int32
    """Whose city is played by one who has none at the table."""
