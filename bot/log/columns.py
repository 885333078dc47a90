"""Column types that mean the same on SQLite and PostgreSQL."""

from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal

from sqlalchemy import BigInteger, DateTime, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from bot.log.entry import CENT


class UtcTime(TypeDecorator[datetime]):
    """A moment. Aware in and out, UTC inside; SQLite, which knows no zones, keeps the UTC digits."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a zone cannot be stored; give an aware one, such as datetime.now(UTC)")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


class Cents(TypeDecorator[Decimal]):
    """US dollars as a whole number of cents: exact on both databases. A fraction of a cent is rounded, half up."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> int | None:  # noqa: ARG002 - SQLAlchemy's
        return None if value is None else int(value.quantize(CENT, ROUND_HALF_UP).scaleb(2))

    def process_result_value(self, value: int | None, dialect: Dialect) -> Decimal | None:  # noqa: ARG002 - SQLAlchemy's
        return None if value is None else Decimal(value).scaleb(-2)


class PlainText(TypeDecorator[str]):
    """Text as people type it, without what no database stores: NUL and halves of surrogate pairs become U+FFFD."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's
        return None if value is None else plain(value)


def plain(text: str) -> str:
    """Text that both databases store.

    >>> plain("13b" + chr(0) + "lora" + chr(0xDCFF)) == "13b�lora�"
    True
    """
    if text.isascii() and "\x00" not in text:  # nearly always, and twenty times faster
        return text
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\x00", "\ufffd")
