# The doors: `make demo` to look, `make test` to check, `make help` for the rest.
# PYTHON=python3.12 chooses another Python; ARGS=... is handed on to the command behind a door.

PYTHON ?= python3
VENV := .venv
# Files of tests are shared out whole, so that what a file prepares once is prepared once; three to two processors,
# since tests also wait: for servers, browsers and clocks.
WORKERS := $(shell $(PYTHON) -c 'import os; print(min(6, (os.cpu_count() or 1) * 3 // 2))')
# They begin in the order of tests/conftest.py.
PARALLEL := -n $(WORKERS) --dist loadfile --no-loadscope-reorder
STAMP := $(VENV)/made
TOOLS := $(VENV)/made-with-tools
SITE := $(VENV)/made-with-site
PEERS := $(VENV)/made-with-peers
COMPILERS := $(VENV)/made-with-compilers
FAULTS := $(VENV)/made-with-faults
AUDIT := $(VENV)/audit/made
NODE := node_modules/.package-lock.json
SCRIPT_FAULTS := .ci/faults/node_modules/.package-lock.json
ARGS ?=
# Tests start hundreds of processes: what they import is compiled once, whatever the environment says of that.
export PYTHONDONTWRITEBYTECODE :=
# As the server has it: on all processors, the threads of several tests wait for each other.
test test-slow: export OPENBLAS_NUM_THREADS := 1
# Packages come with their hashes alone, and the project itself from here.
PINNED := install --disable-pip-version-check --require-hashes --no-deps --quiet
OURS := install --disable-pip-version-check --no-deps --no-build-isolation --quiet -e .

.PHONY: help setup demo sentences test test-slow test-long test-all lint faults faults-of-scripts known-holes sbom wheels release format pages catalogues pictures docs constraints clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' Makefile

setup: $(TOOLS) ## make .venv with the pinned packages and .venv/bin/workbench
	@$(VENV)/bin/python deploy/compile_lines.py >/dev/null

# The stamp goes first and comes back last: an installation that was interrupted starts from nothing.
$(STAMP): pyproject.toml constraints.txt $(wildcard pins/*.txt)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "The workbench needs Python 3.11 or newer, and '$(PYTHON)' is not: try  make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@test -e $(STAMP) && rm $(STAMP) || rm -rf $(VENV)
	@echo "Making $(VENV) with $$($(PYTHON) --version)"
	@if $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; then \
	  $(PYTHON) -m venv $(VENV); \
	elif $(PYTHON) -c 'import pip, venv' 2>/dev/null; then \
	  $(PYTHON) -m venv --without-pip $(VENV) && $(PYTHON) -m pip --python $(VENV)/bin/python $(PINNED) -r pins/run.txt; \
	else \
	  echo "Python's venv is missing; on Debian and Ubuntu:  sudo apt install python3-venv" >&2; exit 1; \
	fi
	@echo "Installing the packages of pins/ (half a minute on a fast line)"
	@$(VENV)/bin/python -m pip $(PINNED) -r pins/run.txt
	@$(VENV)/bin/python -m pip $(OURS)
	@touch $(STAMP)

# What developers need, in the same environment: the demo does not wait for it.
$(TOOLS): $(STAMP)
	@echo "Installing the tools of developers"
	@$(VENV)/bin/python -m pip $(PINNED) $(addprefix -r pins/,$(addsuffix .txt,dev assistants pdf models compounds pictures sheets sso))
	@touch $(TOOLS)

# What makes a site of docs/: 90 MB.
$(SITE): $(STAMP)
	@$(VENV)/bin/python -m pip $(PINNED) -r pins/docs.txt
	@touch $(SITE)

# Libraries that only the slow tests compare with: some 500 MB that nobody else should wait for.
$(PEERS): $(TOOLS)
	@echo "Installing the libraries that the slow tests compare with"
	@$(VENV)/bin/python -m pip $(PINNED) -r pins/collections.txt -r pins/distributed.txt -r pins/peers.txt
	@touch $(PEERS)

# A C compiler for every platform: 411 MB.
$(COMPILERS): $(STAMP)
	@echo "Installing what compiles wheels"
	@$(VENV)/bin/python -m pip $(PINNED) -r pins/wheels.txt
	@touch $(COMPILERS)

# What plants faults.
$(FAULTS): $(TOOLS)
	@$(VENV)/bin/python -m pip $(PINNED) -r pins/faults.txt
	@touch $(FAULTS)

# In a folder of their own, which the scripts of .ci/ look into: with them among the other packages, whatever draws a
# figure would begin with 2 seconds of their grammars of addresses, which jsonschema reads where it finds them.
$(AUDIT): $(TOOLS)
	@rm -rf $(@D)
	@$(VENV)/bin/python -m pip $(PINNED) --target $(@D) -r pins/audit.txt
	@touch $(AUDIT)

# Node.js, and what checks and tests the scripts: 70 MB to fetch, for those alone who lint and test. Nothing of it is served.
$(NODE): $(TOOLS) package.json package-lock.json
	@echo "Installing Node.js and what checks and tests the scripts"
	@$(VENV)/bin/python -m pip $(PINNED) -r pins/scripts.txt
	@$(VENV)/bin/npm ci --silent
	@touch $(NODE)

# What plants faults in scripts: 70 MB.
$(SCRIPT_FAULTS): $(NODE) .ci/faults/package.json .ci/faults/package-lock.json
	@$(VENV)/bin/npm ci --silent --prefix .ci/faults
	@touch $(SCRIPT_FAULTS)

demo: $(STAMP) ## serve a ready campaign at http://127.0.0.1:5000
	@$(VENV)/bin/workbench demo $(ARGS)

test: setup $(NODE) ## the normal tests
	$(VENV)/bin/python -m pytest $(PARALLEL) -m "not slow" $(ARGS)

sentences: setup ## record what the program says in tests: read `git diff tests/recorded` afterwards
	RECORD=1 $(VENV)/bin/python -m pytest $(PARALLEL) -m "not slow" $(ARGS)

test-slow: $(PEERS) $(COMPILERS) $(SITE) ## the tests that take longer: every corner of the judging page in a browser, the built wheel, other libraries
	$(VENV)/bin/python -m pytest $(PARALLEL) -m slow $(ARGS)

test-long: ## all tests at length, before a release: more cases by chance, all broken inputs, moments to be killed at and presses
	WORKBENCH_AT_LENGTH=1 $(MAKE) test test-slow

test-all: lint known-holes test test-slow ## everything that CI checks

lint: setup $(NODE) ## ruff, mypy, bandit and the budget of lines; for the scripts biome and tsc
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/bandit --quiet --recursive workbench --configfile pyproject.toml
	$(VENV)/bin/python .ci/budget.py
	$(VENV)/bin/python .ci/wording.py
	$(VENV)/bin/node node_modules/.bin/biome ci
	$(VENV)/bin/node node_modules/.bin/tsc
	$(VENV)/bin/node node_modules/.bin/tsc --project .ci/tsconfig.worker.json
	$(VENV)/bin/node node_modules/.bin/tsc --project tests/scripts

faults: $(FAULTS) ## plant faults in modules drawn at random, and list those that tests do not notice; ARGS="--modules 12 --seed 1"
	@$(VENV)/bin/python benchmarks/planted_faults.py $(ARGS)

faults-of-scripts: $(SCRIPT_FAULTS) ## the same for scripts; ARGS="--scripts 6 --seed 1"
	@$(VENV)/bin/python benchmarks/faults_in_scripts.py $(ARGS)

known-holes: $(AUDIT) ## ask PyPI whether a pinned package has a known hole
	@$(VENV)/bin/python .ci/known_holes.py

sbom: $(AUDIT) ## list what the program consists of, in CycloneDX, in build/sbom.json
	@$(VENV)/bin/python .ci/sbom.py build/sbom.json

wheels: $(COMPILERS) ## build the source archive and a wheel for each usual platform in dist/; ARGS=macos-arm64 builds that alone
	@$(VENV)/bin/python deploy/wheels.py $(ARGS)

release: $(COMPILERS) $(AUDIT) ## make all files of a release in dist/: archive, wheels, image, components, recipe, notes, checksums
	@$(VENV)/bin/python deploy/release.py $(ARGS)

format: setup $(NODE) ## let ruff and biome put the code into shape
	$(VENV)/bin/ruff check --fix
	$(VENV)/bin/ruff format
	$(VENV)/bin/node node_modules/.bin/biome format --write

pages: setup ## write the parts of docs/ that are made from the code: commands, measures, figures, the picture of the rooms
	$(VENV)/bin/python docs/make_cli.py
	$(VENV)/bin/python docs/make_measures.py
	$(VENV)/bin/python docs/make_figures.py
	$(VENV)/bin/python docs/make_architecture.py
	$(VENV)/bin/python docs/make_glossary.py
	$(VENV)/bin/python docs/make_events.py
	$(VENV)/bin/python docs/make_addresses.py
	$(VENV)/bin/python docs/make_notebook.py
	$(VENV)/bin/python docs/make_vega.py

catalogues: setup ## bring the catalogues of languages in step with templates, code and scripts
	@$(VENV)/bin/python .ci/catalogues.py

pictures: setup ## take the screenshots and figures of docs/images, in light and in dark; needs Chromium
	$(VENV)/bin/python docs/make_architecture.py
	$(VENV)/bin/python docs/screenshots.py

docs: $(SITE) ## build the documentation in build/site, and fail on a warning or a broken link
	@$(VENV)/bin/zensical build --strict

constraints: $(AUDIT) ## pin the newest packages that pyproject.toml allows, or with ARGS=--keep add what is missing
	@$(VENV)/bin/python .ci/pins.py $(ARGS)

clean: ## remove .venv and everything that tools have cached; campaigns in instance/ stay
	rm -rf $(VENV) node_modules build dist .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find workbench tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
