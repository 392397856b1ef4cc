"""What a client takes compressed."""

import pytest
from starlette.requests import Request

from app.rest.encoding import takes_gzip


def request(header: str | None) -> Request:
    headers = [] if header is None else [(b"accept-encoding", header.encode())]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": headers})


@pytest.mark.parametrize("header", ["gzip", "br, gzip", "GZIP;q=0.5", "deflate;q=0, gzip; q=1"])
def test_gzip_is_taken_where_it_is_named(header: str) -> None:
    assert takes_gzip(request(header))


@pytest.mark.parametrize("header", [None, "", "br", "gzip;q=0", "gzip; q=0.000", "x-gzipped", "identity"])
def test_gzip_is_not_taken_where_it_is_not_named_or_weighs_nothing(header: str | None) -> None:
    assert not takes_gzip(request(header))
