"""Campaigns and chapters at the terminal: playing, saving and resuming them."""

import json
import signal
from pathlib import Path

import pytest

from polyopolis.engine import seed_of
from polyopolis.records import CampaignRecord, read, verify_campaign
from tests.cli.conftest import Run
from tests.cli.terminal.test_game_loop import Terminal

SHEETS = ("play", "rollwrite", "--set", "seats=1", "--seed", "journey")
STOP = ("stop", "y")


def kept(file: Path) -> CampaignRecord:
    record = read(file)
    assert isinstance(record, CampaignRecord)
    return record


def test_a_campaign_shows_the_standings_after_each_episode(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "campaign.json"
    typed = [*STOP, *["", *STOP] * 11]
    result = run(*SHEETS, "--set", "mode=campaign", "--save", file, typed=typed)
    assert (result.code, result.err) == (0, "")
    assert result.out.count("The episode is over.") == 12
    assert "1 of 12 episodes are played." in result.out
    out = result.out
    assert out.index("1 of 12 episodes") < out.index("Roll & Write, episode 2") < out.index("2 of 12")
    assert result.out.count("The campaign is over.") == 1
    assert "campaign in all" in result.out
    assert "Seed journey" in result.out
    campaign, playing = verify_campaign(kept(file))
    assert (campaign.over, playing) == (True, None)
    assert run("replay", file).code == 0
    assert run("verify-luck", file).code == 0


@pytest.mark.parametrize("name", ["mode=mini", "plan=mini"])
def test_a_plan_may_skip_episodes(run: Run, name: str) -> None:
    result = run(*SHEETS, "--set", name, typed=[*STOP, *["", *STOP] * 2])
    assert [number for number in range(1, 13) if f"episode {number}: roll" in result.out] == [3, 6, 12]
    assert "The campaign is over." in result.out


def test_a_chapter_of_my_city_keeps_its_stickers(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "chapter.json"
    typed = [*STOP, "g1", "", "", *STOP]
    result = run("play", "mycity", "--set", "plan=chapter-1", "--seed", "hello", "--save", file, typed=typed)
    assert (result.code, result.err) == (0, "")
    assert "You put a tree on g1." in result.out
    assert "1 of 3 episodes are played." in result.out
    assert "Goodbye" in result.out  # the input ends during episode 2
    first, second = kept(file).records
    assert [first.setup["episode"], second.setup["episode"]] == [1, 2]
    assert second.setup["boards"][0]["stickers"] == {"g1": "tree"}
    assert kept(file).plan == (1, 2, 3)


def test_the_seed_of_each_episode_follows_from_that_of_the_campaign(run: Run, tmp_path: Path) -> None:
    for name in ("once.json", "again.json"):
        run(*SHEETS, "--set", "mode=mini", "--save", tmp_path / name, typed=[*STOP, *["", *STOP] * 2])
    once, again = ((tmp_path / name).read_bytes() for name in ("once.json", "again.json"))
    assert once == again
    seeds = [record.seed for record in kept(tmp_path / "once.json").records]
    assert len({*seeds, seed_of("journey").hex()}) == 4


def test_a_campaign_left_between_episodes_can_be_resumed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "journey.json"
    result = run(*SHEETS, "--set", "mode=chapter-2", typed=[*STOP, "what?", "q", str(file)])
    assert (result.code, result.err) == (0, "")
    assert f"The record is in {file}." in result.out
    assert [len(record.moves) for record in kept(file).records] == [2, 0]
    result = run("play", "rollwrite", "--resume", file, "--seed", "later", typed=[*STOP, "", *STOP])
    assert (result.code, result.err) == (0, "")
    assert "The campaign is over." in result.out
    campaign, _ = verify_campaign(kept(file))
    assert [match.setup.episode for match in campaign.matches] == [4, 5, 6]
    assert all(isinstance(record.seed, str) for record in kept(file).records)


def test_a_resumed_episode_has_no_single_seed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "open.json"
    run(*SHEETS, "--set", "mode=chapter-1", "--save", file, typed=["pass", ""])
    result = run("play", "rollwrite", "--resume", file, "--save", tmp_path / "on.json", "--seed", "x", typed=STOP)
    assert (result.code, result.err) == (0, "")
    assert [move["action"]["type"] for move in json.loads(file.read_text())["records"][0]["moves"]] == [
        "roll", "pass", "roll",
    ]  # fmt: skip
    first = json.loads((tmp_path / "on.json").read_text())["records"][0]
    assert "seed" not in first  # its chance events follow from two seeds
    assert first["scores"]
    verify_campaign(kept(tmp_path / "on.json"))


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("play mycity --set plan=chapter-9", "--set plan=chapter-9: mycity has no such plan; choose from campaign, c"),
        ("play rollwrite --set mode=quick", "--set mode=quick: rollwrite has no such mode; choose from campaign, cha"),
        ("play pointcity --set plan=campaign", "--set has no key 'plan'"),
        ("play mycity --resume missing.json", "missing.json: no such file"),
        ("play mycity --resume tests/records/games/mycity-eternal-2p-1.json", "not the record of a campaign of mycity"),
        ("play rollwrite --resume tests/records/campaigns/mycity-2p.json", "not the record of a campaign of rollwrite"),
        ("play mycity --resume tests/records/campaigns/mycity-2p.json", "all episodes of this campaign are played"),
    ],
)
def test_an_invalid_campaign_is_one_sentence(run: Run, line: str, text: str) -> None:
    result = run(*line.split())
    assert result.code == 2
    assert text in result.err
    assert result.err.count("\n") == 1


@pytest.mark.slow
def test_ctrl_c_between_episodes_keeps_the_record(tmp_path: Path) -> None:
    file = tmp_path / "campaign.json"
    terminal = Terminal(*SHEETS, "--set", "mode=campaign", "--save", str(file))
    for prompt, answer in (("Your choice: ", "stop"), ("go back: ", "y")):
        assert terminal.until([prompt])
        terminal.type(answer)
    assert terminal.until(["q leaves: "])
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.until(["never"]) is None
    ended = terminal.end()
    assert (ended.code, ended.err) == (130, "")
    assert "Goodbye" in ended.out
    assert len(kept(file).records) == 2
