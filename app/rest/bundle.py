"""Serves the web inbox's bundle: its shell for every page, its assets for ever, and a plain word where it was not built."""

import mimetypes
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.core.addresses import Addresses
from app.core.refusal import Refusal
from app.rest.encoding import takes_gzip
from contract.problems import Code

STATIC = Path(__file__).resolve().parent.parent / "static"

PAGES = ("/", "/asks/{id}", "/history", "/sign-in", "/settings")

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src {connect}; font-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types sw"
)

_NO_PAGES = ("/api/", "/inbox/api", "/mcp", "/assets/")

_BESIDE = ("svg", "png", "webmanifest", "js", "ico", "txt")

_UNBUILT = (
    "<!doctype html><title>Loopback</title><p>The web inbox is not built. Run <code>make install</code> in the project's folder, "
    "then start the server again."
)


class Bundle:
    """The files that `web/build.py` left in `app/static`, read once: they are a few hundred kilobytes."""

    def __init__(self, addresses: Addresses, folder: Path = STATIC) -> None:
        socket = addresses.origin.replace("http", "ws", 1)
        self._headers = {
            "Content-Security-Policy": CSP.format(connect=f"'self' {socket}"),
            "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
            "X-Frame-Options": "DENY",
        }
        if addresses.is_secure:
            self._headers["Strict-Transport-Security"] = "max-age=31536000"
        self._files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in _files_of(folder)}
        index = self._files.get("index.html")
        self._shell = index.decode().replace('"./', f'"{addresses.prefix}/') if index else None

    def routes(self) -> list[Route]:
        """The pages, their assets, and the few files that stand beside the shell."""
        beside = [name for name in self._files if "/" not in name and name.rpartition(".")[2] in _BESIDE]
        return [
            *(Route(page, self._page, methods=["GET"]) for page in PAGES),
            *(Route(f"/{name}", self._beside, methods=["GET"]) for name in beside),
            Route("/assets/{name:path}", self._asset, methods=["GET"]),
        ]

    def unknown(self, request: Request) -> Response | None:
        """The shell for a browser at an address that is none of ours: the page says so. None for everybody else."""
        path = request.url.path
        wants_page = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
        if self._shell is None or not wants_page or path.startswith(_NO_PAGES):
            return None
        return Response(self._shell, 404, {**self._headers, "Cache-Control": "no-cache"}, media_type="text/html")

    async def _page(self, request: Request) -> Response:
        if self._shell is None:
            return Response(_UNBUILT, 503, media_type="text/html")
        return Response(self._shell, headers={**self._headers, "Cache-Control": "no-cache"}, media_type="text/html")

    async def _asset(self, request: Request) -> Response:
        return self._file(request, f"assets/{request.path_params['name']}", "public, max-age=31536000, immutable")

    async def _beside(self, request: Request) -> Response:
        return self._file(request, request.url.path.rsplit("/", 1)[-1], "no-cache")

    def _file(self, request: Request, name: str, caching: str) -> Response:
        if name not in self._files:
            raise Refusal(Code.NOT_FOUND, "there is no such file in this build: reload the page")
        headers = {"Cache-Control": caching, "Vary": "Accept-Encoding"}
        body = self._files[name]
        packed = self._files.get(f"{name}.gz")
        if packed is not None and takes_gzip(request):
            body, headers["Content-Encoding"] = packed, "gzip"
        media = "application/manifest+json" if name.endswith(".webmanifest") else mimetypes.guess_type(name)[0]
        return Response(body, headers=headers, media_type=media or "application/octet-stream")


def _files_of(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()] if folder.exists() else []
