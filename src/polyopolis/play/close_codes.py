"""WebSocket close codes. `polyopolis.server.wire_types` writes them for the client."""

INTERNAL_ERROR = 1011
BAD_MESSAGE = 4400
WRONG_ORIGIN = 4403
"""The request comes from a page of another site or names an unknown host."""
NO_TABLE = 4404
SLOW_READER = 4408
"""The page does not read fast enough."""
UNREADABLE = 4409
"""The stored table cannot be read with the installed rules and content."""
SEALED = 4423
"""The table is secret until later."""
TOO_MANY_FRAMES = 4429
"""The page exceeds the limit of connections, messages or frames."""
