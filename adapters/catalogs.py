"""Files of offers: opening them, whose they are by their name, of what day by the file's."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from adapters.settings import SettingsError
from bot.market.catalog_source import BadCatalog, Opened, catalog_of
from engine import Catalog
from engine.catalog_rows import Source
from engine.errors import CatalogError

SKYPILOT_FILE: Final = "vms.csv"
"""In SkyPilot's catalog the folder names the cloud."""

Watch = Callable[[Iterable[str], str, int], Iterable[str]]
"""Lines on their way, the file's name and its size in bytes: where a person waits, they are counted."""


class FilesOnDisk:
    """Opens files by their path."""

    def __init__(self, watch: Watch = lambda lines, _name, _size: lines) -> None:
        self._watch = watch

    @contextmanager
    def opened(self, name: str) -> Iterator[Opened]:
        path = Path(name).expanduser()
        try:
            with path.open(encoding="utf-8", errors="replace", newline="") as lines:
                stat = path.stat()
                dated = datetime.fromtimestamp(stat.st_mtime, UTC).date()
                whose = provider_of(path)
                yield Opened(Source(whose, whose, dated), self._watch(lines, path.name, stat.st_size))
        except OSError as error:
            raise CatalogError(name, reason=f"it cannot be read: {error.strerror or error}") from error


def provider_of(path: Path) -> str:
    """Whose offers a file has, by its name.

    >>> provider_of(Path("catalogs/v8/lambda/vms.csv")), provider_of(Path("aws.csv"))
    ('lambda', 'aws')
    """
    return path.resolve().parent.name if path.name == SKYPILOT_FILE else path.stem


def catalog_in(names: Sequence[str], files: FilesOnDisk) -> Catalog:
    """The catalog that a deployment's setting names.

    Raises:
        SettingsError: it cannot be used; the text says why, and how to see every bad line.
    """
    try:
        return catalog_of(names, files)
    except BadCatalog as error:
        raise SettingsError(f"VRAM_CATALOG cannot be used: {error.text}") from error
    except CatalogError as error:
        said = f"VRAM_CATALOG cannot be used: {error.given}: {error.reason}."
        raise SettingsError(f"{said} Allowed: {error.allowed}." if error.allowed else said) from error
