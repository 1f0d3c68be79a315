"""Whatever is wrong is told in one sentence on stderr, with exit code 2."""

import os
from pathlib import Path

import pytest

from polyopolis.cli.terminal import mycity
from polyopolis.games.content_loader import ContentError
from tests.cli.conftest import Run, Said


def assert_one_sentence(said: Said, told: str) -> None:
    assert said.code == 2
    assert said.err.startswith("polyopolis: ")
    assert said.err.endswith(".\n")
    assert said.err.count("\n") == 1
    assert told in said.err
    assert "Traceback" not in said.err + said.out


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("fly", "no such command 'fly'"),
        ("--fly", "no such option: --fly"),
        ("play", "missing argument 'GAME'"),
        ("play chess", "there is no game 'chess'; there is mycity"),
        ("play mycity --bots deep", "there is no bot 'deep'; there are gaze, greedy"),
        ("train pointcity", "nothing that was learnt made the search of pointcity better (docs/training.md)"),
        ("train pointcity --part episode-1", "`polyopolis tune pointcity` learns its weights"),
        ("train chess", "there is no game 'chess'; there is mycity"),
        ("train mycity --part front", "--part front: mycity has no such part to be learnt; there is eternal, episodes"),
        ("train rollwrite --part eternal", "rollwrite has no such part to be learnt; there is episodes, episode-1"),
        ("train rollwrite --part episode-13", "rollwrite has no such part to be learnt"),
        ("train mycity --part episode-0", "mycity has no such part to be learnt"),
        ("train rollwrite --net slim --begun-with deep", "--net, --begun-with: only for nets; patterns are learnt of"),
        ("train mycity --part episode-3 --games 64", "--games: only for nets; patterns are learnt of mycity episode-3"),
        ("train mycity --part episodes --name mine", "--name: only for nets; patterns are learnt of mycity episodes"),
        ("train mycity --minutes 0", "'--minutes'"),
        ("train mycity --net wide", "there is no net 'wide'; there is deep and slim"),
        ("train mycity --teacher nobody", "no net has learnt in data/train/nobody yet"),
        ("ladder mycity --levels level-5,level-9", "there is no level 'level-9'; there are level-1"),
        ("ladder mycity --levels level-5", "a ladder is of two bots at least; there is level-5"),
        ("ladder mycity --levels level-5,level-5", "a ladder is of two bots at least; there is level-5"),
        ("ladder mycity --bots-from nowhere", "'nowhere' is no address of a bot"),
        ("games mycity --out .", "cannot write .: it is a folder"),
        ("play mycity --bots ,", "--bots names at least one bot"),
        ("play mycity --set seats=2 --bots greedy,greedy", "2 bots do not fit on 1 seat."),
        ("play mycity --bots greedy,greedy,greedy,greedy", "2 to 4 seats, not for 5"),
        ("play mycity --set seats=1", "My City is for 2 to 4 seats, not for 1"),
        ("play mycity --set seats=0", "not for 0"),
        ("play mycity --set seats=-3", "not for -3"),
        ("play mycity --set seats=many", "--set seats=many: expected `int`"),
        ("play mycity --set seat=2", "--set knows no key 'seat'; the keys are mode, seats"),
        ("play mycity --set seats", "--set takes key=value, not 'seats'"),
        ("play mycity --set mode=quick", "--set mode=quick: invalid enum value"),
        ("play mycity --set mode=episode", "none is named"),
        ("play mycity --set mode=episode --set episode=99", "not 99"),
        ("play mycity --set boards=3", "--set boards=3: expected `array`"),
        ("play mycity --set content=9", "My City has content 1 to 1, not 9"),
        ("play mycity --save nowhere/at/all.json", "cannot write nowhere/at/all.json: no such file or directory"),
        ("play mycity --save .", "cannot write .: it is a folder"),
        ("show", "missing argument 'BOARD'"),
        ("show moon", "there is no board 'moon'; there is mycity/eternal, mycity/front"),
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
        ("replay --json --step nothing.json", "--json and --step do not go together"),
    ],
)
def test_a_wrong_line(run: Run, line: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert_one_sentence(run(*line.split()), told)


def test_a_folder_that_is_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert_one_sentence(run("arena", "mycity", "--games", 1, "--save", tmp_path / "file"), "file exists")


@pytest.mark.parametrize("line", ["play mycity --save", "games mycity --bots random --count 1 --out"])
def test_what_is_no_file_stays_what_it_is_and_a_link_leads_to_its_file(run: Run, line: str, tmp_path: Path) -> None:
    """A device that is replaced by a file is missed by everybody."""
    if line.startswith("games"):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed, so no data is written")
    pipe, link, file = (tmp_path / name for name in ("pipe", "link", "file"))
    os.mkfifo(pipe)
    assert_one_sentence(run(*line.split(), pipe), f"cannot write {pipe}: it is no file")
    assert pipe.is_fifo()
    link.symlink_to(file)
    assert run(*line.split(), link).code == 0
    assert (link.is_symlink(), file.is_file()) == (True, True)


def test_content_that_cannot_be(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(version: int) -> None:
        raise ContentError("board-moon.toml", "river", "the river meets itself")

    monkeypatch.setattr(mycity, "content", broken)
    assert_one_sentence(run("check-content"), "board-moon.toml: river: the river meets itself")
