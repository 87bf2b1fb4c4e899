"""Ways are switched off and on, as any feature is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tests.conftest import Ran
from tests.features import needs


@needs("talk")
def test_ways_are_switched_off_and_on(mem: Callable[..., Ran]) -> None:
    anew = partial(mem, PYTHONOPTIMIZE="")  # a process that begins anew: what is on and off is told when it starts
    asked = "how do I speed up an API"
    assert anew("pattern", "add", "speed up an API", "--step", "measure").code == 0
    assert "pattern" in anew("--help").out and "# Done before" in anew("prompt", asked).out
    assert anew("features", "off", "ways").out == "ways is switched off\n"
    assert "pattern" not in anew("--help").out
    off = anew("pattern", "list")
    assert (off.code, "switched off" in off.err, "mem features on ways" in off.err) == (5, True, True)
    assert "# Done before" not in anew("prompt", asked).out
    assert anew("config", "get", "prompt.patterns").out == "120\n"  # what is set of it stays valid
    assert anew("features", "on", "ways").code == 0
    assert anew("pattern", "list").code == 0
