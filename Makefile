# `make` alone lists what can be made. Everything is installed into .venv and nowhere else.

PYTHON ?= python3
PORT ?= 8888
LAB_FLAGS ?=
ONLY ?=

# Where nothing compiled is kept, each of some forty kernels compiles all that it imports, three seconds' work.
unexport PYTHONDONTWRITEBYTECODE

RUN := .venv/bin/python
ALLOW_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)

# What has been installed is written in .venv/.installed-…, with the folder it was installed for: when that folder has been
# moved, or the Python beneath .venv has gone, `make` installs again.
ifneq ($(shell cat .venv/.installed-lab 2>/dev/null && $(RUN) -c "" 2>/dev/null || echo gone),$(CURDIR))
.PHONY: .venv/.installed-lab
endif

.PHONY: help lab test check notebooks web web-open web-test lecture lock bench classroom hub-test clean

help:
	@echo "make …"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' Makefile

lab: .venv/.installed-lab ## install what is missing, then open the first notebook in JupyterLab
	@$(RUN) -c "import socket; socket.create_server(('127.0.0.1', $(PORT))).close()" 2>/dev/null \
	  || echo "Port $(PORT) is taken, so JupyterLab will use the next free one."
	@$(RUN) -m jupyterlab --ServerApp.ip=127.0.0.1 --ServerApp.port=$(PORT) --ServerApp.root_dir="$(CURDIR)" \
	  --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb $(ALLOW_ROOT) $(LAB_FLAGS)

# Two workers on two cores: with more threads, those of the linear algebra would wait for each other.
test: .venv/.installed-test ## install what is missing, then run every check and every test
	@echo "1/4 ruff looks for mistakes in Python files and notebooks."
	@$(RUN) -m ruff check
	@echo "2/4 ruff compares the layout of the code with its own."
	@$(RUN) -m ruff format --check
	@echo "3/4 mypy checks the types in pe_lib."
	@$(RUN) -m mypy
	@echo "4/4 pytest runs the tests, the examples in docstrings, and every notebook against its stored outputs."
	@OPENBLAS_NUM_THREADS=1 $(RUN) -m pytest -n 2 --dist loadscope --no-loadscope-reorder --doctest-modules \
	  --nbval --nbval-current-env --nbval-cell-timeout=60 pe_lib tests notebooks

check: .venv/.installed-test ## run the fast part of the tests: no browser, no notebook
	@echo "1/3 ruff looks for mistakes in Python files and notebooks."
	@$(RUN) -m ruff check
	@$(RUN) -m ruff format --check
	@echo "2/3 mypy checks the types in pe_lib."
	@$(RUN) -m mypy
	@echo "3/3 pytest runs the fast tests and the examples in docstrings."
	@$(RUN) -m pytest -n 2 --doctest-modules -m "not browser and not slow" pe_lib tests

notebooks: .venv/.installed-lab ## run all notebooks and store their outputs (ONLY=notebooks/02_*.ipynb: some of them)
	@$(RUN) tools/run_notebooks.py $(ONLY)
	@$(RUN) -c "import pathlib, pe_lib; pathlib.Path('explain_this_number.png').write_bytes(pe_lib.ExplainThisNumber().png())"

web: .venv/.installed-web ## build the course as pages that move without Python, into web/_build
	@$(RUN) web/build.py

web-open: web ## build them, serve them on this machine, and open them in the browser
	@$(RUN) web/serve.py

lecture: .venv/.installed-web ## build the lectures as slides, and open the one of 45 minutes
	@$(RUN) web/lectures/build.py
	@$(RUN) -m webbrowser "file://$(CURDIR)/web/_build/lectures/lecture-45.html"

web-test: .venv/.installed-web .venv/.installed-test ## build the pages anew from nothing, and try them in a browser
	@rm -rf web/_build web/.packs web/.doctrees web/.source
	@$(RUN) web/build.py
	@$(RUN) -m pytest -n 2 --dist worksteal web/tests

lock: .venv/.installed-lab ## compile the requirements files anew from pyproject.toml
	@sh tools/set_up.sh lock

bench: .venv/.installed-benchmark .venv/.installed-test ## install what is missing, then measure the library beside others
	@$(RUN) benchmarks/table.py
	@$(RUN) benchmarks/diagnosis.py
	@$(RUN) benchmarks/training.py
	@$(RUN) benchmarks/pictures.py
	@$(RUN) benchmarks/browser.py

classroom: .venv/.installed-classroom ## install what is missing for a JupyterHub, for a class (see classroom/README.md)

hub-test: .venv/.installed-classroom .venv/.installed-test ## let three students work at a JupyterHub of this machine
	@$(RUN) -m pytest tests/hub

clean: ## remove .venv and everything else that can be made again
	rm -rf .venv build web/_build web/.source web/.doctrees web/.packs pe_lib.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
	find . -name .ipynb_checkpoints -prune -exec rm -rf {} +

.venv/.installed-lab: requirements.txt pyproject.toml
	@PYTHON="$(PYTHON)" sh tools/set_up.sh lab

.venv/.installed-test: .venv/.installed-lab tests/requirements.txt
	@sh tools/set_up.sh test

.venv/.installed-web: .venv/.installed-lab web/requirements.txt
	@sh tools/set_up.sh web

.venv/.installed-benchmark: .venv/.installed-lab
	@sh tools/set_up.sh benchmark

.venv/.installed-classroom: .venv/.installed-lab classroom/requirements.txt
	@sh tools/set_up.sh classroom
