PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: try test test-long bench lint clean

$(BIN)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(BIN)/.installed-test: $(BIN)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

# Install, then run the main job on the example that ships with the project.
try: $(BIN)/.installed
	@sh examples/try.sh $(BIN)

# Install what tests need and run all of them: style, types, tests.
test: $(BIN)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 -m 'not long'

test-long: $(BIN)/.installed-test
	$(BIN)/python -m pytest -n 2 -m long

# In an environment of its own, with nothing but what `pip install` brings: what else is installed slows the start.
bench: .venv-bench/.installed
	.venv-bench/bin/python -m benchmarks

.venv-bench/.installed: pyproject.toml
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

clean:
	rm -rf $(VENV) .venv-bench .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist *.egg-info
