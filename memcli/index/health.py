"""What `mem status` and `mem doctor` say about the index and its model."""

from __future__ import annotations

from collections.abc import Iterator

from memcli.errors import MemError
from memcli.index import models
from memcli.index.status import State, state
from memcli.vault.health import BROKEN, NOTE, OK, Check
from memcli.vault.vault import Vault


def told(here: State) -> str:
    """The state of the index in one line."""
    if here.trouble:
        return here.trouble
    if not here.made:
        return "none: recall reads the files"
    fresh = f"behind by {here.behind} file{'s' * (here.behind != 1)}" if here.behind else "fresh"
    by = f"words and meaning ({here.model})" if here.model else "words only"
    updated = here.updated.replace("T", " ") or "never"
    return f"{fresh}, {by}, {here.entries} entries, {here.size / 1e6:.1f} MB, updated {updated}"


def checks(vault: Vault) -> Iterator[Check]:
    here = state(vault)
    if here.trouble:
        yield Check("index", BROKEN, told(here), "mem index makes it anew; until then recall reads the files")
    elif not here.made or here.behind:
        yield Check("index", NOTE, told(here), "mem index")
    else:
        yield Check("index", OK, told(here))
    try:
        model = models.asked(vault)
    except MemError as error:
        yield Check("model", BROKEN, f"{error.message}: recall works by words alone", error.hint)
        return
    if model is None:
        yield Check("model", NOTE, "none chosen: recall works by words alone", "mem model list shows the choice")
    else:
        languages = ", ".join(model.languages) or "no language it was tried in"
        yield Check("model", OK, f"{model.name}, {model.dim} numbers a text, for {languages}")
