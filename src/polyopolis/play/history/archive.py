"""What can be read of matches, at a table or in a file, asked of a scribe: nobody else waits for it."""

import msgspec
from msgspec.structs import replace

from polyopolis.play.entities import Kept, as_json
from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.history import match_exports as paper
from polyopolis.play.history import match_imports as imports
from polyopolis.play.history.match_imports import Arrival
from polyopolis.play.protocols import Scribe
from polyopolis.play.table.room import Room
from polyopolis.play.wire.requests import Import


class Library:
    def __init__(self, scribe: Scribe) -> None:
        self._scribe = scribe

    async def record(self, room: Room, number: int) -> bytes:
        key, kept = await _about(room, number)
        if room.sealed:
            kept = replace(kept, row=replace(kept.row, seed=b""))
        return await self._scribe.write(paper.record, key, kept, _names(room))

    async def replay(self, room: Room, number: int) -> bytes:
        info = room.match_info(room.chain.row(number))
        return await self._scribe.write(paper.replay, *await _about(room, number), info, _names(room))

    async def frames(self, room: Room, number: int, first: int) -> bytes:
        return await self._scribe.write(paper.frames, *await _about(room, number), first)

    async def heard(self, room: Room, number: int, since: int) -> bytes:
        return await self._scribe.write(paper.heard, *await _about(room, number), since)

    async def exercise(self, room: Room, number: int, move: int) -> bytes:
        return await self._scribe.write(paper.exercise, *await finished(room, number), move)

    async def course(self, room: Room, number: int) -> bytes:
        return await self._scribe.write(paper.course, *await _about(room, number))

    async def campaign(self, room: Room) -> bytes:
        """The episodes that are over."""
        kept = [episode for episode in await _episodes(room) if episode.row.over]
        return await self._scribe.write(paper.campaign, _key(room), kept, _names(room))

    async def verified(self, wish: Import) -> Arrival:
        """What somebody brings, re-played from the first move to the last."""
        found = await self._scribe.read(imports.verified, bytes(wish.record), wish.luck == "typed")
        return msgspec.json.decode(found, type=Arrival)

    async def campaign_record(self, room: Room) -> bytes:
        """All episodes as one file; one that is still being played comes last, without its seed."""
        chain, kept = room.chain, await _episodes(room)
        about = _key(room), chain.plan, as_json(chain.setup), kept
        return await self._scribe.write(paper.campaign_record, *about, _names(room))


async def _about(room: Room, number: int) -> tuple[str, Kept]:
    return _key(room), await room.chain.kept(number)


async def finished(room: Room, number: int) -> tuple[str, Kept]:
    """Of a match from which one may learn: nobody is helped while it is played."""
    if not room.chain.row(number).over:
        raise Forbidden("there is something to learn from a match once it is over")
    return await _about(room, number)


async def _episodes(room: Room) -> list[Kept]:
    chain = room.chain
    if not chain.plan or not chain.rows:
        raise NotFound("no campaign is played at this table")
    return [await chain.kept(row.number) for row in chain.counted]


def _key(room: Room) -> str:
    return room.chain.game.key


def _names(room: Room) -> tuple[str, ...]:
    return room.seating.names
