# Needs Python >= 3.11 and make; everything else goes into .venv/ from the hashed lock.
.POSIX:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help setup demo test run lint format e2e bench bench-check differential fuzz soak faults mutation dist sbom docs golden lock

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header
# The first interpreter that is new enough; `make PYTHON=… test` names another.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON := $(shell for python in python3 python3.13 python3.12 python3.11; do \
	"$$python" -c '$(NEW_ENOUGH)' >/dev/null 2>&1 && { echo "$$python"; break; }; done)

# Speed is measured on the system's interpreter where it is new enough: distributions build theirs with profile-guided
# optimisation, as that of the image is built; one that a version manager compiled mostly is not, and is a fifth slower.
BENCH_VENV := .venv-bench
BENCH_READY := $(BENCH_VENV)/.ready
BENCH_PYTHON := $(shell for python in /usr/bin/python3 "$(PYTHON)"; do \
	"$$python" -c '$(NEW_ENOUGH)' >/dev/null 2>&1 && { echo "$$python"; break; }; done)

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-18s %s\n", $$1, $$2 }'

setup: $(READY) ## the environment in .venv/, from the hashed lock

$(READY): requirements-dev.lock pyproject.toml
	@if ! "$(PYTHON)" -c '$(NEW_ENOUGH)' 2>/dev/null; then \
		echo "percard needs Python 3.11 or newer; python3 here is: $$(python3 --version 2>&1)." >&2; \
		echo "Name a newer one: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; exit 1; fi
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { echo "Setting up $(VENV)/ with $$($(PYTHON) --version)"; $(PYTHON) -m venv --clear $(VENV); }
	@$(BIN)/python -m tools.installing requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q webhook certs
	@touch $@
	@echo "Ready: $(BIN)/percard --help"

$(BENCH_READY): $(READY)
	@echo "Setting up $(BENCH_VENV)/ with $$($(BENCH_PYTHON) --version)"
	@$(BIN)/uv venv --quiet --clear --python "$(BENCH_PYTHON)" $(BENCH_VENV)
	@$(BIN)/uv pip install --quiet --python $(BENCH_VENV)/bin/python --require-hashes --requirement requirements-dev.lock
	@$(BIN)/uv pip install --quiet --python $(BENCH_VENV)/bin/python --offline --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(READY) ## the main job, shown: three vendors' manifests checked, admitted over TLS, a bad one denied
	@$(BIN)/python -m tools.demo

test: $(READY) ## the whole test suite
	@$(BIN)/python -m pytest -m "not e2e and not differential" $(ARGS)

run: $(READY) ## serve in the foreground with a self-signed certificate
	@$(BIN)/percard serve --self-signed $(ARGS)

lint: $(READY) ## format check, ruff, mypy, import contracts, Dockerfile, Action, licences, documents up to date
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/hadolint Dockerfile
	$(BIN)/zizmor --quiet --offline --persona auditor .
	$(BIN)/pip-licenses --packages $$(sed -n 's/==.*//p' requirements.lock) >/dev/null
	$(BIN)/python -m tools.docs --check
	$(BIN)/python -m tools.manifests --check

format: $(READY) ## put the source into the project's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

e2e: $(READY) ## against a real kube-apiserver on this machine, with the overlays self-signed and with-floor
	@$(BIN)/python -m pytest -m e2e $(ARGS) tests/e2e

bench: $(BENCH_READY) ## the comparisons of the performance goals, as ratios
	@$(BENCH_VENV)/bin/python -m bench.run $(ARGS)

bench-check: $(BENCH_READY) ## how fast files are checked, beside PyYAML and kubeconform, as ratios
	@$(BENCH_VENV)/bin/python -m bench.check.run $(ARGS)

differential: $(READY) ## half a million verdicts beside those of a second, plain implementation
	@$(BIN)/python -m pytest -m differential $(ARGS) tests/differential

fuzz: $(READY) ## inputs of six kinds, right, damaged and hostile, a minute each; none may make percard fail
	@$(BIN)/python -m bench.fuzz.run $(ARGS)

soak: $(READY) ## no failed call while servers restart; idle connections, memory, bad guests (some 20 minutes)
	@$(BIN)/python -m bench.soak.run $(ARGS)

faults: $(READY) ## kill, starve and fill up what runs, and hand it broken files (some three minutes)
	@$(BIN)/python -m pytest tests/injected tests/certs $(ARGS)

dist: $(READY) ## wheel and archive of the sources in dist/, built twice and compared
	@$(BIN)/python -m tools.dist $(ARGS)

sbom: $(READY) ## what pip puts into the image, with licences, in dist/percard.cdx.json (CycloneDX)
	@$(BIN)/python -m tools.sbom $(ARGS)

mutation: $(READY) ## put faults into core, dialects and checks, and count those that no test notices (hours; CONTRIBUTING.md)
	@PATH="$(abspath $(BIN)):$$PATH" nice -n 19 $(BIN)/mutmut run --max-children 1 $(ARGS)
	@$(BIN)/python -m tools.mutation

docs: $(READY) ## write the generated documents and README's command help
	$(BIN)/python -m tools.docs

golden: $(READY) ## write the expected outputs anew; read the difference before you commit it
	$(BIN)/python -m pytest -p no:randomly --rewrite-golden $(ARGS) tests

lock: $(READY) ## resolve every dependency anew, with hashes
	$(COMPILE) --upgrade pyproject.toml --group dev --output-file requirements-dev.lock
	$(COMPILE) pyproject.toml --constraint requirements-dev.lock --output-file requirements.lock
	$(COMPILE) --group build --constraint requirements-dev.lock --output-file requirements-build.lock
