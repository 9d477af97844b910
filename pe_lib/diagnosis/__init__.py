"""Say from the numbers alone what a positional encoding is, what is wrong with it, and how to mend it."""

from pe_lib.diagnosis.application import diagnose_sum
from pe_lib.diagnosis.diagnose import diagnose
from pe_lib.diagnosis.report import Diagnosis, Finding

__all__ = ["Diagnosis", "Finding", "diagnose", "diagnose_sum"]
