#!/usr/bin/env python3
"""Two stores of almanac and vdirsyncer change one address book of Radicale at the same time; in the end all are equal.

  three_programs.py ALMANAC VDIRSYNCER [SECONDS] [CARDS] [SEED]

The two stores add mail addresses, change fields of their own, add and remove people. vdirsyncer changes telephone numbers;
of a card that both sides changed it takes that of the server. At the end everything is synced until nothing changes, and
these must hold: the cards of both stores, of vdirsyncer and of the server are the same, property by property; every mail
address that a store added to a card that nobody removed is there once; nobody is there twice.
"""

import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import importlib.util

bench = importlib.util.spec_from_file_location(
    "carddav_job",
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tools/benchmarks/WholeJob/carddav_job.py"))
job = importlib.util.module_from_spec(bench)
bench.loader.exec_module(job)


def card(number):
    return (f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:c{number}\r\nN:Q;P{number};;;\r\nFN:P{number} Q\r\nTEL:{number}\r\n"
            f"X-KEPT:{number}\r\nEND:VCARD\r\n")


class Store(threading.Thread):
    """A store of almanac with a person who edits."""

    def __init__(self, name, program, server, folder, seed, until):
        super().__init__()
        self.name, self.program, self.folder, self.until = name, program, folder, until
        self.random = random.Random(seed)
        self.added, self.new, self.removed, self.counts = {}, set(), set(), collections.Counter()
        self.environment = job.almanac_environment(server, folder)

    def almanac(self, *words):
        done = subprocess.run(
            [self.program, *words, "--format", "json"], env=self.environment, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def people(self):
        return json.loads(self.almanac("list", "people")[1] or "[]")

    def sync(self):
        status, out, err = self.almanac("sync")
        self.counts[f"sync {status}"] += 1
        if status not in (0, 1, 65, 75):
            print(self.name, "sync", status, err[-300:])
        return out

    def run(self):
        number = 0
        while time.time() < self.until:
            number += 1
            value = f"{self.name}{number}"
            people = self.people()
            choice = self.random.random()
            if choice < 0.3:
                self.sync()
            elif choice < 0.35 or not people:
                if self.almanac("people", "add", "--first", value, "--last", "N", "--to", "carddav/home/book")[0] == 0:
                    self.new.add(f"{value} N")
            elif choice < 0.37:
                person = self.random.choice(people)
                if self.almanac("people", "remove", person["id"], "--yes")[0] == 0:
                    self.removed.add(person["fullName"])
            elif choice < 0.75:
                person = self.random.choice(people)
                if self.almanac("people", "edit", person["id"], "--email", f"{value}@x")[0] == 0:
                    self.added[f"{value}@x"] = person["fullName"]
            else:
                person = self.random.choice(people)
                field = "--nickname" if self.name == "a" else "--note"
                self.almanac("people", "edit", person["id"], field, value)
            self.counts["steps"] += 1

    def settle(self):
        """Decides conflicts for this side; whether nothing is left to do."""
        self.almanac("outbox", "retry")
        entries = json.loads(self.almanac("outbox")[1] or "[]")
        conflicts = [one for one in entries if one["state"] == "conflict"]
        self.counts["conflicts"] += len(conflicts)
        if conflicts:
            self.almanac("outbox", "resolve", "--all", "--take", "mine")
        report = json.loads(self.sync() or "{}")
        follow = (report.get("follows") or [{}])[0]
        outbox = report.get("outbox") or {}
        return not entries and follow.get("status") == "unchanged" and not any(
            outbox.get(key) for key in ("sent", "pending", "conflict", "refused"))


class Vdirsyncer(threading.Thread):
    def __init__(self, program, server, folder, seed, until):
        super().__init__()
        self.program, self.folder, self.until, self.random = program, folder, until, random.Random(seed)
        self.environment = job.vdirsyncer_environment(program, server, folder, conflicts="b wins")
        self.counts = collections.Counter()

    def sync(self):
        done = subprocess.run([self.program, "sync"], env=self.environment, capture_output=True)
        self.counts[f"sync {done.returncode}"] += 1
        return done.returncode

    def run(self):
        number = 0
        self.sync()
        while time.time() < self.until:
            for _ in range(3):
                number += 1
                files = os.listdir(f"{self.folder}/cards/book")
                if not files:
                    break
                path = f"{self.folder}/cards/book/{self.random.choice(files)}"
                with open(path, newline="") as file:
                    text = file.read()
                changed = re.sub(r"(?m)^TEL:[^\r\n]*", f"TEL:{number}", text, count=1)
                if changed != text:
                    job.write(path, changed)
                    self.counts["edits"] += 1
            self.sync()

    def cards(self):
        folder = f"{self.folder}/cards/book"
        texts = []
        for name in os.listdir(folder):
            with open(f"{folder}/{name}", newline="") as file:
                texts.append(file.read())
        return texts


def main():
    program, peer = map(os.path.abspath, sys.argv[1:3])
    seconds, cards, seed = (list(map(int, sys.argv[3:])) + [60, 200, 1][len(sys.argv) - 3:])[:3]
    folder = tempfile.mkdtemp(prefix="three-programs-")
    job.card = card
    server = job.Server("radicale", f"{folder}/server", cards, None)
    try:
        until = time.time() + seconds
        a, b = (Store(name, program, server, f"{folder}/{name}", seed + place, until)
                for place, name in enumerate("ab"))
        v = Vdirsyncer(peer, server, f"{folder}/v", seed + 2, until)
        for store in (a, b):
            store.sync()
        for one in (a, b, v):
            one.start()
        for one in (a, b, v):
            one.join()
        for rounds in range(30):
            done = [a.settle(), b.settle(), v.sync() == 0]
            if all(done) and rounds > 1:
                break
        place = f"{folder}/server/data/collection-root/ann/book"
        there = []
        for name in os.listdir(place):
            if name.endswith(".vcf"):
                with open(f"{place}/{name}", newline="") as file:
                    there.append(file.read())
        exports = {store.name: job.properties(store.almanac("export", "people", "--to", "vcf")[1]) for store in (a, b)}
        exports["vdirsyncer"] = job.properties("".join(v.cards()))
        server_cards = job.properties("".join(there))
        wrong = []
        for name, found in exports.items():
            for uid in server_cards.keys() | found.keys():
                if server_cards.get(uid) != found.get(uid):
                    wrong.append(f"{name} {uid}: {found.get(uid)} but the server has {server_cards.get(uid)}")
        names = collections.Counter(value for one in server_cards.values() for (name, value), _ in one.items() if name == "FN")
        wrong += [f"{name} is there {count} times" for name, count in names.items() if count > 1]
        if len(there) != len(server_cards):
            wrong.append(f"{len(there)} cards with {len(server_cards)} identifiers")
        mails = collections.Counter()
        for one in server_cards.values():
            for (name, value), count in one.items():
                if name.split(".")[-1] == "EMAIL":
                    mails[value] += count
        removed = a.removed | b.removed
        expected = {mail: name for store in (a, b) for mail, name in store.added.items() if name not in removed}
        wrong += [f"{mail} of {name} is there {mails[mail]} times" for mail, name in expected.items() if mails[mail] != 1]
        wrong += [f"{name} was added and is not there" for name in (a.new | b.new) - removed if not names[name]]
        kept = sum(1 for one in server_cards.values() for name, _ in one if name == "X-KEPT")
        print(f"{seconds} s, {cards} cards: a {dict(a.counts)}, b {dict(b.counts)}, vdirsyncer {dict(v.counts)}; "
              f"{len(expected)} mail addresses added, {len(a.new | b.new)} new people, {len(removed)} removed; "
              f"{len(there)} cards at the end, {kept} with X-KEPT; {len(wrong)} violations")
        for one in wrong[:20]:
            print(one)
        sys.exit(1 if wrong else 0)
    finally:
        server.end()
        if os.environ.get("KEEP"):
            print(folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
