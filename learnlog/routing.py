"""Which tier a learning of some scope is kept in; pure. What scope it has is `policy.classify`'s to say."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

AUTO = "auto"
"""The scope that is found by what a learning says."""

_TIER_OF = {"project": "project", "workstation": "workstation", "universal": "workstation"}
_SCOPE_WITHOUT_PROJECT = "workstation"


def tier_of(scope: str, tiers: Collection[str]) -> str:
    """The tier for a scope, among those that there are; the nearest when there is none for it.

    >>> tier_of("universal", ["project", "workstation"]), tier_of("project", ["workstation"])
    ('workstation', 'workstation')
    """
    wanted = _TIER_OF.get(scope, "project")
    return wanted if wanted in tiers else next(iter(tiers))


def scope_in(scope: str, tiers: Collection[str]) -> str:
    """A scope that was found, in a place with these tiers: without a project nothing is about one.

    >>> scope_in("project", ["workstation"]), scope_in("universal", ["workstation"])
    ('workstation', 'universal')
    """
    return _SCOPE_WITHOUT_PROJECT if scope == "project" and "project" not in tiers else scope
