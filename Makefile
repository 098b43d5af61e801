# Every target works from a fresh clone: it needs Python 3.11 to 3.13, Java 17 or 21, and make.
# Recipes are POSIX sh, the makefile itself is read by GNU make 3.81 (macOS) and newer.

VENV  := .venv
PY    := $(VENV)/bin/python
PIP   := $(PY) -m pip --quiet --disable-pip-version-check
DBT   := $(VENV)/bin/dbt
STAMP := $(VENV)/.installed
UV    := uv==0.13.9

# A lint works on a state of its own, so that it never meets a night that is running.
LINT_STATE = RECON_STATE_DIR=.recon/lint

# Which code a run was made by: recorded in the ledger.
export RECON_GIT_COMMIT := $(or $(shell git rev-parse --verify --quiet HEAD 2>/dev/null),unknown)

# Exported, and quoted by the shell: a value may hold quotes and dollars.
TARGET  ?=
VARS    ?=
WAVE    ?=
FILE    ?=
SEED    ?=
BATCHES ?=
FIRST   ?=
LAST    ?=
export TARGET VARS WAVE FILE SEED BATCHES FIRST LAST

DBT_ARGS = $(if $(TARGET),--target "$$TARGET") --vars "$$VARS"
# Empty is no YAML mapping for dbt; the merge key joins the wave to what VARS holds.
READ_VARS = [ -n "$$VARS" ] || VARS='{}'
ADD_WAVE  = [ -z "$$WAVE" ] || VARS="{<<: $$VARS, recon_wave: '$$WAVE'}"

# A suite of its own process each: one Spark session, one state folder. 5: no such test yet.
FAST   = and not slow
PYTEST = $(PY) -m pytest
ALLOW_NONE = || [ $$? -eq 5 ]

.DEFAULT_GOAL := help
# Two Spark sessions at once are too much for a small machine.
.NOTPARALLEL:
.PHONY: help machine setup demo check night gate resume docs dashboard screenshots test test-all test-killed test-project test-e2e test-demo \
	test-adapter test-browser test-dashboard test-slow cases fuzz lint format lock clean distclean

help: ## list the targets
	@echo "usage: make TARGET_NAME [TARGET=demo] [VARS='{recon_pairs: [orders]}'] [WAVE=w1] [PYTHON=python3.12]"
	@echo
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo
	@echo "TARGET, VARS: any target that runs dbt; TARGET: dashboard; WAVE: night, gate; FILE: cases. A failing recipe makes make itself exit 2:"
	@echo "for dbt's own exit code (1: a model or test failed, 2: dbt could not run) call $(DBT)."

machine: ## say what this machine lacks, and how to get it
	@scripts/check_machine.sh >/dev/null

# --- set-up ------------------------------------------------------------------------------------

setup: machine $(STAMP) profiles.yml ## virtual environment, locked dependencies, profiles.yml (once)

# Made anew when the interpreter behind it is gone.
MAKE_VENV = $(PY) -m pip --version >/dev/null 2>&1 || { python=$$(scripts/check_machine.sh python) \
	&& echo "Making $(VENV) with $$python" && "$$python" -m venv --clear $(VENV); }

$(STAMP): requirements.lock adapter/pyproject.toml | machine
	@$(MAKE_VENV)
	@echo "Installing the locked dependencies into $(VENV): one to three minutes, 600 MB to download"
	@$(PIP) install --requirement requirements.lock || { \
		echo "The dependencies could not be installed; pip says why above. make setup goes on from there." >&2; exit 1; }
	@$(PIP) install --no-deps --no-build-isolation --editable ./adapter
	@touch $@

profiles.yml:
	@cp profiles.yml.example $@ && echo "Made $@ from profiles.yml.example"

# --- running -----------------------------------------------------------------------------------

demo: setup ## seven nights on real data, then what they found (five to ten minutes)
	@$(PY) -m demo

check: setup ## look for mistakes in the seeds, alone and against the tables; compares nothing
	@$(READ_VARS); VARS="{<<: $$VARS, recon_check: true}"; $(DBT) build \
		--select path:seeds path:models/staging int_recon__run int_recon__pair_plans config_findings $(DBT_ARGS)

night: setup ## the nightly run: compare every pair (of WAVE), append what was found
	@$(READ_VARS); $(ADD_WAVE); $(DBT) build --exclude tag:cutover_gate $(DBT_ARGS)

gate: setup ## may we cut over? fails, with the reasons, unless every pair is ready
	@$(READ_VARS); $(ADD_WAVE); $(DBT) build \
		--select path:seeds path:models/staging cutover_readiness gate_findings gate_verdicts tag:cutover_gate \
		--warn-error-options '{"error":["NoNodesForSelectionCriteria"]}' $(DBT_ARGS)

resume: setup ## finish a night whose process was killed
	@$(READ_VARS); $(DBT) build \
		--select stg_recon__last_results int_recon__scratch resolution_events+ gate_verdicts int_recon__pair_plans+ \
		--exclude tag:cutover_gate $(DBT_ARGS)

docs: setup ## dbt's documentation in target/; look at it with `.venv/bin/dbt docs serve`
	@$(READ_VARS); $(DBT) docs generate $(DBT_ARGS)

dashboard: setup ## both pages as one HTML file that needs no network (FIRST=2026-01-01 LAST=2026-03-31: other nights)
	@$(PY) -m dashboards.render $(if $(TARGET),--target "$$TARGET") \
		$(if $(FIRST),--first "$$FIRST") $(if $(LAST),--last "$$LAST")

screenshots: setup ## the pictures of the README, anew from what the demo left
	@$(PY) -m dashboards.screenshots

# --- checking ----------------------------------------------------------------------------------

test: test-project test-e2e test-demo test-adapter ## all tests but the slow ones

test-all: FAST =
test-all: test-project test-e2e test-demo test-adapter ## all tests

test-slow: FAST = and slow
test-slow: test-project test-e2e test-demo test-adapter ## only the slow tests

test-killed: setup ## nights killed at three moments, then finished
	@$(PYTEST) tests/e2e/test_killed_night.py

test-project: setup ## tests that read the project, or run its functions on Spark
	@$(PYTEST) tests -m "not e2e and not demo $(FAST)" $(ALLOW_NONE)

test-e2e: setup ## tests that drive whole dbt commands
	@$(PYTEST) tests -m "e2e and not demo $(FAST)" $(ALLOW_NONE)

test-demo: setup ## tests of what the demo records
	@$(PYTEST) tests -m "demo $(FAST)" $(ALLOW_NONE)

test-adapter: setup ## tests of the embedded engine
	@$(PYTEST) adapter/tests -m "not demo $(FAST)" $(ALLOW_NONE)

test-browser: setup ## the local dashboard in a browser, over given rows (two minutes)
	@RECON_REQUIRE_BROWSER=1 $(PYTEST) tests/dashboard/test_page.py

test-dashboard: setup ## the dashboard after real nights: its queries, and all of it in a browser
	@RECON_REQUIRE_BROWSER=1 $(PYTEST) tests/dashboard tests/e2e/test_dashboard.py

cases: setup ## the case collection through one real run (FILE=path: another case file)
	@$(PY) -m tests.cases.runner $(if $(FILE),"$$FILE")

fuzz: setup ## random pairs against an oracle, until a fault (SEED=1 BATCHES=10)
	@$(PY) -m tests.fuzz $(if $(SEED),--seed "$$SEED") $(if $(BATCHES),--batches "$$BATCHES")

SQL := $(wildcard models analyses tests/gate)

lint: setup ## ruff on Python, sqlfluff on SQL, the dashboard file; all report before it fails
	@failed=0; \
	$(VENV)/bin/ruff check . || failed=1; \
	$(VENV)/bin/ruff format --check . || failed=1; \
	$(LINT_STATE) $(VENV)/bin/sqlfluff lint $(SQL) || failed=1; \
	$(PY) -m dashboards.lint || failed=1; \
	exit $$failed

format: setup ## let ruff and sqlfluff repair what they can
	@$(VENV)/bin/ruff check --fix .
	@$(VENV)/bin/ruff format .
	@$(LINT_STATE) $(VENV)/bin/sqlfluff fix $(SQL)

# --- keeping house -----------------------------------------------------------------------------

lock: ## make requirements.lock anew from pyproject.toml (UPGRADE=1: newest versions)
	@$(MAKE_VENV)
	@$(PIP) install '$(UV)'
	@# no-strip-extras: pip in hash mode refuses a pin that lacks the extra another package asks for.
	@$(VENV)/bin/uv pip compile pyproject.toml --extra runtime --extra dashboard --extra demo --extra dev \
		--universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-strip-extras \
		--custom-compile-command "make lock" $(if $(UPGRADE),--upgrade) --quiet --output-file requirements.lock

clean: ## remove what dbt, the demo and the tests left; keeps the ledger in .recon/state
	@rm -rf target logs .recon/demo .recon/lint .recon/cases .recon/fuzz .recon/test* .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean ## also remove the virtual environment
	@rm -rf $(VENV)
