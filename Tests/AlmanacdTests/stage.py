"""The daemon with something to show: every source, weeks of charts, an outbox with every kind of entry."""
import datetime
import json
import os
import pathlib
import random
import subprocess
import threading
import time
import urllib.request

FOLLOWS = [
    {"follow": "app-store/us/top-paid", "limit": 12}, {"follow": "app-store/fr/top-free", "limit": 8},
    {"follow": "flickr/interestingness", "limit": 60}, {"follow": "flickr/search/cats", "limit": 20},
    {"follow": "people"}, {"follow": "users/ada"}, {"follow": "users/bo"}, {"follow": "users/cy"},
    {"follow": "users/nobody"},
]


def ask(url, value=None, method=None, headers=None, type="application/json"):
    body = None if value is None else (value if isinstance(value, bytes) else json.dumps(value).encode())
    request = urllib.request.Request(url, body, headers or {}, method=method)
    if body is not None:
        request.add_header("Content-Type", type)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=300) as answer:
        return answer.status, answer.headers, answer.read()


class Stage:
    """The daemon with something to show."""

    def __init__(self, bin, folder, follows=FOLLOWS, users="ada,bo,cy", settings=None, arguments=()):
        self.bin, self.folder = pathlib.Path(bin).resolve(), pathlib.Path(folder)
        self.store = self.folder / "store"
        self.added = 0
        self.upstream = subprocess.Popen(
            [self.bin / "upstream", "--port", "0", "--photos", "300", "--owners", "24", "--people", "120", "--users",
             users, "--broken-every", "37", "--rotate"], stdout=subprocess.PIPE, text=True)
        self.up = self.upstream.stdout.readline().split()[-1]
        threading.Thread(target=self.upstream.stdout.read, daemon=True).start()
        servers = {name: {"url": self.up} for name in ("app-store", "flickr", "users", "people")}
        (self.folder / "config.json").write_text(json.dumps(
            {"servers": servers, "follows": follows, "daemon": settings or {}}))
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "ALMANAC_STORE": str(self.store),
            "ALMANAC_CONFIG": str(self.folder / "config.json"), "ALMANAC_FLICKR_KEY": "page",
            "HTTPS_PROXY": "http://127.0.0.1:9"}  # owners' icons have addresses elsewhere: nothing leaves this machine
        self.arguments = arguments
        self.start("127.0.0.1:0")
        self.token = {"Authorization": "Bearer " + (self.store / "token").read_text().strip()}

    def start(self, address=None):
        """Starts the daemon, at the address that it had before where none is given."""
        address = address or self.url.split("/")[-1]
        with open(self.folder / "almanacd.log", "a") as log:
            self.daemon = subprocess.Popen(
                [self.bin / "almanacd", "--listen", address, *self.arguments], env=self.environment, stdout=log, stderr=log)
        self.until("daemon.json", lambda: (self.store / "daemon.json").exists())
        self.url = json.loads((self.store / "daemon.json").read_text())["url"]

    def stop(self):
        self.daemon.terminate()
        self.daemon.wait(30)

    def until(self, what, done, seconds=300):
        end = time.time() + seconds
        while not done():
            if time.time() > end:
                log = (self.folder / "almanacd.log").read_text()[-3000:]
                raise SystemExit(f"waited for {what} in vain:\n{log}\n{self.get('/api/v1/collections/outbox')}")
            time.sleep(0.05)

    def get(self, path):
        return json.loads(ask(self.url + path, headers=self.token)[2])

    def almanac(self, *arguments):
        done = subprocess.run([self.bin / "almanac", *arguments], env=self.environment, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"almanac {' '.join(arguments)}: {done.returncode} {done.stderr}")
        return done.stdout

    def patch(self, user, change):
        ask(f"{self.url}/api/v1/collections/profiles/{user}", change, "PATCH", self.token)

    def photos(self, *titles):
        """The newest photos have these titles."""
        known = self.get("/api/v1/collections/photos?limit=1")["items"][0]
        lines = []
        for title in titles:
            self.added += 1
            at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1, seconds=self.added)
            lines.append(json.dumps({
                **known, "id": f"9{self.added:012}", "title": title, "postedAt": at.strftime("%Y-%m-%dT%H:%M:%SZ")}))
        file = self.folder / "photos.jsonl"
        file.write_text("\n".join(lines) + "\n")
        self.almanac("import", str(file), "--quiet")

    def faults(self, *rules):
        """What the server does wrong from now on: a status for each PUT of a path, with a Retry-After where it has one."""
        ask(f"{self.up}/_upstream/faults", [
            {"fault": status, "method": "PUT", "path": path, "times": None, **({"retryAfter": wait[0]} if wait else {})}
            for status, path, *wait in rules])

    def synced(self):
        def done():
            follows = self.get("/api/v1/status")["follows"]
            return all("lastSuccess" in one or "error" in one for one in follows)
        self.until("the first sync", done)

    def fill(self):
        self.synced()
        self.past()
        # One entry of the outbox of each kind: both sides changed, refused for good, not sent yet.
        self.faults((503, "/user/cy"), (422, "/user/bo"))
        ask(f"{self.up}/_upstream/users/ada", {"email": "ada@elsewhere.example", "name": "Ada of the other side"})
        self.patch("ada", {"email": "ada@home.example"})
        self.patch("bo", {"name": "Bo with a name that the server does not take"})
        self.until("a conflict and a refusal", lambda: {"conflict", "refused"} <= self.states())
        self.patch("cy", {"description": "Is still on the way."})
        today = datetime.datetime.now(datetime.timezone.utc).date()
        for days, first in ((0, "Today"), (1, "Tomorrow"), (9, "Augusta Wilhelmine Elisabeth Friederike")):
            date = today + datetime.timedelta(days=days)
            ask(f"{self.url}/api/v1/collections/people",
                {"firstName": first, "lastName": "Example", "birthday": f"1980-{date.month:02}-{date.day:02}"},
                headers=self.token)
        ask(f"{self.url}/do/media", b"", headers=self.token, type="application/x-www-form-urlencoded")
        self.until("pictures", lambda: sum(1 for _ in (self.store / "media").rglob("*")) > 60)

    def states(self):
        return {one["state"] for one in self.get("/api/v1/collections/outbox")["items"]}

    def past(self):
        """Three weeks of charts, as if the daemon had run all the while."""
        lines, chance = [], random.Random(7)
        latest = {}
        for item in self.get("/api/v1/collections/charts?limit=100")["items"]:
            latest[item["storefront"], item["chart"]] = item
        for (storefront, chart), item in latest.items():
            ranks = list(item["ranks"])
            for back in range(1, 22):
                for _ in range(4):
                    place = chance.randrange(len(ranks) - 1)
                    ranks[place], ranks[place + 1] = ranks[place + 1], ranks[place]
                day = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=back)
                at = day.strftime("%Y-%m-%dT%H:%M:%SZ")
                lines.append(json.dumps({
                    **item, "id": f"{storefront}/{chart}/{at}", "observedAt": at, "lastObservedAt": at, "ranks": ranks}))
        file = self.folder / "charts.jsonl"
        file.write_text("\n".join(lines) + "\n")
        self.almanac("import", str(file), "--quiet")

    def end(self):
        for process in (self.daemon, self.upstream):
            process.terminate()
            process.wait(10)
