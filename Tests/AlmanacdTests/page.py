#!/usr/bin/env python3
"""The dashboard in a real browser, with everything on it.

Starts an upstream server and almanacd from --bin, gives them weeks of charts, photos, people, rejects and an outbox with
every kind of entry, and opens the page in headless Chromium through the link of `almanac dashboard`. At 1280 and 390 px,
light and dark: the content is there, the console is silent, no request leaves the daemon, nothing overflows, text has a
contrast of at least 4.5 (3 where it is large), every control has a name and is 44 px high on a phone, no page scrolls
sideways from 320 to 2,560 px or is longer than 60 KB, headings are in order, Tab goes through all
controls in the order of the page with the focus to be seen, the policy refuses foreign scripts and pictures, and an edit
made elsewhere appears without a reload and changes nothing that somebody typed, opened or selected, and a form on an old
page keeps it. A photo opens from edge to edge and is left by keys; a phone number is two taps away, and the photo of a person
is a file that is scaled down. Screenshots go to --out. Needs Python's standard library and Chromium only.

    page.py --bin .build/debug --out /tmp/page
"""
import argparse
import json
import os
import pathlib
import shutil
import struct
import sys
import tempfile
import time
import zlib

sys.dont_write_bytecode = True  # the folder is a target of the package: nothing may appear in it
from browser import Browser
from stage import Stage, ask

LOOK = r"""
(() => {
  const found = [];
  const seen = (e) => { const r = e.getBoundingClientRect(); return r.width > 1 && r.height > 1; };
  const scrolls = (e) => { for (; e; e = e.parentElement) {
    if (["auto", "scroll", "hidden"].includes(getComputedStyle(e).overflowX)) return true; } return false; };
  if (document.documentElement.scrollWidth > innerWidth)
    found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  for (const e of document.body.querySelectorAll("*")) {
    const r = e.getBoundingClientRect();
    if (seen(e) && r.left >= 0 && r.right > innerWidth + 1 && !scrolls(e))
      found.push(`${e.tagName}.${e.className} ends at ${Math.round(r.right)}`);
  }
  const parts = (text) => { const n = text.match(/[\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const over = (top, under) => top.slice(0, 3).map((v, i) => v * top[3] + under[i] * (1 - top[3]));
  const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= .03928 ? v / 12.92
    : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
  const ground = (e) => { const layers = []; for (; e; e = e.parentElement)
      layers.push(parts(getComputedStyle(e).backgroundColor));
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255]); };
  let worst = 99;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !seen(e) || ["SCRIPT", "STYLE", "TITLE"].includes(e.tagName)) continue;
    const style = getComputedStyle(e), under = ground(e);
    const ink = e instanceof SVGElement ? style.fill : style.color;
    const [a, b] = [light(over(parts(ink), under)), light(under)].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05), size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    worst = Math.min(worst, ratio);
    if (ratio < (large ? 3 : 4.5))
      found.push(`contrast ${ratio.toFixed(2)}: ${walker.currentNode.data.trim().slice(0, 30)}`);
  }
  for (const e of document.querySelectorAll("button, .button, .tile, nav a, .choices a, .plain a, .follows > li > a, input:not([type=hidden]), select, summary")) {
    const r = e.getBoundingClientRect(), least = innerWidth < 600 && !e.matches("[type=checkbox], [type=radio]") ? 44 : e.matches(".plain a") ? 0 : 24;
    if (e.checkVisibility() && (r.height < least || r.width < Math.min(least, 24))) found.push(`${e.textContent.trim()} is only ${r.width} x ${r.height} px`);
  }
  for (const i of document.images) if (!i.naturalWidth) found.push(`no picture: ${i.getAttribute("src")}`);
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) found.push(`the id ${id} twice`);
  return { found, worst };
})()
"""

FOCUS = r"""
(() => {
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  const style = getComputedStyle(e), r = e.getBoundingClientRect();
  // What is in closed details cannot be reached, and is not shown.
  const all = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")]
    .filter((one) => one.checkVisibility() && !one.matches("[tabindex='-1']"))
    // Of choices that exclude one another, the keys of arrows reach the others.
    .filter((one) => { const group = [...(one.form?.elements || [])].filter((r) => r.type === "radio" && r.name === one.name);
      return !group.includes(one) || one === (group.find((r) => r.checked) || group[0]); });
  return { name: e.getAttribute("aria-label") || e.textContent.trim(), place: all.indexOf(e), all: all.length,
    visible: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 && r.bottom > 0 && r.top < innerHeight
      && r.width > 1 };
})()
"""


def png(width, height):
    """A picture in one colour."""
    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head, rows = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0), (b"\0" + b"\x20\x60\xa0" * width) * height
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b"")


class Check:
    def __init__(self, stage, browser, out, quick, axe=None):
        self.stage, self.browser, self.out, self.quick, self.axe = stage, browser, out, quick, axe
        self.folder = stage.folder
        self.problems, self.facts, self.paths = [], [], []

    def expect(self, ok, text):
        if not ok:
            self.problems.append(text)

    def violations(self):
        """What axe-core says about the page, if it is there."""
        if not self.axe:
            return []
        self.browser.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        self.browser.run(self.axe + "; undefined")
        return self.browser.run("""
            axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations.map(
              (one) => `axe: ${one.id} (${one.impact}): ${one.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(", ")}`))
            """)

    def forms(self, name, path):
        """One page in its four forms; with --quick all but the first page in two of them."""
        self.paths.append(path)
        for width in (1280, 390):
            for scheme in ("light", "dark"):
                if self.quick and name != "home" and (width == 1280) != (scheme == "light"):
                    continue
                form = f"{name} {width} {scheme}"
                self.browser(
                    "Emulation.setDeviceMetricsOverride", width=width, height=900 if width > 600 else 844,
                    deviceScaleFactor=1, mobile=width < 600)
                self.browser("Emulation.setEmulatedMedia", features=[
                    {"name": "prefers-color-scheme", "value": scheme},
                    {"name": "prefers-reduced-motion", "value": "reduce"}])
                self.browser.open(self.stage.url + path)
                self.browser.run("document.querySelectorAll('[loading]').forEach((i) => { i.loading = 'eager'; })")
                self.browser.settle()
                look = self.browser.run(LOOK)
                self.facts.append(f"{form}: lowest contrast {look['worst']:.2f}")
                for one in look["found"]:
                    self.expect(False, f"{form}: {one}")
                for one in self.violations():
                    self.expect(False, f"{form}: {one}")
                self.browser.picture(self.out / f"{form.replace(' ', '-')}.png")
            self.tree(f"{name} {width}")
            self.keyboard(f"{name} {width}")

    def tree(self, form):
        """What a screen reader is told."""
        nodes = [n for n in self.browser("Accessibility.getFullAXTree")["nodes"] if not n.get("ignored")]

        def role(node):
            return node["role"]["value"]

        def called(node):
            return (node.get("name") or {}).get("value", "").strip()

        roles = [role(node) for node in nodes]
        for landmark in ("banner", "main", "contentinfo", "navigation"):
            self.expect(roles.count(landmark) == 1, f"{form}: {roles.count(landmark)} of the landmark {landmark}")
        names = {}
        for node in nodes:
            if role(node) in ("button", "link", "textbox", "combobox", "checkbox", "image", "navigation", "table", "region"):
                self.expect(called(node), f"{form}: a {role(node)} has no name")
            if role(node) == "button":
                names[called(node)] = names.get(called(node), 0) + 1
        for text, count in names.items():
            self.expect(count == 1, f"{form}: {count} buttons are called {text}")
        levels = []
        for node in nodes:
            if role(node) == "heading":
                levels += [p["value"]["value"] for p in node["properties"] if p["name"] == "level"]
        self.expect(levels and levels[0] == 1 and levels.count(1) == 1, f"{form}: headings {levels}")
        for before, after in zip(levels, levels[1:]):
            self.expect(after <= before + 1, f"{form}: heading {after} after {before}")
        self.facts.append(f"{form}: {len(nodes)} nodes, {roles.count('button')} buttons, {roles.count('link')} links, "
                          f"{len(levels)} headings, {roles.count('status')} status")

    def keyboard(self, form):
        """Tab reaches every control, in the order of the page. A page that was renewed meanwhile is walked again."""
        for _ in range(5):
            places, hidden, totals = self.walk()
            if len(totals) == 1:
                break
        self.expect(places == sorted(places), f"{form}: Tab does not follow the page: {places}")
        self.expect({len(places)} == totals, f"{form}: Tab reaches {len(places)} of {totals} controls")
        self.expect(not hidden, f"{form}: the focus is not seen at {hidden[:5]}")

    def walk(self):
        # From the beginning of the page, also where a field has the focus.
        self.browser.run("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex'); scrollTo(0, 0)")
        places, hidden, totals = [], [], set()
        for _ in range(400):
            self.browser.key("Tab", 9)
            at = self.browser.run(FOCUS)
            if at is None or (places and at["place"] <= places[0]):
                break
            totals.add(at["all"])
            places.append(at["place"])
            if not at["visible"]:
                hidden.append(at["name"])
        return places, hidden, totals

    def sizes(self):
        """Every page fits into every width, and none is long; script and style together are small."""
        files = [len(ask(f"{self.stage.url}/assets/almanac.{kind}", headers=self.stage.token)[2]) for kind in ("css", "js")]
        self.expect(sum(files) <= 90_000, f"the style and the script have {files} bytes")
        for path in self.paths:
            length = self.browser.run(f"fetch({path!r}).then((a) => a.text()).then((t) => t.length)")
            self.expect(length <= 60_000, f"{path} has {length} bytes")
            for width in (320, 820, 1920, 2560):
                self.browser.resize(width, 900)
                self.browser.open(self.stage.url + path)
                wide = self.browser.run("document.documentElement.scrollWidth")
                self.expect(wide <= width, f"{path} is {wide} px wide at {width} px")
        files = [len(ask(f"{self.stage.url}/assets/almanac.{kind}", headers=self.stage.token)[2]) for kind in ("css", "js")]
        self.expect(sum(files) <= 90_000, f"style and script have {files} bytes")
        self.facts.append(f"style and script: {files} bytes")
        self.forget("404")
        self.browser.resize(390, 844)

    def live(self):
        """An edit made elsewhere appears by itself; the focus stays where it was."""
        self.browser.open(self.stage.url + "/outbox")
        self.browser.run("window.same = true; document.querySelector('#problems button').focus()")
        end = time.time() + 300
        while self.browser.run("document.getElementById('line').textContent") == "" and time.time() < end:
            pass
        self.stage.patch("cy", {"name": "Cy by another hand"})
        while "Cy by another hand" not in self.browser.run("document.getElementById('outbox').textContent"):
            if time.time() > end:
                return self.expect(False, "an edit does not appear by itself")
        self.expect(self.browser.run("window.same"), "the page was loaded anew")
        self.expect(self.browser.run("document.activeElement.tagName") == "BUTTON", "the focus is lost when the page renews")

    def low(self):
        """Every section is reached on a low screen, and on a phone every day that has a birthday."""
        for width, height in ((720, 450), (844, 390), (1280, 600)):
            self.browser.resize(width, height)
            self.browser.open(self.stage.url + "/more")
            hidden = self.browser.run("""[...document.querySelectorAll("nav a, main .tile")].filter((e) => e.checkVisibility())
                .filter((e) => { e.scrollIntoView({ block: "nearest", behavior: "instant" }); const r = e.getBoundingClientRect();
                    return !e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)); }).map((e) => e.innerText)""")
            self.expect(not hidden, f"at {width} x {height} px, {hidden} cannot be reached")
        self.browser.resize(390, 844)
        self.browser.open(self.stage.url + "/birthdays")
        days = self.browser.run("""[...document.querySelectorAll(".month .day")].map((e) => [e.clientWidth, e.clientHeight,
            document.querySelector(e.getAttribute("href")) !== null])""")
        self.expect(days and all(wide >= 44 and high >= 44 and leads for wide, high, leads in days), f"days with birthdays: {days}")

    def focus(self):
        """The second of two links with one name keeps the focus when its section is renewed."""
        self.stage.photos("Twin", "Twin")
        twins = "[...document.querySelectorAll('#photos a')].filter((a) => a.querySelector('strong')?.textContent === 'Twin')"
        self.browser.open(self.stage.url + "/photos")
        self.expect(self.browser.run(f"{twins}[1].focus(); {twins}.indexOf(document.activeElement)") == 1, "two twins")
        self.stage.photos("Newcomer")
        self.appears("photos", "Newcomer")
        place = self.browser.run(f"{twins}.indexOf(document.activeElement)")
        self.expect(place == 1, f"of two links with one name, the focus went from the second to number {place + 1}")

    def viewer(self):
        """A tap opens a photo from edge to edge; keys lead on, close it, and the way back stays that of the page."""
        for width in (1280, 390):
            self.browser.resize(width, 844)
            self.browser.open(self.stage.url + "/photos")
            titles = self.browser.run("[...document.querySelectorAll('.photos img')].map((i) => i.alt)")
            total = self.browser.run("document.querySelector('#photos').dataset.total")
            owners = self.browser.run("[...document.querySelectorAll('[data-large]')].map((a) => a.dataset.by)")
            self.expect(all(owners), "a photo says neither whose it is nor from which day")

            def shows(place):
                self.until(f"photo {place} of the viewer", f"""(() => {{ const v = document.querySelector("dialog[open]");
                    return v && v.offsetWidth === innerWidth && v.offsetHeight === innerHeight && v.querySelector("img").alt ===
                      {titles[place - 1]!r} && v.innerText.includes("{place} of {total}") && v.innerText.includes({owners[place - 1]!r}); }})()""", 10)
            self.browser.click(".photos li:nth-child(2) a")
            shows(2)
            small = self.browser.run("""[...document.querySelectorAll(".viewer button, .viewer a")].map((e) => e.getBoundingClientRect())
                .filter((r) => r.width && (r.width < 44 || r.height < 44 || r.left < 0 || r.right > innerWidth || r.bottom > innerHeight)).length""")
            self.expect(small == 0, f"at {width} px, {small} controls of the viewer are small or cut")
            self.expect(self.browser.run("document.querySelector('.viewer p > span').offsetWidth") > 300, f"at {width} px, the caption is squeezed")
            if width < 600:
                for way, place in ((-1, 3), (1, 2)):
                    for kind, x in (("touchStart", 195 - way * 80), ("touchMove", 195), ("touchMove", 195 + way * 80), ("touchEnd", None)):
                        self.browser("Input.dispatchTouchEvent", type=kind, touchPoints=[] if x is None else [{"x": x, "y": 400}])
                    shows(place)
            for key, code, place in (("ArrowRight", 39, 3), ("ArrowLeft", 37, 2), ("ArrowLeft", 37, 1), ("ArrowLeft", 37, 1)):
                self.browser.key(key, code)
                shows(place)
            self.browser.key("Escape", 27)
            closed = "!document.querySelector('dialog[open]') && location.hash === ''"
            self.until("a viewer that is closed", closed, 10)
            self.expect(self.browser.run("document.activeElement === document.querySelector('.photos a')"), "the photo has no focus")
            self.browser.key("f", 70)
            shows(1)
            self.browser.run("history.back(); 0")
            self.until("the list behind the viewer", closed, 10)
            # The list goes on where somebody scrolls.
            self.browser.run("dispatchEvent(new Event('wheel')); scrollTo(0, document.body.scrollHeight); 0")
            self.until("more photos", f"document.querySelectorAll('.photos a').length > {len(titles)}", 30)
        link = "document.querySelector('.photos a').href"
        self.browser.open(self.browser.run(link))
        self.browser.key("f", 70)
        shows(1)

    def portrait(self, id):
        """Two taps to a person's phone number; a photo is chosen as a file, scaled down, and is in the card then."""
        page = f"{self.stage.url}/collections/people/{id}"
        picture = self.folder / "large.png"
        picture.write_bytes(png(1600, 1200))

        def press(selector):
            self.browser.run("window.before = true")
            self.browser.click(selector)
            self.until(f"a page after {selector}", "!window.before && document.readyState === 'complete'")
        self.browser.resize(390, 844)
        self.browser.open(page)
        press(".acts a[href$='?edit']")
        field = "document.querySelector('[name=\"phones[].value\"]')"
        self.expect(self.browser.run(f"{field}.type === 'tel' && {field}.getBoundingClientRect().bottom < innerHeight"),
                    "the phone number is not on the first screen of the form")
        self.browser.run(f"{field}.value = '+49 30 555'; 0")
        root = self.browser("DOM.getDocument")["root"]["nodeId"]
        node = self.browser("DOM.querySelector", nodeId=root, selector="input[type=file]")["nodeId"]
        self.browser("DOM.setFileInputFiles", nodeId=node, files=[str(picture)])
        self.until("a smaller photo", "document.querySelector('canvas.avatar')?.width === 512")
        press(".saving button")
        stored = self.stage.get(f"/api/v1/collections/people/{id}")
        self.expect(stored["phones"][0]["value"] == "+49 30 555", f"the form left {stored}")
        self.expect(stored.get("photo", {}).get("type") == "image/jpeg" and stored["photo"]["bytes"] < 200_000, f"the form left {stored}")
        self.expect(self.browser.run("document.querySelector('.note').getBoundingClientRect().top > document.querySelector('h1').getBoundingClientRect().bottom"),
                    "on a phone, the message covers the heading")
        self.until("the photo on the page", "document.querySelector('#record .avatar').naturalWidth === 512")
        cards = self.folder / "cards.vcf"
        self.stage.almanac("export", "people", "--to", "vcf", "--out", str(cards))
        self.expect("PHOTO" in cards.read_text(), "no card has a photo")

    def unsaved(self, id):
        """What is typed into a form stays where it is when the page is renewed, and is not left without a question."""
        form = f"{self.stage.url}/collections/people/{id}?edit"
        others = [one["id"] for one in self.stage.get("/api/v1/collections/people?limit=5")["items"] if one["id"] != id]
        self.browser.resize(1280, 900)
        self.browser.open(form)
        self.until("the stream", "document.getElementById('line').textContent === 'Live'")
        self.browser.click("[name=note]")
        self.browser("Input.insertText", text="typed")
        renewed = "performance.getEntriesByType('resource').filter((one) => one.name.includes('?edit')).length"
        before = self.browser.run(renewed)
        self.stage.almanac("people", "edit", others[0], "--nickname", "Meanwhile")
        self.until("a renewal of the form", f"{renewed} > {before}")
        self.until("the renewal has ended", "document.querySelectorAll('main [name=note]').length >= 1")
        for what, script in (("forms", "document.querySelectorAll('main .saving').length"),
                             ("notes", "document.querySelectorAll('main [name=note]').length")):
            self.expect(self.browser.run(script) == 1, f"after a renewal there are {self.browser.run(script)} {what}")
        self.expect(self.browser.run("document.querySelector('[name=note]').value") == "typed", "what was typed is gone")
        self.browser.asked.clear()
        self.browser.open(self.stage.url + "/follows")
        self.expect(self.browser.asked == ["beforeunload"], f"a form with input was left with {self.browser.asked}")
        self.browser.open(form)
        self.browser.click(".fields > [role=status] button")
        self.browser.open(self.stage.url + "/follows")
        self.expect(len(self.browser.asked) == 1, "a form without input asks before it is left")

    def birthday(self, id):
        """A birthday that is typed is stored; one that the calendar does not have is refused, and stays in its fields."""
        page = f"{self.stage.url}/collections/people/{id}?edit"

        def save(day):
            self.browser.open(page)
            self.browser.click("[name=birthday]")
            self.browser.run("document.activeElement.select()")
            self.browser("Input.insertText", text=day)
            self.browser.run("window.before = true")
            self.browser.click(".saving button")
            self.until("an answer to the form", "!window.before && document.readyState === 'complete'")
            return self.stage.get(f"/api/v1/collections/people/{id}").get("birthday", "")
        self.browser.resize(1280, 900)
        self.expect(save("12 March 1980") == "1980-03-12", "the day that was typed is not stored")
        self.expect(save("42 March 1980") == "1980-03-12", "a day that there is not changed the birthday")
        self.expect(self.browser.run("document.querySelector('[name=birthday]').value") == "42 March 1980", "the day is not in its field")
        self.expect("that the calendar has" in self.browser.run("document.body.innerText"), "the page does not say what is wrong with the day")
        self.expect(self.browser.run("location.search") == "?edit", "the refused form has no address that can be loaded again")
        self.forget("422")

    def mistakes(self, id):
        """Several mistakes are told in the order of the page, each beside its row; the first one has the focus."""
        rows = "document.querySelectorAll('[name=\"phones[].value\"]')"
        for width in (1280, 390):
            self.browser.resize(width, 844)
            self.browser.open(f"{self.stage.url}/collections/people/{id}?edit")
            last = self.browser.run(f"{rows}.length") - 1
            self.browser.run(f"""window.before = true; {rows}[{last}].value = "no number"; document.querySelector("[name=urls]").value = "nowhere";
                document.querySelector("[name=birthday]").value = "42 March"; document.querySelector(".saving button").click()""")
            self.until("an answer to the form", "!window.before && document.readyState === 'complete'")
            state = self.browser.run(f"""[[...document.querySelectorAll("[role=alert] a")].map((e) => e.textContent), document.activeElement === {rows}[{last}],
                [...document.querySelectorAll("[aria-invalid]")].map((e) => e.value), document.activeElement.getBoundingClientRect().bottom < innerHeight]""")
            beside = self.browser.run(f"document.querySelector('#problem-phones').getBoundingClientRect().bottom <= {rows}[{last + 1}].getBoundingClientRect().top")
            self.expect(self.browser.run("document.querySelector('nav .count') !== null"), "the page of a refused form has no counts")
            self.expect(beside, f"at {width} px, what is wrong with a number is not below its row")
            self.expect(state == [["Phone", "Birthday", "Web page"], True, ["no number", "42 March", "nowhere"], True], f"at {width} px, three mistakes: {state}")
        self.forget("422")

    def paper(self, chart):
        """A chart has its prices on a phone, and ink on white paper also where the screen is dark."""
        self.browser.resize(390, 844)
        self.browser.open(self.stage.url + chart)
        self.expect(self.browser.run("[...document.querySelectorAll('.ranks .price')].every((e) => e.checkVisibility())"), "a phone shows no prices")
        dark = [{"name": "prefers-color-scheme", "value": "dark"}]
        self.browser("Emulation.setEmulatedMedia", media="print", features=dark)
        state = self.browser.run("[getComputedStyle(document.querySelector('h1')).color, document.querySelector('nav').checkVisibility()]")
        self.expect(state == ["rgb(0, 0, 0)", False], f"on paper: {state}")
        self.browser("Emulation.setEmulatedMedia", media="", features=dark)
        self.browser.open(self.stage.url + "/charts")

    def away(self, id):
        """What was typed stays in its form while the daemon does not answer, and is sent when it does."""
        self.browser.resize(390, 844)  # where the word that the daemon is away is near the button
        self.browser.open(f"{self.stage.url}/collections/people/{id}?edit")
        self.until("the stream", "document.getElementById('line').textContent === 'Live'")
        self.browser.run("document.querySelector('[name=nickname]').value = 'Typed while away'; window.before = true")
        self.stage.stop()
        self.browser.click(".saving button")
        self.until("a form that is not sent", "document.querySelector('.unsent')?.innerText.includes('Nothing was sent')")
        # Nothing of it lies over the title of the form, its Save bar, or the word of another one.
        covered = self.browser.run("""(() => { scrollTo({ top: 0, behavior: "instant" });
            const box = (e) => e.getBoundingClientRect(), told = box(document.querySelector(".unsent"));
            return [...document.querySelectorAll("h1, .saving, .away .line")].filter((e) => e.checkVisibility() && box(e).height > 1
              && box(e).bottom > told.top + 1 && box(e).top < told.bottom - 1).map((e) => e.innerText); })()""")
        self.expect(covered == [], f"what says that nothing was sent covers {covered}")
        self.expect(self.browser.run("document.querySelector('[name=nickname]').value") == "Typed while away", "the text is lost")
        self.stage.start()
        self.until("a form that can be sent", "document.querySelector('.unsent').innerText.includes('answers again')")
        self.browser.click(".saving button")
        self.until("an answer to the form", "!window.before && document.readyState === 'complete'")
        stored = self.stage.get(f"/api/v1/collections/people/{id}")
        self.expect(stored.get("nickname") == "Typed while away", f"the form left {stored}")
        self.forget("502")
        self.browser.events = [e for e in self.browser.events if "ERR_CONNECTION_REFUSED" not in str(e)]

    def follow(self, path, **settings):
        ask(f"{self.stage.url}/api/v1/follows", {"follow": path, **settings}, headers=self.stage.token)

    def unfollow(self, path):
        ask(f"{self.stage.url}/api/v1/follows/{path}", method="DELETE", headers=self.stage.token)

    def typing(self):
        """What somebody types, opens, ticks and selects stays while the page changes."""
        path = "app-store/us/top-paid"
        form = "document.querySelector('form[action$=\"/do/change\"]')"
        self.browser.open(f"{self.stage.url}/follows/{path}")
        self.browser.run(f"""(() => {{
            const form = {form};
            document.querySelector("#follow details").open = true;
            form.elements.every.focus(); form.elements.limit.focus(); form.elements.limit.select();
            window.field = form.elements.limit; return 0; }})()""")
        self.browser("Input.insertText", text="77")
        self.browser.run("window.field.setSelectionRange(0, 1); 0")
        self.follow(path, every="5h", limit=13)
        self.until("settings", f"{form}.elements.every.value === '5h'")
        state = self.browser.run(f"""(() => {{ const field = {form}.elements.limit; return {{
            same: field === window.field, value: field.value, focus: document.activeElement === field,
            selection: [field.selectionStart, field.selectionEnd],
            question: document.querySelector("#follow details").open }}; }})()""")
        self.expect(state == {"same": True, "value": "77", "focus": True, "selection": [0, 1], "question": True},
                    f"the follow was changed elsewhere: the form that somebody fills in is now {state}")
        # A selection of text, for a copy.
        self.browser.open(self.stage.url + "/outbox")
        self.browser.run("getSelection().selectAllChildren(document.querySelector('#outbox strong a')); 0")
        picked = self.browser.run("getSelection().toString()")
        self.stage.patch("cy", {"description": "Is changed while somebody copies."})
        self.appears("outbox", "while somebody copies")
        self.expect(picked and self.browser.run("getSelection().toString()") == picked, f"'{picked}' is not selected any more")
        self.ticked(path)
        self.refused(path, form)

    def ticked(self, path):
        """A follow that is ticked stays so while another comes before it, and also when it is removed itself."""
        self.browser.open(self.stage.url + "/follows")
        self.browser.click(".choose")
        self.browser.run(f"window.box = document.querySelector('#follows input[value=\"{path}\"]'); box.focus(); box.checked = true; 0")
        rows = "document.querySelectorAll('#follows li').length"
        before = self.browser.run(rows)
        self.follow("app-store/us/new", limit=3)
        self.until("another follow", f"{rows} === {before + 1}")
        held = "box.isConnected && box.checked && document.activeElement === box"
        self.expect(self.browser.run(held), "a follow was added, and another is not ticked any more")
        self.unfollow(path)
        self.unfollow("app-store/us/new")
        self.until("the end of the other", "!document.querySelector('#follows input[value=\"app-store/us/new\"]')")
        self.expect(self.browser.run(held), "the follow was removed, and the tick with it")
        self.follow(path, limit=12)

    def refused(self, path, form):
        """A form that was refused keeps the reason and what was sent while the page changes."""
        self.browser.open(f"{self.stage.url}/follows/{path}")
        self.browser.run(f"""(() => {{ const form = {form}; window.before = true;
            form.elements.every.value = "soon"; form.querySelector("button").click(); return 0; }})()""")
        self.until("a refusal", f"!window.before && document.readyState === 'complete' && {form}")
        self.follow(path, paused=True)
        self.until("a change", "document.querySelector('#follow .badge').textContent === 'paused'")
        state = self.browser.run(f"[{form}.elements.every.value, {form}.textContent.includes('is not an interval')]")
        self.expect(state == ["soon", True], f"a form that was refused is renewed: {state}")
        self.follow(path, paused=False)
        self.forget("422")

    def older(self):
        """A form on an old page: what another edit changed stays, and what both changed is shown with both values."""
        id = self.stage.get("/api/v1/collections/people?limit=1")["items"][0]["id"]
        place = f"/api/v1/collections/people/{id}"

        def save(form):
            self.browser.run(f"window.before = true; {form}.querySelector('button').click(); 0")
            self.until("an answer to the form", "!window.before && document.readyState === 'complete'")

        def fields(form, **values):
            self.browser.run("; ".join(f"{form}.elements.{name}.value = {value!r}" for name, value in values.items()) + "; 0")
        person = "document.querySelector('form[action$=\"people/edit\"]')"
        self.browser.open(f"{self.stage.url}/collections/people/{id}?edit")
        fields(person, firstName="Mine", lastName="Of mine")
        ask(f"{self.stage.url}/api/v1/collections/people/{id}", {"lastName": "Of theirs", "nickname": "Theirs", "note": "a\nb"},
            "PATCH", self.stage.token)
        save(person)
        shown = self.browser.run(f"""(() => {{ const e = {person}.elements; return [e.firstName.value, e.lastName.value,
            e.nickname.value, e.note.value, e.lastName.closest("label").innerText.includes("Of theirs")]; }})()""")
        self.expect(shown == ["Mine", "Of mine", "Theirs", "a\nb", True], f"a form of an old page shows {shown}")
        save(person)
        stored = self.stage.get(place)
        stored = [stored.get(name) for name in ("firstName", "lastName", "nickname", "note")]
        self.expect(stored == ["Mine", "Of mine", "Theirs", "a\nb"], f"two edits of one person left {stored}")

        path = "app-store/us/top-paid"
        form = "document.querySelector('form[action$=\"/do/change\"]')"
        self.follow(path, limit=12, every="2h")
        self.browser.open(f"{self.stage.url}/follows/{path}")
        fields(form, limit="11")
        # The page is renewed while somebody types: the field shows what is typed, and belongs to what it showed before.
        self.follow(path, limit=10, every="6h")
        self.until("the other's settings", f"{form}.elements.every.value === '6h'")
        save(form)
        shown = self.browser.run(f"[{form}.elements.limit.value, {form}.elements.every.value, {form}.innerText.includes('10')]")
        self.expect(shown == ["11", "6h", True], f"a form of an old page of a follow shows {shown}")
        save(form)
        stored = next(one for one in self.stage.get("/api/v1/follows")["items"] if one["follow"] == path)
        self.expect([stored["limit"], stored["every"]] == [11, "6h"], f"two changes of one follow left {stored}")
        self.forget("412")

    def decisions(self):
        """A conflict is on top of the page, and is decided field by field."""
        def entry():
            return next((one for one in self.stage.get("/api/v1/outbox")["items"] if one["target"] == "profiles/ada"), None)
        # What the record says of its edit goes when the edit does.
        self.browser.open(self.stage.url + "/collections/profiles/ada")
        self.expect("In conflict" in self.browser.run("document.querySelector('#edits').innerText"), "the record does not say that its edit is in conflict")
        ask(f"{self.stage.url}/api/v1/outbox/{entry()['id']}/resolve", {"take": "theirs"}, headers=self.stage.token)
        self.until("a record without a banner", "!document.querySelector('#edits').innerText && !document.querySelector('#edits').checkVisibility()")
        ask(f"{self.stage.up}/_upstream/users/ada", {"name": "Name of theirs", "email": "ada@theirs.example"})
        self.stage.patch("ada", {"name": "Name of mine", "email": "ada@mine.example"})
        self.stage.until("a conflict in two fields", lambda: (entry() or {}).get("state") == "conflict")
        self.browser.open(self.stage.url + "/")
        self.browser.resize(1440, 900)
        self.browser.open(self.stage.url + "/outbox")
        table = self.browser.run("""(() => { const row = [...document.querySelectorAll(".decide tbody tr")].find((e) => /^Name/.test(e.innerText)),
            cells = [...row.children].map((e) => e.getBoundingClientRect()); return [[...row.closest("table").tHead.rows[0].cells].map((e) => e.innerText),
            cells.every((r) => r.top === cells[0].top), cells.every((r, i) => !i || r.left >= cells[i - 1].right - 1),
            [...row.querySelectorAll("input")].map((e) => e.labels[0].innerText.replaceAll("\\n", " "))]; })()""")
        self.expect(table[:3] == [["Field", "Was", "Yours", "Theirs (Users)"], True, True] and "Name, yours" in table[3][0] and "Name of mine" in table[3][0],
                    f"the table of a conflict: {table}")
        self.browser.open(self.stage.url + "/")
        form = "document.querySelector('#problems form[action$=\"/fields\"]')"
        self.expect(self.browser.run(f"{form} !== null"), "the conflict is not on top of the page")
        self.browser.run(f"{form}.closest('details').open = true")
        for field, side in (("name", "mine"), ("email", "theirs")):
            self.browser.click(f"#problems input[name='take.{field}'][value={side}]")
        self.browser.run("window.before = true")
        self.browser.run(f"{form}.querySelector('button').id = 'pressed'")
        self.browser.click("#pressed")
        self.until("an answer to the decision", "!window.before && document.readyState === 'complete'")
        self.until("the way of the edit", r"/decided, field by field\. (Sending|Not sent|The server)/.test(document.querySelector('.note').innerText)")
        # It is sent with the next attempt, which may wait for other edits that keep failing.
        self.stage.until("the decided edit", lambda: (entry() or {"state": "pending"})["state"] == "pending")
        stored = self.stage.get("/api/v1/collections/profiles/ada")
        self.expect([stored["name"], stored["email"]] == ["Name of mine", "ada@theirs.example"],
                    f"a decision by field left {stored}")

    def until(self, what, script, seconds=60):
        end = time.time() + seconds
        while not self.browser.holds(script):
            if time.time() > end:
                return self.expect(False, f"waited in vain for {what}: {script[-80:]}")

    def beginning(self):
        """A change that is made after the page was read, and before its event stream begins, appears all the same."""
        self.browser("Fetch.enable", patterns=[{"urlPattern": "*/api/v1/events*"}])
        self.browser.open(self.stage.url + "/outbox")

        def held():
            self.browser.run("0")  # takes what the browser has to say
            return [e["params"] for e in self.browser.events if e.get("method") == "Fetch.requestPaused"]
        self.stage.until("the request for the stream", held)
        self.stage.patch("cy", {"name": "Cy between page and stream"})
        for one in held():
            # Later events of the edit could renew the page as well; the place in the stream is what makes it sure.
            self.expect("lastEventID=" in one["request"]["url"], f"the stream begins anywhere: {one['request']['url']}")
            self.browser("Fetch.continueRequest", requestId=one["requestId"])
        self.browser("Fetch.disable")
        self.appears("outbox", "Cy between page and stream")

    def refusal(self):
        """An event stream that is answered with an error, as by a proxy without its server, is asked for again."""
        self.browser("Fetch.enable", patterns=[{"urlPattern": "*/api/v1/events*"}])
        self.browser.events = [e for e in self.browser.events if e.get("method") != "Fetch.requestPaused"]
        self.browser.open(self.stage.url + "/outbox")

        def held():
            self.browser.run("0")
            return [e["params"] for e in self.browser.events if e.get("method") == "Fetch.requestPaused"]
        self.stage.until("the request for the stream", held)
        for one in held():
            self.browser("Fetch.fulfillRequest", requestId=one["requestId"], responseCode=502)
        self.browser("Fetch.disable")
        self.until("a page that says so", "document.body.classList.contains('away')")
        self.until("a page that is live again", "!document.body.classList.contains('away')")
        self.stage.patch("cy", {"name": "Cy after the proxy"})
        self.appears("outbox", "Cy after the proxy")
        self.forget("502")

    def ticks(self):
        """Shift takes all rows up to the one that was ticked before; what can be done to them is shown then."""
        self.browser.open(self.stage.url + "/collections/people")
        boxes = "[...document.querySelectorAll('.bulk [type=checkbox]')].filter((one) => one.checkVisibility()).length"
        self.expect(self.browser.run(boxes) == 0, "boxes are shown although nobody selects")
        for key, code, holds in (("x", 88, True), ("Escape", 27, False)):
            self.browser.key(key, code)
            self.expect((self.browser.run(boxes) > 10) == holds, f"after the key {key}, {self.browser.run(boxes)} boxes are shown")
        self.browser.click(".choose")
        self.expect(self.browser.run(boxes) > 10, "the button Select shows no boxes")
        self.browser.click(".addresses li:nth-of-type(2) strong")
        state = self.browser.run("[location.pathname, document.querySelectorAll('.tick :checked').length]")
        self.expect(state == ["/collections/people", 1], f"a press on a row while somebody selects leads to {state}")
        self.browser.click(".choose")
        self.expect(self.browser.run(boxes) == 0 and not self.browser.run("document.querySelector('.bulk :checked') !== null"), "Done leaves boxes or ticks")
        shown = "getComputedStyle(document.querySelector('.actions')).display !== 'none'"
        self.expect(not self.browser.run(shown), "the actions are shown although nothing is ticked")
        count = self.browser.run("""(() => {
          const boxes = [...document.querySelectorAll(".tick input")], last = Math.min(3, boxes.length) - 1;
          boxes[0].click();
          boxes[last].dispatchEvent(new MouseEvent("click", { shiftKey: true, bubbles: true }));
          return boxes.filter((box) => box.checked).length - last; })()""")
        self.expect(count == 1 and self.browser.run(shown), f"not every row up to the last one is ticked: {count}")
        for width, most in ((1280, 52), (390, 64)):
            self.browser.resize(width, 844)
            self.bar(width, most)

    def bar(self, width, most):
        """The actions on what is ticked are one row; its menus open over the list, and Escape closes them."""
        self.browser.open(self.stage.url + "/collections/people")
        rows = self.browser.run("[...document.querySelectorAll('.addresses > li')].map((e) => e.getBoundingClientRect().height)")
        self.expect(max(rows) <= most, f"at {width} px, a row of people is {max(rows)} px high")
        self.browser.click(".choose")
        merge = "[...document.querySelectorAll('.actions [name=merge]')].map((b) => b.disabled ? b.title : 'on')"
        for count, said in ((1, "Merge takes two people"), (2, "on"), (3, "Merge takes two people")):
            self.browser.run(f"document.querySelectorAll('.tick input')[{count - 1}].click()")
            self.expect(set(self.browser.run(merge)) == {said}, f"with {count} ticked, Merge says {self.browser.run(merge)}")
        bar = self.browser.run("""(() => { const r = document.querySelector(".actions").getBoundingClientRect(),
            tops = [...document.querySelectorAll(".actions > *")].filter((e) => e.checkVisibility()).map((e) => { const r = e.getBoundingClientRect(); return r.y + r.height / 2; });
            return [r.height, Math.max(...tops) - Math.min(...tops), innerHeight - r.bottom]; })()""")
        self.expect(bar[0] <= 66 and bar[1] < 4 and bar[2] >= 0, f"at {width} px, the bar of actions is {bar}")
        for number, first in ((1, "INPUT"), (2, "BUTTON")):
            menu = f".actions .menu:nth-of-type({number})"
            self.browser.click(menu + " > summary")
            place = self.browser.run(f"""(() => {{ const r = document.querySelector("{menu} > div").getBoundingClientRect(), b = document.querySelector(".actions").getBoundingClientRect();
                return [r.left >= 0, r.right <= innerWidth, r.top >= 0, r.bottom <= b.top, b.height]; }})()""")
            self.expect(place == [True] * 4 + [bar[0]], f"at {width} px, menu {number} opens at {place}, the bar is {bar}")
            for one in self.browser.run(LOOK)["found"]:
                self.expect(False, f"menu {number} of the bar {width}: {one}")
            self.until("the focus in the menu", f"document.activeElement.closest('{menu} > div') && document.activeElement.tagName === '{first}'", 5)
            self.browser.key("Escape", 27)
            state = self.browser.run(f"[document.querySelector('{menu}').open, document.activeElement === document.querySelector('{menu} > summary')]")
            self.expect(state == [False, True], f"at {width} px, Escape leaves menu {number} open, or the focus elsewhere: {state}")
        self.browser.click(".all input")
        said = self.browser.run("""[[...document.querySelectorAll(".tick input")].every((box) => box.checked),
            getComputedStyle(document.querySelector(".ticked"), "::before").content]""")
        total = self.stage.get("/api/v1/collections/people?total=true&limit=1")["total"]
        self.expect(said[0] and str(total) in said[1], f"all {total} that match: {said}")
        self.browser.click(".actions [type=reset]")
        self.until("no tick", "!document.querySelector('.bulk :checked') && !document.querySelector('.actions').checkVisibility()", 5)
        # What the answer to a refused action ticks stays ticked while the page changes.
        person = self.stage.get("/api/v1/collections/people?limit=1&sort=fullName")["items"][0]["id"]
        self.browser.open(f"{self.stage.url}/collections/people?merge=ticked&id={person}")
        self.forget("422")
        name = f"Aa {time.time_ns()}"
        ask(f"{self.stage.url}/api/v1/collections/people", {"firstName": name}, headers=self.stage.token)
        self.appears("records", name)
        self.expect(self.browser.run(f"document.querySelector('.tick input[value=\"{person}\"]').checked"), "a tick is lost")
        # One entry of a menu a line.
        self.browser.click(".head .menu:last-of-type > summary")
        tops = self.browser.run("[...document.querySelectorAll('.head .menu[open] a')].map((e) => e.getBoundingClientRect().top)")
        self.expect(len(tops) > 2 and len(set(tops)) == len(tops), f"entries of a menu are beside one another: {tops}")

    def times(self):
        """Words for times are right when they are read: no count of seconds, a past time is not one to come."""
        self.browser.open(self.stage.url + "/follows")
        words = self.browser.run("""[[-10], [10], [-50], [-300], [120, "now"], [-1, "now"], [-1, "over", "ends "], [200, "over", "ends "],
            [-3600, undefined, undefined, "at"]].map(([seconds, due, lead, kind]) => {
              const time = document.createElement("time"), at = new Date(Date.now() + seconds * 1000);
              time.dateTime = at.toISOString();
              time.dataset.ago = kind || "";
              if (due) time.dataset.due = due;
              if (lead) time.dataset.lead = lead;
              document.querySelector("main").append(time);
              ago();
              const text = time.textContent, clock = at.toTimeString().slice(0, 5);
              time.remove();
              return text.replace(clock, "CLOCK").replace("yesterday, ", ""); })""")
        expected = ["just now", "in a moment", "1 minute ago", "5 minutes ago", "in 2 minutes", "now", "over", "ends in 3 minutes", "CLOCK"]
        self.expect(words == expected, f"times are said as {words}")
        rows = self.browser.run("""[...document.querySelectorAll(".follows > li")].map((e) => [e.innerText, e.offsetHeight])""")
        text = " ".join(text for text, _ in rows)
        self.expect("failing since" in text and "next try" in text, f"the list of follows says {text}")
        self.browser.resize(1440, 900)
        high = self.browser.run("Math.max(...[...document.querySelectorAll('.follows > li')].map((e) => e.offsetHeight))")
        self.expect(high <= 52, f"a follow is {high} px high")

    def heads(self):
        """The heading of a page begins where the page begins, below what leads back; what can be done is at the right edge."""
        for width in (1440, 390):
            self.browser.resize(width, 900)
            for path in self.paths:
                self.browser.open(self.stage.url + path)
                found = self.browser.run("""(() => { const h = document.querySelector("main .head h1, main h1:not(.hidden)");
                    const head = h?.closest(".head"), box = (head || h)?.getBoundingClientRect();
                    if (!h || h.closest(".narrow, .person, #record") || !head) return [];
                    const r = h.getBoundingClientRect(), last = head.lastElementChild.getBoundingClientRect(), back = h.parentElement.querySelector(":scope > p.small");
                    return [r.left - box.left > 1 && "the heading is in the middle", back && back.getBoundingClientRect().top > r.top && "what leads back is below the heading",
                      innerWidth > 1000 && head.children.length > 1 && !head.lastElementChild.matches(".soft") && box.right - last.right > 1 && "what can be done is not at the right edge"].filter((one) => one);
                    })()""")
                self.expect(not found, f"{path} at {width} px: {found}")
        self.forget("404")

    def tokens(self):
        """A name is what people type; one that is taken keeps the form, the focus and a free name; the end of a token is asked for."""
        for width in (1440, 390):
            self.browser.resize(width, 844)
            name, form = f"My phone {width}", "document.querySelector('#newtoken form')"

            def press(selector):
                self.browser.run("window.before = true")
                self.browser.click(selector)
                self.until(f"a page after {selector}", "!window.before && document.readyState === 'complete'")
            for answer in ("secret", "problem-name"):
                self.browser.open(self.stage.url + "/access")
                wide = self.browser.run(f"{form}.elements.rights.offsetWidth")
                self.expect(wide <= 360, f"at {width} px, the choice of rights is {wide} px wide")
                self.browser.run(f"{form}.elements.name.value = {name!r}; 0")
                press("#newtoken button:not([name])")
                self.until(f"{answer} of {name}", f"document.getElementById({answer!r}) !== null", 10)
            state = self.browser.run(f"""(() => {{ const field = {form}.elements.name, said = document.getElementById("problem-name").getBoundingClientRect();
                const r = field.getBoundingClientRect(); return [document.activeElement === field, field.value, said.top >= r.bottom, Math.abs(said.left - r.left) < 2]; }})()""")
            self.expect(state == [True, name, True, True], f"at {width} px, the refused form of a token is {state}")
            for one in self.browser.run(LOOK)["found"]:
                self.expect(False, f"refused token {width}: {one}")
            press("#newtoken button[name=as]")
            self.expect(f"The token {name} 2" in self.browser.run("document.body.innerText"), "the free name is not taken")
            revoke = f"#tokens summary[aria-label='Revoke {name}']"
            self.browser.click(revoke)
            self.expect("refused from then on" in self.browser.run(f"document.querySelector({revoke!r}).parentElement.innerText"),
                        "the page does not say what ends with a token")
            press(f"#tokens button[aria-label='Revoke it: {name}']")
            names = [one["name"] for one in self.stage.get("/api/v1/tokens")["items"]]
            self.expect(f"{name} 2" in names and name not in names, f"the tokens are {names}")
        self.forget("409")

    def order(self):
        """An order is taken as it is chosen, in place; its button is for browsers without the script."""
        self.browser.resize(1280, 900)
        self.browser.open(self.stage.url + "/collections/people")
        first = "document.querySelector('#records li a').textContent"
        before = self.browser.run(f"window.same = true; document.querySelector('[name=sort]').focus(); {first}")
        self.expect(not self.browser.run("document.querySelector('.unscripted').checkVisibility()"), "the button of the order is shown")
        self.browser.key("ArrowDown", 40)
        self.until("another order", f"{first} !== {before!r}", 10)
        state = self.browser.run("[window.same, location.search, document.activeElement.name]")
        self.expect(state == [True, "?sort=lastName", "sort"], f"after another order: {state}")

    def between(self):
        """A number has a least and a most; each condition is taken away by itself. A record is called by its name or its id."""
        total = len(self.stage.get("/api/v1/collections/apps?limit=100&where=price.amount%20%3E%3D%201&where=price.amount%20%3C%3D%203")["items"])
        more = len(self.stage.get("/api/v1/collections/apps?limit=100&where=price.amount%20%3E%3D%201")["items"])
        for width in (1280, 390):
            self.browser.resize(width, 844)
            self.browser.open(self.stage.url + "/collections/apps")
            self.browser.click(".seek > details > summary")
            self.browser.run("document.querySelectorAll('[loading]').forEach((i) => { i.loading = 'eager'; })")
            self.browser.settle()
            for one in self.browser.run(LOOK)["found"]:
                self.expect(False, f"filter {width}: {one}")
            self.browser.run("""(() => { const e = document.querySelector(".seek").elements; e.between.value = "price.amount"; e.least.value = "1"; e.most.value = "3";
                window.before = true; })()""")
            self.browser.click(".seek .fields > button")
            self.until("what is between", "!window.before && document.readyState === 'complete'")
            said = "[document.querySelector('#count').textContent, [...document.querySelectorAll('.seek + .choices a')].map((e) => e.firstChild.data.trim())]"
            self.expect(0 < total < more and self.browser.run(said) == [f"{total} found", ["Price at least 1", "Price at most 3"]], f"between 1 and 3 are {total}: {self.browser.run(said)}")
            self.browser.run("window.before = true")
            self.browser.click(".seek + .choices a:last-child")
            self.until("one condition", "!window.before && document.readyState === 'complete'")
            self.expect(self.browser.run(said) == [f"{more} found", ["Price at least 1"]], f"from 1 on are {more}: {self.browser.run(said)}")

        high = self.browser.run("[...document.querySelectorAll('.two tbody tr')].map((e) => e.offsetHeight)")
        self.expect(high and max(high) <= 60, f"on a phone, records are {high} px high")

    def years(self):
        """Each year of the photos has a link that leads to its first photo, also on a later page."""
        links = "[...document.querySelectorAll('#choices-years a')].filter((e) => Number(e.textContent))"
        self.browser.resize(390, 844)
        self.browser.open(self.stage.url + "/photos")
        years = self.browser.run(f"{links}.map((e) => e.textContent)")
        self.expect(len(years) > 2 and years == sorted(years, reverse=True), f"the years of the photos are {years}")
        for year in (years[1], years[-1]):
            self.browser.open(self.stage.url + "/photos")
            self.browser.run(f"{links}.find((e) => e.textContent === {year!r}).click(); 0")
            self.until(f"the photos of {year}", f"[...document.querySelectorAll('.by-month')].some((e) => e.getBoundingClientRect().top >= 60 && e.querySelector('h2').textContent.includes({year!r}))", 10)
            self.until(f"the mark of {year}", f"{links}.every((e) => e.hasAttribute('aria-current') === (e.textContent === {year!r}))", 10)
        self.until("a picture of a tile's size", "performance.getEntriesByType('resource').some((e) => e.name.includes('?tile') && e.responseEnd)", 10)
        most = self.browser.run("""(() => { const all = performance.getEntriesByType("resource").filter((e) => e.name.includes("?tile"));
            return Math.max(...all.map((e) => all.filter((o) => o.fetchStart <= e.fetchStart && o.responseEnd > e.fetchStart).length)); })()""")
        self.expect(most <= 2, f"{most} pictures are fetched side by side")

    def beside(self):
        """Who is here already is said while a name is typed; on a wide screen, a person is shown beside the list."""
        person = self.stage.get("/api/v1/collections/people?limit=1&sort=fullName")["items"][0]
        self.browser.resize(390, 844)
        self.browser.open(self.stage.url + "/collections/people?new")
        for name in ("firstName", "lastName"):
            self.browser.run(f"document.querySelector('[name={name}]').focus(); 0")
            self.browser("Input.insertText", text=person[name][:4])
        self.until("the namesake", f"[...document.querySelectorAll('.namesake a')].some((e) => e.textContent === {person['fullName']!r})", 10)
        self.browser.run("document.querySelector('.fields').reset(); sessionStorage.clear(); 0")
        first = "[...document.querySelectorAll('.addresses li')].find((e) => e.checkVisibility()).getBoundingClientRect().top"
        self.browser.open(self.stage.url + "/collections/people")
        self.expect(self.browser.run(first) <= 300, f"on a phone, the first person is at {self.browser.run(first)} px")
        self.browser.resize(1280, 900)
        self.browser.click(f"a[href$='{person['id']}'] strong")
        self.until("the person beside the list", f"document.querySelector('.beside-list h1')?.textContent === {person['fullName']!r}", 10)
        for one in self.browser.run(LOOK)["found"]:
            self.expect(False, f"beside the list: {one}")
        ask(f"{self.stage.url}/api/v1/collections/people/{person['id']}", {"nickname": "Besides"}, "PATCH", self.stage.token)
        self.until("the change beside the list", "document.querySelector('.beside-list').textContent.includes('Besides')", 10)
        self.browser.click(f"a[href$='{person['id']}'] strong")
        self.until("the page of the person", f"location.pathname.endsWith({person['id']!r})", 10)

    def drafts(self, person):
        """What was typed is there again after the page was left, until it is saved or begun anew."""
        place = f"{self.stage.url}/collections/people/{person}?edit"

        def type(selector, text):
            self.browser.run(f"document.querySelector({selector!r}).closest('details')?.setAttribute('open', ''); document.querySelector({selector!r}).focus(); document.querySelector({selector!r}).select?.(); 0")
            self.browser("Input.insertText", text=text)
        self.browser.open(place)
        before = self.browser.run("document.querySelector('[name=organization]').value")
        self.browser.click("[name=note]")  # a browser asks before a page is left only where somebody has pressed something
        type("[name=organization]", "Half an organization")
        type("[name='emails[].value']:last-of-type", "half@example.org")
        type(".row:last-of-type > [name='emails[].value']", "whole@example.org")
        mails = "[...document.querySelectorAll(\"[name='emails[].value']\")].map((one) => one.value)"
        typed = self.browser.run(mails)
        for path in ("/more", "/collections/people?new"):
            self.browser.open(self.stage.url + path)
        self.expect(not self.browser.run("document.querySelector('[name=organization]').value"), "another form has what was typed")
        self.browser.open(place)
        self.expect(self.browser.run("document.querySelector('[name=organization]').value") == "Half an organization", "what was typed is lost")
        self.expect(self.browser.run(mails) == typed and "whole@example.org" in typed, f"of {typed}, {self.browser.run(mails)} is left")
        for one in self.browser.run(LOOK)["found"]:
            self.expect(False, f"a draft: {one}")
        self.browser.click(".fields > [role=status] button")
        self.expect(self.browser.run("document.querySelector('[name=organization]').value") == before, "Start over keeps what was typed")
        self.browser.open(place)
        self.expect(self.browser.run("document.querySelector('.fields > [role=status]') === null"), "a draft is there after Start over")
        type("[name=organization]", "A whole organization")
        self.browser.run("window.before = true")
        self.browser.click(".saving button")
        self.until("an answer to the form", "!window.before && document.readyState === 'complete'")
        self.browser.open(place)
        self.expect(self.browser.run("document.querySelector('.fields > [role=status]') === null"), "a draft is there after it was saved")

    def tabs(self):
        """A form that somebody fills in says when its record was changed or removed elsewhere, and keeps what was typed."""
        made = ask(f"{self.stage.url}/api/v1/collections/people", {"firstName": "Tab", "lastName": "Two"}, headers=self.stage.token)
        id = json.loads(made[2])["id"]
        self.browser.open(f"{self.stage.url}/collections/people/{id}?edit")
        self.browser.click("[name=note]")
        self.browser("Input.insertText", text="Typed here")
        ask(f"{self.stage.url}/api/v1/collections/people/{id}", {"nickname": "Elsewhere"}, "PATCH", self.stage.token)
        self.until("a word of the change", "document.querySelector('.elsewhere')?.innerText.includes('Changed elsewhere meanwhile: Nickname')")
        self.browser.click(".elsewhere button")
        self.expect(self.browser.run("document.activeElement.name") == "nickname", "the notice does not lead to the field")
        above = "document.querySelector('.elsewhere').getBoundingClientRect().bottom <= document.querySelector('h1').getBoundingClientRect().top"
        self.expect(self.browser.run(above), "the word of a change is not above the heading")
        ask(f"{self.stage.url}/api/v1/collections/people/{id}", method="DELETE", headers=self.stage.token)
        self.until("a word of the removal", "document.querySelector('.elsewhere')?.innerText.includes('removed elsewhere')")
        self.expect(self.browser.run("document.querySelector('[name=note]').value") == "Typed here", "what was typed is lost")
        self.forget("404")

    def menu(self):
        """What can be added is behind one button, which a key opens and closes too."""
        for width in (1280, 390):
            self.browser.resize(width, 844)
            self.browser.open(self.stage.url + "/")
            self.until("its pictures", "[...document.images].every((one) => one.naturalWidth)")
            self.browser.click(".menu summary")
            for one in self.browser.run(LOOK)["found"]:
                self.expect(False, f"menu {width}: {one}")
            self.browser.key("Escape", 27)
            self.expect(self.browser.run("!document.querySelector('.menu').open"), "Escape does not close the menu")
            self.browser.key("n", 78)
            self.expect(self.browser.run("document.activeElement.pathname === '/add'"), "the key n does not lead to the menu")
            self.browser.run("document.querySelector('#main').click()")
            self.expect(self.browser.run("!document.querySelector('.menu').open"), "a click beside the menu does not close it")

    def offline(self):
        """Pages that were opened are shown while the daemon does not answer, until the browser is signed out."""
        for path in ("/", "/collections/people"):
            self.browser.open(self.stage.url + path)
        self.until("a worker", "navigator.serviceWorker.controller !== null")
        self.browser.open(self.stage.url + "/collections/people")
        kept = "caches.match(location.href, { ignoreVary: true }).then((one) => one !== undefined)"
        self.until("a page that is kept", kept)
        text = self.browser.run("document.querySelector('main').innerText")
        self.browser.open(self.stage.url + "/access")
        self.stage.stop()
        self.browser.open(self.stage.url + "/collections/people")
        self.expect(self.browser.run("document.querySelector('main').innerText") == text, "the kept page is another one")
        self.until("a page that says so", "document.body.classList.contains('away')")
        self.browser.open(self.stage.url + "/collections/people?where=never%20%3D%201")
        said = self.browser.run("[document.querySelector('.offline').innerText, document.querySelectorAll('nav a').length]")
        self.expect("was not opened before" in said[0] and "People" in said[0] and said[1] > 5, f"the page that is missing says {said}")
        self.browser.picture(self.out / "offline.png")
        for one in self.browser.run(LOOK)["found"]:
            self.expect(False, f"offline: {one}")
        self.stage.start()
        self.until("the page itself", "!document.querySelector('.offline') && document.readyState === 'complete'")
        self.browser.open(self.stage.url + "/access")
        self.browser.run("""[...document.querySelectorAll('#sessions li')].find((e) => /this browser/i.test(e.innerText))
            .querySelector('button').click()""")
        self.until("the end of the session", "document.body?.innerText.includes('signed out')")
        self.until("an empty cache", "caches.keys().then((keys) => keys.length === 0)")

    def signed_out(self, id):
        """What was typed stays in its form when the session ends, and is sent after somebody signed in again."""
        self.browser.open(f"{self.stage.url}/collections/people/{id}?edit")
        self.browser.run("document.querySelector('[name=nickname]').value = 'Typed while out'; window.before = true")
        ask(f"{self.stage.url}/api/v1/sessions", method="DELETE", headers=self.stage.token)
        self.browser.click(".saving button")
        self.until("a form that is not sent", "document.querySelector('.unsent')?.innerText.includes('signed out')")
        # It is seen first, wherever somebody has scrolled to, and covers neither the field nor the button.
        seen = """(() => { const r = document.querySelector(".unsent").getBoundingClientRect(), b = document.querySelector(".saving").getBoundingClientRect();
            return r.top >= 0 && r.bottom <= b.top && document.querySelector(".unsent").contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)); })()"""
        for place in ("0", "document.body.scrollHeight"):
            self.browser.run(f"scrollTo({{ top: {place}, behavior: 'instant' }})")
            self.expect(self.browser.run(seen), f"why nothing was sent is out of sight at {place}")
        self.expect(self.browser.run("document.querySelector('[name=nickname]').value") == "Typed while out", "the text is lost")
        link = self.stage.almanac("dashboard").split()[-1]
        self.browser.run(f"fetch({'/login?' + link.split('?')[1]!r}, {{ redirect: 'manual' }}).then(() => 0)")
        self.browser.click(".saving button")
        self.until("an answer to the form", "!window.before && document.readyState === 'complete'")
        stored = self.stage.get(f"/api/v1/collections/people/{id}")
        self.expect(stored.get("nickname") == "Typed while out", f"the form left {stored}")
        self.forget("401")
        # The browser asks for the manifest and its icon whenever it likes, also while nobody was signed in.
        self.browser.events = [e for e in self.browser.events if not (
            e.get("method") == "Log.entryAdded" and "anifest" in e["params"]["entry"]["text"])]

    def forget(self, status):
        """The console says that a request ended with this status, as it should."""
        self.browser.run("0")
        self.browser.events = [e for e in self.browser.events if not (
            e.get("method") == "Log.entryAdded" and f" {status} " in e["params"]["entry"]["text"])]

    def appears(self, section, text, seconds=60):
        end = time.time() + seconds
        while text not in self.browser.run(f"document.getElementById('{section}').textContent"):
            if time.time() > end:
                return self.expect(False, f"{section} does not show '{text}' by itself")

    def console(self):
        """Silence, and nothing from elsewhere."""
        origins, errors = {}, []
        for event in self.browser.events:
            method, values = event.get("method"), event.get("params", {})
            if method == "Network.requestWillBeSent":
                url = values["request"]["url"]
                if not url.startswith(("data:", "about:")):
                    origin = "/".join(url.split("/")[:3])
                    origins[origin] = origins.get(origin, 0) + 1
            if method == "Runtime.exceptionThrown":
                errors.append(values["exceptionDetails"].get("text"))
            if method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
                errors.append(str(values["args"])[:200])
            if method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
                errors.append(values["entry"]["text"] + " " + values["entry"].get("url", ""))
        self.expect(list(origins) == [self.stage.url], f"requests to {origins}")
        self.expect(not errors, f"the console says {errors[:5]}")
        self.facts.append(f"requests: {origins}")

    def policy(self):
        script = """
          new Promise((done) => {
            const hits = [];
            document.addEventListener("securitypolicyviolation", (e) => { hits.push(e.effectiveDirective);
              if (hits.length === 3) done(hits.sort()); });
            setTimeout(() => done(hits.sort()), 3000);
            const one = document.createElement("script"); one.textContent = "window.broken = 1";
            document.body.append(one);
            const two = document.createElement("style"); two.textContent = "body { color: red }";
            document.body.append(two);
            new Image().src = "http://127.0.0.1:9/x.png";
          })"""
        hits = self.browser.run(script)
        self.expect(hits == ["img-src", "script-src-elem", "style-src-elem"], f"the policy stopped only {hits}")
        self.expect(self.browser.run("window.broken === undefined"), "a foreign script ran")

    def all(self):
        link = self.stage.almanac("dashboard").split()[-1]
        closed = self.stage.url + "/"
        self.browser.open(closed)
        for scheme in ("light", "dark"):
            self.browser("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            for one in self.browser.run(LOOK)["found"]:
                self.expect(False, f"closed {scheme}: {one}")
            self.browser.picture(self.out / f"closed-{scheme}.png")
        self.expect("almanac dashboard" in self.browser.run("document.body.innerText"), "the closed page says how to enter")
        before = len(self.browser.events)
        self.browser.open(link)
        # A page that is closed is a 401, which the console tells: that is as it should be.
        self.browser.events = [e for e in self.browser.events[:before] if e.get("method") == "Network.requestWillBeSent"] \
            + self.browser.events[before:]
        self.expect(self.browser.run("location.pathname") == "/", "the link leads to the page")
        cookie = self.browser("Network.getCookies")["cookies"][0]
        self.expect(cookie["httpOnly"] and cookie["sameSite"] == "Strict", f"the cookie is {cookie}")
        self.browser.run("document.querySelectorAll('#problems details').forEach((d) => { d.open = true; })")
        text = self.browser.run("document.body.innerText")
        for part in ("Needs you", "Email differs from the server", "There is no ‘nobody’", "ada@home.example", "ada@elsewhere.example", "Keep yours", "Take theirs (Users)", "Try again",
                     "What changed", "new photos", "Today Example", "turns", "1 failing"):
            self.expect(part in text, f"the page does not say {part}")
        self.forms("home", "/")
        for name in ("more", "follows", "add", "birthdays", "outbox", "follows/app-store/us/top-paid", "follows/users/nobody",
                     "add/app-store", "add/flickr", "add/immich", "add/carddav", "charts"):
            self.forms(name.replace("/", "-"), "/" + name)
        chart = self.browser.run("document.querySelector('#charts h2 a').getAttribute('href')")
        self.paper(chart)
        app = self.browser.run("(document.querySelector('.ranks a') || {getAttribute() {}}).getAttribute('href')")
        self.forms("chart", chart)
        if app:
            self.forms("app", app)
        else:
            self.expect(False, "no app leads to its history")
        self.forms("collections", "/collections")
        self.forms("photos", "/collections/photos?sort=title")
        photo = self.stage.get("/api/v1/collections/photos?limit=1")["items"][0]["id"]
        self.forms("photo", f"/collections/photos/{photo}")
        self.forms("photo list", "/photos")
        self.forms("large photo", f"/photos/{photo}")
        person = self.stage.get("/api/v1/collections/people?limit=1")["items"][0]["id"]
        self.forms("people", "/collections/people")
        self.forms("person", f"/collections/people/{person}")
        self.forms("person form", f"/collections/people/{person}?edit")
        self.forms("new person", "/collections/people?new")
        self.forms("import", "/collections/people?import")
        two = [one["id"] for one in self.stage.get("/api/v1/collections/people?limit=2")["items"]]
        self.forms("new group", f"/collections/people?newgroup=ticked&id={two[0]}&id={two[1]}")
        self.forms("merge", f"/collections/people?merge=ticked&id={two[0]}&id={two[1]}")
        self.browser.resize(390, 844)
        self.browser.open(f"{self.stage.url}/collections/people?merge=ticked&id={two[0]}&id={two[1]}")
        sides = self.browser.run("""[...document.querySelectorAll(".pair tr:not(.same)")].map((row) => [...row.querySelectorAll("th[scope=col], td:not(.together)")]
          .filter((e) => e.checkVisibility()).map((e) => Math.round(e.getBoundingClientRect().left)).join())""")
        self.expect(len(set(sides)) == 1 and "," in sides[0], f"on a phone, the values of two people stand at {sides}, and not below their names")
        self.forms("records", "/collections/profiles")
        self.forms("search", "/search?words=a")
        self.forms("activity", "/activity")
        ask(f"{self.stage.url}/api/v1/tokens", {"name": "grafana", "rights": "read"}, headers=self.stage.token)
        self.forms("access", "/access")
        self.forms("missing", "/nowhere")
        self.sizes()
        self.times()
        self.heads()
        self.tokens()
        self.order()
        self.between()
        self.live()
        self.low()
        self.focus()
        self.viewer()
        self.portrait(person)
        self.birthday(person)
        self.mistakes(person)
        self.unsaved(person)
        self.years()
        self.beside()
        self.drafts(person)
        self.tabs()
        self.away(person)
        self.signed_out(person)
        self.typing()
        self.older()
        self.decisions()
        self.beginning()
        self.refusal()
        self.menu()
        self.ticks()
        self.console()
        self.policy()
        self.offline()
        self.browser.open(link)
        self.expect("used already" in self.browser.run("document.body.innerText"), "the link works twice")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/debug")
    parser.add_argument("--out", help="keeps the screenshots there")
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("chromium-browser"))
    parser.add_argument("--quick", action="store_true", help="fewer forms of the lesser pages")
    parser.add_argument("--axe", default=os.environ.get("ALMANAC_AXE"), help="axe.min.js of axe-core, which checks every page")
    parser.add_argument("--stay", action="store_true", help="leaves the daemon running at the end, and says where")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="almanac-page-"))
    out = pathlib.Path(options.out) if options.out else folder
    out.mkdir(parents=True, exist_ok=True)
    stage = browser = None
    try:
        stage = Stage(options.bin, folder)
        stage.fill()
        browser = Browser(options.chromium, folder / "profile")
        axe = pathlib.Path(options.axe).read_text() if options.axe else None
        check = Check(stage, browser, out, options.quick, axe)
        check.all()
        for fact in check.facts:
            print("      ", fact)
        for problem in check.problems:
            print("FAILED", problem)
        print("page:", "FAILED" if check.problems else "passed", f"with {len(check.problems)} problems")
        if options.stay:
            print(stage.almanac("dashboard"))
            input("Return ends it ")
        sys.exit(1 if check.problems else 0)
    finally:
        if browser:
            browser.end()
        if stage:
            stage.end()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
