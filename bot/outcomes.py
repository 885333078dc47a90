"""What is done with an outcome: its card, and what a reader may do next."""

from typing import Final

from bot.answer_card import answer_card
from bot.cards import Card
from bot.choices import choice_card
from bot.refusals import refusal_card
from bot.reply import Action
from engine.answer import Answer, Choice, Refusal

MOST_WHAT_IFS: Final = 3


def outcome_card(outcome: Answer | Choice | Refusal) -> Card:
    if isinstance(outcome, Answer):
        return answer_card(outcome)
    return choice_card(outcome) if isinstance(outcome, Choice) else refusal_card(outcome)


def actions_of(outcome: Answer | Choice | Refusal, public_id: str, *, shared: bool) -> tuple[Action, ...]:
    """What may be done next with an outcome."""
    if isinstance(outcome, Choice):
        return tuple(
            Action("choose", choice.label, public_id, str(place)) for place, choice in enumerate(outcome.choices)
        )
    if isinstance(outcome, Refusal):
        return ()
    share = () if shared else (Action("share", "Share", public_id),)
    what_ifs = tuple(
        Action("what-if", f"What if {other.what}?", public_id, other.what)
        for other in outcome.alternatives[:MOST_WHAT_IFS]
    )
    more = (Action("arithmetic", "Arithmetic", public_id), Action("pin", "Pin as decision", public_id))
    return (*share, *more, *what_ifs)
