"""Results of people, ratings, shared profiles"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

Time = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Results of earlier matches are added by the backfill when the server starts."""
    with op.batch_alter_table("people", schema=None) as batch_op:
        batch_op.add_column(sa.Column("shared", sa.String(), nullable=True))
        batch_op.create_index(batch_op.f("ix_people_shared"), ["shared"], unique=True)
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.add_column(sa.Column("rated", sa.Boolean(), nullable=False, server_default="0"))
    with op.batch_alter_table("matches", schema=None) as batch_op:
        batch_op.add_column(sa.Column("rated", sa.String(), nullable=True))
    op.create_table(
        "results",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=True),
        sa.Column("bot", sa.String(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.Column("ended", Time, nullable=False),
        sa.Column("rated", sa.Integer(), nullable=True),
        sa.Column("from_mu", sa.Double(), nullable=True),
        sa.Column("from_sigma", sa.Double(), nullable=True),
        sa.Column("mu", sa.Double(), nullable=True),
        sa.Column("sigma", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("table", "match", "seat"),
    )
    with op.batch_alter_table("results", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_results_person"), ["person"], unique=False)


def downgrade() -> None:
    op.drop_table("results")
    with op.batch_alter_table("matches", schema=None) as batch_op:
        batch_op.drop_column("rated")
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.drop_column("rated")
    with op.batch_alter_table("people", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_people_shared"))
        batch_op.drop_column("shared")
