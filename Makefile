# make ask Q="13b lora ctx=4k" and make test do all set-up: Python 3.11+ and make are enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
Q ?= 13b lora ctx=4k

.PHONY: help browser ask test lint format bench accuracy discord-demo slack-demo schema clean test-web seed-log bench-log
.DEFAULT_GOAL := help

help: ## these lines
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ask: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) --editable .
	@touch $@

$(VENV)/.dev: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) --editable '.[dev]'
	@touch $@ $(VENV)/.ask

ask: export ASKED = $(Q)
ask: $(VENV)/.ask ## one question: make ask Q="13b lora ctx=4k"
	@$(BIN)/vram "$$ASKED"

test: $(VENV)/.dev ## every test, some minutes; make test ARGS=tests/engine runs a part
	$(BIN)/python -m pytest -n auto $(ARGS)

lint: $(VENV)/.dev ## linters, type checker and import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev ## puts the code into its format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev ## how fast answers are, beside docs/benchmarks.md
	$(BIN)/python -m tests.bench

accuracy: $(VENV)/.dev ## how far off we are on measured runs
	$(BIN)/python -m tests.accuracy

discord-demo: $(VENV)/.dev ## the bot against a local Discord, without a token
	@$(BIN)/python -m tests.demo.discord_demo

slack-demo: $(VENV)/.dev ## the bot against a local Slack, without a token
	@$(BIN)/python -m tests.demo.slack_demo

schema: $(VENV)/.dev ## writes docs/answer.schema.json
	$(BIN)/python -m bot.schema > docs/answer.schema.json

# Debian's chromium for the pages' tests, where apt is there and may install; without it they are skipped, in CI they fail.
browser: ## installs a browser for the tests of the log's pages
	@command -v chromium >/dev/null || ! command -v apt-get >/dev/null || \
		(apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium) || \
		echo "no browser could be installed: its tests are skipped, or fail where CI is set"

test-web: browser $(VENV)/.dev ## the tests of the log's pages, in a browser
	$(BIN)/python -m pytest tests/adapters/web $(ARGS)

ROWS ?= 1000000
URL ?=
seed-log: $(VENV)/.dev ## fills a log: make seed-log ROWS=1000000 URL=postgresql://user@host/database
	$(BIN)/python -m tests.bench.seed_log --rows $(ROWS) --url "$(URL)"

bench-log: $(VENV)/.dev ## how fast a large log is
	$(BIN)/python -m tests.bench.log --rows $(ROWS)

clean: ## takes away .venv and what was built
	rm -rf $(VENV) build dist
