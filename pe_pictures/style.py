"""The one style sheet of pictures: colours by `light-dark()`, four sizes of words, and what a cover does."""

from base64 import b64encode

from pe_pictures.colours import COLOURS
from pe_pictures.fonts import FONT
from pe_pictures.scene import ALL_SIZES

FACE = '"Source Sans 3","Source Sans Pro","Liberation Sans",Arial,sans-serif'
# As custom properties, for pages and for what stands around a picture.
TOKENS = f"--face:{FACE};" + "".join(
    f"--{name}:light-dark({day},{night});" for name, (day, night) in COLOURS.items() if not name.startswith("n")
)


SIZES_OF_WORDS = "".join(
    f"svg.{kind} .t{k}{{font-size:{px}px}}" for kind, own in ALL_SIZES.items() for k, px in own.items()
)
FILLS_AND_EDGES = "".join(
    f".{kind}-{name}{{{what}:light-dark({day},{night})}}"
    for name, (day, night) in COLOURS.items()
    for kind, what in (("f", "fill"), ("e", "stroke"))
    if kind == "f" or not name.startswith("n")
)
RULES = (
    "path,rect,circle{fill:none;stroke-linejoin:round}rect{transition:fill .18s}image{image-rendering:pixelated}"
    f"text{{font-family:{FACE};font-kerning:none;white-space:pre}}.b{{font-weight:600}}"
    ".m{text-anchor:middle}.e{text-anchor:end}"
    f".halo{{paint-order:stroke;stroke:light-dark({','.join(COLOURS['paper'])});stroke-width:5px;stroke-linejoin:round}}"
    + SIZES_OF_WORDS
    + FILLS_AND_EDGES
    + "#day rect{fill:light-dark(#fff,#000)}"  # what shows the image of light pages, and hides it on dark ones
    ".spot{opacity:.16;transition:opacity .2s}.touched .spot{opacity:0}"
    ".veil{display:none}.covered .veil{display:inline}"
    ".covered .answer>*{visibility:hidden}.covered .answer>rect{visibility:visible;stroke:none}"
    f".covered .answer>rect{{fill:light-dark({','.join(COLOURS['line'])})}}"
    "@media(prefers-reduced-motion:reduce){*{transition:none!important}}"
)
FONT_FACE = (
    '@font-face{font-family:"Source Sans 3";font-weight:400 600;font-display:swap;'
    f"src:url(data:font/woff2;base64,{b64encode((FONT / 'SourceSans3.woff2').read_bytes()).decode()}) format('woff2')}}"
)
