"""How the lectures are built: `revealjs` makes the decks, `html` the handout and the plans."""

import sys
from pathlib import Path

sys.path.extend(map(str, Path(__file__).resolve().parents[:2]))

project = "Positional encoding"
extensions = ["myst_parser", "sphinx_revealjs", "explorers_on_pages", "directives"]
myst_enable_extensions = ["dollarmath"]
suppress_warnings = ["myst.header", "toc.not_included"]
html_theme = "sheet"
html_theme_path = ["."]
html_use_index = False

revealjs_style_theme = "lecture.css"
revealjs_static_path = ["static"]
revealjs_js_files = [("lecture.js", {"defer": "defer", "priority": 900})]
revealjs_script_plugins = [{"name": "RevealNotes", "src": "revealjs/plugin/notes/notes.js"}]
revealjs_script_conf = {
    "width": 1280,
    "height": 720,
    "margin": 0,
    "center": False,
    "controls": False,
    "hash": True,
    "overview": False,  # it would show all answers, and Escape opens it
    "slideNumber": "c/t",
    "transition": "none",
    "pdfSeparateFragments": False,
    "pdfMaxPagesPerSlide": 1,
    "defaultTiming": 60,  # seconds; each slide has its own
}
