"""PC-11 and PC-12: ways to pay, and their number."""

from itertools import combinations
from random import Random

import pytest

from polyopolis.engine import Reason
from polyopolis.games.pointcity import rules
from polyopolis.games.pointcity.actions import Paid, Pay
from polyopolis.games.pointcity.content import FACES, Card
from polyopolis.games.pointcity.payment import payments, ways_to_pay
from polyopolis.games.pointcity.state import Player
from tests.games.pointcity import naive
from tests.games.pointcity.positions import MATERIAL, choices, city, granting, play, player, refusal, stock, table

NEEDS_2 = MATERIAL.cards["a7-energy"]
"""Two Industry."""
NEEDS_3 = MATERIAL.cards["a11-community"]
"""Three Industry."""
MARKET = """
    a7-energy ecology   economy   ecology
    a11-community energy ecology  economy
    ecology   community energy    community
    economy   ecology   community energy
"""


def paid(stock: str, card: Card, city: str = "") -> list[str]:
    return [" ".join(pay.cards) for pay in payments(player(stock, city), [card])]


@pytest.mark.rule("PC-11")
def test_a_double_gives_two_and_no_change_is_given() -> None:
    assert paid("industry-2", NEEDS_2) == ["industry-2"]
    assert paid("industry-2 industry-2", NEEDS_3) == ["industry-2 industry-2"]
    match = play(table(MARKET, player("industry-2 industry-2"), player()), "take a2 b2", "token flat-5")
    assert stock(match) == ["energy"]


@pytest.mark.rule("PC-11")
def test_two_doubles_for_three_are_a_way_even_with_a_single_at_hand() -> None:
    assert paid("industry industry-2 industry-2", NEEDS_3) == ["industry industry-2", "industry-2 industry-2"]


@pytest.mark.rule("PC-11")
def test_a_card_that_could_be_left_out_is_not_spent() -> None:
    assert paid("industry industry-2", NEEDS_2) == ["industry-2"]
    assert paid("industry industry industry", NEEDS_2) == ["industry industry"]
    assert paid("industry industry ingenuity", NEEDS_2) == ["industry industry", "industry ingenuity"]


@pytest.mark.rule("PC-11")
def test_permanents_pay_first() -> None:
    assert paid("industry industry", NEEDS_2, granting(industry=1)) == ["industry"]
    assert paid("industry industry", NEEDS_2, granting(industry=2)) == [""]
    assert paid("industry-2", NEEDS_3, granting(industry=2)) == ["industry-2"]


@pytest.mark.rule("PC-11")
def test_a_single_way_is_paid_at_once_and_several_are_offered() -> None:
    paid = play(table(MARKET, player("industry industry"), player()), "take a1 b1")
    assert Paid(0, ("industry", "industry")) in paid.events
    several = play(table(MARKET, player("industry industry ingenuity"), player()), "take a1 b1")
    assert several.due == {0}
    assert rules.legal(several.state, 0) == [Pay(("industry", "industry")), Pay(("industry", "ingenuity"))]
    match = play(several, "pay ingenuity industry")
    assert stock(match) == ["ecology", "industry"]
    assert city(match) == ["a7-energy"]
    assert match.moves[-1].action.cards == ("industry", "ingenuity")


@pytest.mark.rule("PC-11")
@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("energy energy", "not-held"),
        ("gold", "not-held"),
        ("industry", "too-little"),
        ("ecology ingenuity", "too-little"),
        ("industry industry ingenuity", "too-much"),
    ],
)
def test_other_payments_are_refused(cards: str, code: str) -> None:
    match = play(table(MARKET, player("industry industry ingenuity"), player()), "take a1 b1")
    reason = refusal(match, f"pay {cards}")
    assert reason
    assert reason.code == code
    assert refusal(match, "draw") == Reason("not-now")


@pytest.mark.rule("PC-12")
def test_ingenuity_is_one_symbol_of_any_resource() -> None:
    assert paid("ingenuity ingenuity", NEEDS_2) == ["ingenuity ingenuity"]
    assert paid("ingenuity", NEEDS_2) == []
    assert paid("industry-2 ingenuity", NEEDS_3) == ["industry-2 ingenuity"]


@pytest.mark.rule("PC-12")
def test_no_building_grants_ingenuity() -> None:
    owner = player("", " ".join(name for name in MATERIAL.cards if name.startswith("b7")))
    assert owner.permanents == (0,) * 5


@pytest.mark.rule("PC-12")
def test_ways_with_the_fewest_ingenuity_cards_come_first() -> None:
    found = paid("industry industry industry-2 ingenuity ingenuity", NEEDS_3)
    assert found[0] == "industry industry-2"
    assert [way.count("ingenuity") for way in found] == sorted(way.count("ingenuity") for way in found)


def test_all_ways_to_pay_are_found() -> None:
    random = Random(11)
    names = sorted(MATERIAL.cards)
    for _ in range(300):
        buying = [MATERIAL.cards[name] for name in random.choices(names, k=random.choice([1, 2]))]
        held = " ".join(random.choices(FACES, k=random.randrange(12)))
        owned = granting(**{resource: random.randrange(2) for resource in ("energy", "ecology", "economy")})
        own, other = player(held, owned), naive.Player(held.split())
        other.city = [naive.BY_NAME[name] for name in owned.split()]
        expected = naive.ways(other, [naive.BY_NAME[card.name] for card in buying])
        found = [tuple(sorted(way)) for way in ways_to_pay(own, buying)]
        assert len(set(found)) == len(found)
        assert set(found) == expected


def hoards(size: int, number: int) -> list[Player]:
    """Returns players with stocks drawn from the deck."""
    random = Random(7)
    faces = [card.side.face for card in MATERIAL.cards.values() for _ in range(card.copies)]
    return [player(" ".join(random.sample(faces, size))) for _ in range(number)]


@pytest.mark.rule("PC-11")
def test_a_hoarder_has_less_than_100_ways_to_pay_one_building() -> None:
    for hoard in hoards(25, 40):
        for card in MATERIAL.cards.values():
            assert sum(1 for _ in ways_to_pay(hoard, [card])) < 100


@pytest.mark.rule("PC-11")
def test_a_hoarder_has_hardly_ever_500_ways_to_pay_two() -> None:
    """At most 1 in 200 of all pairs of buildings and stocks of 25 cards drawn from the deck."""
    random, pairs = Random(3), list(combinations(MATERIAL.cards.values(), 2))
    found = [sum(1 for _ in ways_to_pay(hoard, pair)) for hoard in hoards(25, 40) for pair in random.sample(pairs, 250)]
    assert sum(number >= 500 for number in found) <= len(found) // 200


@pytest.mark.rule("PC-11")
def test_the_most_ways_that_a_hoard_of_25_cards_has() -> None:
    """The two most costly buildings, and the stock with the most ways to pay them that a search found."""
    both = [MATERIAL.cards["c7-energy"], MATERIAL.cards["c7-industry"]]
    worst = Player(stock=(3, 2, 0, 0, 3, 2, 2, 2, 2, 2, 7))
    assert sum(worst.stock) == 25
    assert sum(1 for _ in ways_to_pay(worst, both)) == 1911


@pytest.mark.rule("PC-7")
def test_a_hoarder_has_less_than_100_other_choices() -> None:
    for hoard in hoards(25, 3):
        match = table(MARKET, hoard, player())
        assert len(choices(match)) < 100
