"""Records: writing, reading, replaying, verifying, and the errors of wrong files."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from polyopolis.bots.tournaments.arena import play
from polyopolis.engine import CHANCE, BadCampaign, Campaign, Match, derive_seed, seed_of
from polyopolis.games import game
from polyopolis.records import (
    CampaignRecord,
    Record,
    RecordError,
    campaign_record_of,
    digest_of,
    parse,
    read,
    record_of,
    record_text,
    verify,
    verify_campaign,
    write,
)

GAMES = sorted((Path(__file__).parent / "games").glob("*.json"))
CAMPAIGNS = Path(__file__).parent / "campaigns"
SEED = seed_of("records")
mycity = game("mycity")


@pytest.fixture(scope="module")
def match() -> Match:
    return play(mycity, mycity.Setup(seats=2), ("random", "random"), SEED, seed_of("bots"))


@pytest.fixture
def file(match: Match, tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    write(record_of(match, ("Ada", "Ben"), SEED), path)
    return path


def verified(path: Path) -> Match:
    record = read(path)
    assert isinstance(record, Record)
    return verify(record)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_recorded_games_replay_to_the_last_event(path: Path) -> None:
    match = verified(path)
    assert match.over
    assert list(match.result.scores) == json.loads(path.read_text())["scores"]


def test_recorded_games_end_in_every_way() -> None:
    endings = set()
    for path in GAMES:
        if not path.stem.startswith("mycity"):
            continue
        match = verified(path)
        stopped = bool(match.state.deck)
        endings.add("all stopped" if stopped else f"last card {type(match.events[-2]).__name__.lower()}")
    assert endings >= {
        "all stopped",
        "last card built",
        "last card passed",
        "last card forbidden",
        "last card revealed",
    }


def test_recorded_games_of_roll_and_write_end_in_every_way() -> None:
    matches = [verified(path) for path in GAMES if path.stem.startswith("rollwrite")]
    assert {match.setup.episode for match in matches if len(match.state.cities) == 1} == set(range(1, 13))
    assert max(match.setup.seats for match in matches) == 12
    endings = {ending for match in matches for ending in rollwrite_endings(match)}
    assert endings == {
        "stop by choice", "stop is forced", "church that cannot be passed", "no passing", "at once",
        "race shared", "race won alone", "race open", "rank shared",
    }  # fmt: skip


def rollwrite_endings(match: Match) -> Iterator[str]:
    """Yields features of the last decision, the race and the ranks."""
    last = match.rewound(max(number for number, move in enumerate(match.moves, start=1) if move.seat == CHANCE))
    state, seat = last.state, min(last.due)
    yield "stop by choice" if len(match.game.legal(state, seat)) > 1 else "stop is forced"
    if state.task.kind == "church" and state.cities[seat].circles == 5:
        yield "church that cannot be passed"
    if not state.episode.rules.passing:
        yield "no passing"
    if state.rolls == 1:
        yield "at once"
    if state.episode.rules.races:
        winners = sum(bool(city.won) for city in match.state.cities)
        yield {0: "race open", 1: "race won alone"}.get(winners, "race shared")
    if match.result.ranks.count(1) > 1:
        yield "rank shared"


def test_recorded_games_of_point_city_end_in_every_way() -> None:
    matches = [verified(path) for path in GAMES if path.stem.startswith("pointcity")]
    assert {(match.setup.seats, match.setup.automa) for match in matches} == {
        (1, "easy"), (1, "medium"), (1, "hard"), (2, UNSET), (3, UNSET), (4, UNSET),
    }  # fmt: skip
    assert {match.setup.tokens for match in matches if match.setup.seats == 1} == {UNSET, "chosen"}
    assert {ending for match in matches for ending in pointcity_endings(match)} == {
        "last take", "last pay", "last token", "last skip", "last of the Automa", "14 cards", "16 cards",
        "no token left", "tie broken", "victory shared", "won alone", "lost alone",
    }  # fmt: skip


def pointcity_endings(match: Match) -> Iterator[str]:
    """Yields features of the last turn, the remaining market and tokens, and the winner."""
    last = msgspec.to_builtins(match.moves[-1].action)["type"]
    yield "last of the Automa" if match.setup.seats == 1 else f"last {last}"
    yield f"{sum(found is not None for found in match.state.market)} cards"
    if not match.state.tokens:
        yield "no token left"
    scores, ranks = match.result.scores, match.result.ranks
    if match.setup.seats == 1:
        yield "won alone" if ranks[0] == 1 else "lost alone"
    elif scores.count(max(scores)) > 1:
        yield "tie broken" if ranks.count(1) == 1 else "victory shared"


def test_a_record_has_the_fields_of_the_format_in_their_order(file: Path) -> None:
    record = json.loads(file.read_text())
    assert list(record) == [
        "format", "game", "rules", "content", "setup", "seed", "players", "moves", "scores", "ranks", "sheets",
        "digest",
    ]  # fmt: skip
    assert record["format"] == "polyopolis/1"
    assert record["setup"] == {"mode": "eternal", "seats": 2, "content": 1}
    assert record["seed"] == SEED.hex()
    assert record["moves"][0].keys() == {"seat", "action"}
    assert record["moves"][0]["seat"] == -1
    assert record["sheets"][0][0] == {"line": "start", "count": 1, "points": 10}


def test_a_record_is_read_back_as_written(match: Match, file: Path) -> None:
    again = verified(file)
    assert (again.moves, again.events, again.state.cities) == (match.moves, match.events, match.state.cities)
    assert file.read_text() == record_text(record_of(again, ("Ada", "Ben"), SEED))


def test_writing_leaves_no_other_file(file: Path) -> None:
    assert list(file.parent.iterdir()) == [file]


def test_the_record_of_an_unfinished_match_has_no_seed(match: Match, tmp_path: Path) -> None:
    half = match.rewound(30)
    path = tmp_path / "half.json"
    write(record_of(half, seed=SEED), path)
    assert SEED.hex() not in path.read_text()
    assert "scores" not in json.loads(path.read_text())
    assert verified(path).moves == half.moves


def test_a_record_without_derived_fields_can_be_verified(file: Path, match: Match) -> None:
    record = json.loads(file.read_text())
    for field in ("seed", "players", "scores", "ranks", "sheets", "digest"):
        del record[field]
    del record["setup"]["content"]
    file.write_text(json.dumps(record))
    assert digest_of(verified(file)) == digest_of(match)


def first(record: dict[str, Any], tag: str, skip: int = 0) -> int:
    """Returns the index of a move by its type."""
    found = [index for index, move in enumerate(record["moves"]) if move["action"]["type"] == tag]
    return found[skip]


def place_elsewhere(record: dict[str, Any]) -> str:
    index = first(record, "place", 4)
    record["moves"][index]["action"]["cells"] = ["a3", "a4"]
    return f"move {index + 1}: seat {record['moves'][index]['seat']} cannot place a3 a4: not-the-shape"


def drop_a_move(record: dict[str, Any]) -> str:
    index = first(record, "reveal", 6)
    del record["moves"][index]
    return f"move {index + 1}: seat 0 cannot .*: not-due, due chance"


def break_off_inside_a_round(record: dict[str, Any]) -> str:
    index = first(record, "reveal", 5)
    del record["moves"][index + 2 :]
    return f"the moves end inside a round after move {index + 2}: seat 1 has not decided"


def break_off_after_a_round(record: dict[str, Any]) -> str:
    index = first(record, "reveal", 5)
    del record["moves"][index:]
    return f"the moves end with move {index}, but the game is not over: chance is due"


def exchange_seats(record: dict[str, Any]) -> str:
    index = first(record, "reveal", 3) + 1
    record["moves"][index : index + 2] = record["moves"][index : index + 2][::-1]
    return f"move {index + 1} is by seat 1, but seat 0 comes first"


def another_card(record: dict[str, Any]) -> str:
    index = first(record, "reveal", 3)
    later = record["moves"][first(record, "reveal", 9)]["action"]["card"]
    dealt = record["moves"][index]["action"]["card"]
    record["moves"][index]["action"]["card"] = later
    return f"move {index + 1}: the seed deals reveal {dealt}, the record has reveal {later}"


def a_card_twice_without_a_seed(record: dict[str, Any]) -> str:
    del record["seed"]
    index = first(record, "reveal", 3)
    record["moves"][index] = record["moves"][first(record, "reveal")]
    return f"move {index + 1}: chance cannot reveal .*: impossible-luck"


def go_on_after_the_end(record: dict[str, Any]) -> str:
    record["moves"].append({"seat": 0, "action": {"type": "pass"}})
    return f"move {len(record['moves'])}: seat 0 cannot pass: game-over"


def an_unknown_action(record: dict[str, Any]) -> str:
    record["moves"][7]["action"] = {"type": "fly"}
    return "move 8: Invalid value 'fly'"


def a_move_without_a_seat(record: dict[str, Any]) -> str:
    del record["moves"][7]["seat"]
    return "move 8: Object missing required field `seat`"


def better_scores(record: dict[str, Any]) -> str:
    record["scores"][0] += 1
    return "scores: the record says .*, the moves give "


def another_digest(record: dict[str, Any]) -> str:
    record["digest"] = "0" * 64
    return 'digest: the record says "000'


def another_sheet(record: dict[str, Any]) -> str:
    record["sheets"][1][0]["points"] += 1
    return "sheets: the record says "


def a_foreign_format(record: dict[str, Any]) -> str:
    record["format"] = "other-format/7"
    return "the format is 'other-format/7', not 'polyopolis/1'"


def an_unknown_game(record: dict[str, Any]) -> str:
    record["game"] = "monopoly"
    return "there is no game 'monopoly'"


def other_rules(record: dict[str, Any]) -> str:
    record["rules"] = 9
    return "the record has version 9 of the rules; this is version 1"


def other_content(record: dict[str, Any]) -> str:
    record["content"] = 9
    return "the record has content 9, but its setup has content 1"


def too_many_seats(record: dict[str, Any]) -> str:
    record["setup"]["seats"] = 7
    return "the setup: My City is for 2 to 4 seats, not for 7"


def an_unknown_field(record: dict[str, Any]) -> str:
    record["mood"] = "good"
    return "the record: Object contains unknown field `mood`"


def a_seed_of_words(record: dict[str, Any]) -> str:
    record["seed"] = "lucky"
    return "the seed 'lucky' is not hexadecimal"


EDITS: list[Callable[[dict[str, Any]], str]] = [
    place_elsewhere, drop_a_move, break_off_inside_a_round, break_off_after_a_round, exchange_seats, another_card,
    a_card_twice_without_a_seed, go_on_after_the_end, an_unknown_action, a_move_without_a_seat, better_scores,
    another_digest, another_sheet, a_foreign_format, an_unknown_game, other_rules, other_content, too_many_seats,
    an_unknown_field, a_seed_of_words,
]  # fmt: skip


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_the_first_error_of_an_edited_file_is_reported(file: Path, edit: Callable[[dict[str, Any]], str]) -> None:
    record = json.loads(file.read_text())
    message = edit(record)
    file.write_text(json.dumps(record))
    with pytest.raises(Exception, match=message):
        verified(file)


def test_a_file_cut_short_names_the_move_it_breaks_off_in(file: Path) -> None:
    text = file.read_text()
    cut = text.index('{"seat"', text.index('"moves"') + 2000) + 12
    file.write_text(text[:cut])
    begun = text[:cut].count('{"seat"')
    with pytest.raises(
        RecordError, match=rf"game.json: the file is not complete JSON .*; it breaks off in move {begun}"
    ):
        read(file)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it contains no move"),
        (b"\x89PNG\r\n", "it contains no move"),
        (b"[1, 2]", "not an object"),
        (b'{"format": ["polyopolis/1"]}', "the format is"),
    ],
)
def test_a_foreign_file_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "foreign.json"
    path.write_bytes(data)
    with pytest.raises(RecordError, match=message):
        read(path)


@pytest.fixture
def campaign_file(tmp_path: Path) -> Path:
    """Returns the file of a finished campaign of one episode."""
    first = mycity.Setup(mode="episode", episode=1, seats=3, play="campaign")
    campaign = Campaign(mycity, (1,), first)
    seed = derive_seed(SEED, "match", 0)
    players = ("greedy", "random", "random")
    match = play(mycity, campaign.next_setup(), players, seed, SEED)
    path = tmp_path / "campaign.json"
    write(campaign_record_of(campaign.add(match), [record_of(match, players, seed)], players), path)
    return path


def test_a_campaign_is_read_back_with_its_standings(campaign_file: Path) -> None:
    record = read(campaign_file)
    assert isinstance(record, CampaignRecord)
    campaign, playing = verify_campaign(record)
    assert campaign.over
    assert playing is None
    assert sorted(campaign.standings().scores) == [0, 1, 2]
    fields = json.loads(campaign_file.read_text())
    assert list(fields) == ["format", "game", "content", "plan", "players", "records"]


def test_the_last_episode_of_a_record_may_be_unfinished(campaign_file: Path) -> None:
    fields = json.loads(campaign_file.read_text())
    whole = fields["records"][0]
    fields["records"] = [{key: whole[key] for key in ("format", "game", "rules", "content", "setup")}]
    fields["records"][0]["moves"] = whole["moves"][:9]
    campaign_file.write_text(json.dumps(fields))
    record = read(campaign_file)
    assert isinstance(record, CampaignRecord)
    campaign, playing = verify_campaign(record)
    assert campaign.matches == ()
    assert playing
    assert len(playing.moves) == 9


def test_a_campaign_longer_than_its_plan_is_refused(campaign_file: Path) -> None:
    fields = json.loads(campaign_file.read_text())
    fields["records"] *= 2
    campaign_file.write_text(json.dumps(fields))
    record = read(campaign_file)
    assert isinstance(record, CampaignRecord)
    with pytest.raises(BadCampaign, match="match 2 does not start from the state of the campaign"):
        verify_campaign(record)


@pytest.mark.parametrize(
    ("name", "scores", "ranks"),
    [
        ("mycity-2p", (48, 8), (1, 2)),
        ("mycity-3p", (37, 8, 34), (1, 3, 2)),
        ("mycity-4p", (37, 2, 37, 6), (2, 4, 1, 3)),  # more nuggets break the tie
    ],
)
def test_recorded_campaigns_replay_to_their_winners(name: str, scores: tuple[int, ...], ranks: tuple[int, ...]) -> None:
    record = read(CAMPAIGNS / f"{name}.json")
    assert isinstance(record, CampaignRecord)
    campaign, playing = verify_campaign(record)
    assert playing is None
    assert campaign.over
    assert len(campaign.matches) == len(record.plan)
    assert (campaign.standings().scores, campaign.standings().ranks) == (scores, ranks)


@pytest.mark.parametrize(
    ("field", "beginning", "end"),
    [
        ("format", "the format is 'xxx", "'polyopolis/1' or 'polyopolis-campaign/1'"),
        ("seed", "the seed 'xxx", "is not hexadecimal"),
        ("players", "the record: Expected `array`, got `str`", "`$.players`"),
    ],
)
def test_a_long_value_is_quoted_in_part(match: Match, field: str, beginning: str, end: str) -> None:
    record = msgspec.to_builtins(record_of(match, ("Ada", "Ben"), SEED)) | {field: "x" * 900_000}
    with pytest.raises(RecordError) as caught:
        verify(parse(msgspec.json.encode(record)))  # type: ignore[arg-type]
    sentence = str(caught.value)
    assert sentence.startswith(beginning)
    assert sentence.endswith(end)
    assert len(sentence) < 150
