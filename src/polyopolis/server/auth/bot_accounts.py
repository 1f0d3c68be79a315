"""A person's external bots: create, revoke, delete."""

from sqlalchemy import Connection

from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.lobby.node_synchronizer import NodeSynchronizer
from polyopolis.play.protocols import ClusterLink
from polyopolis.play.seats.player_names import validate_name
from polyopolis.server.auth import bot_tokens
from polyopolis.server.auth.account_merge import AccountDataService, announce_changes
from polyopolis.server.auth.bot_account_types import BotInfo, CreatedToken, CreateToken, OwnBots, TokenInfo
from polyopolis.server.auth.people import PersonRepository
from polyopolis.server.auth.visitors import Visit, Visitors
from polyopolis.server.storage.match_repository import DatabaseMatchRepository


class BotAccountService:
    """Operations on the bots of the current visitor."""

    def __init__(
        self, store: DatabaseMatchRepository, synchronizer: NodeSynchronizer, cluster: ClusterLink, visitors: Visitors
    ) -> None:
        self._write, self._read = store.write, store.read
        self._synchronizer, self._cluster, self._visitors = synchronizer, cluster, visitors
        self._people, self._account_data = PersonRepository(store), AccountDataService(store)

    async def of(self, visit: Visit) -> OwnBots:
        return await self._read(lambda db: _own(db, visit.person))

    async def make(self, visit: Visit, name: str) -> OwnBots:
        """Creates a bot. Requires an account, so that the host can identify the owner."""
        if not visit.account:
            raise Forbidden("creating a bot requires an account")
        called = validate_name(name)
        await self._write(lambda db: bot_tokens.add_bot(db, called, visit.person, self._visitors.now))
        return await self.of(visit)

    async def make_token(self, visit: Visit, bot: str, wish: CreateToken) -> CreatedToken:
        called = validate_name(wish.name)

        def work(db: Connection) -> str:
            bot_tokens.check_owner(db, bot, visit.person)
            return bot_tokens.add_token(db, bot, called, wish.scopes, self._visitors.now)

        return CreatedToken(await self._write(work), await self.of(visit))

    async def revoke(self, visit: Visit, bot: str, token: str) -> OwnBots:
        """Revokes a token and closes its streams."""
        await self._read(lambda db: bot_tokens.check_owner(db, bot, visit.person))
        if not await self._people.remove_device(bot, token):
            raise NotFound("token not found")
        await self._visitors.check_revocations()
        return await self.of(visit)

    async def delete(self, visit: Visit, bot: str) -> OwnBots:
        """Deletes a bot. Its matches with others stay, without its name."""
        await self._read(lambda db: bot_tokens.check_owner(db, bot, visit.person))
        versions = await self._account_data.anonymize(bot, self._visitors.now)
        await announce_changes(self._synchronizer, self._cluster, versions)
        await self._visitors.check_revocations()
        return await self.of(visit)


def _own(db: Connection, person: str) -> OwnBots:
    found = bot_tokens.list_bots(db, person)
    return OwnBots(
        tuple(BotInfo(row.id, row.name or "", row.joined, row.tables, _tokens(db, row.id)) for row in found),
        bot_tokens.MAX_BOTS,
    )


def _tokens(db: Connection, bot: str) -> tuple[TokenInfo, ...]:
    return tuple(
        TokenInfo(each.id, each.name, bot_tokens.scopes_of(each), each.made, each.seen)
        for each in bot_tokens.tokens_of(db, bot)
    )
