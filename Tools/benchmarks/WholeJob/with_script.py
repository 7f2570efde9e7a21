#!/usr/bin/env python3
"""A simple script for the same job, with requests and sqlite-utils. with_script.py URL DATABASE PAGES"""

import sys

import requests
import sqlite_utils

EXTRAS = "owner_name,date_upload,date_taken,tags,url_t,url_o"


def main(url, path, pages):
    session = requests.Session()
    database = sqlite_utils.Database(path)
    common = {"api_key": "any", "format": "json", "nojsoncallback": "1"}

    def call(method, **parameters):
        answer = session.get(f"{url}/services/rest/", params={"method": method, **common, **parameters}, timeout=60)
        answer.raise_for_status()
        return answer.json()

    known = {row["id"] for row in database["owners"].rows} if "owners" in database.table_names() else set()
    photos = 0
    for page in range(1, pages + 1):
        answer = call("flickr.interestingness.getList", per_page=500, page=page, extras=EXTRAS)
        rows = answer["photos"]["photo"]
        database["photos"].upsert_all(rows, pk="id", alter=True)
        photos += len(rows)
        for owner in dict.fromkeys(row["owner"] for row in rows):
            if owner in known:
                continue
            known.add(owner)
            person = call("flickr.people.getInfo", user_id=owner).get("person")
            if person:
                database["owners"].upsert(
                    {"id": person["nsid"], "username": person["username"]["_content"], "raw": person}, pk="id",
                    alter=True)
    print(photos, len(known))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
