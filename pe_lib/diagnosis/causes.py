"""The sentences of the diagnosis, which stand in causes.toml: for each code what was found, and how to mend it.

Where some of these mistakes were met: jadore801120/attention-is-all-you-need-pytorch#32 and Kyubyong/transformer#27
(the column taken for the pair), maxjcohen/transformer#62 (own frequencies; base 1000), codertimo/BERT-pytorch#18
(integer division), LoFTR#41 (precedence).
"""

import tomllib
from functools import lru_cache
from importlib.resources import files

from pe_lib.diagnosis.report import VARIANTS, Finding


@lru_cache(maxsize=1)
def causes() -> dict[str, str]:
    """Return the sentences of each code."""
    return tomllib.loads(files("pe_lib.diagnosis").joinpath("causes.toml").read_text("utf-8"))


def finding(
    code: str, *, kind: str = "", row: int | None = None, column: int | None = None, cause: str = "", **words: object
) -> Finding:
    """Return a finding with its sentences filled in: those of its code, or of another cause."""
    message = causes()[cause or code].format(**({"row": row, "column": column} | words)).strip()
    return Finding(code, message, kind or ("variant" if code in VARIANTS else "mistake"), column, row)
