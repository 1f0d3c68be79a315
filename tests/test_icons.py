"""The icons of the installed app are those of `icon.svg`; `make icons` draws them."""

from pathlib import Path

import pytest

from tests.browser.icons import ICONS, SOURCE, Icon, digest, note_of

PUBLIC = Path(__file__).parent.parent / "client" / "public"


@pytest.mark.parametrize("icon", ICONS, ids=[icon.name for icon in ICONS])
def test_an_icon_is_drawn_from_what_there_is(icon: Icon) -> None:
    drawn = (PUBLIC / icon.name).read_bytes()
    assert note_of(drawn) == digest(icon, (PUBLIC / SOURCE).read_bytes()), "run `make icons`"
    assert (int.from_bytes(drawn[16:20]), int.from_bytes(drawn[20:24])) == (icon.size, icon.size)
