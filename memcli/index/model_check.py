"""How well a model tells what belongs together from what does not, in English and in Chinese."""

from __future__ import annotations

from memcli.index.embed import Embedder

ENOUGH = 0.75  # of the sentences find their paraphrase: such a model is asked in that language

# Each pair says the same in other words; sharing words would flatter a model that only counts them.
PAIRS = {
    "en": (
        ("My flight leaves on Friday morning.", "The plane takes off at the end of the week."),
        ("We replaced the database.", "The old data store was swapped for another one."),
        ("Anna is afraid of dogs.", "She gets scared when a puppy comes near."),
        ("I quit smoking last spring.", "No cigarettes for me since April."),
        ("The meeting was put off.", "They postponed our appointment."),
        ("He bought a car.", "A new vehicle stands in his garage."),
        ("Our son started school.", "The boy is a first grader now."),
        ("The roof is leaking.", "Rain drips through the ceiling."),
        ("She earns more now.", "Her salary was raised."),
        ("I can't eat nuts.", "Peanuts make me allergic."),
        ("The server crashed at night.", "The machine went down while everybody slept."),
        ("Lunch was delicious.", "The noodles at noon tasted great."),
    ),
    "zh": (
        ("周五早上的飞机", "这个星期结束前起飞"),
        ("我们换掉了数据库", "旧的存储被另一种取代"),
        ("安娜怕狗", "小犬靠近时她就紧张"),
        ("去年春天我戒了烟", "从四月起再没抽过"),
        ("会议延期了", "约好的讨论往后推"),
        ("他买了辆车", "车库里停着新轿车"),
        ("儿子上学了", "男孩现在是一年级小学生"),
        ("屋顶漏水", "雨从天花板滴下来"),
        ("她的收入增加了", "老板给涨了工资"),
        ("我不能吃坚果", "花生会让我过敏"),
        ("服务器半夜崩溃", "大家睡觉时机器宕机"),
        ("午饭很好吃", "中午的面条味道不错"),
    ),
}


def hits(embedder: Embedder, language: str) -> float:
    """The share of sentences whose own paraphrase is the nearest of all paraphrases."""
    first = embedder.passages([one for one, _ in PAIRS[language]])
    other = embedder.passages([two for _, two in PAIRS[language]])
    best = (first @ other.T).argmax(axis=1)
    return float((best == range(len(first))).mean())


def by_chance(embedder: Embedder, language: str) -> float:
    """How near two sentences come that have nothing to do with each other: a deviation and a half above their mean."""
    import numpy as np

    sides = [embedder.passages(side) for side in zip(*PAIRS[language], strict=True)]
    every = np.concatenate(sides)
    likeness = every @ every.T
    apart = np.abs(np.subtract.outer(range(len(every)), range(len(every)))) % len(PAIRS[language]) != 0
    return float(likeness[apart].mean() + 1.5 * likeness[apart].std())


def languages(embedder: Embedder) -> tuple[str, ...]:
    """The languages a model may be asked in."""
    return tuple(language for language in PAIRS if hits(embedder, language) >= ENOUGH)
