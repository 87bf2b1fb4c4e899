"""Write memories as one page that will be readable for years: plain HTML with its style, without scripts or downloads.

Days are headings with addresses, tags link to the memories that carry them, and the browser's search does the rest.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from html import escape
from itertools import groupby

from memcli.format import Format, Statement
from memcli.message import Message
from memcli.text.clean import harmless
from memcli.text.messages import translated
from memcli.text.words import CJK_RUN

_LINK = re.compile(r"\[([^\[\]\n]+)\]\((https?://[^\s()<>]+)\)|<?(https?://[^\s<>\"'）。，]+[^\s<>\"'.,;:!?)）。，])>?")
_STYLE = """
:root { color-scheme: light dark }
body { font: 1.05rem/1.6 Georgia, "Noto Serif CJK SC", serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem }
h1, h2 { line-height: 1.2 } h2 { margin-top: 2.5rem; border-bottom: 1px solid #8888 }
nav { font-size: .9rem } nav a, .tags a { margin-right: .6em; white-space: nowrap }
article { margin: 1rem 0; white-space: pre-wrap; overflow-wrap: anywhere }
footer { white-space: normal; font-size: .8rem; opacity: .7 } .over { text-decoration: line-through; opacity: .6 }
@media print { nav { display: none } a { color: inherit; text-decoration: none } article { break-inside: avoid } }
"""


def write_items(statements: Iterable[Statement]) -> Iterator[str]:
    known = sorted(statements, key=lambda each: (each.at is None, str(each.at or "")))
    years = dict.fromkeys(_day(each)[:4] for each in known if each.at)
    is_chinese = 2 * sum(bool(CJK_RUN.search(each.text)) for each in known) > len(known)
    say = partial(translated, language="zh" if is_chinese else "")
    title = say("Memories")
    yield (
        f'<!DOCTYPE html>\n<html lang="{"zh" if is_chinese else "en"}">\n<head>\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        f"<p>{say(Message('{n} memories. Ctrl-F or ⌘F searches them.', n=len(known)))}</p>\n"
    )
    yield (
        "<nav>"
        + " ".join(f'<a href="#y{year}">{year}</a>' for year in years)
        + ' <a href="#tags">'
        + say("Tags")
        + "</a></nav>\n"
    )
    tagged: defaultdict[str, list[str]] = defaultdict(list)
    for number, (day, group) in enumerate(groupby(known, _day)):
        year = day[:4] if day[:4] in years and years.pop(day[:4], True) is None else ""
        yield (f'<a id="y{year}"></a>' if year else "") + f'<h2 id="d{day}">{say(day)}</h2>\n'
        for place, each in enumerate(group):
            here = f"m{number}-{place}"
            yield _article(each, here)
            for tag in each.tags:
                tagged[tag].append(f'<a href="#{here}">{say(day)}</a>')
    yield f'<h2 id="tags">{say("Tags")}</h2>\n'
    for tag, places in sorted(tagged.items()):
        yield f'<p class="tags" id="{_id(tag)}"><b>#{escape(harmless(tag))}</b> {" ".join(places)}</p>\n'
    yield "</body>\n</html>\n"


def _day(each: Statement) -> str:
    return each.at.date().isoformat() if each.at else "undated"


def _article(each: Statement, here: str) -> str:
    clock = f"{each.at:%H:%M} " if each.at and (each.at.hour or each.at.minute) else ""
    numbers = {"confidence": each.confidence, "importance": each.importance}
    told = [each.type, *(f"{name} {value:g}" for name, value in numbers.items() if value is not None)]
    told += [each.author, f"from {each.source}" if each.source else ""]
    told += [each.heading]
    told += [f"replaced by {each.superseded}" if each.superseded else ""]
    facts = " · ".join(escape(harmless(one)) for one in told if one)
    tags = " ".join(f'<a href="#{_id(tag)}">#{escape(harmless(tag))}</a>' for tag in each.tags)
    over = ' class="over"' if each.superseded else ""
    return (
        f'<article id="{here}">{clock}<span{over}>{_linked(harmless(each.text))}</span>\n'
        f'<footer><span class="tags">{tags}</span> {facts}</footer></article>\n'
    )


def _linked(text: str) -> str:
    """Return the words as HTML, with web addresses as links and everything else as text."""
    pieces, at = list[str](), 0
    for match in _LINK.finditer(text):
        address = match[2] or match[3]
        shown = f'<a href="{escape(address)}" rel="noreferrer">{escape(match[1] or address)}</a>'
        pieces += (escape(text[at : match.start()]), shown)
        at = match.end()
    return "".join(pieces) + escape(text[at:])


def _id(tag: str) -> str:
    return "t-" + escape(re.sub(r"[^\w-]+", "-", harmless(tag)))


FORMAT = Format("a page to read", write=write_items)
