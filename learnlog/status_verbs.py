"""The verbs that change what a learning counts as, the same for one log and for several: each one event, undone by `undo`.

What a verb does is in `deciding`; where it is done is said by the class that takes this one in.
"""

from __future__ import annotations

from learnlog.done import Done


class StatusVerbs:
    """Archive, restore, delete, accept, reject, supersede. Each answers `unchanged` when it is so already."""

    def _status(self, kind: str, verb: str, reference: str, *, reason: str, by: str | None, session: str | None) -> Done:
        raise NotImplementedError

    def archive(self, reference: str, *, reason: str = "", by: str | None = None, session: str | None = None) -> Done:
        """Take a learning out of searches without deleting it. Raises `NoSuchLearning`, `WrongStatus`."""
        return self._status("archived", "archive", reference, reason=reason, by=by, session=session)

    def restore(self, reference: str, *, reason: str = "", by: str | None = None, session: str | None = None) -> Done:
        """Make an archived, superseded or deleted learning active again. Raises `NoSuchLearning`, `WrongStatus`."""
        return self._status("restored", "restore", reference, reason=reason, by=by, session=session)

    def delete(self, reference: str, *, reason: str = "", by: str | None = None, session: str | None = None) -> Done:
        """Delete a learning: it stays in the log and in `history`, and `restore` brings it back. Raises `NoSuchLearning`."""
        return self._status("deleted", "delete", reference, reason=reason, by=by, session=session)

    def accept(self, reference: str, *, reason: str = "", by: str | None = None, session: str | None = None) -> Done:
        """Make a proposed learning active. Raises `NoSuchLearning`, `WrongStatus`."""
        return self._status("accepted", "accept", reference, reason=reason, by=by, session=session)

    def reject(self, reference: str, *, reason: str = "", by: str | None = None, session: str | None = None) -> Done:
        """Delete a proposed learning. Raises `NoSuchLearning`, `WrongStatus`."""
        return self._status("rejected", "reject", reference, reason=reason, by=by, session=session)
