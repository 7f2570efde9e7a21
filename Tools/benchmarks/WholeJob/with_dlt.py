#!/usr/bin/env python3
"""Fetches all pages with a REST source of dlt into DuckDB. with_dlt.py URL FOLDER PAGES"""

import os
import pathlib
import sys


def main(url, folder, pages):
    os.environ.setdefault("RUNTIME__DLTHUB_TELEMETRY", "false")
    os.environ.setdefault("RUNTIME__LOG_LEVEL", "ERROR")
    os.chdir(folder)
    import dlt
    from dlt.sources.rest_api import rest_api_source

    common = {"api_key": "any", "format": "json", "nojsoncallback": "1"}
    photos = {
        "name": "photos",
        "primary_key": "id",
        "write_disposition": "merge",
        "endpoint": {
            "path": "services/rest/",
            "params": {
                "method": "flickr.interestingness.getList", "per_page": 500,
                "extras": "owner_name,date_upload,date_taken,tags,url_t,url_o", **common},
            "data_selector": "photos.photo",
            "paginator": {"type": "page_number", "base_page": 1, "page_param": "page", "total_path": None,
                          "maximum_page": pages + 1},
        },
    }
    source = rest_api_source({"client": {"base_url": url}, "resources": [photos]})
    pipeline = dlt.pipeline(
        pipeline_name="photos", destination=dlt.destinations.duckdb("photos.duckdb"), dataset_name="flickr",
        pipelines_dir=str(pathlib.Path(folder) / "state"))
    pipeline.run(source)
    # The owners are a second resource, each fetched once, because dlt cannot check which ones are already stored.
    with pipeline.sql_client() as client:
        owners = [row[0] for row in client.execute_sql("select distinct owner from photos")]

    @dlt.resource(name="owners", primary_key="nsid", write_disposition="merge")
    def people():
        session = dlt.sources.helpers.requests.Session()
        for owner in owners:
            answer = session.get(f"{url}/services/rest/",
                                 params={"method": "flickr.people.getInfo", "user_id": owner, **common}).json()
            if "person" in answer:
                yield answer["person"]

    pipeline.run(people())
    with pipeline.sql_client() as client:
        print(client.execute_sql("select count(*) from photos")[0][0], len(owners))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
