"""The exercises of notebook 13, *Explore, and look back*."""

from pe_exercises.engine import exercise
from pe_lib.encoding import sinusoidal_encoding
from pe_lib.properties import dot_product, wavelengths


@exercise(
    hint="""Press *64 positions* and set *column* to 8. The wave comes down to about -1 three times: go to the positions
        there and read their numbers.""",
    wrong=[
        (35, "Its number is -0.9974, close to the lowest. Try the other two low points."),
        (55, "Its number is -0.9935, close to the lowest. Try the other two low points."),
        (14, "At position 14 the wave is still on its way down."),
        (5, "Near position 5 the wave is highest. The exercise asks for the lowest number."),
        (47, "That's right for 32 columns. Is *d_model* at 64?"),
    ],
)
def the_lowest_number():
    """The wave of column 8 has wavelength 19.9 and is lowest after three quarters of it, near 14.9, and again
    every 19.9 positions. Position 15 is the closest to such a place, with -0.9995; positions 35 and 55 follow.
    """
    return sinusoidal_encoding(64, 64)[:, 8].argmin()


@exercise(
    name="the best look-alike",
    hint="""`dot_product(np.arange(1, 101), 8)` gives you all hundred numbers, the first for offset 1. Which is the
        largest? `argmax` counts from 0.""",
    wrong=[
        (6, "At 6 the dot product is 3.7837, the second highest. Another, at a larger offset, is a little higher."),
        (62, "Close. `argmax` counts from 0, and the first number belongs to offset 1."),
        (0, "At offset 0 you compare a row with itself. Which other row is most like it?"),
        (1, "At 1 the dot product is 3.5353. At some larger offsets it's higher."),
        (69, "At 69 the dot product is 3.5780, the third highest. Try smaller offsets."),
        (57, "At 57 the dot product is 3.5749, the fourth highest. Try some offsets on both sides."),
    ],
)
def the_best_look_alike():
    """At 63 the first hand has made ten turns and the second has made one: the dot product is 3.7918. At 6, where the
    first has almost made one turn, it's 3.7837. The neighbour, at 1, comes fifth.

    Rows are most similar where the fast hands have come back together.
    """
    return max(range(1, 101), key=lambda k: dot_product(k, 8))


@exercise(
    hint="""The picture says after how many positions a column repeats. The last two columns are the slowest. The
        *d_model* slider leaves some widths out: type them into its box.""",
    wrong=[
        (10, "This is just short of it: 10 columns end with a wavelength of 9,958.2."),
        (16, "16 columns are enough, but so are fewer. The slider leaves some widths out: type them."),
        (14, "14 columns are enough, but so are fewer. Try the even width before it."),
        (8, "8 columns end with a wavelength of 6,283.2. Did you look at the last column?"),
        (11, "The exercise asks for an even width."),
    ],
)
def a_wave_slow_enough():
    """With base 10000, 10 columns end with a wavelength of 9,958.2 and 12 columns with 13,536.7. The wider, the
    slower, but never beyond 62,831.9, which is 2π times the base.
    """
    return min(d_model for d_model in range(2, 18, 2) if wavelengths(d_model)[-1] > 10_000)
