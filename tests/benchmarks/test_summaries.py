"""Tests of the summaries of benchmarks."""

from benchmarks.speed.bot_decisions import quantile
from benchmarks.speed.processes import job_numbers
from benchmarks.speed.summaries import format_spread, ratios, run_interleaved


def test_spread_is_formatted_as_median_with_minimum_and_maximum() -> None:
    assert format_spread([3.0, 1.0, 2.0]) == "2.00 (1.00 - 3.00)"
    assert format_spread([1234.0, 5678.0, 1300.0], 0) == "1,300 (1,234 - 5,678)"


def test_ratios_are_computed_round_by_round() -> None:
    assert ratios([10.0, 5.0], [5.0, 2.5]) == [2.0, 2.0]


def test_contenders_run_one_after_the_other_in_each_round() -> None:
    played: list[tuple[str, int]] = []

    def contender(name: str, number: int) -> float:
        played.append((name, number))
        return float(number)

    both = {"one": lambda number: contender("one", number), "other": lambda number: contender("other", number)}
    assert run_interleaved(both, 2) == {"one": [0.0, 1.0], "other": [0.0, 1.0]}
    assert played == [("one", 0), ("other", 0), ("one", 1), ("other", 1)]


def test_job_numbers_are_powers_of_two_and_the_number_of_cores() -> None:
    assert [job_numbers(cores) for cores in (1, 2, 6, 8)] == [[1], [1, 2], [1, 2, 4, 6], [1, 2, 4, 8]]


def test_quantile_is_the_smallest_value_that_covers_the_share() -> None:
    seconds = [float(number) for number in range(20, 0, -1)]
    assert [quantile(seconds, share) for share in (0.5, 0.95, 0.96, 1)] == [10.0, 19.0, 20.0, 20.0]
    assert quantile([3.0], 0.95) == 3.0
