"""The contract's numbers."""

INPUT_BYTES = 262_144
"""What an agent sends in one call, at most, as compact UTF-8 JSON without nulls and unknown arguments."""

BODY_BYTES = 1_048_576
"""A request's body at most, an upload apart."""

UPLOAD_BYTES = 10 * 1024 * 1024
"""An image at most, unless the deployment says otherwise."""

UPLOAD_PIXELS = 50_000_000
UPLOAD_FRAMES = 200
UPLOAD_TICKET_SECONDS = 15 * 60
EVENT_TICKET_SECONDS = 60

BRIEFING_POINTS = 50
"""Points of a briefing at most, and sub-points under one point."""

POINT_LEVELS = 3
RECENT = 50
"""Closed asks in a snapshot."""

PAGE = 50
PAGE_MOST = 100
JOIN_SECONDS = 24 * 60 * 60
"""How long a reply that has not reached its agent is kept for the same call."""

IDEMPOTENCY_SECONDS = 24 * 60 * 60
