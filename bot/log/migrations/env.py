"""Alembic's entry: works on the caller's connection, inside the caller's transaction."""

from alembic import context

from bot.log.standing import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    compare_type=True,
)
context.run_migrations()
