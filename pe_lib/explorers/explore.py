"""The explorers of the notebooks: each is a picture in its first state, with the controls it declares."""

from collections.abc import Sequence

from pe_lib.explorers.explorer import Explorer
from pe_lib.pictures.waves import Waves


def explore_waves(
    sentence: str | Sequence[str] | None = None,
    *,
    d_model: int = 4,
    length: int = 16,
    base: float = 10_000.0,
    position: int = 0,
    cover: bool = False,
) -> Explorer:
    """Read the encoding of a position off its waves; see `Waves` for the arguments.

    >>> explorer = explore_waves("Dan loves icecream", position=1)
    >>> explorer.picture.vector.round(4)
    array([0.8415, 0.5403, 0.01  , 1.    ])
    """
    return Explorer(Waves(tokens=sentence, d_model=d_model, length=length, base=base, position=position), cover=cover)
