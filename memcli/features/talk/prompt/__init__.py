"""Build prompts of at most 3500 tokens with a stable role and memory, even if parts fail. Callers use `build(vault,
PromptRequest)`.

The layers have a fixed order, the most trusted first: role, admission, state, summary, questions, recall, recent,
knowledge, and the user's words. `material` gathers the contents, `builder` assigns the tokens and `layers` makes each
layer. Three have a module of their own: `admission`, `state`, which says how to answer, and `knowledge`, which has a
time limit and a breaker because it may be slow. `roles` reads the roles of a model. When a prompt was really sent to a
model, `note_sent` records what it used.
"""

from memcli.features.talk.prompt import roles
from memcli.features.talk.prompt.builder import BuiltPrompt, PromptRequest, build, note_sent
from memcli.features.talk.prompt.layers import Layer
from memcli.features.talk.prompt.roles import Role

__all__ = ["BuiltPrompt", "Layer", "PromptRequest", "Role", "build", "note_sent", "roles"]
