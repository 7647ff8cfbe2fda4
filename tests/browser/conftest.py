"""A real JupyterLab on loopback, driven by Debian's Chromium."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.browser.jupyter_pages import Front, Server

ROOT = Path(__file__).parents[2]
CHROMIUM = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def need(found: object, what: str) -> None:
    """Skip with the reason; on CI, where nothing may be missing, fail."""
    if not found:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"{what} is not installed")


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    need(shutil.which("chromium"), "chromium (scripts/system-packages)")
    need(find_spec("jupyterlab"), "jupyterlab")
    need(find_spec("playwright"), "playwright")
    home = tmp_path_factory.mktemp("jupyter")
    notebooks = home / "notebooks"
    notebooks.mkdir()
    extensions = home / "share" / "labextensions"
    extensions.mkdir(parents=True)
    (extensions / "reflex-magic").symlink_to(ROOT / "labextension")
    settings = home / "config" / "lab" / "user-settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(quiet))

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(8)
    unset = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REFLEX_MODEL", "CI")
    environment = {k: v for k, v in os.environ.items() if k not in unset} | {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTER_PATH": str(home / "share"),
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": str(ROOT),
    }
    command = [
        *(sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"),
        *("--ServerApp.port_retries=0", f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={notebooks}"),
        *("--expose-app-in-browser", "--JupyterNotebookApp.expose_app_in_browser=True"),
    ]
    with (home / "server.log").open("w") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=subprocess.STDOUT, env=environment, cwd=home, start_new_session=True
        )
        try:
            base = f"http://127.0.0.1:{port}"
            wait_for(f"{base}/api?token={token}", process, home / "server.log")
            yield Server(base, token, notebooks)
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"the Jupyter server did not start:\n{log.read_text()[-2000:]}")


@pytest.fixture(scope="package")
def browser(server: Server) -> Iterator[object]:
    # For this folder only: while Playwright runs, an event loop runs in this thread, and no other test could start one.
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM)
        try:
            yield chromium
        finally:
            chromium.close()


@pytest.fixture
def front(server: Server, browser: object, request: pytest.FixtureRequest) -> Iterator[Front]:
    """Opens notebooks; closes their pages and kernels afterwards."""
    opened = Front(server, browser, request.node.name)
    try:
        yield opened
    finally:
        opened.close()
