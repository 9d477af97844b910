"""Say from the numbers alone what a positional encoding is, what is wrong with it, and how to mend it.

A diagnosis is a recipe: a few lines of NumPy that make the very matrix that was handed over. What stands in no line of
it is not said.
"""

from pe_lib.diagnosis.application import diagnose_sum
from pe_lib.diagnosis.diagnose import diagnose
from pe_lib.diagnosis.report import Diagnosis, Finding

__all__ = ["Diagnosis", "Finding", "diagnose", "diagnose_sum"]
