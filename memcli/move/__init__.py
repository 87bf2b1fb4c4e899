"""Import the memories of other tools, and export memories in their formats.

`open_tree` opens what the user brings, `plan` previews the import, `bring` does it in one write, `export` writes
memories out. Every format is a module in `formats/`.
"""

from memcli.move.archives import open_tree
from memcli.move.bring import ImportResult, bring
from memcli.move.export import export, exportable, lay, save
from memcli.move.formats import FORMATS, expected, known
from memcli.move.import_plan import ImportOptions, Plan
from memcli.move.sorter import plan
from memcli.move.talks import work as work_talks

__all__ = [
    "FORMATS",
    "ImportOptions",
    "ImportResult",
    "Plan",
    "bring",
    "expected",
    "export",
    "exportable",
    "known",
    "lay",
    "open_tree",
    "plan",
    "save",
    "work_talks",
]  # fmt: skip
