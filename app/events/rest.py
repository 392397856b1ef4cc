"""The operation that issues event tickets, and the one that says who the caller is."""

from starlette.routing import Route

from app.events.tickets import Tickets
from app.gate.caller import Caller
from app.rest.binding import Call, Enter, bind
from contract.events import EventTicket, Whoami
from contract.operations import EVENT_TICKET, WHOAMI


class EventsRest:
    """Routes."""

    def __init__(self, tickets: Tickets, enter: Enter[Caller]) -> None:
        self._tickets = tickets
        self._enter = enter

    def routes(self) -> list[Route]:
        """The operations."""
        return [bind(EVENT_TICKET, self.issue, self._enter), bind(WHOAMI, self.whoami, self._enter)]

    async def issue(self, call: Call[Caller]) -> EventTicket:
        """A pass onto the event socket."""
        return await self._tickets.issue(call.caller)

    async def whoami(self, call: Call[Caller]) -> Whoami:
        """The space that the credentials open, and whose they are."""
        return Whoami(space=call.caller.space, actor=call.caller.actor)
