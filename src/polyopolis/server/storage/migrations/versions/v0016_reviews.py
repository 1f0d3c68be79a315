"""Cached reviews"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

Time = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("review", sa.LargeBinary(), nullable=False),
        sa.Column("made", Time, nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    with op.batch_alter_table("reviews", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reviews_made"), ["made"], unique=False)


def downgrade() -> None:
    op.drop_table("reviews")
