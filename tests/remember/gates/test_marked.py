"""What a note points with is judged as what it is: a link, a name of a file, a field, a drawing; a key stays a key."""

from __future__ import annotations

import base64
import random

import pytest

from memcli.remember.gates import sensitive
from tests.rows import check_rows

KEY = "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2"
IBAN = "GB29NWBK60161331926819"
DATA = base64.b64encode(random.Random(3).randbytes(300)).decode()
HARMLESS = (
    "| Password | ![[lucide-send.svg#icon]] |",
    "click **Publish** next to the password ![[lucide-send.svg#icon]]",
    "---\naliases:\n  - Recovery codes\npermalink: 2fa\n---\n# Two\n",
    "---\naliases:\n  - Passwords\ncssclasses: x1y2z3\nuid: 20231105112233\n---\n",
    f"![[Screenshot 2023-11-05 {IBAN}.png]]",
    f"see [the scan](scans/{IBAN}.pdf) of it",
    f"Pasted-image-{IBAN}.png was lost",
    "![](https://img.shields.io/github/stars/x/simple-password?color=573E7A&logo=github)",
    "password manager: [[Vault2go#Setup-7Day|how]]",
    f'the logo of the account: <img src="data:image/png;base64,{DATA}">',
    f"```compressed-json\n{DATA}\n```\n",
    '```json\n{"type": "excalidraw", "elements": [{"id": "Zk39sLq0Pw82mVbX71nTy", "seed": 4111111111111111, '
    '"text": "the door", "versionNonce": 15123456789}]}\n```\n',
    "キーボード操作時にShift1を押し続ける",
    "SSL/TLS暗号化モードを「Full」に設定",
    "В поле **Пароль** введите свой пароль.",
    "[write](mailto:?subject=I%20lost%20my%202FA)",
    "- **Download recovery codes**: a `shop-recovery-codes2.txt` file",
    "### キー名とキーボードショートカット\n\nキーボードのキー2つを参照する",
    "la palabra clave `values2` es una lista",
)
SENSITIVE = (
    (f"![x]({KEY}.png)", KEY),
    ("see https://ana:Zeus-Bolt-33@nas.example.org/photos", "Zeus-Bolt-33"),
    ("[[wifi password]]: Blue-Kettle-42", "Blue-Kettle-42"),
    ("![[key.png]] the wifi password is Blue-Kettle-42", "Blue-Kettle-42"),
    ("[write](mailto:anna@posteo.net)", "anna@posteo.net"),
    ("https://shop.example.org/login?password=Zeus-Bolt-33", "Zeus-Bolt-33"),
    ("---\npermalink: 2fa\npassword: Blue-Kettle-42\n---\n", "Blue-Kettle-42"),
    (
        '```json\n{"type": "excalidraw", "elements": [{"text": "the wifi password is Blue-Kettle-42", "id": "x"}]}\n```\n',
        "Blue-Kettle-42",
    ),
)


@check_rows("text", HARMLESS)
def test_what_only_points_is_left_as_it_is(text: str) -> None:
    assert sensitive.redacted(text) == (text, [])


@check_rows(("text", "secret"), SENSITIVE)
def test_a_secret_beside_or_within_it_is_found(text: str, secret: str) -> None:
    assert secret not in sensitive.redacted(text)[0]


@pytest.mark.parametrize("piece", ["![[", "](", "https://x/", "```json\n", "data:a;base64,", 'src="', "a.png", "[[a#"])
def test_twice_the_text_takes_no_more_steps_a_character(piece: str) -> None:
    """Each shape begins at a sign of its own and ends within a bound: what is repeated is looked at once."""
    from memcli.remember.gates import pointers

    text = piece * 20_000
    assert len(pointers.hide_pointers(text)) == len(text)
