"""Where alembic starts: on the connection that the store hands over."""

from alembic import context
from sqlalchemy import Connection

from renege.server.store.schema import metadata

connection = context.config.attributes.get("connection")
if not isinstance(connection, Connection):
    raise RuntimeError("the store upgrades its database itself: start the server, or make a Store")
context.configure(connection=connection, target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
