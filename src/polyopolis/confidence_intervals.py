"""95 % confidence intervals for means and shares, also of few observations. Plain Python, imports no other package."""

from collections.abc import Sequence
from functools import cache
from math import cos, inf, pi, sin, sqrt, tan
from statistics import fmean, pvariance, stdev

NORMAL_QUANTILE = 1.959963984540054
"""97.5 % quantile of the standard normal distribution."""
MANY_DEGREES_OF_FREEDOM = 1000
"""From here on the expansion of the t quantile about the normal one is off by less than 3e-6."""


@cache
def t_quantile(degrees_of_freedom: float) -> float:
    """97.5 % quantile of Student's t distribution; the degrees of freedom are a positive integer or `inf`."""
    if degrees_of_freedom >= MANY_DEGREES_OF_FREEDOM:
        return NORMAL_QUANTILE + (NORMAL_QUANTILE**3 + NORMAL_QUANTILE) / (4 * degrees_of_freedom)
    freedom = int(degrees_of_freedom)
    low, high = 0.0, pi / 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if _central_probability(middle, freedom) < 0.95 else (low, middle)
    return sqrt(freedom) * tan(low)


def _central_probability(angle: float, freedom: int) -> float:
    """P(|T| < sqrt(freedom) tan(angle)), by Abramowitz and Stegun 26.7.3 and 26.7.4."""
    odd = freedom % 2
    term, total = cos(angle) ** odd, 0.0
    for power in range(odd, freedom - 1, 2):
        total += term
        term *= (power + 1) / (power + 2) * cos(angle) ** 2
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def mean_margin(values: Sequence[float]) -> float | None:
    """Half the width of the interval of a mean by Student's t; None for a single value."""
    number = len(values)
    return t_quantile(number - 1) * stdev(values) / sqrt(number) if number > 1 else None


def wilson_interval(share: float, number: float) -> tuple[float, float]:
    """Wilson's score interval of a share (0 to 1) of `number` independent observations."""
    spread = NORMAL_QUANTILE**2 / number
    middle = (share + spread / 2) / (1 + spread)
    margin = sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    return max(middle - margin, 0.0), min(middle + margin, 1.0)


def share_interval(clusters: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Wilson's interval of the mean of cluster means; the values (0 to 1) of one cluster may depend on each other.

    The number of observations is the effective one: independent observations of that number would vary as much as the
    cluster means do. It is at least the number of clusters and at most the number of values.
    """
    means = [fmean(values) for values in clusters]
    share, variance, number = fmean(means), pvariance(means), float(len(means))
    if 0.0 < share < 1.0:
        effective = number * share * (1 - share) / variance if variance else inf
        number = min(max(effective, number), float(sum(map(len, clusters))))
    return wilson_interval(share, number)
