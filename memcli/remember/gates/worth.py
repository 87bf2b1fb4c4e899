"""The worth gate: what nobody will ever look for. Too short, too long, small talk, the output of an error without a word on it,
and what was remembered before and has only been recalled."""

from __future__ import annotations

import re

SHORTEST = 3  # letters; a Chinese character counts as two
LONGEST = 50_000  # characters

_TALK = {
    *"hi hello hey yo thanks thank thx ty okay ok okey yes yeah yep no nope bye goodbye nice cool great awesome perfect sure np lol haha hahaha".split(),
    *"hehe hm hmm um wow oh sorry welcome morning".split(),
    *"你好 您好 大家好 哈哈 哈 嘿 呵呵 嗯 嗯嗯 哦 噢 喂 好的 好吧 好呀 行 可以 没问题 谢谢 多谢 感谢 再见 拜拜 明天见 回头见 早安 早上好 晚安 晚上好 中午好 下午好".split(),
    *"在吗 在么 在不在 没事 不客气 不用谢 辛苦了 辛苦 吃了吗 吃饭了吗 最近怎么样 你怎么样 今天真好 今天天气真好 天气真好 收到 知道了 明白 懂了 对 是的 真棒 太好了".split(),
    *"加油 厉害 不错 好".split(),
}  # fmt: skip
_FILL = {
    *"very so much many a lot there everyone all guys again later tomorrow soon and for that please well today then you are how is it going".split(),
    *"to meet have day night evening afternoon good see i'm fine what's up never mind got sounds problem my bad i you're".split(),
    *"你 您 大家 啊 呀 啦 吧 了 呢 哦 嘛 哟 呐 吗 也 都 真 很".split(),
}  # fmt: skip
_PHRASES = (
    "how are you",
    "what's up",
    "how is it going",
    "see you",
    "good night",
    "good evening",
    "got it",
    "sounds good",
    "never mind",
    "i see",
)

# Patterns as text: they are compiled for the few texts that look like the output of a program.
_PROGRAM = (
    "rror", "xception", "ERR", "Traceback", "panic", "fatal:", "FATAL", "command not found", "No such file", "fault", "goroutine", "***"
)  # fmt: skip
_TRACE = (
    r"\s*(?:Traceback \(most recent call last\)|File \"[^\"]+\", line \d+|at [\w.$<>/ \[\]]+\([^()]*(?::\d+"
    r"|Native Method)[^()]*\)"
    r"|at \S+:\d+:\d+|\.\.\. \d+ more|Caused by: |Exception in thread |npm (?:ERR!|error) |goroutine \d+ "
    r"|panic: |error\[E\d+\]"
    r"|Segmentation fault|thread '[^']*' panicked|(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception)\b(?::|$)|\w+Error: "
    r"|--> |(?:fatal|error): |(?:ERROR|FATAL)\b"
    r"|(?:ba|z)?sh: .*(?:command not found|No such file)|\d{4}-\d\d-\d\d[T ][\d:.,]+Z? +(?:ERROR|FATAL)\b"
    r"|make(?:\[\d+\])?: \*\*\*|[\^~ ]+$)"
)
_LEARNT = (
    r"\b(?:because|cause[ds]?|fix(?:ed|es)?|solv\w+|solution|means?|workaround|turned out|instead|need(?:s|ed)?"
    r"|must|should|remember|due to"
    r"|comes from|happens|when|after|if)\b|原因|解决|修复|因为|由于|改[成为用]|需要|要先|记得|其实|意思|办法|升级|换成|导致|出现"
)


def is_document(text: str) -> tuple[str, str]:
    """As `lacks`; asked before anything looks at every character of it."""
    if len(text) <= LONGEST:
        return "", ""
    return f"{len(text)} characters are a document, not a memory", "put it into knowledge/ as a file"


def lacks(text: str) -> tuple[str, str]:
    """Why a text is not worth keeping, and what would be; two empty texts when it is."""
    bare = re.sub(r"\[REDACTED_\w+\]|\[[^\[\]:\n]+::[^\[\]\n]*\]|(?<!\S)[#^]\S+", " ", text)
    letters = [sign for sign in bare if sign.isalnum()]
    weight = sum(2 if sign > "\u3000" else 1 for sign in letters[: 2 * SHORTEST])
    if weight < SHORTEST or not any(map(str.isalpha, letters)):
        return "it is too short to mean anything later", "say who, what or why in a few words"
    if len(bare) <= 80 and _is_small_talk(bare.lower().replace("’", "'")):
        return "it is small talk", "say what it was about"
    if "notes from the past" in text:
        from memcli.recall import TITLE  # who only writes need not load it

        if TITLE in text:
            return "it is what mem recall printed", "leave that out"
    if any(word in text for word in _PROGRAM) and _is_error([line for line in text.split("\n") if line.strip()]):
        return "it is the output of an error", "say what was learnt from it"
    return "", ""


def _is_small_talk(text: str) -> bool:
    """Nothing but greetings, thanks, agreement and the words around them."""
    words: list[str] = []
    for run in re.findall(r"[a-z']+|\d+|[^\W\da-z_]+", text):
        at = 0
        while at < len(run):  # Chinese is cut into the longest pieces that are known
            size = next((n for n in range(6, 0, -1) if run[at : at + n] in _TALK or run[at : at + n] in _FILL), 0)
            if run[:1].isascii() or not size:
                size = len(run)
            words.append(run[at : at + size])
            at += size
    if not all(word in _TALK or word in _FILL for word in words):
        return False
    return any(word in _TALK for word in words) or " ".join(words).startswith(_PHRASES)


def _is_error(lines: list[str]) -> bool:
    """Most of it a program's words, and nothing of what was learnt from them."""
    traced = [bool(re.match(_TRACE, line)) for line in lines]
    own = [line for line, trace in zip(lines, traced, strict=True) if not trace]
    if not any(traced) or any(re.search(_LEARNT, line, re.I) for line in own):
        return False
    if len(lines) == 1:
        return not re.search(_LEARNT, lines[0], re.I) and not re.search("[\u3400-\u9fff]{4}", lines[0])
    code = [line for line in own if line.startswith(("    ", "\t"))]
    return (sum(traced) + len(code)) * 2 > len(lines)
