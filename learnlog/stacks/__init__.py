"""The stack that a project's files speak of: its languages, then what is well known, then what else it depends on itself.

Reads, and nothing else: no file is executed, no lock file is read, no link out of the project is followed. A stack that a
person set in a configuration is not this room's matter.

What is looked at: the project's root, and `requirements/`. When no file there describes a project (one for Docker or Terraform
alone does not), the first `FOLDERS` folders in the root, by name, without hidden ones and those that tools fill. That is for
a root that only holds several projects; a workspace with a file of its own at the root is described by that file.
"""

from __future__ import annotations

import os
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Sighting = tuple[str, str, str]
    """The path of a file, the names that its presence says, and the reader of its text ("": it is not read)."""

MOST = 40
"""So many names a stack has at most: the most telling come first."""
FOLDERS = 40
FILES = 60
"""So many folders of a root without a project, and so many files, are looked at."""
_ENTRIES = 10_000
"""So many entries of a folder are looked through; a file with a fixed name is found in a larger one too."""

_PROJECT_FILES = (
    # name, or a name with one * in it; what its presence says; how it is read
    ("pyproject.toml", "python", "pyproject"),
    ("requirements*.txt", "python", "requirements"),
    ("requirements*.in", "python", "requirements"),
    ("setup.cfg", "python", "setup_cfg"),
    ("setup.py", "python", ""),  # a program: what it needs is known only by running it
    ("Pipfile", "python", "pipfile"),
    ("manage.py", "python django", ""),
    ("package.json", "javascript", "package_json"),
    ("tsconfig.json", "typescript", ""),
    ("deno.json", "typescript deno", "deno"),
    ("deno.jsonc", "typescript deno", "deno"),
    ("Cargo.toml", "rust", "cargo"),
    ("go.mod", "go", "go_mod"),
    ("Gemfile", "ruby", "gemfile"),
    ("*.gemspec", "ruby", "gemfile"),
    ("pom.xml", "java", "maven"),
    ("build.gradle", "java", "gradle"),
    ("build.gradle.kts", "java", "gradle"),
    ("build.sbt", "scala", ""),
    ("composer.json", "php", "composer"),
    ("mix.exs", "elixir", "mix"),
    ("rebar.config", "erlang", ""),
    ("*.csproj", "csharp", "dotnet"),
    ("*.fsproj", "fsharp", "dotnet"),
    ("Package.swift", "swift", "swift"),
    ("pubspec.yaml", "dart", "pubspec"),
    ("CMakeLists.txt", "cmake", "cmake"),
    ("deps.edn", "clojure", ""),
    ("project.clj", "clojure", ""),
    ("*.cabal", "haskell", ""),
    ("dune-project", "ocaml", ""),
    ("build.zig", "zig", ""),
    ("Project.toml", "julia", ""),
)
_BESIDE = (
    ("bun.lock", "javascript bun", ""),
    ("bun.lockb", "javascript bun", ""),
    ("pnpm-lock.yaml", "pnpm", ""),
    ("pnpm-workspace.yaml", "pnpm", ""),
    ("yarn.lock", "yarn", ""),
    ("package-lock.json", "npm", ""),
    ("uv.lock", "uv", ""),
    ("poetry.lock", "poetry", ""),
    ("gradlew", "gradle", ""),
    ("mvnw", "maven", ""),
    ("Dockerfile", "docker", ""),
    ("docker-compose*.yml", "docker", "compose"),
    ("docker-compose*.yaml", "docker", "compose"),
    ("compose.yml", "docker", "compose"),
    ("compose.yaml", "docker", "compose"),
    ("*.tf", "terraform", "terraform"),
    ("Chart.yaml", "helm kubernetes", ""),
    ("wrangler.toml", "cloudflare", ""),
    (".gitlab-ci.yml", "gitlab-ci", ""),
)
"""The same for files that say something of a project and do not describe one."""
_MOST_ALIKE = 8
"""So many files of one row with a `*` are looked at, the shortest names first."""
_FILLED = frozenset(
    [
        "node_modules",
        "bower_components",
        "vendor",
        "third_party",
        "venv",
        "env",
        "virtualenv",
        "site-packages",
        "__pycache__",
        "target",
        "dist",
        "build",
        "out",
        "obj",
        "bin",
        "Pods",
        "Carthage",
        "DerivedData",
        "_build",
        "deps",
    ]
)
"""Folders that tools fill with what others wrote, and with what can be made again."""


def detect(root: str) -> tuple[str, ...]:
    """The stack by the files in the folder `root`: at most `MOST` lower-case names, languages first; () when there are none.

    Never raises for what a file holds: what cannot be read of it is left out, and its name still says a language.
    """
    from learnlog.stacks import reading

    return reading.stack_of(root, looked_at(root), most=MOST)


def known(root: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """What `detect` answers, kept in this person's cache until one of the files it looks at changes, comes or goes."""
    from learnlog.remembered import recall

    files = [path for path, _, _ in looked_at(root)]
    return recall("stack", root, [*_OURS, *files], lambda: detect(root), environment)


_OURS = [
    os.path.join(os.path.dirname(__file__), f"{name}.py")
    for name in ("__init__", "names", "packages", "reading", "documents", "scans")
]
"""Another version of the library reads other things into the same files."""


def looked_at(root: str) -> list[Sighting]:
    """The files of a project that say something of its stack, in the order in which they are heard."""
    names, folders = _listing(root)
    found = list(_sightings(root, names, _PROJECT_FILES))
    if "requirements" in folders:
        folder = os.path.join(root, "requirements")
        texts = sorted(name for name in _listing(folder)[0] if name.endswith((".txt", ".in")))
        found += [(os.path.join(folder, name), "python", "requirements") for name in texts[:_MOST_ALIKE]]
    beside = list(_sightings(root, names, _BESIDE))
    if not found:
        for name in sorted(one for one in folders if not one.startswith(".") and one not in _FILLED)[:FOLDERS]:
            folder = os.path.join(root, name)
            inner, _ = _listing(folder)
            found += _sightings(folder, inner, _PROJECT_FILES)
            beside += _sightings(folder, inner, _BESIDE)
    return [*found, *beside][:FILES]


def _listing(folder: str) -> tuple[set[str], set[str]]:
    """The names in a folder: of what is no folder, and of folders that are no links."""
    files: set[str] = set()
    folders: set[str] = set()
    try:
        with os.scandir(folder) as entries:
            for entry in islice(entries, _ENTRIES):
                (folders if entry.is_dir(follow_symlinks=False) else files).add(entry.name)
    except (OSError, ValueError):
        return files, folders
    if len(files) + len(folders) >= _ENTRIES:
        fixed = (name for name, _, _ in (*_PROJECT_FILES, *_BESIDE) if "*" not in name)
        files.update(name for name in fixed if os.path.isfile(os.path.join(folder, name)))
    return files, folders


def _sightings(folder: str, names: set[str], rows: tuple[tuple[str, str, str], ...]) -> Iterator[Sighting]:
    for pattern, says, reader in rows:
        before, star, after = pattern.partition("*")
        if not star:
            alike = [pattern] if pattern in names else []
        else:
            least = len(before) + len(after)
            alike = [one for one in names if len(one) >= least and one.startswith(before) and one.endswith(after)]
            alike.sort(key=lambda one: (len(one), one))  # requirements.txt before requirements-dev.txt
        for name in alike[:_MOST_ALIKE]:
            yield os.path.join(folder, name), says, reader
