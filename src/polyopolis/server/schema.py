"""The tables of the database. What changes here is a new file in `migrations/versions/`."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
)

metadata = MetaData()
Time = BigInteger().with_variant(Integer(), "sqlite")
"""Seconds or milliseconds since 1970."""

secrets_ = Table("secrets", metadata, Column("name", String, primary_key=True), Column("value", LargeBinary))

people = Table(
    "people",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("setup", String, nullable=False),
    Column("chosen_seed", String),
    Column("plan", String, nullable=False),
    Column("typed", Boolean, nullable=False),
    Column("created", Time, nullable=False),
    Column("changed", Time, nullable=False, server_default="0"),
    Column("version", Integer, nullable=False, server_default="0"),
    Column("maker", String),
    Column("daily", String),
)

seats = Table(
    "seats",
    metadata,
    Column("table", String, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("person", String, index=True),
    Column("bot", String),
    Column("city", String),
    Column("animal", String),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)

matches = Table(
    "matches",
    metadata,
    Column("table", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("setup", String, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("bot_seed", LargeBinary, nullable=False),
    Column("practice", Boolean, nullable=False),
    Column("practice_for", String),
    Column("players", String, nullable=False, server_default="[]"),
    Column("rules", Integer),
    Column("content", String),
    Column("over", Boolean, nullable=False, server_default="0"),
    Column("due", String, nullable=False, server_default="[]"),
    Column("result", String),
    Column("standings", String),
    Column("takeback", String),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""`rules` and `content` are missing in matches from before they were written down, until `stamping` has read them."""

log = Table(
    "log",
    metadata,
    Column("table", String, primary_key=True),
    Column("match", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer),
    Column("action", String),
    Column("back_to", Integer),
    Column("time", Time),
    ForeignKeyConstraint(["table", "match"], ["matches.table", "matches.number"]),
)
"""A move, or a takeback to so many moves. Nothing in it is ever changed."""

turns = Table(
    "turns",
    metadata,
    Column("table", String, primary_key=True),
    Column("match", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("turn", Integer, nullable=False),
    Column("staged", String),
    Column("by", String),
    ForeignKeyConstraint(["table", "match"], ["matches.table", "matches.number"]),
)
"""How many messages of a seat were accepted, and its decision that is not open yet: overwritten in place."""

codes = Table(
    "codes",
    metadata,
    Column("code", String, primary_key=True),
    Column("table", String, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("expires", Time, nullable=False),
)

unlisted = Table(
    "unlisted",
    metadata,
    Column("person", String, primary_key=True),
    Column("table", String, primary_key=True),
    Column("time", Time, nullable=False),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""Tables that somebody has taken off their own list, and when those had changed last."""

nodes = Table(
    "nodes",
    metadata,
    Column("id", String, primary_key=True),
    Column("beats", Integer, nullable=False),
)
"""Servers that share the database. Whose number stands still is dead, by the watch of whoever looks at it."""

presence = Table(
    "presence",
    metadata,
    Column("node", String, primary_key=True),
    Column("table", String, primary_key=True, index=True),
    Column("people", String, nullable=False),
    Column("unknown", Integer, nullable=False),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""Who looks at a table at which node: people as JSON, and pages of those whom nobody knows."""

errands = Table(
    "errands",
    metadata,
    Column("table", String, primary_key=True),
    Column("node", String, nullable=False, index=True),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""Tables where a bot is to decide, and the node where it thinks."""

days = Table(
    "days",
    metadata,
    Column("day", String, primary_key=True),
    Column("game", String, primary_key=True),
    Column("setup", String, nullable=False),
    Column("bots", String, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("drawn", Time, nullable=False),
)
"""The games of the days, drawn before they come. Nothing in it is ever changed."""

tries = Table(
    "tries",
    metadata,
    Column("day", String, primary_key=True),
    Column("game", String, primary_key=True),
    Column("person", String, primary_key=True, index=True),
    Column("table", String, nullable=False),
    Column("verdict", String),
    Column("score", Integer),
    Column("name", String),
)
"""The one try of somebody that counts. What it came to outlives its table, which may be given up."""

pars = Table(
    "pars",
    metadata,
    Column("day", String, primary_key=True),
    Column("game", String, primary_key=True),
    Column("version", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("score", Integer, nullable=False),
)
"""What a bot came to on the deck of a day, in each of its games."""

OF_TABLE = (
    (tables, "id"),
    *((found, "table") for found in (seats, matches, log, turns, codes, unlisted, presence, errands)),
)
"""Where rows of a table are, and which column names it; what others refer to comes first."""
