"""What people say in English when they say something worth keeping. Order counts: the first rule that fits a clause names it."""

from __future__ import annotations

import re

from memcli.remember.learn.atoms import rule

_MY = r"(?:my|our)"
_I = r"\bi(?:'m| am)"
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTHS = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_WHEN = (
    rf"\b(?:yesterday|tomorrow|tonight|today|this (?:morning|afternoon|evening|week|weekend|month|summer|winter)|(?:on|next|last|this) {_DAYS}"
    rf"|(?:over|at|on|after|before) (?:easter|christmas|new year(?:'s)?|the weekend|the holidays)|(?:next|last) (?:night|week|weekend|month|year|spring|summer|autumn|fall|winter)|in {_MONTHS}|(?:\w+) (?:days?|weeks?|months?|years?) ago"
    rf"|the \w+ of {_MONTHS}|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTHS}|{_MONTHS} \d{{1,2}}|\d{{4}}-\d\d-\d\d|just now|the day after tomorrow)\b"
)
_KIN = (
    r"(?:(?:mother|father|brother|sister|son|daughter)-in-law|wife|husband|partner|spouse|girlfriend|boyfriend|fianc[eé]e?|sister|brother|mother|father|mom|mum|dad|son|daughter|baby|aunt|uncle"
    r"|grandmother|grandfather|grandma|grandpa|granny|nephew|niece|cousin|flatmate|roommate|neighbou?r|landlord|landlady|boss|manager|mentor"
    r"|assistant|secretary|doctor|gp|dentist|therapist|lawyer|accountant|hairdresser|vet|plumber|coach|trainer|nanny|babysitter|best friend"
    r"|friend|colleague|teacher|tutor|dog|cat|puppy|kitten|horse|rabbit|parrot|company|employer|team lead)"
)
_PLACE = (
    r"(?:home|house|flat|apartment|place|office|workplace|work|gym|school|university|studio|workshop|garage|club|church|parents'? (?:home|house|place)"
    r"|kindergarten|nursery|dentist|doctor|vet|bakery|hairdresser)"
)
_JOB = (
    r"(?:\w+(?:er|or|ist|ian|eer|yst|cist|man|woman|grapher|wright|smith|mason|herd)|nurse|priest|soldier|guide|surgeon|politician|ceo|chef|cook|pilot|clerk|judge|coach|student|intern|attendant|consultant"
    r"|assistant|accountant|architect|mechanic|plumber|surgeon|vet|physicist|scientist|president|agent|postdoc|freelance|midwife|barista|c[etofm]o"
    r"|vp|widow|widower|retiree|pensioner)"
)
_BARE = r"(?:use|take|skip|keep|avoid|leave|make|show|go|put|play|set|answer|reply|respond|write|call|book|order|drive|only|just|let's|stay|wait|have|give|cook|serve|turn)"
_TOLD = (  # how a sentence begins that tells somebody to do something
    rf"^(?:please |pls |can you |could you |let's |now |then )*(?:{_BARE}|fix|run|check|add|send|tell|remind|find|explain|list|open|move|remove|rename"
    r"|update|build|deploy|test|help|look|let|try|start|stop|do|don't|create|delete|merge|push|commit|please)\b"
)
_DO = r"(?:eat|drink|smoke|take|use|buy|watch|wear|like|trust|work|read|answer|put|drive|fly|carry|own|listen|play|sleep|get up)"

LEAD = re.compile(
    r"^(?:(?:hi|hey|hello|ok(?:ay)?|right|well|so|oh|ah|and|but|btw|by the way|also|fyi|for the record|just so you know|actually|anyway|look|(?:yes|no|sure|alright)(?=[,.!])"
    r"|(?:please )?remember(?! to\b),?(?: that)?|(?:please )?(?:note(?! to self)|keep in mind)(?: that)?|you should know(?: that)?"
    r"|don't forget(?: that)(?= i\b| my\b))[,:!.]*\s+(?!yet\b))+",
    re.I,
)
CLAUSE = re.compile(
    r"\s*;\s+(?=\w)|,?\s+(?:and|but|so|while|though|although|because)\s+(?=(?:i|i'm|i've|i'd|we|we're|in general|remind|please|now|then)\b|(?:my|our) \w+ (?:is|are|has|have|was|\w+s) )"
    r"|,\s+(?=(?:i|i'm|i've|remind|we|he|she|they)\b|(?:my|our) \w+ (?:is|are|has|have|was) )",
    re.I,
)
JOINT = re.compile(
    r"^[\s,;:]*(?:(?:and|but|so|while|though|although|because)\s+)?(?:(?:please|pls|honestly|also)\s+(?=i\b))?", re.I
)
ONCE = re.compile(
    r"\b(?:today|tonight|this (?:time|once|morning|afternoon|evening|weekend|round)|(?:just |only )?(?:for now|for once|this once|for today|for the moment)"
    r"|right now|just once|one time|for this (?:one|trip|task|file|time))\b|^(?:no|not|don't|do not|skip)\b.*\btomorrow\b",
    re.I,
)
EVER = re.compile(
    r"\b(?:from now on|from here on|in (?:the )?future|going forward|henceforth|always|never|(?:not|n't) ever|ever again|ever|again|in general|generally|as a rule"
    r"|by default|every time|each time|whenever|next time|permanently|for good|usually|normally|any ?more)\b",
    re.I,
)
ORDER = re.compile(
    r"^(?:can|could|would|will) you (?:please )?(?:remind|always|never|stop|remember)|from (?:now|here) on|going forward|in future\b|^(?:can|could|would|shall) (?:you|we)\b.*\b(?:today|tonight|this (?:once|time))\b",
    re.I,
)
NOTHING = re.compile(
    r"\bif (?:i|we|you|he|she|it|they) (?:were|was|had)\b|^(?:suppose|imagine|assume|what if|let's say|say i)\b|^you are\b|^act as\b"
    r"|^(?:she|he|they|somebody|someone|people) (?:said|says|told|thinks?|wants?|asked|claims?)\b|\b(?:just )?(?:kidding|joking)\b"
    r"|^i was wondering\b|^remember the\b|^never mind\b|^(?:traceback|error|exception|warning)\b",
    re.I,
)
YES = re.compile(
    r"(?:yes|yep|yeah|yup|sure|exactly|correct|right|that's right|true|ok(?:ay)?|please do|do that|go ahead|absolutely|of course|indeed|sounds good"
    r"|good idea|agreed)\b(?!\s+(?:but|i don't)|,? but)",
    re.I,
)
EMPTY = re.compile(
    r"\b(?:please|pls|never|always|don't|do not|doesn't|ever|again|stop|avoid|prefer|like|love|hate|enjoy|dislike|usually|normally|really|no|not|use|using|take"
    r"|keep|when|whenever|next|time|future|default|general|rule|now|want|eat|drink|any|more|longer|getting|as|rather|can't|stand|bear|than|over|suggest|used)\b",
    re.I,
)

# A clause with one of these is not of the type, though it looks like it: talk about the work at hand.
_WORK_AT_HAND = (
    r"\b(?:(?:my|this|that|your|the) code(?! (?:panel|for|of|to))|function|loop|script|array|list of|regex|string|column|query|question|output|program|variable|exception|bug|typo|paragraph|chart|log above|"
    r"line \d+|first one|last one|this one|this version|that version|problem is|meant|median|file)\b"
)
BARRED = {
    name: re.compile(pattern, re.I)
    for name, pattern in {
        "task": _WORK_AT_HAND
        + r"|\b(?:have to|must|should) (?:say|admit|confess|mention|add|note|laugh|ask|agree)\b|\bdo (?:something|the same|better)\b|\b(?:to|must) (?:go|run|think|know|understand|see)\b(?! to\b)",
        "fact": _WORK_AT_HAND
        + r"|^(?:it|this(?! repo| project| team| company)|that|there(?:'s| is| was)|next|last|what|everything|something|nothing|everyone|sounds)\b|\b(?:excited|awesome|amazing|incredible|paying off|been great)\b",
        "event": _WORK_AT_HAND,
        "opinion": _WORK_AT_HAND
        + r"|\bthink (?:so|not|i\b|you\b|about|of\b|we (?:should|can|need))|\bbelieve (?:you|so|it)\b|\bi find (?:out|a|an)\b|\bbroke\b",
        "profile": rf"{_I} (?:really |just |still |also )?(?:a (?:bit|little|lot|fan|big|member|user|beginner|believer|lover|newcomer)|sure|looking|trying|getting|better|older|not)\b",
        "preference": r"\b(?:like|love|enjoy|hate|prefer) (?:it|this|that|these|those|them|him|her|you|your|the (?:way|idea|first|second|last|new|old|other)|how|to (?:know|see|ask|hear))\b"
        r"|^(?:never|always) (?:mind|returns?|here|been|there|good|great|a|happy|nice|fun|wanted|loved|had|thought|knew|heard|seen|give up)\b|\bwhy i\b|\bline \d+\b|\bin (?:that|this) (?:function|file|class|method|module|loop|test)\b|\w+error\b|\brename it\b|\b(?:don't|never) (?:worry|let|forget|give up|be\b|get me wrong|mention)|\blet me know\b|\bfeel free\b|^no (?:problem|worries|idea|one)\b|\bi'd like (?:a|an|you|to)\b",
    }.items()
}

MORE = rule("fact", "a fact about somebody named", r"^[\s,;]*(?:and |but )?(?:he|she|they|it)(?:'s)?\b")

RULES = (
    rule("question", "a question left open", r"^(?:(?:an )?open question|still (?:open|unclear|undecided)|unresolved|unclear|tbd|to be decided)\b",
         r"\bi(?:'m| am)? (?:still |often |keep )?wonder(?:ing)?\b(?!.*\byou (?:could|can|would)\b)"),
    rule("question", "a question left open",
         r"\b(?:i|we) (?:still |really )*(?:haven't|have not|don't|do not) (?:figured out|worked out|decided|understood|know|understand)\b.*\b(?:yet|still|why|how to|who|whether)\b.*\b(?:to|will|the|is|are|it)\b",
         confidence=0.7),
    rule("question", "a question left open",
         r"\bi'd (?:love|like) to (?:know|find out|understand)\b(?!.*\bplease\b).*\b(?:why|how|whether|what)\b",
         confidence=0.6),
    rule("question", "a question left open",
         r"\b(?:not sure|no idea|unclear|undecided|can't decide)(?: yet| still)?,?\b.*\b(?:whether|if|who|where|when|how|what|which)\b(?! you)",
         r"^what (?:i'd|i would) (?:still |really )?like to (?:find out|know)\b", r"\bremains? (?:open|unclear|to be seen)\b",
         r"\b(?:we|i) still (?:need|have) to (?:find|figure) out\b"),
    rule("question", "a question left open", r"\bi (?:keep|often|sometimes|always) (?:ask(?:ing)? myself|wonder(?:ing)?)\b"),
    rule("task", "asks to be reminded", r"(?:^|\b(?:please|you|and) )remind me\b", r"\bdon't let me forget\b",
         r"^(?:please )?remember to\b", r"^(?:i )?(?:don't|must not) forget(?: to\b|:|,| that\b| about\b)", r"^(?:to-?do|note to self|reminder)\b", confidence=0.9),
    rule("task", "something to be done", r"^(?!i\b|we\b).*,? don't forget$", r"\bi (?:promised|owe)\b",
         r"\b(?:someone|somebody|one of us|nobody else) (?:has to|needs to|should|must|will)\b",
         r"\b(?:is|are) due (?:back )?(?:on|by|in|next|tomorrow)\b", r"\bthe deadline\b.*\bis\b"),
    rule("preference", "for this once", r"\bi(?:'d| would)? (?:fancy|feel like|rather|prefer|could do with|want something)\b", once=True),
    rule("preference", "for this once",
         rf"^(?:(?:just |only )?(?:for (?:now|today|once)|this once|just this once|today|tonight|right now),?\s)?(?:please |pls )?(?:not?\b|don't|do not|{_BARE}\b)",
         r"^i (?:don't|do not) (?:feel like|want|fancy|need)", r"^(?:could|can|would) (?:you|we) (?:please |maybe )?\w+", r"^let me\b", r"^i(?:'ll| will) (?:have|take|skip)\b", once=True),
    rule("task", "something to be done",
         r"\bi(?:'ll| will)?(?:'ve| have)? ?(?:still |really |also |just )*(?:have to|have got to|'ve got to|need to|must|should|ought to|gotta)\b",
         r"\bwe(?:'ll| will)? ?(?:still |also )*(?:have to|need to|must)\b", r"^must (?!be|have)\w+",
         r"^(?:still )?(?:have to|need to) \w+"),
    rule("opinion", "an opinion", r"^(?:personally|imh?o|in my (?:humble )?(?:opinion|view))\b(?!.*\bi (?:prefer|like|love|hate|enjoy)\b)"),
    rule("decision", "a decision",
         r"\b(?:we|i|the team|they|everyone|everybody|\w+ and i)(?:'ve| have|'s| has)?(?: all| both| finally| now| just)? (?:decided|agreed|chose|chosen|settled|opted|picked|resolved|made up (?:my|our) mind)\b",
         confidence=0.9),
    rule("decision", "a decision",
         r"\b(?:let's|we'll|we will|we're going to|we are going to|i'll|i will|i'm going to) (?:go|stick|stay) (?:with|for)\b",
         r"\bwe(?:'re| are) (?:going to use|going with|dropping|switching to|moving to)\b", r"\b(?:decision|agreed|ok then|so then|settled):", r"^(?:ok|okay|right|fine),? then:? (?:we|i|it)\b",
         r"^(?:it's|that's) (?:settled|decided)\b"),
    rule("decision", "a decision", r"\b(?:i|we|\w+ and i)(?:'m|'re| am| are)(?: definitely| both| all)? going to (?:stop|keep|start|quit|switch|cancel|drop)\b", r"\bwe'll (?:keep|stick|drop)\b",
         r"\b(?:i'm|i am|we're|we are) (?:switching|moving|changing|cancelling|canceling|selling|replacing)\b(?!.*\b(?:house|flat|apartment)\b)", r"\b(?:it's|that's) (?:final|a deal)\b", r"\bsettled (?:the|this|that|it)\b", r"\bvoted (?:for|to|against)\b", r"\bmade up (?:my|our) minds?\b",
         r"\b(?:i'm|i am|we're|we are) (?:taking the|accepting|turning down|going with|sticking with|going for)\b", confidence=0.7),
    rule("decision", "a decision", r"\bi(?:'m| am) (?:not going to|never going to|giving up|done with|quitting)\b",
         confidence=0.7),
    rule("preference", "how to be called",
         r"^(?:please |pls |you (?:can|may|could) )*(?:call|address|refer to) me (?:as )?(?P<value>(?!back|later|when|at\b|if|on\b|tomorrow|today|tonight|a\b|an\b)\w[\w .'-]*)",
         confidence=0.9, key="call_me"),
    rule("preference", "a standing wish",
         r"^(?:please |pls |(?:from now on|in future|in the future|going forward),? )*(?:always )?(?:answer|reply|respond|write|speak|talk)(?: to)?(?: me)? in (?P<value>(?-i:[A-Z])\w+)(?:(?<=German)|(?<=ish)|(?<=ese)|(?<=an)|(?<=French)|(?<=Dutch)|(?<=Greek)|(?<=Hindi)|(?<=Arabic))",
         confidence=0.9, key="reply_language"),
    rule("preference", "a standing wish",
         r"^(?:please )?(?:always )?keep (?:your |the |all )?(?:answers|replies|responses|explanations)\b.*\b(?P<value>short|brief|concise|long|detailed)\b.*\b(?:in general|always|from now on|by default|unless)\b",
         confidence=0.9, key="reply_length"),
    rule("preference", "a standing wish",
         r"^(?:from now on|from here on|in future|in the future|going forward|henceforth|next time|whenever|every time|each time|by default)\b(?! i\b)",
         confidence=0.9),
    rule("preference", "a standing wish", r"^(?:please |pls )?(?:never|always|don'?t ever|do not ever)\s+\w+",
         r"^(?:please |pls )?stop \w+ing\b",
         r"^(?:please )?(?:don't|do not|avoid|use|keep|take|answer|reply|write|speak)\b.*\b(?:again|any ?more|ever|in general|whenever|from now on|in (?:the )?future|going forward|by default|when(?:ever)? you|unless i)\b",
         confidence=0.9),
    rule("preference", "a standing wish",
         r"^when(?:ever)? you\b.*\b(?:please|always|never|don't|do not|use|add|keep|make|give|include)\b",
         r"^(?:can|could|would) you (?:please )?(?:always|never|stop)\b", confidence=0.9),
    rule("preference", "a standing wish",
         r"^no (?P<about>\w+)(?: \w+)? (?:on|before|after|in|at|during)\b(?!.*\b(?:today|tomorrow)\b)"),
    rule("preference", "a standing wish",
         r"^(?:please |pls )?(?:don't|do not|no|never)\b.*\b(?:after|before|when|while|unless|on (?:\w+days|weekends)|at (?:night|weekends|the table)|during|anything|any of my)\b(?!.*\b(?:today|tomorrow)\b)",
         r"^(?:when|if)(?:ever)? (?:we|i|you|my|the|it|there)\b.*,\s*(?:then |please |just )*(?:no|don't|do not|never|always|use|play|avoid|keep|show|turn|put|give|ask|tell|take|only)\b(?!.*\b(?:today|tomorrow|now)\b)",
         r"\b(?:i'd|i would) (?:like|want|appreciate|love) (?:you|it if you)\b.*\b(?:always|never|every|before you|whenever|from now on)\b",
         r"\bi (?:want|need|expect) you to (?:always|never)\b", rf"{_TOLD}.*\b(?:by default|in general|as a rule|permanently|for good|every time)\b", r"^(?!i\b|we\b|it\b|the\b)\w+.*\b(?:in all (?:my|our)|everywhere)\b(?!.*\b(?:error|bug)\b)", r"\byou (?:don't (?:have|need) to|needn't|can stop)\b.*\b(?:every time|each time|always)\b", r"\bwhatever (?:you do|happens)\b",
         r"\bshould (?:always |never )?(?:be )?\w+.*\b(?:as soon as|whenever|every time|when it|if it)\b",
         r"^\w+(?: \w+)? please,? (?:not|no|never|instead)\b", r"^\w+(?: \w+){0,2} only(?:, (?:please|thanks|thank you))?$", r", any ?(?:day|time)$"),
    rule("preference", "a standing wish", r"\b(?:from (?:now|here) on|going forward|henceforth|in future)\b(?!.*\b(?:i'll|i will|we'll|we will)\b)",
         r"^if\b.*,? i(?:'d)? (?:want|prefer|need|expect|like)\b", r"^(?:when|for|in) \w+.*,? (?:use|write|say|put|give me|show me) .*\b(?:always|instead of|rather than|not)\b",
         r"\b(?:text|email|mail|message|call|write to) me (?:instead|rather than|first)\b"),
    rule("preference", "says what they like",
         r"\bi(?:'ve| have) (?:never|always) (?:really |much )?(?:liked|loved|enjoyed|hated|preferred|cared for|been (?:a fan of|into|fond of|able to stand|one for))\b",
         r"\band i (?:don't|do not|just don't) (?:get along|mix|agree)\b", r"\bi (?:sleep|work|think|learn|concentrate|focus|read|write|feel) (?:best|better|worst)\b",
         r"\b(?:suits|works best for) me\b", r"\bi(?:'m| am) (?:happiest|at my best|most productive)\b", r"\bi(?:'d| would) sooner\b", r"\bi swear by\b"),
    rule("preference", "says what they like", r"\b(?:is|are|tastes?|smells?) (?:so |just |absolutely )?(?:disgusting|delicious|heaven|gross|horrible|unbearable|irresistible)\b(?: (?:to|for) me)?",
         r"^i (?:don't|do not|never) want\b.*\b(?:ever|again|any more|anymore|in my)\b", r"\bmy (?P<about>go-to(?: \w+){1,3}?) is (?P<value>.+)", r"\b(?:is|are) (?:by far )?my (?:all-time |absolute )?favou?rites?\b", r"^no \w+(?: \w+)?(?:,)? (?:please|thanks|thank you)\b",
         r"\bi (?:don't|do not) (?:really |much |particularly )?(?:care for|care about|get on with|mind)\b", r"\bi always (?:want|need|like|have|take|use|order)\b"),
    rule("preference", "a favourite",
         rf"\b{_MY} (?:all-time )?(?P<about>favou?rite(?: \w+){{1,3}}?) (?:is|are|has always been) (?P<value>.+)",
         confidence=0.9),
    rule("preference", "says what they like",
         r"\bi (?:really |just |also |absolutely |much |generally |strongly |definitely |do |still |actually )*(?:prefer|like|love|enjoy|adore|hate|dislike|detest|despise|loathe|avoid) (?P<about>.+)"),
    rule("preference", "says what they like",
         r"\bi (?:can't|cannot|can not) (?:stand|bear|tolerate|abide) (?P<about>.+)",
         r"\bi(?:'d| would) (?:much )?rather\b (?P<value>.+)"),
    rule("preference", "says what they do not do",
         rf"\b(?:i|we|(?:my|our) family) (?:never|don't|doesn't|do not|no longer) (?:ever )?{_DO}\b(?!.*\b(?:know|understand|think)\b)(?! (?:a|an|any|the) (?:idea|clue))"),
    rule("profile", "who they are", rf"{_I} (?P<trait>(?:left-handed|right-handed|colou?r-?blind|deaf|blind|dyslexic|autistic|short-sighted|married|single|divorced|widowed|bilingual)\b[^.;]*)",
         r"\bmy (?:nick|middle|maiden)name is (?P<nickname>[\w .'-]+)", r"\bi (?:graduated|have a degree) (?P<education>(?:from|in) [^.;]+)", r"\bmy (?:nickname|pronouns) (?:is|are) (?P<nickname2>.+)"),
    rule("preference", "says how they are",
         rf"{_I} (?:a )?(?:strict )?(?:vegetarian|vegan|pescatarian|teetotal(?:ler)?|coeliac|lactose intolerant)\b",
         rf"{_I} (?:really )?(?:used to \w+ing|fond of|keen on|partial to|(?:not )?an? (?:big |huge )?fan of)\b"),
    rule("preference", "says how they are",
         r"\b(?:is|are|was)(?:n't| not)?(?: really| totally| just)? (?:my (?:thing|cup of tea|style|weakness|comfort food)|(?:not )?for me)\b",
         r"\b(?:annoys|bothers|irritates|bugs|stresses|calms|relaxes) me\b", r"\bdrives me (?:mad|crazy|nuts|up the wall)\b",
         rf"\bi (?:only|rarely|seldom|hardly ever|almost never|try (?:not )?to|avoid|refuse to|can't|cannot) {_DO}\b", r"\bi try (?:not )?to (?:avoid|have|keep|stay|walk|cook)\b",
         rf"{_I} (?:not )?(?:really |very )?(?:into|crazy about|an? (?:morning|night|early|dog|cat|people|city|beach|coffee|tea) (?:person|owl|bird|riser)|picky|sensitive to|intolerant)\b"),
    rule("preference", "a habit", r"\bi (?!had|was|went|met|saw|did|took)\w+ (?:\w+ )*?(?:in the (?:mornings|afternoons|evenings)|on (?:\w+days|weekends)|every (?:day|morning|evening|night|week))\b", r"\bi (?:usually|normally|generally|typically|always|mostly|often|tend to)\b",
         r"\b(?:as a rule|usually|normally) i\b", r"\bi (?:drink|take|eat|have) my \w+ ", stated=False, confidence=0.6),
    rule("label", "a name",
         rf"\b{_MY} (?P<who>(?:[\w-]+ )?{_KIN})(?:'s name)?(?: is|'s) (?:called |named )(?P<what>(?:(?:Dr|Mrs?|Ms|Prof)\. )?[^,;.]+)",
         rf"\b{_MY} (?P<who2>(?:[\w-]+ )?{_KIN})'s name is (?P<what2>(?-i:[A-Z]).*)", confidence=0.9),
    rule("label", "a name", rf"\b(?P<what>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?) is {_MY} (?P<who>{_KIN})\b(?!')",
         rf"\b{_MY} (?P<who2>{_KIN}) is (?P<what2>(?:(?:Dr|Mrs?|Ms)\.? (?-i:[A-Z])\w+|(?-i:[A-Z]\w+(?: [A-Z]\w+)?)(?=$|[.,!])))"),
    rule("label", "a name", rf"\b(?:{_MY}|the) (?:kids'|children's|twins'|son's|daughter's) (?P<who>{_PLACE}) is (?P<what>(?-i:[A-Z]).+)",
         rf"\b{_MY} (?P<who2>{_KIN}) (?:goes by|answers to|is known as) (?P<what2>.+)",
         r"^(?P<who3>work|home|school|church) is (?:at|on) (?P<what3>\d.*)"),
    rule("label", "a name", rf"\b{_MY} (?P<who>[\w-]+)(?:,| and) (?:(?:his|her|their|its) name(?:'s| is)|(?:he|she|it)(?:'s| is) called) (?P<what>[^,;.]+)",
         rf"\b(?:{_MY}|the) (?P<who2>(?!name|point|goal)[\w-]+(?: [\w-]+)?) is (?P<what2>(?:Dr|Mrs?|Ms|Prof)\.? (?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)?)"),
    rule("label", "an address", rf"\b{_MY} (?:\w+ )??(?P<who>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?) lives at (?P<what>\d.*)",
         r"\bmy (?P<who2>[\w-]+) lives at (?P<what2>\d.*)", confidence=0.9, key="address"),
    rule("label", "an address", rf"\b(?:{_MY}|the) (?P<who>[\w' -]{{3,25}}?) is (?:at|on|located at) (?P<what>\d+\w? (?-i:[A-Z]).*)", confidence=0.9, key="address"),
    rule("label", "how to reach somebody",
         rf"^(?P<who>{_KIN})'s (?:phone|mobile|cell|number|e-?mail)(?: number)? is (?P<what>.*[\d@].*)", confidence=0.9, key="phone"),
    rule("label", "how to reach somebody",
         rf"\b{_MY} (?P<who>[\w' -]+?)'s (?:phone |mobile |cell )?(?:number|e-?mail(?: address)?|address) is (?P<what>.*[\d@].*)",
         confidence=0.9, key="phone"),
    rule("label", "an address",
         rf"\b(?:{_MY}|the) (?P<who>(?:new )?{_PLACE})(?:(?:'s)? address)?(?: (?:i|we) (?:go|drive|walk) to)? is (?:at |on |in |located at )?(?P<what>(?:\d+\w? .+|.+ (?:street|st|road|rd|avenue|ave|lane|square|drive|way)\b.*))",
         confidence=0.9, key="address"),
    rule("profile", "who they are", r"\bmy (?:full |first |last )?name(?: is|['’]s) (?P<name>[\w .'-]+)",
         r"^(?:this is|i'm|i am) (?P<name2>(?-i:[A-Z][a-z]+)(?: (?-i:[A-Z])[\w'-]+)*(?<!ish)(?<!ian)(?<!can)(?<!ese))(?=$|[,.!]| and\b| from\b)",
         confidence=0.9),
    rule("profile", "what they do",
         rf"{_I} (?:currently |now |still |originally )?(?:an?|the) (?P<occupation>(?:[\w/+-]+ ){{0,4}}?{_JOB}\b(?: (?:at|for|in|of|with)\b[^,;.]*)?)"),
    rule("profile", "what they do",
         r"\bi (?:work|am working|earn my living) (?:as (?:an? )?(?P<occupation>[^,;.]+)|(?P<occupation6>(?:for|at|in) (?!this|it\b|that|here)[^,;.]+))",
         r"\bmy (?:job|profession|occupation) is (?P<occupation2>[^,;.]+)",
         rf"{_I} (?:currently |now |still )?(?P<occupation3>(?:studying|majoring in|retired|self-employed|unemployed|freelancing|between jobs|on (?:parental|maternity|paternity|sick) leave)\b[^,;.]*)",
         r"\bi study (?P<occupation4>[^,;.]+)", r"\bi(?:'ve| have) been (?P<occupation5>(?:\w+ing) .*\bfor \w+ years)"),
    rule("profile", "what they do", rf"^(?:retired|former|freelance) (?P<occupation>(?:\w+ ){{0,2}}?{_JOB})\b.*\bhere\b",
         rf"\bi(?:'ve| have) been an? (?P<occupation2>(?:\w+ ){{0,2}}?(?:{_JOB}|\w+ic))\b",
         rf"{_I} in my (?P<occupation3>(?:\w+) year (?:of|at)[^,.;]*)",
         r"\bi teach (?P<occupation4>(?!you|it\b|him|her|them|my)[^,.;]+)", r"\bi (?:run|own|manage) (?P<occupation5>an? [^,.;]+)",
         rf"\b(?:as|{_I[2:]}) an? (?:single |proud )?(?P<family>(?:dad|mum|mom|mother|father|parent|grand\w+)(?: of \w+)?)\b"),
    rule("profile", "what they do", r"\bby (?:trade|profession|training),? i(?:'m| am) an? (?P<occupation>[^,.;]+)", r"\bi(?:'m| am) (?P<occupation2>in charge of [^,.;]+)",
         rf"{_I} (?P<nationality>(?-i:[A-Z])\w+(?:ish|ese|ian|ean|can|ch|man|ss|i))\b(?=$|,| by| and|\.)"),
    rule("profile", "who they are", r"\bi (?:recently |just )?turned (?P<age>\w+)(?: (?:last|this|in|on|years?)\b.*)?$",
         r"\bi(?:'ve| have)(?: got)? (?P<education>an? (?:ph\.?d\.?|degree|master'?s?|bachelor'?s?|diploma|doctorate|mba)\b[^,.;]*)"),
    rule("profile", "where they live", r"\bi (?:recently |just )?moved to (?P<city>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?)",
         r"\bi (?:grew up|was raised) in (?P<origin>[^,.;]+)"),
    rule("profile", "where they live", r"\b(?:i|we) (?:now |currently |both )?(?:live|reside) (?:with [\w ]+ )?in (?P<city>[^,;.]+)",
         rf"{_I} (?:based|living) in (?P<city2>[^,;.]+)",
         r"\bi(?:['’]ve| have) (?:lived|been living) in (?P<city3>(?!fear|sin|an?\b|the\b)[^,;.]+?)(?= since\b| for\b| all\b|$)",
         rf"{_I} (?:originally )?from (?P<origin>(?-i:[A-Z])[\w ]+?)(?: originally)?$"),
    rule("profile", "who they are", r"\bi was born (?P<born>(?:in|on) [^,;.]+)", r"\bmy birthday is (?P<birthday>.+)",
         rf"{_I} (?P<age>\d{{1,2}}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|nineteen|eighteen)(?:-\w+)?)(?: years old)?$", r"\bi (?:also )?speak (?P<language>(?-i:[A-Z]).+)",
         r"\bmy (?:native language|mother tongue) is (?P<language2>.+)",
         r"\bmy (?:hobby|hobbies|interests?) (?:is|are) (?P<interests>.+)", r"\bi collect (?P<interests2>(?!data\b|them\b|it\b|my\b|you\b)[^,;.]+)", rf"{_I} an? (?P<mbti>[ei][ns][tf][jp])\b",
         r"\bmy (?:mbti|time ?zone) is (?P<timezone>.+)"),
    rule("opinion", "an opinion",
         r"^(?:honestly|frankly|personally|imh?o|to me|to my mind|in my (?:humble )?(?:opinion|view|experience))\b",
         r"\bif you ask me\b",
         r"\bi (?:honestly |personally |still |really )*(?:think|believe|reckon|feel that|find|suspect|doubt|consider)\b.+",
         r"^i (?:think|believe|guess)$"),
    rule("opinion", "an opinion", r"\b(?:i'm|i am) (?:convinced|certain|of the opinion)\b", r"\bif you (?:ask me|want my (?:view|opinion))\b",
         r"\bhold a candle to\b", r"\bin my (?:view|opinion|book)\b", r"\bi found (?!out|a\b|an\b|it\b|my|some).*\b(?:too|rather|quite|very|a bit|pretty|really|boring|great|dull|confusing|lovely|disappointing)\b",
         r"\bshould be (?:banned|free|illegal|mandatory|compulsory|abolished)\b", r"\bi (?:doubt|suspect|expect) (?:that )?(?:the|it|this|they|he|she|we)\b",
         r"\b(?:is|was|are|were) (?:far |way |much |simply |just |so )?(?:overrated|underrated|overkill|silly|pointless|a waste of \w+|too \w+ (?:for|to)\b|(?:better|worse|nicer|cheaper|faster) than)"),
    rule("fact", "a date or a fact that lasts", rf"\b{_MY} .*\b(?:birthday|anniversary) is\b",
         rf"\b{_MY} (?:lease|contract|visa|passport|insurance|subscription|rent|mortgage)\b.*\b(?:ends?|expires?|is due|runs out|renews|is)\b",
         r"^(?-i:[A-Z])\w+'s (?:birthday|anniversary) is\b", r"\ballergic to\b", r"\bhigh blood pressure\b",
         r"\bdiabet", confidence=0.9),
    rule("fact", "a fact about somebody",
         r"^(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)? (?:is (?:our|my|still|now|allergic|deaf|blind|pregnant|retired|vegan|vegetarian)\b|moved|joined|left|took over|retired|married|works|lives|owns|runs|handles|speaks|prefers)\b"),
    rule("event", "something with a day", rf"^(?!.*\b(?:every|each)\b)(?:.*\b(?:was born|passed away|died|got (?:engaged|married|divorced|promoted|fired|hired)|graduated|gave birth|quit my job|broke (?:my|his|her))\b|(?!{_TOLD[1:]}).*{_WHEN})",
         rf"^(?:{_WHEN},? .*\b(?:i|we|my|our)\b|.*\b(?:i|i'm|i've|i'll|we|we're|we've|we'll|my|our|me|us)\b.*{_WHEN}|(?:the|a) .*\b(?:is|are) (?:coming|arriving|leaving|starting|visiting|due)\b.*{_WHEN})",
         r"\b(?:i|we)(?:'ve| have) (?:just|finally|already) \w+(?:ed|ought|ot|en|one|ade|ent|un|ld|st)\b"),
    rule("fact", "a fact about them",
         r"\b(?:i|we)(?:'ve| have)(?: got)? (?:an?|one|two|three|four|five|\d+) (?:\w+ )?(?:cats?|dogs?|child|children|kids?|daughters?|sons?|sisters?|brothers?|horses?|cars?|bikes?|boat|garden|house|flat|twins)\b",
         r"\bi (?:own|drive|ride) an? \w+",
         r"\b(?:in|on|for|at) (?:this|our|the) (?:project|team|company|repo\w*|office|codebase),? we\b",
         rf"{_I} (?:learning|training for|saving (?:up )?for|on a diet|pregnant|engaged|married|divorced)\b",
         r"\bi work (?:from home|part[- ]time|remotely|nights|shifts)\b"),
    rule("fact", "a fact about them or theirs",
         rf"^{_MY} \S+.*\b(?:is|are|was|were|has|have|lives?|works?|runs?|rotates?|hates?|loves?|likes?|needs?|starts?|ends?|closes?|opens?|owns?|drives?|speaks?|studies|moved|died|got|had|just|married|contains?|uses?|sits?|hangs?|costs?)\b"),
    rule("fact", "a fact about them or theirs",
         rf"^{_MY} (?!point|question|guess|bad|pleasure|god|goodness|problem|mistake|idea|plan|understanding|turn|apologies|name)\w+.* \w+",
         r"^(?:grandpa|grandma|granny|mum|mom|dad|the (?:kids|baby|dog|cat|twins|children|neighbou?rs))\b(?:'s)? \w+",
         r"\bthere are \w+ of us\b", r"\bwe(?:'ve| have)(?: got)? (?:an?|no|one|two|three|four|five|six|\d+) (?!questions?|problems?|issues?|options?|bugs?|tests?|files?|errors?|choices?|to\b|look|chance)\w+", r"\bi (?:take|use|wear) .*\b(?:since|because of|for my|against)\b",
         r"\bi (?:had|have) (?:an? )?(?:\w+ )?(?:surgery|operation|asthma|migraines?|pacemaker|diabetes|allerg\w+|insomnia|back pain)\b"),
    rule("fact", "how things are", r"\bi used to \w+\b|\bi (?:switched|moved|migrated|changed) from\b|\bwe(?:'re| are) using\b|\bwe (?:run on|deploy (?:to|on|with))\b|^this (?:repo|project|team|company) (?:uses|is|has|runs)\b"),
    rule("fact", "how things are",
         r"^(?:the |our )?(?:rent|school|pick-up|parking|rubbish|bins?|gas|electricity|insurance|internet|wi-?fi|heating|boiler|alarm|spare key|keys?|garage|garden|car|mortgage|office|bus|gym|shop|team|company)\b.* (?:is|are|costs?|runs?|starts?|ends?|hangs?|needs?|gets?|leaves?|meets?|lies?)\b",
         r"^(?:the|our|my) .* on (?:mon|tues|wednes|thurs|fri|satur|sun)days\b", r"^the (?!response|request|test|build|page|button|link|log|table|api).* (?:has|have) (?:no|an?|two|three|four|only)\b", r"^the (?:old|main|big|small) .* (?:still )?(?:runs?|uses?|sits?|stands?|is)\b",
         r"^(?!i\b|you\b).* (?:once|twice|\w+ times) (?:a|per) (?:day|week|month|year)\b", confidence=0.7),
    rule("fact", "how things are",
         r"^the \S+.*\b(?:(?:is|are|hangs?|lies?|lives?|stands?|sits?|kept|stays?) (?:on|in|at|behind|under|inside|above|below|next to|called|named)|name is|(?:rotates?|runs?|closes?|opens?|starts?|ends?|expires?|happens|meets?|renews?|costs?)\b.*\b(?:every|on|at|from|until|a (?:day|week|month|year)|[$€£¥]?\d))\b",
         confidence=0.7),
)  # fmt: skip


# What stands around a proposal, and how it reads in the mouth of the one who agrees to it.
_OFFERS = re.compile(r"\?\s*$|\b(?:i'll|i will|shall i|let me) (?:remember|note|save|keep in mind)\b", re.I)
_ASKED = re.compile(r"\s*(?:what|who|where|when|why|how|which|did|is|can|could|would|will|shall|should)\b", re.I)
_TURNED = [
    (re.compile(pattern, re.I), said)
    for pattern, said in (
        (r"^\s*(?:so|ok(?:ay)?|got it|(?:just )?to confirm|(?:do )?you mean)[,:]?\s+", ""),
        (r"^(?:should i|shall i|i'll|i will|(?:do you )?want me to|let me)\s+", ""),
        (r"^(?:remember|note|save|keep in mind)(?: down)?(?: that)?\s+", ""),
        (r"(?:,? (?:is that (?:right|correct)|right|correct|then|isn't it|don't you|yes|ok(?:ay)?))?[\s?]*$", ""),
        (r"^(?:shall|should) we (?:go|stick) with", "we'll go with"),
        (r"^are you\b|\byou are\b|\byou're\b", "I'm"), (r"^do you\b", "I"), (r"^have you\b|\byou've\b", "I've"),
        (r"\byour\b", "my"), (r"\byou\b", "I"),
    )
]  # fmt: skip


def proposed(sentence: str) -> str:
    """What somebody else proposed to the user, in the user's own words; empty when it is no proposal."""
    said = sentence if _OFFERS.search(sentence) else ""
    for pattern, turned in _TURNED:
        said = pattern.sub(turned, said)
    return "" if _ASKED.match(said) else said
