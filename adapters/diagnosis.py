"""Where the terminal keeps what went wrong: a file, opened when there is something to write."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

LINE: Final = "%(asctime)s %(levelname)s %(name)s %(message)s"


class LateFile(logging.Handler):
    """Appends to a file; a file that cannot be written is no reason to fail."""

    def __init__(self, path: Callable[[], Path]) -> None:
        super().__init__(logging.WARNING)
        self.setFormatter(logging.Formatter(LINE))
        self._path = path

    def emit(self, record: logging.LogRecord) -> None:
        try:
            path = self._path()
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8", errors="replace") as file:
                file.write(f"{self.format(record)}\n")
        except OSError:
            return
