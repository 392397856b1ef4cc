"""Where the points of a briefing stand, folded over its prompt and its thread."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import assert_never

from app.asks.rules.faults import is_blank
from contract.asks import AgentEntry, BriefingAsk, HumanEntry, Point
from contract.content import BriefingPoint
from contract.people import Responded


@dataclass(frozen=True, slots=True)
class PointState:
    """One point: whether the person is done with it, and whether words of theirs on it await the agent's answer."""

    id: str
    resolved: bool = False
    unanswered: bool = False

    @property
    def parent(self) -> str | None:
        """The point that this one lies directly under."""
        return self.id.rpartition(".")[0] or None

    @property
    def level(self) -> int:
        """1 for a point of the prompt, 2 and 3 for sub-points."""
        return self.id.count(".") + 1


@dataclass(frozen=True, slots=True)
class Points:
    """All points of a briefing at one moment, sub-points included. Every change gives a new value."""

    states: Mapping[str, PointState]

    def __iter__(self) -> Iterator[PointState]:
        """The points in the order a reader counts: 3.9, 3.10, 4."""
        return iter(sorted(self.states.values(), key=lambda state: _natural(state.id)))

    def get(self, id: str) -> PointState | None:
        """The point of this id, if there is one."""
        return self.states.get(id)

    @property
    def ids(self) -> tuple[str, ...]:
        """Every point."""
        return tuple(state.id for state in self)

    @property
    def open(self) -> tuple[str, ...]:
        """The points that the person is not done with."""
        return tuple(state.id for state in self if not state.resolved)

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The points that the agent's next answers must include: written on since its last ones, and left unresolved."""
        return tuple(state.id for state in self if state.unanswered)

    @property
    def all_resolved(self) -> bool:
        """Whether the person is done with the briefing."""
        return all(state.resolved for state in self.states.values())

    def beneath(self, id: str) -> int:
        """How many sub-points lie directly under a point."""
        return sum(state.parent == id for state in self.states.values())

    def next_ids(self, id: str, count: int) -> tuple[str, ...]:
        """The ids of so many new sub-points under a point: they continue after those already there."""
        first = self.beneath(id) + 1
        return tuple(f"{id}.{n}" for n in range(first, first + count))

    def responded(self, reply: Responded) -> "Points":
        """After the person's replies on points. What they resolve counts first, then words open points again."""
        done = {on.point for on in reply.points if on.resolved}
        written = {on.point for on in reply.points if not is_blank(on.text)}
        opened = {above for id in written - done for above in _lineage(id)}

        def after(state: PointState) -> PointState:
            resolved = state.id not in opened and (state.resolved or not done.isdisjoint(_lineage(state.id)))
            return replace(state, resolved=resolved, unanswered=not resolved and (state.unanswered or state.id in written))

        return _points(map(after, self.states.values()))

    def answered(self, entry: AgentEntry) -> "Points":
        """After an answer of the agent: its turn leaves no words unanswered, and its sub-points are open."""
        before = (replace(state, unanswered=False) if state.unanswered else state for state in self.states.values())
        return _points((*before, *(PointState(point.id) for point in entry.points or ())))


def fold(ask: BriefingAsk) -> Points:
    """Where the points of a briefing stand after its thread."""
    points = _points(PointState(point.id) for section in ask.prompt.sections for point in section.points)
    for entry in ask.thread:
        match entry:
            case HumanEntry():
                if isinstance(entry.reply, Responded):
                    points = points.responded(entry.reply)
            case AgentEntry():
                points = points.answered(entry)
            case _:
                assert_never(entry)
    return points


def with_ids(points: Iterable[BriefingPoint], ids: Iterable[str]) -> tuple[Point, ...]:
    """Points as they are shown, each with its id; of the ids only as many are taken as there are points."""
    return tuple(
        Point(id=id, title=point.title, detail=point.detail, content=point.content)
        for point, id in zip(points, ids, strict=False)  # points first: zip then leaves the next id where it is
    )


def _points(states: Iterable[PointState]) -> Points:
    return Points(MappingProxyType({state.id: state for state in states}))


def _lineage(id: str) -> Iterator[str]:
    """A point and what it lies under: 3.1.2, 3.1, 3."""
    while id:
        yield id
        id = id.rpartition(".")[0]


def _natural(id: str) -> tuple[int, ...]:
    return tuple(int(part) for part in id.split("."))
