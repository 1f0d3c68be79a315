"""All that is asked of a house outside a match: the addresses, what each needs to be answered, and who answers.

Whoever opens a house to the outside goes by this table: a server behind its network, a page to itself. What a function
needs is said by the names of its parameters:

    lobby, library, reviews    the house
    person                     who asks
    at, room                   the table that the address names, to sit at, or to read there
    data                       what was sent along
    fields                     the query as it stands
    any other                  from the address, or else from the query
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_type_hints

from msgspec import Struct

from polyopolis.games import GAME_SPECS
from polyopolis.play.errors import NotFound
from polyopolis.play.history import personal_bests
from polyopolis.play.history.archive import MatchArchive
from polyopolis.play.history.review_service import ReviewService
from polyopolis.play.history.rule_trials import Trial, Trials, trials
from polyopolis.play.integer_types import Int32
from polyopolis.play.lobby import Lobby
from polyopolis.play.lobby.table_factory import initial_position
from polyopolis.play.seats.bot_ids import Scope
from polyopolis.play.table.table import Table
from polyopolis.play.table.table_context import TableContext
from polyopolis.play.wire.requests import Branch, CreateTable, Fork, Import, Listing, SeatChange, Solution
from polyopolis.play.wire.responses import (
    Beginning,
    Best,
    CampaignInfo,
    Course,
    Frames,
    Heard,
    Hello,
    OwnVacation,
    Replay,
    Reviewed,
    Solved,
    TableCreated,
    TableInfo,
)
from polyopolis.records import CampaignRecord, Record


@dataclass(frozen=True)
class EncodedResponse:
    """An answer that a scribe wrote; with a name it is a file to keep."""

    written: bytes
    name: str = ""


@dataclass(frozen=True)
class HttpEndpoint:
    method: Literal["GET", "POST"]
    path: str
    answer: Callable[..., Awaitable[Any]]
    summary: str
    status: int = 200
    of: Any = None
    """What a paper holds."""
    lasting: bool = False
    """The answer follows from the content of a game alone."""
    scope: Scope | None = None
    """What an outside bot needs to be allowed in order to ask it; None: it is for people alone."""

    @property
    def needs(self) -> dict[str, Any]:
        """The types of its parameters by their names."""
        kinds = get_type_hints(self.answer, include_extras=True)
        return {name: kind for name, kind in kinds.items() if name != "return"}


# The house


async def hello(lobby: Lobby, person: str) -> Hello:
    return await lobby.queries.hello(person)


async def show_beginning(key: str, fields: Mapping[str, str]) -> Beginning:
    return initial_position(key, fields)


async def show_outline(key: str, content: Int32 | None = None) -> Struct:
    sign = GAME_SPECS.get(key)
    if sign is None or sign.outline is None:
        raise NotFound(f"nothing is known of a game {key!r}")
    found: Struct = sign.outline(sign.versions[-1] if content is None else content)
    return found


async def show_trials(key: str) -> Trials:
    sign = GAME_SPECS.get(key)
    if sign is None:
        raise NotFound(f"there is no game {key!r}")
    return trials(key, sign.versions[-1])


# Tables


async def create_table(lobby: Lobby, person: str, data: CreateTable) -> TableCreated:
    return TableCreated((await lobby.factory.create(person, data)).id)


async def list_table(lobby: Lobby, person: str, table: str, data: Listing) -> Listing:
    await lobby.queries.list_table(person, table, data.listed)
    return data


async def show_table(person: str, at: Table) -> TableInfo:
    return at.info(person)


async def change_seat(person: str, at: Table, seat: Int32, data: SeatChange) -> TableInfo:
    await at.change_seat(person, seat, data)
    return at.info(person)


async def show_vacation(person: str, at: Table) -> OwnVacation:
    return await at.seats.vacation(person)


async def rematch(person: str, at: Table) -> TableInfo:
    await at.rematch(person)
    return at.info(person)


async def fork(lobby: Lobby, person: str, at: Table, number: Int32, data: Fork) -> TableCreated:
    return TableCreated((await lobby.factory.fork(person, at, number, data)).id)


async def branch(lobby: Lobby, person: str, at: Table, number: Int32, data: Branch) -> TableCreated:
    return TableCreated((await lobby.factory.branch(person, at, number, data)).id)


async def show_best(person: str, at: Table, number: Int32) -> Best:
    return await personal_bests.best(at.context, person, number)


# What there is to learn from a match


async def review(reviews: ReviewService, room: TableContext, person: str, number: Int32, known: Int32 = 0) -> Reviewed:
    return await reviews.review(room, number, person, known)


async def hindsight(  # noqa: PLR0913, PLR0917 - by their names
    reviews: ReviewService, room: TableContext, person: str, number: Int32, seat: Int32 = 0, known: Int32 = 0
) -> Reviewed:
    return await reviews.hindsight(room, number, person, seat, known)


async def solve(reviews: ReviewService, room: TableContext, person: str, number: Int32, data: Solution) -> Solved:
    return await reviews.solved(room, number, person, data)


async def exercise(library: MatchArchive, room: TableContext, number: Int32, move: Int32 = 0) -> EncodedResponse:
    return EncodedResponse(await library.exercise(room, number, move))


# Matches that were played


async def record(library: MatchArchive, room: TableContext, number: Int32) -> EncodedResponse:
    return EncodedResponse(await library.record(room, number), f"polyopolis-{room.table}-{number}.json")


async def replay(library: MatchArchive, room: TableContext, number: Int32) -> EncodedResponse:
    return EncodedResponse(await library.replay(room, number))


async def frames(library: MatchArchive, room: TableContext, number: Int32, first: Int32 = 0) -> EncodedResponse:
    return EncodedResponse(await library.frames(room, number, first))


async def events(library: MatchArchive, room: TableContext, number: Int32, since: Int32 = 0) -> EncodedResponse:
    return EncodedResponse(await library.heard(room, number, since))


async def course(library: MatchArchive, room: TableContext, number: Int32) -> EncodedResponse:
    return EncodedResponse(await library.course(room, number))


async def campaign(library: MatchArchive, room: TableContext) -> EncodedResponse:
    return EncodedResponse(await library.campaign(room))


async def campaign_file(library: MatchArchive, room: TableContext) -> EncodedResponse:
    return EncodedResponse(await library.campaign_record(room), f"polyopolis-{room.table}-campaign.json")


async def import_record(lobby: Lobby, library: MatchArchive, person: str, data: Import) -> TableCreated:
    return TableCreated((await lobby.factory.import_record(person, await library.verified(data))).id)


GAME, TABLE = "/games/{key:str}", "/tables/{table:str}"
MATCH = TABLE + "/matches/{number:int}"

ABOUT_TABLES = (
    HttpEndpoint("GET", "/hello", hello, "What the home page needs", scope="watch"),
    HttpEndpoint("GET", f"{GAME}/beginning", show_beginning, "How a match begins; the setup as query", scope="watch"),
    HttpEndpoint(
        "GET",
        f"{GAME}/outline",
        show_outline,
        "What is known of a game before anybody plays it; without a version of the newest content",
        lasting=True,
        scope="watch",
    ),
    HttpEndpoint(
        "GET",
        f"{GAME}/trials",
        show_trials,
        "Positions on which a reader of the rules tries something, with all answers",
        lasting=True,
    ),
    HttpEndpoint("POST", f"{TABLE}/listing", list_table, "Take a table off one's own list, or put it back"),
    HttpEndpoint("GET", TABLE, show_table, "Who sits at a table", scope="watch"),
    HttpEndpoint("POST", TABLE + "/seats/{seat:int}", change_seat, "Join, leave, put a bot in, return", scope="play"),
    HttpEndpoint("GET", f"{TABLE}/vacation", show_vacation, "How many days of vacation one has left"),
    HttpEndpoint(
        "POST", f"{TABLE}/matches", rematch, "Another match at the same table, once all want it", 201, scope="play"
    ),
    HttpEndpoint(
        "GET", f"{MATCH}/best", show_best, "What a finished match is to the one who asks, beside their others"
    ),
)  # fmt: skip

ABOUT_MAKING = (
    HttpEndpoint("POST", "/tables", create_table, "Make a table", 201, scope="play"),
    HttpEndpoint("POST", f"{MATCH}/forks", fork, "Play on from a finished episode", 201),
    HttpEndpoint("POST", f"{MATCH}/branches", branch, "Play on from a position", 201),
)
"""What makes a new table."""

ABOUT_MATCHES = (
    HttpEndpoint("GET", f"{MATCH}/record", record, "The record", of=Record, scope="watch"),
    HttpEndpoint("GET", f"{MATCH}/replay", replay, "A match to look at, with its first positions", of=Replay),
    HttpEndpoint("GET", f"{MATCH}/frames", frames, "Some positions of a match, from this stop on", of=Frames),
    HttpEndpoint("GET", f"{MATCH}/events", events, "What happened after so many moves", of=Heard),
    HttpEndpoint("GET", f"{MATCH}/course", course, "The scores from stop to stop", of=Course),
    HttpEndpoint("GET", f"{MATCH}/exercise", exercise, "The position before a decision, and all its choices", of=Trial),
    HttpEndpoint("GET", f"{TABLE}/campaign", campaign, "The finished episodes of a campaign", of=CampaignInfo),
    HttpEndpoint("GET", f"{TABLE}/campaign.json", campaign_file, "A campaign as one file", of=CampaignRecord),
)
"""What takes a while: a scribe writes it."""

ABOUT_REVIEWS = (
    HttpEndpoint(
        "GET", f"{MATCH}/review", review, "How far the review of a finished match is, once it is further than known"
    ),
    HttpEndpoint("GET", f"{MATCH}/hindsight", hindsight, "How far the search for the best city of a seat is, likewise"),
    HttpEndpoint("POST", f"{MATCH}/solutions", solve, "What another decision would have been worth"),
)  # fmt: skip
"""What is worked out after everything that is live."""

ABOUT_IMPORTS = (HttpEndpoint("POST", "/imports", import_record, "Make a table of what was played elsewhere", 201),)
"""What takes a while, and may be as large as a campaign."""
