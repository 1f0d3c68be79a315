"""Former names of a module, still importable with a `DeprecationWarning`."""

import sys
from collections.abc import Callable, Mapping
from typing import Any
from warnings import warn


def former_names(module: str, names: Mapping[str, str], stacklevel: int = 2) -> Callable[[str], Any]:
    """Returns a `__getattr__` for a module that maps former names to present ones.

    `stacklevel` is 3 where a `__getattr__` of the module calls it.
    """

    def lookup(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn(f"{module}.{name} is now {names[name]}", DeprecationWarning, stacklevel=stacklevel)
        return getattr(sys.modules[module], names[name])

    return lookup
