"""What a client takes compressed."""

from starlette.requests import Request


def takes_gzip(request: Request) -> bool:
    """Whether `Accept-Encoding` names gzip, and not with a weight of nought."""
    for part in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() == "gzip":
            refused = weight.replace(" ", "") in ("q=0", "q=0.0", "q=0.00", "q=0.000")
            return not refused
    return False
