"""What is around a command: the project, this person's home, their settings, the stack. Looks, and changes nothing."""

from __future__ import annotations

import os

from learnlog import config, roots
from learnlog.roots import LOG_NAME
from learnlog.vocabulary import REFERENCE_PREFIXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from learnlog.config import Settings
    from learnlog.index.together import Part
    from learnlog.roots import Place


class Surroundings:
    """The logs that belong together around `place`. `named`: somebody named one log, and there is nothing else.

    `tiers` has (tier, path of its log), the nearest first.
    """

    __slots__ = ("_settings", "_stack", "environment", "place", "tiers")

    def __init__(self, place: Place, environment: Mapping[str, str]) -> None:
        self.place, self.environment = place, environment
        self.tiers = [(place.tier, os.path.abspath(place.log))]
        if not place.named and place.tier == "project":
            self.tiers.append(("workstation", os.path.join(roots.home(environment), LOG_NAME)))
        self._settings: Settings | None = None
        self._stack: tuple[str, ...] | None = None

    @property
    def settings(self) -> Settings:
        """What the project and this person set; what is wrong with their files is in its `warnings`."""
        if self._settings is None:
            self._settings = config.settings(self.place.root, self.environment)
        return self._settings

    @property
    def stack(self) -> tuple[str, ...]:
        """The project's stack: as it is configured, else as its files say. Empty: not known."""
        if self._stack is None:
            self._stack = self._known_stack()
        return self._stack

    def _known_stack(self) -> tuple[str, ...]:
        if self.settings.stack is not None:
            return self.settings.stack
        if self.place.root is None:
            return ()
        from learnlog import stacks

        return stacks.known(self.place.root, self.environment)

    def parts(self) -> list[Part]:
        """The logs, to be asked together."""
        from learnlog import index
        from learnlog.index.together import Part

        made = []
        for tier, path in self.tiers:
            prefix = REFERENCE_PREFIXES[tier]
            made.append(Part(index.of_path(path, tier=tier, prefix=prefix), name=path, tier=tier, prefix=prefix))
        return made
