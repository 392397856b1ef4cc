"""The one way this product says no."""

from contract.problems import STATUS, Code


class Refusal(Exception):
    """A request that is refused, with a stable code and words that name the fix.

    REST, MCP and the event socket each turn it into their own wire form, in one place. Anything else raised is a bug.
    """

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    @property
    def status(self) -> int:
        """The HTTP status that goes with the code."""
        return STATUS[self.code]
