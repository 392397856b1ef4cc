# Everything is done with `make`. It needs python3 (3.11 or newer, with venv) and make, nothing else.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALL := $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python
WEB_FILES := $(shell find web -type f -not -path 'web/node_modules/*' -not -path 'web/.test/*' -not -path 'web/screenshots/*' 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help run install dev test test-fast check fmt bench contract map screenshots lock clean

help: ## print this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: .venv/.run ## install what is missing, then start the inbox on http://127.0.0.1:8787
	@exec $(BIN)/loopback serve --welcome

install: .venv/.dev ## install everything, for running and for developing, into .venv

dev: .venv/.dev ## start the inbox, and again after each change to Python files; `python web/build.py npm run dev` serves the page live
	@exec $(BIN)/python -m app.commands.reload

test: .venv/.dev ## run the whole test suite, on real parts
	@PYTHON=$(BIN)/python sh tests/run.sh

test-fast: .venv/.dev ## run the tests that need neither a browser nor a server process
	@$(BIN)/python -m pytest -q -n 2 tests/contract tests/asks/rules tests/uploads/rules tests/core

check: .venv/.dev ## ruff, pyright (strict), the import rule, the frozen contract, the migrations, the rules, the web's types
	@PYTHON=$(BIN)/python sh tests/check.sh

fmt: .venv/.dev ## format the code
	@$(BIN)/ruff format app contract migrations tests web/build.py
	@$(BIN)/ruff check --fix --quiet app contract migrations tests web/build.py

bench: .venv/.dev ## measure the product against its floor, in one run
	@$(BIN)/python -m tests.bench.run

contract: .venv/.dev ## write the contract's files and the web's types from the messages
	@$(BIN)/python -m contract.emit
	@$(BIN)/python web/build.py npm run --silent contract

screenshots: .venv/.dev ## take the pictures that the README shows
	@$(BIN)/python -m tests.browser.screenshots

map: ## print what is where
	@sed -n '/^## The map/,/^## /p' app/README.md | sed '$$d'

lock: .venv/.dev ## write the locks of dependencies anew from pyproject.toml
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --extra embedded --no-header pyproject.toml -o requirements.lock
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --extra embedded --group dev --no-header pyproject.toml -o requirements-dev.lock

clean: ## remove what was installed and built
	rm -rf .venv app/static web/node_modules web/.test

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "python3 is too old: 3.11 or newer is needed"; exit 1; }
	@$(PYTHON) -m venv .venv || { echo "python3 lacks venv: on Debian, apt install python3-venv"; exit 1; }

# uv installs in a tenth of pip's time. It is taken by its hash from the lock; where it cannot reach the packages, pip does it.
.venv/bin/uv: .venv/bin/python requirements-dev.lock
	@echo "installing into .venv, once"
	@awk '/^[^ #]/ { keep = /^uv==/ } keep' requirements-dev.lock > .venv/uv.lock
	@$(PIP) install --require-hashes --requirement .venv/uv.lock
	@touch $@

.venv/.packages: .venv/bin/uv requirements.lock
	@$(INSTALL) --require-hashes --requirement requirements.lock 2>.venv/uv.log || $(PIP) install --require-hashes --requirement requirements.lock
	@touch $@

# The package itself, editable; its build hook makes the web inbox, with a Node.js of its own where there is none.
.venv/.run: .venv/.packages pyproject.toml $(WEB_FILES)
	@$(INSTALL) --no-deps --editable . 2>.venv/uv.log || $(PIP) install --no-deps --editable .
	@touch $@

.venv/.dev: .venv/.run requirements-dev.lock
	@$(INSTALL) --require-hashes --requirement requirements-dev.lock 2>.venv/uv.log || $(PIP) install --require-hashes --requirement requirements-dev.lock
	@touch $@
