"""Former public names work with a warning."""

import pytest

import polyopolis.engine
import polyopolis.records


@pytest.mark.parametrize(
    ("module", "former", "present"),
    [
        (polyopolis.engine, "Lately", "IdentityCache"),
        (polyopolis.engine, "derived", "derive_seed"),
        (polyopolis.engine, "name_of", "seat_name"),
        (polyopolis.engine, "shortened", "shorten"),
        (polyopolis.engine, "worded", "describe_action"),
        (polyopolis.records, "Played", "PlayedMatch"),
        (polyopolis.records, "key_of", "cache_key"),
        (polyopolis.records, "text_of", "record_text"),
        (polyopolis.records, "undealt", "unseeded_moves"),
    ],
)
def test_a_former_name_is_deprecated(module: object, former: str, present: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"{former} is now {present}$") as warnings:
        assert getattr(module, former) is getattr(module, present)
    assert warnings[0].filename == __file__


def test_other_names_do_not_exist() -> None:
    with pytest.raises(AttributeError, match=r"^module 'polyopolis.engine' has no attribute 'Dice'$"):
        _ = polyopolis.engine.Dice  # type: ignore[attr-defined]
