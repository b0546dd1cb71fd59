"""Each room knows how its seed comes about; those made before this keep the first way."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("rooms", sa.Column("derivation", sa.Integer(), nullable=False, server_default="1"))
