"""Questions as the tests ask them: one word a field, defaults as the guide has them."""

from engine import packaged_catalog, size
from engine.question import GpuSet, Limits, Question, Tuning

TUNING = ("lora", "qlora", "full")


def bare(params_b, workload="infer", weight_format=None, *sets, limits=None, tuning=None, **fields):
    return Question(
        text=f"{params_b:g}b",
        model=f"{params_b:g}b",
        params_b=params_b,
        workload=workload,
        weight_format=weight_format,
        sets=tuple(GpuSet(gpu=gpu, count=count) for count, gpu in sets),
        limits=Limits(**(limits or {})),
        tuning=Tuning(**(tuning or {})),
        **fields,
    )


def named(model, workload="infer", weight_format=None, *sets, **fields):
    question = bare(1, workload, weight_format, *sets, **fields)
    return question.model_copy(update={"model": model, "params_b": None})


def ask(question, **options):
    return size(question, packaged_catalog(), **options)


def cell(size_name, workload):
    """A cell of the guide's lookup table: `70B`, `fp8` or `lora`."""
    params_b = float(size_name.removesuffix("B"))
    return bare(params_b, workload) if workload in TUNING else bare(params_b, "infer", workload)


def codes(answer):
    return [warning.code for warning in answer.warnings]


def warning(answer, code):
    return next(warning.text for warning in answer.warnings if warning.code == code)
