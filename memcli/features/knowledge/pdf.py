"""Convert a PDF to text with a heading for each page.

The library is C++, so it runs in a separate process, which may crash or hang alone.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from memcli.message import Message

HOUSE = Path(__file__).parents[2]  # Python imports from the folder it starts in, and a vault may come from a stranger
LARGEST, PAGES = 256 * 2**20, 5000
SECONDS = 120  # seconds for one file
LETTERS = 100_000_000  # characters that one file may give
MISSING = 65  # exit codes of the process
LOCKED, DAMAGED = 66, 67
_WHY = {
    MISSING: "pypdfium2 is missing: pip install 'memcli[knowledge]'",
    LOCKED: "is locked with a password",
    DAMAGED: "is damaged, or no PDF",
}
_HYPHEN = re.compile("[\ufffe\x02\u00ad]\\s*|(?<=[a-z])-\n(?=[a-z])")  # pdfium's own sign for it, and a plain one
_CJK = "\u3000-\u9fff\uff00-\uffef"
_WRAPPED = re.compile(rf"(?<=[{_CJK}])\n(?=[{_CJK}])")


def pdf_to_markdown(data: bytes) -> tuple[str, str]:
    """Return the title and text of a PDF. Raise ValueError with the reason when there is none."""
    if len(data) > LARGEST:
        raise ValueError(Message("is larger than {n} MB", n=LARGEST // 2**20))
    script = "from memcli.features.knowledge.pdf import child; child()"
    try:
        done = subprocess.run(
            [sys.executable, "-c", script], input=data, capture_output=True, timeout=SECONDS, cwd=HOUSE
        )
    except subprocess.TimeoutExpired:
        raise ValueError(Message("was given up after {n} s", n=SECONDS)) from None
    except OSError as error:
        raise ValueError(Message("can't be read: {WHY}", WHY=error.strerror)) from None
    if done.returncode:
        raise ValueError(_WHY.get(done.returncode, "makes the PDF library crash"))
    title, _, rest = done.stdout.decode("utf-8", "replace").partition("\f")
    pages = [_lines(page) for page in rest.split("\f")]
    if not any(pages):
        raise ValueError("has no text: scanned pages need OCR first")
    margins = _margins(pages)
    texts = [_paragraphs([line for line in page if _bare(line) not in margins]) for page in pages]
    found = [f"## p. {number}\n\n{text}" for number, text in enumerate(texts, 1) if text]
    if len(pages) > PAGES:
        found.append(Message("(only the first {n} pages were read)", n=PAGES))
    return title.strip(), "\n\n".join(found)


def child() -> None:
    """Run in the other process: read the PDF from stdin, write title and pages to stdout, separated by form feeds."""
    try:
        import pypdfium2  # type: ignore[import-untyped]
    except ImportError:
        raise SystemExit(MISSING) from None
    with open(0, "rb", closefd=False) as given, open(1, "wb", closefd=False) as out:
        try:
            file = pypdfium2.PdfDocument(given.read())
        except pypdfium2.PdfiumError as error:
            raise SystemExit(LOCKED if "assword" in str(error) else DAMAGED) from None
        pages = [str(file.get_metadata_value("Title"))]
        letters_left = LETTERS
        for number in range(min(len(file), PAGES)):
            try:
                text = file[number].get_textpage().get_text_bounded()
            except pypdfium2.PdfiumError:  # one broken page does not spoil the others
                text = ""
            pages.append(text.replace("\f", "\n")[:letters_left])
            letters_left -= len(pages[-1])
        if len(file) > PAGES:
            pages.append("")
        out.write("\f".join(pages).encode("utf-8", "replace"))


def _lines(page: str) -> list[str]:
    text = _HYPHEN.sub("", page.replace("\r\n", "\n").replace("\r", "\n"))
    return [line.strip() for line in text.split("\n") if line.strip()]


def _bare(line: str) -> str:
    return re.sub(r"\d+", "0", line)


def _margins(pages: list[list[str]]) -> set[str]:
    """Return running heads and page numbers: first or last lines that most pages share, apart from figures."""
    if len(pages) < 4:
        return set()
    seen = Counter(line for page in pages for line in {_bare(each) for each in page[:1] + page[-1:]})
    return {line for line, times in seen.items() if times > len(pages) / 2}


def _paragraphs(lines: list[str]) -> str:
    """Return the lines joined into paragraphs. A line that is clearly shorter than the others ends a paragraph."""
    full = sorted(map(len, lines))[len(lines) // 2] * 0.75 if lines else 0
    text = "".join(line + ("\n" if len(line) >= full else "\n\n") for line in lines)
    return _WRAPPED.sub("", text).strip()
