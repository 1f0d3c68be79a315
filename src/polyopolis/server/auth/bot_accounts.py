"""The outside bots of somebody: made, let in by tokens, shut out, given up."""

from sqlalchemy import Connection

from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.lobby.node_synchronizer import NodeSynchronizer
from polyopolis.play.protocols import ClusterLink
from polyopolis.play.seats.player_names import validate_name
from polyopolis.server.auth import bot_tokens
from polyopolis.server.auth.account_merge import AccountDataService, tell_changed
from polyopolis.server.auth.bot_account_types import BotInfo, MakeToken, OwnBots, TokenInfo, TokenMade
from polyopolis.server.auth.people import PersonRepository
from polyopolis.server.auth.visitors import Visit, Visitors
from polyopolis.server.storage.match_repository import DatabaseMatchRepository


class BotAccountService:
    def __init__(
        self,
        store: DatabaseMatchRepository,
        synchronizer: NodeSynchronizer,
        neighbours: ClusterLink,
        visitors: Visitors,
    ) -> None:
        self._write, self._read = store.write, store.read
        self._synchronizer, self._neighbours, self._visitors = synchronizer, neighbours, visitors
        self._people, self._belongings = PersonRepository(store), AccountDataService(store)

    async def of(self, visit: Visit) -> OwnBots:
        return await self._read(lambda db: _own(db, visit.person))

    async def make(self, visit: Visit, name: str) -> OwnBots:
        """Whoever has one can be found by the host."""
        if not visit.account:
            raise Forbidden("only somebody with an account has bots")
        called = validate_name(name)
        await self._write(lambda db: bot_tokens.add_bot(db, called, visit.person, self._visitors.now))
        return await self.of(visit)

    async def make_token(self, visit: Visit, bot: str, wish: MakeToken) -> TokenMade:
        called = validate_name(wish.name)

        def work(db: Connection) -> str:
            bot_tokens.check_owner(db, bot, visit.person)
            return bot_tokens.add_token(db, bot, called, wish.scopes, self._visitors.now)

        return TokenMade(await self._write(work), await self.of(visit))

    async def revoke(self, visit: Visit, bot: str, token: str) -> OwnBots:
        """At once: streams that were opened with it end."""
        await self._read(lambda db: bot_tokens.check_owner(db, bot, visit.person))
        if not await self._people.shut_out(bot, token):
            raise NotFound("there is no such token")
        await self._visitors.look()
        return await self.of(visit)

    async def give_up(self, visit: Visit, bot: str) -> OwnBots:
        """What it has played with others stays, without its name."""
        await self._read(lambda db: bot_tokens.check_owner(db, bot, visit.person))
        versions = await self._belongings.give_up(bot, self._visitors.now)
        await tell_changed(self._synchronizer, self._neighbours, versions)
        await self._visitors.look()
        return await self.of(visit)


def _own(db: Connection, person: str) -> OwnBots:
    found = bot_tokens.bots_kept(db, person)
    return OwnBots(
        tuple(BotInfo(row.id, row.name or "", row.joined, row.tables, _tokens(db, row.id)) for row in found),
        bot_tokens.MOST_BOTS,
    )


def _tokens(db: Connection, bot: str) -> tuple[TokenInfo, ...]:
    return tuple(
        TokenInfo(each.id, each.name, bot_tokens.scopes_of(each), each.made, each.seen)
        for each in bot_tokens.tokens_of(db, bot)
    )
