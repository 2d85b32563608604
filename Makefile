# The doors: `make demo` to look, `make test` to check, `make help` for the rest.
# PYTHON=python3.12 chooses another Python; ARGS=... is handed on to the command behind a door.

PYTHON ?= python3
VENV := .venv
# Files of tests are shared out whole, so that what a file prepares once is prepared once.
PARALLEL := -n auto --maxprocesses 4 --dist loadfile
STAMP := $(VENV)/made
PEERS := $(VENV)/made-with-peers
AUDIT := $(VENV)/made-with-audit
ARGS ?=

.PHONY: help setup demo test test-slow test-all lint known-holes format pages constraints clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' Makefile

setup: $(STAMP) ## make .venv with the pinned packages and .venv/bin/workbench
	@:

# The stamp goes first and comes back last: an installation that was interrupted starts from nothing.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "The workbench needs Python 3.11 or newer, and '$(PYTHON)' is not: try  make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@test -e $(STAMP) && rm $(STAMP) || rm -rf $(VENV)
	@echo "Making $(VENV) with $$($(PYTHON) --version)"
	@if $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; then \
	  $(PYTHON) -m venv $(VENV); \
	elif $(PYTHON) -c 'import pip, venv' 2>/dev/null; then \
	  $(PYTHON) -m venv --without-pip $(VENV) && $(PYTHON) -m pip --python $(VENV)/bin/python install --quiet pip; \
	else \
	  echo "Python's venv is missing; on Debian and Ubuntu:  sudo apt install python3-venv" >&2; exit 1; \
	fi
	@echo "Installing the packages of constraints.txt (half a minute on a fast line)"
	@$(VENV)/bin/python -m pip install --disable-pip-version-check -c constraints.txt -e '.[demo,dev]'
	@touch $(STAMP)

# Libraries that only the slow tests compare with: some 500 MB that nobody else should wait for.
$(PEERS): $(STAMP)
	@echo "Installing the libraries that the slow tests compare with"
	@$(VENV)/bin/python -m pip install --disable-pip-version-check --quiet -c constraints.txt -e '.[peers]'
	@touch $(PEERS)

$(AUDIT): $(STAMP)
	@$(VENV)/bin/python -m pip install --disable-pip-version-check --quiet -c constraints.txt -e '.[audit]'
	@touch $(AUDIT)

demo: setup ## serve a ready campaign at http://127.0.0.1:5000
	@$(VENV)/bin/workbench demo $(ARGS)

test: setup ## the normal tests
	$(VENV)/bin/python -m pytest $(PARALLEL) -m "not slow" $(ARGS)

test-slow: $(PEERS) ## the tests that take longer: every corner of the judging page in a browser, the built wheel, other libraries
	$(VENV)/bin/python -m pytest $(PARALLEL) -m slow $(ARGS)

test-all: lint known-holes test test-slow ## everything that CI checks

lint: setup ## ruff, mypy and bandit
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/bandit --quiet --recursive workbench --configfile pyproject.toml

known-holes: $(AUDIT) ## ask PyPI whether a pinned package has a known hole
	@$(VENV)/bin/python .ci/known_holes.py

format: setup ## let ruff put the code into shape
	$(VENV)/bin/ruff check --fix
	$(VENV)/bin/ruff format

pages: setup ## write the parts of docs/ that are made from the code: commands, measures, figures
	$(VENV)/bin/python docs/make_cli.py
	$(VENV)/bin/python docs/make_measures.py
	$(VENV)/bin/python docs/make_figures.py

constraints: ## write constraints.txt anew, with the newest packages that pyproject.toml allows
	@rm -rf build/pins && $(PYTHON) -m venv build/pins
	build/pins/bin/python -m pip install --disable-pip-version-check '.[demo,dev,peers,load,audit]'
	@{ echo '# Every package of the environment, pinned. Made by `make constraints`.'; \
	  build/pins/bin/python -m pip freeze --exclude relevance-workbench; } > build/constraints.txt
	@mv build/constraints.txt constraints.txt && rm -rf build/pins

clean: ## remove .venv and everything that tools have cached; campaigns in instance/ stay
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find workbench tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
