"""Alembic environment. Migrations run inside the server, on the connection that it passes."""

from alembic import context

from polyopolis.server.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
