"""The bot in Discord: interactions in, one embed out. Rules, defaults and wording are in `bot` and `templates`."""
