"""Recomputes the columns that follow from the moves of a match, by replaying it."""

from collections.abc import AsyncIterator

from msgspec import Struct
from msgspec.structs import replace

from polyopolis.games import content_digest
from polyopolis.play.entities import MatchEntity, as_json
from polyopolis.play.errors import Unreadable
from polyopolis.play.match.live_match import with_derived_columns
from polyopolis.play.match.match_chain import MatchChain

CHECKED = ("rules", "content", "over", "due", "result", "standings")
"""The columns that are compared."""


class DerivedColumns(Struct, frozen=True):
    """A stored match, and the one recomputed from its moves; or the problem if they cannot be replayed."""

    kept: MatchEntity
    given: MatchEntity | None
    problem: str | None

    @property
    def differences(self) -> tuple[str, ...]:
        """The problems, a sentence each."""
        if self.given is None:
            return (self.problem or "",)
        pairs = ((name, getattr(self.kept, name), getattr(self.given, name)) for name in CHECKED)
        return tuple(f"{name}: kept is {kept}, installed gives {given}" for name, kept, given in pairs if kept != given)


async def recompute_derived_columns(chain: MatchChain) -> AsyncIterator[DerivedColumns]:
    states, standings = [], None
    for row in chain.rows:
        try:
            live = await chain.replay(row.number)
        except Unreadable as error:
            yield DerivedColumns(row, None, str(error))
            continue
        match = live.match
        if match.over and chain.plan:
            states.append(match.state)
            standings = as_json(chain.game.standings(chain.setup, states))
        digest = content_digest(chain.game.key, match.setup.content)
        given = replace(
            with_derived_columns(row, match),
            rules=chain.game.version,
            content=digest,
            standings=standings if chain.plan else None,
        )
        yield DerivedColumns(row, given, None)
