"""A conversation is read whatever program wrote it down, and what `mem` printed is no part of it."""

from __future__ import annotations

import json
import re
from datetime import datetime

import pytest

from memcli.errors import UsageError
from memcli.features.learn.transcript import OTHER, USER, Utterance, read_transcript
from memcli.recall import FORMATS, TITLE, Request, recall
from memcli.remember import echo
from memcli.remember.echo import unechoed
from memcli.remember.gates.worth import why_worthless
from memcli.vault.vault import Vault
from tests.features import needs
from tests.rows import check_rows


def said(text: str, *names: str) -> list[tuple[str, str]]:
    return [(message.role, message.text.strip()) for message in read_transcript(text, names)]


TEA = [(USER, "I like tea"), (OTHER, "noted"), (USER, "bye now")]


@check_rows(
    "chat",
    [
        "User: I like tea\nAssistant: noted\nUser: bye now",
        "Me: I like tea\nClaude: noted\n\nMe: bye now\n",
        "我：I like tea\n助手：noted\n我：bye now",
        "## User\n\nI like tea\n\n## Assistant\n\nnoted\n\n## User\n\nbye now\n",
        "# A chat of ours\n\n### 🧑 You\nI like tea\n### 🤖 ChatGPT\nnoted\n### 🧑 You\nbye now",
        "**You:** I like tea\n\n**Claude:** noted\n\n**You:** bye now",
        "**Human**: I like tea\n\n**Assistant**: noted\n\n**Human**: bye now",
        "You said:\nI like tea\nChatGPT said:\nnoted\nYou said:\nbye now",
        "[2026-11-20 12:30] Anna: I like tea\n[2026-11-20 12:31] Bot: noted\n[2026-11-20 12:32] Anna: bye now",
        "Anna 2026-11-20 12:30:11\nI like tea\nBot 2026-11-20 12:30:12\nnoted\nAnna 2026-11-20 12:31:00\nbye now",
        "- User: I like tea\n- Assistant: noted\n- User: bye now",
    ],
)
def test_chats_written_down_in_any_way_say_the_same(chat: str) -> None:
    assert said(chat) == TEA


# Lines as programs export them or give them when they are copied; A and B are the speakers.
MESSENGERS = {
    "WeChat, copied": "陈默  10:23\nI like tea\n\n小李  10:24\nnoted\n\n陈默  10:25\nbye now",
    "WeChat, one day": "小李 3月15日 10:22\nhi\n陈默 3月15日 10:23\nI like tea\n小李 10:24\nnoted\n陈默 上午10:25\nbye now",
    "WeChat, half days": "陈默 上午10:23\nI like tea\n小李 下午1:24\nnoted\n陈默 晚上8:25\nbye now",
    "WeChat, exported": "2026-03-15 10:23:45 陈默\nI like tea\n\n2026-03-15 10:24:45 小李\nnoted\n\n2026-03-15 10:25:00 陈默\nbye now",
    "QQ": "2026-03-15 10:23:45 陈默(12345678)\nI like tea\n\n2026-03-15 10:24:45 小李<li@example.com>\nnoted\n\n2026-03-15 10:25:00 陈默(12345678)\nbye now",
    "one full day": "陈默 2026/3/15 10:23\nI like tea\n小李 10:24\nnoted\n陈默 10:25\nbye now",
    "WhatsApp, iPhone, German": "[15.03.26, 10:23:45] 陈默: I like tea\n[15.03.26, 10:24:45] 小李: noted\n[15.03.26, 10:25:45] 陈默: bye now",
    "WhatsApp, iPhone, American": "[3/15/26, 10:23:45\u202fAM] 陈默: I like tea\n\u200e[3/15/26, 10:24:45\u202fAM] 小李: \u200eimage omitted\n[3/15/26, 10:24:45\u202fAM] 小李: noted\n[3/15/26, 1:25:45\u202fPM] 陈默: bye now",
    "WhatsApp, Android, 24 h": "15/03/2026, 10:22 - Messages and calls are end-to-end encrypted.\n15/03/2026, 10:23 - 陈默: I like tea\n15/03/2026, 10:24 - 小李: noted\n15/03/2026, 10:24 - 小李 changed the group name\n15/03/2026, 10:25 - 陈默: bye now",
    "WhatsApp, Android, 12 h": "3/15/26, 10:23 am - 陈默: I like tea\n3/15/26, 10:24 am - 小李: <Media omitted>\n3/15/26, 10:24 am - 小李: noted\n3/15/26, 1:25 p.m. - 陈默: bye now",
    "WhatsApp, Chinese": "2026/3/15 上午10:23 - 陈默: I like tea\n2026/3/15 上午10:24 - 小李: noted\n2026/3/15 下午1:25 - 陈默: bye now",
    "WhatsApp, Finnish": "15.3.2026 klo 10.23 - 陈默: I like tea\n15.3.2026 klo 10.24 - 小李: noted\n15.3.2026 klo 10.25 - 陈默: bye now",
    "Telegram, desktop": "陈默, [15.03.2026 10:23]\nI like tea\n\n小李, [15.03.2026 10:24]\nnoted\n\n陈默, [15.03.2026 10:25]\nbye now",
    "Telegram, macOS": "陈默, [Mar 15, 2026 at 10:23:45 AM]:\nI like tea\n\n小李, [Mar 15, 2026 at 10:24:45 AM]:\nnoted\n\n陈默, [Mar 15, 2026 at 10:25:45 AM]:\nbye now",
    "Signal": "[2026-03-15 10:23:45] 陈默: I like tea\n[2026-03-15 10:24:45] 小李: noted\n[2026-03-15 10:25:45] 陈默: bye now",
    "Signal, day first": "陈默 (15 Mar 2026, 10:23): I like tea\n小李 (15 Mar 2026, 10:24): noted\n陈默 (15 Mar 2026, 10:25): bye now",
    "Signal, from a backup": "Conversation: 陈默\n\nFrom: 陈默 (+4915112345678)\nType: incoming\nSent: Sun, 15 Mar 2026 10:23:45 +0100\nReceived: Sun, 15 Mar 2026 10:23:46 +0100\n\nI like tea\n\nFrom: 小李\nType: incoming\nSent: Sun, 15 Mar 2026 10:24:45 +0100\n\nnoted\n\nFrom: 陈默 (+4915112345678)\nType: incoming\nSent: Sun, 15 Mar 2026 10:25:45 +0100\n\nbye now",
    "Discord": "陈默 — Today at 10:23 AM\nI like tea\n小李 — Today at 10:24 AM\nnoted\n陈默 — Yesterday at 10:25 AM\nbye now",
    "Discord, exported": "[03/15/2026 10:23 AM] 陈默\nI like tea\n\n[03/15/2026 10:24 AM] 小李\nnoted\n\n[03/15/2026 10:25 AM] 陈默\nbye now",
    "Slack": "陈默  10:23 AM\nI like tea\n小李  10:24 AM\nnoted (edited)\n陈默  10:25 AM\nbye now",
    "Slack, three lines": "陈默\n  10:23 AM\nI like tea\n\n小李\n  10:24 AM\nnoted\n\n陈默\n  10:25 AM\nbye now",
    "plain": "陈默: I like tea\n小李：noted\n陈默: bye now\n小李: bye",
}


@check_rows("program", MESSENGERS)
def test_what_messengers_write_is_read_as_it_was_said(program: str) -> None:
    talk = [each for each in said(MESSENGERS[program], "陈默") if each[1] not in ("hi", "bye")]
    assert talk == TEA
    other = [text for role, text in said(MESSENGERS[program], "小李") if role == USER and text not in ("hi", "bye")]
    assert other == ["noted"]


@check_rows(
    ("line", "at"),
    [
        ("[15.03.26, 10:23:45] Anna: hi", "2026-03-15T10:23:45"),
        ("[3/15/26, 10:23:45 PM] Anna: hi", "2026-03-15T22:23:45"),
        ("15/03/2026, 10:23 pm - Anna: hi", "2026-03-15T22:23:00"),
        ("2026/3/15 下午1:23 - Anna: hi", "2026-03-15T13:23:00"),
        ("2026/3/15 上午12:23 - Anna: hi", "2026-03-15T00:23:00"),
        ("Anna, [Mar 15, 2026 at 10:23:45 AM]: hi", "2026-03-15T10:23:45"),
        ("Anna (15 März 2026, 10:23): hi", "2026-03-15T10:23:00"),
        ("Anna — Yesterday at 10:23\nhi", None),
    ],
)
def test_a_moment_is_what_the_stamp_says_and_none_without_a_day(line: str, at: str | None) -> None:
    (message, *_) = read_transcript(line + "\n" + line.replace("Anna", "Ben"), ["Anna"])
    assert (message.at.isoformat() if message.at else None) == at


def test_a_time_of_day_alone_is_that_of_the_day_before_it() -> None:
    messages = read_transcript("Anna 2026-03-15 10:23\nhi\nBen 10:24\nho", ["Anna"])
    assert messages[1].at == datetime(2026, 3, 15, 10, 24)


def test_a_line_with_a_day_alone_dates_the_times_below_it() -> None:
    chat = "————— 2026-10-28 —————\n\n骆驼  20:02\n几点出发\n\n我  20:05\n八点\n\n—— 2026年10月30日 星期五 ——\n\n我  09:01\n到了\n"
    spoken = read_transcript(chat)
    assert [str(each.at) for each in spoken] == ["2026-10-28 20:02:00", "2026-10-28 20:05:00", "2026-10-30 09:01:00"]
    assert [each.text.strip() for each in spoken] == ["几点出发", "八点", "到了"]


def test_a_name_that_nobody_has_is_an_error_that_tells_who_is_there() -> None:
    with pytest.raises(UsageError, match="nobody is called Zoe in it: there are 陈默, 小李"):
        read_transcript(MESSENGERS["Slack"], ["Zoe"])
    with pytest.raises(UsageError, match="nobody is called Zoe in it: there are Anna, Ben"):
        read_transcript("Anna: I live in Rome\nBen: I like tea", ["Zoe"])
    with pytest.raises(UsageError, match="no speakers were found"):
        read_transcript("I like tea", ["Zoe"])
    assert said("User: I like tea\nAssistant: noted", "Zoe") == TEA[:2]


def test_one_message_each_is_a_chat_where_the_user_is_one_of_them() -> None:
    for chat in (
        "Anna  10:23 AM\nI like tea\nBen Miller  10:25 AM\nbye now",
        "Anna [10:23]\nI like tea\nBen Miller [10:25]\nbye now",
    ):
        assert said(chat, "Ben Miller") == [(OTHER, "I like tea"), (USER, "bye now")]


def test_who_alone_writes_is_the_user() -> None:
    chat = "[2026-03-15, 10:23] Ola: I like tea\n[2026-03-15, 10:24] Ola: bye now"
    assert said(chat) == [(USER, "I like tea"), (USER, "bye now")]


def test_marks_of_direction_hide_no_speaker() -> None:
    line = "\u200e[15/03/2026, 1:25:45\u202fPM] ~\u202fBen: "
    assert said(f"{line}I like tea\n{line.replace('Ben', 'Anna')}noted", "Ben") == TEA[:2]


@check_rows("line", [
    "<Medien ausgeschlossen>", "<Multimedia omitido>", "<省略多媒体文件>", "[动画表情]", "[Foto]", "{Reactions}",
    "3月16日 星期一", "2026年3月16日 (周一)", "16 March 2026 Monday", "----- Monday, 16 March -----",
])  # fmt: skip
def test_what_the_program_sets_between_messages_is_nobodys(line: str) -> None:
    assert said(f"[2026-03-15 10:23] Anna: I like tea\n{line}\n[2026-03-15 10:24] Ben: noted", "Anna") == TEA[:2]


@pytest.mark.parametrize("answer", ["3月16日", "Monday", "16 March", "[x]", "<3"])
def test_what_may_be_an_answer_is_kept(answer: str) -> None:
    assert said(f"Assistant: when?\nUser: {answer}") == [(OTHER, "when?"), (USER, answer)]


def test_what_is_passed_on_was_said_by_whom_it_is_from_and_bold_words_stay_in_their_sentence() -> None:
    bold = ["I like ", {"type": "bold", "text": "tea"}]
    talk = [{"from": "Ben", "text": bold}, {"from": "Ben", "forwarded_from": "Zoe", "text": "noted"}]
    assert said(json.dumps({"messages": [*talk, {"from": "Anna", "text": "hm"}]}), "Ben")[:2] == TEA[:2]


def test_people_in_an_export_of_slack_have_their_names() -> None:
    talk = [{"user": "U1", "user_profile": {"real_name": "Anna"}, "text": "I like tea", "ts": "1773570225.0001"}]
    talk += [{"user": "U2", "user_profile": {"display_name": "Ben"}, "text": "noted", "ts": "1773570226.0001"}]
    assert said(json.dumps(talk), "Anna") == TEA[:2]


def test_what_a_messenger_shows_of_another_message_was_not_said_by_who_answers() -> None:
    chat = "陈默 2026-03-15 10:23\n「小李：I love coffee」\n- - - - - - - - -\nI like tea\n小李 10:24\nok"
    assert said(chat, "陈默") == [(USER, "I like tea"), (OTHER, "ok")]


def test_notes_with_times_in_them_are_no_chat() -> None:
    notes = "Dentist 14:30\nShopping 16:00\nFlight 10:20 from Riga"
    assert said(notes) == [(USER, notes)]


@pytest.mark.parametrize(
    "records",
    [
        [{"role": "user", "content": "I like tea"}, {"role": "assistant", "content": "noted"}, {"role": "user", "content": "bye now"}],
        [
            {"type": "summary", "summary": "Tea"},
            {"type": "user", "isMeta": True, "message": {"role": "user", "content": "Caveat: I hate tea"}},
            {"type": "user", "message": {"role": "user", "content": "I like tea"}, "timestamp": "2026-11-20T04:00:00Z"},
            {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "thinking", "thinking": "tea"}, {"type": "text", "text": "noted"}]}},
            {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "I love coffee"}]}},
            {"type": "user", "isSidechain": True, "message": {"role": "user", "content": "I love coffee"}},
            {"type": "user", "message": {"role": "user", "content": "<system-reminder>I love coffee</system-reminder>bye now"}},
        ],
        [
            {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "<environment_context>I love coffee</environment_context>"}]}},
            {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "I like tea"}]}},
            {"type": "event_msg", "payload": {"type": "user_message", "message": "I like tea"}},
            {"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "noted"}]}},
            {"type": "response_item", "payload": {"type": "message", "role": "user", "content": "bye now"}},
        ],
    ],
    ids=["role and content", "Claude Code", "Codex"],
)  # fmt: skip
def test_json_lines_of_programs_are_read_without_what_tools_and_hooks_put_in(records: list[object]) -> None:
    assert said("\n".join(map(json.dumps, records))) == TEA


def test_an_export_shows_the_branch_that_was_seen_last() -> None:
    def node(role: str, text: str, parent: str | None) -> dict[str, object]:
        return {
            "message": {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}},
            "parent": parent,
        }

    mapping = {
        "root": {"message": None, "parent": None},
        "a": node("user", "I like tea", "root"), "b": node("assistant", "noted", "a"),
        "gone": node("user", "I love coffee", "b"), "c": node("user", "bye now", "b"),
    }  # fmt: skip
    assert said(json.dumps([{"title": "Tea", "mapping": mapping, "current_node": "c"}])) == TEA
    mapping["root"]["parent"] = "c"  # a tree that bites its tail ends all the same
    assert len(said(json.dumps([{"mapping": mapping, "current_node": "c"}]))) >= 3


def test_one_document_with_messages_in_it_is_read_too() -> None:
    chats = {
        "conversations": [],
        "messages": [{"role": "user", "content": "I like tea"}, {"sender": "assistant", "text": "noted"}],
    }
    assert said(json.dumps(chats)) == TEA[:2]
    assert said(json.dumps({"chat_messages": [{"sender": "human", "text": "I like tea"}]})) == TEA[:1]


def test_a_line_that_was_cut_off_is_told_and_the_others_are_read() -> None:
    told: list[str] = []
    text = '{"role": "user", "content": "I like tea"}\n{"role": "user", "content": "bye now"}\n{"role": "us'
    assert [message.text for message in read_transcript(text, tell=told.append)] == ["I like tea", "bye now"]
    assert told == ["1 line of the conversation could not be read, the others were"]


def test_times_are_those_of_the_users_clock() -> None:
    (message,) = read_transcript('{"role": "user", "content": "hi there", "timestamp": "2026-11-20T20:00:00Z"}')
    assert message == Utterance(USER, "hi there", 1, datetime(2026, 11, 21, 4), True)
    (first, _) = read_transcript("[2026/11/20 09:05] Me: hi\n[2026/11/20 09:06] Bot: ho")
    assert first.at == datetime(2026, 11, 20, 9, 5)
    for written in ("2026-11-20T09:05:00", "2026/11/20 9:05", "2026年11月20日 09:05", "2026-11-20T01:05:00.123456789Z"):
        (message,) = read_transcript(json.dumps({"role": "user", "content": "hi", "timestamp": written}))
        assert message.at == datetime(2026, 11, 20, 9, 5)
    assert read_transcript('{"role": "user", "content": "hi", "timestamp": "soon"}')[0].at is None


def test_notes_with_colons_are_no_chat() -> None:
    notes = "Shopping: milk\nDecision: we use Redis\nSee https://example.org: it says so\nIngredients: flour"
    assert said(notes) == [(USER, notes)]


def test_who_the_user_is_has_to_be_known_where_people_talk() -> None:
    chat = "Anna: I live in Rome\nBen: I live in Oslo\nAnna: nice\nBen: yes"
    with pytest.raises(UsageError, match="which of Anna, Ben are you"):
        read_transcript(chat)
    assert [text for role, text in said(chat, "ben") if role == USER] == ["I live in Oslo", "yes"]


def test_what_went_out_of_a_backup_of_signal_is_the_users() -> None:
    head = "From: {}\nType: {}\nSent: Sun, 15 Mar 2026 10:2{}:45 +0100\nReaction: 👍 from Ben\n\n{}\n\n"
    out, into = head.format("You", "outgoing", 3, "I like tea"), head.format("Ben (+49151)", "incoming", 4, "noted")
    assert said(out + into + head.format("You", "outgoing", 5, "bye now")) == TEA
    first, *_ = read_transcript(out + into)
    assert (first.at, first.line) == (datetime(2026, 3, 15, 10, 23, 45), 1)
    mail = "From: Ben\nSent: Sun, 15 Mar 2026 10:23\nTo: Anna\nSubject: tea\n\nI like tea"
    assert said(mail) == [(USER, mail)]


def test_a_short_talk_that_is_read_as_notes_says_so() -> None:
    told: list[str] = []
    read_transcript("Anna: I live in Rome\nBen: I like tea", tell=told.append)
    assert told == ["read as notes of your own; if Anna, Ben talk in it, --me NAME says who you are"]
    for notes in (
        "Shopping: milk\nIngredients: flour",
        "Anna: I live in Rome\nand so on\nBen: tea",
        "I like tea: green",
    ):
        told.clear()
        read_transcript(notes, tell=told.append)
        assert told == []
    read_transcript("Anna: I live in Rome\nBen: I like tea", ["Ben"], tell=told.append)
    assert told == []


def test_a_colon_inside_a_turn_makes_no_new_speaker() -> None:
    chat = "User: two things\nTODO: call Ben\nand one more\nAssistant: fine"
    assert said(chat) == [(USER, "two things\nTODO: call Ben\nand one more"), (OTHER, "fine")]


def test_code_quotes_and_tags_were_not_said_by_the_user() -> None:
    text = "look\n```\nI love coffee\n```\n> I love coffee\n<log>I love coffee</log>\nI like tea"
    (message,) = read_transcript(text)
    assert "coffee" not in message.text
    assert message.text.count("\n") == text.count("\n")  # so that lines can be named


@pytest.fixture
def known(vault: Vault) -> Vault:
    (vault.root / "logs").mkdir()
    (vault.root / "USER.md").write_text("---\nname: Lin\noccupation: baker\n---\n", encoding="utf-8")
    (vault.root / "preferences.yaml").write_text("- key: road\n  value: never the tunnel\n", encoding="utf-8")
    (vault.root / "labels.yaml").write_text("- name: home\n  address: 1 Elm Street\n", encoding="utf-8")
    (vault.root / "logs/2026-11-20.md").write_text(
        "- I never drink coffee after noon\n  - I live in Rome, road and all\n- 以后别走延安高架 road\n  我住在苏州\n",
        encoding="utf-8",
    )
    return vault


WAYS = {
    "as it is": lambda text: text,
    "quoted": lambda text: re.sub("^", "> ", text, flags=re.M),
    "quoted twice": lambda text: re.sub("^", "> > ", text, flags=re.M),
    "indented": lambda text: re.sub("^", "      ", text, flags=re.M),
    "flattened": lambda text: re.sub("^ +", "", text, flags=re.M),
    "fenced": lambda text: f"```\n{text}```\n",
    "without its end": lambda text: text[: len(text) * 4 // 5],
    "without its beginning": lambda text: text[len(text) // 4 :].partition("\n")[2],
    "with bars": lambda text: re.sub("^:", "▇ :", text, flags=re.M),
}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("way", WAYS)
def test_what_recall_printed_is_never_part_of_a_conversation(known: Vault, format: str, way: str) -> None:
    printed = recall(known, Request("road home coffee 延安高架", format=format)).text
    if format == "json":
        printed = json.dumps(
            recall(known, Request("road home coffee 延安高架")).as_json(), indent=2, ensure_ascii=False
        )
    assert "coffee" in printed
    left = unechoed(WAYS[way](printed))
    for words in ("coffee", "Rome", "延安", "苏州", "tunnel", "Elm"):
        assert words not in left
    assert left.count("\n") == WAYS[way](printed).count("\n")


def _printed(vault: Vault) -> dict[str, str]:
    """Whatever shape memory is printed in."""
    from memcli.features.talk import prompt as prompts

    found = recall(vault, Request("road home coffee 延安高架"))
    prompt = prompts.build(vault, prompts.PromptRequest("which road?"))
    blocks = {format: recall(vault, Request("road home coffee 延安高架", format=format)).text for format in FORMATS}
    return {
        **blocks,
        "json": json.dumps(found.as_json(), indent=2, ensure_ascii=False),
        "json on one line": json.dumps(found.as_json(), ensure_ascii=False),
        "compact json": json.dumps(found.as_json(), ensure_ascii=False, separators=(",", ":")),
        "md without its head": blocks["md"].partition("## ")[2].partition("\n")[2],
        "a line of plain": next(line for line in blocks["plain"].split("\n") if "coffee" in line),
        "prompt": prompt.text,
        "state of a prompt": prompt.layer("state").text,
        "messages": json.dumps(list(prompt.messages), ensure_ascii=False),
        "json of a prompt": json.dumps(prompt.as_json(), ensure_ascii=False),
    }


@needs("talk")
def test_what_mem_printed_is_turned_away_in_every_shape_and_inside_other_text(known: Vault) -> None:
    for shape, printed in _printed(known).items():
        for text in (printed, f"I looked it up:\n{printed}\nand that is all", re.sub("^", "> ", printed, flags=re.M)):
            assert why_worthless(text)[0] == "it is what mem itself had printed", shape


@needs("talk")
def test_a_prompt_in_a_conversation_is_not_learnt_but_for_the_words_of_the_user(known: Vault) -> None:
    from memcli.features.talk import prompt as prompts

    (known.root / "state.yaml").write_text("language: zh\ntopics_of_interest: [tea]\n", encoding="utf-8")
    left = unechoed(prompts.build(known, prompts.PromptRequest("I like rye bread")).text)
    assert "I like rye bread" in left
    for words in ("prefers", "tunnel", "language", "tea", "coffee", "编造", "You are"):
        assert words not in left


@needs("ask", "talk")
def test_the_marks_of_what_mem_prints_are_those_that_it_prints() -> None:
    from memcli.features.ask import page
    from memcli.features.talk.prompt import admission, knowledge, layers

    assert echo.TITLE in TITLE and all(
        map(str.startswith, (admission.ADMISSION, admission.ADMISSION_ZH), echo.ADMISSIONS)
    )
    assert all(echo._HEADING.match(head) for head in [*layers.heads(None).values(), knowledge.HEAD, f"# {page.TITLE}"])


@check_rows(
    "own",
    [
        "prefers: tea",
        "see notes.md for it",
        '{"theme": "dark"}',
        "# State of the cache",
        "9:30 call Ben",
        "user: the one who pays",
        "Usage: membrane filters are changed each month",
        "recall.weights is what I changed yesterday",
        "documents: 5 of them are archived at the office",
        "2026-11-22 22:31 mem was slow on the train",
    ],
)
def test_what_only_looks_like_it_is_kept(own: str) -> None:
    assert why_worthless(own) == ("", "")


def test_help_is_taken_out_with_its_options() -> None:
    printed = (
        "Usage: mem recall [OPTIONS] [QUERY]...\n\n  Find what matters.\n\nOptions:\n  -k, --most N  At most so many.\n"
    )
    assert unechoed(f"look:\n{printed}\nI like rye bread").split() == ["look:", "I", "like", "rye", "bread"]


@pytest.mark.parametrize("format", ["md", "xml", "plain"])
def test_what_stands_around_a_printed_block_is_read_and_it_is_told(known: Vault, format: str) -> None:
    block = recall(known, Request("road coffee", format=format)).text
    told: list[str] = []
    messages = read_transcript(f"User: I asked it\n{block}\nUser: I like tea\nAssistant: noted\n", tell=told.append)
    assert [message.text.strip() for message in messages] == ["I asked it", "I like tea", "noted"]
    assert told[0].startswith("what mem itself had printed")
