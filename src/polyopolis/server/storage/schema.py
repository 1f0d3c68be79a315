"""The tables of the database. What changes here is a new file in `migrations/versions/`."""

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
"""Whoever has told a name. With `joined` it is an account: a cookie has to name one of its devices. Who is `removed`,
by a host or on their own wish, is nobody here any more; who is `muted` plays and is not heard. `shared` is the word by
which everybody sees what they have played, if they want that. `owner` is the account that an external bot
belongs to (`play/seats/bot_ids.py`);
nobody's if the host has made it."""

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
"""Where an account is signed in: the newest cookie that was shown there, when it was issued and by which key, and the
same of the oldest that still holds, which is the one before. With `scopes`, as JSON, it is a token of an outside bot,
and its id the digest of that."""

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
"""Codes that are shown once: what is kept is enough to know them again."""

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
"""What somebody began to prove, by the digest of a word that only they know: works once, and not for long."""

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
"""`rules` and `content` are missing in matches from before they were written down, until `stamping` has read them."""
IS_UNSTAMPED = matches.c.rules.is_(None)
IS_CLOCKED = matches.c.over.is_(False) & matches.c.deadlines.is_not(None)
"""Conditions of partial indexes. A database uses an index only for statements with the same condition."""
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
    Column("thought", String),
    Column("prepared", String),
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
"""Codes of seats. The column `code` holds the SHA-256 digest of a code in hexadecimal."""

unlisted = Table(
    "unlisted",
    metadata,
    Column("person", String, primary_key=True),
    Column("table", String, primary_key=True, index=True),
    Column("time", Time, nullable=False),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""Tables that somebody has taken off their own list, and when those had changed last."""

opened = Table(
    "opened",
    metadata,
    Column("table", String, primary_key=True),
    Column("day", Integer, nullable=False),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""The last day, since 1970, on which somebody opened a table; only where nothing was changed on that day."""

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
    Column("watching", String, nullable=False, server_default="[]"),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""Who looks at a table at which node: people as JSON, those of them who have it before their eyes, and pages of those
whom nobody knows."""

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
    Index("ix_tries_board", "day", "game", "verdict", "score"),
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
reviews = Table(
    "reviews",
    metadata,
    Column("key", String, primary_key=True),
    Column("review", LargeBinary, nullable=False),
    Column("made", Time, nullable=False, index=True),
)
"""Reviews that were worked out, packed, by a digest of what was played and the version of the evaluator. All of it can
be thrown away."""
alive = Table("alive", metadata, Column("id", Integer, primary_key=True), Column("time", Time, nullable=False))
"""When a server was last known to be there: one row."""

outages = Table("outages", metadata, Column("began", Time, primary_key=True), Column("ended", Time, nullable=False))
"""When none was."""

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
"""Where people are told: browsers, mailboxes and programs. `target` is JSON, as its kind has it."""

manners = Table(
    "manners",
    metadata,
    Column("person", String, primary_key=True),
    Column("zone", String, nullable=False),
    Column("quiet_from", Integer),
    Column("quiet_to", Integer),
    Column("daily", Integer),
)
"""When somebody wants to be told: not from one minute of the day to the other, or once a day at an hour."""

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
"""What somebody is to be told, for each of their receivers: written with the move that is its reason, taken away when
it is told. `look` is when to see to it in milliseconds, `node` who is at it, `again` that it was told and is told once
more before time is up, `seat` whom it is about. A receiver may be gone: that is no reason to refuse a move."""

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
"""What everybody came to in a match that is over and was no practice: it follows from the match and from who sat there
when it ended, and outlives its table. It `counts` for a person who had one seat and played it to the end. `rated` is
the how manieth rated match it was, and the last columns what the rating of that seat was before and after."""

turned_away = Table(
    "turned_away",
    metadata,
    Column("table", String, primary_key=True),
    Column("person", String, primary_key=True, index=True),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""Who may not sit down at a table any more."""

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
"""What people have written to each other at tables."""

ignored = Table(
    "ignored",
    metadata,
    Column("person", String, primary_key=True),
    Column("other", String, primary_key=True, index=True),
)
"""Whom somebody does not want to hear."""

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
"""Remarks that somebody wants the host to read, as they were written: a table may be given up before that."""

_of_table = (seats, matches, log, turns, codes, unlisted, opened, presence, errands, outbox, turned_away, remarks)
OF_TABLE = ((tables, "id"), *((found, "table") for found in _of_table))
"""Where rows of a table are, and which column names it; what others refer to comes first."""

SHARED = ((seats, "person"), (tables, "maker"), (results, "person"), (reports, "reporter"))
"""What people do with others, and which column names them: it stays when they go."""
OWN = tuple(
    (found, "person") for found in (unlisted, devices, passkeys, mails, own_codes, asks, manners, turned_away, ignored)
)
"""What is somebody's alone, and goes with them."""
TOLD = ((receivers, "person"), (outbox, "person"))
"""Where somebody is told, and what: it is theirs alone, too."""
SAID = ((remarks, "person"), (reports, "person"), (ignored, "other"))
"""What somebody has written, and who does not want to hear it: it goes with them."""
