"""`loopback sign-in`: a link for the browser."""

from pathlib import Path

import click

from app.commands.options import data_dir_option, json_option, read_settings
from app.commands.running import running_server
from app.commands.words import json_text


@click.command(name="sign-in", epilog='Example: xdg-open "$(loopback sign-in)"')
@data_dir_option
@json_option
def sign_in(data_dir: Path | None, as_json: bool) -> None:
    """Print a fresh link that signs a browser in.

    It is good once, for fifteen minutes, and ends the one before it. It has to be run where the server runs.
    """
    from app.commands.home import addresses_of, at_the_gate
    from app.core.addresses import Addresses

    settings = read_settings(data_dir=data_dir)
    running = running_server(settings.data_dir)
    addresses = Addresses(running.public_url) if running else addresses_of(settings)
    link = addresses.sign_in(at_the_gate(settings, lambda gate: gate.sign_in_link()))
    click.echo(json_text({"url": link}) if as_json else link)
    if running is None:
        click.echo("No server runs on this data folder: start it with `loopback serve`, then open the link.", err=True)
