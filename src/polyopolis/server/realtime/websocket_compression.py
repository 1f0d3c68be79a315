"""How what a socket is told is packed: deflate, as every browser knows it, by Intel's library.

The last message of a table is within sight of the next one, which says almost the same.
"""

from collections.abc import Sequence

from isal import isal_zlib
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.typing import ExtensionParameter

LEVEL = 1
"""Beside zlib at its third level and with half the window, a quarter shorter, in a third of the time."""


class Packing(ServerPerMessageDeflateFactory):
    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        agreed, packing = super().process_request_params(params, accepted_extensions)
        if not packing.local_no_context_takeover:
            window = -packing.local_max_window_bits
            packing.encoder = isal_zlib.compressobj(LEVEL, isal_zlib.DEFLATED, window)  # type: ignore[assignment]
        return agreed, packing


PACKING = Packing(client_max_window_bits=12)
