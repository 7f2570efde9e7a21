#!/usr/bin/env python3
"""Reads recordings of `almanac --record FILE.har` with an independent HAR library (pip install haralyzer):

    python3 Tools/upstream/read_har.py FILE.har…
    python3 Tools/upstream/read_har.py --record ALMANAC UPSTREAM      records a run first, and searches for its key

Exits with 1 if a file cannot be read or contains the key.
"""

import os
import subprocess
import sys
import tempfile

from haralyzer import HarEntry, HarParser

KEY = "a-key-that-must-stay-secret"


def read(path, secret=None):
    har = HarParser.from_file(path)
    assert har.version == "1.2", har.version
    entries = [HarEntry(entry) for entry in har.har_data["entries"]]
    assert entries, "no entries"
    for entry in entries:
        # Each of these raises an error if the field is missing or of another type.
        entry.startTime.year
        assert entry.request.method and entry.request.url.startswith("http")
        entry.request.queryString, entry.request.headers, entry.request.bodySize
        entry.response.status, entry.response.headers, entry.response.mimeType, entry.response.bodySize
        assert entry.time >= 0 and entry.timings["wait"] >= 0
    with open(path, encoding="utf-8") as file:
        assert secret is None or secret not in file.read(), "the recording holds the key"
    statuses = sorted({entry.response.status for entry in entries})
    print(f"{path}: HAR {har.version} by {har.creator['name']} {har.creator['version']}, {len(entries)} entries, "
          f"statuses {statuses}")


def record(almanac, upstream):
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [upstream, "--photos", "60", "--fault-rate", "0.3", "--fault-kinds", "503,reset,truncate,html,redirect"],
            stdout=subprocess.PIPE, text=True)
        try:
            url = server.stdout.readline().split()[-1]
            environment = dict(os.environ, ALMANAC_FLICKR_KEY=KEY, ALMANAC_STORE=f"{folder}/store", HOME=folder)
            servers = [word for name in ("app-store", "flickr", "users", "people")
                       for word in ("--server", f"{name}={url}")]
            for number, words in enumerate([
                    ["sync", "app-store/us/top-free", "flickr/interestingness", "users/ada", "people"],
                    ["people", "add", "--first", "Zoe", "--last", "Quill", "--birthday", "--02-29"],
                    ["people", "send"]]):
                path = f"{folder}/{number}.har"
                subprocess.run([almanac, *words, "--record", path, *servers], env=environment, check=False,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                if words[0] == "sync" or words[1] == "send":
                    read(path, KEY)
        finally:
            server.terminate()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--record"]:
        record(*sys.argv[2:4])
    else:
        for name in sys.argv[1:] or sys.exit(__doc__):
            read(name)
