"""Answer -> card: all rounding and wording of numbers."""

from decimal import Decimal
from itertools import pairwise
from typing import Final

from bot.cards import AnswerCard, Bar, Line
from bot.wording import (
    NO_BREAK,
    WORKLOADS,
    capacity,
    counted,
    gb,
    gpus,
    model_name,
    rate,
    rounded,
    spare,
    term,
    tokens,
    total_gb,
    usd,
    whole_up,
)
from engine.answer import Alternative, Answer, Assumption, Ceiling, Pick, SetVerdict
from engine.question import Engine, Limits
from engine.units import HOURS_A_MONTH

BAR_CELLS: Final = 20
WIDE_RANGE: Final = 0.10
"""A range wider than this share of the need is shown (design: the card)."""
MOST_ALTERNATIVES: Final = 2

VERDICT_WORDS: Final = {"fits": "Fits", "tight": "Tight", "no": "Too big"}
LAYOUT_WORDS: Final = {
    "single": "",
    "layer-split": "layer split",
    "tensor-parallel": "tensor parallel",
    "sharded": "sharded",
    "replica": "one replica a GPU",
}
WORDS_AROUND: Final = {
    "shape": ("", ""),
    "kv_format": ("", f"{NO_BREAK}KV"),
    "context_tokens": ("", f"{NO_BREAK}tokens"),
    "optimizer": ("", f"{NO_BREAK}optimizer"),
    "waiting": ("", f"{NO_BREAK}of{NO_BREAK}them wait"),
}
"""What stands before and behind the value of an assumption; its name where there is nothing."""
MOST_NAMESAKES: Final = 3
"""Smaller models of one name on a line. Our choice: what a line of the card holds."""
SPLITS_BY_LAYERS: Final[frozenset[Engine]] = frozenset({"llama.cpp", "ollama", "transformers"})
"""Engines whose profile splits a model by layers: the ceiling in parallel is none of theirs."""
SHOWN_ABOVE: Final = frozenset({"batch", "workload"})
"""Assumptions that the title shows anyway."""


def answer_card(answer: Answer) -> AnswerCard:
    warnings = sorted(answer.warnings, key=lambda warning: warning.code != "tight-fit")
    return AnswerCard(
        title=_title(answer),
        need=_need(answer),
        bar=_bar(answer),
        terms=tuple(
            f"{term(part.name).replace(' ', NO_BREAK)}{NO_BREAK}{rounded(part.gb, 1)}"
            for part in sorted(answer.need.terms, key=lambda part: -part.gb)
            if part.gb > 0
        ),
        sets=tuple(_set_line(verdict, answer) for verdict in answer.verdicts),
        picks=(*_namesake_lines(answer), *_pick_lines(answer), *_alternative_lines(answer)),
        ceiling=_ceiling(answer),
        warnings=tuple(warning.text for warning in warnings),
        assumed=_assumed(answer),
        catalog=f"{answer.catalog.name}, {answer.catalog.date}",
    )


def _title(answer: Answer) -> str:
    asked = answer.question
    assumed = {assumption.name for assumption in answer.assumptions}
    words = [model_name(asked.model), WORKLOADS[asked.workload]]
    if "weight_format" not in assumed:
        words.append(asked.weight_format)
    if asked.kv_format != "fp16":
        words.append(f"{asked.kv_format}{NO_BREAK}KV")
    if asked.engine != "guide" and "engine" not in assumed:
        words.append(asked.engine)
    if "activations" in assumed:
        return " · ".join(words)  # a diffusion model has no context
    words.append(tokens(asked.context_tokens))
    words.append(f"batch{NO_BREAK}{asked.batch:,}" if asked.users is None else f"{asked.users:,}{NO_BREAK}users")
    return " · ".join(words)


def measured_capacity_gb(answer: Answer) -> float | None:
    """GB of the set that the need is held against: the first named one, else the pick."""
    if answer.verdicts:
        return answer.verdicts[0].capacity_gb
    return answer.pick.capacity_gb if answer.pick else None


def _need(answer: Answer) -> str:
    need = answer.need
    shown = total_gb(need.total_gb, measured_capacity_gb(answer))
    if need.high_gb - need.low_gb > WIDE_RANGE * need.total_gb:
        hangs_on = "".join(f" by {known.value}" for known in answer.assumptions if known.name == "range")
        shown += f" ({_ends(need.low_gb, need.high_gb)}{hangs_on})"
    split = need.per_gpu_gb is not None and not answer.verdicts
    return f"{shown}, {gb(need.per_gpu_gb or 0.0, 1)} a GPU" if split else shown


def _ends(low_gb: float, high_gb: float) -> str:
    """Both ends of a range, with a decimal where they would read the same without."""
    places = 1 if rounded(low_gb) == rounded(high_gb) else 0
    return f"{rounded(low_gb, places)}{NO_BREAK}to{NO_BREAK}{rounded(high_gb, places)}"


def _bar(answer: Answer) -> Bar | None:
    capacity_gb = measured_capacity_gb(answer)
    if capacity_gb is None:
        return None
    filled = min(BAR_CELLS, whole_up(BAR_CELLS * answer.need.total_gb / capacity_gb))
    return Bar(_cells(answer, filled), BAR_CELLS - filled, capacity(capacity_gb))


def _cells(answer: Answer, filled: int) -> tuple[int, ...]:
    """Cells of each term, largest first; together `filled`."""
    ends, reached_gb = [0], 0.0
    for size_gb in sorted((part.gb for part in answer.need.terms), reverse=True):
        reached_gb += size_gb
        ends.append(int(rounded(filled * reached_gb / answer.need.total_gb)))
    return tuple(after - before for before, after in pairwise(ends))


def gpu_set(name: str, count: int, capacity_gb: float) -> str:
    """A set with its memory: `A40 48 GB`, `4 × A100 SXM 80 GB`."""
    each = capacity(capacity_gb / count)
    named = name.replace(" ", NO_BREAK)
    return gpus(named if each in named else f"{named}{NO_BREAK}{each}", count)


def _set_line(verdict: SetVerdict, answer: Answer) -> Line:
    facts = [f"{gpu_set(verdict.name, verdict.count, verdict.capacity_gb)}, {spare(verdict.spare_gb)}"]
    if answer.question.engine != "guide":
        facts.append(verdict.why)
    elif verdict.count > 1:
        layout = LAYOUT_WORDS[verdict.layout]
        facts.append(f"{gb(verdict.per_gpu_gb, 1)} each" + (f", {layout}" if layout else ""))
    if answer.question.engine == "guide" and verdict.verdict == "tight" and verdict.spare_gb < 0:
        facts.append(_why_tight(verdict, answer.need.low_gb))
    if most := _most(verdict):
        facts.append(f"up to {most}")
    if verdict.tokens_per_second is not None and verdict.verdict != "no":
        facts.append(_speed(verdict, answer.question.engine))
    if verdict.usd_month is not None and verdict.verdict != "no":
        facts.append(f"{usd(verdict.usd_month)} a month{_over(verdict.usd_month, answer.question.limits)}")
    elif verdict.usd_month is None and verdict.tokens_per_second is not None:
        facts.append(_not_rented(verdict, answer.catalog.name))
    return Line(VERDICT_WORDS[verdict.verdict], " · ".join(facts))


def _over(usd_month: Decimal, limits: Limits) -> str:
    """Whether a set that the question names passes the question's own budget."""
    hour = None if limits.usd_hour is None else limits.usd_hour * HOURS_A_MONTH
    is_over = any(most is not None and usd_month > most for most in (limits.usd_month, hour))
    return ", over the budget" if is_over else ""


def _not_rented(verdict: SetVerdict, catalog: str) -> str:
    other = verdict.other_form
    if other is None:
        return f"not in {catalog}, no price"
    return f"not in {catalog}, {other.name.replace(' ', NO_BREAK)} is: {usd(other.usd_month)} a month"


def _speed(verdict: SetVerdict, engine: Engine) -> str:
    """The ceiling of a set: split by layers and, over its link and where the engine can, in parallel."""
    most = f"at most {rate(verdict.tokens_per_second or 0.0)}"
    if verdict.tokens_per_second_tensor_parallel is None:
        return most
    if engine in SPLITS_BY_LAYERS:
        return f"{most} by layer split"
    link = f" over {verdict.link}" if verdict.link else ""
    return f"{most} by layer split, {rounded(verdict.tokens_per_second_tensor_parallel)} in parallel{link}"


def _why_tight(verdict: SetVerdict, low_gb: float) -> str:
    """Why a set that is too small by the need is no plain no."""
    if verdict.capacity_gb - verdict.spare_gb <= verdict.driver_gb:
        return f"within the {gb(verdict.driver_gb, 1)} that the driver reports"
    return f"enough only if the engine stays near the low end, {gb(low_gb)}"


def _most(verdict: SetVerdict) -> str:
    """The longest context, and the most people at the context of the question, that the set holds."""
    most_tokens, most_users = verdict.max_context_tokens, verdict.max_users
    return " or ".join(
        (*([tokens(most_tokens)] if most_tokens else []), *([counted(most_users, "user")] if most_users else []))
    )


def priced(pick: Pick, catalog: str) -> str:
    """An offer with its price; whose it is, where the catalog's name does not say it."""
    month, hour = usd(pick.usd_month), usd(pick.usd_hour, 2)
    whose = "" if pick.provider == catalog else f" at {pick.provider}"
    return f"{gpu_set(pick.name, pick.count, pick.capacity_gb)}{whose}, {month} a month ({hour} an hour)"


def _pick_lines(answer: Answer) -> tuple[Line, ...]:
    if answer.pick:
        single = "single GPU: " if _a_set_is_cheaper(answer) else ""
        offered = priced(answer.pick, answer.catalog.name)
        return (Line("Cheapest", f"{single}{offered}, {spare(answer.pick.spare_gb)}"),)
    if answer.cluster:
        cluster = answer.cluster
        nodes = f"{cluster.nodes:,} nodes of {gpus(cluster.name, cluster.per_node)}"
        return (Line("Cheapest", f"a cluster: {nodes}, price on quote"),)
    return (Line("Cheapest", f"nothing in {answer.catalog.name} holds it{within_limits(answer.question.limits)}"),)


def _namesake_lines(answer: Answer) -> tuple[Line, ...]:
    """Smaller models of the same name that the named set holds, the largest first."""
    said = (f"{other.label} {total_gb(other.need_gb or 0.0, None)}" for other in answer.choices[:MOST_NAMESAKES])
    return (Line("Smaller", " · ".join(said)),) if answer.choices else ()


def _a_set_is_cheaper(answer: Answer) -> bool:
    """Whether several GPUs, which the pick comes before where one GPU is enough, cost less than it."""
    pick = answer.pick
    others = (other for other in answer.alternatives if other.code in ("set", "cuda") and other.pick)
    return pick is not None and pick.count == 1 and any(_costs_less(other) for other in others)


def _costs_less(other: Alternative) -> bool:
    return other.usd_month_difference is not None and other.usd_month_difference < 0


def within_limits(limits: Limits) -> str:
    """The limits of a question in words; empty without one."""
    said = _limits(limits)
    return f" within {said}" if said else ""


def _limits(limits: Limits) -> str:
    said = (
        limits.usd_month is not None and f"{usd(limits.usd_month)} a month",
        limits.usd_hour is not None and f"{usd(limits.usd_hour, 2)} an hour",
        limits.max_gpus is not None and counted(limits.max_gpus, "GPU"),
        limits.cuda and "CUDA alone",
        limits.provider is not None and f"{limits.provider} alone",
    )
    return ", ".join(words for words in said if words)


def _alternative_lines(answer: Answer) -> tuple[Line, ...]:
    told: dict[str, list[str]] = {}
    for other in answer.alternatives:
        if other.pick is None or other.pick != answer.pick:
            told.setdefault(_offered(other, answer), []).append(_reason(other))
    lines = [_joined(answer, reasons) + f"{': ' if any(reasons) else ''}{offered}" for offered, reasons in told.items()]
    cheaper = [_offered(other, answer) for other in answer.alternatives if other.code == "set" and _costs_less(other)]
    if cheaper and len(lines) > MOST_ALTERNATIVES:
        # what saves money is told before a second change
        last = next((line for line in lines if line.endswith(cheaper[0])), lines[MOST_ALTERNATIVES - 1])
        lines = list(dict.fromkeys((lines[0], last, *lines)))
    return tuple(Line("Or", line) for line in lines[:MOST_ALTERNATIVES])


def _joined(answer: Answer, reasons: list[str]) -> str:
    """Reasons for one offer together; changes that come to the same need are each enough."""
    changes = {other.what for other in answer.alternatives if other.code == "change"}
    said = list(filter(None, reasons))
    return (" or " if changes.issuperset(said) else ", ").join(said)


def _reason(other: Alternative) -> str:
    return {"change": other.what, "cuda": "without ROCm", "faster": "faster", "set": ""}[other.code]


def _offered(other: Alternative, answer: Answer) -> str:
    if other.pick:
        # a change of a named set counts from that set, and the other lines from the pick
        difference = "" if other.code == "change" and answer.verdicts else _difference(other)
        return f"{priced(other.pick, answer.catalog.name)}{difference}"
    return f"needs {gb(other.need_gb)}{_price_of_change(other, answer)}"


def _price_of_change(other: Alternative, answer: Answer) -> str:
    """What more of the named GPU costs: its own price, since the differences beside it are from the pick."""
    of = answer.verdicts[-1].usd_month if answer.verdicts else None
    if of is None or not other.usd_month_difference:
        return ""
    return f", {usd(of + other.usd_month_difference)} a month"


def _difference(other: Alternative) -> str:
    difference = other.usd_month_difference
    if difference is None or rounded(difference) in {"0", "-0"}:
        return ""
    return f", {usd(abs(difference))}{NO_BREAK}{'more' if difference > 0 else 'less'}"


def ceiling_formula(ceiling: Ceiling) -> str:
    read = gb(ceiling.read_gb, 1 if ceiling.read_gb < 10 else 0)
    return f"{rounded(ceiling.bandwidth_gb_s)}{NO_BREAK}GB/s{NO_BREAK}÷{NO_BREAK}{read}"


def _ceiling(answer: Answer) -> str:
    ceiling = answer.ceiling
    if ceiling is None:
        return ""
    served = "" if answer.question.workload == "infer" else " when served here"
    full = rate(ceiling.at_full_context)
    slower = "" if full == rate(ceiling.tokens_per_second) else f"; {full} at full context"
    split = f" by {LAYOUT_WORDS[ceiling.layout]}" if ceiling.layout != "single" else ""
    speed = f"{rate(ceiling.tokens_per_second)}{served}{split} ({ceiling_formula(ceiling)}){slower}"
    return f"{speed}, a limit, no{NO_BREAK}benchmark"


def _assumed(answer: Answer) -> str:
    own_shape = f" {model_name(answer.question.model)}"
    return ", ".join(
        _assumption(assumption, answer)
        for assumption in answer.assumptions
        if assumption.name not in SHOWN_ABOVE
        and not (assumption.name == "shape" and assumption.value.endswith(own_shape))
    )


def _assumption(assumption: Assumption, answer: Answer) -> str:
    name, value = assumption.name, assumption.value
    if name in {"range", "format_read_as"}:
        return assumption.why
    if name == "activations":
        return f"activations {value}: {assumption.why}"
    if name == "noted":
        return f"{value}: {assumption.why}"
    if name == "fallback_format":
        return f"{value} where {assumption.why}"
    if name == "weight_format":
        return value if answer.question.workload == "infer" else f"{value}{NO_BREAK}base"
    before, behind = WORDS_AROUND.get(name, (f"{name.replace('_', NO_BREAK)}{NO_BREAK}", ""))
    return f"{before}{value}{behind}"
