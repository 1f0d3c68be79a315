"""SQLAlchemy tables. Every change needs a new migration in `migrations/versions/`."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKeyConstraint,
    Index,
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
    Column("joined", Time),
    Column("muted", Boolean, nullable=False, server_default="0"),
    Column("removed", Time),
    Column("shared", String, index=True, unique=True),
    Column("owner", String, index=True),
)
"""People with a name. A person with `joined` has an account: their session cookie must name one of its devices.
`removed` is set when the host or the person has closed the account. A `muted` person can play but not chat. `shared` is
the key in the address of the public profile, if there is one. `owner` is the account of an external bot
(`play/seats/bot_ids.py`); null if the host has created the bot."""

devices = Table(
    "devices",
    metadata,
    Column("id", String, primary_key=True),
    Column("person", String, nullable=False, index=True),
    Column("name", String, nullable=False),
    Column("made", Time, nullable=False),
    Column("seen", Time, nullable=False),
    Column("issued", Time, nullable=False),
    Column("key", Integer, nullable=False),
    Column("since", Time, nullable=False),
    Column("since_key", Integer, nullable=False),
    Column("scopes", String),
)
"""Devices on which an account is signed in. `issued` and `key` are the time and the signing key of the newest cookie
that the device has sent, `since` and `since_key` those of the oldest cookie that is still valid (the previous one). A
row with `scopes` (JSON) is a token of an external bot; its id is the digest of the token."""

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String, primary_key=True),
    Column("person", String, nullable=False, index=True),
    Column("key", LargeBinary, nullable=False),
    Column("count", Time, nullable=False),
    Column("name", String, nullable=False),
    Column("made", Time, nullable=False),
)

mails = Table(
    "mails",
    metadata,
    Column("address", String, primary_key=True),
    Column("person", String, nullable=False, index=True),
    Column("made", Time, nullable=False),
)

own_codes = Table(
    "own_codes",
    metadata,
    Column("person", String, primary_key=True),
    Column("kind", String, primary_key=True),
    Column("digest", String, nullable=False, index=True, unique=True),
    Column("made", Time, nullable=False),
)
"""Digests of sign-in codes and recovery codes, which are shown once."""

asks = Table(
    "asks",
    metadata,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("device", String, nullable=False),
    Column("person", String),
    Column("mail", String),
    Column("expires", Time, nullable=False),
)
"""One-time tokens of sign-ins in progress. The id is the digest of a secret that only the device knows."""

counters = Table(
    "counters",
    metadata,
    Column("name", String, primary_key=True),
    Column("number", Integer, nullable=False),
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
    Column("pace", String),
    Column("imported", Boolean, nullable=False, server_default="0"),
    Column("rated", Boolean, nullable=False, server_default="0"),
    Column("invites", String),
    Column("talk", Boolean, nullable=False, server_default="1"),
    Column("outsiders", Boolean, nullable=False, server_default="0"),
)
_is_inviting = tables.c.invites.is_not(None)
Index("ix_tables_inviting", tables.c.changed, sqlite_where=_is_inviting, postgresql_where=_is_inviting)

seats = Table(
    "seats",
    metadata,
    Column("table", String, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("person", String),
    Column("bot", String),
    Column("city", String),
    Column("animal", String),
    Column("rest", String),
    Column("entrusted", Boolean, nullable=False, server_default="0"),
    ForeignKeyConstraint(["table"], ["tables.id"]),
    Index("ix_seats_of_person", "person", "table"),
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
    Column("asked", String),
    Column("timing", String),
    Column("deadlines", String),
    Column("ended", Boolean, nullable=False, server_default="0"),
    Column("imported", Integer),
    Column("rated", String),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""`rules` and `content` are null in matches of old versions until the backfill has read them (`ops/backfill.py`)."""
IS_UNSTAMPED = matches.c.rules.is_(None)
IS_CLOCKED = matches.c.over.is_(False) & matches.c.deadlines.is_not(None)
"""Conditions of partial indexes. The database uses such an index only for statements with the same condition."""
Index(
    "ix_matches_unstamped",
    matches.c.table,
    matches.c.number,
    sqlite_where=IS_UNSTAMPED,
    postgresql_where=IS_UNSTAMPED,
)
Index("ix_matches_clocked", matches.c.table, sqlite_where=IS_CLOCKED, postgresql_where=IS_CLOCKED)

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
    Column("thought", String),
    ForeignKeyConstraint(["table", "match"], ["matches.table", "matches.number"]),
)
"""Append-only log of a match: a row is a move, or a takeback to the first `back_to` moves."""

turns = Table(
    "turns",
    metadata,
    Column("table", String, primary_key=True),
    Column("match", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("turn", Integer, nullable=False),
    Column("staged", String),
    Column("by", String),
    Column("thought", String),
    Column("prepared", String),
    ForeignKeyConstraint(["table", "match"], ["matches.table", "matches.number"]),
)
"""The number of accepted messages of a seat, and its staged decision. Rows are overwritten."""

codes = Table(
    "codes",
    metadata,
    Column("code", String, primary_key=True),
    Column("table", String, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("expires", Time, nullable=False),
)
"""Codes that move a seat to another device. `code` is the SHA-256 digest of the code in hexadecimal."""

unlisted = Table(
    "unlisted",
    metadata,
    Column("person", String, primary_key=True),
    Column("table", String, primary_key=True, index=True),
    Column("time", Time, nullable=False),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""Tables that people have removed from their lists, and the last change of each at that time."""

opened = Table(
    "opened",
    metadata,
    Column("table", String, primary_key=True),
    Column("day", Integer, nullable=False),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""The last day (days since 1970) on which a table was opened; only written if it did not change on that day."""

nodes = Table(
    "nodes",
    metadata,
    Column("id", String, primary_key=True),
    Column("beats", Integer, nullable=False),
)
"""Nodes that share the database, with their heartbeat counters (`cluster/heartbeat.py`)."""

presence = Table(
    "presence",
    metadata,
    Column("node", String, primary_key=True),
    Column("table", String, primary_key=True, index=True),
    Column("people", String, nullable=False),
    Column("unknown", Integer, nullable=False),
    Column("watching", String, nullable=False, server_default="[]"),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""The attendance of each table at each node: `people` (JSON), those of them whose page is visible (`watching`, JSON),
and the number of pages without a session (`unknown`)."""

errands = Table(
    "errands",
    metadata,
    Column("table", String, primary_key=True),
    Column("node", String, nullable=False, index=True),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""Tables where it is a bot's turn, and the node that computes its decision."""

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
"""Daily games, drawn in advance. Rows are never changed."""

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
    Index("ix_tries_board", "day", "game", "verdict", "score"),
)
"""The try of a person at a daily game that counts. Its score outlives its table."""

pars = Table(
    "pars",
    metadata,
    Column("day", String, primary_key=True),
    Column("game", String, primary_key=True),
    Column("version", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("score", Integer, nullable=False),
)
"""Par: the scores of a bot in repeated games of a daily deck."""

reviews = Table(
    "reviews",
    metadata,
    Column("key", String, primary_key=True),
    Column("review", LargeBinary, nullable=False),
    Column("made", Time, nullable=False, index=True),
)
"""Cache of compressed reviews. The key is a digest of the match and the version of the evaluator."""

alive = Table("alive", metadata, Column("id", Integer, primary_key=True), Column("time", Time, nullable=False))
"""One row: the last time at which a server was running."""

outages = Table("outages", metadata, Column("began", Time, primary_key=True), Column("ended", Time, nullable=False))
"""Periods in which no server was running."""

receivers = Table(
    "receivers",
    metadata,
    Column("id", String, primary_key=True),
    Column("person", String, nullable=False, index=True),
    Column("kind", String, nullable=False),
    Column("target", String, nullable=False),
    Column("language", String, nullable=False),
    Column("proven", Boolean, nullable=False),
    Column("made", Time, nullable=False),
)
"""Receivers of notifications: browsers, mailboxes and webhooks. `target` is JSON, depending on `kind`."""

manners = Table(
    "manners",
    metadata,
    Column("person", String, primary_key=True),
    Column("zone", String, nullable=False),
    Column("quiet_from", Integer),
    Column("quiet_to", Integer),
    Column("daily", Integer),
)
"""Notification preferences: quiet hours (minutes of the day) and the hour of a daily digest."""

outbox = Table(
    "outbox",
    metadata,
    Column("id", String, primary_key=True),
    Column("receiver", String, primary_key=True),
    Column("person", String, nullable=False),
    Column("table", String, nullable=False, index=True),
    Column("match", Integer, nullable=False),
    Column("kind", String, nullable=False),
    Column("again", Boolean, nullable=False, server_default="0"),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("look", Time, nullable=False, index=True),
    Column("node", String),
    Column("seat", Integer),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""Queued notifications, one row for each receiver: written in the transaction of the move, deleted after delivery.
`look` is the next time to process the row (ms), `node` the node that processes it, `again` marks the reminder before a
deadline, `seat` the seat that it is about. There is no foreign key to `receivers`: a deleted receiver must not make a
move fail."""

results = Table(
    "results",
    metadata,
    Column("table", String, primary_key=True),
    Column("match", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("game", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("person", String),
    Column("bot", String),
    Column("score", Integer, nullable=False),
    Column("rank", Integer, nullable=False),
    Column("counts", Boolean, nullable=False),
    Column("ended", Time, nullable=False),
    Column("rated", Integer),
    Column("from_mu", Double),
    Column("from_sigma", Double),
    Column("mu", Double),
    Column("sigma", Double),
    Index("ix_results_of_person", "person", "counts", "game", "kind", "score"),
)
"""Results of finished matches that were not practice. They follow from the match and its seats at the end, and outlive
the table. A row `counts` for a person who had one seat and played it to the end. `rated` is the sequence number among
rated matches. The last four columns hold the seat's rating before and after it."""

turned_away = Table(
    "turned_away",
    metadata,
    Column("table", String, primary_key=True),
    Column("person", String, primary_key=True, index=True),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""People who may not take a seat at a table."""

remarks = Table(
    "remarks",
    metadata,
    Column("id", String, primary_key=True),
    Column("table", String, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("person", String, nullable=False),
    Column("name", String, nullable=False),
    Column("text", String, nullable=False),
    Column("time", Time, nullable=False),
    ForeignKeyConstraint(["table"], ["tables.id"]),
    Index("ix_remarks_at_table", "table", "time", "id"),
    Index("ix_remarks_of_person", "person", "time", "id"),
)
"""Chat messages."""

ignored = Table(
    "ignored",
    metadata,
    Column("person", String, primary_key=True),
    Column("other", String, primary_key=True, index=True),
)
"""Ignore lists: messages of `other` are hidden from `person`."""

reports = Table(
    "reports",
    metadata,
    Column("id", String, primary_key=True),
    Column("remark", String, nullable=False, index=True),
    Column("reporter", String, index=True),
    Column("table", String, nullable=False),
    Column("person", String, nullable=False, index=True),
    Column("name", String, nullable=False),
    Column("text", String, nullable=False),
    Column("time", Time, nullable=False),
)
"""Chat messages reported to the host. The text is copied, because the table may be deleted."""

_of_table = (seats, matches, log, turns, codes, unlisted, opened, presence, errands, outbox, turned_away, remarks)
TABLE_COLUMNS = ((tables, "id"), *((found, "table") for found in _of_table))
"""All database tables with rows of a game table, and the column that names it; referenced tables come first."""

SHARED_COLUMNS = ((seats, "person"), (tables, "maker"), (results, "person"), (reports, "reporter"))
"""Columns that name a person in rows shared with others: set to null when the account is deleted."""
PRIVATE_COLUMNS = tuple(
    (found, "person") for found in (unlisted, devices, passkeys, mails, own_codes, asks, manners, turned_away, ignored)
)
"""Private rows of a person: deleted with the account."""
NOTIFICATION_COLUMNS = ((receivers, "person"), (outbox, "person"))
"""Receivers and queued notifications of a person: deleted with the account."""
CHAT_COLUMNS = ((remarks, "person"), (reports, "person"), (ignored, "other"))
"""Chat messages of a person, reports of them and ignore entries about the person: deleted with the account."""
