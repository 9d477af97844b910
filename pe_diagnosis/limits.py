"""The thresholds of the diagnosis, and what breaks when one is moved.

A name and its comment read as one sentence: MOST_LISTED rows or columns in a sentence.

Each was moved alone, down and up, and 185 tables and sums, most of them those of the tests, were asked again: mistakes
with all digits and with four decimals, right ones of any type, two lines, other starts, damage, and no encodings.
[a … b] says that no answer changed at a, nor at b; next to other tables there may be less room. Where answers changed,
it says how. What has neither wasn't moved. To move one: `python benchmarks/limits.py ENOUGH=0.9`.
"""

# ------------------------------------------------------------------ costs, which the catalogue counts in mistakes of 1

VARIANT = 0.8  # what costs less is another convention and no mistake [0.65 … 0.89]
STOP_BELOW = 1  # a program that costs less is right, a variant, or swapped; at 1.05 a rival may be lost [0.85 … 1]
ONE_MISTAKE = 1.5  # the most that a program with one mistake costs; a list of positions costs all of it [1.2 … 1.9]
DEAREST = 3.4  # the most for a program that is believed [2.9 … 4.2]
DEAREST_ANYWHERE = 1.05  # the most for a law from any first position; at .8 no mistake is found so [1.05 … 1.5]
USUAL_VIEWS = 0.95  # of layouts in wide use, at most; at 1.2 a wrong row brings a sign with it [0.5 … 0.95]
ODD_START = 0.7  # the cost of a first position that isn't plain [0.2 … 1.2]
COST_OF_JOINING = 0.8  # two programs, each for some of the columns [0.3 … 1.3]
MEASURED_BASE = 1.1  # the least for a base that was measured [0.8 … 1.5]
MEASURED_SCALE = 0.9  # the least for a scale or an offset [0.6 … 1.3]
ALIKE = 0.1  # two programs that cost no more apart are both kept [0 … 0.4]
TOLD_APART = 0.05  # costs that differ by less are equal; at .3 "all negated" is also a scale of -1 [0.01 … 0.05]

# ------------------------------------------------------------------ how many numbers have to agree

HALF = 0.5  # of sixty cells, before more are looked at [0.25 … 0.8]
ENOUGH = 0.7  # of some cells: the others may be damage [0.5 … 0.9]
AGREEING = 0.85  # of the cells, with a scale or a line of angles or values [0.7 … 0.9]
NEARLY_ALL = 0.99  # of the numbers are right: the rest is looked at as damage at once [0.93 … 0.999]
BY_CHANCE = 0.02  # other first positions, at most, that make the numbers as well [0.002 … 1]
FEWEST = 12  # numbers are needed to show two mistakes; at 40, 6 × 4 numbers show one at most [4 … 24]
FEW_DIFFERENT = 3  # numbers or fewer show no two mistakes either, and no turn; at 1, a single row has two [3 … 6]

# ------------------------------------------------------------------ how far numbers may be off

MOST_LOST = 0.02  # a sine: beyond, anything would fit [0.002 … 0.1]
STRETCHED = 8  # times what a sine may be off, after a line of values [1 … 60]
SCALES = 1e-3, 1e3  # a scale beyond makes straight lines of sines, or nothing
PRINTED = 4  # decimals, or more, with which numbers are printed
HOPELESS = 1.5  # times what is allowed, while others are free; at 1.2 the mean of 6 × 4 numbers is lost [1.5 … 3]
NEAR = 0.2  # on the average, from the nearest encoding; at .6 any sines are near one [0.05 … 0.35]
FAR_OFF = 20  # halves of the last digit by which a number that is called wrong differs, at least [3 … 200]
LARGEST_POWER = 30  # of 2, or smallest, that a number may have
LISTABLE = 0.2  # a position may be off, at most: beyond, the nearest whole one may be another [0.05 … 0.45]
LARGEST_POSITION = 1e9  # that is listed
LARGEST_DENOMINATOR = 5000  # of a fraction, or number under a root

# ------------------------------------------------------------------ what turns

FEWEST_TO_TURN = 8  # rows are needed to show that nothing turns [4 … 16]
LEFT = 0.25  # of what varies may be left where a column recurs, or a pair keeps its length [0.1 … 0.5]
TURNING = 0.05  # of the columns, at least, in an encoding [0.01 … 0.3]
LEAP = 0.5  # radians that a slow pair may leave open of the next faster one: see `View.tells_steps` [0.1 … 2]
FASTEST = 3.0  # radians per row: a little less than half a turn, beyond which turns look like slower ones [2 … 3.14]
STEADY = 1e-3  # of its length, or less, a hand gains, loses or moves where it stands still [1e-5 … 0.05]
EVEN = 0.03  # of a column may go on otherwise than a sine of equal steps does [0.005 … 0.15]
TOLD_TURN = 0.2  # of a turn: a column that leaves more open doesn't say how fast it turns [0.05 … 0.6]
PLAIN_STEP = 0.02  # of a step, at most, from the plain one that it's taken for [0.002 … 0.1]
LIKE_TURN = 0.01  # of a turn, at most, from what a law says [0.002 … 0.05]
LIKE_TURNS = 0.9  # of the columns have to turn as a law says [0.6 … 1.0]
# Between which first positions are tried, and the cost of the dearest law: near 0 first, for speed.
STARTS = ((-200, 5000), DEAREST), ((-2000, 300_000), USUAL_VIEWS)

# ------------------------------------------------------------------ damage, and tables made of a smaller one

DAMAGED = 0.34  # of the rows, or columns, at most; at .2 one of 4 is too much, at .5 a sign is damage [0.27 … 0.42]
DAMAGED_BESIDE = 0.15  # of the columns, next to a mistake; at .05 one of 16 is too much [0.1 … 0.34]
WRONG = 0.12  # of single numbers, at most; at .06 those in nine rows are too many [0.12 … 0.3]
DROPPED = 0.6  # of the numbers, at most, by dropout [0.3 … 0.9]
BLANK = 0.97  # of the rows, or columns, or more, are zeros: then zeros count as numbers; stay below 1 [0.8 … 0.97]
MOST_DAMAGED = 24  # rows and columns of numbers that nothing explains [6 … 100]
MOST_LINES = 4  # of damage [2 … 9]
NARROWEST = 4  # columns of a table next to others [2 … 8]
FEWEST_ROWS = 3  # of a table whose rows repeat [2 … 6]

# ------------------------------------------------------------------ sums

LEAST_DROPOUT = 1.005  # times as large as they should be are the numbers that dropout leaves [1 … 1.05]
LEAST_TURN = 1e-2  # of x, where RoPE turns most: whatever is small looks like a small turn [1e-4 … 0.1]
SHOWN = 0.2  # of noise, at most, for a number to show whether a sine was added [0.05 … 0.6]
DROWNED = 1e3  # times the usual noise: next to a large number, what was added says nothing [30 … 1e5]
LARGEST_SUM = 1e12  # next to larger numbers, float64 keeps too little of a sine

# ------------------------------------------------------------------ how much is looked at: for speed

ROWS, COLUMNS = 24, 32  # of a view, first
SEEN_ROWS, SEEN_COLUMNS = 64, 64  # that are enough to see whether anything turns
LONGEST = 2048  # rows from which turns are measured
SAMPLE = 200_000  # numbers, to see how all are stored
SOME = 2000  # numbers from which a mixture is measured, or to how many digits all are rounded
TRIED_ROWS = 65  # first ones, at which a break among the positions is looked for
MOST_AGREEING = 12  # laws that make most cells of a view, the best of which are run [3 … 40]
ATTEMPTS = 60  # at programs with measured numbers, for one matrix [20 … 60]
HURT = 6  # programs that make most numbers and are tried with damage [2 … 20]
MOST_LAWS = 80  # that turn as measured and are tried from any first position, forwards or backwards [20 … 80]
CORRECTIONS = 5  # of measured numbers, for one program

# ------------------------------------------------------------------ how much is said

MOST_MEANINGS = 3
MOST_LISTED = 6  # rows or columns in a sentence
