"""My City's campaign between episodes: sealed envelopes, the page of the campaign, and seats that change players."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from polyopolis.games import game
from polyopolis.server.web.static_files import STATIC
from tests.e2e.support.client_texts import LANGUAGES, chapter_texts
from tests.e2e.support.people import DESKTOP, MOTION, PHONE, Person, assert_presentable, server_down
from tests.server.support.server_process import ServerProcess

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]
CAMPAIGN_PLAN = list(game("mycity").plans()["campaign"])  # type: ignore[attr-defined]

CREATE_TABLE = """async (body) => (await (await fetch('/api/tables', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-polyopolis': 'test' },
  body: JSON.stringify(body),
})).json()).table"""

START_NEXT_MATCH = """(table) => fetch(`/api/tables/${table}/matches`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-polyopolis': 'test' },
  body: '{}',
}).then((answer) => answer.status)"""

STOP_MATCH = """(table) => new Promise((done, failed) => {
  const said = new Set();
  setTimeout(() => failed(new Error('the match does not end')), 60000);
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/tables/${table}/socket`);
  socket.onclose = ({ code }) => failed(new Error(`closed with ${code}`));
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.scene?.match.over) {
      done();
      socket.close();
    }
    for (const { seat, turn, choices, staged } of message.mine ?? []) {
      if (!choices.length || staged || said.has(`${seat}/${turn}`)) continue;
      said.add(`${seat}/${turn}`);
      const action = choices.find(({ type }) => type === 'stop') ?? choices[0];
      socket.send(JSON.stringify({ type: 'act', seat, turn, action }));
    }
  };
})"""


def sealed_texts(chapter: int, language: str = "en") -> list[str]:
    """Returns the texts that only the envelope of a chapter contains."""
    texts = chapter_texts(chapter, language)
    return [text for key, text in texts.items() if re.match(r"mycity\.rule|.*\.story", key)]


@cache
def built_files() -> dict[str, str]:
    return {file.name: file.read_text(errors="ignore") for file in STATIC.rglob("*") if file.is_file()}


def files_with(text: str) -> list[str]:
    return [name for name, content in built_files().items() if text in content]


def sealed_files() -> set[str]:
    """Returns the files of the built client that contain texts of chapters."""
    return {
        name for chapter in range(1, 9) for lang in LANGUAGES for name in files_with(sealed_texts(chapter, lang)[0])
    }


def create_campaign(person: Person, *names: str, episodes: int = 0) -> str:
    """Creates a hot-seat campaign and ends its first episodes at once; returns the table."""
    person.page.goto("/")
    seats = [{"type": "me", "name": name} for name in names]
    body = {"game": "mycity", "setup": {"mode": "episode", "play": "campaign", "episode": 1}, "seats": seats}
    table = str(person.page.evaluate(CREATE_TABLE, {**body, "plan": CAMPAIGN_PLAN}))
    end_episodes(person, table, range(episodes))
    return table


def end_episodes(person: Person, table: str, episodes: range) -> None:
    """Ends these episodes at once."""
    for number in episodes:
        if number:
            assert person.page.evaluate(START_NEXT_MATCH, table) == 201
        person.page.evaluate(STOP_MATCH, table)


def open_page(person: Person, table: str, page: str) -> None:
    person.page.goto(f"/t/{table}/{page}")


def stop(person: Person) -> None:
    person.button("Stop").click()
    person.button("Yes, stop").click()


def place_a_reward(person: Person, seat: int) -> None:
    """Places one sticker. A player who stops at once shares the first rank and gets one."""
    person.wait_until(lambda: person.over or person.table["asks"] == "reward")
    person.skip_counting()
    person.cell(person.choices(seat)[0]["cell"]).click(force=True)
    person.button("Put it here").click()


# Sealed chapters


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("chapter", range(1, 9))
def test_the_texts_of_a_chapter_are_in_a_separate_file(chapter: int, language: str) -> None:
    holding = {tuple(files_with(text)) for text in sealed_texts(chapter, language)}
    assert len(holding) == 1
    (files,) = holding
    assert len(files) == 1
    others = [sealed_texts(other, language)[0] for other in range(1, 9) if other != chapter]
    assert all(files[0] not in files_with(text) for text in others)


def test_files_of_sealed_chapters_are_not_preloaded() -> None:
    """Their names are neither in the page nor in a list of files to preload."""
    page = (STATIC / "index.html").read_text()
    preloads = [listed for file in STATIC.rglob("*.js") for listed in re.findall(r"m\.f=\[.*?\]", file.read_text())]
    for name in sealed_files():
        assert name not in page
        assert all(name not in listed for listed in preloads)


def record_requests(page: Page) -> list[str]:
    """Returns a list to which the file name of each later request is appended."""
    names: list[str] = []

    def note(request: Request) -> None:
        names.append(request.url.rsplit("/", 1)[-1])

    page.on("request", note)
    return names


def test_sealed_texts_are_not_sent_to_a_newcomer(person: NewPerson) -> None:
    ada = person(knows_the_games=False)
    requests = record_requests(ada.page)
    ada.page.goto("/new/mycity")
    ada.page.get_by_text("A single episode", exact=True).click()
    expect(ada.page.get_by_role("radio", name=re.compile("^7")).first).to_be_disabled()
    expect(ada.page.get_by_role("radio", name="1", exact=True)).to_be_enabled()
    ada.page.wait_for_load_state("networkidle")
    assert sealed_files().isdisjoint(requests)
    table = create_campaign(ada, "Ada", "Ben", episodes=1)
    requests.clear()
    open_page(ada, table, "campaign")
    expect(ada.page.get_by_text("The New Land")).to_be_visible()
    expect(ada.page.get_by_text(re.compile(r"Chapter \d, sealed"))).to_have_count(7)
    ada.page.wait_for_load_state("networkidle")
    later = {name for chapter in range(2, 9) for name in files_with(sealed_texts(chapter)[0])}
    assert later.isdisjoint(requests)
    assert chapter_texts(2)["mycity.chapter.2.name"] not in ada.page.content()


def test_a_player_who_knows_the_game_opens_all_chapters(person: NewPerson) -> None:
    ada = person(knows_the_games=False)
    ada.page.goto("/new/mycity")
    ada.page.get_by_text("A single episode", exact=True).click()
    ada.button("I know the game: open all").click()
    expect(ada.page.get_by_role("radio", name="7", exact=True)).to_be_enabled()
    ada.page.reload()
    ada.page.get_by_text("A single episode", exact=True).click()
    ada.page.get_by_text("7", exact=True).click()
    ada.button("Play").click()
    expect(ada.board).to_be_visible()
    ada.button("Menu").click()
    ada.button("Letter of this chapter").click()
    expect(ada.page.get_by_text(chapter_texts(3)["mycity.rule.7.1"])).to_be_visible()
    ada.page.goto("/")
    ada.button("Settings").click()
    expect(ada.page.get_by_role("radio", name="I know the game")).to_be_checked()


# Opening an envelope


def test_an_envelope_opens_by_its_seal_or_by_any_key(person: NewPerson) -> None:
    ada = person(knows_the_games=False, **MOTION)
    table = create_campaign(ada, "Ada", "Ben")
    ada.page.goto(f"/t/{table}")
    expect(ada.page.get_by_role("heading", name="Chapter 1")).to_be_visible()
    assert chapter_texts(1)["mycity.chapter.1.story"] not in ada.page.content()
    ada.button("Break the seal").click()
    expect(ada.page.get_by_text(chapter_texts(1)["mycity.chapter.1.story"])).to_be_visible()
    other = create_campaign(ada, "Ada", "Ben")
    ada.page.goto(f"/t/{other}")
    expect(ada.button("Break the seal")).to_be_visible()
    ada.page.keyboard.press("Space")
    expect(ada.page.get_by_text(chapter_texts(1)["mycity.rule.1.1"])).to_be_visible()
    ada.button("To the board").click()
    expect(ada.board).to_be_visible()
    ada.page.reload()
    expect(ada.board).to_be_visible()


def test_the_letter_is_already_open_with_reduced_motion(person: NewPerson) -> None:
    ada = person(knows_the_games=False)
    ada.page.goto(f"/t/{create_campaign(ada, 'Ada', 'Ben')}")
    expect(ada.page.get_by_text(chapter_texts(1)["mycity.chapter.1.story"])).to_be_visible()


# Several episodes


def test_a_campaign_continues_after_a_restart_and_with_another_player(person: NewPerson, server: ServerProcess) -> None:
    ada, ben, cleo = (person(knows_the_games=False) for _ in range(3))
    table = play_first_episode(ada, ben)
    with server_down(server):
        pass
    ada.page.goto(f"/t/{table}/campaign")
    expect(ada.page.get_by_role("heading", name="Lerida")).to_be_visible()
    ada.button("Next episode").click()
    for reader in (ada, ben):
        expect(reader.page.get_by_text(chapter_texts(1)["mycity.rule.2.1"])).to_be_visible()
        expect(reader.page.get_by_text(chapter_texts(1)["mycity.chapter.1.story"])).to_be_hidden()
        reader.button("To the board").click()
        expect(reader.board).to_be_visible()
    stop_and_take_rewards(ada, ben)
    ada.wait_until(lambda: ada.over)
    open_page(ada, table, "campaign")
    hand_over(ada, cleo)
    expect(cleo.page).to_have_url(re.compile(f"/t/{table}$"))
    open_page(cleo, table, "campaign")
    expect(cleo.page.get_by_role("heading", name="Lerida")).to_be_visible()
    cleo.button("Next episode").click()
    expect(cleo.page.get_by_text(chapter_texts(1)["mycity.rule.3.1"])).to_be_visible()
    file = cleo.page.request.get(f"/api/tables/{table}/campaign.json").json()
    assert [record["players"] for record in file["records"]] == [["Ada", "Ben"], ["Ada", "Ben"], ["Cleo", "Ben"]]
    assert [record["setup"]["boards"][0]["city"] for record in file["records"]][1:] == ["Lerida", "Lerida"]


def stop_and_take_rewards(*readers: Person) -> None:
    for seat, reader in enumerate(readers):
        reader.choices(seat)
        stop(reader)
    for seat, reader in enumerate(readers):
        place_a_reward(reader, seat)


def play_first_episode(ada: Person, ben: Person) -> str:
    """Creates a campaign for two browsers and plays its first episode to the end; returns the table."""
    ada.page.goto("/new/mycity")
    ada.page.get_by_text("Campaign", exact=True).click()
    ada.page.get_by_label("Name at seat 1").fill("Ada")
    ada.page.get_by_role("group", name="Seat 2").get_by_text("Friend").click()
    ada.button("Open the table").click()
    expect(ada.page.get_by_text("Waiting for a friend")).to_be_visible()
    ben.page.goto(ada.page.url)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.button("Sit down").click()
    for reader in (ada, ben):
        expect(reader.button("To the board")).to_be_visible()
    ada.page.get_by_label("Name of the city").fill("Lerida")
    ada.page.get_by_role("radio", name="owl").check(force=True)
    for reader in (ada, ben):
        reader.button("To the board").click()
        expect(reader.board).to_be_visible()
    stop_and_take_rewards(ada, ben)
    for reader in (ada, ben):
        reader.wait_until(lambda reader=reader: reader.over)  # type: ignore[misc]
    ada.page.get_by_role("link", name="To the campaign").click()
    expect(ada.page.get_by_text("Episodes played: 1 of 24.")).to_be_visible()
    return ada.page.url.split("/t/")[1].split("/")[0]


def hand_over(giver: Person, taker: Person) -> None:
    giver.button("Give the seat away").first.click()
    giver.button("Make a code").click()
    code = giver.page.get_by_label("Code for the other device").input_value()
    taker.page.goto("/code")
    taker.page.get_by_label("Code").fill(code)
    taker.page.get_by_label("Name, if somebody else takes over").fill("Cleo")
    taker.button("Sit down").click()


def test_the_album_and_a_fork(person: NewPerson) -> None:
    ada = person()
    table = create_campaign(ada, "Ada", "Ben", episodes=3)
    open_page(ada, table, "campaign")
    album = ada.page.get_by_role("region", name="Album")
    expect(album.get_by_role("img")).to_have_count(2)
    ada.page.get_by_role("slider", name="Album").fill("0")
    expect(album.get_by_text("Episode 1", exact=True)).to_be_visible()
    album.get_by_text("What stayed").click()
    expect(album.get_by_role("img", name=re.compile("^Board of")).first).to_be_visible()
    ada.button("A new campaign from episode 1").click()
    expect(ada.board).to_be_visible()
    assert ada.page.url.split("/t/")[1] != table
    open_page(ada, table, "campaign")
    ada.button("Rename Bramwick").click()
    ada.page.get_by_label("Name of the city").fill("Ebbsbury")
    ada.button("Keep").click()
    expect(ada.page.get_by_role("heading", name="Ebbsbury")).to_be_visible()
    ada.button("Give the seat away").nth(1).click()
    ada.page.get_by_label("Name of the new player").fill("Dan")
    ada.button("Hand over").click()
    expect(ada.page.get_by_role("region", name="The cities").get_by_text("Dan")).to_be_visible()


# All pages


def campaign_pages(person: Person) -> Iterator[str]:
    """Goes through the pages of a campaign with three players; yields the name of each page when it is open."""
    page = person.page
    page.goto("/new/mycity")
    page.get_by_text("A single episode", exact=True).click()
    expect(person.button("I know the game: open all")).to_be_visible()
    yield "episodes"
    table = create_campaign(person, "Ada", "Ben", "Cleo")
    page.goto(f"/t/{table}")
    expect(page.get_by_text(chapter_texts(1)["mycity.chapter.1.story"])).to_be_visible()
    yield "envelope"
    end_episodes(person, table, range(2))
    open_page(person, table, "campaign")
    expect(page.get_by_role("region", name="Album").get_by_role("img")).to_have_count(3)
    yield "campaign"
    person.button("Give the seat away").first.click()
    person.button("Make a code").click()
    expect(page.get_by_label("Code for the other device")).to_be_visible()
    page.get_by_role("heading", name="Who plays next time").scroll_into_view_if_needed()
    yield "handover"
    end_episodes(person, table, range(2, 3))
    open_page(person, table, "again")
    expect(page.get_by_text("Envelope 2 is opened then.")).to_be_visible()
    assert chapter_texts(2)["mycity.rule.4.1"] not in page.content()
    yield "again"


@pytest.mark.parametrize(("size", "window"), [("desk", DESKTOP), ("phone", PHONE)], ids=["desk", "phone"])
def test_the_pages_of_a_campaign_are_accessible_and_fit(person: NewPerson, size: str, window: dict[str, Any]) -> None:
    reader = person(knows_the_games=False, **window)
    for page in campaign_pages(reader):
        assert_presentable(reader, f"{page}-{size}")
