"""Updates the table of server options: `python -m polyopolis.server.options_manual docs/hosting.md`."""

import argparse
import re
from pathlib import Path

from polyopolis.server.options import Options
from polyopolis.server.settings import Setting, settings_of

TABLE_PATTERN = re.compile(r"(?<=<!-- options -->\n).*(?=<!-- /options -->)", re.DOTALL)
COLUMNS = ("flag", "variable", "default", "meaning")


def options_table() -> str:
    rows = [COLUMNS, ("---",) * len(COLUMNS), *(_row(setting) for setting in settings_of(Options))]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row(setting: Setting) -> tuple[str, ...]:
    usual = setting.about.default or f"`{setting.default_text}`"
    flag = (
        f"`{setting.flag} {setting.about.metavar}`"
        if not setting.about.secret
        else f"none; `{setting.key}` in the file"
    )
    return flag, f"`{setting.variable}`", usual, setting.about.help


def with_options_table(page: str) -> str:
    """Returns the page with the current table."""
    return TABLE_PATTERN.sub(lambda _: options_table(), page)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path, help="the page with the table")
    path = parser.parse_args().page
    path.write_text(with_options_table(path.read_text("utf-8")), "utf-8")
