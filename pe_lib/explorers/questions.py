"""The questions that the notebooks ask before a cell answers them, each choice with the reason for or against it.

They stand here and not in the cells that ask them, where one would read the answers with the question.
"""

QUESTIONS: dict[str, tuple[str, dict[str, str]]] = {
    # notebook 01
    "swap two words": (
        "Attention reads “cat chased mouse”, then “mouse chased cat”. What is the same in its two outputs?",
        {
            "The whole matrix, row by row": (
                "Row 0 belongs to the word that comes first, and that is another one. Compare the first rows of "
                "the two matrices below."
            ),
            "The vector of each word": (
                "“cat” asks the same thing, and the same three words answer. Look for its vector in both matrices "
                "below, and for the row it stands in."
            ),
            "Nothing": (
                "What in the six lines could tell “cat” at position 0 from “cat” at position 2? Look for its "
                "vector in both matrices below."
            ),
        },
    ),
    "number the words": (
        "Nine words, the position added to each. To which word does a word give its largest share?",
        {
            "To itself": (
                "Its own row has its own direction, but a dot product grows with the length of the other row too. "
                "Which row is the longest? Run the next cell."
            ),
            "To the first": (
                "The first word has 0 added, so its row stays the shortest of all, and a dot product grows with "
                "the length of the other row. Run the next cell."
            ),
            "To the last": (
                "The dot product of the rows at p and q contains 4·p·q, and that is largest where q is. Run the "
                "next cell to see how large the share is."
            ),
            "To all about the same": (
                "That is so without the numbers, where all shares lie around a ninth. Run the next cell to see "
                "what they do to it."
            ),
        },
    ),
    # notebook 03
    "stack on another axis": (
        "Stack on axis=0 or on axis=1, then reshape(10, 6). Which of them still gives every position a row of its own?",
        {
            "axis=0": (
                "The new axis comes first there and runs slowest, so every sine is read before the first cosine. "
                "Whose sines fill the six places of row 0? Run the next cell."
            ),
            "axis=1": (
                "The position is still the first axis, and each position has 2 times 3 numbers, as many as a row. "
                "In which order they stand in the row is another question. Run the next cell."
            ),
            "Both": (
                "Six numbers of one position must be read in a row. Ask for each of the two which axis comes "
                "first, and so runs slowest. Run the next cell."
            ),
            "Neither": (
                "Where the position remains the first axis, its six numbers are read before those of the next. "
                "For one of the two that is so. Run the next cell."
            ),
        },
    ),
    "stack a width of five": (
        "d_model = 5, three angles for each position. What is np.stack([sines, cosines], axis=2).reshape(10, -1)?",
        {
            "An error": (
                "np.stack asks for arrays of one shape, and sines and cosines are both (10, 3). reshape with -1 "
                "takes what it is given. Run the next cell."
            ),
            "A matrix of 4 columns": (
                "That would need the third angle to be left out. Who leaves it out? Run the next cell."
            ),
            "A matrix of 5 columns": (
                "For that, one cosine has to go. Nothing in this line has been told that d_model is 5. Run the "
                "next cell."
            ),
            "A matrix of 6 columns": (
                "Three angles, and each has a sine and a cosine. Nothing here knows that d_model is 5. Run the "
                "next cell."
            ),
        },
    ),
    # notebook 04
    "count the waves": (
        "From how many different waves are the twelve numbers of “Dan loves icecream” read?",
        {
            "Three, one for each word": (
                "A note on the web says so too: “a wave for each token in the sequence”. Then one wave would have "
                "to give “Dan” four numbers at one place, and a tenth word would need a tenth wave. Look at the "
                "formula: which of pos and j decides between sine and cosine, and which the divisor?"
            ),
            "Four, one for each column": (
                "The column decides between sine and cosine and sets the divisor: with both, the wave is fixed. "
                "The position says only where on the wave to look. Read on to see all twelve come out."
            ),
            "Twelve, one for each number": (
                "You could draw twelve. Write down the function for column 0 at positions 0, 1 and 2 and see "
                "whether it is three functions, or one at three places."
            ),
        },
    ),
    "one column tells the position": (
        "Column 2 holds about 0.84, and you know that the position lies between 0 and 627. Which position is it?",
        {
            "100, or a neighbour of it": (
                "The wave does not repeat within 628 positions. But does it have to repeat to take a height "
                "twice? Follow it with a finger: up, and then?"
            ),
            "One of two places, far apart": (
                "A wave goes up and comes down again, and on its way it takes each height but the top and the "
                "bottom twice. The cell below says where the second place is."
            ),
            "It could be almost anywhere": (
                "Column 0, the fast one, would leave you so: it takes the height 0.84 some two hundred times on "
                "the way. Column 2 goes up and down only once."
            ),
        },
    ),
    # notebook 05
    "the column that repeats every 2": (
        "Counted from the left, which of the four columns repeats every 2 entries?",
        {
            "The first": (
                "Write down the first digits of 0000, 0001, 0010, 0011: four zeros so far. The table below shows "
                "how long that goes on."
            ),
            "The fourth": (
                "The last bit says whether a number is odd, and even and odd numbers take turns. The table below "
                "shows what the other columns do."
            ),
            "All four, since there are only two digits": (
                "A column has two digits to choose from, but it need not change at each step. From 0000 to 0001 "
                "three columns stand still."
            ),
        },
    ),
    "a step in the encoding": (
        "How far is it from PE(7) to PE(8), compared with the way from PE(0) to PE(1)?",
        {
            "About four times as far": (
                "Four bits flip, but a bit that flips is a wheel carried on by its neighbour. Which hand would "
                "have to turn further than at its first step? Measure it below."
            ),
            "A little farther": (
                "The slow hands have got going, one may think. But a hand turns at the same speed from the start. "
                "Measure it below."
            ),
            "As far": (
                "Each hand turns by the same angle w_i at every step, wherever it stands, so its tip moves by the "
                "same length. The cell below measures whether that adds up."
            ),
            "Less far, as the sine is near its top at 8": (
                "The sine of the fastest pair does change less there than at 0. But it is not alone: its cosine "
                "changes the more. Measure both below."
            ),
        },
    ),
    # notebook 06
    "the axis in the middle": (
        "x of shape (B, 3, 4) plus PE of shape (3, 1, 4), for B = 1, 2, 3, 4. When does NumPy raise an error?",
        {
            "For every B": (
                "The 4s are equal, and the 1 in the middle is stretched to 3. That leaves axis 0, where B stands "
                "above a 3. Is there no B that goes with it?"
            ),
            "For 2 and 4": (
                "On axis 0, B stands above a 3. A 2 and a 4 are neither equal to it nor 1. Look below at the "
                "shapes that come out for the two others, and at how many sentences those are."
            ),
            "For all but 3": (
                "A 3 is equal to the 3 of the table. But the rules also let a 1 be stretched, and not only in the "
                "table. Look below at what comes out for B = 1."
            ),
            "For none": ("On axis 0, B stands above a 3. A 1 is stretched and a 3 is equal. Where are 2 and 4 to go?"),
        },
    ),
    "add or concatenate": (
        "Which can compute more: (E + P) W, or [E, P] W with twice as many rows in W?",
        {
            "(E + P) W": (
                "Whatever W is here, put it twice, one below the other, and [E, P] W gives the same. The next "
                "cell says what else [E, P] W can do."
            ),
            "[E, P] W": (
                "Its upper half meets E, and its lower half meets P. The two halves may differ, which (E + P) W "
                "cannot have. The next cell takes the matrix apart, and the one after it asks for the price."
            ),
            "Both the same": (
                "With (E + P) W, word and position meet the same weights. Which weights does P meet in [E, P] W? "
                "The next cell takes the matrix apart."
            ),
        },
    ),
    # notebook 07
    "both positions move on": (
        "Take PE(2) and PE(5), then PE(102) and PE(105), with four columns. What has changed?",
        {
            "Nothing: they are 3 apart as before": (
                "The offset is the same, and yet each pair has turned on by w_i · 100. What does a turn leave as it "
                "is, and what does it not? Compare the lines below."
            ),
            "The dot product": (
                "Both rows have been turned, and both by the same angles. Does the angle between two hands change "
                "when both turn together? The first line of each pair of lines below says."
            ),
            "The difference, but not its length": (
                "Think of two hands and of the straight line between their tips, and turn both hands. What becomes of "
                "the line? Its length and its numbers are below."
            ),
            "The difference and its length": (
                "Think of two hands and of the straight line between their tips, and turn both hands together. Does "
                "the line get longer or shorter? Look at the distances below."
            ),
        },
    ),
    "the share of the token before": (
        "16 tokens, 64 columns, scores divided by 8. Which share does token 5 give to token 4, the one it looks for?",
        {
            "Nearly all": (
                "Its score is the largest of the row. But a softmax asks by how much: a lead of 1 in the score is a "
                "factor of e in the share, and a lead of 0.1 hardly anything. Read row 5 below."
            ),
            "About a half": (
                "For a half it has to weigh as much as the fifteen others together. How far is its score ahead of "
                "those of its neighbours? Read row 5 below."
            ),
            "About an eighth": (
                "An equal share would be a sixteenth. So the head would know where to look, and hardly dare to. Read "
                "row 5 below, and what can be done about it."
            ),
        },
    ),
    # notebook 08
    "after the longest wave": (
        "d_model = 512. How far is PE(62832) from PE(0), compared with the way from PE(0) to PE(1)?",
        {
            "Hardly any way: it has come round": (
                "For that, every hand must be back at once. How many hands does a width of 512 have, and whose "
                "wavelength would 62832 be? Run the next cell, and the one after it."
            ),
            "About as far": (
                "A neighbour is near because no hand has had time to turn far. Position 62832 is as near only if all "
                "hands are nearly back at the same time. Run the next cell."
            ),
            "Several times as far": (
                "Then many hands point elsewhere. Which would you expect them to be, the slow ones or the fast ones? "
                "Run the next cell, and the one after it for the slowest."
            ),
        },
    ),
    "positions in bfloat16": (
        "The positions 0 to 511 are rounded to bfloat16. How many different numbers are left?",
        {
            "512, for they are whole numbers": (
                "Whole numbers need digits too: 511 is 111111111 in binary. Count them, and look at the end of the "
                "list below."
            ),
            "Between 300 and 500": (
                "So there is a stretch in which some got lost, and one in which none did. Where does the first of them "
                "end? Look for the first two neighbours below that have become one."
            ),
            "256, as there are 8 bits": (
                "Eight bits alone could be 256 different ones. But there is an exponent beside them: 1.5, 3 and 6 have "
                "the same bits and differ in it. Run the next cell."
            ),
            "About 60": (
                "That would leave stretches of eight or nine positions that have become one. Look at neighbours in the "
                "list below, and at how far apart they are."
            ),
        },
    ),
    # notebook 09
    "what is wrong with case B": (
        "What is wrong with case B?",
        {
            "Another base": (
                "A base changes how fast the waves slow down from pair to pair. It leaves each pair whole, a sine and "
                "a cosine of one angle. Measure below whether they are."
            ),
            "Positions that begin elsewhere": (
                "Then its row 0 would be another row of the encoding on the left. Compare the first rows of the two."
            ),
            "Columns that do not belong together": (
                "Sine squared plus cosine squared is 1 if both are of one angle, whatever the angle. The next cell "
                "measures the root of that, for rows and for pairs."
            ),
            "Nothing, the columns are in another order": (
                "Then every column of one picture would stand somewhere in the other. Count the columns in which "
                "something moves, on the left and on the right."
            ),
        },
    ),
    "the base of the debug print": (
        "Each printed number is about 0.0706 of the one before. 16 columns: what is the base?",
        {
            "About 14": (
                "One over 0.0706 is about 14, and that is a single step, from one pair to the next. How many such "
                "steps does the whole base have, with 16 columns? The next cell takes them."
            ),
            "10000, as in the formula": (
                "With 16 columns, the eighth root of 10000 would lie between two neighbours: 3.162. Is one over 0.0706 "
                "that? The next cell computes the base of each two neighbours."
            ),
            "About 100 million": (
                "Its eighth root is 10, so the second number would be a tenth. Compare that with the print; the next "
                "cell computes the base of each two neighbours."
            ),
            "More than a billion": (
                "What is 14 to the power 8, roughly? 14 squared is near 200; square that twice more. The next cell "
                "says it exactly, and whether all neighbours agree."
            ),
        },
    ),
}
