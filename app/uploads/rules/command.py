"""The command that performs an upload, for an agent that has a shell."""

from shlex import quote


def upload_command(url: str, content_type: str) -> str:
    """A line for `sh` that runs as printed once FILE is replaced by the image's path, quoted where the shell needs it.

    It prints the receipt, or the problem, and then fails. The file is streamed, and a path that does not exist sends nothing.
    """
    options = "-sS --fail-with-body --globoff"  # without the last, brackets in a file's name would be taken for a range
    return f"curl {options} -H {quote(f'Content-Type: {content_type}')} --upload-file FILE {quote(url)}"
