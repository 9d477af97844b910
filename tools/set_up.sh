#!/bin/sh
# What `make` installs, and where: set_up.sh lab makes .venv; test, web, benchmark and classroom add to it; lock compiles
# the lock files.
set -eu
cd "$(dirname "$0")/.."

fail() {
    echo "$*" >&2
    exit 1
}

# The Python that .venv is made with must be there, be new enough, and know how to make one.
check_python() {
    command -v "$PYTHON" >/dev/null 2>&1 ||
        fail "There is no $PYTHON here: install Python 3.11 or newer, or name one, as in: make lab PYTHON=python3.12"
    version=$("$PYTHON" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null) ||
        fail "$PYTHON does not run: install Python 3.11 or newer, or name one, as in: make lab PYTHON=python3.12"
    "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "$PYTHON is Python $version, and 3.11 or newer is needed: name another, as in: make lab PYTHON=python3.12"
    "$PYTHON" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "$PYTHON (Python $version) cannot make a virtual environment:" \
            "on Debian and Ubuntu, apt install python3-venv mends that."
}

# .venv is kept when it was installed for this folder and its Python runs; else it is made anew.
make_venv() {
    if [ "$(cat .venv/.installed-lab 2>/dev/null)" = "$PWD" ] && .venv/bin/python -c "" 2>/dev/null; then
        return
    fi
    check_python
    echo "Making .venv with Python $version."
    "$PYTHON" -m venv --clear .venv
}

# uv is the quick way to install; pip is the way where there is no uv, or where only pip knows the way to the packages.
find_uv() {
    uv=$(command -v uv || true)
    if [ -z "$uv" ]; then
        [ -x .venv/bin/uv ] || .venv/bin/python -m pip install --quiet --disable-pip-version-check uv || true
        [ ! -x .venv/bin/uv ] || uv=.venv/bin/uv
    fi
}

install() {
    find_uv
    if [ -n "$uv" ]; then
        UV_LINK_MODE=copy "$uv" pip install --quiet --python .venv/bin/python "$@" && return
        echo "uv could not install that, so pip tries."
    fi
    .venv/bin/python -m pip install --quiet --disable-pip-version-check "$@" ||
        fail "The packages could not be installed: the lines above say why (is this computer on a network?)."
}

compile() {
    "$uv" pip compile --quiet --universal --python-version 3.11 --custom-compile-command "make lock" \
        --no-annotate --no-emit-index-url --no-emit-find-links "$@"
}

case "$1" in
lab)
    make_venv
    echo "Installing JupyterLab and what the notebooks need into .venv; the first time takes a minute or so."
    install -r requirements.txt -e .
    # No box that asks about news covers the first notebook, and nothing is asked of the network.
    .venv/bin/python -m jupyterlab.labextensions disable "@jupyterlab/apputils-extension:announcements" >/dev/null 2>&1
    ;;
test)
    echo "Installing what the tests need into .venv."
    install -r tests/requirements.txt
    ;;
web)
    echo "Installing what the pages need into .venv."
    install -r web/requirements.txt
    ;;
benchmark)
    echo "Installing what the benchmark needs into .venv."
    install -c requirements.txt -e ".[benchmark]"
    ;;
classroom)
    echo "Installing what a JupyterHub for a class needs into .venv."
    install -r classroom/requirements.txt
    # The debugger, which no notebook here uses, would take some 8 MiB in each kernel.
    .venv/bin/python -m pip uninstall --quiet --yes debugpy 2>/dev/null
    # Students can write nothing here, so each of their kernels would compile all it imports.
    .venv/bin/python -m compileall -q .venv pe_lib >/dev/null || true
    ;;
lock)
    find_uv
    [ -n "$uv" ] || fail "Compiling the lock needs uv: install it, then run make lock again."
    compile --upgrade --output-file requirements.txt pyproject.toml
    compile --upgrade --extra test --constraint requirements.txt --output-file tests/requirements.txt pyproject.toml
    compile --upgrade --extra web --constraint requirements.txt --constraint tests/requirements.txt \
        --output-file web/requirements.txt pyproject.toml
    compile --upgrade --extra classroom --constraint requirements.txt --constraint tests/requirements.txt \
        --constraint web/requirements.txt --output-file classroom/requirements.txt pyproject.toml
    exit
    ;;
esac
pwd >".venv/.installed-$1"
