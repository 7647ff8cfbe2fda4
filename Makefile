# `make demo` and `make test` set up what they need and work on a fresh machine.
PY := .venv/bin/python

.PHONY: demo test quick check clean

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

# Python packages, in a virtual environment of the project's own.
.venv/installed: pyproject.toml constraints.txt
	scripts/install demo
	touch $@

# The same with the test tools and the browser.
.venv/installed-test: pyproject.toml constraints.txt scripts/system-packages
	scripts/system-packages
	scripts/install test
	touch .venv/installed $@

clean:
	rm -rf .venv demo-out dist build
