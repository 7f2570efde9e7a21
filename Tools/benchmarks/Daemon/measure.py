#!/usr/bin/env python3
"""Measures the daemon: idle memory and processor time, start to ready, and requests per second compared with Hummingbird.

    measure.py --bin .build/release --records 1000000 --follows 100

--bin contains almanac, almanacd, upstream and hello-bench; wrk is installed from Debian. Rounds of the daemon and of the
peer alternate on the same machine; the result is the ratio of the medians.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request


def get(url, token=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=30).read()


class Bench:
    def __init__(self, options):
        self.options = options
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="almanac-daemon-bench-"))
        self.bin = pathlib.Path(options.bin).resolve()
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "ALMANAC_STORE": str(self.folder / "store"),
            "ALMANAC_CONFIG": str(self.folder / "config.json"), "HTTPS_PROXY": "http://127.0.0.1:9"}
        self.started = []

    def start(self, *command, read=False):
        process = subprocess.Popen(
            [str(one) for one in command], env=self.environment, text=True,
            stdout=subprocess.PIPE if read else subprocess.DEVNULL, stderr=open(self.folder / "log", "a"))
        self.started.append(process)
        return process

    def fill(self):
        """Creates a store of people and a config of follows."""
        lines = self.folder / "people.jsonl"
        with open(lines, "w") as file:
            for n in range(self.options.records):
                file.write(json.dumps({
                    "id": f"p{n:08}", "firstName": f"First{n}", "lastName": f"Last{n}",
                    "birthday": f"{1930 + n % 80}-{1 + n % 12:02}-{1 + n % 28:02}", "fullName": f"First{n} Last{n}"}) + "\n")
        subprocess.run([self.bin / "almanac", "import", lines, "--quiet"], env=self.environment, check=True)
        subprocess.run([self.bin / "almanac", "compact", "--quiet"], env=self.environment, check=True)
        lines.unlink()
        users = [f"u{n}" for n in range(self.options.follows)]
        upstream = self.start(self.bin / "upstream", "--port", "0", "--users", ",".join(users), read=True)
        self.up = upstream.stdout.readline().split()[-1]
        (self.folder / "config.json").write_text(json.dumps({
            "servers": {"users": {"url": self.up}},
            "follows": [{"follow": f"users/{user}", "every": "1h"} for user in users]}))

    def daemon(self):
        """Starts the daemon; returns the seconds until /readyz returns 200."""
        begun = time.perf_counter()
        (self.folder / "store" / "daemon.json").unlink(missing_ok=True)
        process = self.start(self.bin / "almanacd", "--listen", "127.0.0.1:0")
        while True:
            try:
                self.url = json.loads((self.folder / "store" / "daemon.json").read_text())["url"]
                get(self.url + "/readyz")
                return process, time.perf_counter() - begun
            except (OSError, ValueError):
                if process.poll() is not None:
                    sys.exit((self.folder / "log").read_text()[-2000:])

    def memory(self, process):
        kinds = {}
        for line in pathlib.Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()[1:]:
            words = line.split()
            kinds[words[0].rstrip(":")] = int(words[1]) / 1024
        return kinds

    def seconds(self, process):
        """Processor time of all threads in nanoseconds; no thread ends while the daemon is idle."""
        return sum(int(one.read_text().split()[0]) for one in pathlib.Path(f"/proc/{process.pid}/task").glob("*/schedstat")) / 1e9

    def wrk(self, url, token=None):
        command = ["wrk", "-t1", f"-c{self.options.connections}", f"-d{self.options.seconds}s", url]
        if token:
            command += ["-H", f"Authorization: Bearer {token}"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        if "Non-2xx" in text:
            sys.exit(f"{url}: {text}")
        return float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))

    def run(self):
        self.fill()
        starts = []
        for _ in range(self.options.rounds):
            process, took = self.daemon()
            starts.append(took)
            process.terminate()
            process.wait(10)
        print(f"start to ready          {statistics.median(starts) * 1000:.0f} ms  {[round(s * 1000) for s in starts]}")
        process, _ = self.daemon()
        token = (self.folder / "store" / "token").read_text().strip()
        while b"never" in (text := get(self.url + "/api/v1/status", token)) or text.count(b"lastSuccess") < self.options.follows:
            time.sleep(0.5)
        time.sleep(self.options.settle)
        before, begun = self.seconds(process), time.time()
        time.sleep(self.options.idle)
        share = (self.seconds(process) - before) / (time.time() - begun) * 100
        memory = self.memory(process)
        print(f"idle, {self.options.follows} follows, {self.options.records} records")
        print(f"  resident              {memory['Rss']:.1f} MB (proportional {memory['Pss']:.1f}, "
              f"its own {memory['Anonymous']:.1f}, mapped files {memory['Rss'] - memory['Anonymous']:.1f})")
        print(f"  processor             {share:.3f} %")
        if not (self.bin / "hello-bench").exists() or not shutil.which("wrk"):
            sys.exit("requests/s left out: hello-bench or wrk is missing")
        hello = self.start(self.bin / "hello-bench", "0", read=True)
        peer = hello.stdout.readline().strip()
        rates = {}
        targets = {
            "hello (Hummingbird)": (peer + "/hello", None), "/healthz": (self.url + "/healthz", None),
            "/api/v1/status": (self.url + "/api/v1/status", token),
            "one record": (f"{self.url}/api/v1/collections/people/p{self.options.records // 2:08}", token),
            "a page of 100 records": (self.url + "/api/v1/collections/people", token)}
        for _ in range(self.options.rounds):
            for name, (url, secret) in targets.items():
                rates.setdefault(name, []).append(self.wrk(url, secret))
        base = statistics.median(rates["hello (Hummingbird)"])
        for name, values in rates.items():
            middle = statistics.median(values)
            print(f"{name:24}{middle:9.0f} requests/s  {middle / base:5.2f} of hello")
        memory = self.memory(process)
        print(f"after that: resident {memory['Rss']:.1f} MB, its own {memory['Anonymous']:.1f} MB")

    def end(self):
        for process in self.started:
            if process.poll() is None:
                process.terminate()
                process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/release")
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--follows", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--seconds", type=int, default=3, help="of each wrk")
    parser.add_argument("--settle", type=int, default=90, help="seconds before idle is measured: the store folds itself")
    parser.add_argument("--idle", type=int, default=60, help="seconds over which the processor's time is taken")
    bench = Bench(parser.parse_args())
    try:
        bench.run()
    finally:
        bench.end()


if __name__ == "__main__":
    main()
