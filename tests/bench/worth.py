"""What the worth gate keeps and turns away: `python tests/bench/worth.py FILE [--show]`.

A file is a list of texts, each with `keep`: whether somebody may want to know it later.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from memcli.remember.gates.worth import why_worthless


def main(file: str, show: bool) -> None:
    counts: Counter[tuple[str, bool, bool]] = Counter()
    for case in json.loads(Path(file).read_text(encoding="utf-8")):
        kept = not why_worthless(case["text"])[0]
        counts[case["lang"], case["keep"], kept] += 1
        if show and kept != case["keep"]:
            print(f"{case['kind']:10} {'kept' if kept else 'turned away'}: {case['text']!r}")
    for lang in sorted({lang for lang, _, _ in counts}):
        right = [
            (counts[lang, keep, keep], counts[lang, keep, True] + counts[lang, keep, False]) for keep in (True, False)
        ]
        (kept, worthy), (refused, noise) = right
        print(f"{lang}: {kept} of {worthy} worth keeping kept, {refused} of {noise} not worth it turned away")


if __name__ == "__main__":
    main(sys.argv[1], "--show" in sys.argv)
