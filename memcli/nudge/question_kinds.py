"""What may be asked of a person, the most useful first: the question, where its answer would stand, how people give it.
And how people say that they would rather not."""

from __future__ import annotations

import re
from dataclasses import dataclass


def _ways(*ways: str) -> str:
    return "|".join(ways) or r"(?!)"


def in_words(ways: str, text: str) -> bool:
    """Whether a text says it in one of these ways. They are compiled when they are first needed: few of them ever are."""
    return bool(re.search(ways, text, re.I))


@dataclass(frozen=True)
class Kind:
    """A key fact. It is known as a label, a line of the profile, a preference, or where notes `tell` it in prose. An
    answer tells it the same way, or has the `shape` of one, which elsewhere would mean little."""

    key: str
    en: str
    zh: str
    told: str  # ways to say it
    shape: str = _ways()
    labels: tuple[str, ...] = ()
    profile: tuple[str, ...] = ()
    preference: tuple[str, ...] = ()  # categories, or words of a key


KINDS = (
    Kind(
        "home",
        "Where is home? An address or a part of town will do.",
        "您家住哪里？说个地址或大概的区域就行。",
        _ways(r"\b(?:i|we) (?:now )?(?:live|reside|rent|moved)\b", r"\bmy (?:home|house|flat|apartment|address) is\b",
              r"我们?(?:现在)?(?:住|租)", r"(?:家|住)(?:在|是)"),
        _ways(r"\b\d{1,5}[a-z]? (?:\w+ ){1,3}(?:road|rd|street|st|avenue|ave|lane|drive|way|square)\b",
              r"\w(?:路|街|弄|小区|大道)\s*\d*", r"\w(?:区|镇|村)"),
        labels=("home", "my home", "家", "我家", "住处", "flat", "our flat", "apartment", "house"),
        profile=("home", "address"),
    ),
    Kind(
        "work",
        "Where do you work, so that I know the way there?",
        "您在哪里上班？以后路线和安排会用到。",
        _ways(r"\b(?:i|we) work (?:at|for|in|from)\b", r"\bmy (?:office|company|workplace|employer) is\b", r"在\S{1,20}(?:上班|工作)",
              r"(?:公司|单位|办公室)(?:在|是|叫)"),
        _ways(r"\bmy (?:office|company)\b", r"\bwork(?:ing)? from home\b", r"公司|单位|在家办公|写字楼|大厦|园区"),
        labels=("work", "office", "company", "公司", "单位", "办公室", "workplace", "学校", "school"),
        profile=("work", "employer", "company"),
    ),
    Kind(
        "contact",
        "Whom should be called in an emergency?",
        "万一有急事，该联系谁？",
        _ways(r"\bemergency contact\b", r"\bin (?:an|case of) emergency\b", r"紧急联系人"),
        _ways(r"\b(?:call|contact|ring|reach|ask) (?:my|\w+, my)\b", r"^\W*my (?:wife|husband|partner|mother|father|mum|mom|dad|sister|brother|son|daughter)\b",
              r"(?:联系|打给|找)我?\S{1,8}", r"^\W*我?(?:老婆|老公|妻子|丈夫|爸|妈|父|母|姐|哥|弟|妹|儿子|女儿)", r"\+?\d(?:[ ().-]?\d){6,}"),
        labels=("emergency", "emergency contact", "ice", "紧急联系人", "急救联系人"),
        profile=("emergency_contact", "emergency"),
    ),
    Kind(
        "partner",
        "Is there a partner or somebody close whose name I should know?",
        "有没有伴侣或亲近的人，该让我知道怎么称呼？",
        _ways(r"\bmy (?:wife|husband|partner|girlfriend|boyfriend|spouse|fianc\w+)\b", r"\bi(?:'m| am) (?:single|married|divorced|widowed)\b",
              r"我?(?:老婆|老公|妻子|丈夫|爱人|女朋友|男朋友|女友|男友|伴侣)", r"我?(?:单身|没结婚|未婚|已婚|离异)"),
        labels=("partner", "wife", "husband", "spouse", "girlfriend", "boyfriend", "老婆", "老公", "妻子", "丈夫", "爱人",
                "对象", "伴侣", "女朋友", "男朋友"),
        profile=("partner", "spouse", "family"),
    ),
    Kind(
        "food",
        "What do you like to eat, and what not at all?",
        "您爱吃什么，有什么不吃的？",
        _ways(r"\bi(?:'m| am) (?:a )?(?:vegetarian|vegan|allergic)\b", r"\bi (?:don't|do not|can't|never|only|love to|like to|mostly|usually) eat\b",
              r"\bmy favou?rite (?:food|dish|meal)\b", r"我\S{0,4}(?:爱|喜欢|不|不能)吃"),
        _ways(r"\beat\b|\bvegetarian\b|\bvegan\b|\ballerg", r"吃|忌口|过敏|素食|什么都行", r"\b(?:love|like|hate) \w+"),
        profile=("food", "diet", "allergies"),
        preference=("food", "diet", "cuisine", "drink", "eat", "ingredients", "noodles", "meal"),
    ),
    Kind(
        "interests",
        "What do you like to do when nothing has to be done?",
        "闲下来的时候，您喜欢做什么？",
        _ways(r"\bmy (?:hobby|hobbies|interests?) (?:is|are)\b", r"\bin my (?:free|spare) time\b", r"我的?(?:爱好|兴趣)"),
        _ways(r"\b\w{3,}ing\b", r"\bi (?:like|love|enjoy|play)\b", r"喜欢|爱好|兴趣|我爱"),
        profile=("interests", "hobbies"),
        preference=("hobby", "interests", "leisure"),
    ),
    Kind(
        "music",
        "What music do you like to hear?",
        "您喜欢听什么音乐？",
        _ways(r"\bi (?:mostly|usually|often|love to|like to) listen to\b", r"\bmy favou?rite (?:music|band|singer|composer)\b", r"我\S{0,4}(?:喜欢|爱|常)听"),
        _ways(r"\b(?:jazz|rock|classical|pop|hip.?hop|techno|folk|metal|blues|opera)\b", r"听|摇滚|古典|流行|爵士|民谣|音乐"),
        profile=("music",),
        preference=("music",),
    ),
    Kind(
        "language",
        "Which language shall I answer in?",
        "希望我用什么语言回答？",
        _ways(r"\bi (?:speak|prefer) (?:english|chinese|mandarin|german|french|spanish|italian|japanese)\b", r"我(?:只|会)?(?:说|讲)(?:中文|英文|英语|普通话)"),
        _ways(r"\b(?:english|chinese|mandarin|german|french|spanish|portuguese|italian|dutch|japanese|korean|russian)\b", r"(?:中|英|日|德|法|汉|韩|俄)(?:文|语)|普通话"),
        profile=("language", "languages"),
        preference=("language",),
    ),
    Kind(
        "occupation",
        "What do you do for a living?",
        "您是做什么工作的？",
        _ways(r"\bi work as\b", r"\bmy (?:job|profession|occupation) is\b", r"\bfor a living\b", r"\bi(?:'m| am) retired\b", r"我的?(?:职业|工作)是", r"我(?:已经)?退休"),
        _ways(r"\bi(?:'m| am) an? \w+", r"\bi (?:teach|study|run|build|write|design|sell|manage)\b", r"我(?:是|做|当)\S{1,12}(?:师|员|生|家|的|工|长)"),
        profile=("occupation", "job", "profession"),
    ),
)  # fmt: skip

_PRIVATE_EN = (
    r"(?:rather|prefer) not(?: to)?(?: (?:say|tell|answer|share|talk|discuss|disclose|go into|give)\b|\W*$)",
    r"\b(?:don't|do not|won't|not going to|not gonna) (?:want to |wanna )?(?:say|tell|answer|share|disclose|discuss|talk about)\b",
    r"\bnone of your (?:business|concern)\b|\bno comment\b|\bnot telling\b|\b(?:stop|don't|do not|quit) ask(?:ing)?\b",
    r"\b(?:that's|that is|it's|it is|this is)(?: too| quite| rather)? (?:private|personal|confidential)\b|\btoo personal\b",
    r"\bnot comfortable\b|\bi'?ll pass\b|\bmind your own\b|\bwhy do you (?:ask|need|want)\b",
    r"^\W*(?:no|nope|nah|pass|skip(?: it| that| this)?|next|no,? thanks?|no,? thank you|not now|never mind)\W*$",
)
_PRIVATE_ZH = (
    r"(?:不|别)(?:太)?(?:想|愿意?|方便|便|打算|肯)(?:说|讲|告诉|透露|回答|提|聊)|不方便(?:$|[，。,!！])",
    r"(?:不|别|没必要|不必|不会)告诉你|(?:别|不要|不用|少|甭)(?:再)?(?:问|打听)|无可奉告|保密|(?:是|属于|涉及|个人)(?:我的)?(?:隐私|私事)",
    r"(?:跟|和|与|关)你(?:没|无|什么)(?:有)?(?:关|事)|关你(?:什么|啥|屁)事|懒得(?:说|讲|告诉)|(?:以后|下次|改天|回头)再(?:说|聊)",
    r"^\W*(?:不|不了|不用|不用了|不要|不说|算了|跳过|免了|过|没必要)(?:吧|啦|了)?\W*$",
)
REFUSED = _ways(*_PRIVATE_EN, *_PRIVATE_ZH)
