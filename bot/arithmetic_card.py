"""Answer -> how its figures come about."""

from collections.abc import Iterator

from bot import wording
from bot.answer_card import ceiling_formula, gpu_set
from bot.cards import ArithmeticCard, TermLine
from bot.wording import NO_BREAK, gb, gib, rate, rounded
from engine.answer import Answer, Term


def arithmetic_card(answer: Answer) -> ArithmeticCard:
    need = answer.need
    return ArithmeticCard(
        terms=tuple(_line(term) for term in need.terms),
        total=TermLine("total", gb(need.total_gb, 2), gib(need.total_gb, 2), "", ""),
        kv=_kv(answer),
        ceiling=_ceiling(answer),
        notes=_notes(answer),
    )


def _line(term: Term) -> TermLine:
    return TermLine(wording.term(term.name), gb(term.gb, 2), gib(term.gb, 2), term.formula, term.basis)


def _kv(answer: Answer) -> str:
    a_token = answer.kv.bytes_per_token
    taken = f"{gb(answer.kv.gb, 1)} in this question"
    return f"{a_token:,}{NO_BREAK}bytes a token ({rounded(a_token / 1e6, 2)}{NO_BREAK}MB); {taken}"


def _ceiling(answer: Answer) -> str:
    ceiling = answer.ceiling
    if ceiling is None:
        return ""
    slowest = ""
    if ceiling.at_full_context != ceiling.tokens_per_second:
        slowest = f"; {rate(ceiling.at_full_context)} with the KV cache of one full context read too"
    return f"{ceiling_formula(ceiling)} = {rounded(ceiling.tokens_per_second, 1)}{NO_BREAK}tokens/s{slowest}"


def _notes(answer: Answer) -> tuple[str, ...]:
    return (*_of_the_need(answer), *_of_the_guide(answer), *_of_the_sets(answer))


def _of_the_need(answer: Answer) -> Iterator[str]:
    need = answer.need
    if need.per_gpu_gb is not None:
        yield f"{gb(need.per_gpu_gb, 2)} a GPU ({gib(need.per_gpu_gb, 2)})"
    if need.low_gb != need.high_gb:
        yield f"between {gb(need.low_gb, 2)} and {gb(need.high_gb, 2)}"
    for rows in dict.fromkeys(term.rows for term in need.terms if term.rows):
        yield f"measured terms rest on the runs {rows}"


def _of_the_guide(answer: Answer) -> Iterator[str]:
    """The sizing guide's terms beside a named model's real bits or an engine's own."""
    guide = answer.guide_need
    if guide is None:
        return
    terms = " + ".join(f"{wording.term(term.name)} {rounded(term.gb, 2)}" for term in guide.terms)
    yield f"the guide says {terms} = {gb(guide.total_gb, 2)} ({gib(guide.total_gb, 2)})"


def _of_the_sets(answer: Answer) -> Iterator[str]:
    """What else the pick holds, and the ceiling of each named set at full context."""
    pick = answer.pick
    if pick is not None and pick.max_context_tokens is not None:
        users = f" or {pick.max_users:,} at once" if pick.max_users is not None else ""
        name = gpu_set(pick.name, pick.count, pick.capacity_gb)
        yield f"{name} holds up to {pick.max_context_tokens:,} tokens{users}"
    for verdict in answer.verdicts:
        if verdict.tokens_per_second is not None and verdict.at_full_context is not None:
            full = f"{rounded(verdict.at_full_context, 1)} at full context"
            speed = f"{rounded(verdict.tokens_per_second, 1)} tokens/s, {full}"
            yield f"{gpu_set(verdict.name, verdict.count, verdict.capacity_gb)}: {speed}"
