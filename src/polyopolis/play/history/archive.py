"""What can be read of matches, at a table or in a file, asked of a scribe: nobody else waits for it."""

import msgspec
from msgspec.structs import replace

from polyopolis.play.entities import StoredMatch, as_json
from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.history import match_exports, match_imports
from polyopolis.play.history.match_imports import ImportedRecord
from polyopolis.play.protocols import ExportWorker
from polyopolis.play.table.room import TableContext
from polyopolis.play.wire.requests import Import


class MatchArchive:
    def __init__(self, scribe: ExportWorker) -> None:
        self._scribe = scribe

    async def record(self, room: TableContext, number: int) -> bytes:
        key, kept = await _about(room, number)
        if room.sealed:
            kept = replace(kept, row=replace(kept.row, seed=b""))
        return await self._scribe.write(match_exports.record, key, kept, _names(room))

    async def replay(self, room: TableContext, number: int) -> bytes:
        info = room.match_info(room.chain.row(number))
        return await self._scribe.write(match_exports.replay, *await _about(room, number), info, _names(room))

    async def frames(self, room: TableContext, number: int, first: int) -> bytes:
        return await self._scribe.write(match_exports.frames, *await _about(room, number), first)

    async def heard(self, room: TableContext, number: int, since: int) -> bytes:
        return await self._scribe.write(match_exports.heard, *await _about(room, number), since)

    async def exercise(self, room: TableContext, number: int, move: int) -> bytes:
        return await self._scribe.write(match_exports.exercise, *await finished(room, number), move)

    async def course(self, room: TableContext, number: int) -> bytes:
        return await self._scribe.write(match_exports.course, *await _about(room, number))

    async def campaign(self, room: TableContext) -> bytes:
        """The episodes that are over."""
        kept = [episode for episode in await _episodes(room) if episode.row.over]
        return await self._scribe.write(match_exports.campaign, _key(room), kept, _names(room))

    async def verified(self, wish: Import) -> ImportedRecord:
        """What somebody brings, re-played from the first move to the last."""
        found = await self._scribe.read(match_imports.verify_record, bytes(wish.record), wish.luck == "typed")
        return msgspec.json.decode(found, type=ImportedRecord)

    async def campaign_record(self, room: TableContext) -> bytes:
        """All episodes as one file; one that is still being played comes last, without its seed."""
        chain, kept = room.chain, await _episodes(room)
        about = _key(room), chain.plan, as_json(chain.setup), kept
        return await self._scribe.write(match_exports.campaign_record, *about, _names(room))


async def _about(room: TableContext, number: int) -> tuple[str, StoredMatch]:
    return _key(room), await room.chain.kept(number)


async def finished(room: TableContext, number: int) -> tuple[str, StoredMatch]:
    """Of a match from which one may learn: nobody is helped while it is played."""
    if not room.chain.row(number).over:
        raise Forbidden("there is something to learn from a match once it is over")
    return await _about(room, number)


async def _episodes(room: TableContext) -> list[StoredMatch]:
    chain = room.chain
    if not chain.plan or not chain.rows:
        raise NotFound("no campaign is played at this table")
    return [await chain.kept(row.number) for row in chain.counted]


def _key(room: TableContext) -> str:
    return room.chain.game.key


def _names(room: TableContext) -> tuple[str, ...]:
    return room.seating.names
