"""What can be read of the matches of a table, asked of a scribe: nobody else waits for it."""

from polyopolis.play import paper
from polyopolis.play.needs import Scribe
from polyopolis.play.problems import NotFound
from polyopolis.play.rows import Kept, as_json
from polyopolis.play.table import Table


class Library:
    def __init__(self, scribe: Scribe) -> None:
        self._scribe = scribe

    async def record(self, table: Table, number: int) -> bytes:
        return await self._scribe.write(paper.record, *await _about(table, number), _names(table))

    async def replay(self, table: Table, number: int) -> bytes:
        info = table.room.match_info(table.room.chain.row(number))
        return await self._scribe.write(paper.replay, *await _about(table, number), info, _names(table))

    async def frames(self, table: Table, number: int, first: int) -> bytes:
        return await self._scribe.write(paper.frames, *await _about(table, number), first)

    async def heard(self, table: Table, number: int, since: int) -> bytes:
        return await self._scribe.write(paper.heard, *await _about(table, number), since)

    async def course(self, table: Table, number: int) -> bytes:
        return await self._scribe.write(paper.course, *await _about(table, number))

    async def campaign(self, table: Table) -> bytes:
        """The episodes that are over."""
        kept = [episode for episode in await _episodes(table) if episode.row.over]
        return await self._scribe.write(paper.campaign, _key(table), kept, _names(table))

    async def campaign_record(self, table: Table) -> bytes:
        """All episodes as one file; one that is still being played comes last, without its seed."""
        chain, kept = table.room.chain, await _episodes(table)
        about = _key(table), chain.plan, as_json(chain.setup), kept
        return await self._scribe.write(paper.campaign_record, *about, _names(table))


async def _about(table: Table, number: int) -> tuple[str, Kept]:
    return _key(table), await table.room.chain.kept(number)


async def _episodes(table: Table) -> list[Kept]:
    chain = table.room.chain
    if not chain.plan or not chain.rows:
        raise NotFound("no campaign is played at this table")
    return [await chain.kept(row.number) for row in chain.rows]


def _key(table: Table) -> str:
    return table.room.chain.game.key


def _names(table: Table) -> tuple[str, ...]:
    return table.room.seating.names
