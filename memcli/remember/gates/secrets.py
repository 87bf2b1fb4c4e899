"""Keys, tokens, passwords and strings that look like them.

The shapes of well-known keys are detect-secrets' where it has them; what it lacks, passwords in sentences of either
language and random strings without quotes are judged here.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module

from memcli.remember.gates.sensitive import Found
from memcli.text.plain import Plain, joined

# detect-secrets costs 170 ms to load, so a text must show the beginning of a key that it knows.
_KNOWN = re.compile(
    r"AKC\w{10}|A3T|A[BKSC][IC]A[0-9A-Z]{16}|AccountKey=|[MNO][\w-]{23,25}\.[\w-]{6}\.|gh[pousr]_|gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt"
    r"|agent|oas)-|GR1348941|(?i:(?<![^\W_])(?:ibm|cloudant|softlayer|cl|sl).{0,40}(?:key|pass|pw|token|http)|hooks\.slack|xox[abposr]-|aws.{0,40}[\"'][0-9a-z/+]{40}[\"'])|eyJ|[0-9a-z]{32}-us\d|T3BlbkFJ|pypi-Ag|SG\."
    r"|sq0csp|[rs]k_live_|\d{8,10}:[\w-]{35}|(?:AC|SK)[a-z0-9]{32}",
    re.A,
)
_PLUGINS = {
    "artifactory": "ArtifactoryDetector", "aws": "AWSKeyDetector", "azure_storage_key": "AzureStorageKeyDetector",
    "cloudant": "CloudantDetector", "discord": "DiscordBotTokenDetector", "github_token": "GitHubTokenDetector",
    "gitlab_token": "GitLabTokenDetector", "ibm_cloud_iam": "IbmCloudIamDetector", "ibm_cos_hmac": "IbmCosHmacDetector",
    "jwt": "JwtTokenDetector", "mailchimp": "MailchimpDetector", "openai": "OpenAIDetector",
    "pypi_token": "PypiTokenDetector", "sendgrid": "SendGridDetector", "slack": "SlackDetector",
    "softlayer": "SoftlayerDetector", "square_oauth": "SquareOAuthDetector", "stripe": "StripeDetector",
    "telegram_token": "TelegramBotTokenDetector", "twilio": "TwilioKeyDetector",
}  # fmt: skip
# Keys it does not know, by the beginning their makers gave them.
_OWN = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:sk-(?:ant|proj|or|svcacct)-|github_pat_|AIza|glsa_|xapp-|ya29\.|PMAK-|tskey-|sntry[su]_|nvapi-|dckr_pat_)"
    r"(?=[\w-]{0,99}[\dA-Z])[\w-]{16,}|(?:sk-|npm_|hf_|dop_v1_|shp(?:at|ca|pa|ss)_|dapi|hv[sb]\.|ntn_|AGE-SECRET-KEY-1|lin_api_|gsk_|LTAI|AKID"
    r"|[rsp]k_(?:live|test)_|whsec_|xai-|pplx-|r8_|figd_)[A-Za-z0-9]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)"
    r"|:_authToken=\s{0,3}([\w-]{20,})|[?&;]sig=([\w%+/=-]{20,})",
    re.A,
)
_PRIVATE = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[\s\S])*(?:-----END [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----)?"
)
_BEARER = re.compile(r"\b(?:bearer|authorization: basic) +([\w.~+/-]{16,}={0,2})", re.I | re.A)
_GIVEN = (  # what a program is given
    re.compile(r"://[^\s:/@]*:([^\s/]{3,200})@(?=[\w\[])"),
    re.compile(r"\bmysql\w*\b[^\n]{0,80}? -p([^\s-]\S{3,})"),
    re.compile(r"\bsshpass +-p *[\"']?([^\s\"']{3,99})"),
    re.compile(r"\bcurl\b[^\n]{0,200}? (?:-u|--user)[ =]?[\"']?[^\s:\"']{1,60}:([^\s\"']{3,99})"),
)
_ALSO = (  # what is one because it is called so
    re.compile(
        r"(?i:(?:seed|recovery|mnemonic|backup|secret) (?:phrase|words)|mnemonic|助记词)[\s:=\"'“是为]{0,4}(?:is |are )?[\"'“]?((?:[a-z]{3,8}[ ,\n]{1,3}){11,23}[a-z]{3,8})"
    ),
    re.compile(
        r"(?i:[tho]?otp|2fa|mfa|authenticator)[ _-]{0,2}(?i:secret|key|seed|密钥)[\"'`*]{0,2}\s{0,2}(?:is|[:=是])?\s{0,2}[\"'`]?([A-Z2-7]{4}(?: ?[A-Z2-7]{4}){3,15})"
    ),
    re.compile(
        r"(?:2fa|mfa|two.factor|backup|recovery|备用|恢复|应急)[ _-]{0,2}(?:backup |recovery )?(?:codes?|码)[\"'`*]{0,2}(?:\s?(?:\bis|\bare|[:=是])\s?|\s{1,2})[\"'`]?"
        r"(?!(?:19|20)\d\d-)(?=[\w-]{0,40}\d)([a-z\d]{4,12}(?:-[a-z\d]{3,12}){1,5}|(?=\d{0,20}[a-z])[a-z\d]{8,20}|\d{6,10})(?![\w-])",
        re.I | re.A,
    ),
)
_BEFORE = (  # a password first, and then that it is one
    re.compile(
        r"(?<!\S)[\"'`]?([!-~][^\s\"'`,;，。]{5,40})[\"'`]? (?:is|was|as) (?:the|my|our|your|his|her|their|a)\b (?:(?!with)[\w'-]{1,16} ){0,3}pass(?:word|phrase|code)\b(?! \w)"
        r"|(?<!\S)[\"'`]?([!-~][^\s\"'`,;，。]{5,40})[\"'`]? (?:is|was|as) (?:the|my|our|your|his|her|their|a)\b (?:(?!with)[\w'-]{1,16} ){0,3}pass(?:word|phrase|code) (?:for|at|of|on|to|in)\b",
        re.I,
    ),
    re.compile(r"(?<![!-~])([!-~]{6,40}) ?(?:就?是|作为?|当)[^，。？\n]{0,8}(?:密码|口令)(?!管理|策略|器|本)"),
)

_VALUE = r"""(?:["'`“「‘](?P<quoted>[^"'`”」’\n]{3,120})["'`”」’]|(?P<bare>[!-~][^\s"'`“”,;，。；、<>\u3000-\u9fff]{3,199}))"""
_SAYS = (
    r"""(?: (?:for|of|on|at) [^\n.,;:=|()]{1,30}?)??["'`\]*_]{0,3}(?P<how>[ \t]{0,60}\s{0,3}(?:=>|:=|->|={1,3}|:{1,2}|[|>]|[-(](?=\S)|- )[ \t]{0,60}\s{0,3}"""
    r"""|\s{0,2}(?:\b(?:(?:is|was|will be|should be)(?: now| still| again)?|(?:(?:is |was |got |has been )?(?:now )?(?:changed|set|reset|switched|updated) )?to)\b|就?是|[为成]了?|'s(?= ))\s{0,2}:?|(?<=[码令钥号호ド])\s{0,3}|\s{1,3}(?=\S{0,40}\d))"""
)
_NAMED = re.compile(
    r"(?=[abcdegiklmprstuw密口令暗パ비암])(?:(?P<password>pass ?words?|passwd|passwort|kennwort|passphrase|passcode|credentials?|secret|contraseña|mot de passe|senha|wachtwoord"
    r"|(?<![A-Za-z])(?:pwd|pw|pass)|密\s?码(?:改|换|设)?|口令|暗証番号|パスワード|비밀번호|암호)"
    r"|(?P<token>(?:api|access|auth|secret|client|account|service|license)[ _-]?(?:access[ _-])?key(?:[ _-]?id)?|client[ _-]?secret|secret[ _-]?id"
    r"|(?:access|auth|refresh|api|bearer|id)?[ _-]?token|密钥|令牌|(?<![A-Za-z])key)"
    r"|(?P<pin>(?<![A-Za-z])(?:pin|(?:alarm|door|gate|entry|unlock|safe|access|security|lock(?:er)?|garage|box) code))(?![A-Za-z]))"
    + _SAYS
    + _VALUE,
    re.I,
)
_NAMES = (
    "pass",
    "pw",
    "credential",
    "secret",
    "key",
    "token",
    "pin",
    "code",
    "密",
    "口令",
    "令牌",
    "contrase",
    "senha",
    "wort",
    "暗証",
    "パス",
    "비밀",
    "암호",
)
# What a text must say, in lower case, before a pattern is worth trying: documents are long, and the patterns slow.
_CUES: dict[re.Pattern[str], tuple[str, ...]] = {
    _OWN: tuple(
        "sk- github_pat_ aiza glsa_ xapp- ya29. pmak- tskey- sntry nvapi- dckr_pat_ npm_ hf_ dop_v1_ shpat_ shpca_ shppa_ shpss_ dapi hvs. "
        "hvb. ntn_ age-secret lin_api_ gsk_ ltai akid k_live_ k_test_ whsec_ xai- pplx- r8_ figd_ eyj _authtoken sig=".split()
    ),
    _BEARER: ("bearer", "authorization"),
    **dict(zip(_GIVEN, (("://",), ("mysql",), ("sshpass",), ("curl",)), strict=True)),
    **dict(
        zip(
            _ALSO,
            (
                ("phrase", "words", "mnemonic", "助记词"),
                ("otp", "2fa", "mfa", "authenticator"),
                ("2fa", "mfa", "factor", "backup", "recovery", "备用", "恢复", "应急"),
            ),
            strict=True,
        )
    ),
    **dict(zip(_BEFORE, (("pass",), ("密码", "口令")), strict=True)),
}
_LINES = 5  # that a name and its password may take
_NO_VALUE = re.compile(
    r"[$<{%\[(]|\*{2}|x{3,}\Z|\.{2}|…|(?:os|process|config|settings|env|self|getpass|request|user|args|ctx|data|vault)\b[.\[(]|\w+\("
    r"|(?:none|null|nil|true|false|str|string|text|bool|int|required|optional|hidden|forgotten|reset|changed|unchanged"
    r"|unknown|expired|empty|missing|wrong|invalid|incorrect|stored|hashed|later|value|your\b.*|password|passwd|secret|token|see|ask"
    r"|here|below|above)\W*\Z",
    re.I,
)
_DATED = re.compile(
    r"(?:19|20)\d\d[-/.]|\d{1,3}(?:[-–+]\d{1,3})?-?(?:bits?|char\w*|days?|digits?|letters?|months?|th|st|nd|rd|x)?\Z|1password"
    r"|(?:argon|sha|md|base|pbkdf|utf|oauth|keepass|office|windows|win|macos|ios|android|python|version|v|part|step|page|level|reset|policy|rule|test|ps|mp|h|room)[-_]?\d+\b",
    re.I | re.A,
)
_STRING = re.compile(
    r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{20,}={0,2}(?![A-Za-z0-9])|(?<=[=:])[A-Za-z0-9+/_-]{20,}={0,2}(?![A-Za-z0-9])"
)
_PUBLIC = re.compile(r"(?:ssh-\w+|ecdsa-\S+|SHA256:|;base64,|https?://\S{0,300})\s?\Z", re.A)
_BREAK = re.compile(r"(?<=[A-Za-z0-9+/_-]{8})[ \t]*\\?\n[ \t>|]*(?=[A-Za-z0-9+/_=-]{8})")


def private_keys(seen: Plain) -> Iterator[Found]:
    for match in _PRIVATE.finditer(seen.text):
        yield Found("private_key", *seen.span(*match.span()))


def found(seen: Plain) -> Iterator[Found]:
    for kind, start, stop in _in(seen.text):
        yield Found(kind, *seen.span(start, stop))
    if _BREAK.search(seen.text):  # one that goes on in the next line
        whole = joined(seen, _BREAK, _goes_on)
        for kind, start, stop in _in(whole.text) if whole.text != seen.text else ():
            begin, end = whole.span(start, stop)
            if kind in ("api_key", "high_entropy") and end - begin > stop - start:
                yield Found(kind, begin, end)


def _in(text: str) -> Iterator[tuple[str, int, int]]:
    low = text.lower()
    for shape in (_OWN, *(_shapes() if _KNOWN.search(text) else ())):
        for match in _all(shape, text, low):
            longest = max(range(len(match.groups()) + 1), key=lambda n: len(match[n] or "") if n else 0)
            part = longest if longest and len(match[longest] or "") >= 20 else 0
            yield "api_key", *match.span(part)
    for match in _all(_BEARER, text, low):
        if _is_mixed(match[1]):
            yield "api_key", *match.span(1)
    for shape in (*_GIVEN, *_ALSO, *_BEFORE):
        for match in _all(shape, text, low):
            nth = match.lastindex or 0
            if not _NO_VALUE.match(match[nth]) and (shape not in _BEFORE or _is_odd(match[nth])):
                yield "password", *match.span(nth)
    for match in _named(text, low):
        kind = "api_key" if match["token"] else "password"
        group = "quoted" if match["quoted"] else "bare"
        value = re.split(r"&\w+=|[.)]\(", match[group])[0] if group == "bare" else match[group]
        value = value.rstrip(".:)]}*_") if group == "bare" and "=" not in match["how"] else value
        if _is_said(match, value):
            yield kind, match.start(group), match.start(group) + len(value)
    for match in _STRING.finditer(text):
        if _is_random(match[0]) and not _PUBLIC.search(text, max(0, match.start() - 320), match.start()):
            yield "high_entropy", *match.span()


def _all(shape: re.Pattern[str], text: str, low: str) -> Iterator[re.Match[str]]:
    if any(cue in low for cue in _CUES.get(shape, ("",))):
        yield from shape.finditer(text)


def _named(text: str, low: str) -> Iterator[re.Match[str]]:
    """What is called a password, looked for on the lines around such words."""
    if len(low) != len(text):  # letters that are two in lower case: places would be off
        yield from _NAMED.finditer(text)
        return
    starts = set()
    for word in _NAMES:
        at = low.find(word)
        while at >= 0:
            starts.add(low.rfind("\n", 0, at) + 1)
            at = low.find(word, at + len(word))
    done = 0
    for start in sorted(starts):
        stop = start
        for _ in range(_LINES):
            stop = low.find("\n", stop) + 1 or len(low) + 1
        for match in _NAMED.finditer(text, max(start, done), stop - 1):
            done = match.end()
            yield match


def _is_said(match: re.Match[str], value: str) -> bool:
    """Whether what follows the word `password` is one, and not talk about passwords or code that fetches one."""
    how, quoted = match["how"].strip(" \t:"), bool(match["quoted"])
    if len(value) < 3 or _NO_VALUE.match(value):
        return False
    digit = any(sign.isdigit() for sign in value)
    if match["pin"]:
        return bool(re.match(r"(?:\d[#*-]?){4,8}(?!\d)", value)) and not _DATED.match(value)
    if match["token"]:
        if re.match(r"[~.]{0,2}/|\w+://|[A-Za-z_]+(?:\.[A-Za-z_]+)+\Z|.*[ (]", value) or value.isdigit():
            return False
        plain_name = match["token"].lower() in ("key", "token") or not match["how"].strip()
        return _is_keylike(value) or (not plain_name and len(value) >= 12 and digit)
    name = match["password"].lower()
    if name.isascii() and (
        (how in ("", "will be", "should be", "(", "-", "|", ">", "'s") or how.endswith("to"))
        and ":" not in match["how"]
    ):
        number = re.fullmatch(r"(?!(?:19|20)\d\d)\d{5,12}", value)
        return name not in ("pass", "secret") and (bool(number) or _is_odd(value))
    if name == "secret" or not match["how"].strip():
        return (digit and len(value) >= 4) or (match["how"] == "=" and len(value) >= 8 and "(" not in value)
    if quoted or how in ("=", "=>", ":=", "->", "=="):
        return len(value) >= 4 and "(" not in value and not re.fullmatch(r"[a-z_]+\.[\w.]+", value)
    bare = re.sub(r"[-/]", "", value)
    odd = digit or not bare.isalnum() or not (bare.islower() or bare.isupper() or bare.istitle())
    if how and ":" not in match["how"]:
        return odd and (digit or len(value) >= 6) and not _DATED.match(value)
    alone = (
        not match.string[match.end() : match.end() + 2].strip() or "\n" in match.string[match.end() : match.end() + 1]
    )
    return (odd and "(" not in value) or (alone and len(value) >= 6)


def _is_odd(value: str) -> bool:
    """Whether nobody would take it for a word, a day, a version or a quantity of an ordinary sentence."""
    if len(value) < 6 or "://" in value or _DATED.match(value) or not any(map(str.isalpha, value)):
        return False
    if re.search(r"[a-z\d][!#$%^&*+?~@_][A-Za-z\d]", value):
        return True
    return any(map(str.isdigit, value)) and not (re.search(r"[-/._]", value) and value.islower())


def _is_mixed(text: str) -> bool:
    """Letters and digits, as chance mixes them."""
    return any(sign.isdigit() for sign in text) and any(sign.isalpha() for sign in text)


def _is_keylike(text: str) -> bool:
    """Whether it would be a key even if nobody had called it one: no words in it, nor dates."""
    return _is_random(text + "00") or bool(
        re.fullmatch(r"(?=.*\d.*\d.*\d)(?=.*[A-Za-z].*[A-Za-z])[A-Za-z0-9]{16,}", text)
    )


def _goes_on(gap: re.Match[str]) -> bool:
    """Whether a line break stands in the middle of a key: both sides of it look like a part of one."""
    left = re.search(r"[A-Za-z0-9+/_-]{8,200}\Z", gap.string[max(0, gap.start() - 200) : gap.start()])
    right = re.match(r"[A-Za-z0-9+/_=-]{8,200}", gap.string[gap.end() : gap.end() + 200])
    return bool(left and right and _is_part(left[0]) and _is_part(right[0]))


def _is_part(text: str) -> bool:
    """Whether it may be a piece of a key: digits among letters, or upper and lower case all over."""
    cases = [sign.isupper() for sign in text if sign.isalpha()]
    return _is_mixed(text) or sum(a != b for a, b in itertools.pairwise(cases)) * 3 > len(cases)


def _is_random(text: str) -> bool:
    """Whether chance has put these characters together: both cases and digits, changing all the time."""
    if re.fullmatch(r"(?:PL|UU|OL)[\w-]{32}", text):  # a list of videos
        return False
    core = re.sub(r"\Asha\d{3}-.*", "", text.rstrip("="))  # a checksum
    signs = [2 if sign.isdigit() else 1 if sign.isupper() else 0 for sign in core if sign.isalnum()]
    if len(set(signs)) < 3 or len(core) - len(signs) > len(core) / 8 or (signs.count(2) < 2 and len(core) < 36):
        return False
    changes = sum(a != b for a, b in itertools.pairwise(signs)) / len(signs)
    spread = -sum(n / len(core) * math.log2(n / len(core)) for n in Counter(core).values())
    return changes > 0.4 and spread > 0.75 * math.log2(len(core))


@lru_cache(maxsize=1)
def _shapes() -> tuple[re.Pattern[str], ...]:
    """The patterns of detect-secrets."""
    plugins = (getattr(import_module(f"detect_secrets.plugins.{name}"), made) for name, made in _PLUGINS.items())
    return tuple(shape for plugin in plugins for shape in plugin.denylist)
