#!/usr/bin/env python3
"""Tries each operation with contacts at each server, with almanac and with vdirsyncer, and prints the table of results.

  contacts.py --almanac .build/debug/almanac [--vdirsyncer VENV/bin/vdirsyncer] [--sabre FOLDER] [--only WORD]

Every operation begins with a new server with two address books and three people. Another client edits the cards
through requests of its own. A cell is `ok`; `conflict` if the program asks which side counts, and lost nothing; `–` if
the program or the server has no such operation; or else what is wrong, and then the script ends with 1 if it is
almanac's. vdirsyncer has no commands for contacts: its files are edited, as khard does. `--sabre /` uses the packages
of the system; see carddav_job.py.
"""

import argparse
import base64
import http.client
import importlib.util
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = importlib.util.spec_from_file_location("carddav_job", f"{HERE}/../benchmarks/WholeJob/carddav_job.py")
job = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(job)

PHOTO = bytes([0xFF, 0xD8, 0xFF, 0xE0]) + bytes(range(256)) * 8
MKCOL = ('<mkcol xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><set><prop><resourcetype><collection/>'
         '<C:addressbook/></resourcetype></prop></set></mkcol>')


def card(number, *lines):
    lines = ["BEGIN:VCARD", "VERSION:3.0", f"UID:c{number}", f"N:Q;P{number};;;", f"FN:P{number} Q", f"X-KEPT:{number}",
             *(lines or ["NOTE:old"]), "END:VCARD"]
    return "".join(line + "\r\n" for line in lines)


def group(name, *members):
    return card(9, "X-ADDRESSBOOKSERVER-KIND:group", *(f"X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:{one}" for one in members)
                ).replace("N:Q;P9", f"N:{name}").replace("FN:P9 Q", f"FN:{name}").replace("UID:c9", f"UID:g-{name}")


class Server(job.Server):
    """A server with a second book, and what another client does there."""

    def __init__(self, name, folder, sabre):
        super().__init__(name, folder, 3, sabre)
        self.friends = self.book.rsplit("/", 2)[0] + "/friends/"
        assert self.ask("MKCOL", self.friends, MKCOL)[0] in (200, 201)

    def ask(self, method, path, body="", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        kind = "text/vcard; charset=utf-8" if method == "PUT" else "application/xml"
        body = body if isinstance(body, bytes) else body.encode()
        connection.request(method, path, body, {"Authorization": job.AUTHORIZATION, "Content-Type": kind, **headers})
        response = connection.getresponse()
        answer = response.status, response.read().decode(errors="replace")
        connection.close()
        return answer

    def put(self, number, text, book=None):
        return self.ask("PUT", f"{book or self.book}c{number}.vcf", text)[0] in (200, 201, 204)

    def cards(self, book=None):
        """The cards; those of groups are among them."""
        listed = self.ask("PROPFIND", book or self.book, '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>',
                          Depth="1")[1]
        return [self.ask("GET", one)[1] for one in re.findall(r"href>([^<]*\.vcf)</", listed)]

    def spoil(self):
        """Stores a card that cannot be read, past the checks of the server."""
        text = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:bad\r\n"
        if self.name == "sabre":
            database = sqlite3.connect(f"{self.folder}/dav.db")
            database.execute("insert into cards(addressbookid, carddata, uri, lastmodified) "
                             "select min(id), ?, 'bad.vcf', 1 from addressbooks", (text,))
            database.execute("update addressbooks set ctag = ctag + 1")
            database.commit()
            return
        place = f"{self.folder}/data{'/collection-root' if self.name == 'radicale' else ''}{self.book}"
        job.write(f"{place}bad.vcf", text)
        if self.name == "xandikos":
            for words in (["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "c"]):
                subprocess.run(["git", "-C", place] + words, check=True)

    def go_back(self, work):
        """Gives the folder to `work`, and puts it back as it was before."""
        self.end()
        shutil.copytree(self.folder, self.folder + "-old", symlinks=True)
        self.start()
        work()
        self.end()
        shutil.rmtree(self.folder)
        os.rename(self.folder + "-old", self.folder)
        self.start()

    def forbid(self):
        """Lets everybody read and nobody write; whether that is possible."""
        if self.name != "radicale":
            return False
        self.end()
        job.write(f"{self.folder}/rights", "[all]\nuser: .+\ncollection: .*\npermissions: Rr\n")
        with open(f"{self.folder}/config", "a") as file:
            file.write(f"[rights]\ntype = from_file\nfile = {self.folder}/rights\n")
        self.start()
        return True


class Almanac:
    lacks = ()

    def __init__(self, program, server, folder):
        self.program, self.server, self.folder = program, server, folder
        self.environment = job.almanac_environment(server, folder)
        config = json.load(open(f"{folder}/config.json"))
        config["follows"].append({"follow": "carddav/home/friends"})
        job.write(f"{folder}/config.json", json.dumps(config))
        self.book = f"carddav/home/{server.book_name}"

    def run(self, *words, may_fail=False):
        done = subprocess.run([self.program, *words], env=self.environment, capture_output=True, text=True)
        if done.returncode and not may_fail:
            raise Wrong(f"{' '.join(words[:3])}: {done.returncode} {done.stderr.strip()[:200]}")
        return done

    def sync(self):
        """`ok`, `conflict`, or what went wrong."""
        done = self.run("sync", "--format", "json", may_fail=True)
        report = json.loads(done.stdout or "{}")
        outbox = report.get("outbox") or {}
        if outbox.get("conflict"):
            return "conflict"
        if not done.returncode and outbox.get("pending"):
            return "waiting"
        if done.returncode or outbox.get("refused"):
            return f"exit {done.returncode} {done.stderr.strip()[:160]}"
        return "ok"

    def texts(self):
        return re.findall(r"BEGIN:VCARD.*?END:VCARD\n", self.run("export", "people", "--to", "vcf").stdout, re.S)

    def add(self, number):
        self.run("people", "add", f"P{number} Q", "--note", "old", "--to", self.book)

    def edit(self, number, field, value):
        self.run("people", "edit", f"P{number} Q", f"--{field}", value)

    def remove(self, number):
        self.run("people", "remove", f"P{number} Q", "--yes")

    def move(self, number):
        self.run("people", "move", f"P{number} Q", "--to", "carddav/home/friends")

    def copy(self, number):
        self.run("people", "copy", f"P{number} Q", "--to", "carddav/home/friends")

    def merge(self, one, other):
        self.run("people", "merge", f"P{one} Q", f"P{other} Q", "--prefer", "a")

    def group_create(self, name, number):
        self.run("people", "group", "create", name, f"P{number} Q", "--to", self.book)

    def group_rename(self, name, new):
        self.run("people", "group", "rename", name, new)

    def group_member(self, name, number):
        self.run("people", "group", "add", name, f"P{number} Q")

    def group_remove(self, name):
        self.run("people", "group", "delete", name, "--yes")

    def photo(self, number, path):
        self.run("people", "edit", f"P{number} Q", *(["--photo", path] if path else ["--no-photo"]))


class Vdirsyncer:
    lacks = ("merge",)

    def __init__(self, program, server, folder):
        self.program, self.server, self.folder = program, server, folder
        os.makedirs(f"{folder}/cards/friends")
        self.environment = job.vdirsyncer_environment(program, server, folder)
        text = open(f"{folder}/config").read().replace(f'["{server.book_name}"]', f'["{server.book_name}", "friends"]')
        job.write(f"{folder}/config", text)
        job.run([program, "discover"], self.environment)
        self.place = f"{folder}/cards/{server.book_name}"

    def sync(self):
        done = subprocess.run([self.program, "sync"], env=self.environment, capture_output=True, text=True, input="")
        said = done.stdout + done.stderr
        if "changed on both sides" in said:
            return "conflict"
        if done.returncode:
            lines = [one for one in said.splitlines() if "rror" in one]
            return f"exit {done.returncode} {(lines or [''])[0][:160]}"
        return "ok"

    def files(self, book=None):
        place = f"{self.folder}/cards/{book}" if book else self.place
        return {one: read(f"{place}/{one}") for one in os.listdir(place) if one.endswith(".vcf")}

    def texts(self):
        return [*self.files().values(), *self.files("friends").values()]

    def path(self, mark):
        found = [one for one, text in self.files().items() if f"FN:{mark}\r\n" in text]
        if not found:
            raise Wrong(f"no file of {mark}")
        return f"{self.place}/{found[0]}"

    def change(self, mark, *pairs):
        path, text = self.path(mark), read(self.path(mark))
        for old, new in pairs:
            text = re.sub(old, new, text)
        job.write(path, text)

    def add(self, number):
        job.write(f"{self.place}/c{number}.vcf", card(number))

    def edit(self, number, field, value):
        name = {"note": "NOTE", "nickname": "NICKNAME"}[field]
        self.change(f"P{number} Q", (f"{name}:.*\r\n", ""), ("END:VCARD", f"{name}:{value}\r\nEND:VCARD"))

    def remove(self, number):
        os.remove(self.path(f"P{number} Q"))

    def move(self, number):
        path = self.path(f"P{number} Q")
        os.rename(path, f"{self.folder}/cards/friends/{os.path.basename(path)}")

    def copy(self, number):
        text = read(self.path(f"P{number} Q")).replace(f"UID:c{number}", f"UID:copy{number}")
        job.write(f"{self.folder}/cards/friends/copy{number}.vcf", text)

    def group_create(self, name, number):
        job.write(f"{self.place}/g-{name}.vcf", group(name, f"c{number}"))

    def group_rename(self, name, new):
        self.change(name, (f"FN:{name}", f"FN:{new}"), (f"N:{name};", f"N:{new};"))

    def group_member(self, name, number):
        self.change(name, ("END:VCARD", f"X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:c{number}\r\nEND:VCARD"))

    def group_remove(self, name):
        os.remove(self.path(name))

    def photo(self, number, path):
        data = base64.b64encode(open(path, "rb").read()).decode() if path else ""
        line = f"PHOTO;ENCODING=b;TYPE=JPEG:{data}\r\n" if path else ""
        self.change(f"P{number} Q", ("PHOTO.*\r\n", ""), ("END:VCARD", line + "END:VCARD"))


class Wrong(Exception):
    pass


def read(path):
    """A card; some servers end lines with LF."""
    with open(path) as file:
        return file.read().replace("\n", "\r\n")


def one(texts, mark):
    """The only card with a text, unfolded; `None` if there is none."""
    found = [re.sub(r"\r?\n[ \t]", "", text).replace("\r\n", "\n").replace("\n", "\r\n") for text in texts]
    found = [text for text in found if mark in text]
    if len(found) > 1:
        raise Wrong(f"{mark} is there {len(found)} times")
    return found[0] if found else None


def expect(holds, what):
    if not holds:
        raise Wrong(what)


def has(texts, mark, *lines):
    text = one(texts, mark)
    expect(text is not None, f"{mark} is missing")
    for line in lines:
        expect(line in text, f"{mark} has no {line}")


def both(client, server, mark, *lines):
    """The card is on both sides, with these lines."""
    for texts in (server.cards(), client.texts()):
        has(texts, mark, *lines)


def settled(client):
    for _ in range(3):
        result = client.sync()
        expect(result in ("ok", "waiting"), result)
    expect(result == "ok", result)


# The operations: they get a client that has synced, and its server.


def first_sync(client, server):
    for number in range(3):
        both(client, server, f"FN:P{number} Q", f"X-KEPT:{number}", "NOTE:old")


def nothing_new(client, server):
    before = sorted(server.cards())
    settled(client)
    expect(sorted(server.cards()) == before, "a card changed")


def add(client, server):
    client.add(5)
    settled(client)
    both(client, server, "FN:P5 Q", "NOTE:old")


def edit(client, server):
    client.edit(0, "note", "new")
    settled(client)
    both(client, server, "FN:P0 Q", "NOTE:new", "X-KEPT:0")


def edit_beside(client, server):
    client.edit(0, "note", "new")
    server.put(0, card(0, "NOTE:old", "NICKNAME:there"))
    result = client.sync()
    if result == "conflict":
        has(server.cards(), "FN:P0 Q", "NICKNAME:there")
        has(client.texts(), "FN:P0 Q", "NOTE:new")
        return result
    settled(client)
    both(client, server, "FN:P0 Q", "NOTE:new", "NICKNAME:there")


def same_field(client, server):
    client.edit(0, "note", "mine")
    server.put(0, card(0, "NOTE:theirs"))
    result = client.sync()
    expect(result == "conflict", f"no conflict: {result}")
    has(server.cards(), "FN:P0 Q", "NOTE:theirs")
    has(client.texts(), "FN:P0 Q", "NOTE:mine")
    return result


def remove(client, server):
    client.remove(0)
    settled(client)
    expect(one(server.cards() + client.texts(), "FN:P0 Q") is None, "it is still there")


def remove_against_edit(client, server):
    client.remove(0)
    server.put(0, card(0, "NOTE:theirs"))
    result = client.sync()
    has(server.cards(), "FN:P0 Q", "NOTE:theirs")
    return result


def edit_against_remove(client, server):
    client.edit(0, "note", "mine")
    server.ask("DELETE", f"{server.book}c0.vcf")
    result = client.sync()
    if result == "ok":
        settled(client)
        has(server.cards(), "FN:P0 Q", "NOTE:mine")
    has(client.texts(), "FN:P0 Q", "NOTE:mine")
    return result


def move(client, server):
    client.move(0)
    settled(client)
    has(server.cards(server.friends), "FN:P0 Q", "X-KEPT:0")
    expect(one(server.cards(), "FN:P0 Q") is None, "it is still in the former book")
    has(client.texts(), "FN:P0 Q")


def copy(client, server):
    client.copy(0)
    settled(client)
    has(server.cards(server.friends), "FN:P0 Q", "X-KEPT:0")
    has(server.cards(), "FN:P0 Q", "UID:c0")


def merge(client, server):
    server.put(1, card(1, "NOTE:old", "TEL:+1 555"))
    settled(client)
    client.merge(0, 1)
    settled(client)
    both(client, server, "FN:P0 Q", "+1 555", "X-KEPT:0")
    expect(one(server.cards(), "FN:P1 Q") is None, "the other is still there")


def group_create(client, server):
    client.group_create("Choir", 0)
    settled(client)
    has(server.cards(), "FN:Choir\r\n", "KIND:group", "MEMBER:urn:uuid:c0")


def group_rename(client, server):
    group_create(client, server)
    client.group_rename("Choir", "Band")
    settled(client)
    has(server.cards(), "FN:Band\r\n", "MEMBER:urn:uuid:c0")
    expect(one(server.cards(), "FN:Choir") is None, "the former name is still there")


def group_member(client, server):
    group_create(client, server)
    client.group_member("Choir", 1)
    settled(client)
    has(server.cards(), "FN:Choir\r\n", "MEMBER:urn:uuid:c0", "MEMBER:urn:uuid:c1")


def group_remove(client, server):
    group_create(client, server)
    client.group_remove("Choir")
    settled(client)
    expect(one(server.cards(), "FN:Choir") is None, "it is still there")


def photo_set(client, server):
    job.write(f"{client.folder}/photo", "")
    with open(f"{client.folder}/photo", "wb") as file:
        file.write(PHOTO)
    client.photo(0, f"{client.folder}/photo")
    settled(client)
    both(client, server, "FN:P0 Q", base64.b64encode(PHOTO).decode(), "X-KEPT:0")


def photo_removed(client, server):
    photo_set(client, server)
    client.photo(0, None)
    settled(client)
    for texts in (server.cards(), client.texts()):
        expect("PHOTO" not in one(texts, "FN:P0 Q"), "it is still there")


def two_cards(client, server):
    if not server.put(7, card(7) + card(8)):
        return "–"
    expect(client.sync() == "ok", "the sync fails")
    client.edit(7, "note", "new")
    settled(client)
    has(server.cards(), "FN:P7 Q", "NOTE:new", "FN:P8 Q")
    has(client.texts(), "FN:P7 Q", "NOTE:new")
    has(client.texts(), "FN:P8 Q")


def bad_card(client, server):
    server.spoil()
    server.put(0, card(0, "NOTE:theirs"))
    client.sync()
    has(client.texts(), "FN:P0 Q", "NOTE:theirs")
    client.edit(1, "note", "new")
    client.sync()
    has(server.cards(), "FN:P1 Q", "NOTE:new")


def read_only(client, server):
    if not server.forbid():
        return "–"
    if isinstance(client, Almanac):
        client.run("sync", "--full", may_fail=True)
        refused = client.run("people", "edit", "P0 Q", "--note", "new", may_fail=True)
        expect(refused.returncode == 64 and "only be read" in refused.stderr, refused.stderr[:160])
    else:
        client.edit(0, "note", "new")
        expect(client.sync().startswith("exit"), "it is not said")
    has(server.cards(), "FN:P0 Q", "NOTE:old")


def restored(client, server):
    def work():
        client.edit(0, "note", "new")
        expect(client.sync() == "ok", "the edit is not sent")

    server.go_back(work)
    for _ in range(2):
        client.sync()
    both(client, server, "FN:P0 Q", "NOTE:new")


OPERATIONS = {
    "first sync": first_sync, "nothing new": nothing_new, "add": add, "edit one field": edit,
    "edit beside another client's edit of another field": edit_beside, "edit of the same field": same_field,
    "remove": remove, "remove against an edit": remove_against_edit, "edit against a removal": edit_against_remove,
    "move to another book": move, "copy": copy, "merge": merge, "group: create": group_create,
    "group: rename": group_rename, "group: add a member": group_member, "group: remove": group_remove,
    "photo: set": photo_set, "photo: remove": photo_removed, "edit of one of two cards in a resource": two_cards,
    "one bad card": bad_card, "edit in a book that may only be read": read_only,
    "book restored to the state of the last pull": restored,
}


def cell(operation, program, kind, server_name, sabre):
    if operation in kind.lacks:
        return "–"
    folder = tempfile.mkdtemp(prefix="contacts-")
    server = None
    try:
        server = Server(server_name, f"{folder}/server", sabre)
        client = kind(program, server, f"{folder}/client")
        expect(client.sync() == "ok", "the first sync fails")
        return OPERATIONS[operation](client, server) or "ok"
    except Wrong as wrong:
        return " ".join(str(wrong).split()).replace("|", "/")
    finally:
        if server:
            server.end()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--almanac", required=True)
    parser.add_argument("--vdirsyncer")
    parser.add_argument("--sabre")
    parser.add_argument("--only", default="", help="only operations whose names contain this")
    options = parser.parse_args()
    job.card = card
    servers = [one for one in ("radicale", "xandikos") if shutil.which(one)] + (["sabre"] if options.sabre else [])
    programs = [(os.path.abspath(options.almanac), Almanac)]
    if options.vdirsyncer:
        programs.append((os.path.abspath(options.vdirsyncer), Vdirsyncer))
    names = {"radicale": "Radicale", "xandikos": "Xandikos", "sabre": "sabre/dav"}
    kinds = ", ".join(kind.__name__.lower() for _, kind in programs)
    print("| operation | " + " | ".join(f"{names[one]}: {kinds}" for one in servers) + " |")
    print("| --- |" + " --- |" * len(servers))
    is_right = True
    for operation in OPERATIONS:
        if options.only not in operation:
            continue
        row = [[cell(operation, program, kind, server, options.sabre) for program, kind in programs]
               for server in servers]
        is_right = is_right and all(cells[0] in ("ok", "conflict", "–") for cells in row)
        print(f"| {operation} | " + " | ".join(", ".join(cells) for cells in row) + " |", flush=True)
    sys.exit(0 if is_right else 1)


if __name__ == "__main__":
    main()
