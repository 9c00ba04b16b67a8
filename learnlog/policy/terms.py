"""What to search for on behalf of somebody who works on a task: 3 to 8 terms out of a prompt, and the kind of its task. Pure.

The sources are the precedents' first phase (technologies, patterns, ideas of the domain; generic words out) and amplihack's
keywords of a prompt (short ones and those of several words count too). What a search finds with the terms is not known here.
"""

from __future__ import annotations

from learnlog.text import COMMON, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

LEAST, MOST = 3, 8
BROAD_LEAST, BROAD_SHARE = 20, 5
"""A word that stands in more learnings than the first, and in more than one of so many, tells little apart (PR-format)."""
_AT_MOST = {0: 3, 1: 4}
"""How many technologies and identifiers come before the first plain word, when there are plain words."""
_LOOKED_AT = 4000
"""Characters at either end of a prompt that are looked at: between them is what was pasted."""

_GENERIC = (
    "abl about add after again all alreadi also am ani anoth anyth ask be becaus befor best better between both bring "
    "call chang check choos clean code come correct could creat current decid delet differ do doe done dure e.g each "
    "either els ensur etc everi everyth exampl exist explain few find first fix follow get give go good got great handl "
    "have he hello help here hey hi i.e idea implement improv instead issu it just keep know last let like look lot "
    "made make mani may mayb mean might modifi more most move much must myself need never new next no not noth now ok "
    "okay old one onli open other ought our over own part per pleas possibl problem proper put question quit rather "
    "realli refactor remov replac right said same say see seem set shall she should show simpl sinc some someth start "
    "still stop such suggest sure take task tell thank their these thing think this those through too tri turn two "
    "under understand until up updat us use veri verifi via want way well whatev where whether whi while without work "
    "would write wrong yes yet your yourself"
)
GENERIC = frozenset(_GENERIC.split())
"""English words, as tokens, that stand in every prompt and say nothing about this one."""
_WEAK = (
    "app applic argument bug class command data error except fail failur file function job line list method modul name "
    "object output project run test time type user valu"
)
WEAK = frozenset(_WEAK.split())
"""Words, as tokens, that mean something and stand everywhere: they fill up what would be fewer than `LEAST` terms."""

_JOINERS = "-./:'+#_"
_ASCII = "".join(one if one.isalnum() or one in _JOINERS else " " for one in map(chr, range(128)))
_TECHNOLOGY, _IDENTIFIER, _WORD, _COMMON_HERE = range(4)


def terms(
    prompt: str, *, stack: Sequence[str] = (), rarity: Callable[[str], int] | None = None, documents: int = 0
) -> tuple[str, ...]:
    """The terms of `prompt`, the most telling first: technologies of the `stack`, identifiers, then other words, the rarest
    first. Fewer than 3 when it has no more: an invented one would find what nobody asked for.

    `rarity` says in how many of `documents` learnings a token of `learnlog.text` stands; a word that stands in none is left
    out. Without it words come in the order of the prompt.

    >>> terms("Please fix the retry loop in fetch_page, FastAPI drops git hooks", stack=["python", "fastapi"])
    ('FastAPI', 'fetch_page', 'retry', 'loop', 'drops', 'git', 'hooks')
    >>> terms("please change the code")
    ()
    """
    if len(prompt) > 2 * _LOOKED_AT:
        prompt = f"{prompt[:_LOOKED_AT]} {prompt[-_LOOKED_AT:]}"
    shouted = prompt.isupper()
    seen: set[tuple[str, ...]] = set()
    parts: set[str] = set()
    found: list[tuple[int, int, int, str]] = []
    for place, (term, known) in enumerate(_technologies(list(_words(prompt)), stack)):
        made = tokens(term)
        if tuple(made) in seen or not _tells(made):
            continue
        seen.add(tuple(made))
        kind = _TECHNOLOGY if known else _kind(term, made, shouted=shouted)
        held = 0 if rarity is None else _held(term, made, rarity)
        if rarity is None and not any(map(str.isalpha, term)):
            continue  # a number: of use only where the log has it
        if rarity is not None and not held:
            continue
        if kind == _WORD and held > BROAD_LEAST and held * BROAD_SHARE > documents:
            kind = _COMMON_HERE
        if kind == _IDENTIFIER:
            parts.update(made[1:])
        found.append((kind, held if kind >= _WORD else 0, place, term))
    return _chosen([one for one in sorted(found) if one[0] < _WORD or tokens(one[3])[0] not in parts])


def _chosen(found: Sequence[tuple[int, int, int, str]]) -> tuple[str, ...]:
    """The best of them, so that neither technologies nor identifiers push out what else there is."""
    strong = [(kind, term) for kind, _, _, term in found if kind != _COMMON_HERE]
    first: list[str] = []
    later: list[str] = []
    counts = [0, 0, 0]
    for kind, term in strong:
        counts[kind] += 1
        (first if counts[kind] <= _AT_MOST.get(kind, MOST) else later).append(term)
    chosen = [*first, *later][:MOST]
    weak = [term for kind, _, _, term in found if kind == _COMMON_HERE]
    return tuple(chosen + weak[: max(0, LEAST - len(chosen))])


def _words(prompt: str) -> Iterator[str]:
    """The words of a prompt as they are written, without what surrounds them; of a script without spaces the pairs."""
    for piece in prompt.split():
        if piece.isascii():
            for run in piece.translate(_ASCII).split():
                word, mark, tail = run.lstrip("-/:'+#").rstrip("-./:'").partition("'")
                if not mark or tail == "s":
                    yield word  # what is left is `don't` and its kin
            continue
        made = tokens(piece)
        if len(made) == 1:
            yield "".join(one if one.isalnum() or one in _JOINERS else " " for one in piece).strip(" -./:'") or made[0]
        else:
            yield from (token for token in made if len(token) > 1 and "'" not in token)


def _technologies(words: Sequence[str], stack: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """The words, each with whether it is a technology of the stack; up to three that name one together are one."""
    names = {_bare(one) for one in stack} - {""}
    longest = 3 if names else 1
    at = 0
    while at < len(words):
        for many in range(min(longest, len(words) - at), 0, -1):
            if _bare("".join(words[at : at + many])) in names:
                yield " ".join(words[at : at + many]), True
                break
        else:
            many = 1
            yield words[at], False
        at += many


def _bare(name: str) -> str:
    """A name without what is written now one way and now another: `Next.js` and `nextjs`."""
    return "".join(one for one in name.casefold() if one.isalnum() or one in "+#")


def _tells(made: Sequence[str]) -> bool:
    """Whether a word says something: any part of it that is more than a letter, or all of it where none is."""
    parts = [token for token in made[1:] if len(token) > 1] or made[:1]
    return any(len(token) > 1 and token not in COMMON and token not in GENERIC for token in parts)


def _kind(term: str, made: Sequence[str], *, shouted: bool) -> int:
    inner = term[1:]
    if any(one in term for one in _JOINERS) or (not shouted and any(map(str.isupper, inner))):
        return _IDENTIFIER
    if any(map(str.isdigit, term)) and not term.isdigit():
        return _IDENTIFIER
    return _COMMON_HERE if made[0] in WEAK else _WORD


def _held(term: str, made: Sequence[str], rarity: Callable[[str], int]) -> int:
    """How many learnings have a word: as it is written, else its rarest part; 0 when none has either."""
    whole = term.casefold()
    held = rarity(whole if whole in made else made[0])
    if held or len(made) == 1:
        return held
    return min(filter(None, (rarity(token) for token in made[1:] if _tells([token]))), default=0)


# The kind of task -----------------------------------------------------------------------------------------------------

KINDS = {
    "bug-resolution": (
        "bug crash broken error except exception fail failur fix regress traceback debug hang leak"
        " 修复 错误 报错 修正 バグ エラ 오류"
    ),
    "library-selection": "librari framework depend packag vendor tool adopt sdk 选型 依赖",
    "trade-off": "trade-off tradeoff versus vs compar cost",
    "scope-change": "scope descop requir defer postpon mileston mvp 范围 要件",
    "architecture": ("architectur design structur restructur modular monolith microservic boundari layer 架构 設計 设计 설계"),
    "pattern-choice": "pattern idiom approach convent implement 模式",
    "performance": "slow fast faster perform latenc optim throughput memori profil 性能 성능",
    "process": "releas deploy workflow review ci pipelin process 流程 发布 배포",
}
"""Category -> words, as tokens, that speak of such a task. The first of those with the most words counts."""
_CUES = {cue: category for category, cues in KINDS.items() for cue in cues.split()}


def kind_of(prompt: str) -> str | None:
    """The category that a task is about, from the words of its prompt; None when none speaks of one.

    >>> kind_of("fix the import error in the memory module"), kind_of("say hello")
    ('bug-resolution', None)
    """
    counts = dict.fromkeys(KINDS, 0)
    for token in dict.fromkeys(tokens(prompt[: 2 * _LOOKED_AT])):
        category = _CUES.get(token)
        if category is not None:
            counts[category] += 1
    best = max(counts, key=lambda category: counts[category])
    return best if counts[best] else None
