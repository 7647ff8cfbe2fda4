# `make demo` and `make test` set up what they need and work on a fresh machine.
PY := .venv/bin/python

.PHONY: demo test quick check bench docs clean

demo: .venv/installed
	$(PY) scripts/demo

test: .venv/installed-test check
	$(PY) -m pytest -n 2 --dist loadfile

quick: .venv/installed-test
	$(PY) -m pytest -n 2 --dist loadfile -m "not slow and not browser" -q

check: .venv/installed-test
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports
	$(PY) scripts/rules-docs --check

# Some minutes and 8 GB; benchmarks/README.md says what is measured.
bench: .venv/installed-bench
	for name in overhead checkpoint resume; do $(PY) -m benchmarks.$$name --json bench-out/$$name.json || exit 1; done
	$(PY) -m benchmarks.report bench-out docs/benchmarks.md

# A page for each check and rule.
docs: .venv/installed
	$(PY) scripts/rules-docs

# Python packages, in a virtual environment of the project's own.
.venv/installed: pyproject.toml constraints.txt
	scripts/install demo
	touch $@

# The same with the test tools and the browser.
.venv/installed-test: pyproject.toml constraints.txt scripts/system-packages
	scripts/system-packages
	scripts/install test
	touch .venv/installed $@

# With what the benchmarks compare to.
.venv/installed-bench: pyproject.toml constraints.txt
	scripts/install bench
	touch .venv/installed $@

clean:
	rm -rf .venv demo-out bench-out dist build
