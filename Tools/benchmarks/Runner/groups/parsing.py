"""Typed decode and encode, and one field of each of a million lines."""

import random
import re

from processes import module, output
from workshop import BENCHMARKS

PRODUCTS = ["parsing-bench"]
DEBIAN = {"libsimdjson-dev": "/usr/include/simdjson.h", "g++": "g++"}
PYPI = ["orjson", "msgspec"]


def measure(run):
    if run.options.smoke:
        data = run.folder("parsing-smoke")
        make_data = module(BENCHMARKS / "Parsing" / "make_data.py")
        make_tiny_data(make_data, data)
        lines = output([run.program("parsing-bench"), str(data)]).splitlines()
        for line in lines:
            work, who, nanoseconds, *_ = line.split("\t")
            if who == "almanac":
                run.table.add("parsing", work, f"{float(nanoseconds):.0f} ns")
        return
    text = output([str(BENCHMARKS / "Parsing" / "run.sh"), str(run.options.rounds), str(run.options.millions)],
                  PARSING_BENCH=run.program("parsing-bench"), PARSING_BENCH_FOLDER=str(run.folder("parsing")))
    figures = dict(((row[0], row[1]), row[2]) for row in
                   (re.split(r"\s{2,}", line.strip()) for line in text.splitlines()) if len(row) >= 3)
    for line in text.splitlines():
        if match := re.match(r"(.+?)\s{2,}(.+?)\s+(\w+) takes\s+([\d.]+) x our time: (\w+)", line):
            work, goal, peer, ratio, verdict = match.groups()
            ours = figures[work, "almanac"]
            # The peer's work may have another name, such as decoding without types; its time follows from the ratio.
            theirs = figures.get((work, peer)) or f"{float(ours) * float(ratio):.0f}"
            run.table.add("parsing", work, f"{ours} ns", f"{peer} {theirs} ns", f"{ratio} x", goal, verdict)
        elif match := re.match(r"(filter .+?)\s{2,}(.+?)\s+([\d.]+ GB/s): (\w+)", line):
            work, goal, speed, verdict = match.groups()
            run.table.add("parsing", work, speed, goal=goal, verdict=verdict)


def make_tiny_data(make_data, folder):
    chance = random.Random(1)
    people = "".join(make_data.line(make_data.person(index, chance)) for index in range(300))
    entries = [make_data.entry(index, chance) for index in range(40)]
    for name in ("people.jsonl", "people-1m.jsonl"):
        (folder / name).write_text(people)
    (folder / "feeds.jsonl").write_text(make_data.line({"feed": {"entry": entries}}))
