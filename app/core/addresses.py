"""Every address the server makes, from the one public URL."""

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class Addresses:
    """The public URL, which may hold a path, and the names this server answers to."""

    public_url: str
    more_hosts: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        parts = urlsplit(self.public_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise ValueError(f"not a public address: {self.public_url!r}; it looks like https://inbox.example.com or …/path")

    @property
    def prefix(self) -> str:
        """The path everything is served under: empty, or `/path`."""
        return urlsplit(self.public_url).path.rstrip("/")

    @property
    def origin(self) -> str:
        """Scheme, host and port, as browsers write an origin."""
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def is_secure(self) -> bool:
        """Whether browsers reach the server over https."""
        return self.public_url.startswith("https://")

    def inbox(self, ask_id: str | None = None) -> str:
        """The web inbox, or one ask in it."""
        return f"{self.origin}{self.prefix}/asks/{quote(ask_id, safe='')}" if ask_id else f"{self.origin}{self.prefix}/"

    def sign_in(self, code: str) -> str:
        """A sign-in link. The code is in the fragment: it never reaches a server's log."""
        return f"{self.origin}{self.prefix}/sign-in#{code}"

    def upload(self, space: str, secret: str) -> str:
        """Where an image is put."""
        return f"{self.origin}{self.prefix}/api/v1/uploads/{quote(space, safe='')}/{secret}"

    @property
    def mcp(self) -> str:
        """Where agents call."""
        return f"{self.origin}{self.prefix}/mcp"

    def is_ours(self, host: str) -> bool:
        """Whether a `Host` header names this server: the public name, a name it listens on, or this machine."""
        name = _host_name(host)
        return name in LOCAL_NAMES or name in self.more_hosts or name == urlsplit(self.public_url).hostname

    def is_same_origin(self, origin: str, host: str) -> bool:
        """Whether a page of this origin is one of ours: the public origin, or the very host that was called."""
        if origin == self.origin:
            return True
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and parts.netloc == host and self.is_ours(host)


def _host_name(host: str) -> str:
    if host.startswith("["):
        return host[1 : host.find("]")]
    return host.rsplit(":", 1)[0].lower() if ":" in host else host.lower()
