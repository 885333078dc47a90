"""Answer -> how its figures come about."""

from bot import wording
from bot.answer_card import ceiling_formula
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
    need = answer.need
    notes = []
    if need.per_gpu_gb is not None:
        notes.append(f"{gb(need.per_gpu_gb, 2)} a GPU ({gib(need.per_gpu_gb, 2)})")
    if need.low_gb != need.high_gb:
        notes.append(f"between {gb(need.low_gb, 2)} and {gb(need.high_gb, 2)}")
    return tuple(notes)
