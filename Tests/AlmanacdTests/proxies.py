#!/usr/bin/env python3
"""The daemon behind nginx and Caddy.

Starts almanacd from --bin behind each proxy in several ways: the examples of Apps/almanacd/deploy (TLS, HTTP/2, a sub-path
that the proxy leaves where it is), a sub-path that the proxy takes away and a Unix socket, a name of its own, and nginx as
it is without any setting (HTTP/1.0, another Host). Every address that a page names answers, forms work and those of other
pages do not, the cookie is Secure, streams come unbuffered, and other names stay refused. The buttons of the page are
pressed through one proxy in each browser. Needs curl, openssl, nginx, Caddy and Python's standard library.

    proxies.py --bin .build/debug [--chromium PROGRAM] [--firefox PROGRAM] [--quick]
"""
import argparse
import collections
import grp
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the folder is a target of the package: nothing may appear in it
import buttons
from browser import Browser
from firefox import Firefox
from stage import Stage

DEPLOY = pathlib.Path(__file__).resolve().parents[2] / "Apps/almanacd/deploy"
NAME = "home.localhost"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Proxy:
    """nginx or Caddy with one site."""

    def __init__(self, folder, port):
        self.folder, self.port = folder, port
        folder.mkdir()
        self.certificate, self.key = folder / "cert.pem", folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", self.key, "-out",
             self.certificate], check=True, capture_output=True)

    def example(self, name, upstream):
        """The example of the deploy folder, for this port, this certificate and this daemon."""
        text = (DEPLOY / name).read_text()
        for old, new in (("127.0.0.1:7423", upstream), ("/etc/ssl/home.example.pem", str(self.certificate)),
                         ("/etc/ssl/home.example.key", str(self.key)), ("listen 443", f"listen 127.0.0.1:{self.port}"),
                         ("\nhome.example {", f"\nhttps://home.example:{self.port} {{\n\ttls {self.certificate} {self.key}"),
                         ("home.example", NAME)):
            text = text.replace(old, new)
        return text

    def start(self, command, file, text):
        path = self.folder / file
        path.write_text(text)
        self.log = open(self.folder / "log", "w")
        self.process = subprocess.Popen(
            command + [str(path)], stdout=self.log, stderr=self.log, cwd=self.folder,
            env={**os.environ, "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder)})
        end = time.time() + 300
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if time.time() > end or self.process.poll() is not None:
                    raise SystemExit(f"{command[0]} does not start: {(self.folder / 'log').read_text()}")
                time.sleep(0.05)

    def nginx(self, site):
        self.start(["nginx", "-g", "daemon off;", "-p", str(self.folder), "-e", "stderr", "-c"], "nginx.conf", f"""
            {"user www-data;" if os.getuid() == 0 else ""} worker_processes 1; pid nginx.pid;
            events {{ worker_connections 256; }}
            http {{ access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f;
                uwsgi_temp_path u; scgi_temp_path s;
                {site} }}""")

    def caddy(self, site):
        self.start(["caddy", "run", "--adapter", "caddyfile", "--config"], "Caddyfile",
                   "{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + site)

    def end(self):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()


class Look:
    """What is true of the daemon behind every proxy."""

    def __init__(self, title, stage, proxy, base):
        self.title, self.stage, self.proxy, self.base = title, stage, proxy, base
        self.curl = ["curl", "-s", "--noproxy", "*", "--cacert", str(proxy.certificate), "--resolve",
                     f"{NAME}:{proxy.port}:127.0.0.1", "--max-time", "20"]
        self.origin = "/".join(base.split("/")[:3])

    def expect(self, ok, text):
        if not ok:
            raise SystemExit(f"{self.title}: {text}\n{(self.stage.folder / 'almanacd.log').read_text()[-800:]}")

    def ask(self, url, *arguments):
        """Status, headers and body."""
        url = url if url.startswith("http") else self.base + url
        out = subprocess.run([*self.curl, "-i", url, *arguments], capture_output=True, encoding="utf-8", errors="replace")
        head, _, body = out.stdout.replace("\r\n", "\n").partition("\n\n")
        lines = head.split("\n")
        words = lines[0].split(" ")
        self.expect(len(words) > 1, f"{url}: {out.stderr or out.returncode}")
        headers = dict((name.lower(), value) for name, _, value in (line.partition(": ") for line in lines[1:]))
        self.version = words[0]
        return int(words[1]), headers, body

    def all(self):
        path = self.base.removeprefix(self.origin)
        link = self.stage.almanac("dashboard").split()[-1]
        self.expect(link.startswith(self.base + "/login?code="), f"the link is {link}")
        status, headers, _ = self.ask(link)
        self.expect(status == 303 and headers["location"] == path + "/", f"the link answers {status} {headers}")
        self.expect(self.version == "HTTP/2", f"the proxy speaks {self.version}")
        cookie = headers["set-cookie"]
        self.expect("; Secure" in cookie and f"; Path={path or '/'};" in cookie, f"the cookie is {cookie}")
        session = ["-H", "Cookie: " + cookie.split(";")[0]]
        seen, queue, kinds = set(), ["/"], collections.Counter()
        while queue:
            page = queue.pop(0)
            status, headers, body = self.ask(page, *session)
            self.expect(status == 200, f"{page}: {status}")
            if "text/html" not in headers["content-type"]:
                continue
            # A few pages of each kind, and none of several parameters: they differ in the record alone.
            for place in re.findall(r'(?:href|src|action)="(/[^"#&]*)[#"]', body):
                self.expect(place.startswith(path + "/"), f"{page} names {place}")
                place = place.removeprefix(path)
                if place not in seen and not place.startswith("/do/"):
                    seen.add(place)
                    kind = "/".join(re.split(r"[/?=]", place)[:3])
                    kinds[kind] += 1
                    if kinds[kind] <= 4:
                        queue.append(place)
        self.expect(len(seen) > 8, f"only {seen}")
        form = [*session, "-H", "Content-Type: application/x-www-form-urlencoded", "-d", ""]
        status, headers, _ = self.ask("/do/sync", *form, "-H", f"Origin: {self.origin}")
        self.expect(status == 303 and re.fullmatch(re.escape(path) + r"/follows\?note=\w+", headers["location"]), f"a form answers {status} {headers}")
        for name, more in (("another page", ["-H", "Origin: https://evil.example"]), ("no page", []),
                           ("a hidden page", ["-H", "Origin: null"]),
                           ("a page of another site", ["-H", f"Origin: {self.origin}", "-H", "Sec-Fetch-Site: cross-site"])):
            self.expect(self.ask("/do/sync", *form, *more)[0] == 403, f"{name} may post")
        self.expect(self.ask("/healthz")[0] == 200, "no health")
        self.expect(self.ask("/api/v1/status")[0] == 401, "the API is open")
        document = json.loads(self.ask("/openapi.json", *session)[2])
        self.expect(document["servers"] == [{"url": path + "/"}], f"the description names {document['servers']}")
        self.stream(session)

    def stream(self, session):
        """An event is there as soon as it happens: nothing on the way waits for more."""
        stream = subprocess.Popen(
            [*self.curl, "-N", self.base + "/api/v1/events", *session], stdout=subprocess.PIPE, text=True)
        try:
            while not stream.stdout.readline().startswith("id:"):
                self.expect(stream.poll() is None, "the stream ends at once")
            begun, name = time.time(), f"By stream {time.time_ns()}"
            self.stage.patch("ada", {"name": name})
            for line in stream.stdout:
                if line.startswith("event: commit"):
                    break
            late = time.time() - begun
            self.expect(late < 5, f"an event comes after {late:.1f} s")
            print(f"       {self.title}: {self.version}, an event after {late * 1000:.0f} ms")
        finally:
            stream.kill()
            stream.wait()


def behind(title, options, folder, start, path="/almanac", socket=False, press=None):
    """One daemon behind one proxy."""
    port, folder = free_port(), folder / re.sub(r"\W+", "-", title)
    folder.mkdir()
    folder.chmod(0o755)
    public = f"https://{NAME}:{port}{path}"
    group = "www-data" if os.getuid() == 0 else grp.getgrgid(os.getgid()).gr_name
    settings = {"publicURL": public}
    arguments = []
    if socket:
        settings |= {"socketMode": "0660", "socketGroup": group}
        arguments = ["--socket", str(folder / "daemon.sock")]
    proxy = Proxy(folder / "proxy", port)
    stage = Stage(options.bin, folder, buttons.FOLLOWS, ",".join(buttons.USERS), settings, arguments)
    try:
        stage.synced()
        if socket:
            stage.until("the socket", lambda: (folder / "daemon.sock").exists()
                        and (folder / "daemon.sock").stat().st_mode & 0o777 == 0o660)
        start(proxy, f"unix:{folder}/daemon.sock" if socket else stage.url.removeprefix("http://"))
        try:
            Look(title, stage, proxy, public).all()
            if press:
                buttons.run(press[0], press[1], press[2], stage, folder, public)
        finally:
            proxy.end()
    finally:
        stage.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/debug")
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("chromium-browser"))
    parser.add_argument("--firefox", default=shutil.which("firefox-esr") or shutil.which("firefox"))
    parser.add_argument("--quick", action="store_true", help="presses no buttons")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="almanac-proxies-"))
    folder.chmod(0o755)
    tls = "ssl_certificate cert.pem; ssl_certificate_key key.pem; server_name " + NAME
    chromium = ("chromium", options.chromium, Browser) if options.chromium and not options.quick else None
    firefox = ("firefox", options.firefox, Firefox) if options.firefox and not options.quick else None
    try:
        behind("nginx, the example", options, folder, press=chromium,
               start=lambda proxy, up: proxy.nginx(proxy.example("nginx.conf", up)))
        behind("nginx, a socket, the sub-path taken away", options, folder, socket=True,
               start=lambda proxy, up: proxy.nginx(
                   f"server {{ listen {proxy.port} ssl http2; {tls}; location /almanac/ {{ proxy_pass http://{up}:/; }} }}"))
        behind("nginx without settings", options, folder, path="",
               start=lambda proxy, up: proxy.nginx(
                   f"server {{ listen {proxy.port} ssl http2; {tls}; location / {{ proxy_pass http://{up}; }} }}"))
        behind("Caddy, the example", options, folder, press=firefox,
               start=lambda proxy, up: proxy.caddy(proxy.example("Caddyfile", up)))
        behind("Caddy, a socket, the sub-path taken away", options, folder, socket=True,
               start=lambda proxy, up: proxy.caddy(
                   f"https://{NAME}:{proxy.port} {{\n\ttls {proxy.certificate} {proxy.key}\n\thandle_path /almanac/* {{\n"
                   f"\t\treverse_proxy {up.replace('unix:', 'unix/')}\n\t}}\n}}\n"))
        behind("Caddy with a name of its own", options, folder, path="",
               start=lambda proxy, up: proxy.caddy(
                   f"https://{NAME}:{proxy.port} {{\n\ttls {proxy.certificate} {proxy.key}\n\treverse_proxy {up}\n}}\n"))
        print("proxies: passed")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
