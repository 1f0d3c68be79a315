"""Exports of matches: events, score courses and frames."""

from typing import Any

import msgspec
import pytest

from polyopolis.play.entities import StoredMatch
from polyopolis.play.errors import NotFound
from polyopolis.play.history import match_exports
from polyopolis.play.history.archive import MatchArchive
from polyopolis.play.in_memory import InlineExportWorker
from polyopolis.play.wire.responses import PastEvents, Replay, ReplayFrameList, ScoreHistory
from polyopolis.records import Record, verify
from tests.play.in_memory_site import InMemorySite, Page, act

pytestmark = pytest.mark.anyio


async def played(rounds: int) -> tuple[StoredMatch, Page]:
    site = InMemorySite()
    table = await site.table("Ada", "Ada", seed="pear")
    page = await site.arrived(table, "Ada")
    assert table.session
    for _ in range(rounds):
        for seat in table.session.live.due:
            await act(table, page, seat)
    kept = await site.repository.match(table.id, 0)
    assert kept
    return kept, page


def heard(kept: StoredMatch, since: int) -> PastEvents:
    return msgspec.json.decode(match_exports.events_since("mycity", kept, since), type=PastEvents)


async def test_exported_events_are_grouped_as_in_news_messages() -> None:
    kept, page = await played(6)
    scenes = [message["scene"] for message in page.messages if message["type"] == "news"]
    found = heard(kept, 0)
    assert [list(group) for group in found.rounds[1:]] == [scene["events"] for scene in scenes]
    assert found.moves == scenes[-1]["moves"]
    for number, scene in enumerate(scenes):
        assert heard(kept, scene["moves"]).rounds == found.rounds[number + 2 :]
    assert heard(kept, 10_000).rounds == ()
    assert heard(kept, -5) == found


async def test_frames_can_be_read_from_any_stop() -> None:
    kept, _ = await played(20)
    stops = [len(match.moves) for match in match_exports.stops_of("mycity", kept)]
    whole: list[Any] = []
    while len(whole) < len(stops):
        whole += msgspec.json.decode(match_exports.frames("mycity", kept, len(whole)), type=ReplayFrameList).frames
    assert [frame.moves for frame in whole] == stops
    for first in range(len(stops)):
        piece = msgspec.json.decode(match_exports.frames("mycity", kept, first), type=ReplayFrameList)
        assert list(piece.frames) == whole[first : first + match_exports.FRAMES_PER_RESPONSE]
    assert msgspec.json.decode(match_exports.frames("mycity", kept, 10_000), type=ReplayFrameList).frames == ()
    assert (
        list(msgspec.json.decode(match_exports.frames("mycity", kept, -5), type=ReplayFrameList).frames)
        == whole[: match_exports.FRAMES_PER_RESPONSE]
    )


async def test_the_score_course_has_the_scores_of_every_frame() -> None:
    kept, _ = await played(8)
    course = msgspec.json.decode(match_exports.course("mycity", kept), type=ScoreHistory)
    frames = msgspec.json.decode(match_exports.frames("mycity", kept, 0), type=ReplayFrameList).frames
    assert list(course.scores[: len(frames)]) == [frame.result.scores for frame in frames]
    assert list(course.moves[: len(frames)]) == [frame.moves for frame in frames]


async def test_the_archive_exports_record_and_replay() -> None:
    site = InMemorySite()
    room = (await site.table("Ada", "bot", seed="pear")).context
    library = MatchArchive(InlineExportWorker())
    record = msgspec.json.decode(await library.record(room, 0), type=Record)
    assert (record.players, verify(record).over) == (("Ada", "first"), False)
    replay = msgspec.json.decode(await library.replay(room, 0), type=Replay)
    assert replay.stops[: len(replay.frames)] == tuple(frame.moves for frame in replay.frames)
    with pytest.raises(NotFound, match="the table has no match 7"):
        await library.frames(room, 7, 0)
