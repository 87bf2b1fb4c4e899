"""A question on its whole way: what is found, what is answered, and what is said when something is missing."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memcli import contributions, llm, remember, session
from memcli.errors import UsageError
from memcli.evidence import FoundEvidence, Want
from memcli.extend import Source
from memcli.features.ask import keep, page, sources
from memcli.features.ask import pipeline as deep
from memcli.features.ask.pipeline import AskRequest
from memcli.jobs import work
from memcli.text import tokens
from memcli.vault.vault import Vault
from tests.cli.terminal import at_terminal
from tests.conftest import Ran, inside, opened
from tests.features import import_feature
from tests.llm.server import serving, streamed
from tests.session.records import record
from tests.told_model import asked, model

shelves = import_feature("tests.features.knowledge.shelves")
document, lay = shelves.document, shelves.lay

Mem = Callable[..., Ran]
mem = inside  # in this process: what is tested here is what the commands do


def told(vault: Vault, folder: Path, *answers: str) -> Vault:
    """The same vault with a model that gives these answers."""
    folder.mkdir(exist_ok=True)
    return opened(vault.root, llm__command=model(folder, *answers), llm__offline=False)


UNDERSTOOD = json.dumps(
    {"question": "Who built the bridge at Orvane?", "intent": "knowledge", "keywords": ["bridge", "Orvane"]}
)


# -- evidence --------------------------------------------------------------------------------------------------------


def test_documents_and_notes_are_searched_at_once_and_documents_stitched(library: Vault) -> None:
    found = deep.ask(library, AskRequest("who built the Orvane bridge, and what did the flood do"))
    first = found.items[0]
    assert (first.source, first.place) == ("knowledge", "docs/orvane.md:1")
    assert "Mirela Stanz" in first.text and "oak piles" in first.text
    assert {each.source for each in found.items} == {"knowledge", "memory"}
    assert found.answer == "" and found.asked.by == "rules"


def test_chinese_finds_chinese(library: Vault) -> None:
    assert deep.ask(library, AskRequest("碧螺春产于哪里")).items[0].place == "docs/cha.md:1"


@pytest.mark.parametrize(
    ("want", "places"),
    [
        (Want(tags=("bridges",)), {"docs/orvane.md:1"}),
        (Want(types=("guide",)), {"docs/tea.md:1"}),
        (Want(project="rivers"), {"docs/orvane.md:1"}),
        (Want(since=__import__("datetime").date(2024, 1, 1)), {"docs/orvane.md:1"}),
        (Want(status="archived"), set()),
    ],
)
def test_filters_come_before_the_search(library: Vault, want: Want, places: set[str]) -> None:
    found = deep.ask(library, AskRequest("bridge tea oxidised built pier", want=want, only=("knowledge",)))
    assert {each.place for each in found.items} == places


def test_no_more_than_was_asked_for(library: Vault) -> None:
    assert len(deep.ask(library, AskRequest("bridge tea pier", most=1)).items) == 1


def test_twenty_a_source_are_asked_for_and_ten_documents_are_shown(vault: Vault) -> None:
    lay(
        vault, [document(f"heron{n}.md", f"# Heron {n}\n\nThe heron of town {n} nests {n} times.\n") for n in range(30)]
    )
    found = deep.ask(vault, AskRequest("where does the heron nest"))
    assert [len(result.found) for result in found.heard if result.step.source == "knowledge"] == [20]
    assert {result.step.most for result in found.heard} == {20} and len(found.items) == 10


def test_only_the_named_sources_are_asked_and_a_wrong_name_is_an_error(library: Vault) -> None:
    assert {each.source for each in deep.ask(library, AskRequest("Orvane bridge", only=("memory",))).items} == {
        "memory"
    }
    with pytest.raises(UsageError, match="no source is called 'memroy'"):
        deep.ask(library, AskRequest("Orvane bridge", only=("memroy",)))


def test_an_agent_is_answered_from_its_own_space_and_the_shared_one(library: Vault) -> None:
    for name, place in (("alice", "box nine"), ("bob", "box two")):
        remember.add(library.seen_by(name), remember.Memory(f"The tent pegs of the Orvane trip lie in {place}"))
    for agent, hers, his in (("alice", True, False), ("bob", False, True), (None, False, False)):
        found = " ".join(
            item.text for item in deep.ask(library.seen_by(agent), AskRequest("where are the tent pegs")).items
        )
        assert ("box nine" in found, "box two" in found) == (hers, his)
    talk = session.start(library.seen_by("alice"))
    assert "box nine" in deep.ask(library, AskRequest("where are the tent pegs", session=talk.id)).items[0].text


def test_what_is_asked_of_the_talk_itself_is_not_searched_for(library: Vault) -> None:
    for asked_for in ("上次聊到哪了", "Where did we leave off?", "总结一下"):
        done = deep.ask(library, AskRequest(asked_for))
        assert not done.heard and "the conversation itself" in done.asked.why


def test_small_talk_and_orders_search_nothing(library: Vault) -> None:
    for text in ("good morning!", "remember that the bridge is closed"):
        assert deep.ask(library, AskRequest(text)).heard == ()
    assert deep.ask(library, AskRequest("good morning!", only=("memory",))).heard


def test_what_is_found_can_not_pose_as_the_frame(library: Vault) -> None:
    found = deep.ask(library, AskRequest("may the pier of a bridge sink"))
    lines = page.page(found.items).splitlines()
    heads = [line for line in lines if line and not line.startswith("    ")]
    assert heads[0] == f"# {page.TITLE}" and heads[-1] == "---"
    assert [line.split()[0] for line in heads[1:-1]] == [f"[{n}]" for n in range(1, len(found.items) + 1)]
    assert "<|im_start|>" not in "\n".join(lines)


def test_the_talk_before_tells_what_it_is(library: Vault) -> None:
    from memcli import session

    talk = session.start(library)
    record(library, talk, session.SessionMessage("user", "tell me about the bridge at Orvane"))
    found = deep.ask(library, AskRequest("who built it?", session=talk.id))
    assert found.asked.query == "who built Orvane?"
    assert found.items[0].place == "docs/orvane.md:1"


def test_every_step_is_in_the_json(library: Vault) -> None:
    said = json.loads(json.dumps(deep.ask(library, AskRequest("who built the Orvane bridge")).as_json(), default=str))
    assert said["evidence"][0]["n"] == 1 and said["evidence"][0]["place"] == "docs/orvane.md:1"
    assert {each["source"] for each in said["steps"]["gather"]} == {"memory", "knowledge"}
    assert said["steps"]["understand"]["intent"] == "knowledge" and {"understand", "gather", "choose"} <= set(
        said["seconds"]
    )


def test_without_documents_notes_alone_are_searched_and_nothing_heavy_is_loaded(vault: Vault) -> None:
    (vault.root / "MEMORY.md").write_text("- the bridge opens at six\n", encoding="utf-8")
    assert [each.source for each in deep.ask(vault, AskRequest("when does the bridge open")).items] == ["memory"]


def test_a_store_that_is_broken_costs_its_own_part(library: Vault) -> None:
    for file in (library.cache / "knowledge").rglob("*.manifest"):
        file.write_bytes(b"broken")
    found = deep.ask(library, AskRequest("who walked over the Orvane bridge"))
    assert {each.source for each in found.items} == {"memory"}
    assert any(each.startswith("knowledge was left out") for each in library.notices)


# -- answers ---------------------------------------------------------------------------------------------------------


def test_an_answer_is_streamed_checked_and_ends_with_its_sources(library: Vault, mem: Mem) -> None:
    with serving(UNDERSTOOD, streamed("Mirela ", "Stanz [", "1]", " built it [8].")) as server:
        ran = mem("ask", "who built the Orvane bridge?", MEM_LLM_URL=server.url, MEM_LLM_MODEL="m")
    assert ran.code == 0, ran.err
    assert ran.out == (
        "Mirela Stanz [1] built it.\n\nSources:\n"
        "[1] The bridge at Orvane > Building · Flood — docs/orvane.md:1 · 2024-03-02 · knowledge\n"
    )
    assert "struck from the answer: [8]" in ran.err


def test_what_the_model_is_given_is_fenced_numbered_and_without_secrets(library: Vault, tmp_path: Path) -> None:
    vault = told(library, tmp_path / "m", UNDERSTOOD, "Mirela Stanz [1].")
    (vault.root / "logs/2026-11-21.md").write_text("- the Orvane bridge opens with ana@example.org\n", encoding="utf-8")
    found = deep.ask(vault, AskRequest("who built the Orvane bridge, and who opens it?"))
    assert (found.answer, found.cited, found.struck) == ("Mirela Stanz [1].", (1,), ())
    prompt = asked(tmp_path / "m")[1]
    assert "\n[1] The bridge at Orvane > " in prompt and "\n[2] " in prompt and "ana@example.org" not in prompt
    fenced = prompt.split("\n-----\n")[1]
    assert "Mirela Stanz" in fenced and all(line.startswith(("    ", "[")) for line in fenced.split("\n") if line)


def test_an_answer_that_cites_nothing_says_so(library: Vault, tmp_path: Path) -> None:
    vault = told(library, tmp_path / "m", UNDERSTOOD, "It was Napoleon [12].")
    found = deep.ask(vault, AskRequest("who built the Orvane bridge?"))
    assert (found.answer, found.cited, found.struck) == ("It was Napoleon.", (), (12,))
    assert any("cites no evidence" in each for each in vault.notices)


def test_where_nothing_was_found_no_model_is_asked_to_make_something_up(vault: Vault, tmp_path: Path) -> None:
    told_vault = told(vault, tmp_path / "m", UNDERSTOOD, "Napoleon.")
    found = deep.ask(told_vault, AskRequest("who built the Orvane bridge?"))
    assert (found.items, found.answer) == ((), "") and len(asked(tmp_path / "m")) == 1


def test_a_model_that_fails_leaves_the_evidence(library: Vault, tmp_path: Path) -> None:
    vault = opened(library.root, llm__command="exit 3")
    found = deep.ask(vault, AskRequest("who built the Orvane bridge?"))
    assert found.items and not found.answer and found.asked.by == "rules"
    assert any(each.startswith("the question was read by rules") for each in vault.notices)
    assert any(each.startswith("no answer, the evidence alone") for each in vault.notices)


def test_a_model_weighs_all_candidates_where_that_is_set(library: Vault, tmp_path: Path) -> None:
    plain = [item.id for item in deep.ask(library, AskRequest("the Orvane bridge", evidence=True)).items]
    marks = [
        {"n": n, "relevance": n, "trust": 1, "timeliness": 1, "depth": 1} for n in range(1, min(3, len(plain)) + 1)
    ]
    vault = told(library, tmp_path / "m", UNDERSTOOD, json.dumps({"weighed": marks}), "It stands [1].")
    vault = opened(library.root, llm__command=vault.settings.llm.command, llm__offline=False, deep__weigh=True)
    done = deep.ask(vault, AskRequest("the Orvane bridge"))
    scores = [item.score for item in done.items]
    assert scores == sorted(scores, reverse=True) and done.items[0].meta["relevance"] == len(marks) > 1
    read = asked(tmp_path / "m")
    assert len(read) == 3 and "The bridge at Orvane" in read[1] and "what to do next" in read[2]


def test_a_model_that_can_not_weigh_leaves_the_order(library: Vault, tmp_path: Path) -> None:
    vault = told(library, tmp_path / "m", UNDERSTOOD, "no JSON", "no JSON", "It stands [1].")
    vault = opened(library.root, llm__command=vault.settings.llm.command, llm__offline=False, deep__weigh=True)
    done = deep.ask(vault, AskRequest("the Orvane bridge"))
    assert done.items and any(note.startswith("not weighed: ") for note in vault.notices)


def test_evidence_asks_no_model(library: Vault, tmp_path: Path) -> None:
    vault = told(library, tmp_path / "m", "never")
    assert deep.ask(vault, AskRequest("who built the Orvane bridge?", evidence=True)).items
    assert not (tmp_path / "m" / "asked.jsonl").exists()


def test_a_model_reads_the_question_and_filters_only_by_what_was_said(library: Vault, tmp_path: Path) -> None:
    said = json.dumps({
        "question": "Who built the bridge at Orvane?", "intent": "knowledge", "keywords": ["bridge"], "entities": ["Orvane"],
        "tags": ["bridges", "invented"], "since": "2024-01-01", "until": "soon", "passage": "The bridge was built by a person.",
    })  # fmt: skip
    vault = told(library, tmp_path / "m", said, "Stanz [1]")
    found = deep.ask(vault, AskRequest("who built it, among the things on bridges from 2024?"))
    assert found.asked.by == "model" and found.asked.query == "Who built the bridge at Orvane?"
    assert (
        found.asked.want.tags == ("bridges",)
        and str(found.asked.want.since) == "2024-01-01"
        and not found.asked.want.until
    )


def test_the_whole_has_a_limit_that_a_hanging_source_and_a_slow_model_share(
    library: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = threading.Event()
    kinds = {**contributions.sources(), "hangs": Source("hangs", lambda *_: release.wait(60) and [])}  # type: ignore[arg-type, return-value]
    monkeypatch.setattr(contributions, "sources", lambda: kinds)
    there = {**sources.configured_sources(library), "hangs": {"kind": "hangs"}}
    monkeypatch.setattr(sources, "configured_sources", lambda vault: there)
    vault = opened(library.root, deep__seconds=4.0, llm__command="sleep 60")
    began = time.monotonic()
    found = deep.ask(vault, AskRequest("who built the Orvane bridge?"))
    release.set()
    assert time.monotonic() - began < 20 and not found.answer
    assert any(each.startswith("hangs was left out: it took longer than") for each in vault.notices)
    assert found.items


def test_what_a_model_is_given_ends_before_the_time_does(library: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def hangs(vault: Vault, *asked: object, **more: object) -> None:
        given.append(vault.settings.llm.timeout)
        raise llm.ModelFailure("the model took longer")

    monkeypatch.setattr(llm, "ask", hangs)
    found = deep.ask(
        opened(library.root, deep__seconds=30.0, llm__command="cat"), AskRequest("who built the Orvane bridge?")
    )
    assert found.items and not found.answer
    assert len(given) == 2 and all(seconds <= 27 for seconds in given)


# -- for a prompt ----------------------------------------------------------------------------------------------------


def test_a_prompt_gets_lines_with_their_sources_within_its_budget(library: Vault) -> None:
    for budget in (0, 20, 40, 80, 300):
        found = deep.evidence(library, "who built the Orvane bridge", budget)
        assert tokens.count(found.text) <= budget and found.text.count("\n") == len(found.items)
    assert found.text.startswith("- The bridge at Orvane > Building") and "Mirela Stanz" in found.text
    assert {each.source for each in found.items} == {"knowledge"}
    assert deep.evidence(library, "thanks!").text == ""


def test_a_document_of_a_setting_speaks_only_where_the_question_concerns_it(vault: Vault) -> None:
    world = "# Veyra\n\nIn Veyra machines have no feelings; every gate is kept by a heron.\n"
    lay(vault, [
        document("veyra.md", world, title="Veyra", type="world"),
        document("gates.md", "# Gates\n\nA gate at an airport opens forty minutes before.\n", title="Gates"),
    ])  # fmt: skip
    assert [item.title for item in deep.evidence(vault, "do machines have feelings in Veyra?").items] == ["Veyra"]
    aside = deep.evidence(vault, "which train goes to the airport gate on Sunday evening?")
    assert [item.title for item in aside.items] == ["Gates"]


def test_without_documents_a_prompt_pays_nothing(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "memcli.features.ask.rank", None)
    assert deep.evidence(vault, "who built the bridge") == FoundEvidence()


# -- back into memory ------------------------------------------------------------------------------------------------


def test_what_an_answer_states_is_proposed_with_its_place(library: Vault) -> None:
    found = deep.ask(library, AskRequest("who built the Orvane bridge"))
    at = {each.place: n for n, each in enumerate(found.items, 1)}
    known = next(n for place, n in at.items() if place.startswith("logs/"))
    doc = at["docs/orvane.md:1"]
    said = f"Mirela Stanz built it of iron. [{doc}] You walked over it [{known}]. Is that all [{doc}]? 斯坦兹建造了这座铁桥[{doc}]。 渡轮冬天停[{doc}]。 For more, see [{doc}] and [{doc}]. Nobody knows."
    found = replace(found, answer=said, cited=(doc, known))
    assert [(each.text, each.places) for each in keep.proposals(found)] == [
        ("Mirela Stanz built it of iron.", ("docs/orvane.md:1",)),
        ("斯坦兹建造了这座铁桥。", ("docs/orvane.md:1",)),
        ("渡轮冬天停。", ("docs/orvane.md:1",)),
    ]
    short = replace(found, answer=f"Mirela Stanz built it [{doc}].", cited=(doc,))
    assert keep.proposals(short) and not keep.proposals(short, library.settings.gates.answer)


def test_a_proposal_is_kept_through_the_gates(library: Vault) -> None:
    from memcli.errors import Refused
    from memcli.features.ask.keep import AnswerProposal

    added = keep.keep_proposal(
        library, AnswerProposal("Mirela Stanz built the Orvane bridge of riveted iron.", ("docs/orvane.md:1",))
    )
    assert added.entry.place.startswith("MEMORY.md:") and added.entry.fields["source"] == "docs/orvane.md:1"
    again = keep.keep_proposal(
        library, AnswerProposal("Mirela Stanz built the Orvane bridge of riveted iron.", ("docs/orvane.md:1",))
    )
    assert again.again
    with pytest.raises(Refused):
        keep.keep_proposal(library, AnswerProposal("the key is sk-ant-api03-" + "a1B2" * 22, ("x.md",)))


# -- the command -----------------------------------------------------------------------------------------------------


def test_evidence_is_printed_for_pipes_and_notices_on_stderr(library: Vault, mem: Mem) -> None:
    ran = mem("ask", "--evidence", "who", "built", "the", "Orvane", "bridge", "--explain")
    assert (
        ran.code == 0
        and ran.lines[0] == f"# {page.TITLE}"
        and ran.lines[2].startswith("[1] ")
        and ran.lines[-1] == "---"
    )
    assert "asked" in ran.err and "knowledge" in ran.err and "memory" in ran.err and "\x1b[" not in ran.out + ran.err


def test_nothing_found_is_said_and_strict_fails(vault: Vault, mem: Mem) -> None:
    ran = mem("ask", "who built the Orvane bridge")
    assert ran.code == 0 and page.NOTHING in ran.out
    assert mem("ask", "who built the Orvane bridge", "--strict").code == 1
    ran = mem("ask", "hello")
    assert ran.code == 0 and "nothing was searched" in ran.err


def test_the_words_of_the_command_are_checked(vault: Vault, mem: Mem) -> None:
    assert mem("ask").code == 2
    assert mem("ask", "tea", "-k", "0").code == 2
    assert mem("ask", "tea", "--source", "wikki").code == 2
    assert mem("ask", "tea", "--since", "whenever").code == 2


def test_a_question_may_be_piped_and_json_has_it_all(vault: Vault, mem: Mem) -> None:
    (vault.root / "MEMORY.md").write_text("- 茶要用八十度的水\n", encoding="utf-8")
    ran = mem("ask", "-", "--json", stdin="泡茶的水温")
    said = json.loads(ran.out)
    assert said["schema"] == 1 and said["evidence"][0]["source"] == "memory" and said["notices"] == []


def test_remember_proposes_and_keeps_only_with_yes(library: Vault, mem: Mem) -> None:
    ran = mem("ask", "who built the Orvane bridge", "--source", "knowledge", "--remember")
    assert "nothing is kept yet: --yes keeps it" in ran.err and not (library.root / "MEMORY.md").exists()
    ran = mem("ask", "who built the Orvane bridge", "--source", "knowledge", "--remember", "--yes", "--json")
    kept = json.loads(ran.out)["proposals"]
    assert kept and kept[0]["place"].startswith("MEMORY.md:")
    assert "[source:: docs/orvane.md:1]" in (library.root / "MEMORY.md").read_text(encoding="utf-8")


def test_a_recall_that_finds_nothing_offers_to_ask_where_there_are_documents(folder: Path, mem: Mem) -> None:
    (folder / "MEMORY.md").write_text("- tea\n", encoding="utf-8")
    assert "mem ask" not in mem("recall", "xylophone").err
    (folder / "knowledge").mkdir()
    assert "mem ask" in mem("recall", "xylophone").err and mem("recall", "tea").err == ""


def test_a_filter_read_out_of_the_question_is_told_when_nothing_is_left(library: Vault) -> None:
    assert not deep.ask(library, AskRequest("papers from 1999 on the Orvane bridge", only=("knowledge",))).items
    assert library.notices == ["only some documents were searched, as the question says: --explain shows which"]


def test_at_a_terminal_each_proposal_is_asked_for(library: Vault) -> None:
    ran = at_terminal(
        "ask",
        "who built the Orvane bridge, of what iron",
        "--source",
        "knowledge",
        "-k",
        "1",
        "--remember",
        answers=("y",),
        cwd=library.root,
        MEM_VAULT=str(library.root),
    )
    assert "worth keeping" in ran.out and "in MEMORY.md:1" in ran.out
    assert "Mirela Stanz" in (library.root / "MEMORY.md").read_text(encoding="utf-8")


def test_ones_own_note_that_answers_stands_above_documents(library: Vault) -> None:
    note = "- 10:00 The second pier of the Orvane bridge has sunk again, I measured it #walks\n"
    (library.root / "logs/2026-11-19.md").write_text(note, encoding="utf-8")
    answered = deep.ask(library, AskRequest("the second pier of the Orvane bridge sunk", evidence=True))
    assert answered.items[0].place == "logs/2026-11-19.md:1"
    assert answered.items[1].source == "knowledge"


def test_a_note_that_only_touches_the_question_stays_where_it_was(library: Vault) -> None:
    answered = deep.ask(library, AskRequest("who built the Orvane bridge of riveted iron", evidence=True))
    assert answered.items[0].source == "knowledge"


def test_a_question_left_for_later_is_answered_by_the_queue_and_told(library: Vault, mem: Mem) -> None:
    left = mem("ask", "--later", "who built the bridge at Orvane", "--tag", "bridges", "--since", "2024-01-01")
    name = left.out.strip()
    assert (
        mem("ask", "--later", "who built the bridge at Orvane", "--tag", "bridges", "--since", "2024-01-01").out.strip()
        == name
    )
    early = mem("ask", "--read")
    assert (early.code, "has not been searched for yet" in early.err) == (2, True)
    assert not work(library).failed
    assert f"the answer {name} is there" in mem("ask", "what is oolong", "--evidence").err
    shown = mem("ask", "--read")
    assert shown.out.startswith("# who built the bridge at Orvane") and "Mirela Stanz" in shown.out
    assert mem("ask", "--read", name).out == shown.out
    assert "is there" not in mem("ask", "what is oolong", "--evidence").err
    assert mem("ask", "--read", "nothing").code == 2
