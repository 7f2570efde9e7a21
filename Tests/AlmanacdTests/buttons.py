#!/usr/bin/env python3
"""Every button and every form of every page, pressed in real browsers.

Starts an upstream server and almanacd from --bin, enters through the link of `almanac dashboard`, and at 1280 and 390 px
presses every button that the pages have, by the mouse, in headless Chromium and Firefox; what it does is looked for in the
store. With --quick it presses the buttons that start a sync of one follow for one of them only, in one browser. A form that this script does not know is
a failure. Needs Python's standard library and the browsers only.

    buttons.py --bin .build/debug [--chromium PROGRAM] [--firefox PROGRAM] [--quick]
"""
import argparse
import json
import pathlib
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the folder is a target of the package: nothing may appear in it
from browser import Browser
from firefox import Firefox
from stage import Stage, ask

USERS = ["ada", "bo", "cy", "dee", "eli", "fay"]
FOLLOWS = [{"follow": "app-store/us/top-paid", "limit": 4}, {"follow": "people"}] + [
    {"follow": f"users/{user}"} for user in USERS]

# What is pressed for the entry of each user: `entries` gives them the states that have these buttons.
CHOICES = {"ada": "mine", "bo": "theirs", "cy": "theirs", "dee": "retry", "eli": "discard", "fay": "discard"}

FORMS = """
  [...document.forms].map((form) => ({
    action: form.getAttribute("action"), follow: form.elements.follow ? form.elements.follow.value : null,
    buttons: form.querySelectorAll("button, input[type=submit]").length }))
"""


class Presser:
    def __init__(self, stage, browser, base, quick=False):
        self.stage, self.browser, self.base, self.quick = stage, browser, base, quick
        self.pressed = 0
        self.done = set()

    def until(self, what, done):
        end = time.time() + 300  # edits behind one that keeps failing wait for its next try
        while not done():
            if time.time() > end:
                page = self.browser.run("document.body.innerText")[:300]
                raise SystemExit(f"waited for {what} in vain; the page says: {page}")
            time.sleep(0.02)

    def outbox(self):
        return {one["target"].split("/")[-1]: one for one in self.stage.get("/api/v1/collections/outbox")["items"]}

    def runs(self):
        return {one["id"]: one for one in self.stage.get("/api/v1/collections/runs?limit=1000")["items"]}

    def entries(self):
        """An outbox with everything that has a button: three conflicts, two refusals, one that waits."""
        stage = self.stage
        # Nothing waits for fay within a run: the server says that it takes the edit in an hour.
        stage.faults((422, "/user/dee"), (422, "/user/eli"), (425, "/user/fay", 3600))
        stamp = str(time.time_ns())
        for user in USERS[:3]:
            ask(f"{stage.up}/_upstream/users/{user}", {"name": f"Theirs {stamp}"})
        wanted = dict(zip(USERS, ["conflict"] * 3 + ["refused"] * 2 + ["pending"]))
        for users in (USERS[:5], USERS[5:]):  # the one that keeps failing comes last
            for user in users:
                stage.patch(user, {"name": f"Mine {stamp}"})
            self.until("an outbox with every state", lambda: all(
                self.outbox().get(user, {}).get("state") == wanted[user] for user in users))

    def press(self, form, path, values=None, leads="/"):
        """Fills one form and presses its button, which leads to an address that begins so."""
        choice = f"[...document.forms].find((f) => f.getAttribute('action') === {form['action']!r}"
        if form["follow"]:
            choice += f" && f.elements.follow && f.elements.follow.value === {form['follow']!r}"
        elif not values:  # with them, it is the form whose field is to be filled
            choice += " && !f.elements.follow"
        self.browser.open(self.base + path)
        for name, value in (values or {}).items():
            self.browser.run(f"{choice}).elements[{name!r}].value = {value!r}")
        # What asks first is opened first.
        self.browser.run(f"(({choice}).closest('details') || {{}}).open = true)")
        self.browser.run(f"{choice}).querySelector('button').id = 'pressed'")
        self.click(form)
        place = self.browser.run("location.href")
        if not place.startswith(self.base + leads):
            raise SystemExit(f"{form} led to {place}: {self.browser.run('document.body.innerText')[:300]}")
        # What became of it is said where the person looks, and not again when the page is opened again.
        seen = self.browser.run("""((e) => e && e.innerText && e.getBoundingClientRect().top >= 0
            && e.getBoundingClientRect().bottom <= innerHeight)(document.querySelector('main > [role=status]'))""")
        if not seen or "note=" in place:
            raise SystemExit(f"{form} led to {place}, which does not say what became of it")

    def page(self, path):
        """Every form of one page. Of an outbox entry one button is pressed; another user's entry gets the next."""
        self.browser.open(self.base + path)
        forms = self.browser.run(FORMS)
        loose = self.browser.run("[...document.querySelectorAll('button:not(.copy, .choose), input, select, textarea')].filter((e) => !e.form).length")
        if loose:
            raise SystemExit(f"{path}: {loose} controls belong to no form")
        users = {entry["id"]: user for user, entry in self.outbox().items()}
        # Edits come first, and of them the one that keeps failing: every sync tries it again, with pauses of seconds.
        pending = f"/do/outbox/{self.outbox().get(USERS[-1], {}).get('id')}/"
        forms.sort(key=lambda form: (pending not in form["action"], "/do/outbox/" not in form["action"]))
        seen = set()
        for form in forms:
            action = form["action"].removeprefix(self.prefix)
            if action.startswith(("/do/many/", "/do/groups/", "/do/several/")) or action in ("/do/access/tokens", "/do/access/link"):
                continue  # ManyFormsTests sends them
            if form["buttons"] != (3 if action.startswith("/collections/") else 1) and action != "/do/follows":
                raise SystemExit(f"{path}: {form} has {form['buttons']} buttons")
            if action in ("/search", "/follows", "/add", "/do/follows"):  # the same on every page
                if action not in self.done:
                    self.done.add(action)
                    self.several() if action == "/do/follows" else self.search(action, path)
                continue
            kind = action, form["follow"] is None or action == "/do/follow"
            if self.quick and kind in seen:  # the buttons of an outbox entry have addresses of their own
                continue
            seen.add(kind)
            if action == "/do/sync":
                self.sync(form, path)
            elif action == "/do/media":
                self.media(form, path)
            elif action == "/do/follow":
                if form["follow"] is None:
                    self.follow(form, path, {"part.storefront": "us", "part.chart": "new"})
                    seen.add(kind)
                else:
                    self.follow(form, path, {"follow": "app-store/us/new"})
            elif action == "/do/unfollow":
                pass  # pressed for the follow that the form before adds
            elif action == "/do/change":
                pass  # pressed for the follow that the form before adds
            elif action == "/do/pause":
                self.pause(form, path)
            elif action.startswith("/collections/"):
                self.search(action, path)
            elif action == "/do/people/edit":
                self.person(form, path)
            elif action == "/do/people/remove":
                pass  # pressed for the person that is added there
            elif action == "/do/people/import":
                self.contacts(form, path)
            elif action == "/do/definition":
                self.definition(form, path)
            elif action == "/do/people/add":
                self.addition(form, path)
            elif action.startswith("/do/access/tokens/"):
                self.revoke(form, path)
            elif action.startswith("/do/access/sessions/"):
                pass  # pressed at the end
            elif action.startswith("/do/outbox/"):
                id, choice = action.split("/")[3:]
                if CHOICES[users[id]] == choice:
                    self.resolve(form, path, id, choice)
                    self.chosen.add(choice)
            else:
                raise SystemExit(f"{path}: no test presses {form}")

    def revoke(self, form, path):
        """Revokes a named token."""
        self.press(form, path, leads="/access")
        if self.stage.get("/api/v1/tokens")["items"]:
            raise SystemExit(f"{path}: the token is still there")

    def leave(self):
        """Signs this browser out."""
        self.browser.open(self.base + "/access")
        self.browser.run("""[...document.querySelectorAll('#sessions li')].find((e) => /this browser/i.test(e.innerText))
            .querySelector('button').id = 'pressed'""")
        self.click("signed out")
        if "This browser is signed out" not in self.browser.run("document.body.innerText"):
            raise SystemExit("the browser is not signed out")
        self.browser.open(self.base + "/")
        if "This page is closed" not in self.browser.run("document.body.innerText"):
            raise SystemExit("the page is open to a browser that signed out")

    def click(self, what):
        """Presses the button that has the id, and waits for the next page."""
        self.browser.run("window.before = true")
        self.browser.click("#pressed")
        self.until(f"an answer: {what}", lambda: self.browser.holds("!window.before && document.readyState === 'complete'"))
        self.pressed += 1

    @property
    def prefix(self):
        return "/" + "/".join(self.base.split("/")[3:]) if self.base.count("/") > 2 else ""

    def follow(self, form, path, parts):
        """Adds a follow, which is in the config then, changes it, and removes it again."""
        def followed():
            return {one["follow"] for one in self.stage.get("/api/v1/follows")["items"]}
        before, added = followed(), "app-store/us/new"
        self.press(form, path, {**parts, "limit": "3", "every": "2h"})
        if followed() != before | {added}:
            raise SystemExit(f"the form of {path} left {followed()}")
        change = {"action": self.prefix + "/do/change", "follow": added}
        for values in ({"limit": "7", "every": "3h"}, {"limit": "", "every": ""}):
            self.press(change, f"/follows/{added}", values)
            one = next(one for one in self.stage.get("/api/v1/follows")["items"] if one["follow"] == added)
            if {name: str(one.get(name, "")) for name in values} != values:
                raise SystemExit(f"{change} with {values} left {one}")
        self.press({"action": self.prefix + "/do/unfollow", "follow": added}, f"/follows/{added}")
        if followed() != before:
            raise SystemExit(f"the button left {followed()}")

    def pause(self, form, path):
        """Pauses a follow, and resumes it with the button that takes the place of the first."""
        def paused():
            return {one["follow"] for one in self.stage.get("/api/v1/follows")["items"] if one.get("paused")}
        for wanted in ({form["follow"]}, set()):
            self.press(form, path)  # leads to the page of the follow, whose button is the other one then
            if paused() != wanted:
                raise SystemExit(f"the button of {path} left {paused()} paused, not {wanted}")

    def search(self, action, path):
        """Searches for what is nowhere."""
        self.browser.open(self.base + path)
        form = f"document.querySelector('form[role=search][action={json.dumps(self.prefix + action)}]')"
        self.browser.run(f"{form}.querySelector('[type=search]').value = 'in no record at all'")
        self.browser.run(f"{form}.querySelector('button').id = 'pressed'")
        self.click("search")
        text = self.browser.run("document.body.innerText")
        if not any(words in text for words in (
                "No record matches", "No record contains these words", "No follow matches", "No source matches")):
            raise SystemExit(f"{action}: the search finds what is not there")

    def several(self):
        """Does to two follows at once what the list of follows offers."""
        wanted = [f"users/{user}" for user in USERS[:2]]
        follows = [{"follow": "app-store/us/new", "limit": 3}, {"follow": "app-store/us/top-free", "limit": 3}]
        for one in follows:
            ask(f"{self.stage.url}/api/v1/follows", one, headers=self.stage.token)

        def press(paths, button, **values):
            self.browser.open(self.base + "/follows")
            self.browser.run("document.querySelectorAll('#follows details').forEach((d) => { d.open = true; })")
            for path in paths:
                self.browser.run(f"document.querySelector('.bulk input[value=\"{path}\"]').checked = true")
            for name, value in values.items():
                self.browser.run(f"document.querySelector('.bulk input[name={name}]').value = {value!r}")
            self.browser.run(f"document.querySelector('.bulk button{button}').closest('.actions details')?.setAttribute('open', '')")
            self.browser.run(f"document.querySelector('.bulk button{button}').id = 'pressed'")
            self.click(button)

        def expect(paths, holds):
            items = {one["follow"]: one for one in self.stage.get("/api/v1/follows")["items"]}
            if not all(holds(items.get(path)) for path in paths):
                raise SystemExit(f"the list of follows left {items}")
        press(wanted, "[value=pause]")
        expect(wanted, lambda one: one.get("paused"))
        press(wanted, "[value=resume]")
        expect(wanted, lambda one: not one.get("paused"))
        press(wanted, "[value=every]", every="3h")
        expect(wanted, lambda one: one["every"] == "3h")
        before = self.runs()
        press(wanted, "[value=sync]")
        self.until("a run of two", lambda: any({f["follow"] for f in run["follows"]} == set(wanted)
                                               for id, run in self.runs().items() if id not in before))
        before = self.runs()
        press(wanted, "[name=only][value=people]")
        self.until("a run of one", lambda: any([f["follow"] for f in run["follows"]] == ["people"]
                                               for id, run in self.runs().items() if id not in before))
        press([one["follow"] for one in follows], "[value=remove]")
        expect([one["follow"] for one in follows], lambda one: one is None)

    def person(self, form, path):
        """Changes the family name of a person."""
        name = f"Name {time.time_ns()}"
        path = path.split("?")[0]
        self.press(form, path + "?edit", {"lastName": name}, leads=path)
        id = path.split("/")[-1]
        if self.stage.get(f"/api/v1/collections/people/{id}")["lastName"] != name:
            raise SystemExit(f"{path}: the form changed nothing")

    def contacts(self, form, path):
        """Imports a card, which a second import finds again."""
        name = f"Card {time.time_ns()}"
        self.browser.open(self.base + path)
        for said in ("1 added", "1 known already"):
            self.browser.open(self.base + path)
            self.browser.run(f"""(() => {{ const files = new DataTransfer(), field = document.querySelector("[name=cards]");
                files.items.add(new File(["BEGIN:VCARD\\r\\nVERSION:3.0\\r\\nN:{name};;;;\\r\\nFN:{name}\\r\\nBDAY:2001-02-03\\r\\nEND:VCARD\\r\\n"],
                  "one.vcf")); field.files = files.files;
                field.form.querySelector("button").id = "pressed"; return 0; }})()""")
            self.click(form)
            note = self.browser.run("document.querySelector('main > [role=status]')?.innerText")
            if said not in (note or ""):
                raise SystemExit(f"{path}: the import says {note}, not {said}")

    def definition(self, form, path):
        """Adds a source from a file, which has its form then."""
        name = f"s{time.time_ns()}"
        text = {"almanac": 1, "source": name, "title": "things", "url": "https://things.example", "collections": {
            f"{name}-things": {"id": "$.id", "fields": {"title": "text $.title"}}},
            "follows": {"all": {"get": "/things", "take": {"into": f"{name}-things"}}}}
        self.browser.open(self.base + path)
        self.browser.run(f"""(() => {{ const files = new DataTransfer(), field = document.querySelector("[name=definition]");
            files.items.add(new File([{json.dumps(json.dumps(text))}], "one.json")); field.files = files.files;
            field.form.querySelector("button").id = "pressed"; return 0; }})()""")
        self.click(form)
        if name not in {one["name"] for one in self.stage.get("/api/v1/sources")["items"]}:
            raise SystemExit(f"{path}: {self.browser.run('document.body.innerText')[:500]}")

    def addition(self, form, path):
        """Adds a person, removes them, takes that back, and removes them again."""
        self.press(form, path, {"firstName": "New", "birthday": "1 February 2000"}, leads="/collections/people/")
        place = self.browser.run("location.pathname").removeprefix(self.prefix)
        if self.stage.get(f"/api/v1{place}")["birthday"] != "2000-02-01":
            raise SystemExit(f"{place}: {self.stage.get(f'/api/v1{place}')} was born on 1 February 2000")
        for isLast in (False, True):
            self.browser.open(f"{self.base}{place}?edit")
            self.browser.run("document.querySelector('#edit > details').open = true")
            self.browser.run("document.querySelector('#edit > details button').id = 'pressed'")
            self.click("removal")
            try:
                raise SystemExit(f"{place}: {self.stage.get(f'/api/v1{place}')} is still there")
            except OSError:
                pass
            if not isLast:
                self.browser.run("document.querySelector('.note button').id = 'pressed'")
                self.click("undo")
                place = self.browser.run("location.pathname").removeprefix(self.prefix)
                self.stage.get(f"/api/v1{place}")

    def sync(self, form, path):
        before = self.runs()
        self.press(form, path)
        follows = {form["follow"]} if form["follow"] else {one["follow"] for one in FOLLOWS}

        def done():
            return any({f["follow"] for f in run["follows"]} == follows
                       for id, run in self.runs().items() if id not in before)
        self.until(f"a run of {sorted(follows)}", done)

    def media(self, form, path):
        folder = self.stage.store / "media"

        def pictures():
            return [one for one in folder.rglob("*") if one.is_file() and one.stat().st_size > 0]
        before = len(pictures())
        self.press(form, path)
        # What is kept already is not fetched again.
        self.until("pictures", lambda: len(pictures()) >= max(1, before))

    def resolve(self, form, path, id, action):
        user, entry = next((u, e) for u, e in self.outbox().items() if e["id"] == id)
        if action == "retry":
            self.stage.faults((422, "/user/eli"), (425, "/user/fay", 3600))
        self.press(form, path)
        self.until(f"{user} without its entry", lambda: self.outbox().get(user, {}).get("id") != id)
        name = self.stage.get(f"/api/v1/collections/profiles/{user}")["name"]
        mine = entry["fields"]["name"]
        if (name == mine) != (action in ("mine", "retry")):
            raise SystemExit(f"{action} left {user} with {name}, edited to {mine}")

    def all(self):
        for width in (1280, 390):
            self.browser.resize(width, 900)
            self.entries()
            self.chosen = set()
            self.browser.open(self.base + "/")
            links = self.browser.run(
                "[...new Set([...document.querySelectorAll('main a[href^=\"/\"]')].map((a) => a.getAttribute('href')))]")
            paths = [link.removeprefix(self.prefix) for link in links]
            # Profiles have edits that the outbox decides here.
            paths = [path for path in paths if not path.startswith("/collections/profiles/")]
            people = [path for path in paths if path.startswith("/collections/people/")]
            paths = [path for path in paths if path not in people[1:]] + [path + "?edit" for path in people[:1]]
            ask(f"{self.stage.url}/api/v1/tokens", {"name": "pressed", "rights": "read"}, headers=self.stage.token)
            self.done = set()
            fixed = ["/", "/outbox", "/follows", "/follows/app-store/us/top-paid", "/add", "/add/app-store", "/activity",
                     "/collections/people", "/collections/people?new", "/collections/people?import", "/access"]
            for path in fixed + [path for path in paths if path not in fixed]:
                self.page(path)
            if self.chosen != set(CHOICES.values()):
                raise SystemExit(f"of the outbox only {self.chosen} could be pressed")
        self.leave()


def run(name, program, kind, stage, folder, base=None, quick=False):
    browser = kind(program, folder / name)
    try:
        link = stage.almanac("dashboard").split()[-1]
        base = base or link.split("/login")[0]
        browser.open(link)
        if browser.run("location.href") != base + "/":
            raise SystemExit(f"{name}: the link leads to {browser.run('location.href')}")
        presser = Presser(stage, browser, base, quick)
        presser.all()
        print(f"       {name}: {presser.pressed} buttons pressed, each with its effect in the store")
    finally:
        browser.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/debug")
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("chromium-browser"))
    parser.add_argument("--firefox", default=shutil.which("firefox-esr") or shutil.which("firefox"))
    parser.add_argument("--quick", action="store_true", help="one button of each kind, in one browser")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="almanac-buttons-"))
    stage = None
    try:
        stage = Stage(options.bin, folder, FOLLOWS, ",".join(USERS))
        stage.synced()
        if options.chromium:
            run("chromium", options.chromium, Browser, stage, folder, quick=options.quick)
        if options.firefox and not (options.quick and options.chromium):
            run("firefox", options.firefox, Firefox, stage, folder, quick=options.quick)
        print("buttons: passed")
    finally:
        if stage:
            stage.end()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
