#!/usr/bin/env python3
"""Soak test of the daemon.

almanacd runs with four test servers that misbehave at random. It has several follows of every kind, each synced every
few seconds. Meanwhile edits are made through the API and the CLI, other clients change the same users, listeners and
browsers connect and disconnect, and the config is reloaded, including invalid ones. Every ten seconds the memory,
descriptors, threads and the size of the store are written to samples.tsv. At the end, memory must be within 5 % of the
first settled window, without additional descriptors; every acknowledged edit must be on its server or in the outbox,
and none twice; and `almanac doctor` must find no problem.

With --upheaval, something happens to the daemon every so many seconds: its store is moved away and a copy takes its place,
or its clock is set by up to three days, by a library that comes before the system's (needs clang). In the first half of the
time before the first window it is also stopped, and killed, and started again: later that would hide growth, and the first
window would be that of a daemon whose caches are empty.

It rests several times: growth that ends when the caches are full is seen in the first rests alone.

    soak.py --bin .build/release --minutes 65 --out /tmp/soak [--upheaval 20]
"""
import argparse
import collections
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse

FAULTS = "429,500,502,503,504,html,redirect,reset,lost-reply,close,truncate,drip,delay,gzip,garbage"
USERS = [f"user{n}" for n in range(6)]
FOLLOWS = [
    ("app-store/us/top-free", "4s"), ("app-store/fr/top-paid", "5s"), ("app-store/de/new", "6s"),
    ("app-store/jp/top-grossing", "7s"), ("flickr/interestingness", "12s"), ("flickr/search/cats", "13s"),
    ("flickr/photos/{owner}", "14s"), ("flickr/person/{owner}", "11s"), ("flickr/favorites/{owner}", "15s"),
    ("people", "4s"),
] + [(f"users/{user}", f"{4 + n}s") for n, user in enumerate(USERS)]


# Shifts the clock of a program by the seconds in the file that CLOCK_STEP names.
CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
static volatile long *step;
__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("CLOCK_STEP");
  int file = path ? open(path, O_RDONLY) : -1;
  void *place = file < 0 ? MAP_FAILED : mmap(0, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
  if (place != MAP_FAILED) step = place;
}
int clock_gettime(clockid_t id, struct timespec *now) {
  static int (*next)(clockid_t, struct timespec *);
  if (!next) next = dlsym(RTLD_NEXT, "clock_gettime");
  int result = next(id, now);
  if (!result && step && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) now->tv_sec += *step;
  return result;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return 0;
}
"""


def ask(method, url, body=None, headers=None, timeout=20):
    """Sends one request over a new connection; returns (status, headers, bytes)."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout)
    try:
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request(method, target, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def copy_store(old, copy):
    """Copies a store that the daemon may still write to.

    A temporary file that vanishes meanwhile is no part of the store. If anything else vanishes, as a run that was compacted,
    the copy lacks its successor and is made again.
    """
    for _ in range(10):
        shutil.rmtree(copy, ignore_errors=True)
        done = subprocess.run(
            ["cp", "-a", old, copy], env={**os.environ, "LC_ALL": "C"}, capture_output=True, text=True)
        vanished = [re.fullmatch(r"cp: cannot (?:stat|open) '(.*)'.*: No such file or directory", line)
                    for line in done.stderr.splitlines()]
        if done.returncode == 0 or vanished and all(one and one.group(1).endswith(".new") for one in vanished):
            return
        if not all(vanished):
            break
    raise RuntimeError(f"the store cannot be copied: {done.stderr[:400]}")


class Upstream:
    """One test server."""

    def __init__(self, program, *options):
        self.process = subprocess.Popen(
            [program, "--port", "0", *options], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[-1]
        threading.Thread(target=lambda: self.process.stdout.read(), daemon=True).start()

    def post(self, path, value):
        ask("POST", f"{self.url}/_upstream/{path}", json.dumps(value))

    def get(self, path):
        for _ in range(50):  # faults affect readers too
            try:
                status, _, body = ask("GET", f"{self.url}{path}")
                if status == 200:
                    return json.loads(body)
            except (OSError, ValueError, http.client.HTTPException):
                pass
        raise SystemExit(f"{self.url}{path} does not answer")


class Soak:
    def __init__(self, options):
        self.options = options
        self.out = pathlib.Path(options.out)
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        self.store, self.config = self.out / "store", self.out / "config.json"
        self.chance = random.Random(options.seed)
        self.counts, self.problems = collections.Counter(), []
        self.stopping, self.resting = threading.Event(), threading.Event()
        self.acknowledged = {}  # (user, field) -> last acknowledged value
        self.uncertain = collections.defaultdict(set)  # values without a response
        self.people, self.sent = {}, set()  # last name -> id; last names that were queued for sending
        self.pauses = threading.Semaphore(0)
        self.in_place = threading.Lock()  # a command that finds no store makes one

    # The programs

    def start(self):
        program = str(pathlib.Path(self.options.bin) / "upstream")
        faults = ["--fault-rate", str(self.options.fault_rate), "--fault-kinds", FAULTS]
        self.apps = Upstream(program, *faults, "--fault-seed", "1", "--rotate-every", "100", "--gzip")
        self.flickr = Upstream(
            program, *faults, "--fault-seed", "2", "--photos", "2000", "--owners", "60", "--deleted-owners", "3",
            "--broken-every", "97")
        self.users = Upstream(program, *faults, "--fault-seed", "3", "--users", ",".join(USERS))
        self.folk = Upstream(program, *faults, "--fault-seed", "4", "--people", "80", "--broken-every", "41")
        for server in (self.users, self.folk):
            server.post("faults", [{"fault": "hang", "times": None, "chance": 0.0005}])
        self.upstreams = [self.apps, self.flickr, self.users, self.folk]
        self.owner = self.flickr.get("/_upstream/state")["owners"][0]
        if isinstance(self.owner, dict):
            self.owner = self.owner.get("nsid") or self.owner.get("id")
        self.write_config()
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.out), "ALMANAC_STORE": str(self.store),
            "ALMANAC_CONFIG": str(self.config), "ALMANAC_FLICKR_KEY": "soak",
            # Owners' icons have other hosts; requests must not leave this machine.
            "HTTPS_PROXY": "http://127.0.0.1:9"}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{free.getsockname()[1]}"
        self.daemon_environment = dict(self.environment)
        if self.options.upheaval:
            (self.out / "clock.c").write_text(CLOCK)
            subprocess.run(["clang", "-shared", "-fPIC", "-o", self.out / "clock.so", self.out / "clock.c", "-ldl"], check=True)
            self.set_clock(0)
            self.daemon_environment |= {"LD_PRELOAD": str(self.out / "clock.so"), "CLOCK_STEP": str(self.out / "step")}
        self.start_daemon()
        self.token = (self.store / "token").read_text().strip()

    def start_daemon(self):
        log = open(self.out / "almanacd.log", "a")
        self.daemon = subprocess.Popen(
            [f"{self.options.bin}/almanacd", "--listen", self.url.removeprefix("http://"), "--log-format", "json"],
            env=self.daemon_environment, stdout=log, stderr=log)
        end = time.time() + 60
        while True:
            try:
                if ask("GET", self.url + "/readyz")[0] == 200:
                    return
            except OSError:
                pass
            if time.time() > end or self.daemon.poll() is not None:
                raise SystemExit("almanacd does not start; see almanacd.log")
            time.sleep(0.05)

    # The upheaval

    def set_clock(self, seconds):
        with open(self.out / "step", "r+b" if (self.out / "step").exists() else "wb") as file:
            file.write(seconds.to_bytes(8, sys.byteorder, signed=True))

    def upset(self, number):
        """Restarts the daemon, swaps its store, or sets its clock."""
        kinds = ["swap", "clock"] if self.is_to_settle() else ["swap", "clock", "stop", "kill"]
        kind = kinds[number % len(kinds)]
        with self.in_place:
            if kind == "clock":
                self.set_clock(self.chance.choice([-3 * 86_400, 3 * 86_400, -3600, 3600, -1, 1, 0]))
            elif kind == "swap":
                old, copy = self.out / "old", self.out / "copy"
                shutil.rmtree(old, ignore_errors=True)
                self.store.rename(old)
                copy_store(old, copy)
                copy.rename(self.store)
                self.until_ready()
            else:
                self.daemon.send_signal(signal.SIGTERM if kind == "stop" else signal.SIGKILL)
                self.daemon.wait(20)
                self.start_daemon()
        self.counts[f"upheavals: {kind}"] += 1

    def is_to_settle(self):
        return time.time() - self.begun > self.options.settle * 30

    def until_ready(self):
        end = time.time() + 60
        while ask("GET", self.url + "/readyz")[0] != 200:
            if time.time() > end:
                self.problems.append("not ready 60 s after a swap of the store")
                return
            time.sleep(0.1)

    def write_config(self, follows=True):
        servers = {"app-store": self.apps, "flickr": self.flickr, "users": self.users, "people": self.folk}
        config = {"servers": {name: {"url": server.url} for name, server in servers.items()}, "follows": []}
        for path, every in FOLLOWS if follows else []:
            config["follows"].append({"follow": path.format(owner=self.owner), "every": every, "limit": 100}
                                     if not path.startswith(("users", "people")) and "person" not in path
                                     else {"follow": path.format(owner=self.owner), "every": every})
        text = self.config.with_suffix(".new")
        text.write_text(json.dumps(config, indent=2))
        text.rename(self.config)

    # The load

    def call(self, method, path, value=None, **headers):
        headers = {"Authorization": f"Bearer {self.token}", **headers}
        if value is not None:
            headers["Content-Type"] = "application/json"
        return ask(method, self.url + path, None if value is None else json.dumps(value), headers)

    def almanac(self, *arguments):
        return subprocess.run(
            [f"{self.options.bin}/almanac", *arguments, "--format", "json", "--quiet"], env=self.environment,
            capture_output=True, text=True, timeout=180)

    def edit_by_api(self, number):
        user = self.chance.choice(USERS)
        value = f"described {number}"
        try:
            status, _, body = self.call("PATCH", f"/api/v1/collections/profiles/{user}", {"description": value})
        except (OSError, http.client.HTTPException):
            self.uncertain[user, "description"].add(value)
            raise
        if status == 200:
            self.acknowledged[user, "description"] = value
            self.uncertain[user, "description"].clear()
            self.counts["edits by the API"] += 1
        elif status != 404 and status != 503:
            self.problems.append(f"PATCH {user}: {status} {body[:200]}")
        # The data stop growing after a while, so that any later growth is a leak.
        if len(self.people) >= self.options.people:
            return
        last = f"Api{number}"
        status, _, body = self.call(
            "POST", "/api/v1/collections/people", {"firstName": "Soak", "lastName": last, "birthday": "--05-17"})
        if status == 201:
            self.people[last] = json.loads(body)["id"]
            self.counts["people by the API"] += 1
        elif status != 503:
            self.problems.append(f"POST person: {status} {body[:200]}")

    def edit_by_cli(self, number):
        with self.in_place:
            self.edit_in_place(number)

    def edit_in_place(self, number):
        user = self.chance.choice(USERS)
        value = f"Named {number}"
        done = self.almanac("profile", "set", user, "--name", value)
        if done.returncode == 0:
            self.acknowledged[user, "name"] = value
            self.counts["edits by the CLI"] += 1
        elif done.returncode not in (66, 75, 78):
            self.problems.append(f"profile set: {done.returncode} {done.stderr[:200]}")
        if number % 3 == 0 and len(self.people) < self.options.people:
            last = f"Cli{number}"
            done = self.almanac(
                "people", "add", "--first", "Soak", "--last", last, "--birthday", "1990-02-28")
            if done.returncode == 0:
                self.people[last] = (json.loads(done.stdout) or [{}])[0].get("id") if done.stdout.startswith("[") \
                    else json.loads(done.stdout).get("id")
                self.counts["people by the CLI"] += 1
        unsent = [last for last in list(self.people) if last not in self.sent]
        for last in unsent[:2]:
            self.sent.add(last)
            done = self.almanac("people", "send", self.people[last])
            self.counts["people sent"] += 1
            if done.returncode not in (0, 69, 75, 65, 78):  # 78: the config is invalid at the moment
                self.problems.append(f"people send: {done.returncode} {done.stderr[:300]}")

    def others(self, number):
        self.users.post(f"users/{self.chance.choice(USERS)}", {"email": f"other{number}@example.com"})
        self.folk.post("people", {"firstName": "Other", "lastName": f"N{number}", "birthday": "1970-01-01"}) \
            if number % 20 == 0 and number < 200 else None

    def listen(self, number):
        """Listens for a while, disconnects abruptly, and resumes at the same position."""
        last = None
        for _ in range(2):
            parts = urllib.parse.urlsplit(self.url)
            connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=40)
            headers = {"Authorization": f"Bearer {self.token}"}
            if last:
                headers["Last-Event-ID"] = last
            connection.request("GET", "/api/v1/events", headers=headers)
            answer = connection.getresponse()
            if answer.status != 200:
                self.problems.append(f"events: {answer.status}")
                return
            end = time.time() + self.chance.uniform(1, 20)
            while time.time() < end and not self.stopping.is_set() and not self.resting.is_set():
                line = answer.fp.readline()
                if not line:
                    break
                if line.startswith(b"id: "):
                    last = line[4:].strip().decode()
                    self.counts["events"] += 1
            connection.close()
        self.counts["listeners"] += 2

    def browse(self, number):
        status, _, body = self.call("POST", "/api/v1/login-codes", {})
        code = json.loads(body)["code"]
        _, headers, _ = ask("GET", f"{self.url}/login?code={code}")
        cookie = {"Cookie": headers["Set-Cookie"].split(";")[0], "Origin": self.url}
        status, _, page = ask("GET", f"{self.url}/", headers=cookie)
        if status != 200:
            self.problems.append(f"the page: {status}")
        links = re.findall(r'(?:href|src)="(/[^"]+)"', page.decode())
        for link in self.chance.sample(links, min(12, len(links))):
            status, _, _ = ask("GET", self.url + link.replace("&amp;", "&"), headers=cookie)
            self.counts[f"pages and files, {status}"] += 1
        form = {**cookie, "Content-Type": "application/x-www-form-urlencoded"}
        if number % 5 == 0:
            ask("POST", f"{self.url}/do/media", "", form)
        if number % 7 == 0:
            ask("POST", f"{self.url}/do/sync", "follow=people", form)

    def poll(self, number):
        for path in ("/metrics", "/api/v1/status", "/api/v1/collections", "/openapi.json"):
            status, _, _ = self.call("GET", path)
            self.counts[f"calls, {status}"] += 1
        status, _, body = self.call("POST", "/api/v1/sync", {"follows": ["people", f"users/{USERS[0]}"]})
        if status == 202:
            run = json.loads(body)["run"]
            for _ in range(100):
                status, _, body = self.call("GET", f"/api/v1/runs/{run}")
                if status != 200 or json.loads(body)["state"] in ("done", "failed"):
                    break
                time.sleep(0.2)
            self.counts["runs asked for"] += 1
        if number % 30 == 29:
            # A daemon that is restarted meanwhile would not start.
            with self.in_place:
                good = self.config.read_text()
                self.config.write_text(good[: len(good) // 2])
                self.daemon.send_signal(signal.SIGHUP)
                time.sleep(3)
                self.write_config()
            self.counts["bad configs"] += 1

    def repeatedly(self, work, pause):
        number = 0
        while not self.stopping.is_set():
            if self.resting.is_set():
                time.sleep(0.2)
                continue
            self.busy.acquire()
            try:
                work(number)
            except (OSError, http.client.HTTPException, subprocess.TimeoutExpired) as error:
                if not self.stopping.is_set():
                    self.counts[f"{work.__name__}: {type(error).__name__}"] += 1
            except Exception as error:  # noqa: BLE001 - a mistake in the soak must be reported rather than end a thread
                self.problems.append(f"{work.__name__}: {error!r}")
            finally:
                self.busy.release()
            number += 1
            self.stopping.wait(self.chance.uniform(0.5, 1.5) * pause)

    # The measurements

    def sample(self):
        process = pathlib.Path(f"/proc/{self.daemon.pid}")
        memory = {}
        for line in (process / "smaps_rollup").read_text().splitlines()[1:]:
            words = line.split()
            memory[words[0].rstrip(":")] = int(words[1])
        links = []
        for name in os.listdir(process / "fd"):
            try:
                links.append(os.readlink(process / "fd" / name))
            except OSError:
                pass
        threads = int(re.search(r"Threads:\s+(\d+)", (process / "status").read_text()).group(1))
        size = 0
        for folder, _, names in os.walk(self.store):
            if pathlib.Path(folder).name != "media":
                for name in names:
                    try:
                        size += os.lstat(os.path.join(folder, name)).st_size
                    except OSError:
                        pass
        stat = (process / "stat").read_text().rsplit(")", 1)[1].split()
        return {
            "seconds": round(time.time() - self.begun), "phase": "rest" if self.resting.is_set() else "work",
            "rss_kb": memory["Rss"], "pss_kb": memory["Pss"], "anon_kb": memory.get("Pss_Anon", memory["Anonymous"]),
            "descriptors": len(links), "sockets": sum(link.startswith("socket:") for link in links),
            "threads": threads, "store_kb": size // 1024,
            "cpu_s": (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK"),
        }

    def keep(self, sample):
        self.samples.append(sample)
        with open(self.out / "samples.tsv", "a") as file:
            if len(self.samples) == 1:
                file.write("\t".join(sample) + "\n")
            file.write("\t".join(str(value) for value in sample.values()) + "\n")

    def rest(self, seconds):
        """Measures the daemon without clients and follows: the remaining memory is its own."""
        self.resting.set()
        for _ in range(self.workers):
            self.busy.acquire()
        self.write_config(follows=False)
        self.daemon.send_signal(signal.SIGHUP)
        taken = []
        end = time.time() + seconds
        while time.time() < end:
            time.sleep(5)
            taken.append(self.sample())
            self.keep(taken[-1])
        maps = pathlib.Path(f"/proc/{self.daemon.pid}/smaps").read_text()
        (self.out / f"smaps-{len(self.rests)}").write_text(maps)
        for _ in range(self.workers):
            self.busy.release()
        self.rests.append(taken[-1])

    def run(self):
        self.begun, self.samples, self.rests = time.time(), [], []
        self.start()
        jobs = [
            (self.edit_by_api, 4), (self.edit_by_cli, 4), (self.others, 6), (self.poll, 5), (self.browse, 5),
        ] + [(self.listen, 2)] * 6
        if self.options.upheaval:
            jobs.append((self.upset, self.options.upheaval))
        self.workers = len(jobs)
        self.busy = threading.Semaphore(self.workers)
        for work, pause in jobs:
            threading.Thread(target=self.repeatedly, args=(work, pause), daemon=True).start()
        minutes, settle = self.options.minutes, self.options.settle
        due = [settle + (minutes - settle) * n / self.options.rests for n in range(self.options.rests)]
        while time.time() - self.begun < minutes * 60:
            time.sleep(10)
            with self.in_place:
                if self.daemon.poll() is not None:
                    self.problems.append(f"almanacd ended with {self.daemon.returncode}")
                    break
                self.keep(self.sample())
            if len(self.rests) < len(due) and time.time() - self.begun > due[len(self.rests)] * 60:
                self.rest(self.options.rest)
                self.write_config()
                self.daemon.send_signal(signal.SIGHUP)
                self.resting.clear()
        self.rest(self.options.rest)
        self.judge()

    # The end

    def judge(self):
        first, last = self.rests[0], self.rests[-1]
        if self.options.upheaval:
            self.set_clock(0)
        self.settle_edits()
        lost = self.lost()
        doctor = self.almanac("doctor")
        begun = time.time()
        self.daemon.send_signal(signal.SIGTERM)
        status = self.daemon.wait(20)
        stopped = time.time() - begun
        for server in self.upstreams:
            server.process.terminate()
        work = [sample for sample in self.samples if sample["phase"] == "work"]
        # The mapped journal grows until it is compacted. A window must cover a whole cycle, because it would otherwise
        # compare different phases.
        window = (self.options.minutes - self.options.settle) * 60 / 3
        early = [s for s in work if first["seconds"] + 60 <= s["seconds"] < first["seconds"] + 60 + window]
        late = [s for s in work if s["seconds"] >= work[-1]["seconds"] - window]
        verdicts = []
        for rest in self.rests:
            print(f"       at rest after {rest['seconds'] // 60} min: resident {rest['rss_kb'] / 1024:.1f} MB, own "
                  f"{rest['anon_kb'] / 1024:.1f} MB, {rest['descriptors']} descriptors, {rest['threads']} threads")

        def verdict(ok, text):
            verdicts.append(ok)
            print(("ok    " if ok else "FAILED"), text)

        # The proportional set is in the samples, but depends on other programs. The heap is a fifth of the resident
        # memory, and its growth is compared with the whole.
        for name, text in (("rss_kb", "resident memory"), ("anon_kb", "own memory")):
            for when, a, b, whole in (
                ("at work", *(statistics.median(s[name] for s in part) for part in (early, late)),
                 statistics.median(s["rss_kb"] for s in early)),
                ("at rest", first[name], last[name], first["rss_kb"]),
            ):
                drift = (b - a) / whole * 100
                verdict(drift < 5, f"{text} {when}: {a / 1024:.1f} MB, then {b / 1024:.1f} MB ({drift:+.1f} % of what is resident)")
        verdict(last["descriptors"] <= first["descriptors"],
                f"descriptors at rest: {first['descriptors']}, then {last['descriptors']}")
        # The size of the thread pool varies by one or two.
        verdict(last["threads"] <= first["threads"] + 2, f"threads at rest: {first['threads']}, then {last['threads']}")
        verdict(not lost, f"{len(self.acknowledged)} fields of users and {len(self.people)} people: nothing lost or doubled" if not lost
                else "lost: " + "; ".join(lost[:10]))
        # The servers misbehave until the end; everything else must be in order.
        found = [one for one in json.loads(doctor.stdout or "{}").get("findings", [{"part": "doctor itself"}])
                 if one["part"] != "server" and one.get("severity") != "note"]
        verdict(doctor.returncode in (0, 69) and not found, f"doctor ends with {doctor.returncode} {found or ''}")
        verdict(status == 0 and stopped < 5, f"stopped in {stopped:.2f} s with {status}")
        verdict(not self.problems, "no surprises" if not self.problems else f"{len(self.problems)} surprises: " + " | ".join(self.problems[:5]))
        for name, count in sorted(self.counts.items()):
            print(f"       {count:7} {name}")
        print(f"       store {work[0]['store_kb'] // 1024} to {work[-1]['store_kb'] // 1024} MB, "
              f"cpu {self.samples[-1]['cpu_s']:.0f} s of {self.samples[-1]['seconds']} s")
        print("verdict:", "passed" if all(verdicts) else "FAILED", f"after {self.options.minutes} min")
        sys.exit(0 if all(verdicts) else 1)

    def settle_edits(self):
        """Stops the faults: pending edits must arrive, or wait for a decision."""
        for server in self.upstreams:
            server.post("faults", [])
        self.write_config()
        self.daemon.send_signal(signal.SIGHUP)
        for _ in range(60):
            self.almanac("sync")
            waiting = json.loads(self.almanac("outbox").stdout or "[]")
            if not any(entry["state"] == "pending" for entry in waiting):
                break
            time.sleep(2)

    def lost(self):
        outbox = json.loads(self.almanac("outbox").stdout or "[]")
        held = collections.defaultdict(list)
        for entry in outbox:
            held[entry["target"]].append(entry["fields"])
        lost = []
        for (user, field), value in self.acknowledged.items():
            data = self.users.get(f"/user/{user}")
            found = data.get("data", data).get(field)
            waits = any(fields.get(field) == value for fields in held[f"profiles/{user}"])
            if found != value and not waits and found not in self.uncertain[user, field]:
                lost.append(f"{user}.{field} is {found!r}, not {value!r}")
        names = collections.Counter(one.get("lastName") for one in self.everybody())
        kept = {one["id"] for one in json.loads(self.almanac("list", "people", "--limit", "100000").stdout)}
        for last, id in self.people.items():
            if id not in kept:
                lost.append(f"person {last} is not in the store")
            waits = bool(held[f"people/{id}"])
            if last in self.sent and names[last] == 0 and not waits:
                lost.append(f"person {last} is neither sent nor waiting")
            if names[last] > 1:
                lost.append(f"person {last} was sent {names[last]} times")
        self.counts["edits that wait at the end"] = len(outbox)
        return lost

    def everybody(self):
        answer = self.folk.get("/people")
        return answer["data"] if isinstance(answer, dict) else answer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/release", help="where almanac, almanacd and upstream are")
    parser.add_argument("--out", default="/tmp/almanac-soak", help="a folder for store, log and samples; replaced")
    parser.add_argument("--minutes", type=float, default=65)
    parser.add_argument("--settle", type=float, default=8, help="minutes before the first window")
    parser.add_argument("--rest", type=float, default=90, help="seconds of rest before descriptors are counted")
    parser.add_argument("--rests", type=int, default=4, help="how many times it rests before the end")
    parser.add_argument("--fault-rate", type=float, default=0.1)
    parser.add_argument("--people", type=int, default=120, help="how many people are added here at most")
    parser.add_argument("--upheaval", type=float, help="seconds between restarts, swaps of the store and steps of the clock")
    parser.add_argument("--seed", type=int, default=1)
    soak = Soak(parser.parse_args())
    try:
        soak.run()
    finally:
        for process in [getattr(soak, "daemon", None)] + [server.process for server in getattr(soak, "upstreams", [])]:
            if process and process.poll() is None:
                process.kill()


if __name__ == "__main__":
    main()
