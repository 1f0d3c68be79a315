"""Which version this is; a client of another version says so and loads again."""

from importlib.metadata import version

VERSION = version("polyopolis")
