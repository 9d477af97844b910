"""The script and the style that draw explorers and questions, in JupyterLab, on pages and on slides."""

import json
from pathlib import Path

from pe_pictures.style import FONT_FACE, RULES, TOKENS

HERE = Path(__file__).parent
SCRIPTS = [part.read_text(encoding="utf-8") for part in sorted((HERE / "scripts").glob("*.js"))]
SCRIPT = "\n".join([f"const RULES = {json.dumps(RULES)};", *SCRIPTS])
STYLE = f"""{FONT_FACE}
.pe-explorer, .pe-prediction, .pe-place {{ {TOKENS} }}
{(HERE / "explorer.css").read_text(encoding="utf-8")}"""
