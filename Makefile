# `make test` and `make play` do everything on a fresh clone; `make` lists the targets.
PYTHON ?= python3
VENV := .venv
KERNEL := CMakeLists.txt $(shell find kernel -type f 2>/dev/null)

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: $(VENV)/.renege ## make .venv with renege in it, kernel built

play: setup ## play at the table
	$(VENV)/bin/renege play

test: setup $(VENV)/.dev ## run the tests and the examples of the README, on all cores
	$(VENV)/bin/pytest -n auto $(PYTEST)

test-gpu: setup $(VENV)/.dev $(VENV)/.gpu ## compile the kernel for the GPU with NVRTC and, given a device, run it
	$(VENV)/bin/pytest -m gpu $(PYTEST)

soak: setup $(VENV)/.dev ## run the tests with a hundred times the random cases
	RENEGE_SOAK=100 $(VENV)/bin/pytest -n auto $(PYTEST)

lint: setup $(VENV)/.dev ## check style, format and types
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/pyright

bench: setup $(VENV)/.bench ## measure speed beside OpenSpiel
	$(VENV)/bin/python bench/playouts.py
	$(VENV)/bin/python bench/schafkopf.py
	$(VENV)/bin/python bench/tractor.py
	$(VENV)/bin/python bench/tractor_rollout.py
	$(VENV)/bin/python bench/judge.py
	$(VENV)/bin/python bench/solve.py
	$(VENV)/bin/python bench/tractor_solve.py
	$(VENV)/bin/python bench/budget.py
	$(VENV)/bin/python bench/worlds.py
	$(VENV)/bin/python bench/hall.py
	$(VENV)/bin/python bench/audit.py

study: setup $(VENV)/.report ## measure the paper's study again and write docs/study
	$(VENV)/bin/renege paper --out docs/study

web: ## build the page
	@echo "There is no page yet."

constraints: setup ## choose the newest versions of all packages and write constraints.txt
	$(VENV)/bin/pip install -q uv
	printf '%s\n' scikit-build-core nanobind cmake ninja ziglang | $(VENV)/bin/uv pip compile -q --upgrade \
	    --no-header --no-annotate --all-extras --python-version 3.11 pyproject.toml - > constraints.new
	mv constraints.new constraints.txt

clean: ## remove .venv and what was built
	rm -rf $(VENV) build

# A stamp is newer than what it was made from, so nothing is installed twice.
$(VENV)/.renege: pyproject.toml constraints.txt tools/setup.py $(KERNEL)
	$(PYTHON) tools/setup.py
	@touch $@

$(VENV)/.dev $(VENV)/.bench $(VENV)/.gpu $(VENV)/.report: $(VENV)/.%: pyproject.toml constraints.txt | $(VENV)/.renege
	$(PYTHON) tools/setup.py $*
	@touch $@

.PHONY: help setup play test test-gpu soak lint bench study web constraints clean
