"""The use cases: a request comes in, a reply goes out. One way for every surface.

`answer` calculates and renders only: no database, nothing to wait for. What needs the log is awaited. A question is
never refused because of the log: `record` stores it afterwards and says what became of it.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.answer_card import answer_card
from bot.arithmetic_card import arithmetic_card
from bot.cards import Card, FailedCard, LoggedCard
from bot.choices import choice_card, settled
from bot.commands import Called, Surface, called
from bot.entries import new_query
from bot.escaping import storable
from bot.grammar import LabelledQuestion, Reading, normalise, read
from bot.listings import filters, log_card, page_actions, shown_card, stored_outcome
from bot.log.entry import LogAway, NotLogged, Viewer, row_json
from bot.ports import Clock, Log, NewId
from bot.refusals import refusal, refusal_card
from bot.rendering import Renderer
from bot.reply import Action, Audience, Recorded, Reply, Request
from bot.tools import Tools
from bot.use_cases import calculated
from engine import Catalog
from engine.answer import Answer, Choice, Refusal
from engine.errors import EngineError, ImpossibleValue, NoSuchQuery, UnknownWord
from engine.model_config import shape_from_config
from engine.question import Question
from engine.size import size

MOST_WHAT_IFS: Final = 3


class Service:
    """What the bot does, for one surface.

    Args:
        answers_to: who sees an answer to a question that was asked in a channel.
    """

    def __init__(
        self,
        *,
        catalog: Catalog,
        clock: Clock,
        new_id: NewId,
        renderer: Renderer,
        log: Log,
        surface: Surface,
        answers_to: Audience = "channel",
        page_rows: int = 5,
    ) -> None:
        self._catalog = catalog
        self._clock = clock
        self._new_id = new_id
        self._renderer = renderer
        self._log = log
        self._surface = surface
        self._answers_to = answers_to
        self._page_rows = page_rows
        self._tools = Tools(catalog, clock, new_id, renderer, log, surface, page_rows)

    def reads_log(self, text: str) -> bool:
        """Whether a text asks for something that only the log knows."""
        call = self._called(text)
        return call is not None and call.command.reads_log

    async def handle(self, request: Request) -> Reply:
        """The reply to any request."""
        request = replace(request, text=storable(request.text))
        call = self._called(request.text)
        if call is None or not call.command.reads_log:
            return self.answer(request)
        try:
            return await self._from_log(request, call)
        except LogAway as away:
            parts = self._renderer.parts(FailedCard(f"The log cannot be read: {away.reason}"))
            return Reply("failed", "asker", parts)

    async def _from_log(self, request: Request, call: Called) -> Reply:
        viewer = Viewer(team=request.team, user=request.user, channel=request.channel)
        if call.command.word == "log":
            return await self.log(viewer, call.words)
        return await self._show_called(viewer, call, request)

    def answer(self, request: Request) -> Reply:
        """The reply to a question, or to a command that needs no log."""
        request = replace(request, text=storable(request.text))
        call = self._called(request.text)
        if call is not None:
            return self._calculated(call, request)
        began = self._clock.seconds()
        outcome, question = self._outcome(request)
        parts = self.parts(outcome)
        if request.arithmetic and isinstance(outcome, Answer):
            parts |= self._renderer.parts(arithmetic_card(outcome))
        entry = new_query(
            request,
            outcome,
            question,
            public_id=request.public_id or self._new_id.new(),
            asked_at=self._clock.now(),
            catalog=self._catalog.mark,
            milliseconds=1000 * (self._clock.seconds() - began),
        )
        return Reply(
            kind=outcome.kind,
            audience=self._audience(outcome, question),
            parts=parts,
            actions=actions_of(outcome, entry.public_id, shared=self._audience(outcome, question) == "channel"),
            outcome=outcome,
            entry=entry,
        )

    def _calculated(self, call: Called, request: Request) -> Reply:
        try:
            return calculated(call.command.word)(self._tools, call, request)
        except EngineError as error:
            return self.refused(request.text, error)

    async def log(self, viewer: Viewer, words: str, after: str | None = None) -> Reply:
        """A page of the log; `after` is the cursor of the page before."""
        page = await self._log.page(viewer, filters(words), after, self._page_rows)
        rows = tuple(row_json(row) for row in page.rows)
        return Reply("list", "asker", self._renderer.parts(log_card(page, words)), page_actions(page, words), rows=rows)

    async def show(self, viewer: Viewer, number: int | str, *, arithmetic: bool = False) -> Reply:
        """One query again, from what is stored; `number` is its number in the team or its public id."""
        row = await self._log.show(viewer, number)
        if row is None:
            return self.refused(str(number), NoSuchQuery(f"#{number}"))
        outcome = stored_outcome(row)
        parts = self._renderer.parts(shown_card(row)) | self.parts(outcome)
        if arithmetic and isinstance(outcome, Answer):
            parts |= self._renderer.parts(arithmetic_card(outcome))
        return Reply("done", "asker", parts, actions_of(outcome, row.public_id, shared=False), outcome=outcome)

    async def record(self, reply: Reply) -> Recorded:
        """Stores a reply's entry. Never raises for a log that is away."""
        if reply.entry is None:
            return Recorded(None, "", "")
        try:
            number = await self._log.append(reply.entry)
        except NotLogged as away:
            return self._recorded(None, away.reason)
        return self._recorded(number, "")

    def _recorded(self, number: int | None, reason: str) -> Recorded:
        card = LoggedCard(number="" if number is None else f"#{number}", reason=reason)
        return Recorded(number, reason, "\n".join(self._renderer.parts(card).values()))

    def _called(self, text: str) -> Called | None:
        return called(normalise(storable(text)), self._surface)

    async def _show_called(self, viewer: Viewer, call: Called, request: Request) -> Reply:
        if call.words or call.number is None:
            return self.refused(request.text, UnknownWord(call.words, allowed="the number alone, as in show 17"))
        return await self.show(viewer, call.number, arithmetic=request.arithmetic)

    def _outcome(self, request: Request) -> tuple[Answer | Choice | Refusal, Question | None]:
        try:
            return settled(request.text, _reading(request), self._size)
        except EngineError as error:
            return refusal(request.text, error), None

    def _size(self, question: Question) -> Answer:
        return size(question, self._catalog, today=self._clock.now().date())

    def refused(self, text: str, error: EngineError) -> Reply:
        """What cannot be done, in plain words; not logged."""
        outcome = refusal(text, error)
        return Reply("refusal", "asker", self._renderer.parts(refusal_card(outcome)), outcome=outcome)

    def parts(self, outcome: Answer | Choice | Refusal) -> dict[str, str]:
        """The card of an outcome."""
        return self._renderer.parts(_card(outcome))

    def _audience(self, outcome: Answer | Choice | Refusal, question: Question | None) -> Audience:
        private = question is not None and question.private
        return self._answers_to if isinstance(outcome, Answer) and not private else "asker"


def _card(outcome: Answer | Choice | Refusal) -> Card:
    if isinstance(outcome, Answer):
        return answer_card(outcome)
    return choice_card(outcome) if isinstance(outcome, Choice) else refusal_card(outcome)


def _reading(request: Request) -> Reading:
    """The readings of a request; a model's config stands in for the model's name."""
    if request.question is not None:
        return Reading((LabelledQuestion("", request.text, request.question),))
    if request.config is None:
        return read(request.text, mention=request.mention)
    shape = shape_from_config(_config(request), request.config_name)
    reading = read(f"{shape.params_b:.3g}b {request.text}", mention=request.mention)
    given = {"model": shape.id, "params_b": None, "shape": shape, "text": f"{shape.name} {request.text}"}
    options = tuple(
        LabelledQuestion(option.label, option.ask, option.question.model_copy(update=given))
        for option in reading.options
    )
    return Reading(options, reading.about)


def _config(request: Request) -> Mapping[str, object]:
    try:
        config = json.loads(request.config or "")
    except ValueError:
        config = None
    if not isinstance(config, dict):
        raise ImpossibleValue(
            request.config_name, reason="its config is no JSON object", allowed="a model's config.json"
        )
    return config


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
