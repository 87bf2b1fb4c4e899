"""`python -m tests.docs`: write the reference pages anew, break long lines of prose, put real output into transcripts."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from memcli.cli.man import man_page
from tests.docs import prose, reference, transcripts
from tests.docs.reference import ROOT


def main() -> None:
    for name in transcripts.PAGES:
        page = reference.filled(prose.wrapped((ROOT / name).read_text(encoding="utf-8")))
        _put(ROOT / name, page)
        if transcripts.commands(page):
            with TemporaryDirectory() as home:
                _put(ROOT / name, transcripts.mended(page, transcripts.run(page, Path(home))))
    _put(ROOT / "docs" / "cli.md", reference.cli())
    _put(ROOT / "docs" / "mem.1", man_page())


def _put(file: Path, text: str) -> None:
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")
        print(f"{file.relative_to(ROOT)} written")


if __name__ == "__main__":
    main()
