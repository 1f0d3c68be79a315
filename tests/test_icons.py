"""The icons of the installed app are up to date with `icon.svg`; `make icons` draws them."""

from pathlib import Path

import pytest

from tools.draw_icons import ICONS, SOURCE, Icon, digest, note_of

PUBLIC = Path(__file__).parents[1] / "client" / "public"


@pytest.mark.parametrize("icon", ICONS, ids=[icon.name for icon in ICONS])
def test_icon_is_drawn_from_the_current_source(icon: Icon) -> None:
    drawn = (PUBLIC / icon.name).read_bytes()
    assert note_of(drawn) == digest(icon, (PUBLIC / SOURCE).read_bytes()), "run `make icons`"
    assert (int.from_bytes(drawn[16:20]), int.from_bytes(drawn[20:24])) == (icon.size, icon.size)
