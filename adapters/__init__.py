"""Translates between a platform and the bot. No formulas, no wording, no SQL."""

VERSION = "0.1.0"
"""Of the distribution; here too, so that a question does not wait for importlib.metadata."""
