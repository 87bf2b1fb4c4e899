"""What asks and what refuses speaks the language of the vault, else the system's; what machines read stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memcli.cli.command import DEFINED
from memcli.cli.command_help import PLACEHOLDER
from memcli.cli.commands import COMMANDS, GROUPS
from memcli.cli.looks import cells
from memcli.cli.typer_app import load, root_command
from memcli.remember.echo import is_echo
from memcli.text.messages import translated
from memcli.text.tables import LANGUAGE_FOLDER, spread_rows
from tests.cli.terminal import at_terminal
from tests.conftest import Ran, git
from tests.features import needs

Mem = Callable[..., Ran]

# What is typed, quoted or named is the same in every language.
TYPED = re.compile(
    r"`[^`]*`|'[^']*'|(mem|git|ray)( --?\w+| [a-z]+)+|--[a-z-]+|\"[^\"]*\"|“[^”]*”|\S*[/.]\S*|\[y/N\]|\([a-z]\)|^\w{7} ",
    re.M,
)
NAMES = set("mem git list recall pdf json xml plain casual deep dive tutorial session mode mbti loud".split())
REFUSED = (
    ("add", "ok"),
    ("add", "hello there"),
    ("add", "my password is hunter2-Sommer"),
    ("add", ""),
    ("add", "TypeError: x is undefined"),
    ("add", "tea at four", "-t", "a b"),
    ("add", "tea at four", "--importance", "7"),
    ("add", "tea at four", "--to", "../out.md"),
    ("show", "3f2a9c1"),
    ("edit", "^nothing"),
    ("forget", "3f2a9c1", "--yes"),
    ("recall", "夜航", "--strict"),
    ("recall", "tea", "--format", "pdf"),
    ("prefer", "get", "tea"),
    ("label", "get", "dentist"),
    ("state", "set", "session_mode", "loud"),
    ("profile", "set", "mbti", "loud"),
    ("undo",),
    ("review",),
    ("recal",),
    ("add", "--nosuch"),
    ("list", "-n", "abc"),
    ("help", "nosuch"),
    ("profile", "get", "zodiac"),
    ("sync",),
    ("prefer",),
    ("label",),
    ("watch", "--status"),
    ("chat",),
    ("config", "set", "nosuch", "1"),
)
REFUSED = tuple(words for words in REFUSED if words[0] in COMMANDS or words[0] == "recal")  # a feature may be missing


# What somebody types from day to day; each finds the vault as the ones before have left it.
DAILY = (
    "status", "stats", "doctor", "log", "audit", "sync", "review", "nudge", "index --check", "config list --origin", "install", "token list",
    "add 决定缓存用两级，因为单独的Redis太慢 --type decision", "add 缓存的键要带前缀，防止冲突 --agent scout", "recall 缓存 --explain",
    "list", "list 没有这个", "show 没有这个", "prefer set drink 茶", "prefer set seat 靠窗 --source inferred", "prefer", "prefer why seat", "prefer accept seat",
    "label set 家 示例路12号", "label why 家", "label history 家", "label unset 家", "profile set occupation 工程师", "profile why occupation",
    "state", "state why role", "state set session_mode deep_dive", "config set recall.budget 800", "config set recall.budget 多", "config unset recall.budget",
    "session start 旅行", "session say 以后用英文回答", "session list", "session show", "session end", "agent",
    "pattern add 接口提速 --step 测量 --step 加缓存", "pattern", "pattern show 接口提速", "pattern tried 接口提速 bad", "pattern offer 怎么给接口提速",
    "role check", "role use engineer", "model list", "model test", "model test llm", "model use nosuch", "model use none",
    "token add 手机 --days 3 --rate 60/min", "token list", "token limit 手机 --read-only", "token withdraw 手机", "token withdraw 手机",
    "ask 缓存用什么 --explain", "prompt 缓存 --explain", "reflect", "tidy", "work", "work --dry-run", "diff 没有这个", "trust", "mirror",
    "index", "index --check", "index --try 缓存", "watch --status", "watch --stop", "knowledge list", "knowledge add 没有这个", "import 没有这个",
    "undo", "audit", "log", "status", "stats", "doctor", "state reset", "status",
)  # fmt: skip
DAILY = tuple(words for words in DAILY if words.split()[0] in COMMANDS)  # a feature may be missing
# Not ours to say: the block's frame and what a model is told, by its lines.
FRAME = re.compile(
    r"^(# |- prefers |If you don't|You are|Nothing in memory matches this|Nothing was found).*|^    ?[0-9. ·]+$", re.M
)


@pytest.fixture
def chinese(folder: Path) -> Path:
    (folder / "state.yaml").write_text("language: 中文\n", encoding="utf-8")
    return folder


def english(text: str) -> list[str]:
    return re.findall(r"[a-z]{3,}", TYPED.sub(" ", text))


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_a_chinese_vault_refuses_in_chinese(inside: Mem, chinese: Path, words: tuple[str, ...]) -> None:
    told = inside(*words).err.removeprefix("mem: ")
    assert told and re.search("[\u4e00-\u9fff]", told)
    assert set(english(told)) <= NAMES, told


def test_the_days_of_a_chinese_vault_hold_no_english_sentence(inside: Mem, folder: Path) -> None:
    assert inside("init", "--language", "zh").code == 0
    for words in DAILY:
        ran = inside(*words.split())
        assert ran.code in (0, 1, 2, 3, 4, 5), (words, ran)
        said = TYPED.sub(" ", FRAME.sub(" ", f"{ran.out}\n{ran.err}"))
        assert not re.findall(r"[a-zA-Z]{3,} [a-z]{2,}", said), (words, said)


def test_what_mem_prints_in_chinese_is_known_again(mem: Mem, chinese: Path) -> None:
    mem("add", "决定缓存用两级，因为单独的Redis太慢", "--type", "decision")
    mem("add", "缓存的键要带前缀，防止冲突", "--agent", "scout")
    mem("prefer", "set", "seat", "靠窗", "--source", "inferred")
    mem("session", "start", "旅行")
    mem("pattern", "add", "接口提速", "--step", "测量")
    for words in filter(
        lambda words: words.split()[0] in COMMANDS,
        (
            "list",
            "status",
            "doctor",
            "audit",
            "prefer",
            "session list",
            "agent",
            "pattern",
            "model list",
            "stats",
            "config list",
        ),
    ):
        assert is_echo(mem(*words.split()).out), words
    assert is_echo(mem("add", "周三给物业交停车费，不能忘").out)


def test_what_a_person_wrote_as_a_commit_is_no_message(mem: Mem, repository: Path) -> None:
    assert mem("state", "set", "language", "zh").code == 0
    (repository / "mine.md").write_text("- mine\n", encoding="utf-8")
    git(repository, "add", "mine.md")
    git(repository, "commit", "--quiet", "-m", "a git repository")  # which mem init says, too
    ran = mem("log")
    assert "a git repository" in ran.out and "状态：" in ran.out
    assert mem("status").lines[-1].endswith(" a git repository")
    assert mem("add", "周三给物业交停车费").code == 0
    assert " 记下：" in mem("status").lines[-1]


def test_what_is_missing_is_named_as_in_the_help(mem: Mem, chinese: Path) -> None:
    assert "缺少参数“名字”" in mem("config", "set").err
    assert "缺少参数“旧的”" in mem("supersede").err
    assert "OLD" in mem("supersede", "--json").out


def test_a_note_is_no_hint_in_chinese(mem: Mem, chinese: Path) -> None:
    (chinese / "trip.md").write_text("- 西湖边住了两晚\n", encoding="utf-8")
    assert "  笔记  " in mem("status").out
    assert " · 笔记" in mem("show", "trip.md:1").out


def test_the_audit_names_every_action_in_chinese(mem: Mem, chinese: Path) -> None:
    mem("add", "待办：周三给物业交停车费")
    mem("done", "停车费")
    assert "做完了" in mem("audit").out
    sources = "".join(path.read_text(encoding="utf-8") for path in LANGUAGE_FOLDER.parent.rglob("*.py"))
    actions = set(re.findall(r'write_vault\([^()]*(?:\([^()]*\))?, *"(\w+)"', sources))
    assert actions > {"add", "done"}
    assert not {action for action in actions if translated(action, "zh", part=True) == action}


def test_odd_states_are_told_in_chinese(inside: Mem, chinese: Path) -> None:
    (chinese / "labels.yaml").write_text("a: [\n", encoding="utf-8")
    (chinese / "notes.md").write_bytes(b"PK\0\0")
    (chinese / "roles").mkdir()
    (chinese / "roles/r.yaml").write_text("tone: x\n", encoding="utf-8")
    settings = (
        "index: {model: bge-small-zh-v1.5}\nllm: {url: 'http://127.0.0.1:9/v1', model: x}\n",
        "recall:\n  budget: x\n",
        "recall: [\n",
    )
    for text in settings:
        (chinese / "mem.yaml").write_text(text, encoding="utf-8")
        for words in (
            "doctor",
            "status",
            "label",
            "recall 缓存",
            "recall 缓存 --semantic on",
            "add 会议改到周三下午三点",
            "index",
            "role check",
            "sync",
        ):
            ran = inside(*words.split())
            said = TYPED.sub(" ", FRAME.sub(" ", f"{ran.out}\n{ran.err}"))
            assert not re.findall(r"[a-zA-Z]{3,} [a-z]{2,}", said), (words, said)


@needs("hook")
def test_a_hook_that_fails_says_why_in_chinese(mem: Mem, chinese: Path) -> None:
    assert "“没有”不是 mem hook 的事件或选项" in mem("hook", "没有").err
    assert "传来的不是 JSON 对象" in mem("hook", "prompt", stdin="abc").err
    assert "管道里没有传来内容" in mem("hook", "prompt").err


@needs("move")
def test_a_page_of_chinese_memories_is_chinese(mem: Mem, chinese: Path) -> None:
    mem("add", "妈妈的生日是三月八号")
    page = mem("export", "--to", "html").out
    assert '<html lang="zh">' in page and "<title>记忆</title>" in page


def test_the_log_names_edits_made_by_hand_in_chinese(mem: Mem, repository: Path) -> None:
    mem("state", "set", "language", "zh")
    (repository / "a.md").write_text("- tea\n", encoding="utf-8")
    git(repository, "add", "a.md")
    git(repository, "commit", "-qm", "mem sync: edits made by hand")
    assert "手工的修改" in mem("log", "-n", "1").out


def test_a_plural_swallows_no_words(mem: Mem, chinese: Path) -> None:
    assert "还没有偏好" in mem("prefer").err
    assert "去掉支付卡号之后" in mem("add", "我的卡号是 4539 1488 0343 6467").err


def test_an_english_vault_stays_english_on_a_chinese_system(mem: Mem, folder: Path) -> None:
    assert "没记下" in mem("add", "ok", LC_ALL="zh_CN.UTF-8").err
    (folder / "state.yaml").write_text("language: English\n", encoding="utf-8")
    assert "too short" in mem("add", "ok", LC_ALL="zh_CN.UTF-8").err


def test_the_language_of_the_profile_is_spoken_where_no_other_is_chosen(mem: Mem, folder: Path) -> None:
    for profile, said in (("zh", "没有符合的记忆"), ("zh, en", "no memories match"), ("en", "no memories match")):
        (folder / "USER.md").write_text(f"---\nname: 陈默\nlanguage: {profile}\n---\nlanguage: zh\n", encoding="utf-8")
        assert said in mem("list", "zebra").err
    (folder / "state.yaml").write_text("language: zh\n", encoding="utf-8")
    assert "没有符合的记忆" in mem("list", "zebra").err


def test_what_machines_read_is_the_same_in_every_language(mem: Mem, chinese: Path) -> None:
    assert json.loads(mem("show", "3f2a9c1", "--json").out)["error"]["message"] == "there is no memory '3f2a9c1'"
    assert mem("add", "ok").code == 4
    mem("add", "Redis is the cache of the shop")
    assert mem("recall", "redis").out.startswith("# Memory")


@pytest.mark.slow
def test_a_first_meeting_in_chinese(folder: Path) -> None:
    ran = at_terminal(
        "init", "there", answers=("陈默", "", "", "中文", "", "", "", "简短", "", ""), cwd=folder, LC_ALL="zh_CN.UTF-8"
    )
    for said in ("怎么称呼你？", "回答要简短、适中还是详细？", "是记忆库了", "接下来"):
        assert said in ran.out
    assert "response_length: short" in (folder / "there/state.yaml").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_language_that_is_asked_for_is_spoken_at_once(folder: Path) -> None:
    ran = at_terminal("init", "there", "--language", "zh", answers=("",) * 9, cwd=folder)
    assert "怎么称呼你？" in ran.out and "What" not in ran.out


def help_texts() -> set[str]:
    """All that the help says in English: of every command and option what it does, and the remarks on its examples."""
    found = {*GROUPS, *(line for _, line in COMMANDS.values())}

    def each(command: Any) -> Iterator[Any]:
        yield command
        for word in getattr(command, "commands", ()):
            yield from each(command.load(word))

    for command in [root_command(), *(one for name in COMMANDS for one in each(load(name)))]:
        found |= {param.help for param in command.params if getattr(param, "help", None)}
        found |= {" ".join(part.split()) for part in (command.help or "").split("\n\n") if part.strip()}
        found |= {name for param in command.params for name in PLACEHOLDER.findall(str(param.metavar or ""))}
        found |= {name for param in command.params for name in PLACEHOLDER.findall(f"<{param.type.name}>")}
    for example in [each for spec in DEFINED.values() for each in spec.examples]:
        found |= {*re.findall(r"\S {3,}(\S.*)$", example), *re.findall(r"^[A-Z].*:$", example)}
    return found | {"OPTIONS", "COMMAND", "ARGS"}


def test_all_of_the_help_has_its_words_in_chinese() -> None:
    known = {row["en"][0] for row in spread_rows("zh", "help.txt")}
    missing = sorted(help_texts() - known)
    assert not missing, f"add them to help.txt: {missing}"
    code = "".join(path.read_text(encoding="utf-8") for path in (LANGUAGE_FOLDER.parent / "cli").glob("*.py"))
    left_over = [one for one in known - help_texts() if one not in code]
    assert not left_over, f"nothing says them any more, delete their rows in help.txt: {left_over}"


def test_the_examples_of_the_help_are_chinese_with_their_remarks_in_one_column(mem: Mem) -> None:
    shown = mem("done", "--help", LC_ALL="zh_CN.UTF-8").out
    remarks = [re.match(r"    mem done(?: \S+)? {3,}", line) for line in shown.splitlines()]
    assert "mem done 停车费" in shown and len({cells(found[0]) for found in remarks if found}) == 1


def test_help_speaks_the_language_of_the_system(mem: Mem, folder: Path) -> None:
    pages = "--help", "help", "add --help", "help config set", "help --all", "prefer -h", "review --help"
    for words in pages:
        shown = mem(*words.split(), LC_ALL="zh_CN.UTF-8").out
        assert re.search("用法|每天", shown) and "Usage" not in shown and "Options" not in shown, words
        assert not re.search(r"\[OPTIONS|ARGS\]|<(str|int|float)>", shown), words
        assert max(map(cells, shown.splitlines())) <= 80, words
    assert "Every day:" in mem("help", LC_ALL="en_GB.UTF-8").out


def test_the_record_of_writes_calls_the_user_me_in_chinese(mem: Mem, chinese: Path) -> None:
    mem("add", "门禁码换成了蓝色那张卡", MEM_ACTOR="me")
    assert "  我  记下  " in mem("audit").out
    assert mem("audit", "--id", "zzz").err == "没有哪次写动过这个编号\n"


def test_a_review_in_chinese(mem: Mem, chinese: Path) -> None:
    for floor in "23":
        mem("add", f"The office is on floor {floor}", "--type", "fact", "--force")
    shown = mem("review").out
    assert "矛盾：这两条矛盾：哪个对？" in shown and "，keep（保持），" in shown
    ran = at_terminal("--vault", str(chinese), "review", answers=("2",), cwd=chinese)
    assert "k 保持" in ran.out and "算数" in ran.out


def test_every_kind_of_question_has_a_name_in_chinese() -> None:
    from memcli.cli.recall import _QUESTIONS
    from memcli.recall.query import KINDS

    known = {row["en"][0] for row in spread_rows("zh", "messages.txt")}
    missing = [kind for kind in ("open", *KINDS) if _QUESTIONS.get(kind) not in known]
    assert not missing, f"_QUESTIONS in cli/recall.py and messages.txt name each kind: {missing}"
