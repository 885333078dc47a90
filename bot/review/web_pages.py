"""The log's web pages as values: what each shows, and where its links lead. The templates write them as HTML."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from bot.cards import AnswerCard, ArithmeticCard, ChoiceCard, DecidedRow, LogRow, RefusalCard, ShownCard, WebPage
from bot.charts import Chart


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around every page.

    Attributes:
        root: path of the list; empty where the link opens one query alone.
        here: the page's place in the menu.
        until: when the link ends, in words.
    """

    title: str
    root: str
    here: str
    until: str


@dataclass(frozen=True, slots=True)
class LinkedRow:
    """A row with the path of its query."""

    path: str
    row: LogRow


@dataclass(frozen=True, slots=True)
class LinkedDecision:
    path: str
    row: DecidedRow


@dataclass(frozen=True, slots=True)
class Form:
    """What is chosen in the form of filters."""

    q: str = ""
    verdict: str = ""
    workload: str = ""
    since: str = ""
    until: str = ""
    decided: str = ""

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Form":
        return cls(**{name: given.get(name, "").strip() for name in cls.__slots__})

    def words(self) -> str:
        """The same as the words behind `log`.

        >>> Form(q="13b", verdict="tight").words()
        '13b verdict:tight'
        """
        named = {name: getattr(self, name) for name in ("verdict", "workload", "since", "until", "decided")}
        return " ".join(filter(None, (self.q, *(f"{name}:{value}" for name, value in named.items() if value))))

    def query(self, **more: str) -> str:
        """The form as the query of an address, with something more."""
        given = {name: getattr(self, name) for name in type(self).__slots__} | more
        return urlencode({name: value for name, value in given.items() if value})


@dataclass(frozen=True, slots=True)
class ListPage(WebPage):
    template = "list"

    frame: Frame
    form: Form
    problem: str
    rows: tuple[LinkedRow, ...]
    newer: str
    older: str


@dataclass(frozen=True, slots=True)
class DecisionsPage(WebPage):
    template = "decisions"

    frame: Frame
    rows: tuple[LinkedDecision, ...]
    newer: str
    older: str


@dataclass(frozen=True, slots=True)
class Segment:
    """One term of the bar."""

    x: int
    width: int
    shade: int


@dataclass(frozen=True, slots=True)
class QueryPage(WebPage):
    """One query: an answer with bar and arithmetic, or a choice, or a refusal."""

    template = "query"

    frame: Frame
    shown: ShownCard
    answer: AnswerCard | None
    segments: tuple[Segment, ...]
    arithmetic: ArithmeticCard | None
    choice: ChoiceCard | None
    refusal: RefusalCard | None


@dataclass(frozen=True, slots=True)
class ChartsPage(WebPage):
    template = "charts"

    frame: Frame
    charts: tuple[Chart, ...]


@dataclass(frozen=True, slots=True)
class NoticePage(WebPage):
    """Nothing to see, and why."""

    template = "notice"

    frame: Frame
    text: str
