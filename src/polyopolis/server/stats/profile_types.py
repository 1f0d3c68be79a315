"""What is asked and answered about what somebody has played. Only a server keeps it."""

from msgspec import Struct

from polyopolis.play.wire.requests import Body, Key

# Wishes


class ShareWho(Body, frozen=True):
    """Whether everybody may see what somebody has played."""

    shared: bool


# Answers


class Bucket(Struct, frozen=True, gc=False):
    """So many scores from one to another, both included."""

    first: int
    last: int
    count: int


class KindFigures(Struct, frozen=True, gc=False):
    """Matches that are scored alike: an episode, a mode, a number of players."""

    kind: str
    count: int
    best: int
    mean: float
    buckets: tuple[Bucket, ...]


class Against(Struct, frozen=True, gc=False):
    """What became of the matches with somebody, or with a bot: a shared rank is a draw."""

    name: str
    """As they call themselves; empty for a bot."""
    bot: str | None
    who: str | None
    """Where what they have played is shown, if they want that."""
    outside: bool
    """They are an outside bot, with a name of its own."""
    won: int
    drawn: int
    lost: int


class CampaignFigures(Struct, frozen=True, gc=False):
    table: str | None
    """Where it is played; nobody else is told."""
    played: int
    """Episodes that are over."""
    episodes: int
    seats: int
    score: int | None
    """What it has come to until now, and the place that is; None before its first end."""
    rank: int | None


class PersonRating(Struct, frozen=True, gc=False):
    """On the scale of the bots' ladder."""

    rating: float
    margin: float
    """How far it may be from the truth (95 %)."""
    games: int
    course: tuple[float, ...]
    """After each rated match, the last ones alone."""


class RungInfo(Struct, frozen=True, gc=False):
    bot: str
    rating: float


class GameFigures(Struct, frozen=True, gc=False):
    game: Key
    begun: int
    finished: int
    won: int
    """First, alone or with others; among two or more."""
    kinds: tuple[KindFigures, ...]
    campaigns: tuple[CampaignFigures, ...]
    against: tuple[Against, ...]
    rating: PersonRating | None
    rungs: tuple[RungInfo, ...]
    """The bots of the ladder, the best first."""


class Who(Struct, frozen=True, gc=False):
    """What somebody has played; practice is none of it."""

    name: str | None
    account: bool
    """Whoever has one may share it."""
    shared: str | None
    """The word under which everybody sees it."""
    games: tuple[GameFigures, ...]
    outside: bool = False
    """It is an outside bot."""


class SeatRating(Struct, frozen=True, gc=False):
    """Of somebody at a rated table."""

    seat: int
    rating: float
    margin: float
    games: int
    """Rated ones; of a bot 0: it was measured before."""
    change: float | None
    """By the last match, if that was rated."""


class TableRatings(Struct, frozen=True, gc=False):
    seats: tuple[SeatRating, ...]
