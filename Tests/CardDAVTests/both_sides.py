#!/usr/bin/env python3
"""Different fields of the same cards are edited on both sides; almanac, and vdirsyncer beside it.

  both_sides.py ALMANAC VDIRSYNCER [CARDS]

Each program has the cards of a book of Radicale of its own. Here every card gets a telephone number, and at the server
a mail address, before the program syncs. almanac must report no conflict, and both values of every card must be at the
server and here. What vdirsyncer does is printed: without a rule for conflicts, and with "a wins" and "b wins".
"""

import http.client
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

bench = importlib.util.spec_from_file_location(
    "carddav_job",
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tools/benchmarks/WholeJob/carddav_job.py"))
job = importlib.util.module_from_spec(bench)
bench.loader.exec_module(job)


def card(number):
    return (f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:c{number}\r\nN:Q;P{number};;;\r\nFN:P{number} Q\r\nNOTE:{number}\r\n"
            f"X-KEPT:{number}\r\nEND:VCARD\r\n")


def added(text, line):
    return text.replace("END:VCARD", f"{line}\r\nEND:VCARD")


def edit_there(server, cards):
    """Adds a mail address to every card at the server."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=600)
    for number in range(cards):
        connection.request(
            "PUT", f"{server.book}c{number}.vcf", added(card(number), f"EMAIL:there{number}@example.org").encode(),
            {"Authorization": job.AUTHORIZATION, "Content-Type": "text/vcard"})
        response = connection.getresponse()
        response.read()
        assert response.status in (201, 204), response.status
        if response.will_close:
            connection.close()


def kept(texts, cards):
    """How many cards have the value of this side, of the server, and both."""
    here, there = set(), set()
    for uid, found in job.properties("".join(texts)).items():
        number = uid[1:]
        assert found["X-KEPT", number] == 1 and found["NOTE", number] == 1, uid
        if found["TEL", f"+1 {number}"] == 1:
            here.add(uid)
        if found["EMAIL", f"there{number}@example.org"] == 1:
            there.add(uid)
    return f"{len(here)} here, {len(there)} there, {len(here & there)} both of {cards}"


def texts(folder):
    found = []
    for name in os.listdir(folder):
        if name.endswith(".vcf"):
            with open(f"{folder}/{name}", newline="") as file:
                found.append(file.read())
    return found


def at_server(server):
    return texts(f"{server.folder}/data/collection-root{server.book}")


def almanac(program, server, folder, cards):
    environment = job.almanac_environment(server, folder)

    def run(*words):
        done = subprocess.run([program, *words, "--format", "json"], env=environment, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{words}: {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout

    run("sync")
    for number in range(cards):
        run("people", "edit", f"P{number} Q", "--phone", f"+1 {number}")
    edit_there(server, cards)
    report = json.loads(run("sync"))
    outbox = {key: value for key, value in report["outbox"].items() if isinstance(value, int)}
    run("sync")
    conflicts = sum(one["state"] == "conflict" for one in json.loads(run("outbox") or "[]"))
    there, here = kept(at_server(server), cards), kept([run("export", "people", "--to", "vcf")], cards)
    print(f"almanac: outbox {outbox}, {conflicts} conflicts; at the server {there}; in the store {here}", flush=True)
    every = f"{cards} here, {cards} there, {cards} both of {cards}"
    return conflicts == 0 and there == every and here == every


def vdirsyncer(program, server, folder, cards, rule):
    environment = job.vdirsyncer_environment(program, server, folder, rule)
    sync = lambda: subprocess.run([program, "sync"], env=environment, capture_output=True, text=True)
    sync()
    place = f"{folder}/cards/{server.book_name}"
    for name in os.listdir(place):
        with open(f"{place}/{name}", newline="") as file:
            text = file.read()
        job.write(f"{place}/{name}", added(text, f"TEL:+1 {re.search('UID:c([0-9]+)', text).group(1)}"))
    edit_there(server, cards)
    done = sync()
    conflicts = len(re.findall("One item changed on both sides", done.stdout + done.stderr))
    print(f"vdirsyncer, {rule or 'no rule'}: exit {done.returncode}, {conflicts} conflicts; at the server "
          f"{kept(at_server(server), cards)}; in the files {kept(texts(place), cards)}", flush=True)


def main():
    program, peer = map(os.path.abspath, sys.argv[1:3])
    cards = int(sys.argv[3]) if len(sys.argv) > 3 else 500
    folder = tempfile.mkdtemp(prefix="both-sides-")
    job.card = card
    is_right = True
    try:
        for number, rule in enumerate(["almanac", None, "a wins", "b wins"]):
            server = job.Server("radicale", f"{folder}/server{number}", cards, None)
            try:
                if rule == "almanac":
                    is_right = almanac(program, server, f"{folder}/almanac", cards)
                else:
                    vdirsyncer(peer, server, f"{folder}/v{number}", cards, rule)
            finally:
                server.end()
        sys.exit(0 if is_right else 1)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
