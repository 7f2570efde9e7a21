"""The duration of a command, compared with a program that prints a line."""

import shutil
import statistics
import subprocess

from judging import met
from processes import output, spent

PRODUCTS = ["almanac"]
DEBIAN = {}
PYPI = []


def measure(run):
    almanac = run.program("almanac")
    bare = bare_program(run)
    rounds = 3 if run.options.smoke else 40
    folder = run.work / "start"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    count = 200 if run.options.smoke else int(run.options.millions * 1_000_000)
    (folder / "config.json").write_text("{}")
    with open(folder / "people.jsonl", "w") as out:
        for index in range(count):
            out.write('{"id":"p%09d","firstName":"Ada","lastName":"Lovelace %d","birthday":"1815-12-10",'
                      '"fullName":"Ada Lovelace %d"}\n' % (index, index, index))
    store = ["--config", str(folder / "config.json"), "--store", str(folder / "store")]
    output([almanac, *store, "import", str(folder / "people.jsonl")])
    output([almanac, *store, "compact"])
    show = [almanac, *store, "show", "people", "p%09d" % (count // 3)]
    pairs = [(spent(show), spent([bare]) if bare else None) for _ in range(rounds)]
    ours = statistics.median(pair[0] for pair in pairs) * 1000
    if bare:
        ratio = statistics.median(pair[0] / pair[1] for pair in pairs)
        theirs = statistics.median(pair[1] for pair in pairs) * 1000
        run.table.add("start", f"show people ID, {count:,} records", f"{ours:.1f} ms",
                      f"bare Swift program {theirs:.1f} ms", f"{ratio:.2f} x", "<= 1.5 x",
                      "" if run.options.smoke else met(ratio <= 1.5))
    else:
        run.table.add("start", f"show people ID, {count:,} records", f"{ours:.1f} ms")
    demo = statistics.median(spent([almanac, "demo"]) for _ in range(max(1, rounds // 8)))
    run.table.add("start", "almanac demo", f"{demo:.3f} s", goal="<= 0.2 s",
                  verdict="" if run.options.smoke else met(demo <= 0.2))


def bare_program(run):
    """A program that does nothing, linked like almanac."""
    if run.options.smoke:
        return None
    source, program = run.work / "bare.swift", run.work / "bare"
    source.write_text("print(1)\n")
    linked = subprocess.run(["ldd", run.program("almanac")], capture_output=True, text=True).stdout
    static = [] if "libswiftCore" in linked else ["-static-stdlib"]
    done = subprocess.run(["swiftc", "-O", *static, str(source), "-o", str(program)], capture_output=True, text=True)
    return str(program) if done.returncode == 0 else None
