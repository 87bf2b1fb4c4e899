"""Define the settings of the gates; names, policies, options and docs derive from the one line of each kind of text."""

from __future__ import annotations

from typing import Any

from memcli.vault.setting import Key, Section, setting

REFUSE, REDACT, ALLOW = "refuse", "redact", "allow"  # strictest first


def kind(policy: str, words: str, meaning: str) -> Any:
    """Return the setting of one kind of sensitive text: its default policy and what it is called."""
    return Key("", str, policy, meaning, (REFUSE, REDACT, ALLOW), True, words)


def personal(policy: str, words: str, meaning: str) -> Any:
    """Return the setting of a kind that says who or where somebody is, not of a secret of a service or a door."""
    return kind(policy, words, meaning)._replace(personal=True)


class Gates(Section):
    """Set what may be kept: `refuse` writes nothing, `redact` blacks it out, `allow` keeps it as it is."""

    worth: bool = setting(True, "turn away what is too short, small talk or the output of a program")
    answer: int = setting(50, "bytes of an assistant's answer below which nothing of it is worth keeping")
    agent_hourly: int = setting(120, "memories an agent may add to its space within an hour; 0: any number")
    duplicate: bool = setting(True, "mark a memory as seen again instead of writing it a second time")
    contacts: bool = setting(True, "keep e-mail addresses and phone numbers of others that a memory names")
    # The stronger kind comes first: where two kinds match the same text, the first one names it.
    private_key: str = kind(REFUSE, "a private key", "private keys, of whatever kind")
    api_key: str = kind(REFUSE, "an API key or token", "keys and tokens of services")
    password: str = kind(REFUSE, "a password", "passwords, PINs, codes of doors and for recovery, seed phrases")
    iban: str = personal(REDACT, "a bank account", "bank accounts: IBANs, and numbers said to be of an account")
    national_id: str = personal(
        REDACT, "the number of an id, a passport or an insurance", "numbers of ids, passports, insurances and taxes"
    )
    card: str = personal(REDACT, "a payment card", "payment cards, and their three digits")
    email: str = personal(
        REDACT, "an e-mail address", "your e-mail addresses and any without a name; labels keep those you want to find"
    )
    ip: str = personal(REDACT, "a public IP address", "public IP addresses")
    phone: str = personal(
        REDACT, "a phone number", "your phone numbers and any without a name; labels keep those you want to find"
    )
    company_number: str = personal(ALLOW, "the number of a company", "numbers of companies in China")
    licence_plate: str = personal(ALLOW, "a licence plate", "licence plates of China and Germany")
    chat_id: str = personal(ALLOW, "a name in a chat", "names in WeChat, Telegram, Line and others")
    address: str = personal(ALLOW, "a postal address", "streets with their numbers")
    high_entropy: str = kind(REDACT, "a random string that may be a secret", "random strings that may be a secret")


# What each kind is called in a sentence, by its name. PERSONAL lists those that are personal.
KINDS = {name: made.words for name, made in Gates.settings.items() if made.words}
PERSONAL = tuple(name for name, made in Gates.settings.items() if made.personal)
