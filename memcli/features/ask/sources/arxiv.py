"""Query arXiv by its public interface for abstracts of papers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from memcli.errors import MissingPart
from memcli.evidence import Evidence, PlanStep
from memcli.features.ask.sources import far
from memcli.text import words
from memcli.text.clean import one_line
from memcli.vault.vault import Vault

URL = "https://export.arxiv.org/api/query"
ALL_OF = 4  # up to so many words a paper must have all; of more, the best match comes first
MOST_WORDS = 10
_ATOM = "{http://www.w3.org/2005/Atom}"
_ID = re.compile(r"(?<![\w.])(\d{4}\.\d{4,5}|[a-z-]{2,10}/\d{7})(?:v\d+)?(?![\w.]*\d)")
_PAPER = re.compile(r"https?://arxiv\.org/abs/([\w./-]{5,40}?)(?:v\d+)?\Z")
_ASKING = {"arxiv", "paper", "papers", "preprint", "preprints", "article", "articles", "recent", "latest"}


def find_evidence(vault: Vault, config: Mapping[str, Any], step: PlanStep) -> list[Evidence]:
    """Return the papers that match. It makes one request, as arXiv asks of its guests."""
    asked = _asked(step)
    if not asked:
        vault.notice("{name} was not asked: it reads English, and there is none in the question", name=step.source)
        return []
    url = f"{config.get('url') or URL}?{urlencode({**asked, 'start': 0, 'max_results': step.most})}"
    return list(_papers(far.get(url, step, "xml"), step))


def _asked(step: PlanStep) -> dict[str, str]:
    """Return the question as arXiv takes it: papers by number, or words anywhere in them.

    It is empty without English words.
    """
    if ids := list(dict.fromkeys(_ID.findall(step.query))):
        return {"id_list": ",".join(ids[: step.most])}
    found = dict.fromkeys(words.words(step.query[: far.QUERY]))
    terms = [each for each in found if len(each) > 1 and not words.is_stop(each) and each not in _ASKING][:MOST_WORDS]
    if not terms:
        return {}
    joint = " AND " if len(terms) <= ALL_OF else " OR "
    query = joint.join(f"all:{each.replace(chr(39), ' ').split()[0]}" for each in terms)
    since, until = step.want.since, step.want.until
    if since or until:
        first = since.strftime("%Y%m%d") if since else "19910101"
        query = f"({query}) AND submittedDate:[{first}0000 TO {until.strftime('%Y%m%d') if until else '20991231'}2359]"
    return {"search_query": query, "sortBy": "relevance"}


def _papers(text: str, step: PlanStep) -> Iterator[Evidence]:
    from xml.etree import ElementTree

    if "<!DOCTYPE" in text or "<!ENTITY" in text:  # a feed has neither; what they define could unfold without end
        raise MissingPart("its answer is not plain XML: it defines entities")
    try:
        feed = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise MissingPart("what it answers is not XML: {WHY}", WHY=one_line(str(error), 100)) from None
    if feed.tag != f"{_ATOM}feed":
        raise MissingPart("what it answers is not an Atom feed")
    for entry in feed.iterfind(f"{_ATOM}entry"):
        fields = {
            name: one_line(entry.findtext(_ATOM + name) or "") for name in ("id", "title", "summary", "published")
        }
        if "/api/errors" in fields["id"]:
            raise MissingPart("arXiv says: {what}", what=one_line(fields["summary"], 200))
        paper, date = _PAPER.match(fields["id"]), fields["published"][:10]
        if not paper or ((step.want.since or step.want.until) and not far.within(step, date)):
            continue
        people = [one_line(element.text or "") for element in entry.iterfind(f"{_ATOM}author/{_ATOM}name")]
        kinds = [element.get("term", "") for element in entry.iterfind(f"{_ATOM}category")]
        yield Evidence(
            step.source, "", fields["title"], f"https://arxiv.org/abs/{paper[1]}", fields["summary"], date,
            meta={"authors": ", ".join([*people[:5], *(["et al."] if people[5:] else [])]), "tags": ", ".join(kinds)},
        )  # fmt: skip
