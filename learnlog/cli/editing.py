"""`edit REF`: a learning as a small text form, an editor on it, and what was changed as one revision.

What somebody has typed is never lost: whatever fails, the text is kept and its path named.
"""

from __future__ import annotations

import os
from typing import Any

from learnlog import ids, terminal
from learnlog.cli.failure import UsageError
from learnlog.cli.form import FormError, form_text, read_form
from learnlog.cli.opening import library_with
from learnlog.cli.output import Answer
from learnlog.cli.receipts import Receipt, receipt
from learnlog.done import Done
from learnlog.errors import InvalidValue, LearnlogError, Outdated
from learnlog.model import Learning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from learnlog.cli.arguments import Options

_STDERR = 2


class EditFailed(LearnlogError, RuntimeError):
    """The editor failed, or what it left cannot be stored: `path` has the text. Ends with the exit code of its cause."""

    kind = "edit-failed"

    def __init__(self, path: str, reason: str, exit_code: int = 1) -> None:
        self.path, self.reason, self.exit_code = path, reason, exit_code
        super().__init__(f"{reason}; nothing was changed, your text is kept in {path}")


def edit(options: Options) -> Answer:
    """Open the learning in an editor and revise it with what comes back."""
    editor = _editor()
    library = library_with(options, options.ref)
    learning = library.get(options.ref)
    if options.expect is not None and not ids.is_id(options.expect):
        raise InvalidValue("--expect", options.expect, "the id of an event")
    if options.expect is not None and options.expect != learning.event:
        raise Outdated("event", options.expect, learning.event)
    path = _written(learning.ref, form_text(learning))
    try:
        changes = _edited(path, editor, learning, as_json=options.json)
        done = library.revise(learning.uid, expect=learning.event, **changes) if changes else None
    except FormError as error:
        raise EditFailed(path, f"the form cannot be read: {error}", 2) from error
    except EditFailed:
        raise
    except LearnlogError as error:
        raise EditFailed(path, str(error), error.exit_code) from error
    os.unlink(path)
    return _answer(learning, done)


def _answer(learning: Learning, done: Done | None) -> Answer:
    if done is not None:
        return Answer(lambda: receipt(done), lambda: f"{done.ref} {done.status}")
    same = Receipt(
        ref=learning.ref,
        uid=learning.uid,
        event=learning.event,
        status="unchanged",
        tier=learning.tier,
        scope=learning.scope,
        similar=(),
    )
    return Answer(lambda: same, lambda: f"{terminal.line(learning.ref)} unchanged")


def _editor() -> list[str]:
    import shlex

    for name in ("VISUAL", "EDITOR"):
        given = os.environ.get(name, "").strip()
        if given:
            try:
                return shlex.split(given)
            except ValueError as error:
                raise UsageError(f"{name}={given!r} is no command: {error}") from error
    raise UsageError("edit: set VISUAL or EDITOR to the editor to use; `revise` changes fields without one")


def _written(ref: str, text: str) -> str:
    import tempfile

    name = "".join(one if one.isalnum() or one == "-" else "_" for one in ref)
    fd, path = tempfile.mkstemp(prefix=f"learnlog-{name}-", suffix=".txt")
    with open(fd, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
        file.write(text)
    return path


def _edited(path: str, editor: list[str], learning: Learning, *, as_json: bool) -> dict[str, Any]:
    """The fields that are different in the file when the editor is done with it."""
    import subprocess

    out = _STDERR if as_json else None  # stdout is for the document; an editor may draw on it
    try:
        code = subprocess.run([*editor, path], stdout=out, check=False).returncode
    except OSError as error:
        raise EditFailed(path, f"cannot run the editor {editor[0]!r}: {error.strerror}") from error
    if code:
        raise EditFailed(path, f"the editor {editor[0]!r} ended with {code}")
    try:
        with open(path, encoding="utf-8", errors="surrogatepass", newline="") as file:
            return read_form(file.read(), learning)
    except UnicodeDecodeError as error:
        raise EditFailed(path, f"the form is not UTF-8 at byte {error.start}", 2) from error
    except OSError as error:
        raise EditFailed(path, f"the form cannot be read back: {error.strerror}") from error
