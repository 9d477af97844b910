"""Pictures of the encoding: each is built once for a state and then moved to another."""

from pe_lib.pictures.explain_this_number import ExplainThisNumber
from pe_lib.pictures.picture import Picture

__all__ = ["ExplainThisNumber", "Picture"]
