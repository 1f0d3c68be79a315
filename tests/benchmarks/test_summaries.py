"""What a benchmark says of its numbers."""

from benchmarks.speed.bot_decisions import within
from benchmarks.speed.processes import most_jobs
from benchmarks.speed.summaries import interleaved, ratios, spread


def test_a_number_is_told_with_its_spread() -> None:
    assert spread([3.0, 1.0, 2.0]) == "2.00 (1.00 - 3.00)"
    assert spread([1234.0, 5678.0, 1300.0], 0) == "1,300 (1,234 - 5,678)"


def test_ratios_are_taken_round_by_round() -> None:
    assert ratios([10.0, 5.0], [5.0, 2.5]) == [2.0, 2.0]


def test_in_every_round_all_play_one_after_the_other() -> None:
    played: list[tuple[str, int]] = []

    def contender(name: str, number: int) -> float:
        played.append((name, number))
        return float(number)

    both = {"one": lambda number: contender("one", number), "other": lambda number: contender("other", number)}
    assert interleaved(both, 2) == {"one": [0.0, 1.0], "other": [0.0, 1.0]}
    assert played == [("one", 0), ("other", 0), ("one", 1), ("other", 1)]


def test_all_cores_are_tried_and_some_between() -> None:
    assert [most_jobs(cores) for cores in (1, 2, 6, 8)] == [[1], [1, 2], [1, 2, 4, 6], [1, 2, 4, 8]]


def test_a_share_of_the_answers_came_in_time() -> None:
    seconds = [float(number) for number in range(20, 0, -1)]
    assert [within(seconds, share) for share in (0.5, 0.95, 0.96, 1)] == [10.0, 19.0, 20.0, 20.0]
    assert within([3.0], 0.95) == 3.0
