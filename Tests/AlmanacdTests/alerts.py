#!/usr/bin/env python3
"""Every alert that is shipped fires on the metrics of the state for which it is meant, and none on a healthy daemon.

Brings almanacd from --bin into each state that needs a person, reads /metrics there, and lets promtool (Debian's package
prometheus) evaluate Apps/almanacd/deploy/alerts.yml on these values for 13 hours: gauges stay as they are, and counters go
from 0 to their value. States that take hours or a broken machine are given by their metrics alone. An alert without a
state is a failure. Needs promtool and Python's standard library.

    alerts.py --bin .build/debug
"""
import argparse
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
from stage import Stage, ask

RULES = pathlib.Path(__file__).resolve().parents[2] / "Apps/almanacd/deploy/alerts.yml"
USERS = ["ada", "bo", "cy"]
FOLLOWS = [{"follow": "people"}] + [{"follow": f"users/{user}"} for user in USERS]
# Longer than any alert waits. Prometheus looks back five minutes for a value.
STEP, STEPS = 3, 13 * 20
# What takes hours, a broken machine or thousands of requests.
GIVEN = {
    "AlmanacDown": {'up{job="almanac"}': 0},
    "AlmanacBudgetLow": {'almanac_budget_remaining{budget="flickr"}': 60},
    "AlmanacMemoryGrows": {'process_resident_memory_bytes{job="almanac"}': 600_000_000},
    "AlmanacLogDropped": {"almanac_log_lines_dropped_total": "0x60 3x"},
    "AlmanacRestarts": {"process_start_time_seconds": f"0+{30 * STEP}x"},
    "AlmanacClockWrong": {"almanac_time_seconds": f"3600+{60 * STEP}x"},
    "AlmanacBackupOld": {"almanac_backup_last_success_timestamp_seconds": -9 * 86_400},
    "AlmanacNoBackup": {"almanac_backup_last_success_timestamp_seconds": 0},
    # Syncs that are asked for, as those of this test, do not count.
    "AlmanacFollowKeepsFailing": {'almanac_follow_failures{follow="people"}': 5},
    "AlmanacFollowStale": {'almanac_follow_stale{follow="people"}': 1},
    "AlmanacNoDaemonWorks": {'almanac_working{job="almanac",instance="a"}': 0, 'almanac_working{job="almanac",instance="b"}': 0},
    "AlmanacSeveralDaemonsWork": {
        'almanac_working{job="almanac",instance="a"}': 1, 'almanac_working{job="almanac",instance="b"}': 1},
    "AlmanacBreakerOpen": {'almanac_breaker_state{host="flickr.example"}': 2},
}
# Times of a healthy daemon are those of promtool's clock, which begins at 0.
CLOCKS = re.compile(r"almanac_time_seconds|_timestamp_seconds|process_start_time_seconds")


class Alerts:
    def __init__(self, options, folder):
        self.folder, self.tests, self.names = folder, [], []
        self.known = re.findall(r"alert: (\w+)", RULES.read_text())
        self.promtool = options.promtool

    def add(self, name, series, fires, also=()):
        """In this state `fires` fires; other alerts than `also` must not."""
        text = [f"  - name: '{name}'", f"    interval: {STEP}m", "    input_series:"]
        for metric, value in series.items():
            values = value if isinstance(value, str) else f"{value}"
            values = f"{values}{STEPS}" if values.endswith("x") else f"{values}x{STEPS}"
            text += [f"      - series: '{metric}'", f"        values: '{values}'"]
        # Whether it fired at any time: alerts of counters end again.
        fired = f'ALERTS{{alertstate="firing",alertname!~"{"|".join(sorted(also))}"}}'
        samples = f"""[{{labels: '{{alertname="{fires}"}}', value: 1}}]""" if fires else "[]"
        text += ["    promql_expr_test:",
                 f"      - expr: 'sum by (alertname) (count_over_time({fired}[{STEP * STEPS}m])) > bool 0'",
                 f"        eval_time: {STEP * STEPS}m", f"        exp_samples: {samples}"]
        self.tests.append("\n".join(text))
        self.names.append((name, fires))

    def scraped(self, text):
        series = {}
        for line in text.splitlines():
            if line.startswith("#") or "_bucket{" in line:
                continue
            metric, value = line.rsplit(" ", 1)
            if CLOCKS.search(metric):
                series[metric] = f"0+{60 * STEP}x" if "time_seconds" in metric and "timestamp" not in metric \
                    and "start" not in metric else 1 if "_backup_" in metric else 0
            elif "_total" in metric:
                series[metric] = f"0x60 {value}"
            else:
                series[metric] = value
        return series

    def judge(self):
        missing = set(self.known) - {fires for _, fires in self.names}
        if missing:
            raise SystemExit(f"no state for {sorted(missing)}")
        (self.folder / "tests.yml").write_text(
            f"rule_files: [{RULES}]\nevaluation_interval: {STEP}m\ntests:\n" + "\n".join(self.tests) + "\n")
        done = subprocess.run([self.promtool, "test", "rules", self.folder / "tests.yml"], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stdout[-6000:] + done.stderr[-6000:])
        print(f"alerts: {len(self.known)} alerts fired in {len(self.names)} states, passed")


def receiver(status):
    """A receiver of notifications that answers so."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"] or 0))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/"


def staged(options, alerts, folder):
    stage = Stage(options.bin, folder, FOLLOWS, ",".join(USERS))
    config = folder / "config.json"

    def metrics():
        return ask(stage.url + "/metrics", headers=stage.token)[2].decode()

    def state(name, fires, series, also=()):
        stage.until(name, lambda: any(line.startswith(series) for line in metrics().splitlines()))
        alerts.add(name, alerts.scraped(metrics()), fires, also)
        print(f"       {name}", flush=True)

    def sync(*follows):
        run = json.loads(ask(stage.url + "/api/v1/sync", {"follows": follows}, headers=stage.token)[2])["run"]
        stage.until("a run", lambda: stage.get(f"/api/v1/runs/{run}").get("state") not in ("queued", "running"))

    def fault(*rules):
        ask(f"{stage.up}/_upstream/faults", [{"times": None, **rule} for rule in rules])

    try:
        stage.synced()
        healthy = metrics()
        alerts.add("healthy", alerts.scraped(healthy), None, also={"AlmanacRecordsRejected"})
        state("records that cannot be read", "AlmanacRecordsRejected",
              'almanac_follow_records_total{follow="people",change="rejected"}')
        good = config.read_text()
        config.write_text("{")
        state("a config with mistakes", "AlmanacConfigRefused", 'almanac_problem{part="config"} 1', {"AlmanacRecordsRejected"})
        config.write_text(good)
        stage.until("a good config", lambda: 'almanac_problem{part="config"} 0' in metrics())
        known = {"AlmanacRecordsRejected"}
        fault({"fault": 401, "path": "/user/ada"})
        sync("users/ada")
        state("a key that is refused", "AlmanacKeyRefused", 'almanac_follow_errors_total{follow="users/ada"', known)
        known |= {"AlmanacKeyRefused"}
        fault({"fault": 422, "method": "PUT", "path": "/user/bo"}, {"fault": 425, "method": "PUT", "path": "/user/cy", "retryAfter": 3600})
        stage.patch("cy", {"name": "Waits"})
        state("an edit that waits", "AlmanacOutboxStuck", 'almanac_outbox_entries{state="pending"} 1', known)
        known |= {"AlmanacOutboxStuck"}
        stage.patch("bo", {"name": "Refused"})
        state("an edit that is refused", "AlmanacOutboxNeedsYou", 'almanac_outbox_entries{state="refused"} 1', known)
        known |= {"AlmanacOutboxNeedsYou"}
        # Pictures at an address of this machine are not fetched.
        (folder / "photos.jsonl").write_text(json.dumps({
            "id": "1", "ownerID": "1@N00", "title": "", "thumbnailURL": "http://127.0.0.1:1/a.png",
            "imageURL": "http://127.0.0.1:1/a.png", "pageURL": "http://127.0.0.1:1/"}) + "\n")
        stage.almanac("import", str(folder / "photos.jsonl"), "--quiet")
        ask(f"{stage.url}/api/v1/media/fetch", {}, headers=stage.token)
        state("pictures that are missing", "AlmanacPicturesMissing", "almanac_pictures_missing 1", known)
        known |= {"AlmanacPicturesMissing"}
        for _ in range(25):
            try:
                ask(f"{stage.url}/api/v1/status", headers={"Authorization": "Bearer " + "0" * 64})
            except OSError:
                pass
        state("tokens that are tried", "AlmanacTokensTried", 'almanac_requests_refused_total{status="401"', known)
        known |= {"AlmanacTokensTried"}
        notified = json.loads(good)
        notified["daemon"]["notifications"] = [{"name": "house", "webhook": receiver(410), "on": {"changes": ["people"]}}]
        config.write_text(json.dumps(notified))
        stage.until("the receiver", lambda: stage.get("/api/v1/notifications")["receivers"] == ["house"])
        # What was there before the first look is not told.
        number = iter(range(1000))

        def is_told():
            ask(f"{stage.url}/api/v1/collections/people", {"firstName": f"New {next(number)}"}, headers=stage.token)
            return stage.get("/api/v1/notifications")["items"]
        stage.until("a message", is_told)
        state("a receiver that refuses", "AlmanacNotificationsWait", 'almanac_problem{part="notifications"} 1', known)
        known |= {"AlmanacNotificationsWait"}
        stage.store.rename(folder / "moved")
        try:
            ask(f"{stage.url}/api/v1/collections", headers=stage.token)
        except OSError:
            pass
        state("a store that was moved", "AlmanacStoreDown", "almanac_store_up 0", known)
    finally:
        stage.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/debug")
    parser.add_argument("--promtool", default=shutil.which("promtool"))
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="almanac-alerts-"))
    try:
        alerts = Alerts(options, folder)
        for name, series in GIVEN.items():
            alerts.add(f"given: {name}", series, name)
        alerts.add("given: one daemon works, the other stands by", {
            'almanac_working{job="almanac",instance="a"}': 1, 'almanac_working{job="almanac",instance="b"}': 0}, None)
        staged(options, alerts, folder)
        # Set on the command line, a listen address of the config has no effect.
        alerts.add("given: a changed listen", {'almanac_problem{part="restart"}': 1}, "AlmanacRestartNeeded")
        alerts.add("given: requests that fail", {
            'almanac_api_requests_total{route="/api/v1/status",method="GET",status="500"}': "0+1x"}, "AlmanacAPIFails")
        alerts.judge()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
