"""When there is little room: what gives way first, what stands whatever happens, and that no budget is ever exceeded."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.prompt import BuiltPrompt, PromptRequest, build, layers
from memcli.text import tokens
from tests.conftest import opened
from tests.prompt.conftest import ROLE, rounds, talk
from tests.prompt.test_knowledge import Store

LAYERS = ("role", "state", "long_term", "recall", "recent", "knowledge")


def taken(made: BuiltPrompt) -> dict[str, int]:
    return {layer.name: layer.tokens for layer in made.layers}


def test_long_words_cost_knowledge_first_then_turns_then_recall_then_summaries(home_of_lin: Path, store: Store) -> None:
    store.says("- tea.md: " + "tea grows on hills " * 40)
    talk(home_of_lin, rounds(8, size=40), [{"event": "summary", "first": 0, "last": 2, "summary": "fact " * 15}])
    order = ["knowledge", "recent", "recall", "summary"]
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
                assert any(name in line for line in made.degraded), (size, made.degraded)
    assert gone == order


def test_words_longer_than_the_total_stay_whole_and_so_does_the_self(home_of_lin: Path) -> None:
    made = build(opened(home_of_lin), PromptRequest("cache " * 4000))
    assert made.messages[-1]["content"].count("cache") == 4000
    assert made.text.startswith("You are Ada") and layers.ADMISSION in made.text and "replies: short" in made.text
    assert made.layer("recall").tokens == 0 and made.free == 0
    assert "the user's words alone take" in made.degraded[0]


def test_a_total_of_fifty_holds_the_words_and_the_admission(home_of_lin: Path) -> None:
    made = build(opened(home_of_lin), PromptRequest("which cache do we use?", budget=50))
    assert made.total <= 50 and made.messages[-1]["content"] == "which cache do we use?"
    assert layers.SHORT in made.text
    assert "50 tokens are tight" in made.degraded[-1]


def test_half_of_a_small_total_is_kept_free(home_of_lin: Path) -> None:
    made = build(opened(home_of_lin), PromptRequest("the cache", budget=1000))
    assert made.free >= 500 and made.layer("recall").tokens > 0
    assert build(opened(home_of_lin), PromptRequest("the cache")).free >= 1000


def test_what_the_total_takes_from_no_layer_is_not_called_tight(home_of_lin: Path) -> None:
    talk(home_of_lin, rounds(8, size=100))
    made = build(opened(home_of_lin), PromptRequest("the cache", session="abcd"))
    assert made.layer("recent").left_out and made.layer("recall").left_out
    assert made.degraded == ()


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
    core = words.tokens + tokens.count(layers.ADMISSION) + sizes["role"] + sizes["state"]
    if total >= core and sizes["role"] >= 60:
        assert made.text.startswith("You are Ada") and layers.ADMISSION in made.text
