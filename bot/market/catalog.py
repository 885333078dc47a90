"""`catalog show` and `catalog check FILE`: whose prices are asked, and every line of a file that cannot be used."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from bot.cards import Line
from bot.commands import Called
from bot.grammar import nearest
from bot.market.cards import SheetCard
from bot.market.catalog_source import PACKAGED, read_file
from bot.market.wording import money
from bot.refusals import shown
from bot.reply import Reply, Request
from bot.tools import Tools
from engine import Catalog
from engine.catalog_files import HEADER_LINE, BadLine, ReadFile
from engine.errors import CatalogError, EmptyQuestion, UnknownWord
from engine.gpus import gpu
from engine.offers import Offer

ALLOWED: Final = "catalog show, or catalog check FILE"
_CHECK: Final = re.compile(r"\s*catalog\s+check\s+(.+?)\s*", re.IGNORECASE | re.DOTALL)


def catalog(tools: Tools, call: Called, request: Request) -> Reply:
    """The catalog that is asked, or a file held against what a catalog has to be.

    Raises:
        EngineError: another word, or a file that cannot be read.
    """
    check = _CHECK.fullmatch(request.text)
    if check:
        return _checked(tools, check[1])
    word = call.words.lower()
    if word == "check":
        raise EmptyQuestion(call.words, reason="no file is named", allowed="Name one, as in catalog check offers.csv")
    if word not in {"", "show"}:
        raise UnknownWord(call.words, near=nearest(word, ("show", "check")), allowed=ALLOWED)
    rows = tuple(map(_offer_json, tools.catalog.offers))
    return Reply("list", "asker", tools.renderer.parts(shown_card(tools.catalog)), rows=rows)


def _checked(tools: Tools, name: str) -> Reply:
    if tools.files is None:
        raise CatalogError(name, reason="files cannot be read here")
    found = read_file(name, tools.files)
    card = check_card(found)
    if found.bad:
        rows = tuple({"line": one.line, "reason": one.reason} for one in found.bad)
        return Reply("failed", "asker", tools.renderer.parts(card), rows=rows)
    rows_of_offers = tuple(map(_offer_json, found.offers))
    return Reply("list", "asker", tools.renderer.parts(card), rows=rows_of_offers)


def check_card(found: ReadFile) -> SheetCard:
    """Every bad line of a file, with what the others come to."""
    name = shown(found.source.name, 40)
    return SheetCard(
        title=f"{name}: {_verdict(found)}",
        lines=(*_facts(found), *map(_bad_line, found.bad)),
        commands=(),
        notes=(),
    )


def _verdict(found: ReadFile) -> str:
    """How many lines cannot be used; the header, which is none of them, apart."""
    if not found.bad:
        return f"all {found.lines:,} lines can be used"
    bad = {one.line for one in found.bad}
    said = ["the header"] if HEADER_LINE in bad else []
    bad.discard(HEADER_LINE)
    said += [f"{len(bad):,} of {found.lines:,} lines"] if bad else []
    return f"{' and '.join(said)} cannot be used"


def _facts(found: ReadFile) -> Iterator[Line]:
    formats = {"own": "our own", "skypilot": "SkyPilot's", "gpuhunt": "gpuhunt's"}
    yield Line("Format", formats[found.format])
    gpus = len({offer.gpu for offer in found.offers})
    kinds = Counter(offer.commitment for offer in found.offers)
    of_kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
    yield Line("Offers", f"{len(found.offers):,} of {gpus} GPUs" + (f": {of_kinds}" if of_kinds else ""))
    if found.unpriced:
        yield Line("No price", f"{len(found.unpriced):,}: shown last and never picked")
    for place, (reason, count) in enumerate(sorted(found.left_out.items())):
        yield Line("" if place else "Left out", f"{count:,}: {reason}")


def _bad_line(one: BadLine) -> Line:
    return Line("Header" if one.line == HEADER_LINE else f"Line {one.line}", one.reason)


def shown_card(known: Catalog) -> SheetCard:
    """Whose offers these are, how many, of what days."""
    return SheetCard(
        title=f"{known.name}, {known.date} (fingerprint {known.mark.fingerprint})",
        lines=tuple(_shown_lines(known)),
        commands=(),
        notes=(f"VRAM_CATALOG sets another: files, or {' and '.join(PACKAGED)}, with commas between them.",),
    )


def _shown_lines(known: Catalog) -> Iterator[Line]:
    gpus = {offer.gpu for offer in known.offers}
    yield Line("Offers", f"{len(known.offers):,} of {len(gpus)} GPUs, US dollars; a month is 720 hours")
    kinds = Counter(offer.commitment for offer in known.offers)
    yield Line("Kinds", ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items())))
    providers = Counter(offer.provider for offer in known.offers)
    yield Line("From", ", ".join(f"{name} {count:,}" for name, count in sorted(providers.items())))
    days = sorted(offer.priced_on for offer in known.offers)
    if days:
        yield Line("Prices", f"of {days[0]}" + (f" to {days[-1]}" if days[-1] != days[0] else ""))
    if known.unpriced:
        names = dict.fromkeys(gpu(one.gpu).name for one in known.unpriced)
        yield Line("No price", ", ".join(names))


def _offer_json(offer: Offer) -> Mapping[str, object]:
    return {
        "provider": offer.provider,
        "gpu": offer.gpu,
        "count": offer.count,
        "usd_month": money(offer.usd_month),
        "usd_hour": money(offer.usd_hour),
        "commitment": offer.commitment,
        "priced_on": offer.priced_on.isoformat(),
        "region": offer.region,
        "note": offer.note,
        "currency": "USD",
    }
