"""A server made from a definition: it answers the requests of the definition with records made from its fields.

Each record has a member `_fake` with a value of its own, so that two readers can be compared by the records that they got.
"""

import base64, datetime, hashlib, json, re, socketserver, threading, time
from urllib.parse import parse_qsl, unquote, urlsplit
from xml.sax.saxutils import escape

UTC = datetime.timezone.utc
NOW = datetime.datetime.now(UTC).replace(microsecond=0)
START = (NOW - datetime.timedelta(days=8)).replace(hour=0, minute=0, second=0)
CODES = [
    ("YYYY", "%Y"),
    ("MMM", "%b"),
    ("MM", "%m"),
    ("DD", "%d"),
    ("hh", "%H"),
    ("mm", "%M"),
    ("ss", "%S"),
    ("YY", "%y"),
]
# Variables that do not say which list is meant.
MOVING = {"since", "until", "page", "offset", "size", "now", "limit"}
SECRET = "secret1"


def written(t, form):
    """A time in a form of the language of definitions."""
    if form in (None, "time"):
        return t.strftime("%Y-%m-%dT%H:%M:%SZ")
    if form == "utc":
        return t.strftime("%Y-%m-%dT%H:%M:%SZ")
    if form == "date":
        return t.strftime("%Y-%m-%d")
    if form == "epoch":
        return int(t.timestamp())
    if form == "epochms":
        return int(t.timestamp() * 1000)
    if form == "epochus":
        return int(t.timestamp() * 1000000)
    if form == "rfc822":
        return t.strftime("%a, %d %b %Y %H:%M:%S GMT")
    form = form.replace("SSSSSS", "\1").replace("SSS", "\2")
    for a, b in CODES:
        form = form.replace(a, b)
    return t.strftime(form.replace("zzzz", "+0000")).replace("\1", "000000").replace("\2", "000")


def instant(text, form):
    """A time that was sent; None where it cannot be read."""
    try:
        if form in ("epoch", "epochms", "epochus"):
            return datetime.datetime.fromtimestamp(
                float(text) / {"epoch": 1, "epochms": 1e3, "epochus": 1e6}[form], UTC
            )
        if form and re.match(r"(DD|MM)\W", form):
            code = form
            for a, b in CODES:
                code = code.replace(a, b)
            return datetime.datetime.strptime(text, code).replace(tzinfo=UTC)
        m = re.search(r"(\d{4})[-/]?(\d\d)[-/]?(\d\d)(?:[T ]*(\d\d):?(\d\d)(?::?(\d\d))?)?", text)
        return datetime.datetime(*[int(x or 0) for x in m.groups()], tzinfo=UTC)
    except Exception:
        return None


# Paths

STEP = re.compile(
    r"\.([A-Za-z_@$][\w@$-]*)|\['((?:[^']|'')*)'\]|\[(-?\d+|\*)\]|\.(\*)|\[([A-Za-z_]\w*)='((?:[^']|'')*)'\]"
)


def steps(path):
    """Names and numbers; `*` for each element of a list, `.*` for each member, (name, text) for an element with a member."""
    out = []
    for name, quoted, index, every, key, text in STEP.findall(path):
        if key:
            out.append((key, text))
        elif every:
            out.append(".*")
        elif index:
            out.append("*" if index == "*" else int(index))
        else:
            out.append(name or quoted.replace("''", "'"))
    return out


def isList(step):
    return step == "*" or isinstance(step, (int, tuple))


def put(o, ss, value):
    """Puts a value at steps, and makes what is on the way."""
    for i, s in enumerate(ss):
        last = i == len(ss) - 1
        inner = None if last else [] if isList(ss[i + 1]) else {}
        if isList(s):
            if not isinstance(o, list):
                return
            if isinstance(s, tuple):
                at = next((j for j, x in enumerate(o) if isinstance(x, dict) and x.get(s[0]) == s[1]), None)
                if at is None:
                    o.append({s[0]: s[1]})
                    at = len(o) - 1
            else:
                at = 0 if s == "*" or s < 0 else s
                while len(o) <= at:
                    o.append({})
        else:
            if not isinstance(o, dict):
                return
            at = "k1" if s == ".*" else s
            if last:
                o[at] = value
                return
            if not isinstance(o.get(at), type(inner)):
                o[at] = inner
            o = o[at]
            continue
        if last:
            o[at] = value
            return
        if not isinstance(o[at], type(inner)):
            o[at] = inner
        o = o[at]


def remove(o, ss):
    for x in get(o, ss[:-1]) if ss else []:
        if isinstance(x, dict):
            x.pop(ss[-1], None)


def get(o, ss):
    found = [o]
    for s in ss:
        inner = []
        for x in found:
            if s in ("*", ".*"):
                inner += x if isinstance(x, list) else list(x.values()) if isinstance(x, dict) else []
            elif isinstance(s, tuple):
                inner += (
                    [y for y in x if isinstance(y, dict) and y.get(s[0]) == s[1]][:1] if isinstance(x, list) else []
                )
            elif isinstance(s, int):
                inner += [x[s]] if isinstance(x, list) and -len(x) <= s < len(x) else []
            elif isinstance(x, dict) and s in x:
                inner.append(x[s])
        found = inner
    return found


# Templates

HOLE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


def pattern(text, settings, inPath=False):
    """A template as a regular expression with a group for each variable, and the variables with their forms."""
    out, names, at = "", [], 0
    for m in HOLE.finditer(text):
        out += re.escape(text[at : m.start()])
        at = m.end()
        e = m.group(1)
        if e is None:
            out += re.escape(m.group(0)[0])
            continue
        many = e.startswith("+")
        name, _, form = e.lstrip("+").partition(":")
        name = re.split(r"[+-]\d", name)[0]
        if name in settings and not form and not many:
            out += re.escape(str(settings[name] if settings[name] is not None else ""))
            continue
        out += "([^/]*?)" if inPath and not many else "(.*?)"
        names.append((name, form or None))
    return re.compile(out + re.escape(text[at:]) + r"\Z", re.S), names


class Level:
    """A request of a definition."""

    def __init__(self, request, definition, settings, follow, depth):
        self.request, self.follow, self.depth = request, follow, depth
        self.isLeaf = "into" in request["take"]
        self.method = "POST" if "post" in request else "GET"
        address = request.get("get") or request["post"]
        if "://" not in address:
            address = definition["url"] + address
        lists = re.findall(r"\{[?&]([^}]*)\}", address)
        address = re.sub(r"\{[?&][^}]*\}", "", address)
        for name, value in settings.items():
            if address.startswith("{" + name + "}"):
                address = str(value).rstrip("/") + address[len(name) + 2 :]
        if "://" not in address:
            address = "https://" + address
        self.address, _, query = address.partition("?")
        # Airbyte's program joins addresses with one slash.
        self.address = re.sub(r"(?<!:)//+", "/", self.address)
        self.path, self.names = pattern(self.address, settings, True)
        self.query, self.loose, self.keyed = {}, set(), []
        for part in query.split("&") if query else []:
            k, _, v = part.partition("=")
            if "{" in k and not v:
                self.keyed.append(pattern(unquote(k), settings))
            else:
                self.query[unquote(k)] = pattern(unquote(v), settings)
        for part in ",".join(lists).split(",") if lists else []:
            k, _, v = part.partition("=")
            k = unquote(k)
            self.query[k] = pattern(
                "{" + (v or k).partition(":")[0] + (":" + part.rpartition(":")[2] if ":" in (v or k) else "") + "}",
                {},
            )
            if not v:
                self.query[k.partition(":")[0]] = self.query.pop(k)
            self.loose.add(k.partition(":")[0] if not v else k)
        self.body = request.get("body", request.get("form"))
        self.pages = request.get("pages") or {}
        self.settings = settings
        size = self.pages.get("size")
        self.size = size if isinstance(size, int) else None
        self.only = request["take"].get("only") or {}
        self.auth = request.get("auth", definition.get("auth"))
        each = request.get("each") or []
        self.children = each if isinstance(each, list) else [each]
        # Levels that ask for the same list have the same records.
        constant = {k: p.pattern for k, (p, names) in self.query.items() if not names}
        self.family = json.dumps(
            [
                self.method,
                self.path.pattern,
                constant,
                [p.pattern for p, _ in self.keyed],
                re.sub(r'\{[^{}"]*\}', "{}", json.dumps(self.body)),
            ],
            sort_keys=True,
        )

    def score(self, method, url, body):
        """The variables of a request of this level, and how many parts differ; None for a request of another one."""
        if method != self.method:
            return None
        u = urlsplit(url)
        whole = f"{u.scheme}://{u.netloc}" + re.sub("//+", "/", u.path)
        m = (
            self.path.match(whole)
            or self.path.match(unquote(whole))
            or self.path.match(whole.rstrip("/"))
            or self.path.match(whole + "/")
        )
        if not m:
            return None
        values = {n: (unquote(v), f) for (n, f), v in zip(self.names, m.groups())}
        query = parse_qsl(u.query, keep_blank_values=True)
        other = 0
        for k, v in query:
            if k not in self.query:
                m = next(((names, m) for p, names in self.keyed if (m := p.match(k))), None)
                if not m:
                    other += 1
                    continue
                for (n, f), x in zip(m[0], m[1].groups()):
                    values[n] = (x, f)
                continue
            p, names = self.query[k]
            m = p.match(v)
            if not m:
                if not names:
                    other += 5
                continue
            for (n, f), x in zip(names, m.groups()):
                if x != "":
                    values[n] = (x, f)
        sent = {k for k, _ in query}
        other += sum(2 for p, _ in self.keyed if not any(p.match(k) for k in sent))
        other += sum(1 for k in self.query if k not in sent and k not in self.loose)

        def walk(t, b):
            n = 0
            if isinstance(t, dict):
                if not isinstance(b, dict):
                    return 5
                for k in t:
                    n += walk(t[k], b[k]) if k in b else 1
                return n + sum(1 for k in b if k not in t)
            if isinstance(t, list):
                return sum(walk(x, y) for x, y in zip(t, b)) + abs(len(t) - len(b)) if isinstance(b, list) else 5
            if isinstance(t, str):
                p, names = pattern(t, self.settings)
                m = p.match(b if isinstance(b, str) else json.dumps(b))
                if not m:
                    return 0 if names and len(t) < 40 else 5
                for (name, f), x in zip(names, m.groups()):
                    if x != "":
                        values[name] = (x, f)
                return 0
            return 0 if str(t).lower() == str(b).lower() else 5

        if self.body not in (None, {}):
            other += walk(self.body, body) if body not in (None, "") else 3
        elif body not in (None, "", {}):
            other += 1
        return values, other


KEPT = object()


def marks(condition, settings):
    """A value that meets a condition (KEPT: nearly every one does), and one that does not."""
    if isinstance(condition, dict):
        excluded, other = marks(condition["not"], settings)
        return (other if other not in (None, "x") else KEPT), excluded
    if isinstance(condition, list):
        condition = condition[0] if condition else None
    if isinstance(condition, str) and condition.startswith("{"):
        condition = str(settings.get(condition.strip("{}")) or "x").split(",")[0]
    if condition is True:
        return "x", None
    if condition is False:
        return False, "x"
    if condition is None:
        return None, "x"
    return condition, None


def objects(value):
    """Every object within a value, each before those within it."""
    if isinstance(value, dict):
        yield value
        value = value.values()
    elif not isinstance(value, list):
        return
    for part in list(value):
        yield from objects(part)


def echoes(manifest):
    """What manifests compute numbers of pages from: places of an answer that say its page, its offset or its size."""
    found = {}
    member = r"response((?:\.(?!get\b)\w+|\[['\"][^'\"]+['\"]\]|\.get\(['\"][^'\"]+['\"](?:,[^)]*)?\))+)"
    place = lambda s: "".join(f"['{a or b}']" for a, b in re.findall(r"\.(?!get\b)(\w+)|['\"]([^'\"]+)['\"]", s))

    for o in objects(manifest):
        for k in ("cursor_value", "stop_condition"):
            text = str(o.get(k) or "")
            m = re.search(r"regex_search\(\s*['\"](?:[^'\"]*?[?&])?\\?(\$?\w+)=\(", text)
            if m:
                found["parameter " + m.group(1)] = "parameter"
            for m in re.finditer(member + r"(?:\s*\|\s*int)?\s*\)?\s*\+\s*\(?(?:" + member + r"|1\b)", text):
                if m.group(2):
                    found["$" + place(m.group(1))], found["$" + place(m.group(2))] = "offset", "size"
                else:
                    found["$" + place(m.group(1))] = "page"
            for m in re.finditer(r"\+\s*\(?" + member + r"\)?\s*>=?\s*" + member, text):
                found["$" + place(m.group(2))] = "total"
            for m in re.finditer(member + r"(?:\s*\|\s*int)?\s*(?:==|>=)\s*" + member, text):
                found.setdefault("$" + place(m.group(1)), "page")
                found.setdefault("$" + place(m.group(2)), "pages")
    return found


class Fake:
    """`answer(method, url, headers, body)` gives status, header fields, a value and the form of the answer."""

    def __init__(self, definition, settings, keys, tokens={}, manifest={}):
        self.definition, self.settings, self.keys, self.tokens, self.echo = (
            definition,
            settings,
            keys,
            tokens,
            echoes(manifest),
        )
        said = json.dumps(manifest, default=str)
        self.hasLinks, self.hasResults, self.skips = (
            bool(re.search(r"headers.{0,12}link", said, re.I)),
            bool(re.search(r"link.{0,40}results", said)),
            [k[10:] for k in self.echo if k.startswith("parameter ")],
        )
        if re.search(r"link.{0,40}cursor", said):
            self.skips.append("cursor")
        self.echo = {k: v for k, v in self.echo.items() if v != "parameter"}
        self.token = (
            re.compile(
                r"(?<=[?&])(?:fakepage|"
                + "|".join(re.escape(n) + "|" + re.escape(n.replace("$", "%24")) for n in self.skips)
                + r")=(\d+)&?"
            )
            if self.skips
            else re.compile(r"(?<=[?&])fakepage=(\d+)&?")
        )
        self.levels, self.refused, self.lost, self.cache, self.known = [], [], [], {}, {}
        for name, follow in definition["follows"].items():
            self.add(follow, name, 0)
        self.families = {}
        for level in self.levels:
            self.families.setdefault(level.family, []).append(level)
        self.numbers = {f: i for i, f in enumerate(self.families)}
        self.spent = 0.0

    def add(self, request, follow, depth):
        level = Level(request, self.definition, self.settings, follow, depth)
        self.levels.append(level)
        for child in level.children:
            self.add(child, follow, depth + 1)

    # Keys

    def filled(self, text, token="T"):
        return HOLE.sub(
            lambda m: (
                m.group(0)[0]
                if m.group(1) is None
                else (
                    token
                    if m.group(1) == "token"
                    else str(self.keys.get(m.group(1), self.settings.get(m.group(1), "")))
                )
            ),
            text,
        )

    def wrong(self, auth, headers, query, body):
        """What is missing of the key; None if it is right."""
        if not auth:
            return None
        if auth == "bearer":
            auth = {"bearer": "{key}"}
        heads = {k.lower(): v for k, v in headers.items()}
        want = {k.lower(): self.filled(v) for k, v in (auth.get("headers") or {}).items()}
        if "oauth2" in auth:
            want.setdefault("authorization", "Bearer T")
        if "bearer" in auth:
            want["authorization"] = "Bearer " + self.filled(auth["bearer"])
        if "basic" in auth:
            want["authorization"] = "Basic " + base64.b64encode(self.filled(auth["basic"]).encode()).decode()
        for k, v in want.items():
            if (heads.get(k) or "").strip() != v.strip():
                return f"header field {k}: {v!r} is expected, not {heads.get(k)!r}"
        for k, v in (auth.get("query") or {}).items():
            if self.filled(v) not in query.get(k, []):
                return f"parameter {k}: {self.filled(v)!r} is expected, not {query.get(k)!r}"
        return None

    def isToken(self, url):
        path = url.partition("?")[0].rstrip("/")
        return path in self.tokens and not any(l.path.match(path) for l in self.levels)

    # Requests

    def bare(self, url):
        return self.token.sub("", url).rstrip("?&")

    def answer(self, method, url, headers, body):
        began = time.perf_counter()
        try:
            return self._answer(method, url, headers, body)
        finally:
            self.spent += time.perf_counter() - began

    def _answer(self, method, url, headers, body):
        if self.isToken(url):
            answer = {
                "access_token": "T",
                "token": "T",
                "id": "T",
                "expires_in": 3600,
                "token_type": "bearer",
                "refresh_token": SECRET,
                "session_token": "T",
            }
            for place in self.tokens[url.partition("?")[0].rstrip("/")]:
                put(answer, steps(place), "T")
            return 200, {}, answer, None
        if re.search(r"%25(2[0-9A-F]|3[A-F]|5[BD]|7[BD])", url):
            return 400, {}, {"error": "a value is percent-encoded twice"}, None
        best = None
        found = self.known.get(self.bare(url)) if "fakepage=" in url else None
        if found:
            best = found
        else:
            for level in self.levels:
                hit = level.score(method, url, body)
                if hit and (best is None or (hit[1], not level.isLeaf) < (best[2], not best[0].isLeaf)):
                    best = (level, *hit)
        if best is None:
            self.lost.append(f"{method} {url}")
            return 404, {}, {"error": "no such address"}, None
        level, values, _ = best
        wrong = self.wrong(level.auth, headers, dict_of(urlsplit(url).query), body)
        if wrong:
            self.refused.append((level.follow, wrong))
            return 401, {}, {"error": "the key is wrong: " + wrong}, None
        self.known.setdefault(url, best)
        return self.page(level, values, url)

    # Records

    def records(self, level, values):
        """What the list holds, for these values of its variables, with the time of each record."""
        mine = {
            k: v
            for k, (v, f) in values.items()
            if k not in MOVING and not k.startswith("cursor") and k not in self.settings
        }
        family = self.families[level.family]
        key = f"{self.numbers[level.family]}{json.dumps(mine, sort_keys=True)}"
        if key in self.cache:
            return self.cache[key]
        size = level.size
        hasChildren = any(l.children for l in family)
        n = 3 if hasChildren else 7
        if size and not hasChildren and size <= 100 and level.depth == 0:
            n = 2 * size + 1
        elif size and size <= (2 if hasChildren else 20):
            n = size + 1
        ids = level.request["take"].get("id") or self.definition["collections"].get(
            level.request["take"].get("into"), {}
        ).get("id", [])
        # A list whose id is that of its parent has one record.
        if level.isLeaf and ids and not any(p.startswith("$") for p in (ids if isinstance(ids, list) else [ids])):
            n = 1
        # Records that each of the streams takes, in turns.
        wanted = []
        for l in family:
            one = {k: v for k, v in l.only.items() if k.startswith("$")}
            if one and one not in wanted:
                wanted.append(one)
        if len(wanted) > 1:
            n = max(n, 3 * len(wanted))
        out = []
        for i in range(n):
            name = f"{level.follow}:{key}#{i}"
            number = int(hashlib.sha256(name.encode()).hexdigest()[:7], 16) + 1000
            o, moment = {}, START + datetime.timedelta(hours=1 + 24 * (i % 7), seconds=i // 7)
            hasTime, moments = False, set()
            for l in sorted(family, key=lambda l: l.isLeaf):
                c = self.definition["collections"].get(l.request["take"].get("into"), {})
                fields = {**c.get("fields", {}), **(l.request["take"].get("fields") or {})}
                flat = []

                def gather(fs):
                    for k, v in fs.items():
                        if isinstance(v, dict):
                            gather(v)
                        elif isinstance(v, str):
                            flat.append((k, v))

                gather(fields)
                field = (l.request.get("since") or {}).get("field")
                for k, v in sorted(flat, key=lambda x: len(x[1])):
                    kind, _, path = v.partition(" ")
                    path, kind = path.split(" | ")[0].strip(), kind.rstrip("?")
                    ss = steps(path)
                    if not path.startswith("$") or path.startswith("$$") or not ss:
                        continue
                    if kind == "int":
                        put(o, ss, i + 1)
                    elif kind == "decimal":
                        put(o, ss, i + 0.5)
                    elif kind == "bool":
                        put(o, ss, i % 2 == 0)
                    elif kind.startswith(("time", "date")):
                        form = (re.search(r"\((.*)\)", kind) or [None, "date" if kind == "date" else "time"])[
                            1
                        ].split("|")[0]
                        put(o, ss, written(moment, form))
                        moments.add(path)
                    elif kind == "url":
                        put(o, ss, f"https://pictures.example/{number}")
                    elif kind == "plain" or kind.startswith("text"):
                        put(o, ss, written(moment, None) if k == field else f"{k} {i}")
                        if k == field:
                            moments.add(path)
                    if k == field:
                        hasTime = True
            for l in sorted(family, key=lambda l: l.isLeaf):
                for child in l.children:
                    for variable, p in child["for"].items():
                        if isinstance(p, str) and p.startswith("$") and steps(p) and not get(o, steps(p)):
                            put(o, steps(p), f"v{number}")
            for l in family:
                ids = l.request["take"].get("id") or self.definition["collections"].get(
                    l.request["take"].get("into"), {}
                ).get("id", [])
                for p in ids if isinstance(ids, list) else [ids]:
                    if not (p.startswith("$") and steps(p) and not p.startswith("$$")):
                        continue
                    have = get(o, steps(p))
                    if have and isinstance(have[0], (int, float)) and not isinstance(have[0], bool):
                        put(o, steps(p), number)
                    elif not have or p not in moments:
                        put(o, steps(p), f"id{number}")
            for k, condition in (wanted[i // 3 % len(wanted)] if wanted else {}).items():
                good, bad = marks(condition, self.settings)
                have = get(o, steps(k))
                isID = k in (ids if isinstance(ids, list) else [ids])
                if isID and good is not KEPT:
                    if i == 1:
                        put(o, steps(k), good)
                elif i % 3:
                    if good not in ("x", KEPT) or not have or not have[0]:
                        put(
                            o, steps(k), True if have and isinstance(have[0], bool) else "x" if good is KEPT else good
                        )
                elif have and isinstance(have[0], bool):
                    put(o, steps(k), not (good is True or good in ("x", KEPT)))
                elif bad is None and good in (True, "x") and have and isinstance(have[0], (int, float)):
                    put(o, steps(k), 0)
                elif bad is None and (len(steps(k)) > 1 or have and isinstance(have[0], dict)):
                    remove(o, steps(k))
                else:
                    put(o, steps(k), bad)
            for l in family:
                for child in l.children:
                    if any(p == "$" for p in child["for"].values() if isinstance(p, str)):
                        o = f"v{number}"
            if isinstance(o, dict):
                o["_fake"] = name
            out.append((o, moment if hasTime else None))
        if "last" in level.pages:
            for variable, p in level.pages["last"].items():
                for i, (o, _) in enumerate(out):
                    if isinstance(o, dict) and not p.startswith("$$"):
                        put(o, steps(p), f"k{int(hashlib.sha256(key.encode()).hexdigest()[:6], 16)}-{i}")
        self.cache[key] = out
        return out

    def page(self, level, values, url):
        found = self.records(level, values)
        low, high = (instant(*values[k]) if k in values else None for k in ("since", "until"))
        if (
            high
            and values["until"][1] not in (None, "time", "epoch", "epochms", "epochus")
            and "hh" not in values["until"][1]
        ):
            high += datetime.timedelta(days=1)
        found = [o for o, t in found if t is None or (low is None or t >= low) and (high is None or t <= high)]
        p, total, place = level.pages, len(found), level.request["take"].get("records", "$")
        ss = steps(place)
        places = [
            x
            for x in [*(p.get("cursor") or {}).values(), p.get("next"), p.get("count"), p.get("pages"), p.get("more")]
            if isinstance(x, str) and x.startswith("$")
        ]
        isOne = place == "$" and places
        if isOne:
            found, total = found[:1], min(1, total)
        size, at = level.size or 3, 0
        number = lambda k: int(values[k][0]) if k in values and re.fullmatch(r"\d+", values[k][0]) else p[k]
        if "page" in p:
            at = max(0, number("page") - p["page"]) * size
        elif "offset" in p:
            at = max(0, number("offset") - p["offset"])
        elif "last" in p:
            for variable, path in p["last"].items():
                if variable not in values:
                    continue
                sent = values[variable][0]
                at = next(
                    (i + 1 for i, o in enumerate(found) if [str(x) for x in get(o, steps(path))[:1]] == [sent]), total
                )
        elif "cursor" in p:
            size = max(1, (total + 1) // 2)
            for variable in p["cursor"]:
                m = re.search(r"(\d+)\D*$", values.get(variable, ("",))[0])
                if m:
                    at = int(m.group(1)) * size
        elif "next" in p or "link" in p:
            size = max(1, (total + 1) // 2)
            m = self.token.search(url)
            if m:
                at = int(m.group(1)) * size
        isPaged = bool(set(p) - {"size", "count", "most"})
        part = found[at : at + size] if isPaged else found
        isMore = isPaged and at + size < total
        heads, answer = {}, {}
        # Other streams take other lists of the same answer.
        for l in self.families[level.family]:
            other = steps(l.request["take"].get("records", "$"))
            while other and other[-1] in ("*", ".*"):
                other = other[:-1]
            own = [s for s in ss if s not in ("*", ".*")]
            if (
                l is level
                or not other
                or not own
                or any(s in ("*", ".*") for s in other)
                or other == own[: len(other)]
                or own == other[: len(own)]
            ):
                continue
            put(answer, other, part)
        if not ss:
            answer = (part[0] if part else {}) if isOne else part
        elif ss[-1] in ("*", ".*"):
            rows = part if ss[-1] == "*" else {f"k{at + i}": o for i, o in enumerate(part)}
            if len(ss) == 1:
                answer = rows
            elif any(s in ("*", ".*") for s in ss[:-1]):
                answer = wrapped(ss, part)
            else:
                put(answer, ss[:-1], rows)
        elif any(s in ("*", ".*") for s in ss):
            answer = wrapped(ss, part)
        else:
            put(answer, ss, part)
        bare = self.bare(url) if "next" in p or "link" in p or self.hasLinks else url
        extra = "".join(f"{n}={at // size + 1}&" for n in self.skips)
        address, _, query = bare.partition("?")
        following = f"{address}?{extra}{query + '&' if query else ''}fakepage={at // size + 1}"

        def say(place, value):
            if place.startswith("header "):
                heads[place[7:]] = (
                    "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
                )
            elif place.startswith("$") and isinstance(answer, dict):
                path = [s for s in steps(place)]
                if path[: len(ss)] == ss and ss or path == [s for s in ss if s not in ("*", ".*")]:
                    return
                put(answer, path, value)

        for variable, place in (p.get("cursor") or {}).items():
            say(place, f"c{at // size + 1}" if isMore else None)
        if "next" in p:
            place = p["next"]
            if "{" in place:
                for inner in re.findall(r"\{[+]?(\$[^}]*)\}", place):
                    say(inner, f"c{at // size + 1}" if isMore else None)
            else:
                say(place, following if isMore else None)
        if "link" in p or self.hasLinks and isPaged:
            # Some APIs always name the next page, and say whether it has records.
            said = (
                f'; results="{str(isMore).lower()}"'
                if self.hasResults and "fakepage=5" not in bare + following
                else ""
            )
            if isMore or said and "link" in p:
                heads["Link"] = f'<{following}>; rel="{p.get("link", "next")}"{said}; cursor="{at // size + 1}"'
        more = p.get("more")
        if isinstance(more, str):
            say(more, isMore)
        for k, condition in more.items() if isinstance(more, dict) else []:
            yes, no = marks(condition, self.settings)
            if condition is False:
                yes, no = False, True
            if yes is KEPT:
                yes = "x"
            say(k, yes if isMore else no)
        if "page" in p or "offset" in p:
            meanings = {
                "page": p.get("page", 1) + at // size,
                "offset": at,
                "size": size,
                "total": total,
                "pages": max(1, -(-total // size)),
            }
            for place, meaning in self.echo.items():
                if place not in (p.get("count"), p.get("pages")):
                    say(place, meanings[meaning])
        if "count" in p:
            say(p["count"], total)
        if "pages" in p:
            say(p["pages"], max(1, -(-total // size)))
        return 200, heads, answer, level.request.get("format", self.definition.get("format"))


def dict_of(query):
    out = {}
    for k, v in parse_qsl(query, keep_blank_values=True):
        out.setdefault(k, []).append(v)
    return out


def wrapped(ss, part):
    """Records in lists within lists: each of the first list has one of them."""
    i = next(j for j, s in enumerate(ss) if s in ("*", ".*"))
    rest = ss[i + 1 :]
    if rest and rest[-1] in ("*", ".*"):
        inner, rows = rest[:-1], []
        for k in range(0, len(part), 2):
            x = {}
            if not inner:
                x = part[k : k + 2]
            elif any(s in ("*", ".*") for s in inner):
                put(x, inner, part[k : k + 2])
            else:
                put(x, inner, part[k : k + 2])
            rows.append(x)
    else:
        rows = []
        for o in part:
            x = {}
            if rest:
                put(x, rest, o)
            else:
                x = o
            rows.append(x)
    value = rows if ss[i] == "*" else {f"k{j}": x for j, x in enumerate(rows)}
    if not i:
        return value
    answer = {}
    put(answer, ss[:i], value)
    return answer


def text(value, form):
    """An answer in its form: JSON, lines, XML or CSV; and its type."""
    if form == "lines":
        rows = value if isinstance(value, list) else [value]
        return "".join(json.dumps(x) + "\n" for x in rows), "application/x-ndjson"
    if form == "xml":

        def element(name, v):
            if isinstance(v, list):
                return "".join(element(name, x) for x in v)
            inner = (
                "".join(element(k, x) for k, x in v.items())
                if isinstance(v, dict)
                else "" if v is None else escape(str(v))
            )
            return f"<{name}>{inner}</{name}>"

        o = value if isinstance(value, dict) else {"rows": {"row": value}}
        return (element(*next(iter(o.items()))) if len(o) == 1 else element("answer", o)), "application/xml"
    if form and form.startswith("csv"):
        mark = ";" if form.endswith(";") else ","
        rows = [x for x in (value if isinstance(value, list) else [value]) if isinstance(x, dict)]
        names = list(rows[0]) if rows else []
        cell = lambda v: '"' + ("" if v is None else str(v)).replace('"', '""') + '"'
        return (
            "\n".join([mark.join(names)] + [mark.join(cell(r.get(n)) for n in names) for r in rows]) + "\n",
            "text/csv",
        )
    return json.dumps(value), "application/json"


def readBody(raw, kind):
    if not raw:
        return None
    raw = raw.decode() if isinstance(raw, bytes) else raw
    if "form-urlencoded" in (kind or ""):
        return dict(parse_qsl(raw, keep_blank_values=True))
    try:
        return json.loads(raw)
    except Exception:
        return dict(parse_qsl(raw)) or raw


class Server:
    """The fake server on 127.0.0.1: `/https/HOST/…` stands for `https://HOST/…`.

    While `kept` is a dictionary, each answer is made once, so that the times are those of the readers."""

    def __init__(self):
        outer = self
        self.fake, self.log, self.kept = None, [], None

        class Handler(socketserver.StreamRequestHandler):
            # One packet for each answer, without waiting for more.
            wbufsize, disable_nagle_algorithm = -1, True

            def handle(self):
                while True:
                    start = self.rfile.readline().split()
                    if len(start) < 3:
                        return
                    headers = {}
                    while (line := self.rfile.readline()) not in (b"\r\n", b"\n", b""):
                        name, _, value = line.decode("latin-1").partition(":")
                        headers[name.lower()] = value.strip()
                    raw = self.rfile.read(int(headers.get("content-length") or 0))
                    key = (start[0], start[1], raw, headers.get("authorization"))
                    kept = outer.kept
                    out = kept.get(key) if kept is not None else None
                    if out is None:
                        out = outer.answer(start[0].decode(), start[1].decode("latin-1"), headers, raw)
                        if kept is not None:
                            kept[key] = out
                    self.wfile.write(out)
                    self.wfile.flush()

        class Quiet(socketserver.ThreadingTCPServer):
            daemon_threads, request_queue_size, allow_reuse_address = True, 64, True

            def handle_error(self, *a):
                pass

        self.tcp = Quiet(("127.0.0.1", 0), Handler)
        self.port = self.tcp.server_address[1]
        threading.Thread(target=self.tcp.serve_forever, daemon=True).start()

    def answer(self, method, path, headers, raw):
        """The bytes of an answer."""
        m = re.match(r"/(https?)/([^/?]+)(.*)", path)
        url = f"{m.group(1)}://{m.group(2)}{m.group(3)}" if m else path
        body = readBody(raw, headers.get("content-type"))
        if not self.fake.isToken(url):
            self.log.append((headers.get("x-fake-follow"), method, url, body))
        try:
            status, heads, answer, form = self.fake.answer(method, url, headers, body)
        except Exception as e:
            status, heads, answer, form = 500, {}, {"error": repr(e)}, None

        def local(s):
            return re.sub(r"(https?)://(?!127|pictures\.example)", rf"http://127.0.0.1:{self.port}/\1/", s)

        out, kind = text(answer, form)
        out = local(out).encode()
        fields = {"Content-Type": kind, **{k: local(v) for k, v in heads.items()}, "Content-Length": str(len(out))}
        return (
            f"HTTP/1.1 {status} -\r\n".encode()
            + "".join(f"{k}: {v}\r\n" for k, v in fields.items()).encode()
            + b"\r\n"
            + out
        )
