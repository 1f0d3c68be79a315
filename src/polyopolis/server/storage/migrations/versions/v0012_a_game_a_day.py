"""Daily games: decks, tries, par"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

Time = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.add_column(sa.Column("daily", sa.String(), nullable=True))
    op.create_table(
        "days",
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("setup", sa.String(), nullable=False),
        sa.Column("bots", sa.String(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("drawn", Time, nullable=False),
        sa.PrimaryKeyConstraint("day", "game"),
    )
    op.create_table(
        "tries",
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("day", "game", "person"),
    )
    with op.batch_alter_table("tries", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tries_person"), ["person"], unique=False)
    op.create_table(
        "pars",
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("day", "game", "version", "number"),
    )


def downgrade() -> None:
    op.drop_table("pars")
    op.drop_table("tries")
    op.drop_table("days")
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.drop_column("daily")
