"""Requests per second and large bodies, compared with other clients."""

import statistics
import subprocess

from judging import met
from processes import output
from workshop import BENCHMARKS

PRODUCTS = ["http-bench", "urlsession-bench"]
DEBIAN = {"nginx": "nginx", "wrk": "wrk", "curl": "curl"}
PYPI = ["aiohttp", "httpx", "requests"]


def measure(run):
    folder = run.folder("http")
    bench = run.program("http-bench")
    if run.options.smoke:
        server = subprocess.Popen([bench, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        url = server.stdout.readline().strip()
        try:
            for client in ("ahc", "stack"):
                figures = output([bench, client, f"{url}/small", "200", "8"]).split("\t")
                run.table.add("http", f"{client}, 8 at once", f"{figures[2]} requests/s")
        finally:
            server.stdin.close()
            server.wait()
        return
    output([str(BENCHMARKS / "HTTP" / "run.sh"), str(run.options.rounds), str(run.options.requests)],
           HTTP_BENCH=bench, HTTP_BENCH_FOLDER=str(folder))
    rows = {}
    for line in (folder / "results.tsv").read_text().splitlines():
        kind, name, concurrency, *figures = line.split("\t")
        rows.setdefault((kind, int(concurrency), name), []).append([float(figure) for figure in figures])
    middle = {key: [statistics.median(column) for column in zip(*values)] for key, values in rows.items()}
    for concurrency in (1, 8, 64):
        stack = rows["small", concurrency, "stack"]
        for peer, least in (("ahc", 0.8), ("aiohttp", 1.5 if concurrency > 1 else None), ("httpx", None)):
            if ("small", concurrency, peer) not in rows:
                continue
            pairs = zip(stack, rows["small", concurrency, peer])
            ratio = statistics.median(one[0] / other[0] for one, other in pairs)
            run.table.add(
                "http", f"requests/s, {concurrency} at once", f"{middle['small', concurrency, 'stack'][0]:.0f}",
                f"{peer} {middle['small', concurrency, peer][0]:.0f}", f"{ratio:.2f} x",
                f">= {least} x" if least else "", "" if least is None else met(ratio >= least))
        if ("small", concurrency, "ahc") in rows:
            cost = [middle["small", concurrency, name][2] for name in ("stack", "ahc")]
            run.table.add("http", "  processor a request", f"{cost[0]:.0f} µs", f"ahc {cost[1]:.0f} µs",
                          f"{cost[1] / cost[0]:.2f} x")
    for name in ("stack", "ahc", "aiohttp"):
        for key in rows:
            if key[0] == "large" and key[2] == name:
                rate, speed, _, peak = middle[key]
                ours = name == "stack"
                run.table.add("http", f"10 MB bodies, {name}", f"{speed / 1000:.2f} GB/s, peak {peak:.0f} MB",
                              goal=">= 1 GB/s, <= 40 MB" if ours else "",
                              verdict=met(speed >= 1000 and peak <= 40) if ours else "")
