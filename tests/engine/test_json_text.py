"""Untrusted JSON is checked before it is decoded."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyopolis.engine import decode_json
from polyopolis.engine.json_text import MAX_DIGITS, RefusedJSON
from tests.support.property_budget import examples

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")) | st.sampled_from(
    ["1e308", '"1e5"', "\\", '\\"1e5', "0" * 40, "\\u0000", "\\\\u0000"]
)
INTEGERS = st.integers(-(10**MAX_DIGITS) + 1, 10**MAX_DIGITS - 1)
FRACTIONS = st.decimals(-1000, 1000, places=6).map(float).filter(lambda number: "e" not in str(number))
VALUES = st.recursive(
    st.none() | st.booleans() | INTEGERS | FRACTIONS | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
)
REFUSED = ["1e308", "-1E5", "0e0", "1.5e+3", "9e-308", "1" * (MAX_DIGITS + 1), "0." + "3" * (MAX_DIGITS + 1)]


@examples(100)
@given(VALUES, st.booleans())
def test_usual_values_are_decoded(value: Any, escaped: bool) -> None:
    assert decode_json(json.dumps(value, ensure_ascii=escaped)) == value


@examples(100)
@given(VALUES, TEXTS, st.sampled_from(REFUSED), st.booleans())
def test_numbers_with_an_exponent_or_many_digits_are_refused_everywhere(
    value: Any, key: str, number: str, escaped: bool
) -> None:
    text = json.dumps([value, {key: [key, "HERE"]}], ensure_ascii=escaped)
    place = text.rindex('"HERE"')
    with pytest.raises(RefusedJSON, match="a number has an exponent or more than 18 digits"):
        decode_json(text[:place] + number + text[place + len('"HERE"') :])


@pytest.mark.parametrize("text", [r'"\u0000"', r'{"a":["\\\u0000"]}', r'{"\u0000":1}'])
def test_nul_in_a_string_is_refused(text: str) -> None:
    with pytest.raises(RefusedJSON, match="NUL"):
        decode_json(text)


@pytest.mark.parametrize("text", [r"\"[1e308]", "[1e308", r'"\"', "[1,]", "", r'"\ud800"', r'"\udc00\ud800"'])
def test_invalid_json_is_refused_by_the_check_or_the_decoder(text: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_json(text)


@pytest.mark.parametrize("number", REFUSED)
def test_the_decoder_stops_at_an_error_after_which_the_check_is_wrong(number: str) -> None:
    """The check takes the number for a part of a string, because of the third quotation mark."""
    with pytest.raises(msgspec.DecodeError) as refused:
        decode_json(f'["a"" {number}]')
    assert type(refused.value) is msgspec.DecodeError
