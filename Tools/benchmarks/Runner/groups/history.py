"""What a history costs, and how fast the past is read, compared with sqlite-history-json, dlt and git."""

import shutil
import statistics
import sys

from judging import met
from processes import Failed, note, output
from workshop import BENCHMARKS

PRODUCTS = ["store-bench", "almanac"]
DEBIAN = {"git": "git"}
PYPI = ["sqlite-history-json", "dlt[duckdb]"]

RECORDS = 5000


class Group:
    def __init__(self, run):
        self.run, self.smoke = run, run.options.smoke
        self.rounds = 1 if self.smoke else run.options.rounds
        # A fifth of the records changes at each sync.
        self.few, self.many = (1, 2) if self.smoke else (200, int(1000 * run.options.millions))
        self.folder = run.work / "history"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()

    def bench(self, command, name, *words):
        text = output([self.run.program("store-bench"), command, str(self.folder / name), *map(str, words)])
        return {line.split()[0]: int(line.split()[1]) for line in text.splitlines() if len(line.split()) == 3}

    def play(self, mode, syncs):
        """The figures of a store with so many syncs, and the size of all files of its history."""
        shutil.rmtree(self.folder / mode, ignore_errors=True)
        figures = self.bench("history", mode, syncs, mode)
        figures["files"] = sum(path.stat().st_size for path in (self.folder / mode).iterdir()
                               if path.suffix in (".history", ".hsums"))
        return figures

    def row(self, work, ours, peer="", ratio=None, goal="", holds=None):
        self.run.table.add("history", work, ours, peer, "" if ratio is None else f"{ratio:.3f} x", goal,
                           "" if holds is None or self.smoke else met(holds))

    def most(self, work, figure, unit, goal):
        self.row(work, f"{figure:.2f} {unit}", goal=f"<= {goal} {unit}", holds=figure <= goal)

    def paired(self, work, figures, name, goal, unit=1000):
        ratio = figures[name + "-ratio"] / 10_000
        self.row(work, f"{figures[name] / unit:.2f} µs", "without a history", ratio, f"<= {goal} x", ratio <= goal)


def measure(run):
    group = Group(run)
    cost(group)
    past(group)
    present(group)
    thinned(group)
    sync(group)
    if not run.options.smoke and run.python:
        peers(group)
    shutil.rmtree(group.folder, ignore_errors=True)


def cost(group):
    pairs = []
    for number in range(group.rounds):
        modes = ("keep", "off") if number % 2 == 0 else ("off", "keep")
        pairs.append({mode: group.play(mode, group.few) for mode in modes})
    group.added = statistics.median(
        (pair["keep"]["changed-processor"] - pair["off"]["changed-processor"]) * (pair["keep"]["changes"] - RECORDS)
        + (pair["keep"]["new-processor"] - pair["off"]["new-processor"]) * RECORDS for pair in pairs) / 1e9
    for work, name, goal in (("store alone, a new record", "new", 1.2), ("store alone, a changed record", "changed", 1.3)):
        for more, suffix in (("", ""), (", processor", "-processor")):
            ours, other = (statistics.median(pair[mode][name + suffix] for pair in pairs) for mode in ("keep", "off"))
            ratio = statistics.median(pair["keep"][name + suffix] / pair["off"][name + suffix] for pair in pairs)
            group.row(work + more, f"{ours / 1000:.2f} µs", f"without a history {other / 1000:.2f} µs", ratio,
                      f"<= {goal} x", ratio <= goal)
    group.kept = kept = pairs[0]["keep"]
    ratio = (kept["files"] - 75 * RECORDS) / kept["members"]
    group.row(f"size of {kept['changes']:,} changes, with all notes and sums", f"{kept['files'] / 1e6:.1f} MB",
              f"members before and after {kept['members'] / 1e6:.1f} MB", ratio, "<= 1.3 x and 75 bytes a new record",
              ratio <= 1.3)
    figures = group.bench("history-commits", "commits", 20 if group.smoke else 1000)
    group.paired("one commit", figures, "commit", 1.02)


def past(group):
    """The past of a million changes, and of a record with 2,000."""
    off = group.play("off", group.many)
    all_rounds = [group.play("keep", group.many) for _ in range(group.rounds)]
    figures = {name: statistics.median(one[name] for one in all_rounds) for name in all_rounds[0]}
    of = f"of {figures['changes']:,} changes"
    wrong = sum(one["wrong"] for one in all_rounds)
    group.row(f"10,000 records at random commits, {of}", f"{wrong} differ from a model", goal="0", holds=wrong == 0)
    if busy := figures.get("changes-busy"):
        group.most(f"a past state of a record with {busy:,}, {of}", figures["lookup-busy"] / 1e6, "ms", 5)
        group.most(f"its history, {of}", figures["history-busy"] / 1e6, "ms", 5)
    for work, name in (("a record now", "lookup-now"), ("a record in the middle", "lookup-past"),
                       ("the history of a record", "history")):
        group.row(f"{work}, {of}", f"{figures[name] / 1000:.1f} µs")
    for work, name, goal in (("all records, first", "first", 1500), ("in the middle", "middle", 1500),
                             ("1 % back", "recent", 50)):
        group.most(f"{work}, {of}", figures["scan-" + name] / 1e6, "ms", goal)
    memory = max(one["memory-" + name] for one in all_rounds for name in ("first", "middle", "recent"))
    group.most("memory of these", memory / 1e6, "MB", 20)
    group.most("diff of the last 1 %", figures["diff"] / 1e6, "ms", 20)
    times = (figures["written"] - off["written"]) / figures["files"] - 1
    group.row("times that a byte of the history is written again", f"{times:.2f}", goal="<= 3", holds=times <= 3)


def present(group):
    """Reads the two stores of `past`, which have the same records."""
    for mode in ("keep", "off"):
        group.play(mode, group.few)
    figures = group.bench("history-present", "keep", 20 if group.smoke else 500, group.folder / "off")
    for work, name in (("open and a record", "open"), ("1,000 present records", "lookup"),
                       (f"a scan of {RECORDS:,} present records", "scan")):
        group.paired(work, figures, name, 1.02)
    runs = 5 if group.smoke else 500
    figures = group.bench("history-runs", "runs", runs)
    group.most(f"open and a record, {runs} runs", figures["open-runs"] / 1e6, "ms", 2)


def thinned(group):
    whole = group.kept["changes"] - RECORDS
    for mode, expected in (("daily", 45_739), ("quiet", 2_047)):
        figures = group.play(mode, group.few)
        changes = figures["changes"] - RECORDS
        group.row(f"{mode} counters: changes kept of {whole:,}", f"{changes:,}, {figures['files'] / 1e6:.1f} MB",
                  goal=f"{expected:,} within 2 %", holds=abs(changes / expected - 1) <= 0.02)


def sync(group):
    command = [sys.executable, str(BENCHMARKS / "WholeJob" / "history_job.py"), group.run.build]
    command += ["--rounds", str(group.rounds), "--pages", "2" if group.smoke else str(group.run.options.pages)]
    for line in output(command).splitlines():
        work, ours, unit, peer, figure, ratio, goal, judged = line.split("\t")
        group.row(work, f"{ours} {unit}", f"{peer} {figure}", float(ratio), goal, judged == "met")


def peers(group):
    kept = group.kept
    ours = {"middle": kept["scan-middle"] / 1e9, "record": kept["history"] / 1e9}
    found = {}
    # A load of dlt takes seconds, so it gets fewer.
    for peer, syncs in (("sqlite", group.few), ("git", group.few), ("dlt", group.few // 10)):
        path = group.folder / "changes.jsonl"
        path.write_text(output([group.run.program("store-bench"), "history-changes", ".", str(syncs)]))
        try:
            text = output([group.run.python, str(BENCHMARKS / "Store" / "history_peers.py"), str(path), peer])
        except Failed as problem:
            note(f"left out: {problem}")
            continue
        found[peer] = {line.split()[0]: float(line.split()[1]) for line in text.splitlines()}
    if one := found.get("sqlite"):
        name = "sqlite-history-json"
        ratio = kept["files"] / one["size"]
        group.row("bytes of the history", f"{kept['files'] / 1e6:.1f} MB", f"{name} {one['size'] / 1e6:.1f} MB", ratio,
                  "<= 0.2 x", ratio <= 0.2)
        ratio = group.added / one["added"]
        group.row("processor time added", f"{group.added:.2f} s", f"{name} {one['added']:.2f} s", ratio, "<= 0.1 x",
                  ratio <= 0.1)
        beside(group, ours, name, one)
    if one := found.get("dlt"):
        bytes_each = kept["files"] / kept["changes"]
        ratio = bytes_each / one["size"]
        group.row("bytes a change", f"{bytes_each:.0f}", f"dlt, SCD2, DuckDB {one['size']:.0f}", ratio, "< 1 x", ratio < 1)
        group.row("a sync, processor", f"{group.added / group.few:.4f} s more", f"dlt, SCD2, DuckDB {one['load']:.2f} s")
    if one := found.get("git"):
        group.row("bytes of the history", f"{kept['files'] / 1e6:.1f} MB",
                  f"git {one['loose'] / 1e6:.1f} MB, {one['size'] / 1e6:.1f} MB after gc")
        group.row("time added", f"{group.added:.2f} s", f"git {one['added']:.1f} s, gc {one['gc']:.1f} s")
        beside(group, ours, "git", one)


def beside(group, ours, name, figures):
    for work, key in (("all records in the middle", "middle"), ("the history of a record", "record")):
        group.row(work, f"{ours[key] * 1000:.2f} ms", f"{name} {figures[key] * 1000:.2f} ms", ours[key] / figures[key])
