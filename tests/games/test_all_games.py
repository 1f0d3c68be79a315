"""Whatever hangs out a sign goes through records, wire and bots, and the tests keep no list of games."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from polyopolis.bots import LEVELS, beatable, bot, choose, opponents, usual
from polyopolis.bots.evaluation import values_of
from polyopolis.bots.learned_level import MASTERED
from polyopolis.bots.tournaments.arena import play, play_next
from polyopolis.engine import Campaign, Dealer, Match, derive_seed, seed_of
from polyopolis.games import BUILTIN_SPECS, EXTRA_GAMES_VARIABLE, GAME_SPECS
from polyopolis.games.game_spec import GameSpec
from polyopolis.records import (
    CampaignRecord,
    Record,
    campaign_record_of,
    read,
    record_of,
    verify,
    verify_campaign,
    write,
)
from polyopolis.server.wire_types import wire_files
from tests.contract.examples import cases

SEED = seed_of("every sign")
ROOT = Path(__file__).parents[2]
GUEST = "tiny"
every_sign = pytest.mark.parametrize("sign", GAME_SPECS.values(), ids=GAME_SPECS)


def test_the_tests_have_a_game_of_their_own() -> None:
    assert GAME_SPECS.keys() - {sign.key for sign in BUILTIN_SPECS} == {GUEST}
    assert GUEST in {key for key, _ in cases()}


def test_nobody_else_has_it() -> None:
    """Neither a line of the source, nor a program that was not told of it, knows the game of the tests."""
    for file in (ROOT / "src").rglob("*.py"):
        assert f"games.{GUEST}" not in file.read_text("utf-8"), file
    code = f"import os; os.environ.pop({EXTRA_GAMES_VARIABLE!r}, None); from polyopolis.games import GAME_SPECS; print(*GAME_SPECS)"
    known = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    assert known.split() == [sign.key for sign in BUILTIN_SPECS]


def test_a_guest_that_is_not_there_is_named() -> None:
    environment = {**os.environ, EXTRA_GAMES_VARIABLE: "nowhere.sign"}
    tried = subprocess.run(
        [sys.executable, "-c", "import polyopolis.games"], capture_output=True, check=False, env=environment
    )
    assert (
        tried.stderr.decode()
        .strip()
        .endswith(f"{EXTRA_GAMES_VARIABLE} names the module nowhere.sign, which is not there")
    )


def test_its_folder_and_one_line_are_all_there_is() -> None:
    """No other file names the module: what tests need of a game they find by its key."""
    naming = [
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "tests").rglob("*.py")
        if f"games.{GUEST}.spec" in file.read_text("utf-8")
    ]
    assert naming == ["tests/conftest.py"]


# Records


@every_sign
def test_a_match_is_written_and_verified(sign: GameSpec, tmp_path: Path) -> None:
    setup = sign.rules.Setup(seats=2)
    match = play(sign.rules, setup, ("greedy", "random"), SEED, SEED)
    write(record_of(match, ("Ada", "Ben"), SEED), tmp_path / "match.json")
    record = read(tmp_path / "match.json")
    assert isinstance(record, Record)
    assert verify(record).result == match.result


@pytest.mark.parametrize("sign", [sign for sign in GAME_SPECS.values() if sign.plans(1)], ids=lambda sign: sign.key)
def test_a_campaign_is_written_and_verified(sign: GameSpec, tmp_path: Path) -> None:
    """The first two episodes of the shortest plan."""
    plan = min(sign.plans(1).values(), key=len)[:2]
    setup = sign.rules.Setup(seats=2, episode=plan[0], **sign.planned)
    campaign, records = Campaign(sign.rules, plan, setup), list[Record]()
    while not campaign.over:
        match = play_next(campaign, ("random", "random"), SEED, SEED)
        records.append(record_of(match, (), derive_seed(SEED, "match", len(records))))
        campaign = campaign.add(match)
    write(campaign_record_of(campaign, records), tmp_path / "campaign.json")
    record = read(tmp_path / "campaign.json")
    assert isinstance(record, CampaignRecord)
    assert verify_campaign(record)[0].standings() == campaign.standings()


# The wire


@every_sign
def test_everything_that_travels_has_a_type_for_the_client(sign: GameSpec) -> None:
    text = wire_files([sign])[f"{sign.key}.ts"]
    for kind in (*get_args(sign.rules.Action), *get_args(sign.Event), sign.View):
        assert f"export type {kind.__name__} = " in text
    assert "export type Action = " in text
    assert "export type Event = " in text


@every_sign
def test_what_happens_is_among_the_events_and_what_is_seen_is_a_view(sign: GameSpec) -> None:
    match = play(sign.rules, sign.rules.Setup(seats=2), ("random", "random"), SEED, SEED)
    assert {type(event) for event in match.events} <= set(get_args(sign.Event))
    assert set(sign.lasting) <= set(get_args(sign.Event))
    assert type(match.game.view(match.state, None)) is sign.View


# Bots


@every_sign
def test_levels_are_offered_where_there_is_a_kernel(sign: GameSpec) -> None:
    learnt = ("master",) if sign.key in MASTERED else ()
    levels = ("novice", *LEVELS, *learnt) if sign.kernel else ()
    assert opponents(sign.key) == (*levels, "greedy", "random")
    assert {usual(sign.key), beatable(sign.key)} <= {*opponents(sign.key)}


def test_a_game_that_names_nothing_upstairs_is_played_by_its_score(monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels play as greedy does, and greedy sees the sheet."""
    bare = replace(GAME_SPECS["mycity"], kernel=None, values=None)
    monkeypatch.setitem(GAME_SPECS, "mycity", bare)
    monkeypatch.setattr("polyopolis.bots.greedy.values_of", values_of.__wrapped__)
    match = Match.start(bare.rules, bare.rules.Setup(seats=2)).deal(Dealer(SEED))
    sheet = match.result.sheets[0]
    assert values_of.__wrapped__("mycity")(match.state, 0) == {line.line: float(line.points) for line in sheet}
    action = choose(bot("level-5"), match, 0, SEED)
    assert action == choose(bot("greedy"), match, 0, SEED)
    after = [match.game.apply(match.state, 0, legal).state for legal in match.game.legal(match.state, 0)]
    best = max(match.game.scores(state).scores[0] for state in after)
    assert match.game.scores(match.game.apply(match.state, 0, action).state).scores[0] == best
