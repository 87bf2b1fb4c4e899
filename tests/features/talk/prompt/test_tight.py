"""When there is little room: what gives way first, what stands whatever happens, and that no budget is ever exceeded."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.features.talk.prompt import BuiltPrompt, PromptRequest, admission, build, layers
from memcli.features.talk.sizes import PromptSizes
from memcli.text import tokens
from tests.conftest import opened
from tests.features.talk.prompt.conftest import ROLE, rounds, talk
from tests.features.talk.prompt.test_knowledge import Store

LAYERS = ("role", "state", "long_term", "questions", "recall", "recent", "knowledge")


def taken(made: BuiltPrompt) -> dict[str, int]:
    return {layer.name: layer.tokens for layer in made.layers}


def test_long_words_cost_knowledge_first_then_turns_then_recall_then_summaries(home_of_lin: Path, store: Store) -> None:
    store.says("- tea.md: " + "tea grows on hills " * 40)
    talk(home_of_lin, rounds(8, size=40), [{"event": "summary", "first": 0, "last": 2, "summary": "fact " * 15}])
    order = ["knowledge", "older", "recall", "summary", "exchange"]
    last = 112  # tokens of the last two turns with their heading

    def taken(made: BuiltPrompt) -> dict[str, int]:
        sizes = {layer.name: layer.tokens for layer in made.layers}
        return {**sizes, "older": max(0, sizes["recent"] - last), "exchange": min(sizes["recent"], last)}

    whole = taken(build(opened(home_of_lin), PromptRequest("the cache", session="abcd")))
    assert all(whole[name] for name in order)
    gone: list[str] = []
    self = sum(whole[name] for name in ("role", "admission", "state"))
    for size in (*range(1000, 3300, 60), 3490 - self):
        made = build(opened(home_of_lin), PromptRequest("cache " * size, session="abcd"))
        now = taken(made)
        assert made.total <= 3500 and tokens.count(made.text) == made.total
        assert all(now[name] == whole[name] for name in ("role", "admission", "state"))
        for at, name in enumerate(order):
            if now[name] < whole[name] - 60:  # a memory or a turn more or less
                assert all(now[before] <= layers.SMALLEST + 25 for before in order[:at]), (size, now)
            if not now[name] and name not in gone:
                gone.append(name)
                said = {"older": "of the conversation have no room", "exchange": "recent 0"}.get(name, name)
                assert any(said in line for line in made.degraded), (size, made.degraded)
    assert gone == order


def test_words_longer_than_the_total_stay_whole_and_so_does_the_self(home_of_lin: Path) -> None:
    made = build(opened(home_of_lin), PromptRequest("cache " * 4000))
    assert made.messages[-1]["content"].count("cache") == 4000
    assert made.text.startswith("You are Ada") and admission.ADMISSION_ZH in made.text and "replies: short" in made.text
    assert made.layer("recall").tokens == 0 and made.free == 0
    assert "the user's words alone take" in made.degraded[0]


def test_a_total_of_fifty_holds_the_words_and_the_admission(home_of_lin: Path) -> None:
    made = build(opened(home_of_lin), PromptRequest("which cache do we use?", budget=50))
    assert made.total <= 50 and made.messages[-1]["content"] == "which cache do we use?"
    assert admission.SHORT_ZH in made.text
    assert "50 tokens are tight" in made.degraded[-1]


def test_of_a_small_total_the_same_share_is_kept_free(home_of_lin: Path) -> None:
    made = build(opened(home_of_lin), PromptRequest("the cache", budget=1000))
    assert made.free + made.layer("words").tokens >= 285 and made.layer("recall").tokens > 0
    assert build(opened(home_of_lin), PromptRequest("the cache")).free >= 1000


def test_what_the_total_takes_from_no_layer_is_not_called_tight(home_of_lin: Path) -> None:
    talk(home_of_lin, rounds(8, size=100))
    made = build(opened(home_of_lin), PromptRequest("the cache", session="abcd"))
    assert made.layer("recent").left_out and made.layer("recall").left_out
    assert not any("tight" in line for line in made.degraded)


def test_long_turns_that_have_no_room_are_summed_up_and_that_is_said(home_of_lin: Path) -> None:
    told = [
        (role, f"{said} {n}. " + "And so on it goes. " * 80)
        for n in range(6)
        for role, said in (("user", "Find flight"), ("assistant", "Booked train"))
    ]
    talk(home_of_lin, told)
    made = build(opened(home_of_lin), PromptRequest("and now?", session="abcd"))
    assert "Find flight 0" in made.layer("summary").text
    assert "Find flight 5" in made.layer("recent").text and "Booked train 5" in made.layer("recent").text
    assert any("messages of the conversation have no room as they were said" in line for line in made.degraded)


@settings(max_examples=25)
@given(
    lengths=st.lists(st.tuples(st.integers(1, 400), st.integers(1, 400)), min_size=1, max_size=9),
    budget=st.integers(220, 8000),
)
def test_the_last_exchange_stays_longest_and_room_that_is_left_is_used(
    lengths: list[tuple[int, int]], budget: int
) -> None:
    turns = [
        (role, f"{role} {number} " + "said a word and another " * (size // 4))
        for number, sizes in enumerate(lengths)
        for role, size in zip(("user", "assistant"), sizes, strict=True)
    ]
    with TemporaryDirectory() as name:
        folder = Path(name) / "vault"
        (folder / "roles").mkdir(parents=True)
        (folder / "roles" / "default.yaml").write_text(ROLE, encoding="utf-8")
        (folder / "notes.md").write_text("".join(f"- the cache of team {n} is Redis\n" for n in range(60)), "utf-8")
        talk(folder, turns)
        made = build(opened(folder), PromptRequest("which cache?", session="abcd", budget=budget, knowledge=False))
        shutil.rmtree(folder)
    recent, words = made.layer("recent"), made.layer("words").tokens
    kept_free = max(0, min(1000, budget * 2 // 7) - words)
    assert made.total <= budget
    whole = [role for role, said in turns[-2:] if said.split() == _said(recent.text, said)]
    if len(whole) < 2:  # it is cut only where the room that it may have is used up
        assert f"assistant {len(lengths) - 1}" in recent.text
        assert made.free <= kept_free // 2 + layers.SMALLEST or recent.tokens >= 600 - layers.SMALLEST
    if recent.left_out:
        shown_at_most = turns[-2 * PromptSizes().rounds :]  # older ones are never shown as they were said
        following = shown_at_most[recent.left_out - 1]
        need = tokens.count(f"{following[0]}: {following[1]}\n")
        spent = made.layer("summary").tokens + recent.tokens + need
        # The line that sums up the others is reserved by an estimate, so about as much may stay unused.
        slack = layers.SMALLEST + 25
        assert spent > recent.budget - slack or need > made.free - kept_free - slack
        assert any("of the conversation have no room" in line for line in made.degraded)


def _said(text: str, said: str) -> list[str]:
    """The words of a turn as they stand in a text."""
    words = said.split()
    at = text.find(" ".join(words[:2]))
    return text[at:].split("\n")[0].split() if at >= 0 else []


texts = st.text(st.sampled_from("ab 缓存cache\n#<|🙂茶1.?é"), max_size=200)
turns = st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool"]), texts), max_size=24)


@settings(max_examples=80)
@given(
    query=st.one_of(texts, texts.map(lambda text: text * 40)),
    turns=turns,
    summaries=st.lists(texts, max_size=8),
    anchors=st.dictionaries(st.sampled_from(["language", "length", "rule", "only"]), texts, max_size=4),
    total=st.one_of(st.integers(0, 400), st.integers(0, 5000)),
    sizes=st.fixed_dictionaries({name: st.integers(0, 600) for name in (*LAYERS, "free", "rounds")}),
)
def test_no_budget_is_exceeded_and_nothing_is_claimed_that_is_not_there(
    query: str,
    turns: list[tuple[str, str]],
    summaries: list[str],
    anchors: dict[str, str],
    total: int,
    sizes: dict[str, int],
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name) / "vault"
        (folder / "roles").mkdir(parents=True)
        (folder / "roles" / "default.yaml").write_text(ROLE, encoding="utf-8")
        (folder / "notes.md").write_text("- the cache is Redis\n- 缓存放在茶里\n" * 20, encoding="utf-8")
        events = [
            {"event": "summary", "first": at, "last": at + 1, "summary": said} for at, said in enumerate(summaries)
        ]
        events += [{"event": "anchor", "key": key, "value": said} for key, said in anchors.items()]
        talk(folder, turns, events)
        flags = {f"prompt__{key}": value for key, value in sizes.items()}
        made = build(
            opened(folder, prompt__total=total, **flags), PromptRequest(query, session="abcd", knowledge=False)
        )
        shutil.rmtree(folder)
    words = made.layer("words")
    assert made.total <= total or words.tokens > total
    assert tokens.count(made.text) <= made.total
    assert sum(tokens.count(each["content"]) for each in made.messages) <= made.total
    for layer in made.layers:
        assert layer.tokens == tokens.count(layer.text) and layer.text in made.text
        assert bool(layer.text) == bool(layer.items)
        assert layer.tokens <= layer.budget or layer is words or layer.name == "state"
    places = [made.text.index(layer.text) for layer in made.layers if layer.text]
    assert places == sorted(places)
    assert made.messages[-1]["content"].endswith(made.query) if made.query else made.layer("words").text == ""
    spoken = [each["role"] for each in made.messages if each["role"] != "system"]
    assert spoken == (["user", "assistant"] * len(spoken))[: len(spoken)]  # as chat templates want it
    duties = (admission.ADMISSION, admission.ADMISSION_ZH)  # in the language of the vault
    core = words.tokens + max(map(tokens.count, duties)) + sizes["role"] + sizes["state"]
    if total >= core and sizes["role"] >= 60:
        assert made.text.startswith("You are Ada") and any(each in made.text for each in duties)
