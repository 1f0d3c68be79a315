"""Request and response bodies of profiles and statistics (server only)."""

from msgspec import Struct

from polyopolis.play.wire.requests import Body, Key

# Requests


class ShareProfile(Body, frozen=True):
    """Make the own profile public or private."""

    shared: bool


# Responses


class ScoreBucket(Struct, frozen=True, gc=False):
    """The number of scores in a range, both ends included."""

    first: int
    last: int
    count: int


class VariantStats(Struct, frozen=True, gc=False):
    """Statistics of comparable matches: an episode, a mode, a number of players."""

    kind: str
    count: int
    best: int
    mean: float
    buckets: tuple[ScoreBucket, ...]


class OpponentRecord(Struct, frozen=True, gc=False):
    """Results against a person or a bot; a shared rank is a draw."""

    name: str
    """The name of the person; empty for a bot."""
    bot: str | None
    who: str | None
    """The key of their public profile, if they have one."""
    outside: bool
    """Whether it is an external bot, which has a name of its own."""
    won: int
    drawn: int
    lost: int


class CampaignStats(Struct, frozen=True, gc=False):
    table: str | None
    """The table; None in a public profile."""
    played: int
    """The number of finished episodes."""
    episodes: int
    seats: int
    score: int | None
    """The current score; like `rank`, None before the first episode has ended."""
    rank: int | None


class PersonRating(Struct, frozen=True, gc=False):
    """On the scale of the bots' ladder."""

    rating: float
    margin: float
    """Half the width of the 95 % confidence interval."""
    games: int
    course: tuple[float, ...]
    """The rating after each of the latest rated matches."""


class RungInfo(Struct, frozen=True, gc=False):
    bot: str
    rating: float


class GameStats(Struct, frozen=True, gc=False):
    game: Key
    begun: int
    finished: int
    won: int
    """Matches of two or more players with a sole rank 1."""
    kinds: tuple[VariantStats, ...]
    campaigns: tuple[CampaignStats, ...]
    against: tuple[OpponentRecord, ...]
    rating: PersonRating | None
    rungs: tuple[RungInfo, ...]
    """The bots of the ladder, the best first."""


class Profile(Struct, frozen=True, gc=False):
    """The profile of a player. Practice is not counted."""

    name: str | None
    account: bool
    """Whether the player has an account, which is required for a public profile."""
    shared: str | None
    """The key of the public profile, if there is one."""
    games: tuple[GameStats, ...]
    outside: bool = False
    """Whether it is an external bot."""


class SeatRating(Struct, frozen=True, gc=False):
    """The rating of a player at a rated table."""

    seat: int
    rating: float
    margin: float
    games: int
    """The number of rated matches; 0 for bots, whose rating is that of the ladder."""
    change: float | None
    """The change by the last match, if that was rated."""


class TableRatings(Struct, frozen=True, gc=False):
    seats: tuple[SeatRating, ...]
