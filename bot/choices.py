"""Several readings of one question: one answer where they agree, else a question back."""

from collections.abc import Callable

from bot.answer_card import VERDICT_WORDS
from bot.cards import ChoiceCard, Option
from bot.grammar import LabelledQuestion, Reading
from bot.refusals import shown
from bot.wording import total_gb
from engine.answer import Answer, Choice, ChoiceOption
from engine.errors import EngineError
from engine.question import GpuSet, Question

Size = Callable[[Question], Answer]


def settled(text: str, reading: Reading, size: Size) -> tuple[Answer | Choice, Question | None]:
    """What a reading comes to, with the question that was answered.

    Raises:
        EngineError: no reading can be answered.
    """
    if len(reading.options) == 1:
        question = reading.options[0].question
        return _with_namesakes(size(question), reading.namesakes, size), question
    sized = _sized(reading, size)
    answers = [answer for _, answer in sized if answer is not None]
    if reading.about == "gpu" and len(answers) == len(sized) and _same_verdicts(answers):
        question = _with_all_sets([option.question for option, _ in sized])
        return size(question), question
    choices = tuple(_option(option, answer) for option, answer in sized)
    if reading.about == "gpu" and answers and len({answer.need.total_gb for answer in answers}) == 1:
        verdicts = tuple(verdict for answer in answers for verdict in answer.verdicts)
        return Choice(text=text, choices=choices, need=answers[0].need, verdicts=verdicts), None
    return Choice(text=text, choices=choices), None


def _with_namesakes(answer: Answer, namesakes: tuple[LabelledQuestion, ...], size: Size) -> Answer:
    """Where no named set holds the model, others of its name that one holds are offered."""
    if not namesakes or not answer.verdicts or any(verdict.verdict != "no" for verdict in answer.verdicts):
        return answer
    sized = [(other, size(other.question)) for other in namesakes]
    held = [(other, one) for other, one in sized if any(verdict.verdict != "no" for verdict in one.verdicts)]
    held.sort(key=lambda pair: -pair[1].need.total_gb)
    return answer.model_copy(update={"choices": tuple(_option(*pair) for pair in held)})


def _sized(reading: Reading, size: Size) -> list[tuple[LabelledQuestion, Answer | None]]:
    """Each reading with its answer; one that cannot be answered is still offered, without need."""
    sized: list[tuple[LabelledQuestion, Answer | None]] = []
    refused: list[EngineError] = []
    for option in reading.options:
        try:
            sized.append((option, size(option.question)))
        except EngineError as error:
            refused.append(error)
            sized.append((option, None))
    if len(refused) == len(sized):
        raise refused[0]
    return sized


def _same_verdicts(answers: list[Answer]) -> bool:
    return len({tuple(verdict.verdict for verdict in answer.verdicts) for answer in answers}) == 1


def _with_all_sets(questions: list[Question]) -> Question:
    sets: dict[GpuSet, None] = dict.fromkeys(gpu_set for question in questions for gpu_set in question.sets)
    return questions[0].model_copy(update={"sets": tuple(sets)})


def _option(option: LabelledQuestion, answer: Answer | None) -> ChoiceOption:
    verdict = answer.verdicts[0].verdict if answer and len(answer.verdicts) == 1 else None
    need_gb = answer.need.total_gb if answer else None
    return ChoiceOption(label=option.label, ask=option.ask, need_gb=need_gb, verdict=verdict)


def choice_card(choice: Choice) -> ChoiceCard:
    return ChoiceCard(
        title=shown(choice.text),
        options=tuple(Option(option.label, _need(option), option.ask) for option in choice.choices),
    )


def _need(option: ChoiceOption) -> str:
    """What a reading needs, and whether its own GPU holds that."""
    if option.need_gb is None:
        return ""
    need = total_gb(option.need_gb, None)
    return f"{need}, {VERDICT_WORDS[option.verdict].lower()}" if option.verdict else need
