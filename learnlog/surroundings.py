"""What is around a command: the project, this person's home, their settings, the stack. Looks, and changes nothing."""

from __future__ import annotations

import os

from learnlog import roots
from learnlog.roots import LOG_NAME
from learnlog.vocabulary import REFERENCE_PREFIXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from learnlog.config import Settings
    from learnlog.index.together import Part
    from learnlog.roots import Place
    from learnlog.store import Store


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
            from learnlog import config  # what only looks for words does without

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

    def present(self) -> list[tuple[str, str]]:
        """(tier, path) of the logs that there are, and of the nearest one in any case."""
        return [one for at, one in enumerate(self.tiers) if not at or os.path.lexists(one[1])]

    def parts(self) -> list[Part]:
        """The logs, to be asked together."""
        from learnlog import index
        from learnlog.index.together import Part

        made = []
        for tier, path in self.present():
            prefix = REFERENCE_PREFIXES[tier]
            made.append(Part(index.of_path(path, tier=tier, prefix=prefix), name=path, tier=tier, prefix=prefix))
        return made

    def note_project(self, store: Store) -> None:
        """Say in LEARNLOG_HOME what this project is and how many learnings it has, for other projects to find it."""
        from learnlog import projects
        from learnlog.errors import LearnlogError
        from learnlog.events import time_text
        from learnlog.ids import now_ms

        root = self.place.root
        if root is None:
            return
        main = roots.main_tree(root)
        if main != root and os.path.exists(os.path.join(main, roots.FOLDER, LOG_NAME)):
            return  # the main tree speaks for its worktrees
        try:
            found = store.search(limit=0, count=True)
        except LearnlogError:  # a log that cannot be read has no count; whatever reads it says so
            return
        projects.note(
            projects.Project(
                name=self.settings.name or os.path.basename(main) or "project",
                root=main,
                log=store.log.name,
                stack=self.stack,
                learnings_count=found.total or 0,
                updated=time_text(now_ms())[:10],
            ),
            self.environment,
        )

    def others(self) -> list[Part]:
        """The logs of other projects whose stack overlaps this one: of what is in them only what this person trusts is seen."""
        from learnlog import index, projects, trust
        from learnlog.index.together import Part

        root = None if self.place.root is None else roots.main_tree(self.place.root)
        trusted = trust.read(trust.path_of(self.environment))
        prefix = REFERENCE_PREFIXES["project"]
        return [
            Part(
                index.of_path(one.log, tier="project", prefix=prefix),
                name=one.log,
                tier="project",
                prefix=prefix,
                project=_harmless(one.name, one.root),
                trusted=trusted,
            )
            for one in projects.others(root, self.stack, self.environment)
        ]


def _harmless(name: str, root: str) -> str:
    """What another project is called here: its name is from its own configuration, which is data from others."""
    from learnlog.policy.guard import scan

    return next((one for one in (name, os.path.basename(root)) if one and scan(one) is None), "another project")
