"""How people order a talk in English and Chinese: the closed tables that `anchors` reads.

A row is `field :: pattern`, or `key=value :: cues :: pattern` for an order: a sentence with none of the cues is not tried
(so few patterns are ever compiled), the pattern fits the beginning of a clause, and what it captures is the value if none
is given. `+` before the key: only with words like "from now on". `{NAME}` stands for one of the pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class Order:
    """One way of saying an anchor."""

    key: str
    value: str
    cues: tuple[str, ...]
    pattern: str
    lasting: bool  # it counts only with words like "from now on"


@dataclass(frozen=True)
class Tongue:
    """A language of orders."""

    cues: tuple[str, ...]  # a sentence with none of them, and none of an order's, is not looked at
    barred: str  # reported speech, single answers, questions, suppositions
    lasting: str  # what says that it holds for the whole talk
    standing: str  # what begins a free rule without such words
    clause: str  # where clauses part
    lead: str  # what may stand before an order
    imperative: str  # how a free rule begins
    tail: str  # what may stand after a free value
    orders: tuple[Order, ...]


_LANGUAGES = """English 英文 英语|Chinese 中文 汉语 普通话 国语 mandarin|German 德语 德文|French 法语 法文|Spanish 西班牙语 西语|Italian 意大利语
|Japanese 日语 日文|Korean 韩语 韩文|Portuguese 葡萄牙语 葡语|Russian 俄语 俄文|Dutch 荷兰语|Polish 波兰语|Swedish 瑞典语|Arabic 阿拉伯语|Hindi 印地语|Greek 希腊语
|Turkish 土耳其语|Cantonese 粤语 广东话|Danish 丹麦语|Norwegian 挪威语|Finnish 芬兰语|Czech 捷克语|Ukrainian 乌克兰语|Vietnamese 越南语|Thai 泰语|Latin 拉丁语|Hebrew 希伯来语"""
_MANNERS = """formal formally politely polite professional 正式 书面 专业 客气 礼貌|casual casually informal informally relaxed 轻松 随意 随便 口语 口语化
|friendly friendlier nicer kinder warm warmer gentle gentler 友好 温柔 亲切 和气|humorous funny funnier witty 幽默 风趣 搞笑|serious 严肃 认真|direct blunt honest frank 直接 直白 坦率|patient 耐心
|simple simply plain 通俗 通俗易懂 简单易懂 浅显|strict stricter 严格|enthusiastic cheerful 热情 活泼|neutral objective 客观 中立"""
# Any name of a language or a manner → the one that is kept.
NAMED = {
    name.lower(): row.split()[0] for table in (_LANGUAGES, _MANNERS) for row in table.split("|") for name in row.split()
} | {"公制": "metric", "英制": "imperial"}
_PIECES = {
    "SAY": r"(?:answer(?:ing)?|reply(?:ing)?|respond(?:ing)?|writ(?:e|ing)|speak(?:ing)?|talk(?:ing)?|chat(?:ting)?|continu(?:e|ing)|explain(?:ing)?|go on|convers(?:e|ing)|do(?:ing)? this|did this)(?: (?:to|with) me)?(?: me)?(?: everything| all)?",
    "ANSWERS": r"(?:(?:all |all of |every |each )?(?:your |the )?(?:answers?|repl(?:y|ies)|responses?|messages?|explanations|it|things|everything))",
    "SIZE": r"((?:\d+|an?|one|two|three|four|five|six|seven|eight|ten|twelve|fifteen|twenty|thirty|fifty|a hundred) (?:words?|sentences?|lines?|paragraphs?|characters))\b",
    "AT_MOST": r"(?:under|below|within|to|at|(?:at )?max(?:imum)?(?: of)?|at most|no (?:more|longer) than|up to|with|in)",
    "UNITS": r"(metric|imperial|celsius|fahrenheit|kelvin|kilomet(?:er|re)s|miles|met(?:er|re)s|feet(?: and inches)?|kilos|kilograms|pounds|litres|liters|grams|ounces)\b",
    "MONEY": r"((?:(?:us|american|canadian|australian|hong kong|singapore) )?dollars?|(?:swiss )?francs?|euros?|pounds?|sterling|yen|yuan|renminbi|rmb|rupees?|kron(?:er|or|a)|zloty|won|usd|eur|gbp|chf|jpy|cny)\b",
}
# key, cues, and how it is called in English and in Chinese
_THINGS = (
    ("tables", "table", "tables"),
    ("bullets", "bullet,list", r"(?:bullets|bullet(?:ed)?[- ](?:points|lists)|lists)"),
    ("emoji", "emoji,emoticon,smiley", r"(?:emojis?|emoticons|smileys)"),
    ("tables", "表格", "表格"),
    ("bullets", "列表,要点,项目符号,条目,分点", "(?:列表|要点|项目符号|条目|分点)"),
    ("emoji", "表情,emoji", "(?:表情(?:符号|包)?|emoji)"),
)
_ENGLISH = r"""
cues :: from now,from here,point on,forward,henceforth,rest of,this chat,this conversation,this session,our ,long as,until i,always,never,future,each,every,your ,duration,throughout,during
barred :: ^(?:if|suppose|imagine|what(?! i (?:say|tell))|why|how|when|where|who|which|whose|should|shall|do|does|did|is|are|am|was|were|have|has|had)\b(?!.*\bfrom (?:now|here) on)|\b(?:this|that|next|last|previous|following|first|second|current) (?:one|question|answer|reply|response|message|time|paragraph|text|article|part)\b|\bthis once\b|\bfor (?:once|today's|now)\b|\b(?:said|says|told|tells|asked|asks|wrote|writes|wants|wanted|thinks|insists|prefers|claims)\b(?<!you wrote)(?<!i said)(?<!i asked)(?<!i told)|\bno thanks\b|\b(?:one|some) ?day\b|\beventually\b|\blearn(?:ed|t|ing)?\b
lasting :: \b(?:from (?:now|here|this point) on(?:wards?)?(?: (?:in|out))?|from here (?:on )?(?:in|out)|going forward|henceforth|until (?:i|we) (?:say|tell you|change|decide)(?: otherwise| so)?|as long as we(?: are|'re)? (?:talk|chat)(?:ing)?|while we(?: are|'re)? (?:talk|chat)(?:ing)?|(?:for|during|throughout|in) (?:the (?:whole|rest|remainder|duration|course) of )?(?:this|our|the) (?:whole |entire )?(?:chat|conversation|session|talk|discussion|dialogue)|for the rest of (?:this|it|today)|in (?:the )?future|the whole time|(?:every|each) time|today)\b|\bin (?:all )?(?:of )?your (?:answers|replies|responses|messages)\b|\b(?:per|for|in) (?:each|every|any|all) (?:answers?|repl(?:y|ies)|responses?|messages?)\b
standing :: ^(?:please )?(?:always|never) (?!again|a\b|mind)(?=.*\b(?:me|you|your|answers?|reply|replies|sources?|code|asking|before|unless)\b)
clause :: \s*[,;:]\s+(?:(?:and|but|so|then) )?|\s+(?:and|but)\s+(?=(?:no|keep|use|don't|never|always|please|answer|reply|only|just|be|make|stop|call|speak|talk|skip|avoid|give|english|stick|explain)\b)|\s+-+\s+|\s*[—–]\s*
lead :: ^(?:(?:ok(?:ay)?|alright|right|well|so|oh|now|and|but|also|hey|hi|hello|actually|then|instead|thanks|thank you|please|pls|kindly|always|let's|let us|can (?:we|you|i ask you to)|could (?:we|you)|would you(?: mind)?|will you|may i ask you to|i'd feel better if (?:you|we)|it would be (?:better|nice|great|good) if (?:you|we)|i'd be happier if (?:you|we)|i(?:'d| would) (?:like|love|prefer|appreciate|want|rather)(?: it)?(?: if)?(?: you| we| to)?(?: to)?|i (?:want|need|expect|ask) you to|i want(?: us)? to|we (?:can|could|should|will)|you (?:can|may|could|should|must|are (?:free|allowed) to|don't (?:have|need) to(?= call))|feel free to|it's (?:ok|okay|fine) to|just to be clear|one (?:more )?thing|for me|in general|try to|make sure (?:to|you)|remember to|be sure to)\b[,:]?\s*)+
imperative :: (?:never |don't |do not |please |only |first |just )*(?:ask|assume|begin|start|end|finish|close|cite|give|show|use|include|add|mention|explain|check|act|be|pretend|play|treat|consider|write|read|say|tell|make|keep|put|answer|reply|respond|list|name|quote|refer|speak|think|wait|warn|remind|run|leave|skip|avoid|format|mark|number|prefix|sign|spell|rate|suggest|propose|offer|challenge|correct|translate|compare|repeat|confirm|stop|let|do|take|follow|respect|ignore|focus|stay|work|round|sort|limit|address|greet|call|help|question|judge|test|quiz|teach|interrupt|criticise|criticize|praise|apologise|apologize|guess|remember|search|look|double-check|pick|choose|provide|return|attach|summari[sz]e|report)\b(?!\s+(?:you|u)\b)
tail :: (?:[\s,]+(?:please|pls|ok(?:ay)?|thanks|thank you|today|only|again|any ?more|then|for now|will you|would you|from now on|in this (?:chat|conversation)|for this (?:chat|conversation)|instead))+$
*= :: rule,instruct,constraint,restrict,normal,i said,i asked,everything :: (?:reset|forget|drop|cancel|undo) everything(?: (?:i|that i) (?:said|asked|wanted)|$)|(?:forget|drop|ignore|cancel|lift|remove|scrap|clear|reset|never mind|disregard|undo)(?: about)?(?: all)?(?: of)? (?:the |my |those |these |any )?(?:previous |earlier |other )?(?:rules|instructions|constraints|restrictions|limits|what i (?:said|asked)(?! i))|(?:just )?(?:talk|answer|behave|act)(?: to me)? normally(?: again)?|(?:go |let's go )?back to normal\b|no more (?:rules|restrictions)
only= :: anything,whatever,freely,other things,everything,other topics :: (?:talk|chat|speak|discuss|ask)(?: to me| with me)?(?: about)? (?:anything|whatever|freely|everything|other things|other topics)|(?:anything goes|any topic is fine|other topics are (?:fine|ok))
language= :: LANG :: (?:{SAY}(?: back)?(?: only| just)?(?: to)? in (?:plain |simple |proper )?|(?:speak|talk|use|switch(?: back)? to|switch(?:ing)? over to|chang(?:e|ing) to|go back to|back to|continue in|wrote(?: to me)? in|spoke|answered(?: me)? in|(?:only|just) (?:speak|use)|stay (?:in|with)|stick to|keep to) ?(?:to me in )?)({LANG})\b
language= :: LANG :: (?:you (?:don't|do not|no longer) (?:have|need) to|no need to|you can stop|stop|don't|do not)(?: always)? (?:{SAY}(?: back)? in|speak(?:ing)?|us(?:e|ing)) (?:{LANG})\b
language= :: LANG :: (?:give me |i want |(?:i'd )?prefer )?(?:all |your |the )*(?:answers|replies|responses|messages|everything) (?:should be |to be |always )?in ({LANG})\b
+language= :: LANG :: ({LANG})\b(?: only| again)*(?: please)?$
language= :: fine,ok :: ({LANG})\b is (?:fine|ok|okay|good)\b(?: again| now)?
length= :: long,again,short :: (?:write|give(?: me)?|use|make|have|send)?\s?(?:longer|normal(?:-length)?|full(?:-length)?) (?:answers|replies|responses)(?: (?:are|is) (?:fine|ok|okay))? (?:again|now)|(?:answers|replies) (?:can|may) be (?:longer|as long as)|you (?:don't|do not) (?:have|need) to (?:be|keep it) (?:so )?(?:short|brief)
length= :: limit :: (?:forget|drop|lift|remove|cancel|ignore|scrap|no)(?: about)?(?: more)? (?:the |that )?(?:word|length|size|sentence|character) limit
length= :: max,most,tops :: {SIZE} (?:max(?:imum)?|at most|tops|or less|or fewer)\b
length= :: word,sentence,line,paragraph,character :: (?:(?:keep|limit|make|cut) {ANSWERS} (?:short,? )?{AT_MOST} |(?:at )?max(?:imum)?(?: of)? |(?:at most|no more than|up to|never more than|not more than) |(?:answer|reply|respond)(?: to)?(?: me)? (?:{AT_MOST} )+(?:only )?){SIZE}(?: (?:or less|at most|only|max))?(?!\s+(?:about|on|for|of|each for)\b)
length=short :: short,brief,concise,long,terse,succinct,point :: (?:(?:keep|make) {ANSWERS} (?:very |really |more |nice and |as )?|(?:be|answer|reply|respond)(?: a (?:bit|little))?(?: more| very| much| as)? |(?:only |give me )?)(?:short(?:er)?|brief(?:er|ly)?|concise(?:ly)?|succinct(?:ly)?|terse(?:ly)?|to the point)\b(?: (?:answers|replies|responses))?(?: only)?(?! (?:answers?|repl|of\b|to\b|summary|story|note|letter|list|version|stor))(?=$|[\s,.!])(?! of| to | for)|(?:don't|do not) (?:be so|write so|write such|give me such|give) (?:long|wordy|verbose)|(?:no|stop (?:writing|with the)) (?:long|endless) (?:answers|replies|texts|explanations)
length=long :: long,detail,depth,elaborate,thorough :: (?:give me |write |i want )?(?:longer|detailed|more detailed|in-depth|thorough) (?:answers|replies|responses|explanations)|(?:keep|make) {ANSWERS} (?:long|detailed|thorough|more detailed)|(?:answer|reply|explain everything)(?: to me)? (?:in (?:more |full |great )?(?:detail|depth)|at length|more thoroughly)|be (?:more )?(?:thorough|detailed|verbose)|go into (?:more|greater) (?:detail|depth)
code=only :: code :: (?:give me |show(?: me)? |write |send |answer with |reply with |return )?(?:(?:only|just|nothing but)(?: (?:output|write|give me|send|show|return|post))?(?: the)? code|(?:the )?code only)(?! (?:for|that|of|works|runs|in|which|to)\b)
+steps=yes :: step :: (?:always )?(?:explain|show|describe|go through|walk me through|do|answer|guide me through)(?: me)?(?: everything| things| it| this| all)*,? ?(?:step by step|in (?:small )?steps|one step at a time)|(?:i prefer |give me |i want |use )?step[- ]by[- ]step (?:explanations|answers|instructions)$
bullets=no :: paragraph,prose,running text :: (?:(?:write|answer|reply|use|stay)(?: to me)?(?: only)? )?(?:in |with )?(?:plain |full |normal |flowing |continuous )?(?:paragraphs|prose|running text)\b(?! (?:of|about|from|for))
THING= :: THING :: (?:(?:use|send|have|write|make) )?(?:the )?{THING}\b(?: (?:are|is))?(?: (?:fine|okay|ok|allowed|welcome))? (?:again|now)\b|{THING} (?:are|is) (?:fine|ok|okay|allowed|welcome)\b
THING=no :: THING :: (?:no(?: more)?|not|i (?:really )?(?:hate|dislike|don't (?:like|want|need)|can't stand|am tired of)|enough (?:with|of)|(?:stop|quit|avoid)(?: it)?(?: with)? (?:(?:using|sending|writing|adding|making|with) )?|(?:don't|do not|never) (?:use|send|write|add|make|give me)|skip|drop|avoid|leave out|without|lose) ?(?:the |any |all |so many |those |your )?{THING}\b
THING=yes :: THING :: (?:use|add|prefer|write in|answer (?:in|with)|reply (?:in|with)|give me|format {ANSWERS} (?:as|with|in)|more) (?:more |plenty of |only )?{THING}\b(?! (?:of|about|for the|to the|from)\b)
name= :: call :: (?:stop calling me|(?:don't|do not|you don't (?:have|need) to|no need to|you needn't) call me)\b
name= :: call me,address me,refer to me :: (?:call|address|refer to) me (?:as |by my name,? )?((?!(?:back|later|when|at|if|on|in|tomorrow|today|tonight|a|an|the|again|once|after|before|crazy|old-fashioned|paranoid|stupid|anytime|any|by|every|for|from|names?|up|over|out|to|soon|first|as)\b)[^\W\d][\w'-]*(?: (?:[A-Z][\w'-]*))?)
tone=simple :: explain,talk to me,simple :: (?:explain|talk|say|describe|answer)(?: to me)?(?: things| everything| it all| all(?: of)? this)?(?: to me)? (?:as if|like|as though) (?:i'm|i am|i were|i was) (?:five|5|a (?:five-year-old|child|kid|beginner|complete beginner))|use (?:simple|plain|easy) (?:words|language|english)
tone= :: like, as  :: (?:talk|speak|answer|write|sound|reply|behave|act|respond)(?: to me)? (?:like|as) ((?:an? |my |the |if you were )?\w[^,.;!?]{1,50})
tone=casual :: formal,stiff :: (?:drop|lose|cut|stop|skip|enough of) the (?:formal(?:ity|ities)?|stiff)\b(?: tone)?|don't be (?:so |that )?(?:formal|stiff)
tone= :: less,more,fewer :: ((?:less|fewer|more) (?:enthusiasm|jokes|praise|flattery|formality|humou?r|drama|sarcasm|apologies|warmth|small talk|irony))
tone= :: be ,keep,sound,talk,speak,tone,write,answer,stay :: (?:be|sound|stay|talk|speak|write|answer|reply|keep (?:it|things|the tone|your tone|your answers)|use)(?: to me)?(?: (?:a (?:bit|little|lot)|more|very|much|really|always|completely|in|\w+ly))*(?: an?)?(?: (?:more|very))* ({MANNER})\b(?! (?:about|with|on|that|in|for|and honest about)\b(?! (?:me|your)\b))
currency= :: price,amount,everything,cost,money,use,figure,currency,sum :: (?:(?:give|show|quote|state|convert|put|keep)(?: me)? )?(?:all )?(?:the )?(?:prices|amounts|costs|figures|sums|money|everything)(?: always)? in {MONEY}(?=$|[,.!?]| (?:please|from|only|for|and|not|always)\b)|use {MONEY}(?: (?:for|as|instead|in)\b|$)
units= :: metric,imperial,celsius,fahrenheit,kelvin,kilomet,miles,metre,meter,feet,kilo,pounds,liter,litre,gram,ounce :: (?:use|stick to|switch to|prefer|keep to|only use)(?: only)?(?: the)? {UNITS}(?:$| (?:units?|system|for|in|instead|everywhere|only|please))|i (?:think|measure|calculate|work|cook) in {UNITS}|(?:(?:give|show|state|measure|convert|express|put)(?: me)? )?(?:all )?(?:the )?(?:temperatures?|distances?|weights?|lengths?|heights?|speeds?|volumes?|measurements?|quantities|units)(?: always)? in {UNITS}
secrecy=yes :: confiden,between us,private,secret,yourself,off the record :: (?:keep|treat) (?:all(?: of)? |everything )*(?:this|that|it|everything|what i|our|the things)?\b.{0,30}\b(?:confidential(?:ly)?|private|secret|between (?:us|you and me)|to yourself)|(?:all (?:of )?)?(?:this|that|everything(?: i (?:say|tell you))?|what i (?:say|tell you)|it|our (?:chat|conversation|talk))(?: all)?(?: here)? (?:stays|remains|is|must stay|must remain|should stay) (?:strictly )?(?:between (?:us|you and me)|confidential|private|secret|off the record)|(?:strictly )?(?:off the record|confidential)$
secrecy=yes :: save,store,remember,record,log,write down,note,keep :: (?:don't|do not|never|please don't|nothing to) (?:save|store|remember|record|log|write down|keep a record of|note down|take notes of|memori[sz]e|keep(?= any of this$| any record))(?: down)? (?:any(?:thing)?(?: of)?|this|that|what|our|it|all|the conversation)\b
only= :: no other,only questions :: (?:no other (?:subject|topic|theme)s? (?:than|but|except)|only questions (?:about|on)) (\w[^,;.!?]*)
only= :: only,just,stick,nothing but,focus,limit,keep,exclusively :: (?:(?:only|just|exclusively) (?:talk|speak|chat|discuss|answer|focus|concentrate|help me)|(?:talk|speak|chat|discuss|focus|concentrate|answer)(?: questions)? (?:only|just|exclusively|nothing but|about nothing but|only questions)|stick(?: only)? to|i (?:only|just) want to (?:talk(?: only)?|discuss|hear|speak|chat|focus)|limit (?:yourself|ourselves|this)(?: chat| conversation)?(?: only)? to|keep (?:it|this|the conversation|the chat) (?:only )?(?:to|on)|nothing but)(?: (?:about|on|with|to|questions about|questions on))* ((?!(?:in|like|me|you|it|one|a bit|short|time|the point|my|your)\b)\w[^,;.!?]*)
+only= :: focus,talk,discuss :: (?:focus on|concentrate on) (\w[^,;.!?]*)
avoid= :: mention,talk about,discuss,recommend,suggest,hear,word about,topic,subject,bring up,speak,stay away,avoid,no more,no ,leave,stop,refer :: (?:not (?:a|one|another) word (?:about|on)|(?:i )?(?:don't|do not) (?:want|wish|need) to (?:hear|talk|read|know|discuss)(?: anything)?(?: more)? about|avoid the (?:topic|subject)(?: of)?|(?:don't|do not|never|not|stop|avoid|let's not|quit) (?:(?:ever|even) )?(?:mention(?:ing)?|talk(?:ing)? (?:about|of)|discuss(?:ing)?|bring(?:ing)? up|speak(?:ing)? (?:about|of)|go(?:ing)? into|refer(?:ring)? to|ask(?:ing)?(?: me)? about|recommend(?:ing)?|suggest(?:ing)?)|(?:stay|keep|steer) (?:away from|clear of|off)|leave out|avoid(?! (?:using|it|that|this)\b)(?: the (?:topic|subject)(?: of)?)?|no more|leave)(?: any(?:thing about)?)? ((?!(?:it|that|this|than|in|to|so|long|rules|you)\b)\w[^,;.!?]*?)(?: (?:alone|out of (?:this|it)))?$
rule= :: stop,quit,don't,do not :: ((?:stop|quit) (?:apologi[sz]ing|praising|flattering|asking|repeating|interrupting|lecturing|judging|thanking|saying|telling me|reminding|summari[sz]ing|guessing|explaining|being|pretending|correcting|ending|starting|suggesting)\b[^.;!?]*)
"""
_CHINESE = r"""
cues :: 从,接下来,往下,后,后面,次,本,聊天,对话,每,一律,统一,永远,总是,全程,始终,以下,之前
barred :: ^(?:如果|假如|要是|假设我|为什么|怎么|怎样|什么|哪|谁|是不是|(?:我|你)(?:是不是|该|应该|刚才|怎么|为什么|老是)|他|她|它|老师|医生|客户|老板|领导|同事|朋友|妈|爸|老婆|老公|昨天|前天|上次|那[本部个篇场次家]|这[本部篇封段])|(?:这|下|上|那|前|刚才那)一?(?:条|句|题|回|个问题|个回答|封|段|篇|份|遍)(?!会话|对话|聊天)|就这一?次|[这那]一次(?!对话|聊天|会话)|刚才的回答|怎么说|什么意思|(?:说|要求|让|希望|建议|规定|写着)(?:我|他|她|大家|我们)们?(?:要|该|得|都|必须|应该|以后|可以|用|说|一律)|(?:吗|呢|什么|怎么办|多少|为什么)[？?]?$(?<!好吗？)(?<!好吗)(?<!行吗)(?<!可以吗)(?<!好吗\?)(?<!行吗？)(?<!可以吗？)
lasting :: 从(?:现在|这里|此刻|今天|这会儿|此)(?:起|开始|往后)?|(?:接|往)下来?|接下来|(?:以|今|往|此|之|然)后(?:每次|每回)?|后面(?:的)?|(?:在)?(?:这|本)(?:次|个|场|轮)?(?:对话|聊天|会话|谈话|交流)(?:里|中|期间|过程中|当中)?(?:的?内容)?|聊天(?:期间|过程中|的时候)|对话(?:期间|过程中)|每次回[答复](?=都|最|请|先)|一直到?(?:我说停)?|一律|统一|每次|永远|每(?:个|条)(?:回答|回复)(?=最|都|里|要|后|末|前|开|先|控|不)|今天(?=只|就|都)|这次(?=只|就聊|都)|(?:回答|回复|消息)(?:里面?|中|时)(?=别|不|都|请)|以下(?:的)?(?:内容|对话)|全程|始终|(?:在|直到)我说(?:停|不用|可以)(?:之前|为止)?
standing :: ^(?:请)?(?:永远|总是|始终|一定)(?:要|不要|别|先)
clause :: \s*[，,；;、]\s*|\s+(?=请|别|不)|而且|并且|但是|也(?=别|不要)
lead :: ^(?:请(?!求)|麻烦|拜托|那(?:么|就)?|好的?(?=[，,请就那]|我们|咱们)|嗯|对了|我们|咱们?|你们?(?!好)|您|大家|可以(?!了)|能不能|可不可以|能否|希望(?:你|您)?|我(?:想|要|希望|需要)?(?:请)?(?:你|您)(?:能)?|还是|就(?!这)|都|也|全部?|一直|尽量|最好|务必|必须|千万|继续|开始|改成|要(?!求|点)|得|记得|且|[，,：: ]|今天(?=只|就|都))+
imperative :: (?:(?:每个|每条|所有|你的?)?(?:回答|回复|结论|答案|代码|内容|观点|建议|例子|示例|解释|问题|引用|数据|名词|术语)\S{0,8}(?:都|要|请|先|给|加|附|用|写|带|最后|一|标|分|按|里)|最后|末尾|结尾|开头|先(?!生)|(?:别|不要|不许|不准|请勿)|假设|假定|当作|把我|扮演|当我的|充当|以\S{1,12}(?:身份|角度|方式)|用\S{1,12}|动手|给我|帮我|问我|告诉我|提醒我|纠正|检查|引用|标注|标明|注明|列出|加上|附上|使用|按照?|遵守|记住|只(?!会|是|有|能|剩|要)|如果我|遇到|只要|称|站在|像|多|少|每|当我|有\S{0,6}(?:就|要|请))
tail :: (?:的?(?:事情?|话题|方面|内容|问题|相关的?内容)|就(?:行|好|可以)(?:了|啦)?|好(?:吗|了|不好)|(?:可以|行)吗|吧|了|啦|哦|啊|呀|呗|谢谢|来(?:聊|谈|讨论|说)?|就(?=$))+$
*= :: 要求,规矩,限制,规则,设定,约定,指令 :: (?:把)?(?:不用(?:再)?管|忘掉|忘了|取消|去掉|别管|不管|清除|解除|忽略|撤销)(?:我)?(?:之前|刚才|前面|上面|以上|以前|先前|所有|全部|刚刚)+(?:说|提|定)?(?:过)?(?:的|那些|这些)*(?:要求|规矩|限制|规则|设定|约定|指令)|(?:把)?(?:我)?(?:之前|刚才|前面|上面|以上|以前|先前|所有|全部|那些|这些|刚刚)+(?:说|提|定)?(?:过)?(?:的|那些|这些)*(?:要求|规矩|限制|规则|设定|约定|指令)(?:都|全部?|就|也)*(?:取消|作废|不用|不算|忘|算了|解除|清|不要|去掉)
only= :: 随便,什么都,不限,别的,其他 :: (?:随便|随意)(?:聊|谈|说)(?:吧|了|点别的|什么都(?:行|可以))?$|(?:聊|谈|说)?什么都(?:可以|能|行)(?:聊|谈|说)?|(?:可以)?聊(?:点|些)?(?:别的|其他的?)|不(?:再)?(?:局|仅)?限于?|不用只(?:聊|谈|说)|(?:也)?可以聊(?:别的|其他)
language= :: 不用,别,不要 :: (?:不用|别|不要|不必)再?(?:说|讲|用)(?!什么)(?:{LANG})(?:回答|回复|了)*$
language= :: LANG :: (?:(?:回[复答]|答复|说话|聊天|跟我说|和我聊)(?:我|时|的时候)?(?:都|请|要|全)*)?(?:用|说|讲|换回?成?|切换?(?:回|成|到)?|改用|改说|使用|改回|回到)((?:繁体|简体|台湾|美式|英式)?(?:{LANG}))(?:来|跟我|和我|给我|写)?(?:回答|回复|交流|聊|说|讲|对话|答|沟通|回我|回(?!信)|吧|了|就|$|可以|好吗|行吗)
length= :: 长,短 :: (?:(?:可以|能)?(?:正常|恢复)(?:的)?长度|不(?:用|必)(?:再)?(?:那么|这么)?(?:短|简短|简洁|精简)|可以(?:写|说|回答得?)(?:长|详细)(?:一?点|一?些)?了|回答可以长)
length= :: 限制 :: (?:字数|长度|篇幅)(?:的)?限制(?:就|也|可以)*(?:取消|去掉|不用|作废|算了|放开)|(?:取消|去掉|不用管|放开)(?:字数|长度|篇幅)(?:的)?限制
length= :: 字,句,行,段 :: (?:(?:每(?:次|条|个))?(?:的)?(?:你的)?(?:回答|回复|答案|内容|消息)?(?:请|都|要|尽量|得)*(?:不(?:要)?(?:超过|多于)|最多|控制在|限制在|少于|限)([\d一二两三四五六七八九十百]+个?(?:字|句话?|行|段话?))(?:以内|之内|左右)?)$
length= :: 句话 :: (?:用)?([一两二三]句话)(?:来)?(?:回答|回复|说|答)(?:我)?(?:就(?:行|好|可以))?$
length=short :: 短,简,啰,长篇,废话 :: (?:(?:每次|每条|你的?|所有)?(?:回答|回复|说话|答案|解释|回|答|说|讲)的?(?:话|内容)?(?:时)?(?:得|要|请|都|也)*)?(?:再|更|尽量|尽可能)*(?:简短|简洁|简练|精简|精炼|言简意赅|简明|短)(?:明了|扼要)?(?:一?点儿?|一?些|为主|就行|就好|回答|回复|即可|$)|别(?:再|那么|这么)?(?:啰嗦|长篇大论)|不要(?:啰嗦|长篇大论|废话)
length=long :: 详,长,细,具体,深入,展开 :: (?:每次|每条|所有)?(?:回答|回复|解释|说|讲)(?:得|要|请|都|也)*(?:再|更|尽量)*(?:详细|细致|仔细|细|长|具体|深入|全面|详尽)(?:一?点|一?些|$)
code=only :: 代码 :: (?:只|仅|光)(?:要|给我?|输出|返回|写|发|用|需要)?(?:我)?代码(?:就(?:行|好)|即可|$|吧)
+steps=yes :: 步 :: (?:请)?(?:一步(?:一)?步|分步骤?|按步骤|逐步)(?:地|来|的)?(?:讲|说|解释|教|回答|给|带|走|写|列)
bullets=no :: 一二三,分点,分条,列点,成段,段落 :: (?:别|不要|不用)(?:再|老|总)?(?:给我)?(?:列一二三|分点|分条|列点|一条一条)|(?:直接)?成段(?:地)?(?:写|说|回答)|用段落
THING= :: THING :: (?:可以|能)?(?:继续|重新|再)?(?:用|发|使用)?{THING}(?:也|都)?(?:可以|能)?(?:继续|重新|再|又)?(?:用|发|使用)?(?:也)?(?:可以|没问题|没关系|行)?了$
THING=no :: THING :: (?:别|不要|不用|不许|不准|不必|请勿|少|不)(?:再|总)?(?:老是)?(?:用|发|加|给我|列|画|做|整|使用|带|出现)?(?:任何|那么多)?{THING}
THING=yes :: THING :: (?:(?:回答|回复|内容|对比|结果)(?:要|请)?)?(?:都|尽量|多)*(?:用|以|发|加|来)(?:点|些)?{THING}(?:符号|形式|格式)?(?:来)?(?:列|给|回|答|说|展示|呈现|表|$|吧)
name= :: 叫我,称呼我,喊我 :: (?:不用|别|不要|不必)(?:再)?(?:叫|称呼|喊)我
name= :: 叫我,称呼我,喊我 :: (?:以后|请|都)?(?:叫|称呼|喊)我(?:为|作|做)?((?!一?[声下]|起床|吃|去|来|做|怎么|的|回|过|早|晚|什么|干|别|不|记|时|明|上|下班|出门|睡)[\w·]{1,10}?)(?:就(?:行|好|可以)了?|吧|好了|即可|$)
tone=simple :: 孩子,小白,外行,通俗,新手,小学生 :: (?:像|当|把我当)(?:对|给|成|是|作)*(?:\S{0,4})(?:孩子|小白|外行|新手|小学生|初学者)(?:那样|一样|似的)?
tone= :: 口吻,语气,风格,腔调,口气,说话 :: (?:说话|回答|回复)?(?:用|以|换成|学)(\S{1,14}?)的?(?:口吻|语气|风格|腔调|口气|方式)(?:来|跟我|和我|给我)?(?:说话|聊|回答|说|讲|回复|对话|交流|$)
tone=casual :: 客套,客气,正式,严肃,拘谨,见外 :: (?:别|不要|不用)(?:再)?(?:那么|这么|太|搞得)*(?:客套|客气|正式|严肃|拘谨|见外)
tone= :: 点,些 :: (?:再|更|要)*({MANNER})(?:一?点儿?|一?些)$
tone= :: 语气,说话,口吻,态度,回答,风格,聊 :: (?:你的?)?(?:语气|说话|口吻|态度|风格|聊天|回答)(?:的(?:语气|时候))?(?:要|请|得|再|更|可以|别那么|保持)*({MANNER})(?:一?点|一?些|些|$)
currency= :: 币,元,镑,法郎 :: (?:价格|金额|费用|价钱|钱|花费|报价|预算)?(?:都|统一|一律|请|全部)*(?:按|用|以|换算?成|折合?成?)((?:人民币|[美欧日港澳加]元|台币|新台币|英镑|(?:瑞士)?法郎|韩元|卢比|卢布|泰铢|新币))(?:来)?(?:算|计|表示|报|标|为单位|计价|计算|说|$)
units= :: 公制,英制,摄氏,华氏,公里,英里,米,英尺,公斤,磅,斤,升 :: (?:温度|距离|重量|长度|身高|速度|单位|数据|尺寸|体积)?(?:都|统一|一律|请|全部)*(?:按|用|以|换算?成|使用)(公制|英制|摄氏度?|华氏度?|公里|英里|米|英尺(?:和英寸)?|公斤|千克|磅|市?斤|升|毫升)(?:单位|系统|来算|计|表示|算|为单位|说|$)
secrecy=yes :: 保密,秘密,记,保存,存,外传,告诉,别跟,别对 :: (?:(?:我说的|这些|这|今天)?(?:说的|聊的|都|的?话|内容|事|对话|聊天|聊的内容|聊的)*(?:要|请|都|得|必须)*(?:保密|别外传|不要外传|不许外传))|(?:俩|我|这些)?(?:说|聊|讲)?的?(?:话|事|内容)?(?:都)?(?:别|不要|不许)(?:跟|和|对|告诉)(?:任何人|别人|其他人)(?:说|讲|提|$)|(?:别|不要)把(?:这|我|以上|以下|今天)\S{0,10}(?:存|记|保存)|(?:我说的|这些|这|我们)?(?:次)?(?:聊的)?(?:都|的?话|内容|事|对话|聊天)*(?:别|不要|不许|不用|不得|请勿)(?:再)?(?:记下来|记录|记住|保存|存|写进)|只有(?:你我|我们俩?)知道
only= :: 只,围绕,专注,单 :: (?:只|就只|单|仅)(?:想|要|能|可以|准|许)?(?:讨论|聊聊?|谈谈?|说说?|讲讲?|回答|关注|专注于?|集中于?|探讨)(?!了|过|有)(?:关于|跟|和|有关)?((?!一句|中文|英文|重点|结论)[^，。；！？!?]{1,30})
only= :: 限,除了,就聊,就谈,就说,聊,谈 :: (?:把)?(?:话题|内容|讨论|范围)?(?:限定|限制|锁定)(?:在|于)(\S{1,20}?)(?:上|之?内|以内|里|$)|除了(\S{1,20}?)(?:以外|之外)?[，,]?(?:别的|其他|其它)(?:的|话题)?(?:都|一律|什么都)?(?:不|别)|就?(?:聊|谈|说|讨论)(\S{1,20}?)(?:这一?(?:件事|个话题|个问题))
only= :: 围绕,专注,集中 :: (?:只)?(?:围绕|专注于?|集中(?:在|讨论|聊))着?([^，。；！？!?]{1,30}?)(?:来|上|进行|展开|聊|谈|讨论|这个|$)
avoid= :: 剧透,广告,说教,道歉 :: (?:别|不要|不许|不准|请勿|禁止)(?:再|给我|老)*(剧透|打广告|说教|道歉|吹捧|拍马屁|开玩笑|催我|评判我)
avoid= :: 避开,绕开,回避,避谈 :: (?:避开|绕开|回避|避谈)([^，。；！？!?]{1,20}?)(?:的?话题|$)
avoid= :: 提,聊,谈,说 :: ((?!这|那|它|快|可|你|先|千万|都|就|也|我|他)[^，。；！？!?]{1,12}?)(?:的?(?:事情?|话题))?(?:就|以后|也|都)*(?:别|不要)再?(?:提|说|聊|谈)(?:了|起)?了?$
rule= :: 别,不要 :: ((?:别|不要)(?:再|老是?|总是?|一直)+(?:夸|催|问|重复|道歉|安慰|教训|评判|反问|打断|学我|模仿|劝|猜|绕|敷衍)[^，。；！？!?]{0,20})
avoid= :: 提,聊,谈,说,论,讲,给,推荐 :: (?:先)?(?:别|不要|不许|不准|请勿|避免|勿|不|禁止)(?:再|老|总|跟我|和我|给我)*(?:提及|提起|提到|讨论|谈论|谈到|说到|推荐|提|聊|谈|说|讲|给(?!我)(?<!不给))(?:及|关于|任何|有关)*((?!了|话|别的|其他|其它|笑|谎|实话|再见|醒|前|供|出|高|什么|不|得|过|一|太|这么|那么|用|明天|清楚)[^，。；！？!?]{1,20})
"""


@lru_cache(maxsize=2)
def tongue(chinese: bool) -> Tongue:
    """The orders of one of the two languages, read from its table."""
    pieces = dict(_PIECES)
    for name, table in (("LANG", _LANGUAGES), ("MANNER", _MANNERS)):
        names = [each for each in table.replace("|", " ").split() if each.isascii() != chinese]
        pieces[name] = "|".join(sorted(names, key=lambda each: -len(each)))
    fields: dict[str, str] = {}
    orders: list[Order] = []
    for row in (_CHINESE if chinese else _ENGLISH).strip().splitlines():
        name, _, rest = row.partition(" :: ")
        key, given, value = name.partition("=")
        if not given:
            fields[name] = rest
            continue
        cues, _, pattern = rest.partition(" :: ")
        things = [each for each in _THINGS if each[1].isascii() != chinese] if key == "THING" else [(key, cues, "")]
        for key, cues, thing in things:
            shown = pattern.replace("{THING}", thing)
            for piece, stands in pieces.items():
                shown = shown.replace("{" + piece + "}", stands)
            cued = pieces["LANG"].lower().split("|") if cues == "LANG" else cues.split(",")
            orders.append(Order(key.lstrip("+"), value, tuple(cued), shown, key.startswith("+")))
    any_of = tuple(fields.pop("cues").split(","))
    return Tongue(cues=any_of, orders=tuple(orders), **fields)
