"""The version of the installed package. A client of another version reloads itself."""

from importlib.metadata import version

VERSION = version("polyopolis")
