"""Draws the icons of the installed app from `icon.svg` with a browser: `python -m tools.draw_icons client/public`.

Each PNG contains a digest of its source, so that a test can detect a stale icon without drawing it again.
"""

import sys
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import sync_playwright

from tests.e2e.conftest import browser_launch_options

SOURCE = "icon.svg"
PAPER = "#F7F2E6"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
BEGINNING = 8 + 25
"""Length of the PNG signature and the header chunk in bytes; text chunks may follow."""
NOTE = b"Source"


class Icon(NamedTuple):
    name: str
    size: int
    share: float = 1.0
    """Part of the width that the drawing takes. Platforms may crop a maskable icon to a circle of four fifths."""
    ground: str = "transparent"


ICONS = (
    *(Icon(f"icon-{size}.png", size) for size in (192, 512)),
    *(Icon(f"icon-maskable-{size}.png", size, 0.8, PAPER) for size in (192, 512)),
    Icon("icon-apple.png", 180, 1.0, PAPER),
)


def digest(icon: Icon, source: bytes) -> bytes:
    """Returns the digest of the SVG source and the parameters of an icon."""
    return sha256(source + repr(icon).encode()).hexdigest().encode()


def pieces(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yields the kind and the data of each chunk of a PNG."""
    at = len(SIGNATURE)
    while at < len(png):
        length = int.from_bytes(png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length


def noted(png: bytes, text: bytes) -> bytes:
    """Returns the PNG with an additional text chunk."""
    body = b"tEXt" + NOTE + b"\0" + text
    note = (len(body) - 4).to_bytes(4) + body + zlib.crc32(body).to_bytes(4)
    return png[:BEGINNING] + note + png[BEGINNING:]


def note_of(png: bytes) -> bytes | None:
    return next((data.removeprefix(NOTE + b"\0") for kind, data in pieces(png) if kind == b"tEXt"), None)


def draw(folder: Path) -> None:
    source = (folder / SOURCE).read_bytes()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**browser_launch_options())
        for icon in ICONS:
            page = browser.new_page(viewport={"width": icon.size, "height": icon.size})
            side = icon.size * icon.share
            page.set_content(
                f"<style>html {{ background: {icon.ground} }}"
                f"svg {{ position: fixed; inset: 0; margin: auto; width: {side}px; height: {side}px }}</style>"
                + source.decode()
            )
            png = page.screenshot(omit_background=True)
            (folder / icon.name).write_bytes(noted(png, digest(icon, source)))
        browser.close()


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
