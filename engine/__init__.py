"""Sizing: values in, values out. No clock, network, environment or log; the only files are its own tables."""

from engine.answer import Answer
from engine.errors import EngineError
from engine.offers import Catalog, packaged_catalog
from engine.question import Question
from engine.size import size

ENGINE_VERSION = "1"
"""Changes whenever a figure could: the log keeps it with each answer."""

__all__ = ["ENGINE_VERSION", "Answer", "Catalog", "EngineError", "Question", "packaged_catalog", "size"]
