"""Set limits of the diagnosis one at a time, and see which answers change.

    python benchmarks/limits.py ENOUGH=0.5 ENOUGH=0.9

The tables and sums are those of the tests. Nothing is asserted; what was seen stands in `pe_diagnosis/limits.py`.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
Answers = dict[str, list[str]]


def set_limit(setting: str) -> None:
    """Let the diagnosis, which isn't imported yet, find limits of which one is another; none with ""."""
    name, _, value = setting.partition("=")
    code = (ROOT / "pe_diagnosis" / "limits.py").read_text()
    changed, times = re.subn(rf"^{name} = .*$", f"{name} = {value}", code, flags=re.MULTILINE) if name else (code, 1)
    if times != 1:
        raise SystemExit(f"there's no limit {name!r}")
    sys.modules["pe_diagnosis.limits"] = module = ModuleType("pe_diagnosis.limits")
    exec(changed, module.__dict__)
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]


def answers() -> Answers:
    """Return the codes of every table and sum."""
    from diagnosis_table import TABLE, make
    from test_diagnosis_right import PACKAGES
    from test_diagnosis_sums import RIGHT, WRONG
    from test_diagnosis_trial import STORED, TRIED, made_by

    from pe_diagnosis import diagnose, diagnose_sum

    found = {f"{name}, {decimals} decimals": diagnose(make(line, 10, 16).round(decimals))
             for decimals in (4, 15) for name, (line, _) in TABLE.items()}  # fmt: skip
    found |= {name: diagnose(table) for name, (table, _) in PACKAGES.items()}
    found |= {f"{one}": diagnose(STORED[one[2]](made_by(one[0], *one[1]))) for one in TRIED}
    found |= {name: diagnose_sum(x, y) for name, (x, y, _) in {**RIGHT, **WRONG}.items()}
    return {name: list(one.codes) for name, one in found.items()}


def main(settings: list[str]) -> None:
    """Print for each setting how many answers change, and some of them."""
    if settings[:1] == ["--answers"]:
        set_limit(settings[1])
        print(json.dumps(answers()))
        return
    usual: Answers = {}
    for setting in ("", *settings):
        done = subprocess.run([sys.executable, __file__, "--answers", setting], capture_output=True, text=True)
        new: Answers = json.loads(done.stdout) if not done.returncode else {}
        usual = usual or new
        changed = [name for name in usual if new.get(name) != usual[name]]
        print(f"{setting or 'as it is'}: {len(changed)} of {len(usual)} answers change")
        for name in changed[:5]:
            print(f"    {name}: {usual[name]} -> {new.get(name, done.stderr[-200:])}")


if __name__ == "__main__":
    main(sys.argv[1:])
