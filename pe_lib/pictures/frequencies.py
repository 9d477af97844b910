"""What each way to scale RoPE does to the wavelengths of the pairs, beside the length a model was trained at."""

from typing import ClassVar

import numpy as np

from pe_lib.encoding import frequencies
from pe_lib.pictures.colours import BAND, BLUE, GREY, INK, ORANGE, PURPLE, YELLOW
from pe_lib.pictures.fields import Choice, Integer, Number
from pe_lib.pictures.panes import Pane
from pe_lib.pictures.parts import asked, below
from pe_lib.pictures.picture import Picture, Target, Targets
from pe_lib.pictures.scene import SMALL, TALK, Elements, answer, box, discs, line, text
from pe_lib.pictures.writing import hold, short_length
from pe_lib.rope_scaling import scaled_wavelengths

SCALINGS = ("none", "interpolation", "NTK-aware", "YaRN", "Llama 3")
FACTORS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
TRAINED = (64, 256, 1024, 2048, 4096, 8192, 32_768, 131_072)
LEFT, WIDE, TOP, HIGH = 176.0, 600.0, 124.0, 250.0  # of the rows, one for each scaling
LENGTH, EDGE = 946.0, 1084.0  # where wavelengths end, and divisors
TICKS, LEGEND, LARGEST = 390.0, 422.0, 60.0
SAME = 1e-9


class Frequencies(Picture):
    """Show the wavelengths of all pairs on a logarithmic axis, a row for each way to scale them.

    A pair whose wavelength is beyond the trained length never turned once in training. Blue marks are kept as they
    were, orange ones are divided by the whole factor in frequency, purple ones lie between; a line follows the chosen
    pair through the rows.

    {parameters}

    References
    ----------
    Peng et al. (2023), "YaRN: Efficient Context Window Extension of Large Language Models", section 3.

    Examples
    --------
    >>> [round(Frequencies(factor=4, pair=pair).divisors["NTK-aware"], 4) for pair in (0, 63)]
    [1.0, 4.0]
    """

    fields: ClassVar = (
        Choice("scaling", "YaRN", SCALINGS, about="Whose divisor is the large number; “YaRN” is the paper's"),
        Number("factor", 4.0, 1, 64, FACTORS, about="The wanted length over the trained one"),
        Integer("trained", 4096, 16, 2**20, options=TRAINED, label="trained length", about="The trained length"),
        Integer("d_model", 128, 4, 512, step=2, options=(8, 16, 32, 64, 128, 256), about="The width of a head, even"),
        Number("base", 10_000.0, 1.01, 1e9, (100.0, 1e3, 1e4, 5e5, 1e6), about="The number that is raised to a power"),
        Integer("pair", 33, 0, lambda s: s["d_model"] // 2 - 1, moves=True, about="The chosen pair, from 0"),
    )
    shown: ClassVar = ("scaling", "factor", "trained")
    play: ClassVar = "pair"
    presets: ClassVar = {
        "fastest pair": {"pair": 0},
        "slowest pair": {"pair": 63},
        "one base for all": {"scaling": "NTK-aware"},
        "Llama 3.1": {"scaling": "Llama 3", "factor": 8.0, "trained": 8192, "base": 500_000.0, "pair": 31},
        "trained at 256": {"trained": 256, "pair": 16},
    }
    pages: ClassVar = (
        {"pair": range(64), "scaling": SCALINGS[1:4]},
        {"pair": range(64), "scaling": ("Llama 3",), "factor": (8.0,), "trained": (8192,), "base": (500_000.0,)},
        {"factor": (1.0, 2.0, 8.0, 16.0, 32.0), "pair": range(0, 64, 7)},
        {"trained": (256, 1024, 32_768), "pair": range(0, 64, 7)},
    )

    @property
    def lengths(self) -> dict[str, np.ndarray]:
        """The wavelength of every pair under every scaling, each of shape (d_model / 2,)."""
        s = self.state
        return scaled_wavelengths(frequencies(s["d_model"], s["base"]), s["factor"], s["trained"])

    @property
    def divisors(self) -> dict[str, float]:
        """By what each scaling divides the frequency of the chosen pair."""
        pair, lengths = self.state["pair"], self.lengths
        return {name: float(row[pair] / lengths["none"][pair]) for name, row in lengths.items()}

    def words(self) -> str:
        s, lengths, divisors = self.state, self.lengths, self.divisors
        never = int((lengths["none"] > s["trained"]).sum())
        said = {
            name: f"{short_length(row[s['pair']])}, ÷ {_divisor(divisors[name], s['factor'])}"
            for name, row in lengths.items()
        }
        rows = [f"{name}: {numbers if name == 'none' else hold(numbers)}" for name, numbers in said.items()]
        chosen = _divisor(divisors[s["scaling"]], s["factor"])
        return (
            f"Wavelengths of {len(lengths['none'])} pairs on a logarithmic axis, under five scalings (d_model "
            f"{s['d_model']}, base {s['base']:.12g}, factor {s['factor']:g}). Trained at {s['trained']:,} positions, "
            f"wanted {s['trained'] * s['factor']:,.0f}; {never} pairs never turned once in training. Pair "
            f"{s['pair']}, wavelength in positions and divisor of its frequency: {'; '.join(rows)}. Chosen: "
            f"{s['scaling']}, {hold(chosen)}."
        )

    def lay(self) -> Elements:
        """Yield the axis, the two lengths, and the marks of all pairs."""
        s, pane = self.state, self._pane()
        wanted, high = s["trained"] * s["factor"], pane.y(0) - pane.y(1)
        edge = pane.x(np.log10(s["trained"]))
        yield box(edge, TOP - 18, pane.right - edge, HIGH + 18, BAND)
        yield box(10, pane.y(SCALINGS.index(s["scaling"]) + 0.5), 1080, high, YELLOW)
        for x, dash in ((edge, ()), (pane.x(np.log10(wanted)), (6, 5))):
            yield line(x, [TOP - 18, TOP + HIGH], INK, 2, dash)
        yield text(24, 26, f"trained at {s['trained']:,}, wanted {wanted:,.0f}", align="start", weight="bold")
        yield text(24, 58, f"factor {s['factor']:g}, d_model {s['d_model']}, base {s['base']:.12g}", align="start")
        yield text(LENGTH, TOP - 22, "wavelength", SMALL, GREY, "end")
        yield text(EDGE, TOP - 22, "frequency ÷", SMALL, GREY, "end")
        yield text(LEFT, TOP - 32, "beyond the solid line: never a whole turn in training", SMALL, GREY, "start")
        step = 1 if pane.x(1) - pane.x(0) > 80 else 2
        powers = range(int(np.ceil(pane.across[0])), int(pane.across[1]) + 1, step)
        yield from below(pane, powers, TICKS, "wavelength", 16, lambda p: f"{10**p:,}" if p < 6 else f"1e{p}")
        for k, name in enumerate(SCALINGS):
            yield text(24, pane.y(k), name, TALK, INK, "start", "bold" if name == s["scaling"] else "normal")
            yield from self._marks(k, pane) if name == "none" else answer(*self._marks(k, pane))
        for k, (colour, said) in enumerate(((BLUE, "kept"), (PURPLE, "in between"), (ORANGE, f"÷ {s['factor']:g}"))):
            at = LEFT + 150 * k
            yield line(at, [LEGEND - 9, LEGEND + 9], colour, 4)
            yield text(at + 12, LEGEND, said, SMALL, GREY, "start")

    def _marks(self, row: int, pane: Pane) -> Elements:
        """Yield a mark for each pair, in the colour of what has become of it."""
        lengths, name, factor = self.lengths, SCALINGS[row], self.state["factor"]
        xs, divided = pane.x(np.log10(lengths[name])), lengths[name] / lengths["none"]
        kept, full = divided < 1 + SAME, divided > factor * (1 - SAME)
        width = max(1.0, min(3.0, 0.5 * (xs[-1] - xs[0]) / len(xs)))
        ends = pane.y(row) + np.array([-11.0, 11.0])
        for some, colour in ((kept, BLUE), (~kept & ~full, PURPLE), (full & ~kept, ORANGE)):
            if some.any():
                yield line(xs[some, np.newaxis], ends, colour, width)

    def move(self) -> Elements:
        """Yield the chosen pair in all rows, its wavelengths and divisors, and the large number."""
        s, pane, pair, lengths, divisors = self.state, self._pane(), self.state["pair"], self.lengths, self.divisors
        number = f"÷ {_divisor(divisors[s['scaling']], s['factor'])}"
        yield from asked(EDGE, 42, number, LARGEST, INK, "end", "bold", mark="÷ ?", most=EDGE - 806)
        yield text(790, 26, f"pair {pair}", align="end", weight="bold")
        yield text(790, 58, s["scaling"], align="end")
        xs = pane.x(np.log10([row[pair] for row in lengths.values()]))
        ys = pane.y(np.arange(len(SCALINGS)))
        yield from answer(line(xs, ys, INK, 1.5, (2, 4)), discs(xs[1:], ys[1:], 7, ORANGE, INK, 1.5))
        yield discs(xs[:1], ys[:1], 7, ORANGE, INK, 1.5)
        for y, (name, divisor) in zip(ys, divisors.items(), strict=True):
            weight = "bold" if name == s["scaling"] else "normal"
            said = (LENGTH, short_length(lengths[name][pair])), (EDGE, _divisor(divisor, s["factor"]))
            shown = [text(x, y, number, TALK, INK, "end", weight) for x, number in said]
            hidden = [text(x, y, "?", TALK, INK, "end") for x, _ in said]
            yield from shown if name == "none" else answer(*shown, question=hidden)

    def targets(self) -> Targets:
        """Yield the rows: a click chooses a scaling, and where the marks are evenly spaced the pair as well."""
        pane, high = self._pane(), HIGH / len(SCALINGS)
        for k, (name, row) in enumerate(self.lengths.items()):
            first, last = pane.x(np.log10(row[[0, -1]]))
            half = min((last - first) / (2 * (len(row) - 1)), 150.0)  # of two pairs, less room does as well
            top = pane.y(k - 0.5)
            if k < 3:
                marks = float(first - half), top, float(last - first + 2 * half), high
                yield Target(marks, across=("pair", range(len(row))), sets={"scaling": name})
            yield Target((10, top, 1080, high), sets={"scaling": name})

    def _pane(self) -> Pane:
        """Return where the rows are: the logarithm of a wavelength across, rows downward."""
        trained = self.state["trained"]
        lengths = np.log10(np.concatenate([*self.lengths.values(), [trained, trained * self.state["factor"]]]))
        margin = 0.03 * np.ptp(lengths) + 0.02
        across = float(lengths.min() - margin), float(lengths.max() + margin)
        return Pane(LEFT, TOP, WIDE, HIGH, across, (len(SCALINGS) - 0.5, -0.5))


def _divisor(number: float, factor: float) -> str:
    """Write a divisor with three digits; with more where these would read as 1 or as the factor, and it is neither."""
    others = [end for end in (1.0, factor) if abs(number - end) > SAME * end]
    written = (f"{number:.{digits}g}" for digits in range(3, 7))
    return next((said for said in written if float(said) not in others), f"{number:.3g}")
