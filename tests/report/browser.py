"""A headless Chromium that tests speak to through a pipe, without any package between them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PATIENCE = 60.0


def chromium() -> str | None:
    """Give the command of the browser, if there is one."""
    return next((found for name in NAMES if (found := shutil.which(name)) is not None), None)


class Page:
    """A page in the browser: what it logged, what it asked for, and what scripts find in it."""

    def __init__(self, browser: Browser, session: str) -> None:
        self.browser, self.session = browser, session
        self.problems: list[str] = []
        self.requests: list[str] = []

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self.browser.call(method, parameters, self.session)

    def evaluate(self, script: str) -> Any:
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def note(self, event: dict[str, Any]) -> None:
        method, given = event["method"], event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.problems.append(str(given["exceptionDetails"].get("text")))
        elif method == "Log.entryAdded" and given["entry"]["level"] in ("error", "warning"):
            self.problems.append(given["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and given["type"] in ("error", "warning"):
            self.problems.append(str(given["args"]))
        elif method == "Page.javascriptDialogOpening":
            self.problems.append(f"dialog: {given['message']}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])

    def press(self, key: str, code: int, text: str = "") -> None:
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **more)


class Browser:
    """A running browser."""

    def __init__(self, process: subprocess.Popen[bytes], reads: int, writes: int) -> None:
        self.process, self.reads, self.writes = process, reads, writes
        self.numbers = count(1)
        self.rest = b""
        self.pages: dict[str, Page] = {}

    def call(self, method: str, parameters: dict[str, Any], session: str | None = None) -> dict[str, Any]:
        number = next(self.numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self.writes, json.dumps(message).encode() + b"\0")
        while True:
            found = self._next()
            if found.get("id") == number:
                assert "error" not in found, (method, found["error"])
                answer: dict[str, Any] = found["result"]
                return answer
            if "method" in found and found.get("sessionId") in self.pages:
                self.pages[found["sessionId"]].note(found)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            part = os.read(self.reads, 1 << 16)
            if not part:
                raise RuntimeError("the browser is gone")
            self.rest += part
        message, _, self.rest = self.rest.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def open(self, path: Path, *, scripts: bool = True, dark: bool = False, width: int = 1400) -> Page:
        """Open a file and wait until it is there."""
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        page = self.pages[session] = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        scheme = "dark" if dark else "light"
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        page.call("Page.navigate", url=path.resolve().as_uri())
        # what the browser evaluates for us runs even where the page's own scripts do not
        until = time.monotonic() + _PATIENCE
        while not page.evaluate("location.href != 'about:blank' && document.readyState == 'complete'"):
            assert time.monotonic() < until, "the page does not load"
            time.sleep(0.01)
        return page


@contextmanager
def running(command: str) -> Iterator[Browser]:
    """Start the browser, and end it."""
    to_read, to_write = os.pipe()
    from_read, from_write = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        arguments = [
            command,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--no-first-run",
            f"--user-data-dir={folder}",
            "--remote-debugging-pipe",
            "about:blank",
        ]
        # the protocol asks for these two numbers
        shell = f'exec "$@" 3<&{to_read} 4>&{from_write}'
        process = subprocess.Popen(
            ["/bin/bash", "-c", shell, "browser", *arguments],
            pass_fds=(to_read, from_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(from_write)
        try:
            yield Browser(process, from_read, to_write)
        finally:
            os.close(to_write)
            os.close(from_read)
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
