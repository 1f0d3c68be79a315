"""External bots: owners, scopes of tokens, tables that admit them"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("people", schema=None) as batch_op:
        batch_op.add_column(sa.Column("owner", sa.String(), nullable=True))
        batch_op.create_index(batch_op.f("ix_people_owner"), ["owner"], unique=False)
    with op.batch_alter_table("devices", schema=None) as batch_op:
        batch_op.add_column(sa.Column("scopes", sa.String(), nullable=True))
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.add_column(sa.Column("outsiders", sa.Boolean(), nullable=False, server_default="0"))


def downgrade() -> None:
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.drop_column("outsiders")
    with op.batch_alter_table("devices", schema=None) as batch_op:
        batch_op.drop_column("scopes")
    with op.batch_alter_table("people", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_people_owner"))
        batch_op.drop_column("owner")
