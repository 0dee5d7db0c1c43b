# Every target works in a fresh clone with Python (3.11 or newer) and git, and makes .venv if it is
# missing.
PYTHON ?= python3
BIN := .venv/bin
RUNS := .venv/.runs
READY := .venv/.ready
WHEEL_HOUSE := .wheel-house

# The command that runs the tests, such as `env -i PATH="$$PATH" HOME="$$HOME"`.
UNDER ?=

.PHONY: demo test machine-test oldest-test check lint types imports site wheel-house wheel-test fuzz clean

demo: $(RUNS)  ## a dispute in a minute: a tournament, a forfeit, two forgeries, a question, two pages
	$(BIN)/koth demo

test: $(READY)  ## the tests that need Python only, in some three minutes on two cores
	$(UNDER) $(BIN)/python -m pytest

machine-test: $(READY)  ## the tests of processes (bots, jobs, clusters, other programs), sandboxes, terminals, sites and browsers
	$(UNDER) $(BIN)/python -m pytest @tests/machine.txt

oldest-test: ## the tests of `make test` with the oldest libraries that pyproject.toml allows
	rm -rf .oldest
	$(PYTHON) -m venv .oldest
	sed -n '/^dev = /q; s/^  "\([a-z0-9.-]*\)>=\([0-9.]*\).*/\1==\2/p' pyproject.toml | sort -u >.oldest/versions
	.oldest/bin/pip install --quiet --constraint .oldest/versions --editable '.[dev]'
	$(MAKE) test BIN=.oldest/bin READY=.oldest/versions

# Everything that must pass before a change lands.
check: lint types imports site test machine-test wheel-test

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python docs/plain_words.py

LINUX_ONLY := referee/(processes|pools|sandbox|in_bot|protocols/(foreground|piped_process|workspace))

types: $(READY)  ## also for the systems on which Koth does not isolate bots
	$(BIN)/mypy
	for system in darwin win32; do \
	  $(BIN)/mypy --platform $$system --cache-dir .mypy_cache/$$system --follow-imports=silent \
	    --exclude '$(LINUX_ONLY)' \
	    schema games referee replay audit report koth independent || exit 1; \
	done

imports: $(READY)
	$(BIN)/lint-imports

site: $(READY)  ## build the documentation into site/; a broken link is an error
	rm -rf site
	$(BIN)/sphinx-build -qW --keep-going -c docs -d build/doctrees . site

fuzz: $(READY)  ## the long run: all cases, and a hundred times as many random changes; may take an hour
	KOTH_FUZZ=2 $(BIN)/python -m pytest --timeout=0 --whole
	KOTH_FUZZ=100 $(BIN)/python -m pytest --timeout=0 tests/fuzz tests/referee/test_resume*.py tests/replay/test_tampering_games.py

# What packaging can break, with the built wheel, from a folder without sources: data files,
# templates, entry points, rulebooks, SQL, the skeleton, the examples of the docs, the demo.
wheel-test: wheel-house
	cd $(WHEEL_HOUSE)/away && $(UNDER) ../venv/bin/python -m pytest @tests/wheel.txt
	cd $(WHEEL_HOUSE)/away && $(UNDER) ../venv/bin/koth demo >/dev/null

wheel-house: $(READY)
	rm -rf $(WHEEL_HOUSE)
	$(BIN)/python -m build --quiet --wheel --outdir $(WHEEL_HOUSE) .
	$(PYTHON) -m venv $(WHEEL_HOUSE)/venv
	$(WHEEL_HOUSE)/venv/bin/pip install --quiet "$$(ls $(WHEEL_HOUSE)/*.whl)[dev]"
	mkdir $(WHEEL_HOUSE)/away
	cp -R tests docs README.md CHANGELOG.md pyproject.toml $(WHEEL_HOUSE)/away/

# What Koth needs to run, and no more; pip shows what it does.
$(RUNS): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --disable-pip-version-check --editable .
	touch $(RUNS)

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable '.[dev,site]'
	touch $(READY)

clean:
	rm -rf .venv .oldest $(WHEEL_HOUSE) site dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
