#!/usr/bin/env python3
"""Measures daemons that share the follows of one store on PostgreSQL: pages per second, and the share of each daemon.

    fleet.py --bin .build/release --server 'postgres://127.0.0.1/bench?user=postgres' --daemons 1 2 4 8

A local server answers each page after a delay. It holds all answers until every daemon runs, and counts the pages that it
sends to each one; a page that is asked for twice is reported. Each round uses a new schema of the database.
"""
import argparse
import asyncio
import json
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import tempfile
import time

DEFINITION = {
    "almanac": 1, "source": "bench", "title": "pages", "url": "http://127.0.0.1", "pages": {"link": "next", "size": 50},
    "collections": {"bench-items": {"id": ["{list}", "$.number"], "fields": {"title": "text $.title"}}},
    "follows": {"lists/{list}": {"get": "/lists/{list}?size={size}", "take": {"into": "bench-items"}}},
}


class Pages:
    """The server: each daemon has a path of its own."""

    def __init__(self, options):
        self.options, self.go = options, asyncio.Event()
        self.begun = self.last = 0.0
        self.served, self.seen, self.doubled = {}, set(), 0

    async def serve(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                daemon, name, page = re.match(r"GET /(\d+)/lists/([^?/ ]+)\?(?:.*page=(\d+))?", head).groups()
                page = int(page or 0)
                await self.go.wait()
                await asyncio.sleep(self.options.delay / 1000)
                size = self.options.records
                items = [{"number": page * size + i, "title": f"{name} {page} {i}"} for i in range(size)]
                body = json.dumps(items).encode()
                link = ""
                if page + 1 < self.options.pages:
                    link = f'Link: </{daemon}/lists/{name}?size={size}&page={page + 1}>; rel="next"\r\n'
                writer.write(
                    f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{link}Content-Length: {len(body)}\r\n\r\n".encode()
                    + body)
                await writer.drain()
                self.doubled += (name, page) in self.seen
                self.seen.add((name, page))
                self.served[daemon] = self.served.get(daemon, 0) + 1
                self.last = time.monotonic()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


async def measure(options, count):
    pages = Pages(options)
    server = await asyncio.start_server(pages.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    store = options.server + ("&" if "?" in options.server else "?") + "schema=fleet" + secrets.token_hex(4)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="almanac-fleet-"))
    daemons = []
    total = options.follows * options.pages
    try:
        for number in range(count):
            own = folder / str(number)
            (own / "sources").mkdir(parents=True)
            (own / "sources/bench.json").write_text(json.dumps(DEFINITION))
            (own / "config.json").write_text(json.dumps({
                "servers": {"bench": {"url": f"http://127.0.0.1:{port}/{number}"}},
                "follows": [{"follow": f"bench/lists/l{i}", "every": "1h"} for i in range(options.follows)]}))
            log = open(own / "log", "w")
            daemons.append(subprocess.Popen(
                [options.bin / "almanacd", "--store", store, "--state", own, "--config", own / "config.json", "--listen",
                 "127.0.0.1:0"], stdout=log, stderr=log, env={"PATH": os.environ["PATH"], "HOME": str(own)}))
            while "listening" not in (own / "log").read_text():
                await asyncio.sleep(0.05)
        await asyncio.sleep(3)
        pages.begun = time.monotonic()
        pages.go.set()
        while len(pages.seen) < total and time.monotonic() - pages.begun < options.limit:
            await asyncio.sleep(0.05)
        seconds = pages.last - pages.begun
        shares = sorted(pages.served.get(str(number), 0) for number in range(count))
        return len(pages.seen) / seconds, shares, pages.doubled, total - len(pages.seen)
    finally:
        for daemon in daemons:
            daemon.terminate()
        for daemon in daemons:
            await asyncio.to_thread(daemon.wait)
        server.close()
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=lambda text: pathlib.Path(text).resolve(), required=True)
    parser.add_argument("--server", required=True, help="the address of a database, without a schema")
    parser.add_argument("--daemons", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--follows", type=int, default=64)
    parser.add_argument("--pages", type=int, default=20, help="pages of each follow")
    parser.add_argument("--records", type=int, default=50, help="records of each page")
    parser.add_argument("--delay", type=float, default=50, help="milliseconds before each page is sent")
    parser.add_argument("--limit", type=float, default=300, help="seconds after which a round ends")
    options = parser.parse_args()
    print("| daemons | pages/s | pages of each daemon | asked twice |\n| ---: | ---: | --- | ---: |")
    for count in options.daemons:
        rate, shares, doubled, missing = asyncio.run(measure(options, count))
        note = f"; {missing} missing" if missing else ""
        print(f"| {count} | {rate:.0f} | {', '.join(map(str, shares))}{note} | {doubled} |", flush=True)


if __name__ == "__main__":
    main()
