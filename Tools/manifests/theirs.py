"""Airbyte's program (airbyte-cdk) reads the streams of a manifest against a fake server. Nothing leaves the machine."""

import json, logging, signal, time
from urllib.parse import urlsplit
import requests
import fake

logging.disable(logging.CRITICAL)
sleep = time.sleep
time.sleep = lambda seconds: None  # waiting for retries

SERVER, LOG = None, []


def respond(self, request, **options):
    body = fake.readBody(request.body, request.headers.get("Content-Type"))
    if not SERVER.isToken(request.url):
        LOG.append((request.method, request.url, body))
    status, heads, answer, form = SERVER.answer(request.method, request.url, request.headers, body)
    content, kind = fake.text(answer, form)
    r = requests.Response()
    r.status_code, r._content, r.url, r.request, r.encoding = status, content.encode(), request.url, request, "utf-8"
    import io

    r.raw = io.BytesIO(r._content)
    r.headers.update({"Content-Type": kind, **heads})
    return r


send = requests.adapters.HTTPAdapter.send


def overNetwork(self, request, **options):
    """The same, over HTTP to the server on 127.0.0.1; used to compare times."""
    m = urlsplit(request.url)
    if m.hostname != "127.0.0.1":
        request.url = f"http://127.0.0.1:{PORT}/{m.scheme}/{m.netloc}{m.path}" + (f"?{m.query}" if m.query else "")
    return send(self, request, **options)


PORT = None
requests.adapters.HTTPAdapter.send = respond
from airbyte_cdk.sources.streams.http.http_client import HttpClient

HttpClient._request_session = lambda self: requests.Session()  # no cache of answers between streams
from airbyte_cdk.sources.declarative.concurrent_declarative_source import ConcurrentDeclarativeSource
from airbyte_cdk.sources.declarative.schema.json_file_schema_loader import JsonFileSchemaLoader

JsonFileSchemaLoader.get_json_schema = lambda self: {}  # files beside the manifest
HIDDEN = {"_fake", "fake", "_Fake"}


class Late(BaseException):
    pass


def late(*_):
    raise Late()


signal.signal(signal.SIGALRM, late)


def text(e):
    parts, seen = [], set()
    while e is not None and id(e) not in seen:
        seen.add(id(e))
        parts.append(
            f"{type(e).__name__}: {getattr(e, 'internal_message', None) or getattr(e, 'message', None) or e}"
        )
        e = e.__cause__ or e.__context__
    return " <- ".join(dict.fromkeys(parts))[:400]


def plain(value, definitions, isTop=False):
    """A part of a manifest without the program code that almanac leaves out with a note, too."""

    def isCode(v):
        path = v.get("$ref") if isinstance(v, dict) else v
        if isinstance(path, str) and path.startswith("#/definitions/"):
            v = definitions.get(path[14:])
        return isinstance(v, dict) and str(v.get("type")) in OPTIONAL

    if isinstance(value, list):
        return [plain(v, definitions) for v in value if not isCode(v)]
    if not isinstance(value, dict):
        return value
    return {
        k: plain(v, definitions, k == "definitions")
        for k, v in value.items()
        if isTop or k == "$ref" or not isCode(v)
    }


OPTIONAL = {
    "CustomTransformation",
    "CustomErrorHandler",
    "CustomBackoffStrategy",
    "CustomStateMigration",
    "CustomSchemaNormalization",
    "CustomSchemaLoader",
}


def source(manifest, config):
    return ConcurrentDeclarativeSource(config=config, source_config=manifest).streams(config)


def load(manifest, config, wanted):
    """The streams, and those that cannot be loaded with the reasons. `wanted(name)` says which are."""
    whole = json.loads(json.dumps(manifest, default=str))
    whole = plain(whole, whole.get("definitions") or {})
    # How many streams are read at once does not matter, and streams that the API names are not compared.
    for member in ("concurrency_level", "dynamic_streams", "api_budget"):
        whole.pop(member, None)
    try:
        return [s for s in source(whole, config) if wanted(s.name)], {}
    except Exception as e:
        reason = text(e)
    found, failed = [], {}
    streams = whole.get("streams", [])
    for i, part in enumerate(streams):
        own = part if isinstance(part, dict) else {"$ref": part}
        name = str(own.get("name") or (own.get("$parameters") or {}).get("name") or own.get("$ref", "") or i)
        try:
            found += [s for s in source({**whole, "streams": [part]}, config) if wanted(s.name)]
        except Exception as e:
            failed[name.rpartition("/")[2]] = text(e)
    if not found and not failed:
        failed["all"] = reason
    return found, failed


def read(stream, server, seconds):
    """What a stream gave: records, requests, seconds, error."""
    global SERVER
    SERVER = server
    del LOG[:]
    records, error, count = set(), None, 0
    began, spent = time.perf_counter(), server.spent
    signal.alarm(max(1, int(seconds)))
    try:
        for partition in stream.generate_partitions():
            for record in partition.read():
                data = getattr(record, "data", record)
                count += 1
                mark = next((data[k] for k in HIDDEN if k in data), None) if hasattr(data, "get") else None
                records.add(
                    mark
                    or json.dumps(dict(data) if hasattr(data, "keys") else data, default=str, sort_keys=True)[:200]
                )
    except Late:
        error = f"late: not ready after {int(seconds)} s"
    except Exception as e:
        error = text(e)
    finally:
        signal.alarm(0)
    return {
        "records": records,
        "count": count,
        "requests": list(LOG),
        "seconds": time.perf_counter() - began,
        "server": server.spent - spent,
        "error": error,
    }


def main():
    """Reads streams over HTTP, in a process of its own: FILE is {"manifest", "config", "port", "streams"}."""
    global PORT
    import sys

    given = json.load(open(sys.argv[1]))
    PORT = given["port"]
    requests.adapters.HTTPAdapter.send = overNetwork
    began = time.perf_counter()
    streams, _ = load(given["manifest"], given["config"], lambda n: n in given["streams"])
    loaded = time.perf_counter()
    count = sum(1 for s in streams for p in s.generate_partitions() for _ in p.read())
    print(json.dumps({"load": loaded - began, "read": time.perf_counter() - loaded, "records": count}))


if __name__ == "__main__":
    main()
