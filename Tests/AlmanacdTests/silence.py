#!/usr/bin/env python3
"""Readers that do not read, and a disk that does not answer.

Starts almanacd from --bin (1) with its standard error in a pipe of 4 KiB that is not read, and forty follows that fail; (2)
with a socket of a service manager that takes nothing; (3) with a disk on which each call takes seconds, by a library that
comes before the system's, while pages, the API and the config are asked for. Each time /healthz must answer within --bound
milliseconds for --seconds, and SIGTERM must end it (on the slow disk: as soon as the disk answers). Needs Python's standard
library, and clang for the library.

    silence.py --bin .build/debug --seconds 30
"""
import argparse
import fcntl
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

sys.dont_write_bytecode = True
F_SETPIPE_SZ = 1031

SLOW = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>
static void wait_for_disk(void) {
  const char *flag = getenv("SLOW_DISK");
  while (flag && !access(flag, F_OK)) usleep(20000);
}
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
ssize_t pread(int f, void *b, size_t n, off_t o) { wait_for_disk(); return NEXT(pread)(f, b, n, o); }
ssize_t pwrite(int f, const void *b, size_t n, off_t o) { wait_for_disk(); return NEXT(pwrite)(f, b, n, o); }
ssize_t pread64(int f, void *b, size_t n, off64_t o) { wait_for_disk(); return NEXT(pread64)(f, b, n, o); }
ssize_t pwrite64(int f, const void *b, size_t n, off64_t o) { wait_for_disk(); return NEXT(pwrite64)(f, b, n, o); }
int fdatasync(int f) { wait_for_disk(); return NEXT(fdatasync)(f); }
int fsync(int f) { wait_for_disk(); return NEXT(fsync)(f); }
int openat(int d, const char *p, int flags, ...) {
  va_list list; va_start(list, flags); mode_t mode = va_arg(list, mode_t); va_end(list);
  wait_for_disk();
  return NEXT(openat)(d, p, flags, mode);
}
"""


class Daemon:
    def __init__(self, options, folder, follows=(), error=subprocess.DEVNULL, environment=None, arguments=()):
        folder.mkdir()
        self.store = folder / "store"
        (folder / "config.json").write_text(json.dumps({
            "servers": {"users": {"url": "http://127.0.0.1:1"}, "people": {"url": "http://127.0.0.1:1"}},
            "follows": [{"follow": one, "every": "1s"} for one in follows]}))
        self.process = subprocess.Popen(
            [pathlib.Path(options.bin).resolve() / "almanacd", "--store", self.store, "--config", folder / "config.json",
             "--listen", "127.0.0.1:0", *arguments],
            stderr=error, env={"PATH": os.environ["PATH"], "HOME": str(folder), **(environment or {})})
        end = time.time() + 300
        while not (self.store / "daemon.json").exists():
            if time.time() > end or self.process.poll() is not None:
                raise SystemExit(f"it does not start: {self.process.poll()}")
            time.sleep(0.02)
        self.url = json.loads((self.store / "daemon.json").read_text())["url"]
        self.token = (self.store / "token").read_text().strip()
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def ask(self, path, seconds=300):
        request = urllib.request.Request(self.url + path, headers={"Authorization": f"Bearer {self.token}"})
        with self.opener.open(request, timeout=seconds) as answer:
            return answer.read().decode()

    def ask_aside(self, path):
        def call():
            try:
                self.ask(path, 120)
            except OSError:
                pass
        threading.Thread(target=call, daemon=True).start()

    def watch(self, what, options):
        """The slowest of many answers; a machine with other work gets a second chance for each of them."""
        slowest, count, late, end = 0, 0, 0, time.time() + options.seconds
        while time.time() < end:
            begun = time.time()
            try:
                self.ask("/healthz", 60)
            except OSError as error:
                self.process.kill()
                raise SystemExit(f"{what}: /healthz is silent: {error}")
            took = (time.time() - begun) * 1000
            late += took > options.bound
            slowest, count = max(slowest, took), count + 1
            time.sleep(0.01)
        print(f"       {what}: {count} answers, the slowest after {slowest:.0f} ms, {late} later than {options.bound} ms")
        if late > (count // 100 if options.busy else 0):
            self.process.kill()
            raise SystemExit(f"{what}: {late} of {count} answers came later than {options.bound} ms")

    def stop(self, what):
        self.process.send_signal(signal.SIGTERM)
        try:
            if self.process.wait(120) != 0:
                raise SystemExit(f"{what}: it ended with {self.process.returncode}")
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise SystemExit(f"{what}: SIGTERM is not heard")


def log_pipe(options, folder):
    reader, writer = os.pipe()
    fcntl.fcntl(writer, F_SETPIPE_SZ, 4096)
    daemon = Daemon(options, folder / "log", [f"users/u{n}" for n in range(40)], error=writer, arguments=["--verbose"])
    os.close(writer)
    end = time.time() + 300
    while True:
        size = fcntl.ioctl(reader, 0x541B, b"\0\0\0\0")  # FIONREAD
        if int.from_bytes(size, sys.byteorder) > 3000 or time.time() > end:
            break
        time.sleep(0.02)
    daemon.watch("a log that is not read", options)
    daemon.stop("a log that is not read")
    os.close(reader)


def notify_socket(options, folder):
    path = str(folder / "notify")
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(path)
    daemon = Daemon(options, folder / "manager", environment={"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "2000"})
    time.sleep(0.5)
    daemon.process.send_signal(signal.SIGHUP)  # two threads tell it something now
    daemon.watch("a service manager that does not listen", options)
    if "almanac_notify_dropped_total 0\n" in daemon.ask("/metrics"):
        raise SystemExit("nothing was dropped: the socket took everything")
    manager.settimeout(300)
    told = set()
    daemon.process.send_signal(signal.SIGHUP)
    while not {"RELOADING", "READY"} <= told:
        # Whatever was dropped, the states that matter arrive as soon as somebody listens.
        told.add(manager.recv(4096).decode().split("=")[0])
    daemon.stop("a service manager that does not listen")


def slow_disk(options, folder):
    if not options.clang:
        print("       no clang: no slow disk")
        return
    (folder / "slow.c").write_text(SLOW)
    subprocess.run([options.clang, "-shared", "-fPIC", "-o", folder / "slow.so", folder / "slow.c", "-ldl"], check=True)
    flag = folder / "flag"
    daemon = Daemon(options, folder / "disk", [f"users/u{n}" for n in range(4)],
                    environment={"LD_PRELOAD": str(folder / "slow.so"), "SLOW_DISK": str(flag)})
    daemon.ask("/api/v1/status")
    flag.touch()
    for _ in range(20):
        for path in ("/", "/api/v1/status", "/api/v1/collections", "/api/v1/collections/runs", "/readyz", "/metrics",
                     "/api/v1/events", "/media/x"):
            daemon.ask_aside(path)
    daemon.process.send_signal(signal.SIGHUP)
    (folder / "disk/config.json").write_text("{}")
    daemon.watch("a disk that does not answer", options)
    flag.unlink()
    daemon.ask("/api/v1/status")
    daemon.stop("a disk that does not answer")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/debug")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--bound", type=float, default=50, help="milliseconds")
    parser.add_argument("--strict", dest="busy", action="store_false", help="no answer may be late, not one in a hundred")
    parser.add_argument("--clang", default=shutil.which("clang") or shutil.which("cc"))
    parser.add_argument("--only", choices=["log", "manager", "disk"])
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="almanac-silence-"))
    try:
        for name, part in (("log", log_pipe), ("manager", notify_socket), ("disk", slow_disk)):
            if options.only in (None, name):
                part(options, folder)
        print("silence: passed")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
