"""Scripts that complete commands and flags in a shell, made from the tables; static, so that a tab starts no Python."""

from __future__ import annotations

from learnlog.cli.arguments import HELP, JSON
from learnlog.cli.commands import COMMANDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from learnlog.cli.commands import Command, Flag

SHELLS = ("bash", "zsh", "fish")


def script(shell: str) -> str:
    """The script for one of `SHELLS`."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]()


def _flags(command: Command) -> Iterator[Flag]:
    yield from (flag for flag in command.flags if not flag.later)
    yield from (JSON, HELP)


def _words(command: Command) -> str:
    return " ".join(name for flag in _flags(command) for name in flag.names if name.startswith("--"))


def _values() -> dict[str, tuple[str, ...]]:
    """The words of each flag that has some; a flag has the same ones in every command."""
    return {name: flag.words for command in COMMANDS for flag in command.flags if flag.words for name in flag.names}


_BASH = """\
_learnlog() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command= words= at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case ${{COMP_WORDS[at]}} in
      --log|--project) ((at++)) ;;
      -*) ;;
      *) command=${{COMP_WORDS[at]}}; break ;;
    esac
  done
  case $before in
{values}
    --log|--from|--file|--project) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  case $command in
    '') words='{commands} --log --project --json --version' ;;
    help) words='{commands}' ;;
    completion) words='{shells}' ;;
    config) words='get set path --user --project --json --help' ;;
{flags}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [[ $command == import && $word != -* ]]; then COMPREPLY=($(compgen -f -- "$word")); fi
}}
complete -F _learnlog learnlog
"""


def _bash() -> str:
    with_own = ("help", "completion", "config")
    return _BASH.format(
        commands=" ".join(command.name for command in COMMANDS),
        shells=" ".join(SHELLS),
        values="\n".join(
            f"    {name}) COMPREPLY=($(compgen -W '{' '.join(words)}' -- \"$word\")); return ;;"
            for name, words in _values().items()
        ),
        flags="\n".join(
            f"    {command.name}) words='{_words(command)}' ;;" for command in COMMANDS if command.name not in with_own
        ),
    )


def _zsh() -> str:
    """zsh runs bash's script through its own emulation of `complete`."""
    return f"#compdef learnlog\nautoload -U +X bashcompinit && bashcompinit\n{_bash()}"


def _fish() -> str:
    lines = ["complete -c learnlog -f"]
    for command in COMMANDS:
        lines.append(f"complete -c learnlog -n __fish_use_subcommand -a {command.name} -d {_quoted(command.summary)}")
        for flag in _flags(command):
            lines.append(_fish_flag(command.name, flag))
    lines.append(f"complete -c learnlog -n '__fish_seen_subcommand_from completion' -a '{' '.join(SHELLS)}'")
    lines.append("complete -c learnlog -n '__fish_seen_subcommand_from config' -a 'get set path'")
    return "\n".join(lines) + "\n"


def _fish_flag(command: str, flag: Flag) -> str:
    names = "".join(f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}" for name in flag.names)
    takes = f" -x -a '{' '.join(flag.words)}'" if flag.words else " -r" if flag.metavar else ""
    return f"complete -c learnlog -n '__fish_seen_subcommand_from {command}'{names}{takes} -d {_quoted(flag.help)}"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
