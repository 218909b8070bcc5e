# All that is needed by hand is Python 3.11 or newer and make. Each target builds .venv when it is missing or older
# than the lock. Options for the programs: make play ARGS="--track italy"; for mutmut the mutants' names too:
# make mutants ARGS="--max-children 1 heat_core.rules.draft* heat_core.season.state*"

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help play host party serve fleet test coverage check lint fast plain wheel compiled lowest packages spec bench peers growth scale words golden puzzles formats pictures architecture pythons mutants fits soak statistics opponents lock clean

BIN := .venv/bin
RUN := .venv/.run-ready
SERVE := .venv/.serve-ready
FLEET := .venv/.fleet-ready
DEV := .venv/.dev-ready
LOWEST := .venv/lowest/.ready
PEERS := .venv/peers/.ready
# What builds a package lies in a folder of its own: the environment holds only what the programs need.
BUILDER := .venv/builder
PIP_INSIDE := bin/python -m pip --quiet --quiet --disable-pip-version-check
PIP := .venv/$(PIP_INSIDE)
ARGS ?=
RACES ?= 10000

help:  ## list these targets
	@sed -n 's/^\([a-z]*\):.*##  *\(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r name text; do \
		printf '%-18s %s\n' "$$name" "$$text"; done

play: $(RUN)  ## a race against Legends, at once, in this terminal
	@$(BIN)/heat-tui play $(ARGS)

host: $(RUN)  ## start a server on this machine and a client at it
	@$(BIN)/heat-tui host $(ARGS)

party: $(SERVE)  ## a server and every way in for friends, with one card that says how
	@$(BIN)/heat-tui party $(ARGS)

serve: $(SERVE)  ## the client in your browser; with ARGS="--ssh 2222 --web" for friends with ssh or a browser
	@$(BIN)/heat-tui serve $(ARGS)

fleet: $(FLEET)  ## add what heat-server needs for a store in PostgreSQL; starts nothing

test: $(DEV)  ## all tests but the long ones
	@$(BIN)/python -m pytest -q -n auto --dist worksteal $(ARGS)

coverage: $(DEV)  ## the same tests with the lines that none of them reaches (takes nearly twice as long before Python 3.12)
	@$(BIN)/python -m pytest -q -n auto --dist worksteal --cov --cov-report=term $(ARGS)

check: lint test  ## all that lint looks at, then the tests

lint: $(DEV)  ## formatting, lint, types, import contracts, and whether documents and schemas are as the code says
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python -m pytest -q @tests/written.txt

fast: $(DEV)  ## compile the engine in this folder (needs a C compiler); races take less than half the time
	@$(BIN)/python fast_build.py fast

plain: $(DEV)  ## remove what was compiled: the engine runs from its source
	@$(BIN)/python fast_build.py plain

wheel: $(DEV)  ## a wheel in dist/ with the compiled engine, for this Python on this platform
	@HEAT_COMPILED=1 $(BIN)/python -m hatchling build --target wheel --directory dist

compiled: fast  ## the tests of the core with the compiled engine; afterwards it runs from its source again
	@status=0; $(BIN)/python -m pytest -q -n auto --dist worksteal tests/core tests/golden tests/wire $(ARGS) || status=$$?; \
		$(BIN)/python fast_build.py plain; exit $$status

lowest: $(LOWEST)  ## some tests with the lowest versions that pyproject.toml allows
	@.venv/lowest/bin/python -m pytest -q -n auto --dist worksteal -p no:cacheprovider @tests/smoke.txt $(ARGS)

packages: $(DEV)  ## the same tests in an unpacked sdist, and against an installed wheel
	@$(BIN)/python -m tests.packages $(ARGS)

spec: $(DEV)  ## requirements that no test proves yet
	@$(BIN)/python tests/spec_report.py

bench: $(DEV)  ## the figures of speed, as a table
	@$(BIN)/python -m tests.bench $(ARGS)

peers: $(PEERS)  ## random play of this engine and of others, in one run, as a table
	@.venv/peers/bin/python -m tests.peers $(ARGS)

growth: $(DEV)  ## how engine and server grow with cars, rooms, people and events, for docs/growth.md (ten minutes; ARGS=--quick)
	@$(BIN)/python -m tests.growth $(ARGS)

scale: $(DEV)  ## simulate 100,000 rooms on 50 servers, for docs/scale.md (ten minutes; ARGS="--jobs 1" leaves cores free)
	@$(BIN)/python -m tests.scale.simulation $(ARGS)

words: $(DEV)  ## how much plain mode says in one race, by question and by round
	@$(BIN)/python -m tests.heard

golden: $(DEV)  ## write the golden files anew (then read the diff)
	@$(BIN)/python -m pytest tests/golden --regenerate-golden $(ARGS)

puzzles: $(DEV)  ## look for puzzles in races of bots and choose twenty (ten minutes; ARGS=--again measures them again)
	@$(BIN)/python -m tests.puzzles $(ARGS)

formats: $(DEV)  ## write the schemas of formats and protocol anew, where the number of a format has risen
	@$(BIN)/python -m tests.protocol_document
	@$(BIN)/python -m tests.formats $(ARGS)

pictures: $(DEV)  ## draw the pictures of the documentation and of the tests anew
	@$(BIN)/python -m tests.pictures
	@$(BIN)/python -m pytest -q tests/tui/test_pictures.py --snapshot-update

architecture: $(DEV)  ## draw the packages in docs/architecture.md anew, from the imports
	@$(BIN)/python -m tests.architecture

pythons: $(DEV)  ## the core's tests and golden races with every other Python found, 3.11 to 3.13
	@own=$$($(BIN)/python -c 'import sys; print("python%d.%d" % sys.version_info[:2])'); \
	others=; \
	for candidate in python3.11 python3.12 python3.13; do \
		[ $$candidate != $$own ] && $$candidate -c 'import ensurepip, venv' 2>/dev/null || continue; \
		others="$$others $$candidate"; \
		home=.venv/$$candidate; \
		if [ ! -e $$home/ready ] || [ locks/dev.lock -nt $$home/ready ]; then \
			echo "building an environment of $$candidate (once, about a minute)"; \
			$$candidate -m venv --clear $$home \
			&& $$home/$(PIP_INSIDE) install --require-hashes -r locks/dev.lock \
			&& $$home/$(PIP_INSIDE) install $(FROM_HERE) --editable . \
			&& touch $$home/ready || exit 1; \
		fi; \
		echo "$$candidate:"; \
		$$home/bin/python -m pytest -q -n auto --dist worksteal tests/core tests/golden $(ARGS) || exit 1; \
	done; \
	[ -n "$$others" ] || echo "no Python of 3.11 to 3.13 but $$own was found on the PATH"

fits: $(DEV)  ## find again the planner's numbers that come from trying (ten minutes), and print them
	@$(BIN)/python -m tests.fits $(ARGS)

soak: $(DEV)  ## the long tests, then 10,000 whole races with their figures in soak/ (RACES=200 for fewer)
	@HYPOTHESIS_PROFILE=explore $(BIN)/python -m pytest -n auto --dist worksteal -m soak --timeout 3600 $(ARGS)
	@$(BIN)/python -m tests.soak --races $(RACES)

statistics: $(DEV)  ## race bots and count what happens, for docs/statistics.md (hours; ARGS="--races steady=1000" for fewer)
	@$(BIN)/python -m tests.game_statistics $(ARGS)

opponents: $(DEV)  ## race bots against each other, for docs/opponents.md (hours; ARGS="--fields 24" for fewer)
	@$(BIN)/python -m tests.opponents $(ARGS)

mutants: $(DEV)  ## break the rules in every small way, list what no test notices (hours; ARGS="heat_core.rules.draft*": a part)
	@$(BIN)/mutmut run $(ARGS)
	@$(BIN)/mutmut results | sed '/: not checked$$/d'

lock: $(RUN)  ## resolve the dependencies anew (UPGRADE=--upgrade for newer versions)
	@echo "resolving the dependencies"
	@$(PIP) install --upgrade --target .venv/uv --require-hashes -r locks/uv.lock
	@$(COMPILE) --group lock $(UPGRADE) --output-file locks/uv.lock
	@$(COMPILE) --group build $(UPGRADE) --output-file locks/build.lock
	@$(COMPILE) pyproject.toml $(UPGRADE) --output-file locks/run.lock
	@$(COMPILE) pyproject.toml --extra serve --extra doors $(UPGRADE) --constraint locks/run.lock \
		--output-file locks/serve.lock
	@$(COMPILE) pyproject.toml --all-extras --group dev $(UPGRADE) --constraint locks/serve.lock \
		--constraint locks/build.lock --output-file locks/dev.lock
	@$(COMPILE) pyproject.toml --extra serve --extra doors --extra postgres $(UPGRADE) --constraint locks/dev.lock \
		--output-file locks/fleet.lock
	@rm -f locks/lowest.lock  # versions that stand there would be kept, though lower ones are allowed now
	@$(COMPILE) pyproject.toml --all-extras --group build --group test --resolution lowest-direct \
		--output-file locks/lowest.lock
	@$(COMPILE) pyproject.toml --group build --group peers $(UPGRADE) --constraint locks/run.lock \
		--constraint locks/build.lock --output-file locks/peers.lock

COMPILE = .venv/uv/bin/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command "make lock"

clean:  ## remove the environment and everything built
	@rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .coverage .coverage.*
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@find heat_core -name '*.so' -exec rm -f {} +
	@rm -f heat_core__mypyc*.so heat_core/compiled.txt

# The environment: first what the programs need, on top of it what `heat-tui serve`, `heat-tui party` or the tests need.
$(RUN): locks/run.lock locks/build.lock pyproject.toml
	@python=; \
	for candidate in $(PYTHON) python3.13 python3.12 python3.11 python3; do \
		if $$candidate -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			python=$$candidate; break; \
		fi; \
	done; \
	if [ -z "$$python" ]; then \
		echo "This needs Python 3.11 or newer with its venv module, and none was found on the PATH (PYTHON=... names one)." >&2; \
		exit 1; \
	fi; \
	echo "building the environment (once, about a minute)"; \
	$$python -m venv --clear .venv
	@$(PIP) install --require-hashes -r locks/run.lock
	@$(PIP) install --target $(BUILDER) --require-hashes -r locks/build.lock
	@PYTHONPATH=$(BUILDER) $(PIP) install $(FROM_HERE) --editable .
	@touch $@

FROM_HERE := --no-deps --no-build-isolation

$(SERVE): $(RUN) locks/serve.lock
	@echo "adding what heat-tui serve needs (once)"
	@$(PIP) install --require-hashes -r locks/serve.lock
	@touch $@

$(FLEET): $(SERVE) locks/fleet.lock
	@echo "adding what a store in PostgreSQL needs (once)"
	@$(PIP) install --require-hashes -r locks/fleet.lock
	@touch $@

$(DEV): $(RUN) locks/dev.lock
	@echo "adding what the tests need (once, about a minute)"
	@$(PIP) install --require-hashes -r locks/dev.lock
	@touch $@

# Beside the other, for it needs other versions of the same.
$(LOWEST): $(RUN) locks/lowest.lock
	@echo "building an environment of the lowest versions (once, about a minute)"
	@$(BIN)/python -m venv --clear .venv/lowest
	@.venv/lowest/$(PIP_INSIDE) install --require-hashes -r locks/lowest.lock
	@.venv/lowest/$(PIP_INSIDE) install $(FROM_HERE) --editable .
	@touch $@

# Beside the other, for nothing else needs what it holds.
$(PEERS): $(RUN) locks/peers.lock
	@echo "building an environment with the other engines (once, about a minute)"
	@$(BIN)/python -m venv --clear .venv/peers
	@.venv/peers/$(PIP_INSIDE) install --require-hashes -r locks/peers.lock
	@.venv/peers/$(PIP_INSIDE) install $(FROM_HERE) --editable .
	@touch $@
