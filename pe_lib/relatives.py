"""Relatives of the sinusoidal encoding: RoPE, learned positions, T5's bias and ALiBi.

Positions count from 0. Queries and keys have h columns, the width of one head, so h takes the place of d_model in the
frequencies w, in radians per position. From a query at i to a key at j the offset is j - i. Results are float64; a row
of a matrix belongs to a query, a column to a key.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks
from pe_lib.encoding import frequencies

SCHEMES = ("none", "sinusoidal", "learned", "T5", "ALiBi", "RoPE")


def rotate(
    x: ArrayLike, positions: ArrayLike, w: ArrayLike | None = None, *, layout: str = "interleaved"
) -> np.ndarray:
    """Turn every pair of columns of queries or keys by the angle a = position · w_i: rotary position embedding, RoPE.

    A pair (x, y) becomes (x cos a - y sin a, x sin a + y cos a). For rows of even width that is
    ``x @ shift_rotation(position, h)``, the transpose of the R that moves an encoding: RoPE turns (x, y) as (cos, sin)
    goes, and an encoding holds (sin, cos). The dot product of rows rotated by m and by n depends on m - n alone.
    Su et al. (2021), "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2, equations 15, 34.

    Parameters
    ----------
    x : array_like of shape (..., h)
        Rows of queries or keys; a model leaves its values as they are.
    positions : array_like of integers or floats
        The position of each row, in a shape that broadcasts with x.shape[:-1].
    w : array_like of shape (pairs,), optional
        The frequencies, ``frequencies(h)`` if not given. Fewer than h/2 turn only the first columns (partial rotary).
    layout : {"interleaved", "halves"}
        Pair i is columns 2i and 2i+1, as in the paper, or i and i + pairs ("rotate half"). The columns 0, 2, 4, …, 1,
        3, 5, … of the first are the columns 0, 1, 2, … of the second.

    Returns
    -------
    ndarray of the shape of `x` and `positions` broadcast, and (h,); float64

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described; if h is odd and `w` not given.

    Examples
    --------
    >>> rotate([[1, 2, 3, 4]], [1]).round(4)
    array([[-1.1426,  1.9221,  2.9599,  4.0298]])
    """
    x = _checks.finite_array("x", x)
    if x.ndim == 0 or x.shape[-1] == 0:
        raise ValueError(f"x must have shape (..., h), h above 0, got shape {x.shape}")
    frequency = _frequencies_for(x, w)
    pairs = len(frequency)
    positions = _checks.position_array("positions", positions)
    try:
        shape = np.broadcast_shapes(x.shape[:-1], positions.shape)
    except ValueError:
        raise ValueError(f"positions must fit x {x.shape}, one for each row, got shape {positions.shape}") from None
    _checks.table_size(*shape, x.shape[-1])
    if _checks.one_of("layout", layout, _checks.LAYOUTS) == "interleaved":
        first, second = slice(0, 2 * pairs, 2), slice(1, 2 * pairs, 2)
    else:
        first, second = slice(0, pairs), slice(pairs, 2 * pairs)
    angles = positions[..., np.newaxis] * frequency  # (*positions.shape, pairs)
    cosines, sines = np.cos(angles), np.sin(angles)
    rotated = np.array(np.broadcast_to(x, (*shape, x.shape[-1])), np.float64)
    rotated[..., first] = x[..., first] * cosines - x[..., second] * sines
    rotated[..., second] = x[..., first] * sines + x[..., second] * cosines
    return rotated


def learned_encoding(table: ArrayLike, positions: ArrayLike) -> np.ndarray:
    """Look up the rows of learned positions, and refuse a position for which the table has no row.

    `table` has shape (L, d_model), a row for each position trained; `positions` are whole numbers from 0 to L-1 in an
    array of any shape. Returns shape (*positions.shape, d_model). Raises TypeError or ValueError otherwise, also for
    position -1, which NumPy would take for the last row. Vaswani et al. (2017), section 3.5 and table 3, row (E).

    >>> learned_encoding([[0, 1, 2], [3, 4, 5], [6, 7, 8]], [0, 2])
    array([[0., 1., 2.],
           [6., 7., 8.]])
    """
    rows = _table(table)
    chosen = _checks.whole_numbers("positions", positions)
    missing = chosen[(chosen < 0) | (chosen >= len(rows))]
    if missing.size:
        raise ValueError(f"positions must lie between 0 and {len(rows) - 1}, the rows of the table, got {missing[0]}")
    return rows[chosen]


def t5_buckets(offsets: ArrayLike, *, buckets: int = 32, max_distance: int = 128, causal: bool = False) -> np.ndarray:
    """Return the bucket of every offset: near keys get one for each distance, far keys share wider and wider ones.

    If `causal`, all buckets are for keys to the left; keys to the right share bucket 0 with the query's own position.
    Otherwise the first half is for keys to the left, the second half for keys to the right, and the first bucket of
    that half stays empty. On each side, half the buckets hold one distance each. The others widen so that they would
    reach `max_distance`; the last one takes everything farther away. Raffel et al. (2020), "Exploring the Limits of
    Transfer Learning with a Unified Text-to-Text Transformer", section 2.1, with the formula of its released code.

    Parameters
    ----------
    offsets : array_like of whole numbers, of any shape
        Key minus query.
    buckets : int
        2 or more if `causal`, otherwise even and 4 or more.
    max_distance : int
        More than the number of buckets that hold one distance each.
    causal : bool
        Whether every key lies to the left of its query.

    Returns
    -------
    ndarray of the shape of `offsets`, int64

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Examples
    --------
    >>> t5_buckets([-200, -16, -8, -1, 0, 1, 8])
    array([15, 10,  8,  1,  0, 17, 24])
    >>> t5_buckets([-200, -16, -8, -1, 0, 1, 8], causal=True)
    array([31, 16,  8,  1,  0,  0,  0])
    """
    offset = _checks.whole_numbers("offsets", offsets)
    causal = _checks.truth_value("causal", causal)
    buckets = _checks.integer("buckets", buckets, at_least=2 if causal else 4)
    if not causal and buckets % 2:
        raise ValueError(f"buckets must be even, half of them for each side, got {buckets}")
    a_side = buckets if causal else buckets // 2
    exact = a_side // 2  # distances 0, 1, …, exact-1 have a bucket each
    max_distance = _checks.integer("max_distance", max_distance, at_least=exact + 1)
    distance = np.maximum(-offset, 0) if causal else np.abs(offset)
    far = np.log(np.maximum(distance, exact) / exact) / math.log(max_distance / exact)
    steps = np.floor(far * (a_side - exact) + 1e-9).astype(np.int64)  # distance 64 is 6 steps, not 5.9999…
    bucket: np.ndarray = np.minimum(np.where(distance < exact, distance, exact + steps), a_side - 1)
    return bucket if causal else bucket + a_side * (offset > 0)


def t5_bias(table: ArrayLike, length: int, *, max_distance: int = 128, causal: bool = False) -> np.ndarray:
    """Return what T5 adds to the scores of each head: the learned number of the bucket of every offset.

    `table` has shape (buckets, heads), `length` is 1 or more; the other arguments, the errors and the source are those
    of `t5_buckets`. Returns shape (heads, length, length).

    >>> t5_bias([[0], [-1], [-2], [-3]], 3, max_distance=4, causal=True)
    array([[[ 0.,  0.,  0.],
            [-1.,  0.,  0.],
            [-2., -1.,  0.]]])
    """
    rows, offsets = _table(table), _offsets(length)
    _checks.table_size(rows.shape[1], *offsets.shape)
    buckets = t5_buckets(offsets, buckets=len(rows), max_distance=max_distance, causal=causal)
    return rows.T[:, buckets]


def alibi_slopes(heads: int) -> np.ndarray:
    """Return ALiBi's slope of every head: 2**(-8/heads) and its powers, down to 1/256.

    `heads` is 1 or more. If it is no power of two, the slopes for the power below come first, then every other one of
    the slopes for the power above; that rule is in the authors' released code and not in the paper. Returns shape
    (heads,); raises TypeError or ValueError for other `heads`. Press, Smith and Lewis (2022), "Train Short, Test Long:
    Attention with Linear Biases Enables Input Length Extrapolation", section 3.

    >>> alibi_slopes(6)
    array([0.25      , 0.0625    , 0.015625  , 0.00390625, 0.5       ,
           0.125     ])
    """
    heads = _checks.integer("heads", heads, at_least=1)
    _checks.table_size(heads)
    power = 1 << heads.bit_length() - 1  # the largest power of two that is no larger than heads
    below = np.arange(1, power + 1) / power
    above = np.arange(1, 2 * (heads - power), 2) / (2 * power)
    return 2.0 ** (-8 * np.concatenate([below, above]))


def alibi_bias(heads: int, length: int) -> np.ndarray:
    """Return the penalty that ALiBi adds to the scores of each head: minus its slope times the distance.

    Returns shape (heads, length, length). The paper's models are causal and never see a key to the right. Here such a
    key gets the penalty of the same distance to the left, which the author suggests for encoders. Raises TypeError or
    ValueError unless both arguments are 1 or more. Press et al. (2022), section 3.

    >>> alibi_bias(8, 3)[0]
    array([[ 0. , -0.5, -1. ],
           [-0.5,  0. , -0.5],
           [-1. , -0.5,  0. ]])
    """
    slopes, offsets = alibi_slopes(heads), _offsets(length)
    _checks.table_size(heads, *offsets.shape)
    return slopes[:, np.newaxis, np.newaxis] * -np.abs(offsets)


def attention_scores(
    scheme: str,
    q: ArrayLike,
    k: ArrayLike,
    length: int,
    *,
    start: int = 0,
    w: ArrayLike | None = None,
    table: ArrayLike = (),
    head: int = 0,
    heads: int = 8,
    causal: bool = False,
) -> np.ndarray:
    """Return the score of every query with every key, as it enters the softmax, under one scheme of positions.

    A score is q·k / sqrt(h) (Vaswani et al. 2017, section 3.2.1). "sinusoidal" and "learned" add positions to q and k
    first, "RoPE" rotates both, "ALiBi" and "T5" add a bias afterwards, and "T5" does not divide.

    Parameters
    ----------
    scheme : {"none", "sinusoidal", "learned", "T5", "ALiBi", "RoPE"}
        How queries and keys learn of their positions.
    q, k : array_like of shape (length, h), or (h,) for the same one at every position
        Queries and keys. What a model adds to its embeddings is added here as if W_q and W_k changed nothing.
    length : int
        The number of queries and of keys, 1 or more.
    start : int
        The position of the first. It changes nothing for "none", "T5", "ALiBi" and "RoPE".
    w : array_like of shape (pairs,), optional
        For "sinusoidal" and "RoPE": the frequencies, ``frequencies(h)`` if not given.
    table : array_like
        For "learned", rows of shape (L, h), and for "T5", biases of shape (buckets, heads).
    head, heads : int
        Which head, from 0 on: for "ALiBi" out of `heads`, for "T5" out of those in `table`.
    causal : bool
        Hide the keys to the right of each query: their scores are -inf. "T5" then has all its buckets on the left.

    Returns
    -------
    ndarray of shape (length, length), float64

    Raises
    ------
    TypeError, ValueError
        If an argument that the scheme needs is not as described.

    Examples
    --------
    >>> attention_scores("RoPE", [1, 0], [1, 0], 3).round(4)
    array([[ 0.7071,  0.3821, -0.2943],
           [ 0.3821,  0.7071,  0.3821],
           [-0.2943,  0.3821,  0.7071]])
    """
    _checks.one_of("scheme", scheme, SCHEMES)
    causal = _checks.truth_value("causal", causal)
    offsets = _offsets(length)
    queries, keys = _rows("q", q, length), _rows("k", k, length)
    h = queries.shape[1]
    if keys.shape[1] != h:
        raise ValueError(f"k must have as many columns as q, {h}, got {keys.shape[1]}")
    positions = _checks.position_number("start", start) + np.arange(length)
    if scheme == "RoPE":
        queries, keys = rotate(queries, positions, w), rotate(keys, positions, w)
    elif scheme in ("sinusoidal", "learned"):
        added = learned_encoding(table, positions) if scheme == "learned" else _sinusoids(queries, positions, w)
        if added.shape[1] != h:
            raise ValueError(f"{scheme} positions must be as wide as q, {h}, got {added.shape[1]}")
        queries, keys = queries + added, keys + added
    scores: np.ndarray = queries @ keys.T / (1 if scheme == "T5" else math.sqrt(h))
    if scheme in ("T5", "ALiBi"):
        biases = alibi_bias(heads, length) if scheme == "ALiBi" else t5_bias(table, length, causal=causal)
        if not 0 <= _checks.integer("head", head) < len(biases):
            raise ValueError(f"head must lie between 0 and {len(biases) - 1}, got {head}")
        scores += biases[head]
    if causal:
        scores[offsets > 0] = -np.inf
    return scores


def _offsets(length: int) -> np.ndarray:
    """Return j - i for every query i and key j."""
    positions = np.arange(_checks.integer("length", length, at_least=1))
    _checks.table_size(length, length)
    return positions - positions[:, np.newaxis]


def _sinusoids(x: np.ndarray, positions: np.ndarray, w: ArrayLike | None) -> np.ndarray:
    """Return encodings of positions: position 0 has 0, 1, 0, 1, …, and a step on turns it as RoPE turns a step back."""
    frequency = _frequencies_for(x, w)
    return rotate(np.tile([0, 1], len(frequency)), -positions, frequency)


def _rows(name: str, x: ArrayLike, length: int) -> np.ndarray:
    """Return queries or keys, one for each position."""
    rows = _checks.finite_array(name, x)
    if rows.ndim not in (1, 2) or rows.shape[-1] == 0 or rows.shape[:-1] not in ((), (length,)):
        raise ValueError(f"{name} must have shape ({length}, h) or (h,), h above 0, got shape {rows.shape}")
    return np.broadcast_to(rows.astype(np.float64), (length, rows.shape[-1]))


def _table(table: ArrayLike) -> np.ndarray:
    """Return a learned table: rows and columns of finite numbers."""
    found = _checks.finite_array("table", table)
    if found.ndim != 2 or found.size == 0:
        raise ValueError(f"table must have rows and columns, got shape {found.shape}")
    return found.astype(np.float64)


def _frequencies_for(x: np.ndarray, w: ArrayLike | None) -> np.ndarray:
    """Return the frequencies of pairs of columns of x: of all columns, unless w is given."""
    columns = x.shape[-1]
    if w is None and columns % 2:
        raise ValueError(f"w must be given for {columns} columns, an odd number: the last has no partner to turn with")
    found = frequencies(columns) if w is None else _checks.frequency_array(w)
    if 2 * len(found) > columns:
        raise ValueError(f"w must have one frequency for every two of the {columns} columns at most, got {len(found)}")
    return found
