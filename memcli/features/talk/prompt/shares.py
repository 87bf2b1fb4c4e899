"""Assign the tokens of a prompt to its layers, by priority."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memcli.features.talk.prompt import admission, knowledge, layers, state
from memcli.features.talk.prompt.layers import Count, Layer
from memcli.features.talk.prompt.material import PromptMaterial, attempt
from memcli.vault.vault import Vault
from memcli.vault.vault_language import vault_language

if TYPE_CHECKING:
    from memcli.features.talk.prompt.roles import Role
    from memcli.features.talk.sizes import PromptSizes
    from memcli.session import Session

OF_TALK = "the conversation itself is asked for"
_MORE = 10  # tokens by which the line of fewer messages may be longer


class Shares:
    """Hold the layers made so far, and the tokens left for the others."""

    def __init__(
        self, vault: Vault, session: Session | None, found: PromptMaterial, sizes: PromptSizes, limit: int, count: Count
    ) -> None:  # fmt: skip
        self.vault, self.session, self.found = vault, session, found
        self.sizes, self.limit, self.count = sizes, limit, count
        self.heads = layers.heads(session) | {each.name: each.head for each in found.added}
        text = layers.words(found.words)
        self.made = {"words": Layer("words", sizes.free, count(text), ("user",) * bool(found.words), text=text)}
        self.room = limit - self.word_tokens

    @property
    def word_tokens(self) -> int:
        """Return the tokens of the user's words."""
        return self.made["words"].tokens

    def left(self, budget: int) -> int:
        """Return how many tokens of a budget are still available."""
        return max(0, min(budget, self.room))

    def add_layer(self, layer: Layer) -> int:
        """Add a layer, and return how many tokens it took."""
        tight = self.room < layer.budget and bool(layer.left_out or layer.why == layers.NO_ROOM)
        self.made[layer.name] = replace(layer, tight=tight)
        self.room -= layer.tokens
        return layer.tokens

    def add_lines(self, name: str, budget: int, width: int = layers.LINE) -> int:
        """Add a layer that is made of lines, and return how many tokens it took."""
        lines, tokens_left, backwards = self.found.lines[name], self.left(budget), name == "summary"
        return self.add_layer(
            layers.listed(name, self.heads[name], lines, budget, tokens_left, self.count, backwards, width)
        )

    def add_fixed_layers(self, who: Role) -> None:
        """Add the admission, the role and the state. They are included even when the user's words fill the prompt."""
        sizes, vault, limit, count, lines = self.sizes, self.vault, self.limit, self.count, self.found.lines["state"]
        spoken = vault_language(vault)
        if self.room < 0:
            vault.notice(
                "the user's words alone take {n} tokens of {all}: they stay whole, memory stays out",
                n=self.word_tokens,
                all=limit,
            )
            duty = admission.layer(vault.today, spoken, limit, count).budget
            self.room = sizes.role + sizes.state + duty  # the limit is exceeded anyway
        self.add_layer(admission.layer(vault.today, spoken, self.room, count))
        rules = [line for line in lines if line[0].startswith(layers.ANCHOR)]
        above_all = state.layer(self.heads["state"], rules, sizes.state, self.left(limit), count).tokens
        self.add_layer(layers.role(who, sizes.role, self.left(min(sizes.role, max(0, self.room - above_all))), count))
        needed = self.add_layer(state.layer(self.heads["state"], lines, sizes.state, self.left(limit), count))
        if needed > sizes.state:
            vault.notice(
                "the state takes {n} tokens of {all}: what holds in this conversation stands whole",
                n=needed,
                all=sizes.state,
            )
        for source, _ in lines:
            if source.startswith(layers.ANCHOR) and source not in self.made["state"].items:
                vault.notice("the state has no room for what holds in this conversation: {what}", what=source)

    def add_optional_layers(self, pick: layers.Pick | None) -> tuple[layers.Turns, tuple[str, ...]]:
        """Add the conversation, the lines and the memories by priority: each layer gets the tokens that earlier ones
        left.

        Return the turns that are shown verbatim, and the labels that were used.
        """
        last, held = self._hold_last_exchange()
        sizes, turns = self.sizes, self.found.turns
        summed = self.add_lines("summary", max(0, min(sizes.long_term, sizes.recent - held)))
        recent_room = sizes.recent - summed - held
        reserved = self._size_of_rest(last, recent_room, bool(summed))
        self.room -= reserved
        self._add_standing_lines()
        used = self._add_memory(pick)
        recent_room = self.left(recent_room - reserved)
        recent, kept = layers.recent(self.session, turns, last, sizes.recent - summed, recent_room, self.count)
        self.room += held + reserved
        self.add_layer(recent)
        self._sum_up_the_rest(kept, summed)
        return kept, used

    def _hold_last_exchange(self) -> tuple[layers.Turns, int]:
        """Return the last exchange with its tokens, and leave the rest for the other layers. It comes before all else,
        and may use half of the room that stays free otherwise."""
        sizes, found, words = self.sizes, self.found, self.word_tokens
        fixed = sum(layer.tokens for layer in self.made.values()) - words
        free = min(sizes.free, self.limit * 2 // 7)
        self.room = self.limit - fixed - max(words, free // 2)
        alone = len(found.unsummed) < 3 and not found.lines["summary"]
        room = self.left(sizes.recent - (0 if alone else sizes.long_term))
        last = layers.exchange(self.session, found.turns, room, self.count)
        held = self.count(layers.spoken(self.session, last))
        self.room = self.limit - fixed - max(words, free) - held
        return last, held

    def _size_of_rest(self, last: layers.Turns, recent_room: int, has_summary: bool) -> int:
        """Return about how many tokens the line will take that sums up the turns which don't fit; 0 if all may fit."""
        turns, unsummed, count = self.found.turns, self.found.unsummed, self.count
        others = sum(count(layers.shown(turn)) for at, turn in enumerate(turns) if at not in last)
        if not (len(unsummed) > len(turns) or 0 < others > min(recent_room, self.room - self.sizes.recall)):
            return 0
        head = "" if has_summary else self.heads["summary"]
        return count(layers.bulleted(head, layers.in_a_line(self.session, unsummed[:-1]))) + _MORE

    def _add_standing_lines(self) -> None:
        """Add the questions to ask, and the lines of features."""
        self.add_lines("questions", self.sizes.questions)
        for each in self.found.added:
            grown = max(1.0, self.limit / max(1, self.sizes.total))
            size = int(self.vault.settings.of_feature(f"prompt.{each.name}") * grown)
            self.add_lines(each.name, size, layers.STANDING if each.is_long else layers.LINE)

    def _add_memory(self, pick: layers.Pick | None) -> tuple[str, ...]:
        """Add the results of recall, and return the labels that were used."""
        results, stated, most = self.found.sought, self.made["state"].items, self.sizes.recall
        if results and pick:
            results = layers.picked(results, pick, stated, self.left(most), self.count)
        memory, used = layers.memory(results, stated, most, self.left(most), self.count)
        self.add_layer(replace(memory, why=OF_TALK) if self.found.of_talk else memory)
        return used

    def _sum_up_the_rest(self, kept: layers.Turns, summed: int) -> None:
        """Make the summary again if some turns are not shown verbatim: it gets a line about them."""
        unsummed, lines = self.found.unsummed, self.found.lines
        first = len(unsummed) - len(self.found.turns)
        missing = [turn for at, turn in enumerate(unsummed, -first) if at not in kept]
        if not missing:
            return
        lines["summary"] = layers.in_a_line(self.session, missing) + lines["summary"]
        self.room += summed
        self.add_lines("summary", min(self.sizes.long_term, self.sizes.recent - self.made["recent"].tokens))
        where = "not all of it in the summary" if self.made["summary"].left_out else "they are in the summary"
        self.vault.notice(
            "{n} messages of the conversation have no room as they were said: {WHERE}", n=len(missing), WHERE=where
        )

    def add_knowledge(self, is_on: bool) -> None:
        """Add passages of documents, which have the lowest priority."""
        size = self.sizes.knowledge
        world = size, self.left(size), self.count, is_on
        nothing = Layer("knowledge", size)
        vault, words = self.vault, self.found.words
        self.add_layer(attempt(vault, "knowledge", lambda: knowledge.layer(vault, words, *world), nothing))
