"""Confidence intervals compared with published quantiles, exact coverage and published intervals."""

from math import comb, inf, sqrt

import pytest

from polyopolis.confidence_intervals import mean_margin, share_interval, t_quantile, wilson_interval


@pytest.mark.parametrize(
    ("degrees_of_freedom", "quantile"),
    [
        (1, 12.7062),
        (2, 4.30265),
        (3, 3.18245),
        (4, 2.77645),
        (5, 2.57058),
        (10, 2.22814),
        (30, 2.04227),
        (120, 1.97993),
        (999, 1.96234),
        (1000, 1.96234),
        (inf, 1.95996),
    ],
)
def test_quantiles_of_student_t_match_published_values(degrees_of_freedom: float, quantile: float) -> None:
    assert t_quantile(degrees_of_freedom) == pytest.approx(quantile, rel=5e-6)


def test_quantiles_match_the_closed_forms_for_one_and_two_degrees_of_freedom() -> None:
    assert t_quantile(2) == pytest.approx(0.95 * sqrt(2 / (1 - 0.95**2)), rel=1e-9)
    assert t_quantile(1) == pytest.approx(12.706204736432095, rel=1e-9)


def test_margin_of_a_mean_uses_student_t() -> None:
    assert mean_margin([1.0, 2.0, 3.0, 4.0]) == pytest.approx(3.182446 * sqrt(5 / 3) / 2, rel=1e-6)
    assert mean_margin([7.0]) is None


@pytest.mark.parametrize(
    ("successes", "number", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_intervals_match_published_values(successes: int, number: int, low: float, high: float) -> None:
    """Newcombe (1998), Two-sided confidence intervals for the single proportion, table I, method 3."""
    assert wilson_interval(successes / number, number) == pytest.approx((low, high), abs=5e-5)
    assert wilson_interval(1 - successes / number, number) == pytest.approx((1 - high, 1 - low), abs=5e-5)


@pytest.mark.parametrize("number", [5, 17, 50])
def test_wilson_intervals_have_a_mean_coverage_of_about_95_percent(number: int) -> None:
    """Computes the exact probability that the interval contains the true share, as a mean over all shares."""
    shares = [step / 200 for step in range(1, 200)]
    held = 0.0
    for share in shares:
        for successes in range(number + 1):
            low, high = wilson_interval(successes / number, number)
            if low <= share <= high:
                held += comb(number, successes) * share**successes * (1 - share) ** (number - successes)
    assert held / len(shares) == pytest.approx(0.95, abs=0.01)


def test_effective_number_of_observations_follows_the_variance_between_clusters() -> None:
    alike = [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]
    assert share_interval(alike) == pytest.approx(wilson_interval(0.75, 4)), "the second value adds no information"
    balanced = [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]
    assert share_interval(balanced) == wilson_interval(0.5, 8), "never more observations than values"
    between = [[1.0, 1.0], [1.0, 0.0], [0.0, 0.0], [1.0, 1.0]]
    low, high = share_interval(between)
    assert wilson_interval(0.625, 4)[0] < low < wilson_interval(0.625, 8)[0]
    assert wilson_interval(0.625, 8)[1] < high < wilson_interval(0.625, 4)[1]


def test_identical_clusters_count_as_one_observation_each() -> None:
    assert share_interval([[1.0, 1.0]] * 6) == wilson_interval(1.0, 6)
    assert share_interval([[0.0]] * 6) == wilson_interval(0.0, 6)
    assert share_interval([[0.5]]) == wilson_interval(0.5, 1)
