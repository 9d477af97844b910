"""What each way to scale RoPE does to the wavelengths of the pairs, compared with the length a model was trained at."""

from typing import ClassVar

import numpy as np

from pe_lib.encoding import BASE, frequencies
from pe_lib.rope_scaling import scaled_wavelengths
from pe_pictures.colours import BAND, GREY, HERE, INK, SINE
from pe_pictures.fields import Choice, Integer, Number
from pe_pictures.panes import Pane
from pe_pictures.parts import below, dot, held, link, spot
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import T1, T2, Elements, answer, boxes, line, text
from pe_pictures.writing import here, hold, short_length

SCALINGS = ("none", "interpolation", "NTK-aware", "YaRN", "Llama 3.1")
FACTORS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
TRAINED = (256, 1024, 2048, 4096, 8192, 32_768, 131_072)
KEPT, FULL = 0.5, 1.0  # the heights of a mark, in parts of the highest: of a pair that is kept, of one that is divided
LEAST = 200.0  # units of the sheet that the slider needs
SAME = 1e-9


class Frequencies(Picture):
    """Show the wavelengths of all pairs on a logarithmic axis, a row for each way to scale them.

    A pair whose wavelength is beyond the trained length completed no turn in training. A short blue mark is a pair that
    was kept as it was; the higher a dark mark, the more its frequency was divided. The orange line follows one pair
    through the rows.

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
        Choice("scaling", "YaRN", SCALINGS, about="Which row the sentence tells of; “YaRN” is the paper's"),
        Number("factor", 4.0, 1, 64, FACTORS, about="The wanted length over the trained one"),
        Integer("trained", 4096, 256, 2**20, options=TRAINED, label="trained length", about="The trained length"),
        Integer("d_model", 128, 4, 512, step=2, options=(8, 16, 32, 64, 128, 256), about="The width of a head, even"),
        Number("base", BASE, 10, 1e9, (100.0, 1e3, 1e4, 5e5, 1e6), about="The number that is raised to a power"),
        Integer("pair", 33, 0, lambda s: s["d_model"] // 2 - 1, moves=True, about="The chosen pair, from 0"),
    )
    shown: ClassVar = ("scaling", "factor", "trained")
    play: ClassVar = "pair"
    pace: ClassVar = 5.0
    presets: ClassVar = {
        "fastest pair": {"pair": 0},
        "slowest pair": {"pair": 63},
        "all equally": {"scaling": "interpolation"},
        "one base for all": {"scaling": "NTK-aware"},
        "by turns": {"scaling": "YaRN"},
        "Llama 3.1": {"scaling": "Llama 3.1", "factor": 8.0, "trained": 8192, "base": 500_000.0},
    }
    pages: ClassVar = (
        {"pair": range(64), "scaling": SCALINGS[1:4]},
        {"pair": range(64), "scaling": ("Llama 3.1",), "factor": (8.0,), "trained": (8192,), "base": (500_000.0,)},
        {"pair": range(0, 64, 7), "factor": (2.0, 8.0, 16.0, 32.0)},
    )
    question: ClassVar = "Which pairs must slow down to reach further?"

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

    @property
    def turns(self) -> float:
        """How many turns the chosen pair completed within the trained length."""
        return float(self.state["trained"] / self.lengths["none"][self.state["pair"]])

    def says(self) -> str:
        s, name, lengths = self.state, self.state["scaling"], self.lengths
        pair, last = here(f"pair {s['pair']}"), len(lengths["none"]) - 1
        divisor = hold(_divisor(self.divisors[name], s["factor"]))
        if name == "none":
            needs = f"needs {_length(lengths[name][s['pair']])} positions for one wave"
            first = here(f"The slowest of {last + 1} pairs") if s["pair"] == last else f"P{pair.replace('pair', 'air')}"
            return f"{first} {needs}; you trained on {s['trained']:,}."
        if name == "interpolation":
            return f"Interpolation divides every pair by {divisor}, {pair} like all the others."
        if name == "NTK-aware":
            if s["pair"] == 0:
                return f"One larger base {hold('keeps')} {pair} as it was and divides the last one by {s['factor']:g}."
            if s["pair"] == last:
                return f"One larger base keeps the first pair as it was and divides {pair}, the last, by {divisor}."
            return f"One larger base divides the first pair by 1, {pair} by {divisor}, the last by {s['factor']:g}."
        turns = f"{self.turns:.0f}" if self.turns >= 10 else f"{self.turns:.1f}"
        if self.divisors[name] < 1 + SAME:
            return f"In training, {pair} completed {turns} turns, so {name} {hold('keeps it')} as it was."
        if self.turns < 1:
            return f"In training, {pair} never completed a turn, so {name} slows it the most: {hold('÷')} {divisor}."
        return f"In training, {pair} completed {turns} turns, so {name} slows it in part: {hold('÷')} {divisor}."

    def words(self) -> str:
        s, lengths, divisors = self.state, self.lengths, self.divisors
        never = int((lengths["none"] > s["trained"]).sum())
        rows = "; ".join(
            f"{name} {_length(row[s['pair']])}, ÷ {_divisor(divisors[name], s['factor'])}"
            for name, row in lengths.items()
        )
        return (
            f"Wavelengths of {len(lengths['none'])} pairs on a logarithmic axis (d_model {s['d_model']}, base "
            f"{s['base']:.12g}), trained at {s['trained']:,} positions, wanted {s['trained'] * s['factor']:,.0f}; "
            f"{never} pairs completed no turn in training. Pair {s['pair']}, its wavelength and the divisor of its "
            f"frequency: {hold(rows) if s['factor'] > 1 else rows}."
        )

    def lay(self) -> Elements:
        s, pane, half = self.state, self._pane, self._strip / 2
        edge, wanted = (float(pane.x(np.log10(s["trained"] * factor))) for factor in (1, s["factor"]))
        ys = pane.y(np.arange(len(SCALINGS)))
        yield boxes([(edge, y - half, pane.right - edge, 2 * half) for y in ys], BAND)
        ends = ys[:, np.newaxis] + np.array([-half, half])
        yield line(edge, ends, INK, 1.5)
        yield line(wanted, ends, INK, 1.5, (6, 5))
        tops, free = ((12, 40, 68), (100.0, 520.0)) if self.tall else ((10, 10, 36), None)
        yield text(edge - 2, tops[0], f"trained: {s['trained']:,}", T1, align="end", within=free)
        yield text(wanted + 2, tops[1], f"wanted: {s['trained'] * s['factor']:,.0f}", T1, align="start", within=free)
        if pane.right - edge > (290 if self.tall else 210):
            yield text(edge + 8, tops[2], "completed no turn in training", T1, GREY, "start")
        else:
            yield text(edge - 8, tops[2], "completed no turn in training →", T1, GREY, "end")
        step = 1 if pane.x(1) - pane.x(0) > (90 if self.tall else 80) else 2
        decades = range(int(np.ceil(pane.across[0])), int(pane.across[1]) + 1, step)
        powers = [p for p in decades if pane.x(p) <= self.size[0] - 40]
        name = "" if self.tall else "wavelength"
        yield from below(pane, powers, self.size[1] - 14, name, 16, lambda p: f"{10**p:,}" if p < 6 else f"1e{p}")
        for k, name in enumerate(SCALINGS):
            y, weight = ys[k] - (44 if self.tall else 0), "bold" if name == s["scaling"] else "normal"
            yield text(0, y, name, T2, INK, "start", weight)
            yield from self._marks(k, pane) if name == "none" else answer(*self._marks(k, pane))
        if not self.tall:
            yield text(self._columns[0], 36, "one wave takes", T1, GREY, "end")
            yield text(self._columns[1], 36, "slowed", T1, GREY, "end")

    def _marks(self, row: int, pane: Pane) -> Elements:
        """Yield a mark for each pair, the higher the more it was slowed, and beside them what it means."""
        lengths, name, s = self.lengths, SCALINGS[row], self.state
        xs, divided = pane.x(np.log10(lengths[name])), lengths[name] / lengths["none"]
        kept, factor = divided < 1 + SAME, s["factor"]
        share = np.log(divided) / np.log(max(factor, 1 + SAME))
        high = (0.36 if self.tall else 0.27) * self._strip * np.where(kept, KEPT, KEPT + (FULL - KEPT) * share)
        width = max(1.0, min(3.0, 0.5 * (xs[-1] - xs[0]) / len(xs)))
        y, chosen = pane.y(row), name == s["scaling"]
        for some, colour in ((kept, SINE), (~kept, INK)):
            ends = y + high[some, np.newaxis] * [-1.0, 1.0]
            yield line(xs[some, np.newaxis], ends, colour, width, opacity=1.0 if chosen else 0.5)
        full, free = ~kept & (divided > factor * (1 - SAME)), (pane.left, pane.right)
        y += 0.5 * self._strip + (14 if self.tall else -7)
        if chosen and kept.any() and xs[kept][0] + 60 < xs[-1] - 60:
            yield text(xs[kept][0], y, "kept", T1, SINE, "start", within=free)
        if chosen and full.any() and not self.tall:
            yield text(xs[full][-1], y, f"÷ {factor:g}", T1, INK, "end", within=free)

    def move(self) -> Elements:
        s, pane, pair, lengths, divisors = self.state, self._pane, self.state["pair"], self.lengths, self.divisors
        xs = pane.x(np.log10([row[pair] for row in lengths.values()]))
        ys = pane.y(np.arange(len(SCALINGS)))
        yield from answer(link(xs, ys), *(dot(x, y) for x, y in zip(xs[1:], ys[1:], strict=True)))
        yield dot(xs[0], ys[0])
        yield spot(xs[0], ys[0])
        yield text(0, 12 if self.tall else 36, f"pair {pair}", T2, HERE, "start", "bold")
        for y, (name, divisor) in zip(ys, divisors.items(), strict=True):
            weight, row = "bold" if name == s["scaling"] else "normal", y - (44 if self.tall else 0)
            numbers = _length(lengths[name][pair]), f"÷ {_divisor(divisor, s['factor'])}"
            said = [
                text(x, row, number, T2, INK, "end", weight, halo=True)
                for x, number in zip(self._columns, numbers, strict=True)
            ]
            yield from said if name == "none" else (held(*said, tall=self.tall),)

    def targets(self) -> Targets:
        (left, right), count, pane = self.axis(), len(self.lengths["none"]), self._pane
        half = min((right - left) / (2 * (count - 1)), left)
        place = left - half, pane.top, right - left + 2 * half, pane.high
        yield Target(place, across=("pair", range(count)))

    def axis(self) -> tuple[float, float]:
        pane, row = self._pane, self.lengths["none"]
        first, last = pane.x(np.log10(row[[0, -1]]))
        return (float(first), float(last)) if last - first >= LEAST else (pane.left, pane.right)

    # Where everything is drawn.

    @property
    def _columns(self) -> tuple[float, float]:
        """Where the wavelengths end, and the divisors."""
        return (400.0, 520.0) if self.tall else (990.0, 1096.0)

    @property
    def _strip(self) -> float:
        """How high a row is in which marks stand."""
        return 64.0 if self.tall else self._pane.high / len(SCALINGS)

    @property
    def _pane(self) -> Pane:
        """Where the rows are: the logarithm of a wavelength across, rows downward."""
        trained = self.state["trained"]
        lengths = np.log10(np.concatenate([*self.lengths.values(), [trained, trained * self.state["factor"]]]))
        margin = 0.03 * np.ptp(lengths) + 0.02
        across = float(lengths.min() - margin), float(lengths.max() + margin)
        place = (56.0, 112.0, 460.0, 600.0) if self.tall else (150.0, 54.0, 720.0, 345.0)
        return Pane(*place, across, (len(SCALINGS) - 0.5, -0.5))


def _length(positions: float) -> str:
    """Write a wavelength in a few digits."""
    return short_length(positions) if positions < 1e6 else f"{positions / 1e6:,.1f} million"


def _divisor(number: float, factor: float) -> str:
    """Write a divisor with three digits; with more where these would read as 1 or as the factor, and it is neither."""
    others = [end for end in (1.0, factor) if abs(number - end) > SAME * end]
    written = (f"{number:.{digits}g}" for digits in range(3, 7))
    return next((said for said in written if float(said) not in others), f"{number:.3g}")
