"""Random draws, compared with a second implementation of the specification and with fixed values."""

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyopolis.engine import Dealer, Rng, below, dealer, derive_seed, seed_of

seeds = st.binary(min_size=32, max_size=32)
PORT = seed_of("port")


def specified(seed: bytes, number: int, limit: int) -> int:
    """Returns draw `number` of a seed.

    Attempt t of it is the first 8 bytes, big-endian, of the SHA-256 of the ASCII text "polyopolis draw {number} {t} "
    followed by the seed. An attempt is rejected unless it is below the largest multiple of the limit that fits into
    2**64; the draw is the remainder of the first accepted one by the limit.
    """
    largest = (2**64 // limit) * limit
    for attempt in range(1000):
        text = f"polyopolis draw {number} {attempt} ".encode("ascii")
        word = int.from_bytes(hashlib.sha256(text + seed).digest()[0:8], byteorder="big")
        if word < largest:
            return word % limit
    raise AssertionError("a thousand attempts were rejected")


def test_a_seed_is_named_by_a_text() -> None:
    assert seed_of("Ünïcode 7") == hashlib.sha256("polyopolis seed Ünïcode 7".encode()).digest()
    assert seed_of("7").hex() == "08f9de552b0860abbbba8d9a83dc5a300eb7363eaa9ded936349b94b79e4a7a8"


def test_a_seed_for_one_use_is_derived_from_another() -> None:
    assert derive_seed(PORT, "match", 3) == hashlib.sha256(b"polyopolis match 3 " + PORT).digest()
    assert derive_seed(PORT, "match", 3).hex() == "e4dab337703393f5fa1e0f159432e9eafac12d8672a3cb88173809740c4a0e73"


def test_each_use_and_each_number_has_a_seed_of_its_own() -> None:
    found = {derive_seed(PORT, use, number) for use in ("match", "seat") for number in range(50)}
    assert len(found | {PORT}) == 101


@given(seeds, st.integers(0, 10**6), st.integers(1, 2**64))
def test_a_draw_is_as_specified(seed: bytes, number: int, limit: int) -> None:
    assert below(seed, number, limit) == specified(seed, number, limit)


def test_the_first_draws_of_a_known_seed() -> None:
    assert [below(PORT, number, 28) for number in range(10)] == [22, 24, 25, 14, 1, 22, 27, 2, 24, 16]
    assert below(PORT, 0, 2**64) == 14086785349537647202


def test_a_word_beyond_the_largest_multiple_is_drawn_again() -> None:
    # With a limit just above 2**63 about half of all words are rejected.
    limit = 2**63 + 1
    assert [below(PORT, number, limit) for number in range(4)] == [
        4390786131539018026,
        8737812274884681516,
        2161739611520027725,
        8885953422152465761,
    ]
    rejected = [number for number in range(40) if below(PORT, number, 2**64) >= limit]
    assert rejected
    assert all(below(PORT, number, limit) != below(PORT, number, 2**64) % limit for number in rejected)


def test_the_first_rejected_word_is_the_largest_multiple_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    # 2**64 - 1 is a multiple of 3: as a word it would make 0 likelier than 1 and 2. No word is left over for 2.
    words = {0: 2**64 - 1, 1: 2**64 - 2}
    monkeypatch.setattr(dealer, "_word", lambda seed, number, attempt: words[attempt])
    assert below(PORT, 0, 3) == (2**64 - 2) % 3
    assert below(PORT, 0, 2) == 1


@pytest.mark.parametrize("limit", [0, -1, 2**64 + 1])
def test_a_limit_out_of_bounds_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match=rf"^the limit of a draw is 1 to 2\*\*64, not {limit}$"):
        below(PORT, 0, limit)


def test_a_pick_gives_every_item_as_many_numbers_as_its_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    # Every number that can be drawn, 0 to 5, is drawn once.
    odds = [("clay", 1), ("wood", 3), ("gold", 2)]
    asked = []
    numbers = iter(range(6))

    def one_after_the_other(seed: bytes, number: int, limit: int) -> int:
        asked.append(limit)
        return next(numbers)

    monkeypatch.setattr(dealer, "below", one_after_the_other)
    assert [Dealer(PORT).pick(0, odds) for _ in range(6)] == ["clay", "wood", "wood", "wood", "gold", "gold"]
    assert asked == [6] * 6


@given(seeds, st.integers(0, 1000), st.lists(st.integers(1, 9), min_size=1, max_size=30))
def test_a_pick_is_the_item_on_which_the_draw_falls(seed: bytes, number: int, weights: list[int]) -> None:
    spread = [item for item, weight in enumerate(weights) for _ in range(weight)]
    picked = Dealer(seed).pick(number, list(enumerate(weights)))
    assert picked == spread[specified(seed, number, len(spread))]


def test_picks_follow_their_weights_in_the_long_run() -> None:
    picked = Counter(Dealer(PORT).pick(number, [("one", 1), ("three", 3)]) for number in range(4000))
    assert 900 < picked["one"] < 1100
    assert picked.total() == 4000


def test_draws_depend_only_on_seed_and_number() -> None:
    odds = [(card, 1) for card in range(1000)]
    dealt = [Dealer(PORT).pick(number, odds) for number in (5, 3, 5, 4)]
    dealer = Dealer(PORT)
    assert [dealer.pick(number, odds) for number in (5, 3, 5, 4)] == dealt
    assert dealt[0] == dealt[2]
    assert Dealer(seed_of("harbour")).pick(5, odds) != dealt[0]


def test_draws_in_a_row_are_draws_0_1_2_of_the_seed() -> None:
    rng = Rng(PORT)
    limits = [28, 28, 7, 1, 2**64, 6]
    assert [rng.below(limit) for limit in limits] == [
        specified(PORT, number, limit) for number, limit in enumerate(limits)
    ]


def test_a_choice_is_one_draw_among_the_items() -> None:
    rng, items = Rng(PORT), "abcdefg"
    assert [rng.choice(items) for _ in range(20)] == [items[specified(PORT, number, 7)] for number in range(20)]
