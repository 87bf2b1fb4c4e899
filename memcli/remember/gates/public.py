"""What is no secret and yet says of whom one speaks: numbers of companies, licence plates, names in chats, streets.

Looked for only where the settings ask for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memcli.remember.gates.sensitive import Found
from memcli.text.plain import Plain

_PROVINCES = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
_PLATE = re.compile(
    rf"[{_PROVINCES}][A-Z][·. -]?(?=[A-Z]*\d)[A-HJ-NP-Z\d]{{5,6}}(?![A-Za-z\d])"
    rf"|\b[A-ZÄÖÜ]{{1,3}}-[A-Z]{{1,2}} ?\d{{1,4}}[EH]?\b"
)
_COMPANY = re.compile(r"(?<![A-Za-z\d])[1-9A-GY][1239]\d{6}[\dA-HJ-NPQRTUWXY]{10}(?![A-Za-z\d])")
_CHAT = re.compile(
    r"\b(wxid_\w{4,24})|(?:微信号?|wechat(?: id)?|telegram|line id|qq号?|signal name|discord)\s?(?:号"
    r"|id)?\s?[:：是]?\s?@?([A-Za-z][\w.-]{4,24}|(?<=[qQ号 :])\d{6,11})\b",
    re.I | re.A,
)
_STREET = re.compile(
    r"[\u4e00-\u9fff]{2,12}(?:路|街|道|巷|弄|胡同|大道)[\u4e00-\u9fff]{0,4} ?\d{1,5} ?(?:号|弄"
    r"|之)(?: ?[\d\u4e00-\u9fff]{1,4} ?(?:期|幢|栋|座|单元|号楼|楼|层|室)){0,4}(?: ?\d{2,4}室?)?"
    r"|\b[A-ZÄÖÜ][\w.-]+(?:straße|strasse|str\.|gasse|weg|allee|platz) \d{1,4}[a-z]?\b"
    r"|\b\d{1,5} (?:[NSEW]\.? )?(?:[A-Z]\w+ ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard"
    r"|Blvd|Court|Ct)\b"
    r"|\b\d{1,4},? (?:bis |ter )?(?:rue|avenue|boulevard|place|allée|chemin|impasse) [^\n,.;]{3,40}"
    r"|\b(?:Calle|Avenida|Via|Rua) [A-Z][^\n,.;]{2,30},? (?:n[.º°] ?)?\d{1,4}\b"
)


def found(seen: Plain) -> Iterator[Found]:
    for match in _COMPANY.finditer(seen.text):
        from stdnum.cn import uscc

        if uscc.is_valid(match[0]):
            yield Found("company_number", *seen.span(*match.span()))
    for kind, shape in (("licence_plate", _PLATE), ("chat_id", _CHAT), ("address", _STREET)):
        for match in shape.finditer(seen.text):
            yield Found(kind, *seen.span(*match.span(match.lastindex or 0)))
