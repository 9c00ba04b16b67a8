"""The command: finds what to run, and takes its answer or its failure out of the process. Imports nothing but sys.

A command is started at every prompt, so each module is imported when it is needed: the tables are in `commands`, flags and
values are read by `arguments`, answers written by `output`.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from learnlog.cli.output import Answer

INTERRUPTED = 130


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns its exit code (docs/commands.md). `argv` is without the program's name."""
    import gc

    words, as_json = _without_json(list(sys.argv[1:] if argv is None else argv))
    collects = gc.isenabled()
    gc.disable()  # a short life: the collector would only look through what is being imported (4 of 70 ms)
    try:
        return _run(words, as_json)
    except BrokenPipeError:  # whoever read the answer has seen enough of it
        from learnlog.cli.output import forget_stdout

        forget_stdout()
        return 0
    finally:
        if collects:
            gc.enable()


def _run(words: list[str], as_json: bool) -> int:
    try:
        answer = _answer(words, as_json)
        from learnlog.cli.output import write

        write(answer, as_json=as_json)
        return answer.code
    except BrokenPipeError:
        raise
    except KeyboardInterrupt:
        _fail("interrupted", "interrupted; what was not answered was not done or can be seen in `learnlog list`", as_json)
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the outermost layer: whatever it is, it ends as one line or one document
        from learnlog.cli.failure import report

        return report(error, as_json=as_json)


def _answer(words: list[str], as_json: bool) -> "Answer":
    if words in (["--version"], ["-V"]):
        from learnlog.cli.setup import version

        return version()
    from learnlog.cli.arguments import choose, parse

    command, rest = choose(words)
    options = parse(command, rest)
    options.json = as_json
    if options.help:
        from learnlog.cli.setup import help_of

        return help_of(command)
    module, _, function = command.run.partition(":")
    __import__(module)  # what importlib does, without importing importlib
    answer: Answer = getattr(sys.modules[module], function)(options)
    return answer


def _without_json(words: list[str]) -> tuple[list[str], bool]:
    """The words without `--json`, wherever it stands before a `--`, and whether it stood there."""
    end = words.index("--") if "--" in words else len(words)
    kept = [word for word in words[:end] if word != "--json"]
    return kept + words[end:], len(kept) < end


def _fail(kind: str, message: str, as_json: bool) -> None:
    from learnlog.cli.failure import tell

    tell(kind, message, as_json=as_json)
