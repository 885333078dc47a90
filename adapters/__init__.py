"""Translates between a platform and the bot. No formulas, no wording, no SQL."""
