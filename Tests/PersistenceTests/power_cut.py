#!/usr/bin/env python3
"""Cuts the power of real file systems under a writing process, and looks at what the store holds then.

    sudo python3 Tests/PersistenceTests/power_cut.py .build/release/storeworker [--cuts 100] [--kinds ext4,xfs]

Needs root, loop devices, mkfs.ext4 and mkfs.xfs. Each kind of file system is made in a file and mounted. A worker
commits and folds on it until the file system is shut down without writing its log (the ioctl XFS_IOC_GOINGDOWN, which
ext4 has too, with NOLOGFLUSH): what was not synced is gone, and every call fails from then on. Mounted again, the store
must open, hold every acknowledged commit, hold none in part, take new ones, and have no damage. The start of the machine
is given another number for the look (a mount over boot_id), as after a real power cut. What the device itself would lose
in a cache of its own is not played; the simulated disk does that. With --same-start the machine is the same one after
the cut, as where a disk is pulled out and put back, and the system writes back what it has before the last commits, the
mark among it: an old mark must hide nothing. With --without-syncs the worker's syncs are taken
away (strace), and violations must be found: it tests the test. Exit 1 when anything was wrong, 2 when the machine
refuses.
"""
import argparse
import fcntl
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import uuid

GOING_DOWN = 0x8004587D  # _IOR('X', 125, __u32)
NO_LOG_FLUSH = 2
BOOT_ID = "/proc/sys/kernel/random/boot_id"


def system(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise OSError(f"{' '.join(words)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


class Volume:
    """A file system in a file."""

    def __init__(self, base, kind):
        self.kind, self.place, image = kind, f"{base}/{kind}", f"{base}/{kind}.image"
        os.makedirs(self.place)
        with open(image, "wb") as file:
            file.truncate(512 << 20)
        system(f"mkfs.{kind}", "-q", image)
        self.device = system("losetup", "--find", "--show", image).strip()
        self.mount()

    def mount(self):
        system("mount", "-t", self.kind, self.device, self.place)

    def cut(self):
        folder = os.open(self.place, os.O_RDONLY)
        try:
            fcntl.ioctl(folder, GOING_DOWN, struct.pack("I", NO_LOG_FLUSH))
        finally:
            os.close(folder)

    def unmount(self):
        system("umount", self.place)

    def remove(self):
        subprocess.run(["umount", self.place], capture_output=True)
        subprocess.run(["losetup", "--detach", self.device], capture_output=True)


def after_restart(base, worker, *words):
    """Runs a worker that sees another start of the machine."""
    boot = f"{base}/boot-id"
    with open(boot, "w") as file:
        file.write(f"{uuid.uuid4()}\n")
    shell = f'mount --bind "{boot}" {BOOT_ID} && exec "$@"'
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", shell, "sh", worker, *words], capture_output=True, text=True, timeout=600)
    return lines(done, words)


def in_the_same_start(_, worker, *words):
    return lines(subprocess.run([worker, *words], capture_output=True, text=True, timeout=600), words)


def lines(done, words):
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(words[:1])}: {done.stderr.strip()}")
    return done.stdout.splitlines()


def state(text):
    records = {}
    for line in text[1:]:
        assert not line.startswith("damage"), line
        collection, record = line.split(" ", 1)
        record = json.loads(record)
        records[collection + "/" + record["id"]] = record
    return int(text[0].split()[1]), records


def published(folder):
    for name in os.listdir(folder):
        if name.endswith(".jsonl"):
            with open(f"{folder}/{name}") as file:
                text = file.read()
            ids = [json.loads(line)["id"].encode() for line in text.splitlines()]
            assert text == "" or text.endswith("\n"), f"{name} is truncated"
            assert ids == sorted(ids), f"{name} is not sorted"


# Syncs that are reported as done and are not.
FORGETTING = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync", "-e", "inject=fdatasync:retval=0"]


def one(base, volume, worker, number, wait, known, prefix, look):
    """One cut; the records that are there then, and how many commits were acknowledged before it."""
    folds = ["fold"] if look is after_restart else []
    folder, tag = f"{volume.place}/store", f"c{number}"
    with open(f"{base}/acknowledged", "w+") as log:
        writer = subprocess.Popen(
            [*prefix, worker, "commits", folder, "1000000", tag, *folds], stdout=log, stderr=subprocess.DEVNULL)
        try:
            if look is in_the_same_start:
                try:
                    writer.wait(timeout=wait)
                except subprocess.TimeoutExpired:
                    system("sync", "--file-system", volume.place)
            writer.wait(timeout=wait)
            raise AssertionError("the writer ended before the cut")
        except subprocess.TimeoutExpired:
            # What is acknowledged from here on is not counted. A machine without power tells nobody anything, but this
            # one runs on, and ext4 may answer a sync that the shutdown overtakes with success.
            before = os.fstat(log.fileno()).st_size
            volume.cut()
        # Every call fails now, so it ends by itself.
        assert writer.wait(timeout=600) != 0, "the writer took a file system for good that is gone"
        log.seek(0)
        text = log.read()
    acknowledged = [line.split() for line in text[:before].splitlines()]
    late = len(text[before:].splitlines())
    volume.unmount()
    volume.mount()
    sequence, records = state(look(base, worker, "check", folder))
    for commit, name in acknowledged:
        assert int(commit) <= sequence, f"commit {commit} was acknowledged, the store holds {sequence}"
        assert f"apps/{name}" in records, f"{name} was acknowledged and is lost"
    for name in known:
        assert name in records, f"{name} is lost"
    left, right = (records.get(f"people/{side}", {}).get("n") for side in ("left", "right"))
    assert left == right, f"a commit is there in part: {left}, {right}"
    total = sum(1 for name in records if name.startswith(f"apps/{tag}-"))
    most = len(acknowledged) + late + 1
    assert len(acknowledged) <= total <= most, f"{total} commits, {len(acknowledged)} acknowledged, {late} too late"
    if os.path.isdir(folder):
        published(folder)
    look(base, worker, "commits", folder, "2", f"then{number}", *folds)
    later = state(look(base, worker, "check", folder))[1]
    for name in list(records) + [f"apps/then{number}-1", f"apps/then{number}-2"]:
        assert name in later, f"{name} is lost by the next writer"
    published(folder)
    return later, len(acknowledged)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("worker")
    arguments.add_argument("--cuts", type=int, default=100, help="for each kind of file system")
    arguments.add_argument("--kinds", default="ext4,xfs")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--same-start", action="store_true")
    arguments.add_argument("--without-syncs", action="store_true")
    options = arguments.parse_args()
    worker = os.path.abspath(options.worker)
    chance = random.Random(options.seed)
    base = tempfile.mkdtemp(prefix="almanac-power-")
    wrong = 0
    look = in_the_same_start if options.same_start else after_restart
    prefix = FORGETTING if options.without_syncs else []
    try:
        for kind in options.kinds.split(","):
            try:
                volume = Volume(base, kind)
            except OSError as problem:
                print(f"{kind}: the machine refuses: {problem}")
                sys.exit(2)
            known, commits, cuts = {}, 0, 0
            try:
                for number in range(options.cuts):
                    cuts += 1
                    try:
                        wait = 0.01 + chance.random() * 0.4
                        known, count = one(base, volume, worker, number, wait, known, prefix, look)
                        commits += count
                    except AssertionError as problem:
                        wrong += 1
                        print(f"{kind}, cut {number}: {problem}", flush=True)
                        known = {}
                        shutil.rmtree(f"{volume.place}/store", ignore_errors=True)
                    if len(known) > 4000:
                        shutil.rmtree(f"{volume.place}/store")
                        known = {}
            finally:
                volume.remove()
            print(f"{kind}: {cuts} power cuts, {commits} commits acknowledged before them", flush=True)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    print(f"{wrong} violations")
    sys.exit(1 if wrong else 0)


main()
