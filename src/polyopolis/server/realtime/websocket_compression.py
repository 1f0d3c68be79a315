"""permessage-deflate with Intel's ISA-L.

The window contains the previous message of the table, which is almost equal to the next one.
"""

from collections.abc import Sequence

from isal import isal_zlib
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.typing import ExtensionParameter

COMPRESSION_LEVEL = 1
"""Compared with zlib at level 3 and half the window: output 25 % smaller, in a third of the time."""


class IsalDeflateFactory(ServerPerMessageDeflateFactory):
    """Negotiates permessage-deflate and compresses with ISA-L."""

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        agreed, packing = super().process_request_params(params, accepted_extensions)
        if not packing.local_no_context_takeover:
            window = -packing.local_max_window_bits
            packing.encoder = isal_zlib.compressobj(COMPRESSION_LEVEL, isal_zlib.DEFLATED, window)  # type: ignore[assignment]
        return agreed, packing


COMPRESSION = IsalDeflateFactory(client_max_window_bits=12)
