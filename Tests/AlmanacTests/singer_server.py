#!/usr/bin/env python3
"""A server with 250 items in pages of 100, and those that a file has. singer_server.py FILE_FOR_THE_PORT FILE_OF_ITEMS"""

import http.server
import json
import pathlib
import sys
import urllib.parse

ITEMS = [{"id": number, "name": f"Item {number}", "price": number / 4,
          "updated_at": f"2026-01-{1 + number // 10:02d}T00:00:00Z"} for number in range(1, 251)]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        address = urllib.parse.urlparse(self.path)
        query = dict(urllib.parse.parse_qsl(address.query))
        since = query.get("since", "")
        more = pathlib.Path(sys.argv[2])
        added = [json.loads(line) for line in more.read_text().splitlines()] if more.exists() else []
        items = [item for item in ITEMS + added if item["updated_at"] >= since]
        page = int(query.get("page", 1))
        chosen = items[(page - 1) * 100:page * 100]
        goes_on = page * 100 < len(items)
        body = json.dumps({"items": chosen, "next_page": page + 1 if goes_on else None}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
pathlib.Path(sys.argv[1]).write_text(str(server.server_port))
server.serve_forever()
