#!/usr/bin/env python3
"""Measures a sync of an address book against servers on this machine.

Each server is filled with cards. Measured are the requests that every client has to send, as the floor; almanac; and
vdirsyncer, if it is given. Every property of every card is compared after `export people --to vcf`.

  carddav_job.py --almanac .build/release/almanac --vdirsyncer VENV/bin/vdirsyncer --cards 10000 --rounds 3

Radicale and Xandikos are used if they are on the path (`.ci/install-tools`). `--sabre FOLDER` names a folder with the
unpacked packages php8.2-cli, php8.2-common, php8.2-xml, php8.2-mbstring, php8.2-sqlite3, php-sabre-dav and
php-sabre-vobject of Debian 12: `apt-get download PACKAGE…`, then `dpkg -x FILE FOLDER` for each of them.
"""

import argparse
import base64
import collections
import http.client
import json
import os
import re
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

DAV = 'xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"'
AUTHORIZATION = "Basic " + base64.b64encode(b"ann:secret").decode()


def card(number):
    """A card with common properties, and some that no program knows."""
    photo = base64.b64encode(bytes(range(96))).decode() if number % 10 == 0 else ""
    lines = [
        "BEGIN:VCARD", "VERSION:3.0", f"UID:card-{number}", f"N:Family{number};Given{number};M.;;",
        f"FN:Given{number} M. Family{number}", f"EMAIL;TYPE=HOME:g{number}@example.org",
        f"EMAIL;TYPE=WORK:f{number}@example.com", f"TEL;TYPE=CELL:+1 555 {number:06}",
        f"ADR;TYPE=HOME:;;{number} Main Street;Springfield;;{number:05};USA", f"BDAY:19{number % 90 + 10}-05-17",
        f"ORG:Company {number % 50}", f"NOTE:Number {number}\\, with a comma", f"X-NUMBER:{number}",
        "REV:2024-01-01T00:00:00Z",
    ] + ([f"PHOTO;ENCODING=b;TYPE=JPEG:{photo}"] if photo else []) + ["END:VCARD"]
    return "\r\n".join(lines) + "\r\n"


def properties(text):
    """The properties of each card by UID: name and value, in any order, without what servers write anew."""
    cards = {}
    unfolded = re.sub(r"\r?\n[ \t]", "", text)
    for body in re.findall(r"BEGIN:VCARD\r?\n(.*?)END:VCARD", unfolded, re.S):
        found = collections.Counter()
        uid = None
        for line in body.splitlines():
            head, _, value = line.partition(":")
            name = head.split(";")[0].upper()
            if name == "UID":
                uid = value
            if name not in ("PRODID", "REV", "VERSION"):
                found[name, value.rstrip(";").replace("\\,", ",")] += 1
        cards[uid] = found
    return cards


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Server:
    """A server of address books with one book of `ann`, filled without requests."""

    def __init__(self, name, folder, cards, sabre):
        os.makedirs(folder, exist_ok=True)
        self.name, self.port, self.folder = name, free_port(), folder
        self.url = f"http://127.0.0.1:{self.port}"
        environment = dict(os.environ)
        if name == "radicale":
            self.book = "/ann/book/"
            place = f"{folder}/data/collection-root/ann/book"
            os.makedirs(place)
            write(f"{place}/.Radicale.props", '{"tag": "VADDRESSBOOK"}')
            write(f"{folder}/users", "ann:secret\n")
            write(
                f"{folder}/config",
                f"[server]\nhosts = 127.0.0.1:{self.port}\n[auth]\ntype = htpasswd\n"
                f"htpasswd_filename = {folder}/users\nhtpasswd_encryption = plain\ndelay = 0\n"
                f"[storage]\nfilesystem_folder = {folder}/data\n[logging]\nlevel = error\n")
            command = ["radicale", "-C", f"{folder}/config"]
        elif name == "xandikos":
            self.book = "/user/contacts/addressbook/"
            place = f"{folder}/data{self.book}"
            command = ["xandikos", "serve", "-d", f"{folder}/data", "--defaults", "-l", "127.0.0.1", "-p", str(self.port)]
        else:
            self.book = "/addressbooks/ann/book/"
            place = None
            root = os.path.abspath(sabre)
            self.fill_database(f"{folder}/dav.db", root, cards)
            write(f"{folder}/server.php", SABRE.replace("ROOT", root).replace("DATABASE", f"{folder}/dav.db"))
            modules = f"{root}/usr/lib/php/20220829"
            names = "mbstring pdo pdo_sqlite xml dom xmlreader xmlwriter ctype iconv tokenizer".split()
            write(
                f"{folder}/php.ini", f"extension_dir={modules}\nmemory_limit=1G\n"
                + "".join(f"extension={one}\n" for one in names))
            command = [
                f"{root}/usr/bin/php8.2", "-n", "-c", f"{folder}/php.ini", "-S", f"127.0.0.1:{self.port}",
                f"{folder}/server.php"]
        self.book_name = self.book.strip("/").split("/")[-1]
        self.command, self.environment = command, environment
        if name == "radicale":
            for number in range(cards):
                write(f"{place}/c{number}.vcf", card(number))
        self.start()
        if name == "xandikos":
            for number in range(cards):
                write(f"{place}/c{number}.vcf", card(number))
            for words in (["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "c"]):
                subprocess.run(["git", "-C", place] + words, check=True)

    def start(self):
        self.process = subprocess.Popen(
            self.command, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit(f"{self.name} does not answer")

    @staticmethod
    def fill_database(path, root, cards):
        database = sqlite3.connect(path)
        for one in ("principals", "addressbooks", "users"):
            with open(f"{root}/usr/share/doc/php-sabre-dav/examples/sql/sqlite.{one}.sql") as file:
                database.executescript(file.read())
        database.execute("insert into principals(uri, displayname) values('principals/ann', 'Ann')")
        database.execute(
            "insert into addressbooks(principaluri, displayname, uri, ctag) values('principals/ann', 'Book', 'book', 1)")
        book = database.execute("select max(id) from addressbooks").fetchone()[0]
        database.executemany(
            "insert into cards(addressbookid, carddata, uri, lastmodified) values(?, ?, ?, 1)",
            ((book, card(number), f"c{number}.vcf") for number in range(cards)))
        database.commit()
        database.close()

    def end(self):
        self.process.kill()
        self.process.wait()


SABRE = """<?php
date_default_timezone_set('UTC');
error_reporting(E_ERROR);
set_include_path('ROOT/usr/share/php');
require 'Sabre/autoload.php';
$pdo = new PDO('sqlite:DATABASE');
$pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
$principals = new Sabre\\DAVACL\\PrincipalBackend\\PDO($pdo);
class Users extends Sabre\\DAV\\Auth\\Backend\\AbstractBasic {
  protected function validateUserPass($user, $password) { return $user === 'ann' && $password === 'secret'; }
}
$server = new Sabre\\DAV\\Server([
  new Sabre\\DAVACL\\PrincipalCollection($principals),
  new Sabre\\CardDAV\\AddressBookRoot($principals, new Sabre\\CardDAV\\Backend\\PDO($pdo)),
]);
$server->setBaseUri('/');
$server->addPlugin(new Sabre\\DAV\\Auth\\Plugin(new Users(), 'test'));
$server->addPlugin(new Sabre\\DAVACL\\Plugin());
$server->addPlugin(new Sabre\\CardDAV\\Plugin());
$server->exec();
"""


def write(path, text):
    with open(path, "w", newline="") as file:
        file.write(text)


def floor(server):
    """The time of the requests that a first sync needs, and of the one that finds nothing new."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=600)

    def ask(method, depth, body):
        for attempt in (1, 2):
            try:
                connection.request(
                    method, server.book, body.encode(),
                    {"Authorization": AUTHORIZATION, "Depth": depth, "Content-Type": "application/xml"})
                response = connection.getresponse()
                data = response.read()
                if response.will_close:
                    connection.close()
                return response.status, data.decode()
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                connection.close()
                if attempt == 2:
                    raise

    def changes(token):
        return ask(
            "REPORT", "0", f"<sync-collection {DAV}><sync-token>{token}</sync-token><sync-level>1</sync-level>"
            "<prop><getetag/></prop></sync-collection>")

    start = time.perf_counter()
    status, answer = changes("")
    if status != 207:
        status, answer = ask("PROPFIND", "1", f"<propfind {DAV}><prop><getetag/><resourcetype/></prop></propfind>")
    hrefs = [one for one in re.findall(r"<(?:\w+:)?href>([^<]*)</", answer) if one.endswith(".vcf")]
    for first in range(0, len(hrefs), 100):
        listed = "".join(f"<href>{one}</href>" for one in hrefs[first:first + 100])
        ask("REPORT", "1", f"<C:addressbook-multiget {DAV}><prop><getetag/><C:address-data/></prop>{listed}"
            "</C:addressbook-multiget>")
    middle = time.perf_counter()
    token = re.search(r"<(?:\w+:)?sync-token>([^<]*)</", answer)
    if token:
        changes(token.group(1))
    else:
        ask("PROPFIND", "0", '<propfind xmlns="DAV:" xmlns:S="http://calendarserver.org/ns/"><prop><S:getctag/></prop>'
            "</propfind>")
    return middle - start, time.perf_counter() - middle


# The largest memory of a process includes that of the process from which it was forked, so a small one starts it.
LAUNCHER = """
import os, sys, time
start = time.perf_counter()
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
with open(sys.argv[1], "w") as file: file.write(f"{time.perf_counter() - start} {usage.ru_maxrss}")
sys.exit(os.waitstatus_to_exitcode(status))
"""


def run(words, environment):
    """Runs a program; its seconds, its memory in MB and its output."""
    # A pipe that nobody reads would stop a program that prints a line for each card.
    errors, usage = tempfile.TemporaryFile(), tempfile.NamedTemporaryFile()
    process = subprocess.run(
        [sys.executable, "-ISc", LAUNCHER, usage.name] + words, env=environment, stdout=subprocess.PIPE, stderr=errors)
    out = process.stdout.decode()
    if process.returncode:
        errors.seek(0)
        raise SystemExit(f"{words}: {process.returncode}\n{out[-2000:]}\n{errors.read().decode()[-2000:]}")
    seconds, memory = usage.read().decode().split()
    return float(seconds), int(memory) / 1024, out


def almanac_environment(server, folder):
    """The environment of an almanac that follows the server's book, with its store in a new folder."""
    os.makedirs(folder)
    write(f"{folder}/password", "secret\n")
    write(f"{folder}/config.json", json.dumps({
        "servers": {"carddav": {"accounts": {"home": {
            "url": server.url, "user": "ann", "password": {"file": f"{folder}/password"}}}}},
        "follows": [{"follow": f"carddav/home/{server.book_name}"}]}))
    return {**os.environ, "ALMANAC_STORE": f"{folder}/store", "ALMANAC_CONFIG": f"{folder}/config.json"}


def almanac(program, server, folder, cards):
    environment = almanac_environment(server, folder)
    first, memory, answer = run([program, "sync", "--format", "json"], environment)
    report = json.loads(answer)["follows"][0]
    assert report["added"] == cards, report
    again, memory_again, answer = run([program, "sync", "--format", "json"], environment)
    second = json.loads(answer)["follows"][0]
    assert second["status"] == "unchanged", second
    _, _, exported = run([program, "export", "people", "--to", "vcf"], environment)
    given, kept = {f"card-{number}": card(number) for number in range(cards)}, properties(exported)
    lost = sum(1 for uid, text in given.items() if properties(text)[uid] - kept.get(uid, collections.Counter()))
    return {"first": first, "again": again, "requests": report["requests"], "requestsAgain": second["requests"],
            "memory": max(memory, memory_again), "lost": lost}


def vdirsyncer_environment(program, server, folder, conflicts=None):
    """The environment of a vdirsyncer with a new pair: the files of FOLDER/cards/BOOK and the server's book.

    `conflicts` is its `conflict_resolution`."""
    os.makedirs(f"{folder}/cards/{server.book_name}")
    resolution = f'conflict_resolution = "{conflicts}"\n' if conflicts else ""
    write(f"{folder}/config", f"""[general]
status_path = "{folder}/status/"
[pair book]
a = "here"
b = "there"
collections = ["{server.book_name}"]
{resolution}[storage here]
type = "filesystem"
path = "{folder}/cards/"
fileext = ".vcf"
[storage there]
type = "carddav"
url = "{server.url}{server.book.rsplit('/', 2)[0]}/"
username = "ann"
password = "secret"
""")
    environment = {**os.environ, "VDIRSYNCER_CONFIG": f"{folder}/config"}
    run([program, "discover"], environment)
    return environment


def vdirsyncer(program, server, folder):
    environment = vdirsyncer_environment(program, server, folder)
    first, memory, _ = run([program, "sync"], environment)
    again, _, _ = run([program, "sync"], environment)
    return {"first": first, "again": again, "memory": memory}


def median(rows, key):
    return statistics.median(row[key] for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--almanac", required=True)
    parser.add_argument("--vdirsyncer")
    parser.add_argument("--sabre")
    parser.add_argument("--servers", help="names, separated by commas; default: all that are installed")
    parser.add_argument("--cards", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    names = [name for name in ("radicale", "xandikos") if shutil.which(name)] + (["sabre"] if options.sabre else [])
    names = options.servers.split(",") if options.servers else names
    print(f"{options.cards} cards, {options.rounds} rounds, medians; seconds, MB")
    print("| server | floor: first, again | almanac: first, again, memory, requests, cards with a lost property "
          "| vdirsyncer: first, again, memory | first ÷ floor | vdirsyncer ÷ almanac: first, again |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in names:
        folder = tempfile.mkdtemp(prefix="carddav-job-")
        server = Server(name, folder, options.cards, options.sabre)
        try:
            floors, ours, theirs = [], [], []
            floor(server)
            for number in range(options.rounds):
                floors.append(dict(zip(("first", "again"), floor(server))))
                ours.append(almanac(os.path.abspath(options.almanac), server, f"{folder}/almanac{number}", options.cards))
                if options.vdirsyncer:
                    theirs.append(vdirsyncer(os.path.abspath(options.vdirsyncer), server, f"{folder}/vdirsyncer{number}"))
            first, again = median(ours, "first"), median(ours, "again")
            peer = (f"{median(theirs, 'first'):.2f}, {median(theirs, 'again'):.2f}, {median(theirs, 'memory'):.0f}"
                    if theirs else "–")
            ratio = (f"{median(theirs, 'first') / first:.1f}, {median(theirs, 'again') / again:.1f}" if theirs else "–")
            print(f"| {name} | {median(floors, 'first'):.2f}, {median(floors, 'again'):.3f} | {first:.2f}, {again:.3f}, "
                  f"{median(ours, 'memory'):.0f}, {ours[0]['requests']} + {ours[0]['requestsAgain']}, "
                  f"{max(row['lost'] for row in ours)} | {peer} | {first / median(floors, 'first'):.2f} | {ratio} |",
                  flush=True)
        finally:
            server.end()
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
