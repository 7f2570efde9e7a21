"""Values for the settings of a manifest: as the configuration of Airbyte's program, and as settings and key of a definition."""

import json, re
from fake import START, NOW, SECRET, objects

USES = re.compile(
    r"config((?:\.get\(\s*['\"][^'\"]+['\"][^()]*\)|\.(?!get\b)[A-Za-z_]\w*|\[\s*['\"][^'\"]+['\"]\s*\])+)"
)
PART = re.compile(r"\.get\(\s*['\"]([^'\"]+)['\"][^()]*\)|\.([A-Za-z_]\w*)|\[\s*['\"]([^'\"]+)['\"]\s*\]")
METHODS = {
    "items",
    "keys",
    "values",
    "strip",
    "split",
    "lower",
    "upper",
    "replace",
    "startswith",
    "endswith",
    "rstrip",
    "lstrip",
    "format",
}


def word(text):
    return re.sub(r"[^A-Za-z0-9_]", "_", text).lstrip("_") or "value"


def uses(value):
    """The members of `config` that expressions name, in their order."""
    found = []
    for m in USES.finditer(json.dumps(value, default=str).replace('\\"', '"')):
        path = [a or b or c for a, b, c in PART.findall(m.group(1))]
        while path and path[-1] in METHODS:
            path.pop()
        if path and tuple(path) not in found:
            found.append(tuple(path))
    return found


def spec(manifest):
    """The settings that the manifest describes: path → schema."""
    found = {}

    def walk(part, path, required, depth):
        if depth > 8 or not isinstance(part, dict):
            return
        need = part.get("required") if isinstance(part.get("required"), list) else []
        for name, inner in (part.get("properties") or {}).items():
            if not isinstance(inner, dict):
                continue
            found.setdefault((*path, name), {**inner, "_required": required and name in need})
            walk(inner, (*path, name), required and name in need, depth + 1)
            for other in (inner.get("oneOf") or [])[:1] + (inner.get("anyOf") or [])[:1]:
                walk(other, (*path, name), False, depth + 1)
        for other in (part.get("oneOf") or [])[:1]:
            walk(other, path, False, depth + 1)

    s = manifest.get("spec") or {}
    walk(s.get("connection_specification") or s.get("connectionSpecification") or {}, (), True, 0)
    return found


def values(manifest, definition):
    """`(config, with, sent, keys, key, odd)`: the configuration, the settings, their sent texts, the parts of the key, the key, and
    settings that are times in a form of the API, which almanac gets in RFC 3339."""
    schemas = spec(manifest)
    paths = uses(manifest.get("definitions", {})) + uses(
        {k: v for k, v in manifest.items() if k not in ("definitions", "spec", "schemas")}
    )
    paths = list(dict.fromkeys(paths))
    # A path of which another one is the beginning is a member of it.
    inner = [p for p in paths if not any(len(q) > len(p) and q[: len(p)] == p for q in paths)]
    for p, s in schemas.items():
        if s["_required"] and len(p) == 1 and not any(q[:1] == p for q in inner):
            inner.append(p)
    withs = definition.get("with") or {}
    auths = [definition.get("auth")]

    def gather(o):
        if isinstance(o, dict):
            if "auth" in o:
                auths.append(o["auth"])
            for v in o.values():
                gather(v)

    gather(definition["follows"])
    parts = next((a["key"] for a in auths if isinstance(a, dict) and isinstance(a.get("key"), list)), [])
    auth = definition.get("auth")
    atStart = set(re.findall(r"^\{(\w+)\}", definition["url"])) | set(
        re.findall(r'"(?:token|post|get)": "\{(\w+)\}', json.dumps(auth))
    )
    formats = {}

    for o in objects(manifest):
        for k in ("datetime", "start_datetime", "end_datetime"):
            if isinstance(o.get(k), str) and "format_datetime" not in o[k] and o.get("datetime_format"):
                for p in uses(o[k]):
                    formats.setdefault(p, o["datetime_format"])
    secret, lists = set(), set()
    listed = json.dumps(manifest, default=str).replace('\\"', '"')
    for m in re.finditer(r"(?:\bin\s+|join\(\s*)" + USES.pattern, listed):
        lists.update(uses(m.group(0)))
    moments = set()
    for m in re.finditer(r"(?:format_datetime|timestamp|str_to_datetime)\(\s*" + USES.pattern, listed):
        moments.update(uses(m.group(0)))

    for o in objects(manifest):
        if o.get("type") == "ListPartitionRouter" and isinstance(o.get("values"), str):
            lists.update(uses(o["values"]))
        if str(o.get("type", "")).endswith("Authenticator"):
            secret.update(uses(o))
    config, texts, odd = {}, {}, []
    for path in sorted(inner, key=lambda p: (len(p), p)):
        s = schemas.get(path, {})
        kind = s.get("type")
        kind = next((t for t in kind if t != "null"), None) if isinstance(kind, list) else kind
        if not s and path in lists:
            kind = "array"
        low, name = str(path[-1]).lower(), word(path[-1])
        candidates = [name, "set_" + name, word("_".join(path))]
        setting = next((c for c in candidates if c in withs), None)
        of = withs.get(setting, {}) if setting else {}
        if any(c in parts for c in candidates):
            v = f"secret-{next(c for c in candidates if c in parts)}"
        elif path[-1] == "session_token":
            v = "T"
        elif (
            s.get("airbyte_secret") or path in secret and not isinstance(s.get("enum"), list) and "const" not in s
        ) and not setting:
            v = SECRET
        elif isinstance(s.get("enum"), list) and s["enum"]:
            v = s.get("default") if s.get("default") in s["enum"] else s["enum"][0]
        elif isinstance((s.get("items") or {}).get("enum"), list):
            v = s["items"]["enum"][:1]
        elif "const" in s:
            v = s["const"]
        elif isinstance(of.get("values"), list) and of["values"] and kind != "array":
            v = of["values"][0]
        elif isinstance(of.get("values"), dict) and kind != "boolean":
            v = next((k for k in of["values"] if k != "*"), "other")
        elif kind == "boolean":
            v = s.get("default") if isinstance(s.get("default"), bool) else False
        elif (
            path in formats
            or path in moments
            or re.search("(start|end|begin)_?time$", low)
            or s.get("format") in ("date", "date-time")
            or "date" in low
            and "update" not in low
            and kind != "integer"
            or low in ("since", "from", "start", "begin_time")
        ):
            at = NOW if re.search("end|until|_to$|stop", low) else START
            form, rule = formats.get(path), str(s.get("pattern") or "")
            day = s.get("format") == "date" or bool(rule) and "T" not in rule and "H" not in rule
            v = at.strftime("%Y-%m-%d" if day else "%Y-%m-%dT%H:%M:%SZ")
            if form:
                other = (
                    str(int(at.timestamp()))
                    if form in ("%s", "%s_as_float")
                    else (
                        str(int(at.timestamp() * 1000)) if form == "%ms" else at.strftime(form.replace("%_ms", "000"))
                    )
                )
                if not rule or re.search(rule, other) or not re.search(rule, v):
                    v = other
        elif s.get("default") not in (None, "", []) and not str(s["default"]).startswith("now"):
            v = s["default"]
        elif kind in ("integer", "number"):
            v = 5
        elif kind == "array":
            v = [5] if (s.get("items") or {}).get("type") == "integer" else ["a1"]
        elif kind == "object":
            v = {}
        elif not setting and kind in (None, "string"):
            v = SECRET
        else:
            v = "s" + re.sub(r"\W", "", str(path[-1]))[:8]
        if isinstance(v, str) and setting in atStart and not of.get("values") and "://" not in v:
            v = "https://host.example"
        elif (
            isinstance(v, str)
            and not of.get("values")
            and re.search(r"url|host|domain|endpoint", low)
            and "." not in v
            and "://" not in v
            and not re.search(r"\{%s\}\." % (setting or "-"), definition["url"])
        ):
            v = "host.example"
        if "LegacySessionTokenAuthenticator" in listed and setting in atStart and isinstance(v, str):
            v = v.rstrip("/") + "/"
        o = config
        for x in path[:-1]:
            if not isinstance(o.get(x), dict):
                o[x] = {}
            o = o[x]
        if isinstance(o, dict) and not (isinstance(o.get(path[-1]), dict) and o[path[-1]]):
            o[path[-1]] = v
        if setting:
            texts.setdefault(
                setting,
                (
                    ",".join(map(str, v))
                    if isinstance(v, list)
                    else str(v).lower() if isinstance(v, bool) else json.dumps(v) if isinstance(v, dict) else str(v)
                ),
            )

    # Of several ways to send the key, the import takes the first one that it can say.
    for o in objects(manifest):
        if o.get("type") == "SelectiveAuthenticator" and isinstance(o.get("authenticators"), dict):
            names = list(o["authenticators"])
            kind = (
                "oauth2"
                if isinstance(auth, dict) and "oauth2" in auth
                else "login" if isinstance(auth, dict) and "login" in auth else ""
            )

            def isRight(a):
                if isinstance(a, dict) and "$ref" in a:
                    a2 = manifest
                    for part in a["$ref"][2:].split("/"):
                        a2 = a2.get(part, {}) if isinstance(a2, dict) else {}
                    a = {**a2, **a}
                t = str(a.get("type")) if isinstance(a, dict) else ""
                return (
                    not t.startswith("Custom")
                    and ("OAuth" in t) == (kind == "oauth2")
                    and ("Session" in t) == (kind == "login")
                )

            name = next((n for n in names if isRight(o["authenticators"][n])), names[0])
            c, path = config, o.get("authenticator_selection_path") or []
            for x in path[:-1]:
                if not isinstance(c.get(x), dict):
                    c[x] = {}
                c = c[x]
            if path:
                c[path[-1]] = name
    # Where a setting is a time alone, almanac gets it as RFC 3339 has it.
    once = json.dumps(definition["follows"])
    for name in list(texts):
        uses_ = len(re.findall(r"\{[+?&]?%s[}:]" % name, once)) - len(
            re.findall(r'"(?:first|last)": "\{%s\}"' % name, once)
        )
        p = next((p for p in formats if word(p[-1]) in (name, name.removeprefix("set_"))), None)
        if p and not uses_ and f'"{{{name}}}"' in once and not re.match(r"\d{4}-\d\d-\d\d(T|$)", texts[name]):
            at = NOW if re.search("end|until|_to$|stop", name.lower()) else START
            texts[name] = at.strftime("%Y-%m-%dT%H:%M:%SZ")
            odd.append(name)
    missing = []
    for name, entry in withs.items():
        about = str(entry.get("about") or "")
        if name in texts or entry.get("of"):
            continue
        if about.startswith("the result of "):
            if len(about) >= 170:
                raise ValueError(f"the expression of the setting {name} is too long to be known")
            text = result(about[14:], config)
            texts[name] = text.rstrip("/") if "://" in text else text
        elif "default" not in entry and not entry.get("optional"):
            missing.append(name)
        elif "default" in entry:
            texts[name] = str(entry["default"])
    if missing:
        raise ValueError("a setting of the definition that the manifest does not name: " + ", ".join(missing))
    sent = dict(texts)
    for name, entry in withs.items():
        if isinstance(entry.get("values"), dict):
            given = texts.get(entry.get("of") or name, entry.get("default", ""))
            sent[name] = entry["values"].get(given, entry["values"].get("*", ""))
        else:
            sent.setdefault(name, None)
    keys = {p: f"secret-{p}" for p in parts}
    if not parts:
        keys["key"] = SECRET
    key = ":".join(keys.values())
    if isinstance(auth, dict) and "oauth2" in auth:
        key = ":".join([SECRET] * (3 if auth["oauth2"].get("grant") == "refresh" else 2))
    elif isinstance(auth, dict) and "basic" in auth and auth["basic"] == "{key}":
        key = keys["key"] = f"{SECRET}:{SECRET}"
    elif auth is None and len(auths) == 1:
        key = None
    return config, texts, sent, keys, key, odd


def result(expression, config):
    from airbyte_cdk.sources.declarative.interpolation.jinja import JinjaInterpolation

    for text in (expression, "{{ " + expression + " }}") if "{{" not in expression else (expression,):
        value = JinjaInterpolation().eval(text, config)
        if value is not None and "{{" not in str(value) and value != expression:
            return str(value)
    raise ValueError("the expression of a setting cannot be computed")
