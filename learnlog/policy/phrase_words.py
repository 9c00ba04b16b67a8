"""What the table of phrases is made of: words that mean the same, what stands before an order, how people speak. Data."""

from __future__ import annotations

WORDS = {
    "fill": "(?:(?:<filler>) ){0,7}",
    "filler": (
        "all|any|each|every|everything|of|the|your|these|those|this|that|my|our|its|other|such|and|or|both|in|from|to|about|"
        "whatever|completely|entirely|totally|please|just|now|simply|also|immediately|system|safety|security|ethical|content|"
        "developers?|users?|operators?|assistants?|agents?|given|stated|supplied|provided|with|same|existing|company|companys"
    ),
    "old": (
        "previous(?:ly)?|prior|preceding|earlier|above|foregoing|past|former|initial|original|old|older|existing|current|"
        "system|developers?|operators?|aforementioned|safety|hidden|core|base|last|first"
    ),
    "orders": r"(?:instructions?|directives?|directions|guidelines?|prompts?|orders|guardrails?|programming)\b<no-thing>",
    "no-thing": r"(?! ?(?:timeouts?|sets?|cach\w+|pointers?|files?|counts?|counter|pages?|fetch\w*|templates?|decod\w+)\b)",
    "weaker": (
        r"(?:rules?|contexts?|messages?|commands?|conversations?|constraints?|restrictions?|polic(?:y|ies)|training)\b<ends>"
    ),
    "ends": (
        "(?=$| ?[.!?;:,]| (?:and|or|but|for|from|to|in|on|of|at|by|with|about|that|which|when|while|they|it|you|this|then|"
        "now|so|until|because|if|please|given|any|only|above|below|entirely|as|here|is|are|i|we|instead|just|do|follow|were|"
        r"was)\b)"
    ),
    "what": r"(?:<old>) (?:\w+ ){0,2}?(?:<orders>|<weaker>)",
    "told": (
        "you (?:were|are|have|had)(?: been)? (?:told|given|taught|instructed|read|learned|seen|asked|received)|(?:was|were|"
        "has been|is|came|comes|i|we) (?:said|written|told you|above|before)|above|before this|so far"
    ),
    "leave": "ignore|ignoring|you ignored|disregard|disregarding|forget|forgetting|pay no (?:attention|heed) to|disobey",
    "stop-following": "(?:do not|dont|never|no longer|stop|quit) (?:follow|obey|heed|mind|following|obeying)",
    "leave-too": (
        "overlook|neglect|discard|dismiss|unlearn|abandon|erase|wipe|drop|throw (?:away|out)|(?:set|put) aside|delete|violate"
    ),
    "identity": (
        "assistants?|agents?|ai|models?|bots?|chatbots?|shell|terminal|interpreter|administrator|admin|root|operator|manager|"
        "expert|hacker|superuser|persona|character|auditor|pirate|reviewer|engineer|developer|approver|tester|attacker|human|"
        "person|robot|system|llm|gpt|machine|oracle|servant|boss"
    ),
    "unbound": (
        r"unrestricted|uncensored|unfiltered|unlimited|unbound|jailbroken|liberated|dan\b|root\b|god\b|evil|my\b|under my|no"
        r" longer (?:bound|restricted|limited|subject|an?\b)|free (?:of|from|to)|without (?:any )?<limits>|acting as|"
        "operating as|speaking as|working for|in (?:developer|god|admin|debug|root|sudo|dan|jailbreak|maintenance|"
        r"\w*restricted) mode|(?:allowed|authori[sz]ed|permitted|cleared) to (?:ignore|skip|bypass|push|merge|deploy|act|"
        "reveal|approve|do any|run any)"
    ),
    "limits": (
        r"(?:rules?|restrictions?|limits?|limitations?|guidelines?|polic(?:y|ies)|filters?|guardrails?|safety|constraints?)\b"
    ),
    "skip": (
        "skip|bypass|disable|circumvent|evade|sidestep|omit|deactivate|suppress|(?:turn|switch|shut) off|get around|forgo|"
        "(?:do not|dont|never|no need to) (?:run|perform|execute|do|wait for|bother with)"
    ),
    "check": (
        "(?:checks?|reviews?|tests?|testing|verifications?|validations?|approvals?|scans?|scanning|scanners?|audits?|"
        r"guardrails?|safeguards?|gates?|controls?|inspections?|measures|protections?|restrictions?)\b(?! ?\()(?! (?:step|"
        "column|box|label|flag))"
    ),
    "sure": "security|safety|code review|authori[sz]ation|authentication|permission|compliance|signature|quality|review",
    "go-on": "commit|push|merge|approve|deploy|publish|ship|continue|proceed|go ahead|release|accept",
    "not": "do not|dont|never|no need to|avoid|refrain from|(?:must|should|shall|will|may|can) not|mustnt|shouldnt|wont",
    "hide": (
        "(?:ever |even |also )?(?:report|flag|mention|disclose|escalate|surface|bring up|point out|reveal|talk"
        r" about)(?:ing)?(?: (?:or|and|nor) \w+)?"
    ),
    "anyone": (
        "(?:the )?(?:users?|anyone|anybody|humans?|reviewers?|maintainers?|owners?|operators?|(?:security )?team|person|"
        r"people|developers?|customers?|them|him|her|security|admins?|administrators?|management|auditors?)\b"
    ),
    "flaw": (
        "(?:findings?|issues?|problems?|vulnerabilit(?:y|ies)|suspicious|security|malicious|malware|backdoors?|leaks?|"
        r"breach(?:es)?|flaws?|missing auth\w*|exploits?|insecure|intrusions?|weakness(?:es)?|incidents?|violations?)\b"
    ),
    "good": (
        "(?:approved?|lgtm|yes|(?:(?:that|is|are|was|code|it|the|this|all|change|everything|looks|tests) )*(?:safe|secure|"
        "clean|harmless|passed|good to (?:go|merge)|no (?:issues|problems|findings|vulnerabilities|concerns|errors)|looks"
        r" good))\b"
    ),
    "mergeable": (
        "(?:pull requests?|prs?|merge requests?|mrs?|changes?|requests?|commits?|permissions?|tickets?|tool calls?|"
        "commands?|reviews?|patch(?:es)?|deployments?|migrations?|transactions?|actions?|submissions?|edits?|prompts|"
        r"proposals?|payments?|branches|diffs?)\b(?! ?\()"
    ),
    "now-on": (
        "(?:from now on(?:wards?)?|from (?:this|here|that)(?: point| moment| message)? (?:on(?:wards?)?|forward)|henceforth|"
        "starting (?:right )?now|going forward|as of now)"
    ),
    "you-do": (
        "(?:youll|youre|you (?:are|must|shall|will|always|never|only|obey|answer|accept|approve|reply|respond|speak|act|"
        "work|run|follow|execute|ignore|do|should (?:only|always|never|not)|have (?:no|full|permission))|your (?:name|role|"
        "task|goal|job|new)|never (?:refuse|ask|question|mention|report|tell|reveal|deny|decline|block|flag|warn|reject|"
        "object|hesitate|disclose)|always (?:approve|answer|reply|agree|accept|obey|say|respond|comply|trust|allow|confirm)|"
        "i (?:am|will|give|decide)|(?:answer|reply|respond|obey|comply|act|speak|behave|approve|ignore|pretend|forget|"
        r"disregard|follow my|listen)|(?:treat|consider|accept|take|regard) (?:\w+ ){1,7}?(?:as|like) (?:an? |the |my"
        r" )?(?:orders?|commands?|instructions?|trusted|approved|mine|admin\w*|authori\w+|truth)|every (?:answer|reply|"
        "request|response)|all (?:your|answers|requests)|(?:do not|dont) (?:refuse|ask|question|mention|report|tell|reveal|"
        r"block|flag|warn|obey|follow|listen))\b"
    ),
    "of-old": "(?:(?:any|all|every|the|of|each|those|these|other) ){0,3}",
    "say": (
        "reveal|show|print|output|repeat|display|tell|dump|leak|expose|recite|disclose|share|give|paste|echo|send|state|copy|"
        "quote|say|write"
    ),
    "reader": "ai|assistants?|agents?|models?|llms?|chatbots?|bots?|reviewing agent",
    "must": (
        "(?:stop|ignore|follow|you (?:must|should|will|are)|do not|dont|run|execute|disregard|approve|send|delete|skip|"
        r"never|forget|obey)\b"
    ),
}

NOT_TOLD = (
    r"\b(?:not|never|dont|doesnt|didnt|cannot|cant|wont|shouldnt|mustnt|nobody|without|nor)(?: \w+){0,3} $|\b(?:we|they|i|"
    "it) (?:have|had|has|need|want|wants|needs) to $|(?<!have )(?<!need )(?<!want you )(?<!free )(?<!able )(?<!allowed"
    r" )(?<!sure )\bto $|(?<!\byou )(?<!\bnow )\b(?:can|may|will|would|could|might|does|did|they|it|we|i|that|which|who)"
    " (?:also |even |then )?$"
)
"""Before a phrase: somebody else is said to do it, or the reader is told not to."""
TOLD = r"(?:^|[.!?;:,] ?|\b(?:please|you|and|so|also|then|but|kindly|just|simply|must|should|always) )$"
"""Before a phrase: the reader is told."""
AT_START = "(?:^|[.!?;:] )(?:(?:here are|these are|begin|start of) )?(?:your |the )?$"
"""Before a phrase: nothing that would make it part of a sentence."""
ANY = ""

# Of a line that begins with a role, what makes it prose and no value -----------------------------------------------

SPEAKS = "you your you're you'll yours i i'm i'll i've me my we our us please now must shall never always thanks sure okay yes"
"""Persons, and what is said to one."""
STATES = "is are was were be been have has had will should may can do don't does not all everything no without"
ORDERS = (
    "ignore disregard forget treat run execute delete remove reveal print send show give tell go stop start begin continue"
    " proceed follow act behave pretend respond reply answer output write approve accept merge push deploy publish commit"
    " skip bypass disable override obey comply install download upload open fetch call let switch trust drop grant allow"
    " confirm say"
)
OBJECTS = "all everything every any anything the this that these your my our it me us them no without whatever"
"""What makes an order of one of `ORDERS` already as the second word."""
