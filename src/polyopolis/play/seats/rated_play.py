"""Whether a match can be rated, and whether it still is."""

from collections.abc import Sequence

from msgspec.structs import replace

from polyopolis.engine import PolyopolisError
from polyopolis.play.entities import MatchEntity, Rated, SeatEntity
from polyopolis.play.errors import Forbidden
from polyopolis.play.protocols import RatingEligibility
from polyopolis.play.wire.requests import CreateTable


def check_rateable(wish: CreateTable) -> None:
    """Raises `PolyopolisError` if a table with these settings cannot be rated."""
    if wish.seed or wish.luck == "typed":
        raise PolyopolisError("rated: seeds and chance events must not be chosen")
    if len(wish.seats) < 2:
        raise PolyopolisError("rated: only for two or more")
    if wish.plan:
        raise PolyopolisError("rated: only single matches, because the episodes of a campaign build on each other")


async def check_players(ratings: RatingEligibility | None, game: str, seats: Sequence[SeatEntity]) -> None:
    """Raises `Forbidden` if a player or a bot in these seats cannot be rated. Open seats are allowed."""
    if reason := await _why_not(ratings, game, seats):
        raise Forbidden(reason)


async def _why_not(ratings: RatingEligibility | None, game: str, seats: Sequence[SeatEntity]) -> str | None:
    people = [row.person for row in seats if row.person]
    if ratings is None:
        return "this site has no ratings"
    if len(set(people)) < len(people):
        return "a rated table allows one seat per player"
    if not await ratings.have_accounts(people):
        return "a rated table requires accounts"
    if not await ratings.are_independent(people):
        return "a rated table allows no player together with their own bot"
    if strange := next((row.bot for row in seats if row.bot and not ratings.know(game, row.bot)), None):
        return f"the strength of {strange} has not been measured"
    return None


async def rating_at_start(ratings: RatingEligibility | None, game: str, seats: Sequence[SeatEntity]) -> Rated:
    """Whether a match that starts now at a rated table is rated, or why it is not."""
    if any(row.person and row.bot for row in seats):
        return "substitute"
    if ratings and not await ratings.are_independent([row.person for row in seats if row.person]):
        return "owner"
    return "guest" if await _why_not(ratings, game, seats) else "yes"


def are_other_players(before: Sequence[SeatEntity], after: Sequence[SeatEntity]) -> bool:
    """Whether other players have taken over: another person, a bot, or another name on the same device."""
    return [_who(row) for row in before] != [_who(row) for row in after]


def _who(row: SeatEntity) -> tuple[str, str | None, str | None]:
    return row.name, row.person, row.bot


def without_rating(row: MatchEntity, why: Rated) -> MatchEntity:
    """The match without its rating, if it was rated."""
    return replace(row, rated=why) if row.rated == "yes" else row
