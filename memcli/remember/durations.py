"""Tell words for how long something takes from words for a day: "they pay in 60 days" names no day."""

from __future__ import annotations

import re
from datetime import date

from memcli.text import dates
from memcli.text.later import compile_later
from memcli.text.words import CJK_RUN

SENTENCE_END = compile_later(r"[.!?。！？;；]\s*(?=\D|$)")
NUMBER = compile_later(r"\d|月|号")  # in a day without a year: 20 November, 十五号
CLAUSE = compile_later(r"[\s,，:：、]*([^,，;；。!！?？\n]*)")
# 从下个月起, "from next month": what holds from then on begins with a day
BEGINS = compile_later(r"(?:从|自|由|\b(?:from|starting|beginning|as of)) ?(?:the )?\Z", re.I)
_COUNTED = compile_later(  # "Friday week" is a day, whatever is counted before it
    r"^(?!.*\b(?:today|tomorrow|tmrw|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|mon|tues?|weds?|thur?s?|fri|sat|sun)\b)"
    r".*\b(?:days?|w(?:ee)?ks?|months?|y(?:ea)?rs?|fortnight)\b|[天周月年期]之?后",
    re.I,
)
_CLAUSE_END = compile_later(r"[,，:：、](?!\d)\s*|\b(?:and|but|so|because)\b")
# "we decided to review it in two weeks" counts from today
_PLANS = compile_later(r"\b(?:to|will|must|shall|'ll|going|wants?|needs?) \w+", re.I)
_TOOK_SO_LONG = compile_later(  # the best harvest in five years, three dead trees in two years
    r"\b(?:best|worst|only|most|least|first"
    r"|(?:long|high|low|fast|slow|hot|cold|warm|wett|dri|bigg|small|great|larg|cheap)est"
    r"|done|two|three|four|five|six|seven|eight|nine|ten|several|many|few|(?<![:.\d])\d{1,4})\b(?! ?[-–:.])"
    r"|\b(?:grew|lost|won|died|broke|rose|fell|went|got|had|was|were|made)\b",
    re.I,
)
# "pays in 60 days", "cures in 28 days": how long it takes each time
_HABIT = compile_later(
    r"\b(?:pay(?:s|ments?)?|terms|cures?|dr(?:y|ies)|hardens|heals?|works?|delivers?|ships?|repl(?:y|ies)|answers?"
    r"|turns? (?:\w+ )?round|invoices?)\b",
    re.I,
)
_EACH_TIME = compile_later(r" (?:usually|normally|typically|on average|instead of|(?:of|after|from) )", re.I)
# 每 2 周后, 潜伏期 5 天后 and 存储 180 天后 count from what they are about
_OF_A_PROCESS = compile_later(
    r"(?:每隔?|隔|期|存储|存放|保[存留]|超时|感染|接种|[用给]药|注射|处理|培养|术后|产后|出生|发芽|播种|种下|安装)\s?\Z"
)


def is_duration(before: str, words: str, behind: str, today: date) -> bool:
    """Return whether words such as "in two weeks" do not count from today, by what stands before and behind them."""
    if not _COUNTED.search(words) or BEGINS.search(before):
        return False
    return bool(_EACH_TIME.match(behind)) or _counts_from_elsewhere(before, today) or _is_of_a_process(before, behind)


def _counts_from_elsewhere(before: str, today: date) -> bool:
    """Return whether what stands before "in two weeks" does not count from today: "on 15 July we agreed to meet in two
    weeks", "we lost three matches in two weeks", "the best harvest in five years", "they pay in 60 days"."""
    sentence = SENTENCE_END.split(before)[-1]
    if any(one.first < today and NUMBER.search(one.text) for one in dates.find_dates(sentence, today)):
        return True
    clause = _CLAUSE_END.split(sentence)[-1]
    if _HABIT.search(clause):
        return True
    return not _PLANS.search(clause) and (bool(_TOOK_SO_LONG.search(clause)) or dates.tells_of_past(clause))


def _is_of_a_process(before: str, behind: str) -> bool:
    """Return whether Chinese words such as 5 天后 tell how long something takes or took: 小鼠 5 天后死了两只."""
    clause = CLAUSE.match(behind)
    return bool(_OF_A_PROCESS.search(before) or (CJK_RUN.match(behind) and clause and dates.tells_of_past(clause[1])))
