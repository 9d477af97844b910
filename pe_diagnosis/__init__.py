"""Fix: say from the numbers alone what a positional encoding is, what is wrong with it, and how to put it right.

A diagnosis is a program of a few lines that makes the very matrix that was handed over. To read the package, begin
with the head of `catalogue`, which says what a program is and how to add a mistake. `program` runs one. `rounding`
knows how far numbers may be off, `measure` and `anywhere` what they say by themselves, and `lines` makes plain lines of
that. `views` asks all laws (a line of frequencies with its base) at once, and `search` finds the programs. `structure`
adds damage, columns of two lines, and tables made of a smaller one, `answer` puts it into words, and `sums` looks at
what was added to embeddings. `limits` has the thresholds of all this: look its names up as you meet them.
`reading` reads a table from what was printed or copied, and `python -m pe_diagnosis pe.csv` answers in a shell.
"""

from pe_diagnosis.answer import Diagnosis, Finding, diagnose
from pe_diagnosis.reading import CodeError, TableError, read_table
from pe_diagnosis.sums import diagnose_sum

__all__ = ["CodeError", "Diagnosis", "Finding", "TableError", "diagnose", "diagnose_sum", "read_table"]
