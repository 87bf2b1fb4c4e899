"""The worth gate: what nobody will ever look for. Too short, too long, small talk, the output of an error without a word on it."""

from __future__ import annotations

import re

from memcli.text.words import CJK

SHORTEST = 3  # letters; a Chinese character counts as two
LONGEST = 50_000  # characters

_TALK = (
    r"(?:hi|hello|hey|yo|thanks?|thank you|thx|ty|okay|ok|okey|yes|yeah|yep|no|nope|bye|goodbye|good (?:morning|night|evening|afternoon)|how are you"
    r"|how's it going|how is it going|what's up|nice|cool|great|awesome|perfect|sure|sounds good|got it|see you|see ya|np|no problem|you're welcome"
    r"|you are welcome|never mind|lol|(?:ha|he)+h?|hm+|um+|wow|oh|sorry|my bad|i see|have a nice day|nice to meet you|i'm (?:fine|good))(?![a-z'])"
    r"|你好|您好|大家好|哈+|嘿+|呵+|嗯+|哦+|噢+|喂|好的|好吧|好呀|行|可以|没问题|谢谢[你您]?|多谢|感谢|再见|拜拜|明天见|回头见|早安|早上好|晚安|晚上好|中午好|下午好"
    r"|在吗|在么|在不在|没事|不客气|不用谢|辛苦了?|吃了吗|吃饭了吗|最近怎么样|你怎么样|今天(?:天气)?真好|天气真好|收到|知道了|明白了?|懂了|对|是的|真棒|太好了|加油|牛|厉害|不错"
)
_FILL = r"(?:very|so|much|many|a lot|there|everyone|all|guys|again|later|tomorrow|soon|and|for that|please|well|today|then|you)(?![a-z'])|[啊呀啦吧了呢哦嘛哟呐吗好]"
_SMALL_TALK = re.compile(rf"(?:(?:{_TALK})\s*)(?:(?:{_TALK}|{_FILL})\s*)*", re.I)

_TRACE = re.compile(
    r"\s*(?:Traceback \(most recent call last\)|File \"[^\"]+\", line \d+|at [\w.$<>/ \[\]]+\([^()]*(?::\d+|Native Method)[^()]*\)"
    r"|at \S+:\d+:\d+|\.\.\. \d+ more|Caused by: |Exception in thread |npm (?:ERR!|error) |goroutine \d+ |panic: |error\[E\d+\]"
    r"|Segmentation fault|thread '[^']*' panicked|(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception)\b(?::|$)|\w+Error: |(?:fatal|error|ERROR|FATAL)(?::| )"
    r"|(?:ba|z)?sh: .*(?:command not found|No such file)|\d{4}-\d\d-\d\d[T ][\d:.,]+Z? +(?:ERROR|FATAL)\b|make(?:\[\d+\])?: \*\*\*|[\^~ ]+$)"
)
_LEARNT = re.compile(
    r"\b(?:because|cause[ds]?|fix(?:ed|es)?|solv\w+|solution|means?|workaround|turned out|instead|need(?:s|ed)?|must|should|remember|due to"
    r"|comes from|happens|when|after|if)\b|原因|解决|修复|因为|由于|改[成为用]|需要|要先|记得|其实|意思|办法|升级|换成|导致|出现",
    re.I,
)


def lacks(text: str) -> tuple[str, str]:
    """Why a text is not worth keeping, and what would be; two empty texts when it is."""
    bare = re.sub(r"\[REDACTED_\w+\]|\[[^\[\]:\n]+::[^\[\]\n]*\]|(?<!\S)[#^]\S+", " ", text)
    if len(text) > LONGEST:
        return f"{len(text)} characters are a document, not a memory", "put it into knowledge/ as a file"
    letters = [sign for sign in bare if sign.isalnum()]
    weight = sum(2 if re.match(f"[{CJK}]", sign) else 1 for sign in letters)
    if weight < SHORTEST or not any(map(str.isalpha, letters)):
        return "it is too short to mean anything later", "say who, what or why in a few words"
    words = " ".join(re.sub(r"[^\w\s'’]+", " ", bare.replace("’", "'")).split())
    if len(words) <= 80 and _SMALL_TALK.fullmatch(words):
        return "it is small talk", "say what it was about"
    lines = [line for line in text.split("\n") if line.strip()]
    if _is_error(lines):
        return "it is the output of an error", "say what was learnt from it"
    return "", ""


def _is_error(lines: list[str]) -> bool:
    """Most of it a program's words, and nothing of what was learnt from them."""
    traced = [bool(_TRACE.match(line)) for line in lines]
    own = [line for line, trace in zip(lines, traced, strict=True) if not trace]
    if not any(traced) or any(_LEARNT.search(line) for line in own):
        return False
    if len(lines) == 1:
        return not _LEARNT.search(lines[0]) and not re.search(f"[{CJK}]{{4}}", lines[0])
    code = [line for line in own if line.startswith(("    ", "\t"))]
    return (sum(traced) + len(code)) * 2 > len(lines)
