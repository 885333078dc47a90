# make ask Q="13b lora ctx=4k" and make test do all set-up: Python 3.11+ and make are enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
Q ?= 13b lora ctx=4k

.PHONY: browser ask test lint format bench accuracy discord-demo slack-demo schema clean test-web seed-log bench-log
.DEFAULT_GOAL := test

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ask: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) --editable .
	@touch $@

$(VENV)/.dev: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) --editable '.[dev]'
	@touch $@ $(VENV)/.ask

ask: export ASKED = $(Q)
ask: $(VENV)/.ask
	@$(BIN)/vram "$$ASKED"

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev
	$(BIN)/python -m tests.bench

accuracy: $(VENV)/.dev
	$(BIN)/python -m tests.accuracy

discord-demo: $(VENV)/.dev
	@$(BIN)/python -m tests.demo.discord_demo

slack-demo: $(VENV)/.dev
	@$(BIN)/python -m tests.demo.slack_demo

schema: $(VENV)/.dev
	$(BIN)/python -m bot.schema > docs/answer.schema.json

# Debian's chromium for the pages' tests, where apt is there and may install; without it they are skipped.
browser:
	@command -v chromium >/dev/null || ! command -v apt-get >/dev/null || \
		(apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium) || \
		echo "no browser could be installed: its tests are skipped"

test-web: browser $(VENV)/.dev
	$(BIN)/python -m pytest tests/adapters/web $(ARGS)

# make seed-log ROWS=1000000 URL=postgresql://user@host/database fills a log; bench-log times it as well.
ROWS ?= 1000000
URL ?=
seed-log: $(VENV)/.dev
	$(BIN)/python -m tests.bench.seed_log --rows $(ROWS) --url "$(URL)"

bench-log: $(VENV)/.dev
	$(BIN)/python -m tests.bench.log --rows $(ROWS)

clean:
	rm -rf $(VENV) build dist
