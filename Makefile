# `make` alone lists what can be made. Everything is installed into .venv and nowhere else.

PYTHON ?= python3
PORT ?= 8888
LAB_FLAGS ?=
ONLY ?=

RUN := .venv/bin/python
COMPILE := PATH="$$PATH:.venv/bin" uv pip compile --quiet --upgrade --universal --python-version 3.11 --custom-compile-command "make lock" \
  --no-annotate --no-emit-index-url --no-emit-find-links

# Without compiled files each of some forty kernels would compile all that it imports: three seconds' work.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help lab test check notebooks web web-open web-test lecture bench lock clean

help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

lab: .venv/.installed-lab ## open the first notebook in JupyterLab
	$(RUN) -m jupyterlab --ServerApp.root_dir="$(CURDIR)" --ServerApp.port=$(PORT) \
	  --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb $(if $(filter 0,$(shell id -u)),--allow-root) $(LAB_FLAGS)

# With more than one thread each, the two workers would wait for each other's linear algebra.
test: .venv/.installed-test ## run every check and every test
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check
	$(RUN) -m mypy
	OPENBLAS_NUM_THREADS=1 $(RUN) -m pytest --nbval -n 2 --dist loadscope --no-loadscope-reorder

check: .venv/.installed-test ## run the fast ones: no browser, no notebook
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check
	$(RUN) -m mypy
	$(RUN) -m pytest -n 2 -m "not browser and not slow"

notebooks: .venv/.installed-lab ## run all notebooks and store their outputs (ONLY=notebooks/02_*.ipynb runs one)
	$(RUN) tools/run_notebooks.py $(ONLY)
	$(RUN) tools/moving_picture.py

web: .venv/.installed-web ## build the course as pages that move without Python, into web/_build
	$(RUN) web/build.py

web-open: web ## build them, serve them on this machine, and open them in the browser
	$(RUN) web/serve.py

web-test: .venv/.installed-web .venv/.installed-test ## build the pages again from nothing, and try them in a browser
	rm -rf web/_build web/.packs web/.doctrees web/.source
	$(RUN) web/build.py
	$(RUN) -m pytest -n 2 --dist worksteal web/tests

lecture: .venv/.installed-web ## build the lectures as slides, and open the one of 45 minutes
	$(RUN) web/lectures/build.py
	$(RUN) -m webbrowser "file://$(CURDIR)/web/_build/lectures/lecture-45.html"

bench: .venv/.installed-test ## measure the library against others (see benchmarks/README.md)
	$(RUN) benchmarks/table.py
	$(RUN) benchmarks/times.py
	$(RUN) benchmarks/gliding.py
	$(RUN) benchmarks/diagnosis.py

lock: .venv/.installed-lab ## recompile the requirements files from pyproject.toml
	$(COMPILE) -o requirements.txt --extra lab pyproject.toml
	$(COMPILE) -o tests/requirements.txt --extra lab --extra test -c requirements.txt pyproject.toml
	$(COMPILE) -o web/requirements.txt --extra lab --extra web -c requirements.txt -c tests/requirements.txt pyproject.toml

clean: ## remove .venv and everything else that can be made again
	rm -rf .venv build *.egg-info .hypothesis .*_cache web/_build web/.packs web/.doctrees web/.source
	find . \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +

.venv/.installed-lab: requirements.txt pyproject.toml
	@PYTHON="$(PYTHON)" sh tools/set_up.sh $@ -r requirements.txt -e ".[lab]"
	@$(RUN) -m jupyterlab.labextensions disable "@jupyterlab/apputils-extension:announcements" >/dev/null 2>&1 # or a box about news covers the page

.venv/.installed-test: .venv/.installed-lab tests/requirements.txt
	@sh tools/set_up.sh $@ -r tests/requirements.txt

.venv/.installed-web: .venv/.installed-lab web/requirements.txt
	@sh tools/set_up.sh $@ -r web/requirements.txt
	@rm -rf .venv/share/jupyter/labextensions/@jupyterlite # JupyterLab would load it and fail: the pages want its address alone
