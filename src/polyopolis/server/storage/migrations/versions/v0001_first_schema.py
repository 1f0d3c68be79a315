"""The first schema"""

import sqlalchemy as sa
from alembic import op

from polyopolis.server.storage.schema import Time

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "codes",
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("expires", Time, nullable=False),
        sa.PrimaryKeyConstraint("code"),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("setup", sa.String(), nullable=False),
        sa.Column("chosen_seed", sa.String(), nullable=True),
        sa.Column("plan", sa.String(), nullable=False),
        sa.Column("typed", sa.Boolean(), nullable=False),
        sa.Column("created", Time, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "matches",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("setup", sa.String(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("bot_seed", sa.LargeBinary(), nullable=False),
        sa.Column("practice", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table", "number"),
    )
    op.create_table(
        "seats",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=True),
        sa.Column("bot", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["table"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table", "seat"),
    )
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seats_person"), ["person"], unique=False)

    op.create_table(
        "log",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("action", sa.String(), nullable=True),
        sa.Column("back_to", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["table", "match"],
            ["matches.table", "matches.number"],
        ),
        sa.PrimaryKeyConstraint("table", "match", "number"),
    )
    op.create_table(
        "turns",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("staged", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["table", "match"],
            ["matches.table", "matches.number"],
        ),
        sa.PrimaryKeyConstraint("table", "match", "seat"),
    )


def downgrade() -> None:
    op.drop_table("turns")
    op.drop_table("log")
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seats_person"))

    op.drop_table("seats")
    op.drop_table("matches")
    op.drop_table("tables")
    op.drop_table("secrets")
    op.drop_table("people")
    op.drop_table("codes")
