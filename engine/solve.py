"""Backwards: the largest context and the most users that a set still holds.

The need grows with both and is a line in pieces, so the answer is found by interpolation, with bisection in between
where a piece ends; it holds for every family of KV cache.
"""

from collections.abc import Callable
from typing import Final

from engine.gpus import Gpu
from engine.holding import need_on_gb, room_gb
from engine.job import Job

MOST_TOKENS: Final = 2**27
MOST_SEQUENCES: Final = 2**16


def largest(
    value: Callable[[int], float], limit: float, most: int, known: tuple[int, float] | None = None
) -> int | None:
    """The largest number from 1 to `most` whose value is within the limit; None where not even that of 1 is.

    Args:
        value: grows with the number, or stays.
        limit: the most that the value may be.
        most: where to stop looking.
        known: a number with its value, where one has been worked out before.

    >>> largest(lambda n: n * n, 50, 100)
    7
    """
    is_held = known is not None and known[1] <= limit
    low, low_value = known if known and is_held else (1, value(1))
    if low_value > limit:
        return None
    high, high_value = known if known and not is_held else (most, value(most))
    if high_value <= limit:
        return most
    halve = False
    while high - low > 1:
        middle = (low + high) // 2
        if not halve:
            share = (limit - low_value) / (high_value - low_value)
            middle = min(max(low + int(share * (high - low)), low + 1), high - 1)
        at = value(middle)
        # a guess that moves one end by a step or two says that the other end is next door
        halve = not halve and min(middle - low, high - middle) > 1
        if at <= limit:
            low, low_value = middle, at
        else:
            high, high_value = middle, at
    return low


def max_context_tokens(job: Job, gpu: Gpu, count: int, need_gb: float | None = None) -> int | None:
    """The largest context in tokens that a set holds, the model's own maximum at most.

    `need_gb` is what the job takes on the set, where that is known. None where not even one token fits, or where the
    job has no context.
    """
    if job.shape.kind == "diffusion":
        return None
    native = job.shape.max_position_embeddings
    most = max(native, job.context_tokens) if native and not job.guide else MOST_TOKENS
    known = (job.context_tokens, need_on_gb(job, gpu, count) if need_gb is None else need_gb)
    room = room_gb(job, gpu, count)
    return largest(lambda tokens: need_on_gb(at_context(job, tokens), gpu, count), room, most, known)


def max_users(job: Job, gpu: Gpu, count: int, need_gb: float | None = None) -> int | None:
    """The most sequences of this context that a set holds at once; None in tuning and where none fits.

    `need_gb` as for the context.
    """
    if job.is_tuning or job.shape.kind == "diffusion":
        return None
    room = room_gb(job, gpu, count)
    known = (job.sequences, need_on_gb(job, gpu, count) if need_gb is None else need_gb)
    return largest(lambda users: need_on_gb(job._replace(sequences=users), gpu, count), room, MOST_SEQUENCES, known)


def at_context(job: Job, context_tokens: int) -> Job:
    """The job at another context; a prompt that filled the old one fills the new one."""
    prompt = context_tokens if job.prompt_tokens >= job.context_tokens else min(job.prompt_tokens, context_tokens)
    return job._replace(context_tokens=context_tokens, prompt_tokens=prompt)
