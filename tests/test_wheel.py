"""What an installed Polyopolis brings along."""

import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_the_wheel_carries_the_client_the_content_and_the_migrations(tmp_path: Path) -> None:
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    names = zipfile.ZipFile(wheel).namelist()
    for needed in (
        "polyopolis/server/static/index.html",
        "polyopolis/games/mycity/content/v1/eternal.toml",
        "polyopolis/server/migrations/env.py",
        "polyopolis/cli/words/en.toml",
        "polyopolis/cli/words/mycity.en.toml",
        "polyopolis/py.typed",
    ):
        assert needed in names
    assert any(name.startswith("polyopolis/server/static/assets/") and name.endswith(".js") for name in names)
