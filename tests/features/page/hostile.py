"""A vault in which every text tries to act on the page that shows it."""

from __future__ import annotations

import json
from pathlib import Path

# What would run, load, leave or frame, in each place where a careless page might put text.
ATTACKS = (
    "<script>window.ran=1</script>",
    "<img src=x onerror=window.ran=1>",
    '"><svg onload=window.ran=1>',
    "'onmouseover='window.ran=1",
    "<a href=javascript:window.ran=1>tea</a>",
    "<iframe src=https://evil.example/></iframe>",
    "<link rel=stylesheet href=https://evil.example/a.css><style>@import 'https://evil.example/b.css'</style>",
    "</pre></code></textarea></title><script src=https://evil.example/x.js></script>",
    '<div hx-get="https://evil.example/" hx-trigger="load" hx-on:htmx:load="window.ran=1">tea</div>',
    "<form action=https://evil.example/><button data-key=f>tea</button></form>",
    "<base href=https://evil.example/><meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "{{constructor.constructor('window.ran=1')()}} ${window.ran=1} %3Cscript%3E &lt;script&gt;",
)
EVIL = " ".join(ATTACKS)
NAME = "<img src=x onerror=window.ran=1>"  # of a file: without a slash
DAY = "2026-11-20"


def laid(folder: Path) -> Path:
    """The folder with such a vault in it."""
    evil = json.dumps(EVIL)  # which YAML reads, too

    def write(path: str, text: str) -> None:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")

    items = "".join(f"- 09:{at:02d} tea {attack} #tea/<b>\n" for at, attack in enumerate(ATTACKS))
    write(f"logs/{DAY}.md", f"# {DAY}\n\n{items}- [ ] tea {EVIL} ^evil\n")
    write("MEMORY.md", f"# {EVIL}\n\n- tea {EVIL} [type:: {NAME}] [k{NAME}:: {NAME}] [superseded:: {NAME}]\n")
    write(f"notes/{NAME}.md", f"---\ntags: [{evil}]\n{evil}: {evil}\n---\n## {EVIL}\n\n- tea of {EVIL}\n")
    write("USER.md", f"---\nname: {evil}\n{evil}: {evil}\n---\n{EVIL}\n")
    records = [
        f"- key: {key}\n  value: {evil}\n  category: {evil}\n  scope: global\n  source: {source}\n  confidence: 0.5\n"
        for key, source in (("drink", "explicit"), ("drink", "inferred"), (evil, "inferred"))
    ]
    write("preferences.yaml", "".join(records))
    write("labels.yaml", f"- name: {evil}\n  aliases: [{evil}, tea]\n  address: {evil}\n")
    write("state.yaml", f"language: {evil}\n")
    write("tags.yaml", f"{evil}: [{evil}]\n")
    change = {"kind": "fact", "key": EVIL, "had": EVIL, "value": EVIL, "day": EVIL, "at": EVIL}
    write("journal/changes.jsonl", json.dumps(change) + "\n")
    written = {"at": EVIL, "by": EVIL, "action": EVIL, "paths": [EVIL, f"{NAME}.md"], "ids": [EVIL]}
    write("journal/audit.jsonl", json.dumps(written) + "\n")
    return folder
