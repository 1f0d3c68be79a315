"""Campaigns and chapters at the terminal: one episode after the other, kept in a file, gone on with later."""

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


def test_a_campaign_goes_on_from_episode_to_episode_and_shows_how_it_stands(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "campaign.json"
    typed = [*STOP, *["", *STOP] * 11]
    said = run(*SHEETS, "--set", "mode=campaign", "--save", file, typed=typed)
    assert (said.code, said.err) == (0, "")
    assert said.out.count("The episode is over.") == 12
    assert "1 of 12 episodes are played." in said.out
    assert said.out.index("1 of 12 episodes") < said.out.index("Roll & Write, episode 2") < said.out.index("2 of 12")
    assert said.out.count("The campaign is over.") == 1
    assert "campaign in all" in said.out
    assert "Seed journey" in said.out
    campaign, playing = verify_campaign(kept(file))
    assert (campaign.over, playing) == (True, None)
    assert run("replay", file).code == 0
    assert run("verify-luck", file).code == 0


@pytest.mark.parametrize("name", ["mode=mini", "plan=mini"])
def test_a_plan_may_skip_episodes(run: Run, name: str) -> None:
    said = run(*SHEETS, "--set", name, typed=[*STOP, *["", *STOP] * 2])
    assert [number for number in range(1, 13) if f"episode {number}: roll" in said.out] == [3, 6, 12]
    assert "The campaign is over." in said.out


def test_a_chapter_of_my_city_carries_its_stickers_on(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "chapter.json"
    typed = [*STOP, "g1", "", "", *STOP]
    said = run("play", "mycity", "--set", "plan=chapter-1", "--seed", "hello", "--save", file, typed=typed)
    assert (said.code, said.err) == (0, "")
    assert "You put a tree on g1." in said.out
    assert "1 of 3 episodes are played." in said.out
    assert "Goodbye" in said.out  # the pipe ends in the middle of episode 2
    first, second = kept(file).records
    assert [first.setup["episode"], second.setup["episode"]] == [1, 2]
    assert second.setup["boards"][0]["stickers"] == {"g1": "tree"}
    assert kept(file).plan == (1, 2, 3)


def test_the_luck_of_each_episode_follows_from_the_seed(run: Run, tmp_path: Path) -> None:
    for name in ("once.json", "again.json"):
        run(*SHEETS, "--set", "mode=mini", "--save", tmp_path / name, typed=[*STOP, *["", *STOP] * 2])
    once, again = ((tmp_path / name).read_bytes() for name in ("once.json", "again.json"))
    assert once == again
    seeds = [record.seed for record in kept(tmp_path / "once.json").records]
    assert len({*seeds, seed_of("journey").hex()}) == 4


def test_one_leaves_between_episodes_and_goes_on_later(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "journey.json"
    said = run(*SHEETS, "--set", "mode=chapter-2", typed=[*STOP, "what?", "q", str(file)])
    assert (said.code, said.err) == (0, "")
    assert f"The record is in {file}." in said.out
    assert [len(record.moves) for record in kept(file).records] == [2, 0]
    said = run("play", "rollwrite", "--resume", file, "--seed", "later", typed=[*STOP, "", *STOP])
    assert (said.code, said.err) == (0, "")
    assert "The campaign is over." in said.out
    campaign, _ = verify_campaign(kept(file))
    assert [match.setup.episode for match in campaign.matches] == [4, 5, 6]
    assert all(isinstance(record.seed, str) for record in kept(file).records)


def test_an_episode_left_in_the_middle_goes_on_with_other_luck(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "open.json"
    run(*SHEETS, "--set", "mode=chapter-1", "--save", file, typed=["pass", ""])
    said = run("play", "rollwrite", "--resume", file, "--save", tmp_path / "on.json", "--seed", "x", typed=STOP)
    assert (said.code, said.err) == (0, "")
    assert [move["action"]["type"] for move in json.loads(file.read_text())["records"][0]["moves"]] == [
        "roll", "pass", "roll",
    ]  # fmt: skip
    first = json.loads((tmp_path / "on.json").read_text())["records"][0]
    assert "seed" not in first  # no single seed gives all of its luck
    assert first["scores"]
    verify_campaign(kept(tmp_path / "on.json"))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("play mycity --set plan=chapter-9", "--set plan=chapter-9: mycity has no such plan; there is campaign, chap"),
        ("play rollwrite --set mode=quick", "--set mode=quick: rollwrite has no such mode; there is campaign, chapter"),
        ("play pointcity --set plan=campaign", "--set knows no key 'plan'"),
        ("play mycity --resume missing.json", "missing.json: no such file"),
        ("play mycity --resume tests/records/games/mycity-eternal-2p-1.json", "it holds no campaign of mycity"),
        ("play rollwrite --resume tests/records/campaigns/mycity-2p.json", "it holds no campaign of rollwrite"),
        ("play mycity --resume tests/records/campaigns/mycity-2p.json", "all episodes of this campaign are played"),
    ],
)
def test_what_cannot_be_gone_on_with_is_said_in_a_sentence(run: Run, line: str, told: str) -> None:
    said = run(*line.split())
    assert said.code == 2
    assert told in said.err
    assert said.err.count("\n") == 1


@pytest.mark.slow
def test_ctrl_c_between_episodes_is_goodbye_and_keeps_everything(tmp_path: Path) -> None:
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
