"""The registry of games: imports on demand, games of the environment, former names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import polyopolis.games
from polyopolis.games import BUILTIN_MODULES, BUILTIN_SPECS, EXTRA_GAMES_VARIABLE, GAME_SPECS, spec_of
from polyopolis.games import game_spec as game_specs

PRINT_IMPORTED = """
import sys
print(*[key for key in ("mycity", "pointcity", "rollwrite") if f"polyopolis.games.{key}" in sys.modules])
"""


def python(code: str, extra_games: str = "", path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs code in a process with these modules in POLYOPOLIS_GAMES and this folder on its path."""
    folders = os.pathsep.join(filter(None, (str(path or ""), os.environ["PYTHONPATH"])))
    environment = {**os.environ, EXTRA_GAMES_VARIABLE: extra_games, "PYTHONPATH": folders}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, check=False, env=environment, text=True)


@pytest.mark.parametrize(
    ("code", "imported"),
    [
        ("import polyopolis.games", []),
        ("from polyopolis.games import GAME_SPECS; list(GAME_SPECS)", []),
        ("import polyopolis.games.mycity.rules", ["mycity"]),
        ("from polyopolis.games import game; game('rollwrite')", ["rollwrite"]),
        ("from polyopolis.games import GAME_SPECS; list(GAME_SPECS.values())", [*BUILTIN_MODULES]),
        ("from polyopolis.games import BUILTIN_SPECS", [*BUILTIN_MODULES]),
    ],
)
def test_games_are_imported_on_demand(code: str, imported: list[str]) -> None:
    assert python(code + PRINT_IMPORTED).stdout.split() == imported


def test_games_have_the_keys_under_which_they_are_listed() -> None:
    assert [spec.key for spec in BUILTIN_SPECS] == [*BUILTIN_MODULES]
    assert all(spec.key == key for key, spec in GAME_SPECS.items())
    assert len(GAME_SPECS) == len([*GAME_SPECS])


def test_only_built_in_games_are_known_without_the_environment() -> None:
    assert python("from polyopolis.games import GAME_SPECS; print(*GAME_SPECS)").stdout.split() == [*BUILTIN_MODULES]


# Games of the environment


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns a folder with modules for POLYOPOLIS_GAMES."""
    spec = "from dataclasses import replace\nfrom polyopolis.games.mycity.spec import SPEC as SPEC_OF_MY_CITY\n"
    (tmp_path / "present.py").write_text(f"{spec}SPEC = replace(SPEC_OF_MY_CITY, daily=())\n")
    (tmp_path / "former.py").write_text(f"{spec}SIGN = replace(SPEC_OF_MY_CITY, daily=())\n")
    (tmp_path / "empty.py").write_text("")
    return tmp_path


@pytest.mark.parametrize("module", ["present", "former"])
def test_a_module_defines_its_spec_by_the_present_or_the_former_name(folder: Path, module: str) -> None:
    """It replaces the game of this package with the same key."""
    code = "from polyopolis.games import GAME_SPECS, spec_of; print(spec_of('mycity').daily, *GAME_SPECS)"
    assert python(code, f" {module} ,", folder).stdout.split() == ["()", *BUILTIN_MODULES]


@pytest.mark.parametrize(
    ("module", "reason"),
    [("nowhere.spec", "which does not exist"), ("empty", "which does not define SPEC")],
)
def test_a_bad_module_is_reported_when_the_registry_is_first_read(folder: Path, module: str, reason: str) -> None:
    message = f"{EXTRA_GAMES_VARIABLE} names the module {module}, {reason}"
    for code in ("GAME_SPECS.get('mycity')", "spec_of('chess')", "game('mycity')", "len(GAME_SPECS)"):
        failed = python(
            f"from polyopolis.games import *; from polyopolis.games import GAME_SPECS; {code}", module, folder
        )
        assert failed.stderr.strip().endswith(message), code


def test_a_spec_can_be_replaced_and_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(GAME_SPECS, "other", spec_of("mycity"))
        assert spec_of("other") is spec_of("mycity")
    assert "other" not in GAME_SPECS


# Former names


@pytest.mark.parametrize(
    ("former", "present"),
    [("HOUSE", "BUILTIN_SPECS"), ("SIGNS", "GAME_SPECS"), ("sign_of", "spec_of"), ("GUESTS", "EXTRA_GAMES_VARIABLE")],
)
def test_former_names_of_the_registry_are_deprecated(former: str, present: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"^polyopolis.games.{former} is now {present}$") as warnings:
        assert getattr(polyopolis.games, former) == getattr(polyopolis.games, present)
    assert warnings[0].filename == __file__


@pytest.mark.parametrize(("former", "present"), [("Sign", "GameSpec"), ("BadSign", "BadGameSpec")])
def test_former_names_of_specs_are_deprecated(former: str, present: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"{former} is now {present}$") as warnings:
        assert getattr(game_specs, former) is getattr(game_specs, present)
    assert warnings[0].filename == __file__


def test_other_names_do_not_exist() -> None:
    with pytest.raises(AttributeError, match=r"^module 'polyopolis.games' has no attribute 'GAMES'$"):
        _ = polyopolis.games.GAMES  # type: ignore[attr-defined]
