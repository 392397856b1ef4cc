"""Every environment variable, once. Only `main` and the command line read this."""

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from contract.limits import UPLOAD_BYTES


def default_data_dir() -> Path:
    """Where an inbox of this machine keeps what it has. Postgres does not run as root and cannot reach root's home."""
    if os.geteuid() == 0:
        return Path("/var/lib/loopback")
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "loopback"


class Settings(BaseSettings):
    """The settings, from the environment with the prefix `LOOPBACK_`; `.env.example` says what each is for."""

    model_config = SettingsConfigDict(env_prefix="LOOPBACK_", env_ignore_empty=True, extra="ignore")

    host: str = "127.0.0.1"
    port: int = Field(default=8787, ge=0, le=65535)
    public_url: str | None = None
    data_dir: Path = Field(default_factory=default_data_dir)

    database_url: str | None = None
    database_direct_url: str | None = None

    blobs: Literal["file", "s3"] = "file"
    s3_bucket: str | None = None
    s3_endpoint: str | None = None
    s3_region: str | None = None
    upload_max_bytes: int = Field(default=UPLOAD_BYTES, ge=1, le=100 * 1024 * 1024)

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["text", "json"] = "text"

    url: str | None = None
    token: str | None = None

    @field_validator("log_level", "log_format", "blobs", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value

    @property
    def local_token_file(self) -> Path:
        """Where the token of this machine's own agents is kept, readable by nobody else."""
        return self.data_dir / "local-token"

    def address(self) -> str:
        """The address people and agents reach this server by."""
        if self.public_url:
            return self.public_url
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::", "localhost") else self.host  # noqa: S104
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"
