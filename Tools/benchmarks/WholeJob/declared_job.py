#!/usr/bin/env python3
"""Compares sources that a file describes with compiled ones, in paired rounds; the results are medians.

    declared_job.py BUILD_FOLDER [--rounds 5] [--pages 200] [--owners 120] [--starts 100] [--python VENV/bin/python]
        [--airbyte VENV/bin/python]

BUILD_FOLDER contains almanac and upstream. The same photos and owners are synced by the compiled source `flickr`, by a
definition of it, and by dlt's rest_api into DuckDB. Then the photos alone are synced by the definition, and read by the
declarative source of Airbyte's CDK, which stores nothing. Then the time of a command without a network is compared with 0
and with 50 definitions. `--python` is an interpreter with dlt and duckdb, `--airbyte` one with airbyte-cdk; peers without
one are omitted. The output is that of `whole_job.py`.
"""

import argparse
import json
import pathlib
import sys
import tempfile

from whole_job import HERE, Job, Server, median, row, timed

EXTRAS = "owner_name,date_upload,date_taken,tags,url_t,url_o"


COMMON = "format=json&nojsoncallback=1"


def listed(name):
    return {
        "get": f"?method=flickr.interestingness.getList&{COMMON}&extras={EXTRAS}&page={{page}}&per_page={{size}}",
        "pages": {"page": 1, "pages": "$.photos.pages", "size": 500},
        "take": {"records": "$.photos.photo", "into": f"{name}-photos"},
    }


def definition(url, name="declared"):
    return {
        "almanac": 1, "source": name, "url": f"{url}/services/rest/", "auth": {"kind": "query", "name": "api_key"},
        # 5: an owner who was deleted.
        "errors": [{"if": {"$.stat": "fail", "$.code": 5}, "means": "notFound", "message": "$.message"},
                   {"if": {"$.stat": "fail"}, "means": "refused", "code": "$.code", "message": "$.message"}],
        "collections": {
            f"{name}-photos": {"id": "$.id", "fields": {
                "title": "text $.title", "owner": "text $.owner", "ownerName": "text? $.ownername",
                "takenAt": "text? $.datetaken", "postedAt": "time(epoch)? $.dateupload", "tags": "text? $.tags",
                "thumbnailURL": "url? $.url_t", "originalURL": "url? $.url_o"}},
            f"{name}-owners": {"id": "$.nsid", "fields": {
                "name": "text? $.username._content", "photos": "int? $.photos.count._content"}},
        },
        "follows": {"photos": {**listed(name), "each": {
            "for": {"nsid": "$.owner"}, "when": "new", "take": {"records": "$.person", "into": f"{name}-owners"},
            "get": f"?method=flickr.people.getInfo&{COMMON}&user_id={{nsid}}"}},
            "list": listed(name)},
    }


def configured(job, follow, url, sources=()):
    folder = job.fresh("config")
    servers = {"flickr": {"url": url, "apiKey": "any"}}
    servers.update({source["source"]: {"apiKey": "any"} for source in sources})
    (folder / "config.json").write_text(json.dumps({"servers": servers, "follows": [follow]}))
    (folder / "sources").mkdir()
    for source in sources:
        (folder / "sources" / f"{source['source']}.json").write_text(json.dumps(source))
    return folder / "config.json"


def sync_job(job, options):
    photos = options.pages * 500
    rounds = []
    with Server(options.build, "--photos", photos, "--owners", options.owners, "--no-drift") as server:
        for number in range(options.rounds + 1):
            one = {}
            for name, follow, sources in (
                    ("compiled", {"follow": "flickr/interestingness", "limit": photos}, []),
                    ("declared", {"follow": "declared/photos"}, [definition(server.url)])):
                config = configured(job, follow, server.url, sources)
                store = job.fresh(f"store-{name}")
                seconds, peak, cpu, report = job.sync(store, config)
                # The compiled source keeps deleted owners as such; the definition sets them aside.
                if report["totals"]["added"] + report["totals"]["rejected"] < photos + options.owners:
                    sys.exit(f"{name}: {json.dumps(report)[:500]}")
                again = job.sync(store, config)[3]["totals"]
                if again["added"] + again["updated"] + again["removed"]:
                    sys.exit(f"{name}: a second sync changed records: {again}")
                one[name], one[name + " cpu"], one[name + " peak"] = seconds, cpu, peak
            if number <= options.slow_rounds:
                peers(job, options, server, one)
            # The first round warms the server up.
            if number:
                rounds.append(one)
    for unit, suffix in (("s", ""), ("s of processor time", " cpu")):
        ours = median([one["declared" + suffix] for one in rounds])
        ratio = median([one["compiled" + suffix] / one["declared" + suffix] for one in rounds])
        row(f"sync of {photos} photos and owners, declared", ours, unit, "compiled",
            median([one["compiled" + suffix] for one in rounds]), ratio, ">= 0.9", ratio >= 0.9)
        for peer, own, work, goal in (
                ("dlt", "declared", f"sync of {photos} photos and owners, declared", 10),
                ("airbyte", "list", f"sync of {photos} photos alone, declared", 5)):
            slow = [one for one in rounds if peer in one]
            if slow:
                ratio = median([one[peer + suffix] / one[own + suffix] for one in slow])
                row(work, median([one[own + suffix] for one in slow]), unit, peer,
                    median([one[peer + suffix] for one in slow]), ratio, f">= {goal}", ratio >= goal)
    row("peak memory, declared", median([one["declared peak"] for one in rounds]), "MB", "compiled",
        median([one["compiled peak"] for one in rounds]))


def peers(job, options, server, one):
    """Reads the same records with the peers, after a sync of the photos alone."""
    photos = options.pages * 500
    config = configured(job, {"follow": "declared/list"}, server.url, [definition(server.url)])
    seconds, _, cpu, report = job.sync(job.fresh("store-list"), config)
    if report["totals"]["added"] != photos:
        sys.exit(f"photos alone: {json.dumps(report)[:500]}")
    one["list"], one["list cpu"] = seconds, cpu
    for name, python, script in (("dlt", options.python, "with_dlt.py"), ("airbyte", options.airbyte, "with_airbyte.py")):
        if not python:
            continue
        seconds, _, cpu, output, errors, status = timed(
            [python, str(HERE / script), server.url, str(job.fresh(name)), str(options.pages)])
        # Airbyte's log is on standard output, too; the last line begins with the number of records.
        if status or (output.split("\n")[-2:] or [""])[0].split()[:1] != [str(photos)]:
            print(f"{name} ended with {status}: {output[-100:]} {errors[-300:]}", file=sys.stderr)
        else:
            one[name], one[name + " cpu"] = seconds, cpu


def start_job(job, options):
    sources = [definition("http://127.0.0.1:1", f"source-{chr(97 + number // 26)}{chr(97 + number % 26)}")
               for number in range(50)]
    follow = {"follow": "app-store/us/top-free"}
    bare = job.fresh("bare")
    full = job.fresh("full")
    for folder, list_of in ((bare, []), (full, sources)):
        configured(job, follow, "http://127.0.0.1:1", list_of).parent.rename(folder / "config")
    # The first one asks for no source; the second one checks the config, for which every definition is read.
    for words in (["config", "path"], ["following"]):
        times = {bare: [], full: []}
        for _ in range(options.starts):
            for folder in (bare, full):
                command = [job.almanac, "--config", str(folder / "config" / "config.json"), *words]
                _, _, cpu, _, errors, status = timed(command)
                if status:
                    sys.exit(f"{' '.join(command)} ended with {status}: {errors}")
                times[folder].append(cpu)
        with_none, with_fifty = (1000 * median(times[folder]) for folder in (bare, full))
        row(f"almanac {' '.join(words)} with 50 definitions", with_fifty, "ms of processor time", "without", with_none,
            None, "<= 1 ms more", with_fifty - with_none <= 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow-rounds", type=int, default=2)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--owners", type=int, default=120)
    parser.add_argument("--starts", type=int, default=100)
    parser.add_argument("--python")
    parser.add_argument("--airbyte")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        job = Job(options, pathlib.Path(work))
        sync_job(job, options)
        start_job(job, options)


if __name__ == "__main__":
    main()
