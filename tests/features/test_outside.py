"""A package from outside: installed beside mem, it brings all it can, and what is broken in it harms nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

import memcli
from memcli.cli.commands import COMMANDS
from tests.conftest import Ran
from tests.features import needs

Mem = Callable[..., Ran]
PACKAGE = Path(__file__).parent / "outside" / "mem_places"
SECRET = "plc-" + "a1b2c3d4e5f6"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of packages, as pip fills one."""
    place = tmp_path / "site"
    copytree(PACKAGE, place / "mem_places")
    listed = place / "mem_places-1.2.dist-info"
    listed.mkdir()
    (listed / "entry_points.txt").write_text(
        "[memcli.features]\nplaces = mem_places.feature:FEATURE\n", encoding="utf-8"
    )
    return place


@pytest.fixture
def mem(site: Path, folder: Path) -> Mem:
    """`mem` in a process of the environment that has the package."""
    house = Path(memcli.__file__).parents[1]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (site, house)))}

    def run(*words: str, stdin: str = "") -> Ran:
        command = [sys.executable, "-m", "memcli", "--vault", str(folder), *words]
        done = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=300, input=stdin)
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


def test_it_brings_what_it_names(mem: Mem, folder: Path, tmp_path: Path) -> None:
    (listed,) = (one for one in json.loads(mem("features", "--json").out)["features"] if one["name"] == "places")
    assert (listed["origin"], listed["failure"]) == ("mem_places 1.2", None)
    # an import format
    (tmp_path / "mine.places").write_text("Cafe Morgenrot in Berlin\n", encoding="utf-8")
    if "import" in COMMANDS:
        assert mem("import", str(tmp_path / "mine.places"), "--yes").code == 0
    else:  # a feature may be missing
        assert mem("add", "Cafe Morgenrot in Berlin", "-t", "place").code == 0
    # a command
    assert "places" in mem("--help").out
    listed = mem("places")
    assert "Cafe Morgenrot" in listed.out and "1 place kept" in listed.err
    # its messages in the user's language
    assert mem("state", "set", "language", "zh").code == 0
    assert "记着 1 个地方" in mem("places").err
    assert mem("state", "set", "language", "en").code == 0
    # a path of recall: no word of the question stands in the memory
    explained = mem("recall", "where to have breakfast", "--json").out
    assert "Cafe Morgenrot" in explained
    # a layer of the prompt
    if "prompt" in COMMANDS:  # a feature may be missing
        assert "# Places the user likes" in mem("prompt", "where shall we meet?").out
    assert mem("config", "get", "prompt.places").out == "80\n"
    # a kind of secret
    refused = mem("add", f"the key of the app is {SECRET}")
    assert refused.code == 4 and "API key" in refused.err and SECRET not in refused.err


@needs("serve")
def test_it_brings_a_tool_over_mcp(mem: Mem) -> None:
    assert mem("add", "Cafe Morgenrot in Berlin", "-t", "place").code == 0
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "places", "arguments": {"town": "Berlin"}},
        },
    ]
    told = mem("mcp", stdin="".join(json.dumps(each) + "\n" for each in asked)).out
    assert '"name":"places"' in told and "Cafe Morgenrot in Berlin" in told


def test_without_it_nothing_of_it_is_left(mem: Mem) -> None:
    assert mem("places").code == 0
    assert mem("features", "off", "places").code == 0
    assert "places" not in mem("--help").out and mem("places").code == 5
    assert "api key" not in mem("add", f"the key of the app is {SECRET}").err.lower()


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("raise RuntimeError('no network')", "RuntimeError: no network"),
        ("def (", "SyntaxError"),
        ("FEATURE = 1", "int is not a Feature"),
        ("import sys; sys.exit(3)", "SystemExit"),
        ("from memcli.extend import Feature\nFEATURE = Feature('places', 'x', 99)", "version 99"),
        ("from memcli.extend import Feature\nFEATURE = Feature('else', 'x')", "it is called else"),
    ],
)
def test_what_is_broken_is_named_and_left_out(mem: Mem, site: Path, broken: str, why: str) -> None:
    (site / "mem_places/feature.py").write_text(broken, encoding="utf-8")
    assert mem("add", "tea is best at ninety degrees").code == 0
    listed = mem("features")
    assert listed.code == 0 and why in listed.out
    said = mem("places")
    assert (said.code, "can't be loaded" in said.err or "no such command" in said.err) == (2, True)
    assert "left out" in mem("doctor").out


FLAGGED = "lambda *given: [], lambda *given: 0.0, True, lambda query: [LinePattern('b', '(?i)b')]"
BOOM = "from memcli.extend import *\nfrom memcli.extend import Format, LinePattern, RecallPath, setting\ndef boom(*given):\n    raise KeyError('boom')\nFEATURE = Feature('places', 'x', "


@pytest.mark.parametrize(
    ("brought", "command", "why"),
    [
        (
            "secrets=(Secret('x', 'plc-[a-z{1('),)",
            ("add", "tea is best at ninety degrees"),
            "the pattern of the secret x",
        ),
        ("questions=(Question('q', 'confirm drop', 'why?', boom, boom, 'task'),)", ("review",), ""),
        ("learner=Learner(boom, boom, boom)", ("prefer", "no meetings before ten"), ""),
        ("vault_files=(VaultFile('bad.yaml', lists=dict, flaws=boom),)", ("doctor",), "KeyError"),
        pytest.param("evidence=boom", ("prompt", "where shall we meet?"), "", marks=needs("talk")),
    ],
)
def test_what_fails_when_it_is_called_stops_no_command(
    mem: Mem, site: Path, brought: str, command: tuple[str, ...], why: str
) -> None:
    (site / "mem_places/feature.py").write_text(f"{BOOM}{brought})\n", encoding="utf-8")
    ran = mem(*command)
    assert ran.code in (0, 1) and "unexpected" not in ran.err, ran.err
    assert why in mem("doctor").out


@pytest.mark.parametrize(
    ("brought", "command"),
    [
        ("recall_paths=boom", ("recall", "which bird did I see")),
        ("recall_paths=lambda: ['x']", ("recall", "which bird did I see")),
        (f"recall_paths=lambda: [RecallPath('x', 'x', 1.0, {FLAGGED})]", ("recall", "which bird did I see")),
        ("settings={'prompt.x': setting(9, 'x')}, prompt_layers=(PromptLayer('x', '# X', lambda *g: ['x']),)",
         ("prompt", "where shall we meet?")),
        ("sources=(Source('x', boom, is_kept=boom),)", ("ask", "where is the harbour", "--evidence")),
        ("formats={'x': lambda: Format('x', boom)}", ("import", __file__, "--dry-run")),
        ("formats={'x': boom}", ("export", "--to", "x")),
    ],
)  # fmt: skip
def test_the_command_names_what_failed_and_goes_on(
    mem: Mem, site: Path, brought: str, command: tuple[str, ...]
) -> None:
    (site / "mem_places/feature.py").write_text(f"{BOOM}{brought})\n", encoding="utf-8")
    ran = mem(*command)
    if command[0] in COMMANDS:  # a feature may be missing
        assert "the feature places is left out" in ran.err and "unexpected" not in ran.err, ran.err


def test_a_command_that_crashes_names_its_feature(mem: Mem, site: Path) -> None:
    brought = "commands=(Command('places', 'your data', 'x', 'mem_places.gone'),)"
    (site / "mem_places/feature.py").write_text(f"{BOOM}{brought})\n", encoding="utf-8")
    ran = mem("places")
    assert (ran.code, "the feature places failed" in ran.err) == (70, True)
    assert "mem features off places" in ran.err and "report it" not in ran.err


def test_a_setting_of_a_broken_feature_leaves_the_vault_usable_until_it_is_mended(mem: Mem, site: Path) -> None:
    assert mem("config", "set", "prompt.places", "60").code == 0
    file = site / "mem_places/feature.py"
    whole = file.read_text(encoding="utf-8")
    file.write_text("raise RuntimeError('no network')", encoding="utf-8")
    ran = mem("list")
    assert (ran.code, "unknown setting 'prompt.places'" in ran.err) == (0, True)
    assert "RuntimeError" in mem("doctor").out
    file.write_text(whole, encoding="utf-8")
    assert mem("places").code == 0 and mem("config", "get", "prompt.places").out == "60\n"


def test_a_secret_of_a_kind_that_does_not_exist_is_refused_like_a_key(mem: Mem, site: Path) -> None:
    (site / "mem_places/feature.py").write_text(f"{BOOM}secrets=(Secret('x', 'plc-[a-z]+', 'odd'),))\n", "utf-8")
    assert mem("add", "the kettle plc-abcdef is in Leipzig").code == 4


EARLY = """
import sys

def run(words, environ):
    if "--json" in words or "memcli.cli" in sys.modules:
        return None
    if "break" in words:
        raise OSError("no network")
    print("early", *words[2:], flush=True)
    return 9
"""


def test_a_command_answers_before_the_command_line_is_loaded(mem: Mem, site: Path) -> None:
    file = site / "mem_places/feature.py"
    file.write_text(
        file.read_text(encoding="utf-8").replace('after="label"', 'early="mem_places.early"'), encoding="utf-8"
    )
    (site / "mem_places/early.py").write_text(EARLY, encoding="utf-8")
    assert mem("places", "--quiet") == Ran(9, "early places --quiet\n", "")
    assert mem("places", "--json").out.startswith("{")
    broken = mem("places", "break")
    assert (broken.code, "can't be loaded: OSError: no network" in broken.err) == (5, True)
    assert mem("features", "off", "places").code == 0
    off = mem("places")
    assert (off.code, off.out, "switched off" in off.err) == (5, "", True)


def test_a_command_that_is_there_already_is_left_out(mem: Mem, site: Path) -> None:
    file = site / "mem_places/feature.py"
    file.write_text(file.read_text(encoding="utf-8").replace('Command("places"', 'Command("add"'), encoding="utf-8")
    assert mem("add", "tea").code == 0
    assert "commands: add is there already" in mem("doctor").out
    file.write_text(file.read_text(encoding="utf-8").replace('Command("add"', 'Command("status"'), encoding="utf-8")
    (site / "mem_places/early.py").write_text(EARLY, encoding="utf-8")
    file.write_text(
        file.read_text(encoding="utf-8").replace('after="label"', 'early="mem_places.early"'), encoding="utf-8"
    )
    assert "early" not in mem("status").out  # nor does it answer in the place of the core's


def test_a_path_that_breaks_costs_recall_nothing(mem: Mem, site: Path) -> None:
    file = site / "mem_places/recall.py"
    file.write_text(
        file.read_text(encoding="utf-8").replace("    if ", "    raise KeyError\n    if "), encoding="utf-8"
    )
    assert mem("add", "tea is best at ninety degrees").code == 0
    assert "ninety degrees" in mem("recall", "where is tea").out


@pytest.mark.parametrize("name", ["feature", "commands", "recall", "file"])
def test_the_docs_show_this_package(name: str) -> None:
    page = (Path(__file__).parents[2] / "docs/extend.md").read_text(encoding="utf-8")
    assert (PACKAGE / f"{name}.py").read_text(encoding="utf-8") in page


def test_the_docs_name_all_that_a_feature_can_bring() -> None:
    from memcli.extend import Feature

    page = (Path(__file__).parents[2] / "docs/extend.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in page for name in Feature._fields[3:])
