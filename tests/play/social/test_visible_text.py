"""Text of players is visible: names and chat remarks."""

# ruff: noqa: RUF001 - letters of many scripts

import unicodedata

import pytest

from polyopolis.engine import PolyopolisError
from polyopolis.play.seats.player_names import are_confusable, validate_name
from polyopolis.play.social import chat
from polyopolis.play.visible_text import MAX_MARKS, visible_line
from tests.play.in_memory_site import InMemorySite

SCRIPTS = {
    "Vietnamese": "Nguyễn Thị Ngọc Ánh",
    "Vietnamese, decomposed": "Nguye\u0302\u0303n Thi\u0323",
    "Thai": "สวัสดีครับ ผู้ใหญ่บ้าน น้ำ ที่ กี่",
    "Hebrew": "שָׁלוֹם בְּרֵאשִׁ֖ית שָּׁ֑",
    "Arabic": "مُحَمَّدٌ السَّلَامُ عَلَيْكُمْ",
    "Persian": "می\u200cخواهم نمی\u200cدانم ه\u200d.ش",
    "Hindi": "क्षत्रिय हिन्दी काँच क्\u200dष",
    "Bengali": "বাংলা র\u200d্যাব",
    "Tamil": "தமிழ் ஸ்ரீ",
    "Burmese": "ကျွန်ုပ် မြန်မာ",
    "Khmer": "ខ្ញុំស្រលាញ់",
    "Tibetan": "བསྒྲུབས་ ཧཱུྃ",
    "Korean": "안녕하세요 ㅋㅋ",
    "Japanese": "こんにちは が 葛\U000e0100城",
    "Mongolian": "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ᠌",
    "family": "👨‍👩‍👧‍👦",
    "skin tone": "👩🏽‍🚀 👋🏿",
    "heart on fire": "❤️‍🔥",
    "rainbow flag": "🏳️‍🌈",
    "flags": "🇩🇪🇳🇱 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "keycaps": "1️⃣ #️⃣",
    "symbols": "☺︎ ©️ ™ ← ½",
}
LOOK_BLANK = "\u2800\u3164\u115f\u1160\uffa0\u3000"
NOTHING_TO_SEE = f"{LOOK_BLANK}\u00ad\ufe0f\U000e0100\u034f\u200b\u200c\u200d\u2060\ufeff\u180e\u00a0\u0301"
HIDING = "\u202a\u202e\u2066\u2069\u200e\u200f\u061c\u200b\u2060\ufeff\u00ad\u180e\U000e0041"
INEFFECTIVE = (
    "A\u200dda", "Ada\u200c", "\u200dAda", "Ada \u200d👩", "A\ufe0fda", "А\u200dнна", "A\u034fda", "👩\u200d\u200d🚀",
    "👩\ufe0f\ufe0f", "Ada\U000e0067\U000e007f", "🏴\U000e0067\U000e0062", "🏴\U000e007f",
)  # fmt: skip


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS)
def test_text_of_any_script_is_unchanged(text: str) -> None:
    assert visible_line("the text", text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("blank", [*NOTHING_TO_SEE, NOTHING_TO_SEE, f" {NOTHING_TO_SEE} "], ids=ascii)
def test_text_without_visible_characters_is_rejected(blank: str) -> None:
    for text in (blank, blank * 3):
        with pytest.raises(PolyopolisError, match="it has no visible character"):
            visible_line("the text", text)


@pytest.mark.parametrize("blank", LOOK_BLANK, ids=ascii)
def test_blank_looking_characters_become_blanks(blank: str) -> None:
    assert visible_line("the text", f"{blank}Ada{blank}{blank}Lovelace{blank}") == "Ada Lovelace"


@pytest.mark.parametrize("hidden", HIDING, ids=ascii)
def test_bidirectional_and_hidden_characters_are_rejected(hidden: str) -> None:
    with pytest.raises(PolyopolisError, match=rf"it holds U\+{ord(hidden):04X}, which is invisible"):
        visible_line("the text", f"Ada{hidden}Ben")


@pytest.mark.parametrize("text", INEFFECTIVE, ids=ascii)
def test_invisible_characters_must_join_or_select(text: str) -> None:
    with pytest.raises(PolyopolisError, match="which is invisible"):
        visible_line("the text", text)


def test_the_number_of_combining_marks_is_limited() -> None:
    assert visible_line("the text", "x" + "\u0330" * MAX_MARKS + "y") == "x" + "\u0330" * MAX_MARKS + "y"
    for pile in ("x" + "\u0330" * (MAX_MARKS + 1), "x" + "\u0330\u0336" * 3, "x" + "\u0301" * 399, "é" + "\u20dd" * 5):
        with pytest.raises(PolyopolisError, match=f"more than {MAX_MARKS} marks on one letter"):
            visible_line("the text", pile)


def test_invisible_characters_do_not_make_names_different() -> None:
    assert are_confusable("می\u200cخواهم", "میخواهم")
    assert are_confusable("☺", "☺\ufe0e")
    assert not are_confusable("☺", "☹")


@pytest.mark.anyio
async def test_names_and_remarks_have_the_same_checks() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    for text in ("\u2800", "x" + "\u0301" * 399, "A\u200dda"):
        with pytest.raises(PolyopolisError, match="the name: "):
            validate_name(text)
        with pytest.raises(PolyopolisError, match="the remark: "):
            await chat.say(table.context, "Ada", text, muted=False)
    for text in ("👩🏽\u200d🚀", "น้ำ"):
        assert validate_name(text) == text
        assert (await chat.say(table.context, "Ada", text, muted=False)).text == text
