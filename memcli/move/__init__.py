"""Moving in and out: what other tools keep becomes memories, and memories become what other tools read.

`open_tree` opens what somebody brings, `plan` says what would become of it, `bring` does it as one write, `export` takes
memories out. Every format is a module in `formats/`.
"""

from memcli.move.bring import Brought as Brought
from memcli.move.bring import bring as bring
from memcli.move.export import export as export
from memcli.move.export import exportable as exportable
from memcli.move.formats import FORMATS as FORMATS
from memcli.move.formats import known as known
from memcli.move.plan import Plan as Plan
from memcli.move.plan import plan as plan
from memcli.move.tree import open_tree as open_tree
