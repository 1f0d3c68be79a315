"""Every error is one sentence on stderr, with exit code 2."""

import os
from pathlib import Path

import pytest

from polyopolis.cli.terminal import mycity
from polyopolis.games.content_loader import ContentError
from tests.cli.conftest import CommandResult, Run


def assert_one_sentence(result: CommandResult, text: str) -> None:
    assert result.code == 2
    assert result.err.startswith("polyopolis: ")
    assert result.err.endswith(".\n")
    assert result.err.count("\n") == 1
    assert text in result.err
    assert "Traceback" not in result.err + result.out


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("fly", "no such command 'fly'"),
        ("--fly", "no such option: --fly"),
        ("play", "missing argument 'GAME'"),
        ("play chess", "there is no game 'chess'; the games are mycity"),
        ("play mycity --bots deep", "there is no bot 'deep'; there are gaze, greedy"),
        ("train pointcity", "training has not improved the search of pointcity (docs/training.md)"),
        ("train pointcity --part episode-1", "`polyopolis tune pointcity` tunes its weights"),
        ("train chess", "there is no game 'chess'; the games are mycity"),
        ("train mycity --part front", "--part front: mycity has no such part to train; choose from eternal, episodes"),
        ("train rollwrite --part eternal", "rollwrite has no such part to train; choose from episodes, episode-1"),
        ("train rollwrite --part episode-13", "rollwrite has no such part to train"),
        ("train mycity --part episode-0", "mycity has no such part to train"),
        ("train rollwrite --net slim --begun-with deep", "--net, --begun-with: only for nets; rollwrite episodes"),
        ("train mycity --part episode-3 --games 64", "--games: only for nets; mycity episode-3 trains patterns"),
        ("train mycity --part episodes --name mine", "--name: only for nets; mycity episodes trains patterns"),
        ("train mycity --minutes 0", "'--minutes'"),
        ("train mycity --net wide", "there is no net 'wide'; choose deep or slim"),
        ("train mycity --teacher missing", "there is no trained net in data/train/missing"),
        ("ladder mycity --levels level-5,level-9", "there is no level 'level-9'; there are level-1"),
        ("ladder mycity --levels level-5", "a ladder needs at least two bots, not only level-5"),
        ("ladder mycity --levels level-5,level-5", "a ladder needs at least two bots, not only level-5"),
        ("ladder mycity --bots-from nowhere", "'nowhere' is not the address of a bot"),
        ("games mycity --out .", "cannot write .: it is a folder"),
        ("play mycity --bots ,", "--bots needs at least one name"),
        ("play mycity --set seats=2 --bots greedy,greedy", "2 bots do not fit on 1 seat."),
        ("play mycity --bots greedy,greedy,greedy,greedy", "2 to 4 seats, not for 5"),
        ("play mycity --set seats=1", "My City is for 2 to 4 seats, not for 1"),
        ("play mycity --set seats=0", "not for 0"),
        ("play mycity --set seats=-3", "not for -3"),
        ("play mycity --set seats=many", "--set seats=many: expected `int`"),
        ("play mycity --set seat=2", "--set has no key 'seat'; the keys are mode, seats"),
        ("play mycity --set seats", "--set takes key=value, not 'seats'"),
        ("play mycity --set mode=quick", "--set mode=quick: invalid enum value"),
        ("play mycity --set mode=episode", "the setup names none"),
        ("play mycity --set mode=episode --set episode=99", "not 99"),
        ("play mycity --set boards=3", "--set boards=3: expected `array`"),
        ("play mycity --set content=9", "My City has content 1 to 1, not 9"),
        ("play mycity --save nowhere/at/all.json", "cannot write nowhere/at/all.json: no such file or directory"),
        ("play mycity --save .", "cannot write .: it is a folder"),
        ("show", "missing argument 'BOARD'"),
        ("show moon", "there is no board 'moon'; choose from mycity/eternal, mycity/front"),
        ("show mycity/", "there is no board 'mycity/'"),
        ("perft mycity", "missing option '--depth'"),
        ("perft mycity --depth 0", "'--depth'"),
        ("perft mycity --depth deep", "'--depth'"),
        ("perft chess --depth 1", "there is no game 'chess'"),
        ("perft mycity --depth 1 --set x=1", "no key 'x'"),
        ("check-content chess", "there is no game 'chess'"),
        ("arena chess", "there is no game 'chess'"),
        ("arena mycity --games 0", "'--games'"),
        ("arena mycity --jobs 0", "'--jobs'"),
        ("arena mycity --bots greedy,deep", "there is no bot 'deep'"),
        ("arena mycity --bots random,random,random --set seats=2", "3 bots do not fit on 2 seats"),
        ("arena mycity --set seats=9", "not for 9"),
        ("replay", "missing argument 'FILE...'"),
        ("replay nothing.json", "nothing.json: no such file or directory"),
        ("replay .", "directory"),
        ("replay --json --step nothing.json", "--json and --step cannot be combined"),
    ],
)
def test_an_invalid_command_is_one_sentence(
    run: Run, line: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_one_sentence(run(*line.split()), text)


def test_a_folder_to_write_into_must_not_be_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert_one_sentence(run("arena", "mycity", "--games", 1, "--save", tmp_path / "file"), "file exists")


@pytest.mark.parametrize("line", ["play mycity --save", "games mycity --bots random --count 1 --out"])
def test_output_does_not_replace_pipes_and_follows_links(run: Run, line: str, tmp_path: Path) -> None:
    """The same check protects devices such as /dev/null."""
    if line.startswith("games"):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    pipe, link, file = (tmp_path / name for name in ("pipe", "link", "file"))
    os.mkfifo(pipe)
    assert_one_sentence(run(*line.split(), pipe), f"cannot write {pipe}: it is not a regular file")
    assert pipe.is_fifo()
    link.symlink_to(file)
    assert run(*line.split(), link).code == 0
    assert (link.is_symlink(), file.is_file()) == (True, True)


def test_an_error_in_the_content_names_file_and_key(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(version: int) -> None:
        raise ContentError("board-moon.toml", "river", "the river meets itself")

    monkeypatch.setattr(mycity, "content", broken)
    assert_one_sentence(run("check-content"), "board-moon.toml: river: the river meets itself")
