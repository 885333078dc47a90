"""The use cases: a request comes in, a reply goes out. One way for every surface.

`answer` calculates and renders only: no database, nothing to wait for. What needs the log is awaited. A question is
never refused because of the log: `record` stores it afterwards and says what became of it.
"""

from collections.abc import Awaitable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.arithmetic_card import arithmetic_card
from bot.cards import FailedCard, LoggedCard
from bot.choices import settled
from bot.commands import Called, Command, Surface, called, misused, wrong_form
from bot.config_question import config_reading, named
from bot.entries import new_query
from bot.escaping import storable
from bot.grammar import LabelledQuestion, Reading, normalise, read
from bot.log.entry import LogAway, NotLogged, Viewer
from bot.outcomes import actions_of, outcome_card
from bot.own_runs import own_runs
from bot.ports import Clock, Links, Log, NewId
from bot.refusals import refusal, refusal_card
from bot.rendering import Renderer
from bot.reply import Audience, Recorded, Reply, Request
from bot.review.links import with_query_link
from bot.tools import Tools
from bot.use_cases import calculated, logged
from engine import Catalog
from engine.answer import Answer, Choice, Refusal
from engine.errors import EngineError
from engine.question import Engine, Question
from engine.size import size

if TYPE_CHECKING:
    from bot.market.catalog_source import CatalogFiles


class Service:
    """What the bot does, for one surface.

    Args:
        answers_to: who sees an answer to a question that was asked in a channel.
        files: opens files of offers; None where nobody may name a file.
        admins: ids of people who may unpin and delete anybody's queries.
        links: makes the addresses of web pages, where there are any.
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
        files: "CatalogFiles | None" = None,
        admins: Iterable[str] = (),
        links: Links | None = None,
    ) -> None:
        self._catalog = catalog
        self._clock = clock
        self._new_id = new_id
        self._renderer = renderer
        self._log = log
        self._surface = surface
        self._answers_to = answers_to
        self._tools = Tools(catalog, clock, new_id, renderer, log, surface, page_rows, frozenset(admins), links, files)

    def needs_rights(self, text: str) -> bool:
        """Whether it matters for a text that the asker is an administrator."""
        call = self._called(text)
        return call is not None and call.command.needs_rights

    def reads_log(self, text: str) -> bool:
        """Whether a text asks for something that only the log knows."""
        call = self._called(text)
        return call is not None and call.reads_log

    async def handle(self, request: Request) -> Reply:
        """The reply to any request."""
        request = replace(request, text=storable(request.text))
        call = self._called(request.text)
        if call is None or not call.reads_log:
            return self.answer(request, await self.own_runs(request))
        try:
            return await self._or_refused(request.text, logged(call.command.word)(self._tools, call, request))
        except LogAway as away:
            parts = self._renderer.parts(FailedCard(f"The log cannot be read: {away.reason}"))
            return Reply("failed", "asker", parts)

    async def _or_refused(self, text: str, work: Awaitable[Reply]) -> Reply:
        try:
            return await work
        except EngineError as error:
            return self.refused(text, error)

    def engine_of(self, request: Request) -> Engine | None:
        """The engine that a question names; None for anything else."""
        if self._called(request.text) is not None:
            return None
        try:
            options = _reading(replace(request, text=storable(request.text))).options
        except EngineError:
            return None
        return options[0].question.engine

    async def own_runs(self, request: Request) -> tuple[float, ...]:
        """The asking team's own runs of the engine that the question names."""
        return await own_runs(self._log, request.team, self.engine_of(request))

    def answer(self, request: Request, own_runs: tuple[float, ...] = ()) -> Reply:
        """The reply to a question, or to a command that needs no log."""
        request = replace(request, text=storable(request.text))
        call = self._called(request.text)
        if call is not None:
            return self._calculated(call, request)
        if (command := self._misused(request)) is not None:
            return self.refused(request.text, wrong_form(request.text, command))
        began = self._clock.seconds()
        outcome, question = self._outcome(request, own_runs)
        parts = self.parts(outcome)
        if request.arithmetic and isinstance(outcome, Answer):
            parts |= self._renderer.parts(arithmetic_card(outcome))
        entry = new_query(
            named(request),
            outcome,
            question,
            public_id=request.public_id or self._new_id.new(),
            asked_at=self._clock.now(),
            catalog=self._catalog.mark,
            milliseconds=1000 * (self._clock.seconds() - began),
        )
        reply = Reply(
            kind=outcome.kind,
            audience=self._audience(outcome, question),
            parts=parts,
            actions=actions_of(outcome, entry.public_id, shared=self._audience(outcome, question) == "channel"),
            outcome=outcome,
            entry=entry,
        )
        return with_query_link(self._tools.links, reply, Viewer(team=request.team, user=request.user), entry)

    def _calculated(self, call: Called, request: Request) -> Reply:
        try:
            return calculated(call.command.word)(self._tools, call, request)
        except EngineError as error:
            return self.refused(request.text, error)

    async def log(self, viewer: Viewer, words: str, after: str | None = None) -> Reply:
        """A page of the log; `after` is the cursor of the page before."""
        from bot.review.listing import listed  # noqa: PLC0415 - a card does not wait for the code of commands

        return await self._or_refused(words, listed(self._tools, viewer, words, after))

    async def show(self, viewer: Viewer, number: int | str) -> Reply:
        """One query again, from what is stored; `number` is its number in the team or its public id."""
        from bot.review.showing import shown_query  # noqa: PLC0415 - as above

        return await self._or_refused("", shown_query(self._tools, viewer, number))

    async def record(self, reply: Reply) -> Recorded:
        """Stores a reply's entry. Never raises for a log that is away."""
        if reply.entry is None:
            return Recorded(None, "", "")
        try:
            number = await self._log.append(reply.entry)
        except NotLogged as away:
            return self._recorded(None, away.reason, lost=away.lost)
        return self._recorded(number, "", lost=False)

    def _recorded(self, number: int | None, reason: str, *, lost: bool) -> Recorded:
        card = LoggedCard(number="" if number is None else f"#{number}", reason=reason, lost=lost)
        return Recorded(number, reason, "\n".join(self._renderer.parts(card).values()))

    def _called(self, text: str) -> Called | None:
        return called(normalise(storable(text)), self._surface)

    def _misused(self, request: Request) -> Command | None:
        """The command that a text begins with, in a form that it does not have; a sentence may begin with any word."""
        if request.mention or request.question is not None:
            return None
        return misused(normalise(request.text), self._surface)

    def _outcome(
        self, request: Request, own_runs: tuple[float, ...]
    ) -> tuple[Answer | Choice | Refusal, Question | None]:
        try:
            return settled(named(request).text, _reading(request), lambda question: self._size(question, own_runs))
        except EngineError as error:
            return refusal(named(request).text, error), None

    def _size(self, question: Question, own_runs: tuple[float, ...]) -> Answer:
        return size(question, self._catalog, today=self._clock.now().date(), own_runs=own_runs)

    def refused(self, text: str, error: EngineError) -> Reply:
        """What cannot be done, in plain words; not logged."""
        outcome = refusal(text, error)
        return Reply("refusal", "asker", self._renderer.parts(refusal_card(outcome)), outcome=outcome)

    def parts(self, outcome: Answer | Choice | Refusal) -> dict[str, str]:
        """The card of an outcome."""
        return self._renderer.parts(outcome_card(outcome))

    def _audience(self, outcome: Answer | Choice | Refusal, question: Question | None) -> Audience:
        private = question is not None and question.private
        return self._answers_to if isinstance(outcome, Answer) and not private else "asker"


def _reading(request: Request) -> Reading:
    """The readings of a request; a model's config stands in for the model's name."""
    if request.question is not None:
        return Reading((LabelledQuestion("", request.text, request.question),))
    if request.config is None:
        return read(request.text, mention=request.mention)
    return config_reading(request)
