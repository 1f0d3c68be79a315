"""Whether a match is rated: all have agreed before it began, and nothing has happened since that speaks against it."""

from collections.abc import Sequence

from msgspec.structs import replace

from polyopolis.engine import PolyopolisError
from polyopolis.play.entities import MatchEntity, Rated, SeatEntity
from polyopolis.play.errors import Forbidden
from polyopolis.play.protocols import RatingEligibility
from polyopolis.play.wire.requests import CreateTable


def check_rateable(wish: CreateTable) -> None:
    """PolyopolisError if what is to be played there cannot be rated, whoever plays it."""
    if wish.seed or wish.luck == "typed":
        raise PolyopolisError("rated: only with luck that nobody has chosen")
    if len(wish.seats) < 2:
        raise PolyopolisError("rated: only for two or more")
    if wish.plan:
        raise PolyopolisError("rated: only single matches, because the episodes of a campaign build on each other")


async def check_players(ratings: RatingEligibility | None, game: str, seats: Sequence[SeatEntity]) -> None:
    """Forbidden if one of those who sit there cannot be rated. A seat that is open may still be taken."""
    if reason := await _why_not(ratings, game, seats):
        raise Forbidden(reason)


async def _why_not(ratings: RatingEligibility | None, game: str, seats: Sequence[SeatEntity]) -> str | None:
    people = [row.person for row in seats if row.person]
    if ratings is None:
        return "nobody is rated in this house"
    if len(set(people)) < len(people):
        return "at a rated table everybody has one seat"
    if not await ratings.have_accounts(people):
        return "at a rated table everybody has an account"
    if not await ratings.are_independent(people):
        return "at a rated table nobody plays with a bot of their own"
    if strange := next((row.bot for row in seats if row.bot and not ratings.know(game, row.bot)), None):
        return f"nobody has measured how well {strange} plays"
    return None


async def rating_at_start(ratings: RatingEligibility | None, game: str, seats: Sequence[SeatEntity]) -> Rated:
    """Whether a match that begins now is rated, at a table where all have agreed to that."""
    if any(row.person and row.bot for row in seats):
        return "substitute"
    if ratings and not await ratings.are_independent([row.person for row in seats if row.person]):
        return "owner"
    return "guest" if await _why_not(ratings, game, seats) else "yes"


def are_other_players(before: Sequence[SeatEntity], after: Sequence[SeatEntity]) -> bool:
    """Whether somebody else plays now: another person, a bot, or somebody of another name on the same device."""
    return [_who(row) for row in before] != [_who(row) for row in after]


def _who(row: SeatEntity) -> tuple[str, str | None, str | None]:
    return row.name, row.person, row.bot


def without_rating(row: MatchEntity, why: Rated) -> MatchEntity:
    """The row of a match that is not rated any more, if it was."""
    return replace(row, rated=why) if row.rated == "yes" else row
