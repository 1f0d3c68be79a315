"""HTTP endpoints outside of a match, declared once for the server and the browser backend.

A handler takes an `EndpointContext`, a dataclass of its path and query parameters and, if the request has a body, the
decoded body. `HttpEndpoint` reads these types from the annotations of the handler.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_type_hints

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
from polyopolis.play.wire.requests import Branch, CreateTable, Fork, Import, SeatChange, SetListed, Solution
from polyopolis.play.wire.responses import (
    CampaignInfo,
    MatchStart,
    OwnVacation,
    PastEvents,
    PersonalBest,
    Replay,
    ReplayFrameList,
    ReviewState,
    ScoreHistory,
    SiteInfo,
    SolutionGrade,
    TableCreated,
    TableInfo,
)
from polyopolis.records import CampaignRecord, Record


@dataclass(frozen=True)
class EndpointContext:
    """The services, the person who asks, and the query of a request."""

    lobby: Lobby
    archive: MatchArchive
    reviews: ReviewService
    person: str
    query: Mapping[str, str]
    """The raw query, for endpoints whose parameters depend on the game."""

    async def table(self, table: str) -> Table:
        """Returns a table that the person may see, or raises `NotFound` or `Sealed`."""
        return await self.lobby.tables.visit(table, self.person)

    async def table_context(self, table: str) -> TableContext:
        """Returns the context of such a table for reading, without replaying its match."""
        return await self.lobby.tables.read(table, self.person)


@dataclass(frozen=True)
class EncodedResponse:
    """A response that an `ExportWorker` has encoded; with a filename it is a download."""

    data: bytes
    filename: str = ""


class HandlerTypes(NamedTuple):
    parameters: type[Any]
    body: Any
    """None if the handler takes no body."""
    response: Any


@dataclass(frozen=True)
class HttpEndpoint:
    method: Literal["GET", "POST"]
    path: str
    handler: Callable[[EndpointContext, Any], Awaitable[Any]] | Callable[[EndpointContext, Any, Any], Awaitable[Any]]
    summary: str
    status: int = 200
    encoded: Any = None
    """The type of the JSON in the `EncodedResponse`, if the handler returns one."""
    cacheable: bool = False
    """Whether the response depends only on the content of a game, so that clients may revalidate it."""
    scope: Scope | None = None
    """The token scope that external bots need; None if they may not use the endpoint."""

    @cached_property
    def types(self) -> HandlerTypes:
        _, parameters, *body, response = get_type_hints(self.handler, include_extras=True).values()
        return HandlerTypes(parameters, body[0] if body else None, response)

    async def respond(self, context: EndpointContext, parameters: Any, body: Any = None) -> Any:
        arguments: tuple[Any, ...] = (parameters,) if self.types.body is None else (parameters, body)
        return await self.handler(context, *arguments)


# Path and query parameters


@dataclass(frozen=True)
class NoParameters:
    pass


@dataclass(frozen=True)
class GameParameters:
    key: str


@dataclass(frozen=True)
class OutlineParameters(GameParameters):
    content: Int32 | None = None


@dataclass(frozen=True)
class TableParameters:
    table: str


@dataclass(frozen=True)
class SeatParameters(TableParameters):
    seat: Int32


@dataclass(frozen=True)
class MatchParameters(TableParameters):
    number: Int32


@dataclass(frozen=True)
class FramesParameters(MatchParameters):
    first: Int32 = 0


@dataclass(frozen=True)
class EventsParameters(MatchParameters):
    since: Int32 = 0


@dataclass(frozen=True)
class ExerciseParameters(MatchParameters):
    move: Int32 = 0


@dataclass(frozen=True)
class ReviewParameters(MatchParameters):
    known: Int32 = 0


@dataclass(frozen=True)
class HindsightParameters(MatchParameters):
    seat: Int32 = 0
    known: Int32 = 0


# The site and its games


async def hello(context: EndpointContext, _: NoParameters) -> SiteInfo:
    return await context.lobby.queries.hello(context.person)


async def show_beginning(context: EndpointContext, game: GameParameters) -> MatchStart:
    return initial_position(game.key, context.query)


async def show_outline(_: EndpointContext, game: OutlineParameters) -> Struct:
    spec = GAME_SPECS.get(game.key)
    if spec is None or spec.outline is None:
        raise NotFound(f"there is no outline of a game {game.key!r}")
    outline: Struct = spec.outline(spec.versions[-1] if game.content is None else game.content)
    return outline


async def show_trials(_: EndpointContext, game: GameParameters) -> Trials:
    spec = GAME_SPECS.get(game.key)
    if spec is None:
        raise NotFound(f"there is no game {game.key!r}")
    return trials(game.key, spec.versions[-1])


# Tables


async def create_table(context: EndpointContext, _: NoParameters, body: CreateTable) -> TableCreated:
    return TableCreated((await context.lobby.factory.create(context.person, body)).id)


async def list_table(context: EndpointContext, at: TableParameters, body: SetListed) -> SetListed:
    await context.lobby.queries.list_table(context.person, at.table, body.listed)
    return body


async def show_table(context: EndpointContext, at: TableParameters) -> TableInfo:
    return (await context.table(at.table)).info(context.person)


async def change_seat(context: EndpointContext, at: SeatParameters, body: SeatChange) -> TableInfo:
    table = await context.table(at.table)
    await table.change_seat(context.person, at.seat, body)
    return table.info(context.person)


async def show_vacation(context: EndpointContext, at: TableParameters) -> OwnVacation:
    return await (await context.table(at.table)).seats.vacation(context.person)


async def rematch(context: EndpointContext, at: TableParameters) -> TableInfo:
    table = await context.table(at.table)
    await table.rematch(context.person)
    return table.info(context.person)


async def fork(context: EndpointContext, at: MatchParameters, body: Fork) -> TableCreated:
    table = await context.table(at.table)
    return TableCreated((await context.lobby.factory.fork(context.person, table, at.number, body)).id)


async def branch(context: EndpointContext, at: MatchParameters, body: Branch) -> TableCreated:
    table = await context.table(at.table)
    return TableCreated((await context.lobby.factory.branch(context.person, table, at.number, body)).id)


async def show_best(context: EndpointContext, at: MatchParameters) -> PersonalBest:
    table = await context.table(at.table)
    return await personal_bests.best(table.context, context.person, at.number)


# Reviews


async def review(context: EndpointContext, at: ReviewParameters) -> ReviewState:
    return await context.reviews.review(await context.table_context(at.table), at.number, context.person, at.known)


async def hindsight(context: EndpointContext, at: HindsightParameters) -> ReviewState:
    table = await context.table_context(at.table)
    return await context.reviews.hindsight(table, at.number, context.person, at.seat, at.known)


async def solve(context: EndpointContext, at: MatchParameters, body: Solution) -> SolutionGrade:
    return await context.reviews.solved(await context.table_context(at.table), at.number, context.person, body)


async def exercise(context: EndpointContext, at: ExerciseParameters) -> EncodedResponse:
    return EncodedResponse(await context.archive.exercise(await context.table_context(at.table), at.number, at.move))


# Finished and running matches


async def record(context: EndpointContext, at: MatchParameters) -> EncodedResponse:
    data = await context.archive.record(await context.table_context(at.table), at.number)
    return EncodedResponse(data, f"polyopolis-{at.table}-{at.number}.json")


async def replay(context: EndpointContext, at: MatchParameters) -> EncodedResponse:
    return EncodedResponse(await context.archive.replay(await context.table_context(at.table), at.number))


async def frames(context: EndpointContext, at: FramesParameters) -> EncodedResponse:
    return EncodedResponse(await context.archive.frames(await context.table_context(at.table), at.number, at.first))


async def events(context: EndpointContext, at: EventsParameters) -> EncodedResponse:
    return EncodedResponse(await context.archive.heard(await context.table_context(at.table), at.number, at.since))


async def course(context: EndpointContext, at: MatchParameters) -> EncodedResponse:
    return EncodedResponse(await context.archive.course(await context.table_context(at.table), at.number))


async def campaign(context: EndpointContext, at: TableParameters) -> EncodedResponse:
    return EncodedResponse(await context.archive.campaign(await context.table_context(at.table)))


async def campaign_file(context: EndpointContext, at: TableParameters) -> EncodedResponse:
    data = await context.archive.campaign_record(await context.table_context(at.table))
    return EncodedResponse(data, f"polyopolis-{at.table}-campaign.json")


async def import_record(context: EndpointContext, _: NoParameters, body: Import) -> TableCreated:
    return TableCreated(
        (await context.lobby.factory.import_record(context.person, await context.archive.verified(body))).id
    )


GAME, TABLE = "/games/{key:str}", "/tables/{table:str}"
MATCH = TABLE + "/matches/{number:int}"

TABLE_ENDPOINTS = (
    HttpEndpoint("GET", "/hello", hello, "Data of the home page", scope="watch"),
    HttpEndpoint(
        "GET", f"{GAME}/beginning", show_beginning, "First position of a match; the query is the setup", scope="watch"
    ),
    HttpEndpoint(
        "GET",
        f"{GAME}/outline",
        show_outline,
        "Static data of a game; of the newest content version by default",
        cacheable=True,
        scope="watch",
    ),
    HttpEndpoint(
        "GET",
        f"{GAME}/trials",
        show_trials,
        "Interactive examples of the rules, with all responses",
        cacheable=True,
    ),
    HttpEndpoint("POST", f"{TABLE}/listing", list_table, "Remove a table from your list, or restore it"),
    HttpEndpoint("GET", TABLE, show_table, "Get a table", scope="watch"),
    HttpEndpoint(
        "POST",
        TABLE + "/seats/{seat:int}",
        change_seat,
        "Change a seat: join, leave, add a bot, and more",
        scope="play",
    ),
    HttpEndpoint("GET", f"{TABLE}/vacation", show_vacation, "Remaining vacation days"),
    HttpEndpoint(
        "POST",
        f"{TABLE}/matches",
        rematch,
        "Ask for a rematch; it starts when all players have asked",
        201,
        scope="play",
    ),
    HttpEndpoint("GET", f"{MATCH}/best", show_best, "Compare a finished match with your personal best"),
)

TABLE_CREATION_ENDPOINTS = (
    HttpEndpoint("POST", "/tables", create_table, "Create a table", 201, scope="play"),
    HttpEndpoint("POST", f"{MATCH}/forks", fork, "Continue a campaign after a finished episode at a new table", 201),
    HttpEndpoint("POST", f"{MATCH}/branches", branch, "Continue from a position at a new table", 201),
)
"""Endpoints that create a table."""

EXPORT_ENDPOINTS = (
    HttpEndpoint("GET", f"{MATCH}/record", record, "Record of a match", encoded=Record, scope="watch"),
    HttpEndpoint("GET", f"{MATCH}/replay", replay, "Replay of a match, with its first positions", encoded=Replay),
    HttpEndpoint(
        "GET", f"{MATCH}/frames", frames, "Positions of a replay, starting at a stop", encoded=ReplayFrameList
    ),
    HttpEndpoint("GET", f"{MATCH}/events", events, "Events of a match, starting at a move", encoded=PastEvents),
    HttpEndpoint("GET", f"{MATCH}/course", course, "Scores at every stop of a match", encoded=ScoreHistory),
    HttpEndpoint(
        "GET",
        f"{MATCH}/exercise",
        exercise,
        "Exercise: the position before a decision, with all legal actions",
        encoded=Trial,
    ),
    HttpEndpoint("GET", f"{TABLE}/campaign", campaign, "Finished episodes of a campaign", encoded=CampaignInfo),
    HttpEndpoint("GET", f"{TABLE}/campaign.json", campaign_file, "Record of a campaign", encoded=CampaignRecord),
)
"""Expensive reads, encoded by an `ExportWorker`."""

REVIEW_ENDPOINTS = (
    HttpEndpoint("GET", f"{MATCH}/review", review, "Review of a finished match; waits for progress beyond `known`"),
    HttpEndpoint(
        "GET", f"{MATCH}/hindsight", hindsight, "Best city of a seat in hindsight; waits for progress beyond `known`"
    ),
    HttpEndpoint("POST", f"{MATCH}/solutions", solve, "Evaluate another decision"),
)
"""Reviews, computed at the lowest priority."""

IMPORT_ENDPOINTS = (HttpEndpoint("POST", "/imports", import_record, "Import a record as a new table", 201),)
"""Expensive writes with a large body."""

ENDPOINTS = (
    *TABLE_ENDPOINTS,
    *TABLE_CREATION_ENDPOINTS,
    *EXPORT_ENDPOINTS,
    *REVIEW_ENDPOINTS,
    *IMPORT_ENDPOINTS,
)
