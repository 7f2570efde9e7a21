#!/usr/bin/env python3
"""Compares a complete sync with its peers.

The peers are dlt, a script with requests and sqlite-utils, and a download with curl. All use the same `upstream` server,
in paired rounds; the results are medians.

    whole_job.py BUILD_FOLDER [--rounds 5] [--pages 200] [--python VENV/bin/python] [--work FOLDER]

BUILD_FOLDER contains almanac and upstream. Each line is one figure: work TAB ours TAB unit TAB peer TAB peer's figure
TAB ratio TAB goal TAB verdict. `--python` is an interpreter with dlt, duckdb, requests and sqlite-utils; peers that are
missing are listed and omitted.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
EXTRAS = "owner_name,date_upload,date_taken,tags,url_t,url_o"


class Server:
    """Runs an upstream for the duration of the block."""

    def __init__(self, build, *options):
        self.command = [f"{build}/upstream", "--port", "0", *map(str, options)]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[-1]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def timed(command, environment=None, stdin=None):
    """Runs a program; returns the seconds, the peak memory in megabytes and the output."""
    # The calls of each run count alone: a key's budget holds for all stores of a user.
    with tempfile.TemporaryDirectory() as state:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=stdin or subprocess.DEVNULL, text=True,
            env={**os.environ, "XDG_STATE_HOME": state, **(environment or {})})
        # Read before waiting, because the output may exceed the capacity of a pipe.
        output, errors = process.stdout.read(), process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    return seconds, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime, output, errors, process.returncode


class Job:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.almanac = f"{options.build}/almanac"

    def fresh(self, name):
        path = self.work / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path

    def config(self, follows, url):
        path = self.work / "config.json"
        path.write_text(json.dumps({
            "servers": {name: {"url": url, **({"apiKey": "any"} if name == "flickr" else {})}
                        for name in ("app-store", "flickr", "users", "people")},
            "follows": follows}))
        return path

    def sync(self, store, config, *more):
        """Runs `almanac sync`; returns seconds, megabytes, CPU seconds and the report."""
        seconds, peak, cpu, output, errors, status = timed(
            [self.almanac, "--config", str(config), "--store", str(store), "--format", "json", "--quiet", "sync", *more])
        try:
            return seconds, peak, cpu, json.loads(output)
        except ValueError:
            sys.exit(f"almanac sync ended with {status}: {errors or output}")


def size(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def row(work, ours, unit, peer="", figure=None, ratio=None, goal="", met=None):
    shown = "" if figure is None else f"{figure:.3f}"
    print(work, f"{ours:.3f}", unit, peer, shown, "" if ratio is None else f"{ratio:.2f}", goal,
          "" if met is None else ("met" if met else "MISSED"), sep="\t", flush=True)


def median(values):
    return statistics.median(values)


def page_job(job, options):
    photos, owners = options.pages * 500, options.owners
    config = None
    rounds = []
    with Server(options.build, "--photos", photos, "--owners", owners, "--no-drift") as server:
        config = job.config([{"follow": "flickr/interestingness", "limit": photos}], server.url)
        query = f"api_key=any&format=json&nojsoncallback=1&per_page=500&extras={EXTRAS}"
        pages = (f"{server.url}/services/rest/?method=flickr.interestingness.getList&{query}"
                 f"&page=[1-{options.pages}]")
        people = (f"{server.url}/services/rest/?method=flickr.people.getInfo&api_key=any&format=json&nojsoncallback=1"
                  "&user_id=x[1-%d]" % owners)
        curl = ["curl", "-s", "-o", "/dev/null", "-g"]
        # Warm up, because the server generates its pages on the first request.
        timed([*[part for part in curl if part != "-g"], pages])
        job.sync(job.fresh("store"), config)
        for number in range(options.rounds):
            one = {}
            seconds, peak, cpu, report = job.sync(job.fresh("store"), config)
            totals = report["totals"]
            if totals["added"] < photos:
                sys.exit(f"almanac kept {totals['added']} of {photos} photos: {json.dumps(report['follows'])[:500]}")
            one["almanac"], one["peak"], one["cpu"] = seconds, peak, cpu
            one["bytes"], one["requests"] = totals["bytes"], totals["requests"]
            store = job.work / "store"
            before = size(store)
            seconds, _, _, again = job.sync(store, config)
            one["again"], one["grown"] = seconds, size(store) - before
            one["changed"] = sum(again["totals"][key] for key in ("added", "updated", "removed"))
            one["curl"] = timed(["curl", "-s", "-o", "/dev/null", pages])[0]
            one["curl"] += timed(["curl", "-s", "-o", "/dev/null", people])[0]
            one["curl alone"] = timed(["curl", "-s", "-o", "/dev/null", pages])[0]
            for name, script in (("script", "with_script.py"), ("dlt", "with_dlt.py")):
                if name == "dlt" and number >= options.slow_rounds or not options.python:
                    continue
                folder = job.fresh(name)
                target = folder / "photos.db" if name == "script" else folder
                seconds, peak, cpu, output, errors, status = timed(
                    [options.python, str(HERE / script), server.url, str(target), str(options.pages)])
                if status == 0:
                    one[name], one[name + " cpu"], one[name + " peak"] = seconds, cpu, peak
                    if output.split()[0] != str(photos):
                        print(f"{name} kept {output.strip()} of {photos}", file=sys.stderr)
                elif number == 0:
                    print(f"{name} left out: {errors.strip().splitlines()[-1:]}", file=sys.stderr)
            rounds.append(one)
    name = f"pull {options.pages} pages x 500 photos, owners"
    ours = median(one["almanac"] for one in rounds)
    for peer, goal, least in (("dlt", ">= 20 x", 20), ("script", ">= 5 x", 5)):
        pairs = [(one[peer], one[peer] / one["almanac"]) for one in rounds if peer in one]
        if pairs:
            ratio = median(pair[1] for pair in pairs)
            row(name, ours, "s", peer, median(pair[0] for pair in pairs), ratio, goal, ratio >= least)
    ratio = median(one["almanac"] / one["curl"] for one in rounds)
    row(name, ours, "s", "curl alone", median(one["curl"] for one in rounds), ratio, "<= 2 x its time", ratio <= 2)
    row("  megabytes that came", median(one["bytes"] for one in rounds) / 1e6, "MB")
    for what, key, unit in (("CPU", "cpu", "s"), ("peak memory", "peak", "MB")):
        peers = [peer for peer in ("dlt", "script") if any(f"{peer} {key}" in one for one in rounds)]
        for peer in peers:
            pairs = [(one[f"{peer} {key}"], one[f"{peer} {key}"] / one[key]) for one in rounds if f"{peer} {key}" in one]
            row(f"  {what}", median(one[key] for one in rounds), unit, peer, median(pair[0] for pair in pairs),
                median(pair[1] for pair in pairs))
        if not peers:
            row(f"  {what}", median(one[key] for one in rounds), unit)
    ratio = median(one["again"] / one["curl alone"] for one in rounds)
    row("second sync, nothing changed", median(one["again"] for one in rounds), "s", "curl alone",
        median(one["curl alone"] for one in rounds), ratio, "<= 4 x its time", ratio <= 4)
    changed = max(one["changed"] for one in rounds)
    row("  records written", changed, "records", goal="0", met=changed == 0)
    row("  bookkeeping written", median(one["grown"] for one in rounds), "bytes")


def many_follows(job, options):
    """With one request per follow, the ideal time is requests x latency / concurrency."""
    names = [f"u{number}" for number in range(options.follows)]
    jobs, latency = 8, 0.1
    faults = ["--fault-rate", "0.05", "--fault-kinds", "503", "--fault-seed"]
    times, ratios, failed = [], [], 0
    for number in range(options.rounds):
        with Server(options.build, "--users", ",".join(names), "--latency-ms", int(latency * 1000), *faults,
                    number + 1) as server:
            config = job.config([{"follow": f"users/{name}"} for name in names], server.url)
            seconds, _, _, report = job.sync(job.fresh("store"), config, "--jobs", str(jobs))
            ideal = report["totals"]["requests"] * latency / jobs
            times.append(seconds)
            ratios.append(seconds / ideal)
            failed += sum(follow["status"] == "failed" for follow in report["follows"])
    ratio = median(ratios)
    row(f"{options.follows} follows, 100 ms, 5 % 503, {jobs} jobs", median(times), "s", "ideal",
        median(times) / ratio, ratio, "<= 1.3 x the ideal", ratio <= 1.3)
    row("  follows that failed", failed, "follows", goal="0", met=failed == 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow-rounds", type=int, default=2, help="rounds of dlt")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--owners", type=int, default=120)
    parser.add_argument("--follows", type=int, default=100)
    parser.add_argument("--python", default="")
    parser.add_argument("--work", default="")
    parser.add_argument("--only", default="pull,follows")
    options = parser.parse_args()
    work = pathlib.Path(options.work or tempfile.mkdtemp(prefix="almanac-whole-job-"))
    work.mkdir(parents=True, exist_ok=True)
    job = Job(options, work)
    try:
        if "pull" in options.only:
            page_job(job, options)
        if "follows" in options.only:
            many_follows(job, options)
    finally:
        if not options.work:
            shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
