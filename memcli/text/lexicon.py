"""Closed word lists of general English and Chinese: stop words and irregular forms. Facts of the languages only."""

from __future__ import annotations

STOP_EN = frozenset(
    """
    a about above after again all also am an and any are aren't as at be because been before being between both but
    by can can't could couldn't did didn't do does doesn't doing don't done down during each ever exactly few for
    from further go goes going gone had hadn't has hasn't have haven't having happen happened happening happens he
    he'd he'll he's her here hers herself him himself his how how's i i'd i'll i'm i've if in into is isn't it it's
    its itself just let's like many may me might more most much must my myself no nor not of off on once only or
    other our ours ourselves out over own same shall she she'd she'll she's should so some still such than that
    that's the their theirs them themselves then there there's these they they'd they'll they're they've this those
    through to too under until up us very was wasn't we we'd we'll we're we've went were weren't what what's when
    when's where where's which while who who's whom whose why why's will with won't would wouldn't yet you you'd
    you'll you're you've your yours yourself yes yeah yep oh wow ah hmm hey really indeed okay ok awesome amazing
    fantastic lot lots bit kind thing things something anything everything always sometimes maybe perhaps even get
    got getting make made making sure actually
    """.split()
)

# German, French, Spanish: the words that stand in every question.
STOP_OTHERS = tuple(
    frozenset(words.split())
    for words in (
        """
    aber alle als also am an ans auch auf aus bei beim bin bis da dann das dass dein deine dem den denn der des dich
    die dir doch du ein eine einem einen einer eines er es euch euer eure für gab gibt habe haben hast hat hatte
    hatten hier ich ihm ihn ihnen ihr ihre ihrem ihren im in ins ist ja kann kein keine man mein meine meinem meinen
    meiner mich mir mit mal muss nach nicht noch nun nur ob oder schon sein seine seinem seinen sich sie sind so
    soll um und uns unser unsere unseren unserer vom von vor war waren warum was wann wegen weil welche welchem
    welchen welcher welches wem wen wenn wer werden wie wieder wieviel will wir wird wo wofür woher wohin worden
    wozu wurde wurden zu zum zur über
        """,
        """
    ai as au aux avait avec avez avons c'est ce ces cet cette comment combien d'un d'une dans de des donc dont du
    elle elles en est et eu eux fait il ils je la le les leur leurs lequel laquelle lui ma mais me mes moi mon même
    ne nos notre nous on ont ou où par pas plus pour pourquoi qu'est qu'il quand que quel quelle quelles quels qui
    quoi sa se ses si son sont sur ta te tes toi ton tu un une vos votre vous y à été était être
        """,
        """
    a al algo como con cuando cuanto cuánto cuál cuáles cómo cuándo de del desde donde dónde el ella ellas ellos en
    era es esa ese eso esta este esto está están fue fueron ha hace han hasta hay he la las le les lo los me mi mis
    más muy no nos nuestra nuestro o para pero por porque qué que quien quién se ser si sin sobre son su sus también
    te tiene tu tus un una unas uno unos y ya yo
        """,
    )
)

# Longest first: they are cut out of a run of Chinese before its pairs are taken.
STOP_ZH = tuple(
    sorted(
        """
    你还记得 为什么 你曾经 名字是 怎么样 我曾经 是不是 是什么 有没有 还记得 一下 一个 一些 一本 一档 一部 上次 什么 他们 但是 你们 你好 关于 发生 干嘛 几个 几次 几点 可以 哪一 哪两 哪个 哪些 哪儿 哪家
    哪里 因为 多久 多少 好的 如何 如果 对吗 当时 怎么 怎样 想要 我们 所以 提过 时候 曾经 最近 没有 记得 说过 请问 谢谢 这天 那天 一 不 与 个 也 了 于 些 从 他 会 你 几 到 去 向 吗 吧
    呀 呢 和 哦 啊 嗯 在 她 它 对 就 很 您 想 我 把 时 是 曾 最 有 本 来 样 没 的 着 种 给 能 被 要 让 请 谁 跟 过 还 这 那 部 都 问
    这个 那个 这样 那样 这么 那么 那次 那回 那件 这件 哪种 其实 然后 觉得 知道 好像 真的 已经 还是 就是 而且 不过 当然
        """.split(),
        key=lambda word: (-len(word), word),
    )
)
# Of the signs above those that are never half of a noun, with signs that follow verbs and count.
PARTICLES_ZH = frozenset(
    "不与个也了于些从你几吗吧呀呢和哦啊嗯在她它他我您就很把是曾最没的着给被让请谁跟过还这那哪什么怎为有去来再做一两次点说看用写"
)
ASKING_ZH = frozenset("内容 分享 名字 告诉 喜欢 推荐 提到 方式 方法 类型".split())

_IRREGULAR = """\
be am is are was were been|begin began begun|bite bit bitten|blow blew blown|break broke broken|bring brought
|build built|burn burnt|buy bought|catch caught|choose chose chosen|come came|deal dealt|dig dug|do did done
|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt
|fight fought|find found|fly flew flown|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen
|get got gotten|give gave given|go went gone|grow grew grown|hang hung|hear heard|hide hid hidden|hold held
|keep kept|know knew known|lay laid|lead led|learn learnt|leave left|lend lent|lose lost|make made|mean meant
|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought
|sell sold|send sent|sew sewn|shake shook shaken|shine shone|shoot shot|show shown|sing sang sung|sink sank sunk
|sit sat|sleep slept|speak spoke spoken|spend spent|spring sprang sprung|stand stood|steal stole stolen|stick stuck
|strike struck|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought
|throw threw thrown|understand understood|wake woke woken|wear wore worn|weave wove woven|win won|wind wound
|write wrote written|child children|man men|woman women|person people|foot feet|tooth teeth|mouse mice|goose geese
|wife wives|life lives|knife knives|leaf leaves|shelf shelves|half halves|wolf wolves|good better best
|bad worse worst"""

# Any form of a word whose forms share no stem → all the others.
IRREGULAR: dict[str, tuple[str, ...]] = {}
PLAIN = frozenset(_row.split()[0] for _row in _IRREGULAR.split("|"))  # these have regular forms too: drinks, drinking
for _row in _IRREGULAR.split("|"):
    for _word in _row.split():
        IRREGULAR[_word] = tuple(w for w in (*IRREGULAR.get(_word, ()), *_row.split()) if w != _word)
