"""Chromium, driven over a pipe with the standard library alone."""
import base64
import json
import os
import pathlib
import subprocess
import time


class Navigated(SystemExit):
    """The page was left before it answered."""


class Browser:
    """Chromium over the DevTools protocol, through a pipe."""

    def __init__(self, program, folder):
        to_read, self.to = os.pipe()
        self.answers, from_write = os.pipe()
        command = [
            program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--ignore-certificate-errors",
            "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--no-proxy-server",
            "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank"]

        def places():  # the protocol wants descriptors 3 and 4
            first, second = os.dup(to_read), os.dup(from_write)
            os.dup2(first, 3)
            os.dup2(second, 4)
            for one in (3, 4):
                os.set_inheritable(one, True)

        self.process = subprocess.Popen(
            command, preexec_fn=places, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.rest, self.number, self.events, self.session = b"", 0, [], None
        # The kinds of questions that pages asked, such as "beforeunload". Each is answered with yes.
        self.asked = []
        target = self("Target.createTarget", url="about:blank")["targetId"]
        self.session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM", "Accessibility"):
            self(f"{domain}.enable")

    def receive(self):
        while b"\0" not in self.rest:
            piece = os.read(self.answers, 1 << 20)
            if not piece:
                raise SystemExit("Chromium has ended")
            self.rest += piece
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def __call__(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    kind = Navigated if "navigated" in answer["error"].get("message", "") else SystemExit
                    raise kind(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)
            if answer.get("method") == "Page.javascriptDialogOpening":
                self.asked.append(answer["params"]["type"])
                reply = {"id": -len(self.asked), "method": "Page.handleJavaScriptDialog", "params": {"accept": True},
                         "sessionId": self.session}
                os.write(self.to, json.dumps(reply).encode() + b"\0")

    def run(self, script):
        """The value of an expression in the page; a promise is waited for."""
        result = self("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"{script[:60]}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def holds(self, script):
        """Whether an expression is true in the page; false where the page that was asked is left before it answers."""
        try:
            return bool(self.run(script))
        except Navigated:
            return False

    def open(self, url):
        self("Page.navigate", url=url)
        self.settle()

    def settle(self):
        """Waits until the page and its pictures are there."""
        end = time.time() + 300
        script = """document.readyState === "complete" && [...document.images].every((i) => i.complete || i.loading === "lazy")"""
        while not self.holds(script):
            if time.time() > end:
                raise SystemExit("the page does not load")

    def resize(self, width, height):
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def click(self, selector):
        """Presses the mouse over an element, as a person does: what lies over it gets the click."""
        place = self.run(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{ block: "center", behavior: "instant" }}); const r = e.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2]; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def key(self, key, code):
        for kind in ("keyDown", "keyUp"):
            self("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def picture(self, path):
        size = self("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        data = self("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def end(self):
        self.process.terminate()
        self.process.wait(10)
