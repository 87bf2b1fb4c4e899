"""Commands whose words are text: what only looks like an option, as `- a list item` or `-5 degrees`, is said all the same."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand

_TEXT = re.compile(r"-(?:[\d\s]|[^\x00-\x7f]|[^\s=]*\s)")
_MARK = "\0"  # can't be typed


class Plain(TyperCommand):
    """Hides such words from the parser and hands them on as they were."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        valued = {name for each in self.params if not getattr(each, "is_flag", True) for name in each.opts}
        before = ["", *args]
        hidden = [
            _MARK + word if _TEXT.match(word) and last not in valued and "--" not in before[: at + 1] else word
            for at, (last, word) in enumerate(zip(before, args, strict=False))
        ]
        left = super().parse_args(ctx, hidden)
        for name, value in ctx.params.items():
            if isinstance(value, (list, tuple)):
                ctx.params[name] = [str(word).removeprefix(_MARK) for word in value]
        return list(left)
