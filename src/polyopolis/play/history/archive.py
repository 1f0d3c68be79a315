"""Serves records, replays and campaigns, which an export worker builds from stored matches."""

import msgspec
from msgspec.structs import replace

from polyopolis.play.entities import StoredMatch, as_json
from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.history import match_exports, match_imports
from polyopolis.play.history.match_imports import ImportedRecord
from polyopolis.play.protocols import ExportWorker
from polyopolis.play.table.table_context import TableContext
from polyopolis.play.wire.requests import Import


class MatchArchive:
    def __init__(self, worker: ExportWorker) -> None:
        self._worker = worker

    async def record(self, context: TableContext, number: int) -> bytes:
        key, kept = await _about(context, number)
        if context.sealed:
            kept = replace(kept, row=replace(kept.row, seed=b""))
        return await self._worker.write(match_exports.record, key, kept, _names(context))

    async def replay(self, context: TableContext, number: int) -> bytes:
        info = context.match_info(context.chain.row(number))
        return await self._worker.write(match_exports.replay, *await _about(context, number), info, _names(context))

    async def frames(self, context: TableContext, number: int, first: int) -> bytes:
        return await self._worker.write(match_exports.frames, *await _about(context, number), first)

    async def heard(self, context: TableContext, number: int, since: int) -> bytes:
        return await self._worker.write(match_exports.events_since, *await _about(context, number), since)

    async def exercise(self, context: TableContext, number: int, move: int) -> bytes:
        return await self._worker.write(match_exports.exercise, *await finished(context, number), move)

    async def course(self, context: TableContext, number: int) -> bytes:
        return await self._worker.write(match_exports.course, *await _about(context, number))

    async def campaign(self, context: TableContext) -> bytes:
        """The episodes that are over."""
        kept = [episode for episode in await _episodes(context) if episode.row.over]
        return await self._worker.write(match_exports.campaign, _key(context), kept, _names(context))

    async def verified(self, wish: Import) -> ImportedRecord:
        """Verifies an uploaded record by replaying it."""
        found = await self._worker.read(match_imports.verify_record, bytes(wish.record), wish.luck == "typed")
        return msgspec.json.decode(found, type=ImportedRecord)

    async def campaign_record(self, context: TableContext) -> bytes:
        """All episodes as one file. An unfinished one comes last, without its seed."""
        chain, kept = context.chain, await _episodes(context)
        about = _key(context), chain.plan, as_json(chain.setup), kept
        return await self._worker.write(match_exports.campaign_record, *about, _names(context))


async def _about(context: TableContext, number: int) -> tuple[str, StoredMatch]:
    return _key(context), await context.chain.stored(number)


async def finished(context: TableContext, number: int) -> tuple[str, StoredMatch]:
    """Returns the stored match for a review or an exercise. Raises `Forbidden` unless it is over."""
    if not context.chain.row(number).over:
        raise Forbidden("reviews and exercises are available once the match is over")
    return await _about(context, number)


async def _episodes(context: TableContext) -> list[StoredMatch]:
    chain = context.chain
    if not chain.plan or not chain.rows:
        raise NotFound("no campaign is played at this table")
    return [await chain.stored(row.number) for row in chain.counted]


def _key(context: TableContext) -> str:
    return context.chain.game.key


def _names(context: TableContext) -> tuple[str, ...]:
    return context.seating.names
