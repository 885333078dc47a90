"""The log as the team's shared reference: find, show, decide, ask again, measure, forget, export, prune.

Each command is a use case of its own: `async def name(tools, call, request) -> Reply`. Who may see what is decided in
one place, the wall of `bot.log`; nothing here filters rows by person or channel.
"""
