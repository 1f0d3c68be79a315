"""The table of all server options: `python -m polyopolis.server.options_manual docs/hosting.md` writes it."""

import argparse
import re
from pathlib import Path

from polyopolis.server.options import Options
from polyopolis.server.settings import Setting, settings_of

PLACE = re.compile(r"(?<=<!-- options -->\n).*(?=<!-- /options -->)", re.DOTALL)
HEAD = ("flag", "variable", "default", "meaning")


def table() -> str:
    rows = [HEAD, ("---",) * len(HEAD), *(_row(setting) for setting in settings_of(Options))]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row(setting: Setting) -> tuple[str, ...]:
    usual = setting.about.otherwise or f"`{setting.otherwise}`"
    flag = (
        f"`{setting.flag} {setting.about.sign}`" if not setting.about.secret else f"none; `{setting.key}` in the file"
    )
    return flag, f"`{setting.variable}`", usual, setting.about.what


def written(page: str) -> str:
    """The page with the table as it is now."""
    return PLACE.sub(lambda _: table(), page)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path, help="the page with the table")
    path = parser.parse_args().page
    path.write_text(written(path.read_text("utf-8")), "utf-8")
