"""Names of players: readable and not confusable."""

import pytest

from polyopolis.engine import PolyopolisError
from polyopolis.play.seats.player_names import are_confusable, validate_name
from polyopolis.play.wire.requests import HandOver, Join
from tests.play.in_memory_site import InMemorySite


@pytest.mark.parametrize("name", ["Ada", "Zoë", "李小龍", "Ольга", "👩‍🚀", "-", "R2-D2", "O’Neil"])  # noqa: RUF001
def test_readable_names_are_valid(name: str) -> None:
    assert validate_name(name) == name


def test_names_are_normalized() -> None:
    assert validate_name("  Ada \u3000  Lovelace ") == "Ada Lovelace"
    assert validate_name("Zoe\u0308") == "Zoë"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (" ", "no visible character"),
        ("\u200b", "no visible character"),
        ("Ada\u202eneB", "U+202E"),
        ("Ada\x07", "U+0007"),
        ("A\u200bda", "U+200B"),
        ("\ue000Ada", "U+E000"),
        ("Аda", "several scripts"),  # noqa: RUF001 - the case under test
    ],
)
def test_deceptive_names_are_rejected_with_a_reason(name: str, reason: str) -> None:
    with pytest.raises(PolyopolisError, match=reason.replace("+", r"\+")):
        validate_name(name)


def test_confusable_names() -> None:
    for name, other in (("Bernie", "Bemie"), ("Ilse", "llse"), ("Bob", "B0b"), ("сор", "cop"), ("Ada", "ADA")):  # noqa: RUF001
        assert are_confusable(name, other)
    assert not are_confusable("Ada", "Ada"), "equal names are not confusable"
    assert not are_confusable("Ada", "Ben")


@pytest.mark.anyio
async def test_confusable_names_are_rejected_at_one_table() -> None:
    site = InMemorySite()
    table = await site.table("Ilse", "open")
    with pytest.raises(PolyopolisError, match="it looks like Ilse"):
        await table.change_seat("Eve", 1, Join("llse"))
    await table.change_seat("Eve", 1, Join("Eve"))
    with pytest.raises(PolyopolisError, match="it looks like Ilse"):
        await table.change_seat("Eve", 1, HandOver("1lse"))
