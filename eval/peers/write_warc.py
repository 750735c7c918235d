"""Writes a crawl archive: write_warc.py FILE.warc.gz reads lines {"url", "html"}."""

from __future__ import annotations

import io
import json
import sys

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter


def main() -> None:
    with open(sys.argv[1], "wb") as out:
        writer = WARCWriter(out, gzip=True)
        for line in sys.stdin.buffer:
            page = json.loads(line)
            body = page["html"].encode("utf-8", "replace")
            fields = [
                ("Content-Type", "text/html; charset=utf-8"),
                ("Content-Length", str(len(body))),
            ]
            headers = StatusAndHeaders("200 OK", fields, protocol="HTTP/1.1")
            record = writer.create_warc_record(
                page["url"],
                "response",
                payload=io.BytesIO(body),
                http_headers=headers,
                warc_headers_dict={"WARC-Date": "2024-01-01T00:00:00Z"},
            )
            writer.write_record(record)


if __name__ == "__main__":
    main()
