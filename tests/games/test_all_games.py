"""Records, wire types and bots work with every game that has a spec; the tests contain no list of games."""

from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from polyopolis.bots import LEVELS, beginner_opponent, bot, choose, default_opponent, opponents
from polyopolis.bots.evaluation import evaluation_function
from polyopolis.bots.learned_level import MASTER_GAMES
from polyopolis.bots.tournaments.arena import play, play_next
from polyopolis.engine import Campaign, Dealer, Match, derive_seed, seed_of
from polyopolis.games import BUILTIN_SPECS, GAME_SPECS
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

SEED = seed_of("all games")
ROOT = Path(__file__).parents[2]
TEST_GAME = "tiny"
every_spec = pytest.mark.parametrize("spec", GAME_SPECS.values(), ids=GAME_SPECS)


def test_the_tests_have_a_game_of_their_own() -> None:
    assert GAME_SPECS.keys() - {spec.key for spec in BUILTIN_SPECS} == {TEST_GAME}
    assert TEST_GAME in {key for key, _ in cases()}


def test_no_source_file_names_the_game_of_the_tests() -> None:
    for file in (ROOT / "src").rglob("*.py"):
        assert f"games.{TEST_GAME}" not in file.read_text("utf-8"), file


def test_only_one_line_of_the_tests_names_the_module_of_the_game() -> None:
    """Tests find all that they need of a game by its key."""
    naming = [
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "tests").rglob("*.py")
        if f"games.{TEST_GAME}.spec" in file.read_text("utf-8")
    ]
    assert naming == ["tests/conftest.py"]


# Records


@every_spec
def test_a_match_is_written_and_verified(spec: GameSpec, tmp_path: Path) -> None:
    setup = spec.rules.Setup(seats=2)
    match = play(spec.rules, setup, ("greedy", "random"), SEED, SEED)
    write(record_of(match, ("Ada", "Ben"), SEED), tmp_path / "match.json")
    record = read(tmp_path / "match.json")
    assert isinstance(record, Record)
    assert verify(record).result == match.result


@pytest.mark.parametrize("spec", [spec for spec in GAME_SPECS.values() if spec.plans(1)], ids=lambda spec: spec.key)
def test_a_campaign_is_written_and_verified(spec: GameSpec, tmp_path: Path) -> None:
    """The first two episodes of the shortest plan."""
    plan = min(spec.plans(1).values(), key=len)[:2]
    setup = spec.rules.Setup(seats=2, episode=plan[0], **spec.planned)
    campaign, records = Campaign(spec.rules, plan, setup), list[Record]()
    while not campaign.over:
        match = play_next(campaign, ("random", "random"), SEED, SEED)
        records.append(record_of(match, (), derive_seed(SEED, "match", len(records))))
        campaign = campaign.add(match)
    write(campaign_record_of(campaign, records), tmp_path / "campaign.json")
    record = read(tmp_path / "campaign.json")
    assert isinstance(record, CampaignRecord)
    assert verify_campaign(record)[0].standings() == campaign.standings()


# Wire types


@every_spec
def test_all_wire_types_are_exported_to_the_client(spec: GameSpec) -> None:
    text = wire_files([spec])[f"{spec.key}.ts"]
    for kind in (*get_args(spec.rules.Action), *get_args(spec.Event), spec.View):
        assert f"export type {kind.__name__} = " in text
    assert "export type Action = " in text
    assert "export type Event = " in text


@every_spec
def test_events_and_views_have_the_declared_types(spec: GameSpec) -> None:
    match = play(spec.rules, spec.rules.Setup(seats=2), ("random", "random"), SEED, SEED)
    assert {type(event) for event in match.events} <= set(get_args(spec.Event))
    assert set(spec.lasting) <= set(get_args(spec.Event))
    assert type(match.game.view(match.state, None)) is spec.View


# Bots


@every_spec
def test_levels_are_offered_where_there_is_a_kernel(spec: GameSpec) -> None:
    learnt = ("master",) if spec.key in MASTER_GAMES else ()
    levels = ("novice", *LEVELS, *learnt) if spec.kernel else ()
    assert opponents(spec.key) == (*levels, "greedy", "random")
    assert {default_opponent(spec.key), beginner_opponent(spec.key)} <= {*opponents(spec.key)}


def test_a_game_without_kernel_and_values_is_played_by_its_score(monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels play like `greedy`, which uses the score."""
    bare = replace(GAME_SPECS["mycity"], kernel=None, values=None)
    monkeypatch.setitem(GAME_SPECS, "mycity", bare)
    monkeypatch.setattr("polyopolis.bots.greedy.evaluation_function", evaluation_function.__wrapped__)
    match = Match.start(bare.rules, bare.rules.Setup(seats=2)).deal(Dealer(SEED))
    sheet = match.result.sheets[0]
    assert evaluation_function.__wrapped__("mycity")(match.state, 0) == {
        line.line: float(line.points) for line in sheet
    }
    action = choose(bot("level-5"), match, 0, SEED)
    assert action == choose(bot("greedy"), match, 0, SEED)
    after = [match.game.apply(match.state, 0, legal).state for legal in match.game.legal(match.state, 0)]
    best = max(match.game.scores(state).scores[0] for state in after)
    assert match.game.scores(match.game.apply(match.state, 0, action).state).scores[0] == best
