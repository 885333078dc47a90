"""Jinja templates: one file a card and platform, shared macros in _macros/."""
