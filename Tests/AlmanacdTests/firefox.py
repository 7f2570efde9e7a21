"""Firefox, driven over Marionette with the standard library alone."""
import json
import os
import pathlib
import socket
import subprocess
import time


class Firefox:
    """Firefox over its Marionette protocol: messages of JSON behind their length."""

    def __init__(self, program, folder):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True)
        (folder / "user.js").write_text("".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in {
            "marionette.port": 0, "network.proxy.type": 0, "app.update.enabled": False,
            "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.enabled": False,
            "browser.safebrowsing.malware.enabled": False, "browser.safebrowsing.phishing.enabled": False,
            "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
            "services.settings.server": "data:,", "ui.prefersReducedMotion": 1}.items()))
        self.process = subprocess.Popen(
            [program, "--headless", "--marionette", "--no-remote", "--profile", str(folder), "about:blank"],
            env={**os.environ, "HOME": str(folder), "MOZ_HEADLESS": "1"}, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        port, end = folder / "MarionetteActivePort", time.time() + 300
        while not port.exists() or not port.read_text():
            if time.time() > end or self.process.poll() is not None:
                raise SystemExit("Firefox does not start")
            time.sleep(0.05)
        self.line = socket.create_connection(("127.0.0.1", int(port.read_text())), timeout=300)
        self.rest, self.number = b"", 0
        self.receive()
        self("WebDriver:NewSession", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})

    def receive(self):
        while b":" not in self.rest:
            self.more()
        length, self.rest = self.rest.split(b":", 1)
        while len(self.rest) < int(length):
            self.more()
        text, self.rest = self.rest[:int(length)], self.rest[int(length):]
        return json.loads(text)

    def more(self):
        piece = self.line.recv(1 << 16)
        if not piece:
            raise SystemExit("Firefox has ended")
        self.rest += piece

    def __call__(self, command, **parameters):
        self.number += 1
        message = json.dumps([0, self.number, command, parameters]).encode()
        self.line.sendall(str(len(message)).encode() + b":" + message)
        _, _, error, result = self.receive()
        if error:
            raise SystemExit(f"{command}: {error['error']}: {error['message']}")
        return result

    def run(self, script):
        """The value of an expression in the page."""
        return self("WebDriver:ExecuteScript", script=f"return ({script})", args=[])["value"]

    def holds(self, script):
        """Whether an expression is true in the page; a script runs only in a page that stays until it has answered."""
        return bool(self.run(script))

    def open(self, url):
        self("WebDriver:Navigate", url=url)

    def settle(self):
        end = time.time() + 300
        while self.run("document.readyState") != "complete":
            if time.time() > end:
                raise SystemExit("the page does not load")

    def resize(self, width, height):
        """Makes the page so wide; headless windows have borders of their own."""
        outer = self("WebDriver:SetWindowRect", width=width, height=height)
        inner = self.run("[innerWidth, innerHeight]")
        self("WebDriver:SetWindowRect", width=outer["width"] + width - inner[0], height=outer["height"] + height - inner[1])

    def click(self, selector):
        # WebDriver scrolls to what is outside the window alone, and not to what lies under the bar of a phone.
        self.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{ block: 'center', behavior: 'instant' }})")
        found = self("WebDriver:FindElement", using="css selector", value=selector)["value"]
        self("WebDriver:ElementClick", id=list(found.values())[0])

    def end(self):
        # What it writes into its profile at the end is of no use.
        self.line.close()
        self.process.kill()
        self.process.wait()
