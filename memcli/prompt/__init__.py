"""The prompt: what a model is given before it answers, layer by layer. `roles` says who it is to be."""

from memcli.prompt import roles
from memcli.prompt.roles import Role

__all__ = ["Role", "roles"]
