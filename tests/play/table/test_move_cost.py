"""The cost of a move does not grow with the match, with finished episodes or with the number of guests."""

from typing import Any

import msgspec
import pytest

from polyopolis.engine import Dealer, Match, seed_of
from polyopolis.games import game
from polyopolis.play.match.messages import Act
from polyopolis.server.workers.match_sync import MatchDelta, MatchSyncReceiver, MatchSyncSender, UnknownBase
from tests.play.in_memory_site import InMemorySite, act

pytestmark = pytest.mark.anyio
mycity = game("mycity")


async def test_a_move_is_applied_without_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ada", seed="pear")
    page = await site.arrived(table, "Ada")
    applied: list[int] = []
    counting = [0]

    def apply(state: Any, seat: int, action: Any) -> Any:
        counting[0] += 1
        return original(state, seat, action)

    original = mycity.apply
    monkeypatch.setattr(mycity, "apply", apply)
    monkeypatch.setattr(Match, "start", lambda *_: pytest.fail("a match was begun anew"))
    assert table.session
    while not table.session.live.match.over:
        counting[0] = 0
        for seat in table.session.live.due:
            await act(table, page, seat)
        applied.append(counting[0])
    assert len(applied) > 20
    assert max(applied) == 5, "two decisions and a card, or three where one card blocks the next"


async def test_an_action_is_validated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    page = await site.arrived(table, "Ada")
    judged: list[Any] = []
    original = mycity.why_not
    choice = page.last["mine"][0]["choices"][0]
    place = msgspec.convert(choice, mycity.Action)

    def why_not(state: Any, seat: int, action: Any) -> Any:
        judged.append(action)
        return original(state, seat, action)

    monkeypatch.setattr(mycity, "why_not", why_not)
    await table.handle(page, Act(0, 0, choice))
    assert judged.count(place) == 1


def played(rounds: int) -> list[Match]:
    """A match after each of some rounds."""
    dealer = Dealer(seed_of("brief"))
    match = Match.start(mycity, mycity.Setup(seats=2)).deal(dealer)
    found = [match]
    for _ in range(rounds):
        for seat in sorted(match.due):
            match = match.decide(seat, mycity.legal(match.state, seat)[0])
        match = match.deal(dealer)
        found.append(match)
    return found


def test_a_bot_process_gets_only_new_moves() -> None:
    teller, listener = MatchSyncSender(), MatchSyncReceiver()
    sizes = []
    for match in played(12):
        brief = teller.brief("t/0", match)
        sizes.append(len(msgspec.json.decode(brief.moves)))
        assert listener.match(brief) == match
    assert set(sizes[1:]) == {3}


def test_a_bot_process_gets_the_whole_match_after_a_takeback() -> None:
    teller, listener = MatchSyncSender(), MatchSyncReceiver()
    matches = played(5)
    for match in (matches[5], matches[3]):
        assert listener.match(teller.brief("t/0", match)) == match


def test_a_bot_process_without_the_match_asks_for_it() -> None:
    teller, listener = MatchSyncSender(), MatchSyncReceiver()
    first, second = played(1)
    teller.brief("t/0", first)
    with pytest.raises(UnknownBase):
        listener.match(teller.brief("t/0", second))
    teller.forget("t/0")
    assert listener.match(teller.brief("t/0", second)) == second


def test_messages_to_bot_processes_contain_no_seed() -> None:
    assert MatchDelta.__struct_fields__ == ("place", "game", "setup", "known", "moves")
