"""Build hook for the sdist and the wheel, which must contain the built browser client."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CLIENT = Path("src", "polyopolis", "server", "static", "index.html")


class ClientBuildHook(BuildHookInterface[Any]):
    """Aborts the build if the client has not been built. Editable installs do not need it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable" and not Path(self.root, CLIENT).is_file():
            self.app.abort(
                f"The browser client is not built: {CLIENT.as_posix()} is missing. "
                "`make dist` builds it and the distributions; `pip install -e .` works without it."
            )
