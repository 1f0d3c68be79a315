# Everything starts here: `make play` and `make test` need Python 3.11 or newer and make, nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
PYTEST := $(BIN)/python -m pytest -n auto

.PHONY: play test check bench soak lock clean

play: $(VENV)/.ready  ## play My City's eternal game against a bot
	$(BIN)/polyopolis play mycity

test: check  ## everything
	$(PYTEST) -m slow

check: $(VENV)/.ready-dev  ## the quick part: style, types, directions of import, quick tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/polyopolis check-content
	$(PYTEST) -m "not slow"

bench: $(VENV)/.ready-dev  ## speed beside a peer, measured in the same run
	$(BIN)/python -m tests.bench

soak: $(VENV)/.ready-dev  ## the same contracts over many more games; long
	POLYOPOLIS_SOAK=1 $(PYTEST) tests/contract tests/games

lock: $(VENV)/.ready-dev  ## constraints.txt anew from pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --universal --upgrade --no-header --no-annotate --all-extras \
		--python-version 3.11 --output-file constraints.txt pyproject.toml

clean:  ## back to a fresh clone
	git clean -fdxq

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Polyopolis needs Python 3.11 or newer; name one with: make PYTHON=python3.12 play" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e .
	@touch $@

$(VENV)/.ready-dev: $(VENV)/.ready
	$(PIP) -e '.[dev]'
	@touch $@
