#!/usr/bin/env python3
"""Names that lead elsewhere a moment later: pictures whose addresses came with data must not reach inner servers.

In name spaces of its own, where a DNS server of this script answers for every name, a web server listens on public and on
inner addresses of the machine. Records name pictures at hosts whose answers change from a public to an inner address, mix
both, or hide the inner one behind another form or a redirect. `almanac media fetch` and almanacd fetch them. No request may
arrive at an inner address; pictures at public addresses must arrive, and one at an inner server that the config names.
Needs Linux with user name spaces, unshare, ip and Python's standard library.

    rebinding.py --bin .build/debug
"""
import argparse
import http.server
import ipaddress
import itertools
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

PUBLIC, PUBLIC6 = "93.184.216.34", "2606:2800:220:1::1"
INNER = ["127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "198.18.0.1"]
INNER6 = ["::1", "fc00::1", "fd00:ec2::254", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1"]
PIXEL = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000"
                      "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082")


class Names:
    """A DNS server (RFC 1035): each name has a list of answers, of which the last is repeated."""

    def __init__(self):
        self.answers, self.asked = {}, {}
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.53", 53))
        threading.Thread(target=self.serve, daemon=True).start()

    def add(self, name, *answers):
        """Each answer is a list of addresses: those of one query for A, and one for AAAA."""
        self.answers[name.lower()] = answers

    def serve(self):
        while True:
            query, client = self.socket.recvfrom(512)
            labels, place = [], 12
            while query[place]:
                labels.append(query[place + 1:place + 1 + query[place]].decode())
                place += query[place] + 1
            name, (kind,) = ".".join(labels).lower(), struct.unpack(">H", query[place + 1:place + 3])
            question = query[12:place + 5]
            turns = self.answers.get(name, ())
            turn = self.asked.get((name, kind), 0)
            self.asked[name, kind] = turn + 1
            family = {1: 4, 28: 6}.get(kind)
            found = [ipaddress.ip_address(one) for one in turns[min(turn, len(turns) - 1)]] if turns else []
            found = [one for one in found if one.version == family]
            records = b"".join(
                b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 0, len(one.packed)) + one.packed for one in found)
            self.socket.sendto(
                query[:2] + struct.pack(">HHHHH", 0x8180, 1, len(found), 0, 0) + question + records, client)


class Web:
    """Answers with a picture on every address of the machine, and notes at which it was asked for what."""

    def __init__(self):
        noted = self.noted = []
        redirects = self.redirects = {}

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                address = self.connection.getsockname()[0].removeprefix("::ffff:")
                noted.append((address, self.headers["Host"], self.path))
                target = redirects.get(self.path)
                self.send_response(302 if target else 200)
                if target:
                    self.send_header("Location", target)
                body = b"" if target else PIXEL
                self.send_header("Content-Type", "image/png")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            address_family = socket.AF_INET6

        self.server = Server(("::", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def forms(names, web):
    """URLs by name: those that must not arrive at an inner address."""
    found = []

    def add(url_host, *answers, path="a.png"):
        host = f"f{len(found)}.{url_host}"
        names.add(host, *answers)
        found.append(f"http://{host}:{web.port}/{path}")

    for inner in INNER:
        add("turns.example", [PUBLIC], [inner])
        add("straight.example", [inner])
        add("mixed.example", [PUBLIC, inner])
        add("mixed.example", [inner, PUBLIC])
    for inner in INNER6:
        add("turns.example", [PUBLIC6], [inner])
        add("straight.example", [inner])
        add("mixed.example", [PUBLIC, inner])
        add("mixed.example", [inner, PUBLIC6])
    # The public answer leads nowhere, so that the second one is tried.
    for inner in INNER[:3] + INNER6[:2]:
        add("dead.example", ["192.0.43.10", inner], [inner])
    # A public server sends elsewhere: to a name that changes, and to an address.
    for inner in INNER[:4] + ["[::1]", "2130706433", "0x7f000001", "0177.0.0.1"]:
        host = f"f{len(found)}.target.example"
        plain = inner.strip("[]")
        numeric = plain if plain.count(".") == 3 and not plain.startswith("0") or ":" in plain else "127.0.0.1"
        names.add(host, [PUBLIC], [numeric])
        path = f"/to-{len(found)}"
        web.redirects[path] = f"http://{host if len(found) % 2 else inner}:{web.port}/b.png"
        found.append(f"http://outer.example:{web.port}{path}")
    return found


def photos(urls, first=0):
    return "".join(json.dumps({
        "id": f"{n}", "ownerID": "1@N00", "title": f"{n}", "thumbnailURL": url, "imageURL": url, "pageURL": url,
        "postedAt": "2026-01-01T00:00:00Z"}) + "\n" for n, url in enumerate(urls, first))


def inside(options):
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    for one in [PUBLIC, PUBLIC6] + INNER[1:] + INNER6[1:3] + INNER6[4:]:
        bits = 128 if ":" in one else 32
        subprocess.run(["ip", "addr", "add", f"{one}/{bits}", "dev", "lo", *(["nodad"] if bits == 128 else [])], check=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="almanac-rebinding-"))
    daemon = None
    try:
        (folder / "resolv.conf").write_text("nameserver 127.0.0.53\noptions timeout:1 attempts:1\n")
        subprocess.run(["mount", "--bind", folder / "resolv.conf", "/etc/resolv.conf"], check=True)
        names, web = Names(), Web()
        names.add("outer.example", [PUBLIC])
        names.add("named.example", ["10.0.0.1"])
        urls = forms(names, web)
        allowed = [f"http://outer.example:{web.port}/public.png", f"http://named.example:{web.port}/named.png"]
        (folder / "config.json").write_text(json.dumps({
            "servers": {"users": {"url": f"http://named.example:{web.port}"}}, "follows": []}))
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "ALMANAC_STORE": str(folder / "store"),
                       "ALMANAC_CONFIG": str(folder / "config.json")}
        program = pathlib.Path(options.bin).resolve()

        def almanac(*arguments):
            return subprocess.run([program / "almanac", *arguments], env=environment, capture_output=True, text=True)

        def judge(what, wanted):
            through = [one for one in web.noted if ipaddress.ip_address(one[0].split("%")[0]) not in (
                ipaddress.ip_address(PUBLIC), ipaddress.ip_address(PUBLIC6)) and not one[1].startswith("named.example")]
            if through:
                raise SystemExit(f"{what}: {len(through)} requests reached an inner server: {through[:5]}")
            if not wanted <= {one[2] for one in web.noted}:
                raise SystemExit(f"{what}: {wanted} did not arrive, so nothing is proved: {web.noted[:5]}")
            print(f"       {what}: {len(urls)} forms, 0 reached an inner server, {len(web.noted)} requests at public ones")

        # The names lead to inner servers for every other program.
        probe = "f1.straight.example"
        if urllib.request.urlopen(f"http://{probe}:{web.port}/probe", timeout=10).read() != PIXEL:
            raise SystemExit("the inner server does not answer")
        web.noted.clear()
        (folder / "photos.jsonl").write_text(photos(urls + allowed))
        if (done := almanac("import", str(folder / "photos.jsonl"))).returncode:
            raise SystemExit(f"import: {done.stderr}")
        almanac("media", "fetch")  # most are missing, which it says with its exit status
        judge("almanac media fetch", {"/public.png", "/named.png"})
        web.noted.clear()
        names.asked.clear()
        # The daemon fetches by itself what is missing, and on a click.
        log = open(folder / "log", "w")
        daemon = subprocess.Popen([program / "almanacd", "--listen", "127.0.0.1:0"], env=environment, stderr=log)
        end = time.time() + 120
        while not (folder / "store/daemon.json").exists() and time.time() < end:
            time.sleep(0.05)
        address = json.loads((folder / "store/daemon.json").read_text())["url"]
        token = {"Authorization": "Bearer " + (folder / "store/token").read_text().strip()}

        def ask(path, body=None):
            request = urllib.request.Request(
                address + path, body, {**token, **({"Content-Type": "application/json"} if body else {})})
            return json.loads(urllib.request.urlopen(request, timeout=60).read())

        fresh = f"http://outer.example:{web.port}/later.png"
        (folder / "photos.jsonl").write_text(photos([fresh], len(urls) + 10))
        if (done := almanac("import", str(folder / "photos.jsonl"))).returncode:
            raise SystemExit(f"import: {done.stderr}")
        while "/later.png" not in {one[2] for one in web.noted} or ask("/api/v1/media/fetch").get("state") == "running":
            if time.time() > end:
                raise SystemExit(f"the daemon fetched nothing: {ask('/api/v1/media/fetch')} {web.noted[-3:]}")
            # One that began before the import does not know of the new picture.
            if ask("/api/v1/media/fetch").get("state") != "running":
                ask("/api/v1/media/fetch", b"{}")
            time.sleep(0.1)
        judge("almanacd", {"/later.png"})
        print("rebinding: passed")
    finally:
        if daemon:
            daemon.terminate()
            daemon.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/debug")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.inside:
        os.execvp("unshare", ["unshare", "-rmn", sys.executable, __file__, "--bin", options.bin, "--inside"])
    inside(options)


if __name__ == "__main__":
    main()
