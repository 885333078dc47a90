"""Reads a text, decides what it asks for and words the reply. Knows no platform."""
