#!/bin/sh
# Install into .venv: `set_up.sh STAMP -r requirements.txt` makes .venv if need be, and the file STAMP once all is there.
set -eu
cd "$(dirname "$0")/.."
stamp=$1
shift

if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
        echo "Python 3.11 or newer is needed; name one, as in: make lab PYTHON=python3.12" >&2
        exit 1
    }
    "$PYTHON" -m venv --clear .venv
fi

echo "Installing $* into .venv; the first time takes a minute or so."
# uv takes half the time, so it is fetched where it is not on the path. Where it finds no packages, pip may know the way.
uv=$(command -v uv) || uv=.venv/bin/uv
[ -x "$uv" ] || .venv/bin/python -m pip install --quiet --disable-pip-version-check uv || true
"$uv" pip install --quiet --python .venv/bin/python "$@" ||
    .venv/bin/python -m pip install --quiet --disable-pip-version-check "$@"
touch "$stamp"
