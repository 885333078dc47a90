"""Slack: slash command, mention, direct message, form, buttons, App Home; Socket Mode or signed HTTP.

Every listener acknowledges at once and hands the rest to a task of its own, so that nothing that happens later, slow or
broken, is seen as "operation_timeout". Words, units and rules come from `bot` and `templates/slack`.
"""
