"""An e-mail address or a phone number is kept by whom it is about: of others who are named, both; of oneself, neither."""

from __future__ import annotations

import pytest

from memcli.remember import Memory, add
from memcli.remember.gates import sensitive
from memcli.remember.gates.gate import TurnedAway
from memcli.vault.vault import Vault

OTHERS = (
    "Anna writes from anna@posteo.net, her phone is +49 170 1234567",
    "call the dentist at +1 415 555 2671",
    "My sister Ingrid moved: ingrid@posteo.net",
    "Tom: tom@posteo.net",
    "Olga's email is olga@posteo.net",
    "Åsa's email is asa@posteo.net",
    "Łukasz is at lukasz@posteo.net",
    "Great rehearsal today! Olga can be reached at olga@posteo.net",
    "国药的业务员小蔡（蔡文杰）电话 13812345678",
    "小林的电话 13812345678，邮箱 lin@posteo.net",
    "房东电话 13812345678",
    "居委会电话 021-62345678",
    "Marcus 的手机 +49 151 23456789",
    "发行那边联系人 Marcus，marcus@posteo.net",
    "谭老板 毛肚 13812345678",
    "罗敏13812345678",
    "王姐 13812345678",
    "快递站 13812345678，打 13912345678 找物业",
    "My GP is Dr Whitlock, phone +44 117 496 0200",
    "老邹的微信 laozou_zx，电话 13880561234，要中午才接",
    "St Mary's hospital, ward four: +44 20 7946 0000",
)
NOBODY = (
    "my e-mail is anna@posteo.net",
    "our new phone is +1 415 555 2671",
    "alerts go to ops@posteo.net",
    "the email for Netflix is anna@posteo.net",
    "我的手机 13812345678",
    "我（陈屿）电话 13812345678",
    "家里13812345678",
    "my new number is 06 55512345",
    "new number's 06 55512345",
    "换了 Gmail 邮箱 song@posteo.net",
)


@pytest.mark.parametrize("text", OTHERS)
def test_how_others_are_reached_is_kept(text: str, vault: Vault) -> None:
    assert sensitive.redacted(text)[1], "there is something to keep"
    added = add(vault, Memory(text))
    assert added.entry and text in added.entry.raw


@pytest.mark.parametrize("text", NOBODY)
def test_of_oneself_or_nobody_it_is_blacked_out(text: str, vault: Vault) -> None:
    added = add(vault, Memory(text))
    assert added.entry and "[REDACTED_" in added.entry.raw


def test_a_refused_number_of_ones_own_is_told_where_it_may_stand(vault: Vault) -> None:
    with pytest.raises(TurnedAway) as refused:
        add(vault, Memory("我的电话是13812345678"))
    assert "mem label set" in (refused.value.hint or "")


def test_a_document_full_of_names_is_no_address_book() -> None:
    assert not sensitive.is_about_others("Anna writes from anna@posteo.net. " * 20)
