"""Sessions: the working memory of a talk. What was said lies in `sessions/<id>.jsonl`, kept and never recalled."""

from memcli.session.messages import Message

__all__ = ["Message"]
