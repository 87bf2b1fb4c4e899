"""Build prompts: a stable self in at most 3500 tokens, even if parts fail. Callers use `build(vault, PromptRequest)`.

The layers have a fixed order, the most trusted first: role, admission, state, summary, questions, recall, recent,
knowledge, and the user's words. `material` finds what there is, `builder` shares out the tokens and `layers` makes
each layer. Three have a file of their own: `admission`, `state`, which says how to answer, and `knowledge`, which may
be late, so it has a time limit and a breaker. `roles` says who a model is to be. When a prompt was really given to a
model, `note_sent` records what it used.
"""

from memcli.features.talk.prompt import roles
from memcli.features.talk.prompt.builder import BuiltPrompt, PromptRequest, build, note_sent
from memcli.features.talk.prompt.layers import Layer
from memcli.features.talk.prompt.roles import Role

__all__ = ["BuiltPrompt", "Layer", "PromptRequest", "Role", "build", "note_sent", "roles"]
