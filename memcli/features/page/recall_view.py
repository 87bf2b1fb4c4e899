"""Show the answer of a recall: its memories with bars for the parts of their scores, and what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memcli.page import pieces
from memcli.page.html import Html, tag
from memcli.page.visit import Visit
from memcli.recall import Block
from memcli.text.clean import one_line
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.recall.score import ScoredMemory

LEFT_SHOWN = 20
# The parts of a score with a colour of their own, the most telling first. The others share one colour.
COLOURED = ("text", "time", "tag", "file", "meaning", "day", "lead", "fit")


class RecallRun(NamedTuple):
    """Hold a recall and the memories that it chose from."""

    vault: Vault
    block: Block
    budget: int
    seconds: float
    likely: tuple[ScoredMemory, ...]  # scored memories that were likely to help
    every: tuple[ScoredMemory, ...]  # all memories that match the question


def result(visit: Visit, found: RecallRun, title: str, only: frozenset[str]) -> Html:
    """Return one side of the page. `only` holds the memories that the other side lacks."""
    say, block = visit.say, found.block
    head, below = ([tag("h2", title)], "h3") if title else ([], "h2")
    return tag(
        "section",
        head,
        _summary(visit, found),
        _dates(visit, block, below),
        _facts(visit, block, below),
        _chosen(visit, found, only, below)
        if block.chosen
        else pieces.empty(say("Nothing in memory matches this question.")),
        _left(visit, found),
        tag(
            "details",
            tag("summary", say("The block as a model gets it")),
            tag("pre", block.text or say("It is empty."), tabindex="0", class_="block"),
        ),
        class_="result",
        aria_label=title or say("Answer"),
    )


def _summary(visit: Visit, found: RecallRun) -> Html:
    say, block = visit.say, found.block
    used = say("{n} of {budget} tokens", n=block.tokens, budget=found.budget)
    counted = say("{n} of {all} memories", n=len(block.chosen), all=block.considered)
    took = say("{ms} ms", ms=round(found.seconds * 1000))
    meter = tag("meter", used, value=block.tokens, min=0, max=max(1, found.budget), aria_label=used)
    return tag("p", meter, " ", used, " · ", counted, " · ", took, class_="summary")


def _dates(visit: Visit, block: Block, head: str) -> Html | None:
    """Return a list of how the dates in the question were understood, or None if it has none."""
    if not block.dates:
        return None
    noted = visit.say("nothing was noted then")
    rows = [tag("li", reading.line, None if reading.noted else f" ({noted})") for reading in block.dates]
    return tag("div", tag(head, visit.say("Dates as they were read")), tag("ul", rows), class_="dates")


def _facts(visit: Visit, block: Block, head: str) -> Html | None:
    if not block.facts:
        return None
    rows = [tag("li", one_line(fact.text), " ", tag("span", fact.source, class_="where")) for fact in block.facts]
    return tag("div", tag(head, visit.say("What is known of you")), tag("ul", rows), class_="facts")


def _chosen(visit: Visit, found: RecallRun, only: frozenset[str], head: str) -> Html:
    best = max((each.scored.score for each in found.block.chosen), default=0.0) or 1.0
    rows = []
    for chosen in found.block.chosen:
        entry = chosen.scored.entry
        marks = [
            tag("span", visit.say("only here"), class_="only") if entry.hash in only else None,
            tag("span", visit.say("shortened"), class_="cut") if chosen.cut else None,
            pieces.tags(visit, entry.tags),
            pieces.place(visit, entry.path, entry.line),
        ]
        rows.append(tag(
            "li", pieces.to_memory(visit, entry, one_line(chosen.text)), tag("div", marks, class_="marks"),
            _score(visit, found.block, chosen.scored, best), class_="memory", data_item=True,
        ))  # fmt: skip
    shown = [_legend(visit, found.block), tag("ol", rows, class_="memories")]
    return tag("div", tag(head, visit.say("What the model gets")), shown)


def _shares(block: Block, scored: ScoredMemory) -> list[tuple[str, float]]:
    """Return the share of each part in a score, its value times its weight, the largest first."""
    shares = ((name, block.weights.get(name, 0.0) * value) for name, value in scored.parts.items())
    return sorted(((name, share) for name, share in shares if share > 0), key=lambda each: -each[1])


def _colour(name: str) -> str:
    return f"part part-{name if name in COLOURED else 'other'}"


def _score(visit: Visit, block: Block, scored: ScoredMemory, best: float) -> Html:
    """Return the score as a bar of its parts, and the same in words under `why`."""
    say, at, bars = visit.say, 0.0, []
    shares = _shares(block, scored)
    whole = sum(share for _, share in shares)
    scale = 100 * scored.score / best / whole if whole else 0.0
    for name, share in shares:
        bars.append(tag("rect", x=f"{at:.2f}", y=0, width=f"{share * scale:.2f}", height=8, class_=_colour(name)))
        at += share * scale
    svg = tag("svg", bars, viewBox="0 0 100 8", preserveAspectRatio="none", class_="bar", aria_hidden="true")
    rows = [
        [say(name), f"{scored.parts[name]:.2f}", f"{block.weights.get(name, 0.0):g}", f"{share:.3f}"]
        for name, share in shares
    ]
    table = pieces.table([say(head) for head in ("part", "value", "weight", "brings")], rows)
    told = [say("found by {paths}", paths=", ".join(scored.paths))]
    if scored.matched:
        told.append(say("words: {words}", words=one_line(" ".join(scored.matched))))
    if scored.entry.superseded:
        told.append(say("counts less: superseded by {id}", id=one_line(scored.entry.superseded)))
    why = say("why: {score}", score=f"{scored.score:.3f}")
    details = tag("details", tag("summary", why), tag("p", " · ".join(told)), table if rows else None, class_="why")
    return tag("div", svg, details, class_="score")


def _legend(visit: Visit, block: Block) -> Html:
    names = dict.fromkeys(name for chosen in block.chosen for name, _ in _shares(block, chosen.scored))
    swatch = [
        tag("li", tag("svg", tag("rect", width=10, height=10, class_=_colour(name)), viewBox="0 0 10 10",
                      class_="swatch", aria_hidden="true"), visit.say(name))
        for name in names
    ]  # fmt: skip
    return tag("ul", swatch, class_="legend", aria_label=visit.say("Parts of the score"))


def _left(visit: Visit, found: RecallRun) -> Html:
    """Return the memories that the question leads to but the block leaves out, with the reasons."""
    say, block = visit.say, found.block
    shown = {chosen.scored.entry for chosen in block.chosen}
    likely = {scored.entry for scored in found.likely}
    said = {" ".join(chosen.scored.entry.words.split()).casefold() for chosen in block.chosen}
    rows = []
    for scored in [each for each in found.every if each.entry not in shown and each.relevant][:LEFT_SHOWN]:
        same = " ".join(scored.entry.words.split()).casefold() in said
        why = "says the same as one above" if same else "no room left" if scored.entry in likely else "unlikely to help"
        reason = tag("span", f"{say(why)}, {scored.score:.3f}", class_="reason")
        rows.append(pieces.memory(visit, scored.entry, reason))
    end = tag("p", say("The block ends here: {why}", why=say.translate_part(str(block.ending))), class_="ending")
    if not rows:
        return end
    head = tag("summary", say("Left out ({n})", n=max(block.ending.left, len(rows))))
    return tag("div", end, tag("details", head, tag("ol", rows, class_="memories left")))
