"""Questions in Chinese: what they set apart, leave out or call otherwise than the notes do."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from memcli.recall import query
from memcli.recall.split_verbs import join_verbs
from tests.recall.test_recall import ago
from tests.recall.vaults import ask, lay, log, texts

NOTES = {
    log(ago(1)): "- 地图换成矢量的了\n- 去医院看了外婆\n",
    log(ago(8)): "- 龙门山补上了，山顶有霜 #爬山\n- 买窗帘\n",
    log(ago(20)): "- 国庆值班表：大刘跟我一组\n",
    log(ago(80)): "- 中秋回了自贡\n- 老的 5432 只留给 Metabase\n- Shopify webhook 偶尔乱序\n",
    log(ago(90)): "- 手机换成 iPhone 17\n- 团团称了，6.8 公斤 #团团\n",
    "tags.yaml": "团团: [猫, 橘猫]\n",
}


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("最近爬了哪些山", "龙门山"), ("爬过的山", "龙门山"), ("国庆我值哪个班", "值班表"), ("中秋去哪了", "自贡"),
        ("手机", "iPhone"), ("换手机", "iPhone"), ("我现在用的手机", "iPhone"), ("猫多重", "6.8"),
        ("5432 还有谁在连", "Metabase"), ("Shopify 的事件顺序不对怎么处理", "乱序"),
    ],
)  # fmt: skip
def test_a_question_finds_what_the_notes_write_otherwise(folder: Path, question: str, found: str) -> None:
    lay(folder, NOTES)
    assert found in "\n".join(texts(ask(folder, question)))


def test_a_verb_set_apart_from_its_object_does_not_bring_all_of_the_time(folder: Path) -> None:
    lay(folder, NOTES)
    assert texts(ask(folder, "最近爬了哪些山")) == ["龙门山补上了，山顶有霜 #爬山"]


@pytest.mark.parametrize("question", ["老曹的电话", "老曹电话是多少", "老曹的手机号"])
def test_a_question_for_a_number_has_no_answer_without_one(folder: Path, question: str) -> None:
    lay(folder, {log(ago(1)): "- 老曹打了电话，手机快没电了\n"})
    assert not ask(folder, question).matched


@pytest.mark.parametrize(
    ("question", "joined"),
    [
        ("爬了哪些山", "爬山"), ("我值哪个班，和谁", "我值班，和谁"), ("吃过什么药吗", "吃过什么药吗"), ("吃什么药", "吃药"),
        ("去了哪座城市", "去了哪座城市"), ("花了多少钱", "花了多少钱"), ("团队开了什么会", "团队开了什么会"),
        ("who knows", "who knows"),
    ],
)  # fmt: skip
def test_only_what_stands_alone_is_joined(question: str, joined: str) -> None:
    assert join_verbs(question) == joined


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("豆豆的生日是哪天", "5 月 22 号"), ("豆豆的大名是什么", "周予安"), ("Forgejo 的地址是多少", ":3300"),
        ("构建机的地址", "31.88，"),
    ],
)  # fmt: skip
def test_a_value_is_found_behind_others_of_its_subject(folder: Path, question: str, found: str) -> None:
    lay(folder, {
        "MEMORY.md": "- 豆豆大名周予安，生日 5 月 22 号\n",
        log(ago(1)): "- 豆豆的古筝课换到裘老师家\n- 豆豆的同桌叫小满\n- 测试机的电池坏了\n",
        log(ago(2)): "- Forgejo 地址 http://192.168.31.88:3300\n- 构建机是旧 ThinkPad，局域网 192.168.31.88，用户 build\n",
    })  # fmt: skip
    assert found in ask(folder, question).text


def test_the_sentence_with_the_value_stays_in_a_long_memory(folder: Path) -> None:
    filler = "今天去新房看了看，墙面干得差不多了。" * 12
    lay(folder, {
        log(ago(1)): f"- 小覃在贴厨房的墙砖。{filler}他今年才十九。{filler}\n- 洗碗机装好了\n",
        log(ago(2)): f"- 抢了洗碗机，到手 4699 元。{filler}妈妈问洗碗机能不能洗泡菜坛子。{filler}\n- 小覃来了\n",
    })  # fmt: skip
    assert "才十九" in ask(folder, "小覃今年多大了").text
    assert "4699" in ask(folder, "洗碗机多少钱买的").text


def test_a_feast_of_one_day_brings_what_names_it(folder: Path) -> None:
    lay(folder, {
        "logs/2026-10-31.md": "- 店铺净利 21430，退货率 6.8%\n",
        "logs/2026-10-28.md": "- 万圣节 30 号要穿自己做的衣服\n- 买窗帘\n",
    })  # fmt: skip
    found = texts(ask(folder, "万圣节那天"))
    assert "万圣节 30 号要穿自己做的衣服" in found and "买窗帘" not in found


@pytest.mark.parametrize("question", ["周报", "帮我写周报", "写一份周报"])
def test_a_report_without_a_time_means_what_is_noted_of_reports_or_else_the_latest(folder: Path, question: str) -> None:
    lay(folder, NOTES)
    assert texts(ask(folder, question))[:2] == ["去医院看了外婆", "地图换成矢量的了"]
    lay(folder, {log(ago(60)): "- 周报先摆数字再说原因\n"})
    assert texts(ask(folder, question)) == ["周报先摆数字再说原因"]


def test_a_lunar_day_means_the_coming_one_and_no_day_of_last_year(folder: Path) -> None:
    (span,) = query.parse("农历十月二十八谁过生日", date(2026, 11, 21)).spans
    assert (span.first, span.last) == (date(2026, 12, 6), date(2026, 12, 6))


@pytest.mark.parametrize("question", ["腊月二十八", "正月初六干啥"])
def test_a_day_of_the_lunar_calendar_finds_its_own_words(folder: Path, question: str) -> None:
    lay(folder, {"MEMORY.md": "- 档期先定腊月二十八到正月初六\n- 五月初五交房\n"})
    assert texts(ask(folder, question)) == ["档期先定腊月二十八到正月初六"]
