"""Define the interface for features: all that a feature can provide, as one declarative object.

docs/extend.md explains it. The features of `mem` in `memcli/features/NAME/feature.py` use this interface, and outside
packages, which name their object as an entry point in the group `memcli.features`. A feature is imported to be listed,
and when something it provides is used, so slow imports belong inside its functions. The names of other packages that a
feature needs can be imported from here, too. `VERSION` changes when one of them, or a field below, is removed or
changes its meaning. Additions leave it as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from memcli import late as late
from memcli import load_later

if TYPE_CHECKING:
    from memcli.cli.command import Result as Result
    from memcli.cli.command import Table as Table
    from memcli.cli.command import command as command
    from memcli.cli.terminal import Terminal as Terminal
    from memcli.errors import MemError as MemError
    from memcli.errors import UsageError as UsageError
    from memcli.evidence import Evidence as Evidence
    from memcli.evidence import FoundEvidence as FoundEvidence
    from memcli.evidence import PlanStep as PlanStep
    from memcli.file_tree import Tree as Tree
    from memcli.format import Format as Format
    from memcli.format import Item as Item
    from memcli.format import Statement as Statement
    from memcli.message import Message as Message
    from memcli.page.html import Html as Html
    from memcli.page.html import tag as tag
    from memcli.page.visit import View as View
    from memcli.page.visit import Visit as Visit
    from memcli.recall_path import RecallPath as RecallPath
    from memcli.remember.atoms import Atom as Atom
    from memcli.remember.atoms import LearnResult as LearnResult
    from memcli.rest_rows import Input as Input
    from memcli.rest_rows import Row as Row
    from memcli.vault.check import Check as Check
    from memcli.vault.queue import queue_job as queue_job
    from memcli.vault.search import LinePattern as LinePattern
    from memcli.vault.setting import Section as Section
    from memcli.vault.setting import setting as setting
    from memcli.vault.vault import Vault as Vault
    from memcli.vault.write import WriteResult as WriteResult

VERSION = 1
Lines = list[tuple[str, str]]  # the place and the text of each

__getattr__ = load_later(__name__, {
    "memcli.cli.command": "Result Table command",
    "memcli.cli.terminal": "Terminal",
    "memcli.errors": "MemError UsageError",
    "memcli.evidence": "Evidence FoundEvidence PlanStep",
    "memcli.file_tree": "Tree",
    "memcli.format": "Format Item Statement",
    "memcli.message": "Message",
    "memcli.page.html": "Html tag",
    "memcli.page.visit": "View Visit",
    "memcli.recall_path": "RecallPath",
    "memcli.remember.atoms": "Atom LearnResult",
    "memcli.rest_rows": "Input Row",
    "memcli.vault.check": "Check",
    "memcli.vault.queue": "queue_job",
    "memcli.vault.search": "LinePattern",
    "memcli.vault.setting": "Section setting",
    "memcli.vault.vault": "Vault",
    "memcli.vault.write": "WriteResult",
})  # fmt: skip


class Command(NamedTuple):
    """Describe a command or a group of commands. `@command` in `module` makes its functions commands."""

    name: str
    group: str  # its heading in `mem help`, like "upkeep"
    line: str  # what it does
    module: str  # imported when the command is called
    after: str = ""  # the command that it follows in the group; by default it is the last
    before: str = ""  # or the command that it precedes
    early: str = ""  # a module with `run(words, environ)`, which answers before the command line is loaded. It returns
    # the exit code, or None when the command line has to parse the words, and then it has read and printed nothing


class PromptLayer(NamedTuple):
    """Define lines that every prompt gets unasked and that, with `hook` and `recall`, agents get, too.

    The setting `prompt.NAME` has its tokens; the feature lists it among its `settings`.
    """

    name: str
    head: str
    find: Callable[[Vault, str, bool], Lines]  # gets the user's words, and whether they plan something or only ask
    after: str = "questions"  # the layer that it follows
    is_long: bool = False  # whether a line may be as long as an order, not only as a memory
    hook: tuple[str, str] = ("", "")  # the tag around the lines beside the prompt of a hook, and its note
    recall: str = ""  # the heading of the lines before the answer of the MCP tool `recall`


class Source(NamedTuple):
    """Define a kind of source that `mem ask` can search."""

    name: str
    find: Callable[[Vault, Mapping[str, Any], PlanStep], list[Evidence]]  # best first; it may be slow or fail
    fields: tuple[str, ...] = ()  # the keys of its entry in the settings; a ! marks a required one
    network: bool = False  # whether questions leave the machine
    is_kept: Callable[[Vault], bool] | None = None  # whether there is anything to find
    is_first: bool = False  # whether it is asked first, whatever the question is about
    by_meaning: bool = False  # whether it is asked twice, the second time with `by: meaning` in its settings
    has_documents: Callable[[Vault], bool] | None = None  # whether there are any; only such a source serves prompts


class VaultFile(NamedTuple):
    """Describe a YAML file of the vault with lists of records."""

    name: str
    lists: Callable[[], Mapping[str, type[Section]]]  # each list by name, with the fields of its records
    flaws: Callable[[Vault], Iterable[tuple[UsageError, str]]] | None = None  # what else is wrong, each with a remedy
    rests: timedelta | None = None  # after this time without use `mem tidy` archives a record
    rivals: tuple[str, str] = ("", "")  # the field that names a record, and the one that tells its rivals apart


class TalkFinding(Protocol):
    """Define a finding that is not written yet. It is a dataclass, and `--json` shows all of its fields."""

    @property
    def kind(self) -> str: ...

    @property
    def at(self) -> str: ...

    @property
    def summary(self) -> str: ...

    @property
    def marks(self) -> tuple[str, ...]: ...


class Learner(NamedTuple):
    """Find memories in messages, for the core to keep. Only the learner of the first feature that has one is used."""

    # in a conversation; gets the user's names, and "rules only"
    propose: Callable[[Vault, str, Sequence[str], bool], LearnResult]
    find: Callable[[str], list[Atom]]  # in a sentence of the user, at once
    taste: Callable[[str], Atom]  # makes a preference of a sentence


class Question(NamedTuple):
    """Define a kind of question that `mem review` asks about findings."""

    name: str
    choices: str
    why: str
    waiting: Callable[[Vault], Iterable[TalkFinding]]
    take: Callable[[Vault, Any], WriteResult]  # called after "confirm"; after any other answer it is not asked again
    after: str  # the more serious kind, which is asked before


class McpTool(NamedTuple):
    """Define a tool that agents can call."""

    name: str
    description: str  # costs tokens in every session of every client
    properties: Mapping[str, Any]  # a JSON schema by the name of each argument
    required: str  # the argument that a call must have, "" for none
    run: Callable[[Vault, Mapping[str, Any]], str]  # gets arguments that were checked
    writes: bool = False
    needs: str = ""  # a file of the vault; the tool is offered where there is one
    head: str = ""  # with it every memory of a server is asked, for its part of `budget`, and this stands above
    nothing: str = ""  # the answer when none of them has one


class Secret(NamedTuple):
    """Define a format of secrets, which the gates keep out of memories."""

    name: str
    pattern: str  # a regular expression; its last group, where there is one, is the secret
    kind: str = "api_key"  # the policy that applies: a name of `gates.*`


class PageView(NamedTuple):
    """Define a view of `mem ui`."""

    name: str  # its address, like `/places`
    view: Callable[[Visit], View]
    title: str = ""  # its name in the navigation; without one it is not listed there
    key: str = ""  # the letter that opens it after `g`
    before: str = ""  # the view that it precedes in the navigation; by default it is the last
    act: Callable[[Visit], str | View] | None = None  # handles a form sent to its address; returns where to go next


class Ending(NamedTuple):
    """Hold a session with a reported outcome."""

    turns: tuple[tuple[str, str], ...]  # role and text
    good: bool
    note: str
    title: str
    tools: tuple[str, ...]
    seconds: int


class Outcome(NamedTuple):
    """Listen for the outcome of sessions.

    `hear` returns None when it has nothing to propose, and raises UsageError with the reason when it can't.
    """

    name: str
    hear: Callable[[Vault, Ending], TalkFinding | None]


class ProfileQuestion(Protocol):
    """Define a question to the user."""

    @property
    def key(self) -> str: ...

    @property
    def text(self) -> str: ...


class Timely(Protocol):
    """Define a reminder that is worth bringing up."""

    @property
    def id(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def why(self) -> str: ...

    @property
    def citation(self) -> str: ...


class Reply(NamedTuple):
    """Describe how the user's next message treated questions: refused, answered or passed over them."""

    kind: str
    keys: tuple[str, ...]


class Initiative(NamedTuple):
    """Decide what an assistant may say unasked in a conversation. Only the first feature that has one counts."""

    questions: Callable[[Vault, str, str], Sequence[ProfileQuestion]]  # gets the session and what the user said in it
    timely: Callable[[Vault], Sequence[Timely]]
    note: Callable[[Vault, str, Sequence[ProfileQuestion], Sequence[Timely]], object]  # they were given to a model
    may_propose: Callable[[Vault, str], bool]  # whether the model may ask if it should remember something
    hear: Callable[[Vault, str, str], Reply | None]  # gets the session and the user's next message


class Feature(NamedTuple):
    """Declare a feature, and everything that it provides."""

    name: str
    about: str  # one line
    version: int = VERSION  # of this interface
    commands: tuple[Command, ...] = ()
    settings: Mapping[str, Any] = {}  # by its whole name, like `prompt.patterns`, what `setting` makes
    rest_rows: Callable[[], Iterable[Row]] | None = None  # paths of `mem serve`, each the command of this or another
    prompt_layers: tuple[PromptLayer, ...] = ()
    sources: tuple[Source, ...] = ()
    vault_files: tuple[VaultFile, ...] = ()
    questions: tuple[Question, ...] = ()  # of `mem review`
    initiative: Initiative | None = None  # what an assistant may say unasked
    outcomes: tuple[Outcome, ...] = ()  # of `mem session end --outcome`
    transcript: Callable[[Vault, Path], object] | None = None  # reads what is new before mem learns from it
    learner: Learner | None = None
    mcp_tools: tuple[McpTool, ...] = ()
    secrets: tuple[Secret, ...] = ()
    recall_paths: Callable[[], Iterable[RecallPath]] | None = None
    formats: Mapping[str, Callable[[], Format]] = {}  # formats of `mem import --from` and `mem export --to`, by name
    page_views: tuple[PageView, ...] = ()
    health_parts: Callable[[Visit], Iterable[Html]] | None = None  # parts of the view `health` of `mem ui`
    # the function for each kind of job that `queue_job` queues; gets the payload, with its `job` id
    jobs: Mapping[str, Callable[[Vault, Any], object]] = {}
    checks: Callable[[Vault], Iterable[Check]] | None = None  # lines of `mem doctor`
    states: Mapping[str, Callable[[Vault], tuple[Any, str]]] = {}  # data and a line for `mem status`, by name
    evidence: Callable[[Vault, str, int], FoundEvidence] | None = None  # what documents say to a question, for a prompt
    verbs: Mapping[str, Callable[..., Any]] = {}  # methods of `memcli.Vault`, by name; each gets the vault first
    news: Callable[[Vault], Iterable[str]] | None = None  # lines that a conversation begins with
    # updates files outside the vault, after `mem work` and when a session of an agent begins or ends, then with the
    # folder it works in
    refresh: Callable[[Vault, str], object] | None = None
