"""Define the settings `prompt.*`: how a prompt is laid out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memcli.vault.setting import Section, setting

if TYPE_CHECKING:
    from memcli.vault.vault import Vault


class PromptSizes(Section):
    """Set how a prompt is laid out, in tokens. What one layer does not need is left free."""

    total: int = setting(3500, "tokens of a prompt, everything in it counted")
    free: int = setting(1000, "tokens kept for the user's words and the answer, two sevenths of the total at most")
    role: int = setting(150, "tokens of the role")
    state: int = setting(140, "tokens of the state, the anchors of the session and the preferences")
    long_term: int = setting(200, "tokens of the session's summaries")
    questions: int = setting(100, "tokens of what the user may be asked")
    recall: int = setting(900, "tokens of the recalled memories")
    meant: int = setting(2, "memories found by meaning alone, at most, of likeness 0.65; none within a conversation")
    recent: int = setting(800, "tokens of the last turns, the summaries counted in")
    talk_first: bool = setting(False, "the last turns stand above recalled memories, not below them")
    rounds: int = setting(8, "rounds of the conversation at most: what the user said, and the reply")
    knowledge: int = setting(300, "tokens from the knowledge store")
    use_knowledge: bool = setting(True, "use the knowledge store, unless a session or --no-knowledge says otherwise")
    knowledge_limit: int = setting(800, "milliseconds after which the prompt goes on without knowledge")
    breaker_failures: int = setting(3, "failures of knowledge in a row after which it is left alone for a while")
    breaker_minutes: float = setting(5.0, "how long, in minutes; then one prompt tries it again")


def sizes_of(vault: Vault) -> PromptSizes:
    """Return the sizes in force for a vault: those that were set, and otherwise the defaults above."""
    chosen = vault.settings.features
    named = {name: f"prompt.{name}" for name in PromptSizes.settings}
    return PromptSizes(**{name: chosen[full] for name, full in named.items() if full in chosen})
