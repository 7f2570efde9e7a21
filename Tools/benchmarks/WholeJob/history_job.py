#!/usr/bin/env python3
"""Compares a sync whose store keeps a history with one that keeps none, in paired rounds; the results are medians.

    history_job.py BUILD_FOLDER [--rounds 5] [--pages 200]

A first sync adds all records, pages of 500, and a second one finds all of them changed. The output is that of `whole_job.py`.
"""

import argparse
import http.server
import json
import pathlib
import sys
import tempfile
import threading

from whole_job import Job, median, row

PAGE = 500


class Source:
    """Serves pages of records, all of which change with `version`."""

    def __init__(self, pages):
        self.version = 0
        self.pages = [[json.dumps({"pages": pages, "items": [self.record(page * PAGE + at, version) for at in range(PAGE)]})
                       .encode() for page in range(pages)] for version in range(2)]
        source = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                page = source.pages[source.version][int(self.path.split("page=")[1]) - 1]
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def record(self, number, version):
        return {"name": f"owner{number % 300}/repository-{number}", "stars": number % 997 + version, "language": "Swift",
                "about": f"A library for {number} purposes, with examples, tests and documentation",
                "topics": ["swift", "server", "linux"], "pushed": f"2026-11-{number % 19 + 11 - version}T09:30:00Z"}

    def definition(self, keep):
        return {
            "almanac": 1, "source": "bench", "url": self.url,
            "collections": {"bench-repos": {"id": "$.name", "history": {"keep": keep}, "fields": {
                "about": "text? $.about", "language": "text? $.language", "stars": "int $.stars",
                "topics": "list(text)? $.topics", "pushedAt": "time? $.pushed"}}},
            "follows": {"repos": {"get": "/repos?page={page}", "pages": {"page": 1, "pages": "$.pages", "size": PAGE},
                                  "take": {"records": "$.items", "into": "bench-repos"}}},
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pages", type=int, default=200)
    options = parser.parse_args()
    source = Source(options.pages)
    rounds = []
    with tempfile.TemporaryDirectory() as work:
        job = Job(options, pathlib.Path(work))
        for number in range(options.rounds):
            one = {}
            for keep in ("forever", "none") if number % 2 == 0 else ("none", "forever"):
                folder = job.fresh(f"config-{keep}")
                (folder / "config.json").write_text(json.dumps({"follows": [{"follow": "bench/repos"}]}))
                (folder / "sources").mkdir()
                (folder / "sources" / "bench.json").write_text(json.dumps(source.definition(keep)))
                store = job.fresh(f"store-{keep}")
                for source.version, what, key in ((0, "new", "added"), (1, "changed", "updated")):
                    seconds, _, processor, report = job.sync(store, folder / "config.json")
                    if report["totals"][key] != options.pages * PAGE:
                        sys.exit(f"{keep}, {what}: {json.dumps(report)[:500]}")
                    one[what, keep], one[what + " cpu", keep] = seconds, processor
            rounds.append(one)
    for what in ("new", "changed"):
        for unit, suffix in (("s", ""), ("s of processor time", " cpu")):
            ours, without = (median([one[what + suffix, keep] for one in rounds]) for keep in ("forever", "none"))
            ratio = median([one[what + suffix, "forever"] / one[what + suffix, "none"] for one in rounds])
            row(f"sync of {options.pages * PAGE} {what} records", ours, unit, "without a history", without, ratio,
                "<= 1.1 x", ratio <= 1.1)


if __name__ == "__main__":
    main()
