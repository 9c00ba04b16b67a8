"""The phrases that tell an agent what to do, as a table: data for `injection`, which says how a text is brought to their form.

In a phrase a space stands for one between two words, comma or not, and `<name>` for a line of `phrase_words.WORDS`. Each text
with a match of a phrase has the words of one of `begins`, with the first of which the match begins, and those of one of `needs`
(`_` joins words; nothing is no need): that is how most texts are done without a search.
"""

from __future__ import annotations

from learnlog.policy.phrase_words import ANY, AT_START, NOT_TOLD, TOLD

_IGNORE = "ignore ignoring you_ignored disregard disregarding forget forgetting pay_no disobey"
_ORDERS = (
    "instruction instructions directive directives directions guideline guidelines prompt prompts orders guardrail guardrails"
    " programming"
)
_RULES = (
    _ORDERS + " rule rules context contexts message messages command commands conversation conversations constraint constraints"
    " restriction restrictions policy policies training"
)
_SKIP = "skip bypass disable circumvent evade sidestep omit deactivate suppress turn_off switch_off shut_off get_around forgo"
_RUN_NONE = "do_not dont never no_need"
_CHECKS = (
    "check checks review reviews test tests testing verification verifications validation validations approval approvals"
    " scan scans scanning scanner scanners audit audits guardrail guardrails safeguard safeguards gate gates control controls"
    " inspection inspections measures protection protections restriction restrictions"
)
_NOT = _RUN_NONE + " avoid refrain must_not should_not shall_not will_not may_not can_not mustnt shouldnt wont"
_HIDE = (
    "report reporting flag flagging mention mentioning disclose disclosing escalate surface bring_up point_out reveal revealing"
    " talk"
)
_TELL = "tell telling inform informing let letting notify notifying alert alerting warn warning"
_FROM_NOW = "from_now from_this from_here from_that henceforth starting_now going_forward as_of_now"
_YOU_DO = (
    "you youll youre your never always i answer reply respond obey comply act speak behave approve ignore pretend forget"
    " disregard follow listen treat consider accept take regard every all do dont"
)
_SAY = (
    "reveal show print output repeat display tell dump leak expose recite disclose share give paste echo send"
    " state copy quote say write"
)

PHRASES = (
    # rule, begins, needs, phrase, what must stand before it, or must not (`NOT_TOLD`)
    ("ignore-instructions", _IGNORE, _RULES, "(?:<leave>) <fill><what>", NOT_TOLD),
    ("ignore-instructions", _RUN_NONE + " no_longer stop quit", _RULES, "(?:<stop-following>) <fill><what>", ANY),
    (
        "ignore-instructions",
        "overlook neglect discard dismiss unlearn abandon erase wipe drop throw set_aside put_aside delete violate",
        _ORDERS,
        r"(?:<leave-too>) <fill>(?:<old>) (?:\w+ ){0,2}?<orders>",
        NOT_TOLD,
    ),
    (
        "ignore-instructions",
        _IGNORE,
        _RULES,
        r"(?:<leave>) <fill>(?:<orders>|<weaker>) (?:\w+ ){0,3}?(?:above|<told>)\b",
        NOT_TOLD,
    ),
    (
        "ignore-instructions",
        _IGNORE,
        _RULES,
        r"(?:<leave>) (?:(?:all|any|each|every|of) )*your (?:\w+ )?(?:<orders>|(?:rules|training|restrictions|policies)\b)",
        NOT_TOLD,
    ),
    (
        "ignore-instructions",
        _RUN_NONE + " no_longer stop quit",
        _RULES,
        r"(?:<stop-following>) (?:(?:all|any|each|every|of) )*your (?:\w+ )?(?:<orders>|(?:rules|training|policies)\b)",
        ANY,
    ),
    (
        "ignore-instructions",
        _IGNORE,
        "everything anything what all",
        r"(?:<leave>) (?:absolutely )?(?:everything|all|anything|whatever|what)(?: of| else)?(?: that| which)? (?:<told>)\b",
        NOT_TOLD,
    ),
    ("ignore-instructions", _IGNORE, _ORDERS, "(?:<leave>) (?:all|any|every)(?: of)?(?: the| other)? <orders>", NOT_TOLD),
    (
        "you-are-now",
        "you_are_now you_are_hereby youre_now youre_hereby",
        "",
        r"you(?: a)?re (?:now|hereby) (?:(?:an?|the|my|our|your) (?:\w+ ){0,4}?(?:<identity>)\b|(?:<unbound>))",
        ANY,
    ),
    (
        "you-are-now",
        "you_are_no_longer youre_no_longer",
        "",
        r"you(?: a)?re no longer (?:bound|restricted|limited|an? (?:<identity>)|subject to)\b",
        ANY,
    ),
    (
        "you-are-now",
        "you_now you_will_now you_must_now you_shall_now",
        "",
        r"you (?:(?:will|must|shall) now|now) (?:be an?|become|act|behave|play|operate|work for|obey|serve)\b",
        ANY,
    ),
    (
        "skip-checks",
        _SKIP + " " + _RUN_NONE,
        _CHECKS,
        r"(?:<skip>) (?:(?:all|any|every|the|your|these|of|our|further|usual|other|and) ){0,4}(?:\w+ )?(?:<sure>) "
        r"(?:(?!in |for |from |on |with |of )\w+ )?<check>",
        NOT_TOLD,
    ),
    (
        "skip-checks",
        _SKIP,
        _CHECKS,
        r"(?:<skip>) (?:all|any|every)(?: of)?(?: the| these| your| our)? (?:\w+ )?<check>(?! (?:in|that|which|marked|"
        r"under|with|within|except) )",
        NOT_TOLD,
    ),
    (
        "skip-checks",
        _SKIP + " " + _RUN_NONE,
        _CHECKS,
        r"(?:<skip>) (?:\w+ ){0,3}?<check> (?:and|then|before you|so you can)(?: just| then| directly)? (?:<go-on>)\b",
        NOT_TOLD,
    ),
    ("from-now-on", _FROM_NOW, _YOU_DO, "<now-on> (?:(?:please|also|then) )?<you-do>", ANY),
    (
        "from-now-on",
        "obey comply trust follow listen you_work you_act you_speak you_serve you_obey",
        "from_now_on henceforth",
        r"(?:obey|comply|trust|follow (?:only )?(?:me|my)|listen (?:only )?to|you (?:work|act|speak|serve|obey))"
        r"(?: \w+){0,8} <now-on>",
        ANY,
    ),
    (
        "do-not-report",
        _NOT,
        _HIDE,
        r"(?:<not>) <hide> (?:(?:this|these|those|it|them|any|anything)\b(?! (?:twice|again|as|to sentry))|"
        r"(?:that|what|if|when) (?:you|the|this)\b|(?:(?:the|of|a|all|such) ){0,2}(?:\w+ ){0,2}?<flaw>)",
        TOLD,
    ),
    ("do-not-report", _NOT, _HIDE, r"(?:<not>) <hide>(?: \w+){0,6}? to <anyone>(?= that|$| ?[.!?;,:])", TOLD),
    (
        "do-not-report",
        _NOT,
        _TELL,
        r"(?:<not>) (?:ever )?(?:tell|inform|let|notify|alert|warn)(?:ing)? <anyone> "
        r"(?:know|see|notice|find out|that|about|of|what|anything|this|when|how|why|if)\b",
        TOLD,
    ),
    (
        "do-not-report",
        "keep hide conceal",
        "from",
        r"(?:keep (?:this|it|them|these) (?:\w+ )?(?:secret|hidden) from|"
        r"(?:keep|hide|conceal) (?:this|it|them|these|that|(?:the|any) \w+) (?:\w+ )?from) <anyone>",
        TOLD,
    ),
    (
        "always-approve",
        "always",
        "approve rubber lgtm say_yes agree comply obey trust accept grant merge",
        r"always (?:just |automatically )?(?:(?:approve|rubber stamp|lgtm|say yes|agree (?:with|to)|comply|obey|"
        r"trust (?:me|this|everything|him|her|them))\b|(?:accept|grant|merge) (?:any|all|every|the|my|his|her)"
        r"(?: \w+)? <mergeable>)",
        NOT_TOLD,
    ),
    (
        "always-approve",
        "always",
        "approve approved lgtm yes safe secure clean harmless passed good no",
        r"always (?:output|answer|respond|reply|say|state|report|claim|conclude|write|vote|mark|rate|declare|return)"
        r"(?: with| that| back)?(?: \w+){0,4}? <good>",
        NOT_TOLD,
    ),
    (
        "always-approve",
        "approve merge accept sign_off",
        "without",
        r"(?:approve|merge|accept|sign off)(?: \w+){0,5} without (?:any |a |further )?"
        r"(?:review|reading|check|comment|asking|looking|question)",
        TOLD,
    ),
    (
        "approve-all",
        "approve accept grant authorise authorize merge confirm",
        "all any every each",
        r"(?:approve|accept|grant|authori[sz]e|merge|confirm) (?:all|any|every|each)(?: of)?(?: the| my| these| his| our)? "
        r"(?:\w+ ){0,3}?<mergeable>",
        NOT_TOLD,
    ),
    (
        "approve-all",
        "approve",
        "everything anything whatever all",
        r"approve (?:(?:everything|anything|whatever|it all|them all)\b(?! ?\()|all(?=$| ?[.!;]))",
        NOT_TOLD,
    ),
    (
        "override-instructions",
        "override overrides overriding supersede supersedes superseding countermand countermands",
        _ORDERS,
        r"(?:overrid(?:e|es|ing)|supersed(?:e|es|ing)|countermands?)(?: and (?:overrides?|replaces?))? <of-old>"
        r"(?:your|(?:<old>)s?|security|content|ethical|all|any|preceding) (?:\w+ ){0,4}?<orders>",
        NOT_TOLD,
    ),
    (
        "override-instructions",
        "override overrides overriding supersede supersedes",
        _RULES,
        r"(?:overrid(?:e|es|ing)|supersedes?) <of-old>(?:your|system|developers?|safety|content|ethical|core) "
        r"(?:\w+ )?<weaker>",
        NOT_TOLD,
    ),
    (
        "override-instructions",
        "take takes",
        "precedence_over priority_over",
        r"takes? (?:precedence|priority) over <of-old>(?:your|system|developers?|safety|previous|prior|earlier) "
        r"(?:\w+ ){0,2}?<orders>",
        ANY,
    ),
    (
        "reveal-prompt",
        _SAY,
        "prompt instruction instructions",
        r"(?:<say>)(?: \w+){0,4}? (?:your|the) (?:\w+ )?(?:system|initial|hidden|original|secret|internal|developer|"
        r"full|entire) "
        r"(?:prompt|instructions?)\b(?! of )",
        NOT_TOLD,
    ),
    (
        "reveal-prompt",
        "reveal leak dump repeat recite disclose expose tell",
        "prompt instructions rules guidelines",
        r"(?:reveal|leak|dump|repeat|recite|disclose|expose|tell (?:me|us|them|the user))(?: \w+){0,2}? your "
        r"(?:prompt|instructions|rules|guidelines)\b",
        NOT_TOLD,
    ),
    (
        "reveal-prompt",
        _SAY,
        "what_you",
        r"(?:<say>)(?: \w+){0,3}? what you (?:were|have been) (?:told|given|instructed)\b",
        ANY,
    ),
    (
        "act-as",
        "act behave respond answer proceed continue",
        "as_if as_though",
        r"(?:act|behave|respond|answer|proceed|continue) as (?:if|though) (?:\w+ ){0,5}?(?:<limits>|permissions?|approved|"
        r"instructions?|admin\w*|you (?:are|were|have) (?:an? |the |no )?(?:admin\w*|root|human|operator|owner|"
        r"free|restrictions))\b",
        ANY,
    ),
    (
        "act-as",
        "act behave respond operate serve function",
        "as",
        r"(?:act|behave|respond|operate|serve|function) (?:only )?as (?:my (?:\w+ )?(?:agent|assistant|servant|"
        r"accomplice|tool)|"
        r"(?:an? |the )?(?:unrestricted|uncensored|unfiltered|jailbroken|evil|rogue|malicious|dan|root|hacker|"
        r"superuser|administrator)|"
        r"(?:\w+ ){1,4}?(?:without|with no|free of|ignoring) (?:any )?<limits>)\b",
        NOT_TOLD,
    ),
    (
        "pretend",
        "pretend imagine_you",
        "",
        r"imagine you are (?:an?|the) (?:\w+ ){0,3}?(?:<identity>)\b|pretend(?: that)? (?:you (?:are|have|were|do not|"
        r"dont|did|never)|youre|youve|there (?:are|is|were) no <limits>|"
        r"to be (?:an?|my|the) (?:\w+ ){0,3}?(?:<identity>)|(?:i am|im) (?:your|the|an? (?:\w+ )?(?:<identity>))|"
        r"the (?:user|owner|reviewer|operator|developer|tests?|review|rules|checks?) (?:\w+ ){0,3}?(?:passed|approved|"
        r"agreed|exist|apply))\b",
        NOT_TOLD,
    ),
    (
        "new-instructions",
        "your_new your_real your_actual your_true your_only your_primary your_updated your_sole your_secret",
        "",
        r"your (?:new|real|actual|true|only|primary|updated|sole|secret) (?:\w+ )?(?:instructions?|tasks?|goals?|"
        r"objectives?|missions?|"
        r"orders|directives?|purpose|role|job|identity) (?:is|are|now|from|will)\b",
        ANY,
    ),
    (
        "new-instructions",
        "new updated revised real",
        "instruction instructions order orders directive directives",
        r"(?:new|updated|revised|real) (?:system )?(?:instructions?|orders|directives?)(?: for (?:you|the (?:<reader>)))? ?:",
        AT_START,
    ),
    ("new-instructions", "stop_what", "you", r"stop what(?:ever)? (?:you are|youre) doing\b", ANY),
    (
        "new-instructions",
        "attention dear hey hello note_to note_for message_to message_for instruction_to instruction_for instructions_to "
        "instructions_for",
        "ai assistant assistants agent agents model models llm llms bot bots chatbot chatbots",
        r"(?:attention|dear|hey|hello|(?:note|message|instructions?) (?:to|for))(?: (?:all|any|the|every|you|ai|coding)){0,3} "
        r"(?:<reader>)(?: (?:reading|that|who|processing)(?: \w+){0,4})?(?: ?[.!?:;,])* (?:\w+ ){0,3}?<must>",
        ANY,
    ),
    (
        "new-instructions",
        "follow_only follow_the follow_these",
        "this",
        r"follow (?:only )?(?:these|the) (?:(?:new|following|hidden) )?(?:steps|instructions|orders|commands|list) (?:in|of|"
        r"from) this "
        r"(?:note|entry|text|message|learning|comment) (?:instead|only|now|and)\b",
        ANY,
    ),
)
