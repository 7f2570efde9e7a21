#!/usr/bin/env python3
"""Reads all pages with a declarative source of Airbyte's CDK, as messages that go nowhere. with_airbyte.py URL FOLDER PAGES"""

import json
import os
import pathlib
import sys


def manifest(url):
    parameters = {
        "method": "flickr.interestingness.getList", "format": "json", "nojsoncallback": "1", "api_key": "any",
        "extras": "owner_name,date_upload,date_taken,tags,url_t,url_o"}
    text = {"type": ["null", "string"]}
    names = ["id", "title", "owner", "ownername", "datetaken", "dateupload", "tags", "url_t", "url_o"]
    retriever = {
        "type": "SimpleRetriever",
        "requester": {
            "type": "HttpRequester", "url_base": url, "path": "/services/rest/", "http_method": "GET",
            "request_parameters": parameters},
        "record_selector": {
            "type": "RecordSelector", "extractor": {"type": "DpathExtractor", "field_path": ["photos", "photo"]}},
        "paginator": {
            "type": "DefaultPaginator",
            "page_token_option": {"type": "RequestOption", "inject_into": "request_parameter", "field_name": "page"},
            "page_size_option": {"type": "RequestOption", "inject_into": "request_parameter", "field_name": "per_page"},
            "pagination_strategy": {
                "type": "PageIncrement", "start_from_page": 1, "page_size": 500, "inject_on_first_request": True}},
    }
    schema = {"type": "object", "additionalProperties": True, "properties": {name: text for name in names}}
    return {
        "version": "6.0.0", "type": "DeclarativeSource",
        "check": {"type": "CheckStream", "stream_names": ["photos"]},
        "streams": [{
            "type": "DeclarativeStream", "name": "photos", "primary_key": ["id"], "retriever": retriever,
            "schema_loader": {"type": "InlineSchemaLoader", "schema": schema}}],
        "spec": {"type": "Spec", "connection_specification": {"type": "object", "properties": {}}},
    }


def main(url, folder):
    os.chdir(folder)
    from airbyte_cdk.entrypoint import AirbyteEntrypoint
    from airbyte_cdk.models import ConfiguredAirbyteCatalogSerializer
    from airbyte_cdk.sources.declarative.concurrent_declarative_source import ConcurrentDeclarativeSource

    catalog = {"streams": [{
        "stream": {"name": "photos", "json_schema": {}, "supported_sync_modes": ["full_refresh"]},
        "sync_mode": "full_refresh", "destination_sync_mode": "append"}]}
    pathlib.Path("config.json").write_text("{}")
    pathlib.Path("catalog.json").write_text(json.dumps(catalog))
    source = ConcurrentDeclarativeSource(
        catalog=ConfiguredAirbyteCatalogSerializer.load(catalog), config={}, state=None, source_config=manifest(url))
    entrypoint = AirbyteEntrypoint(source)
    arguments = entrypoint.parse_args(["read", "--config", "config.json", "--catalog", "catalog.json"])
    records = 0
    with open(os.devnull, "w") as nowhere:
        for message in entrypoint.run(arguments):
            text = message if isinstance(message, str) else str(message)
            nowhere.write(text + "\n")
            records += '"type":"RECORD"' in text
    print(records)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
