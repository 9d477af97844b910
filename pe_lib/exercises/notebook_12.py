"""The exercises of notebook 12, *Explore everything on one board*."""

from pe_lib.exercises.former.engine import exercise
from pe_lib.exercises.former.expectations import Answer, Answers


@exercise(
    hint="""Press *64 positions*, set *column* to 8 and enlarge the heatmap: its wave at the side shows where the column
        is near -1. Three positions are close, so read their numbers.""",
    why="""The wave of column 8 has the wavelength 19.9 and is lowest after three quarters of it, near 14.9, and every
        19.9 positions later. Position 15 comes nearest to such a place, with -0.9995; positions 35 and 55 follow.""",
)
def the_lowest_number() -> Answers:
    yield Answer(15)
    yield Answer(35).nearly("Its number is -0.9974, close to the lowest. Is there a position one wavelength away?")
    yield Answer(55).nearly("Its number is -0.9935, close to the lowest. Is there a position one wavelength away?")
    yield Answer(14).wrong("At position 14 the wave is still on its way down.")
    yield Answer(5).wrong("Near position 5 the wave is highest. Which end of the wave is asked for?")
    yield Answer(47).wrong("There column 8 of 32 columns is lowest. Is *d_model* at 64?")


@exercise(
    name="the best look-alike",
    hint="""Enlarge similarity. The rows are most alike where the curve of g(k) is highest, k = 0 aside. Two of its
        peaks look equally high: click on each, and read the number.""",
    why="""At 63 the hand of pair 0 has made ten turns and that of pair 1 one: g(63) is 3.7918. At 6 the hand of pair 0
        has nearly made one turn: g(6) is 3.7837. The neighbour comes fifth.""",
)
def the_best_look_alike() -> Answers:
    yield Answer(63)
    yield Answer(6).nearly("g(6) is 3.7837, the second highest. Another peak, farther out, is a little higher.")
    yield Answer(0).wrong("At offset 0 a row is compared with itself. Which other row is most like it?")
    yield Answer(1).wrong("g(1) is 3.5353, and the curve has peaks that are higher, at larger offsets.")
    yield Answer(69).nearly("g(69) is 3.5780, the third highest. Look at the peaks on its left.")
    yield Answer(57).nearly("g(57) is 3.5749, the fourth highest. Look at the peaks on both sides.")


@exercise(
    hint="""The board says the wavelength of the chosen column, and the slowest wave is in the last two. The slider of
        *d_model* leaves some widths out; type them into its box.""",
    why="""With base 10000, 10 columns end with a wavelength of 9,958.2 and 12 columns with 13,536.7. The wider, the
        slower, but never beyond 62,831.9, which is 2π times the base.""",
)
def a_wave_slow_enough() -> Answers:
    yield Answer(12)
    yield Answer(10).nearly("Just short of it: 10 columns end with a wavelength of 9,958.2.")
    yield Answer(16).nearly("16 columns are enough, and fewer are. The slider leaves some widths out: type them.")
    yield Answer(14).nearly("14 columns are enough, and fewer are. Try the even width before it.")
    yield Answer(8).wrong("8 columns end with a wavelength of 6,283.2. Did you look at the last column?")
    yield Answer(11).wrong("An even width is asked for.")
