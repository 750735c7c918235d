#!/usr/bin/env python3
"""Parquet through the program, looked at by pyarrow: the kept rows of files of every type and codec
are the rows of the source, with its schema and metadata."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(os.environ["ZW_ROOT"])
PYTHON = ROOT / "build" / "venv-arrow" / "bin" / "python"
SKIPPED = 77

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    if not PYTHON.exists() or Path(sys.executable) == PYTHON:
        print("no pyarrow: Parquet is left out here")
        sys.exit(SKIPPED)
    os.execv(PYTHON, [str(PYTHON), *sys.argv])

ROWS = 300
LINES = ["白日依山尽，黄河入海流", "欲穷千里目，更上一层楼", "床前明月光，疑是地上霜"]


def source_table():
    """Rows 3 and 4 of every five are copies of rows 0 and 1."""
    texts = [f"{LINES[i // 5 % 3]}，其{i - 3 if i % 5 > 2 else i}" for i in range(ROWS)]
    columns = {
        "text": pa.array(texts),
        "id": pa.array(range(ROWS)),
        "kind": pa.array([f"k{i % 4}" for i in range(ROWS)]).dictionary_encode(),
        "tags": pa.array([[str(i), None] if i % 7 else None for i in range(ROWS)]),
        "meta": pa.array([{"when": i, "deep": {"x": [i]}} if i % 9 else None for i in range(ROWS)]),
        "map": pa.array([[("a", i)] for i in range(ROWS)], pa.map_(pa.string(), pa.int64())),
        "zoned": pa.array([i * 1000 for i in range(ROWS)], pa.timestamp("ms", tz="Asia/Shanghai")),
        "price": pa.array([i for i in range(ROWS)], pa.int32()).cast(pa.decimal128(12, 2)),
        "fixed": pa.array([b"%03d" % i for i in range(ROWS)], pa.binary(3)),
        "view": pa.array([f"view {i} of many" for i in range(ROWS)], pa.string_view()),
        "large": pa.array([f"large {i}" for i in range(ROWS)], pa.large_string()),
    }
    fields = [pa.field(name, values.type, metadata={"note": name})
              for name, values in columns.items()]
    schema = pa.schema(fields, metadata={"origin": "generated", "empty": ""})
    return pa.Table.from_arrays(list(columns.values()), schema=schema)


FILES = {
    "plain.parquet": {"compression": "none", "row_group_size": 70},
    "zstd.parquet": {"compression": "zstd", "row_group_size": 100, "write_page_checksum": True},
    "second.parquet": {"compression": "gzip", "data_page_version": "2.0", "use_dictionary": False},
    "foreign.parquet": {"compression": "snappy", "store_schema": False},
}


def dedup(source, out, *options):
    command = [os.environ["ZHIWEN"], "dedup", source, "-o", out, "--mode", "exact", *options]
    subprocess.run(command, check=True)
    return pq.read_table(next(Path(out, "kept").rglob("*.parquet")), use_threads=False)


def removed_rows(out):
    packed = subprocess.run(["zstd", "-dc", f"{out}/removed.jsonl.zst"], check=True,
                            capture_output=True).stdout
    return {json.loads(line)["id"] for line in packed.splitlines()}


def check(name):
    out = f"out-{name}"
    source, kept = pq.read_table(name, use_threads=False), dedup(name, out)
    removed = {int(label) for label in removed_rows(out)}
    assert len(removed) == ROWS // 5 * 2, len(removed)
    rows = [i for i in range(ROWS) if i not in removed]
    assert kept.schema.equals(source.schema, check_metadata=True), kept.schema
    kept.validate(full=True)
    for column in source.column_names:
        wanted = pa.concat_tables([source.slice(i, 1) for i in rows])[column]
        assert kept[column].equals(wanted), column

    before = pq.read_metadata(name)
    after = pq.read_metadata(next(Path(out, "kept").rglob("*.parquet")))
    assert after.metadata == before.metadata
    assert after.num_row_groups == before.num_row_groups
    for i in range(before.num_columns):
        assert (after.row_group(0).column(i).compression
                == before.row_group(0).column(i).compression)

    marked = dedup(name, f"{out}-marked", "--mark", "dup", "--add-cluster-size")
    assert marked.num_rows == ROWS
    assert {i for i, mark in enumerate(marked["dup"].to_pylist()) if mark} == removed
    assert marked.select(source.column_names).equals(source)


def is_built_without(name):
    command = [os.environ["ZHIWEN"], "fingerprint", "-q", "-s", "exact", name]
    return b"built without Parquet" in subprocess.run(command, capture_output=True).stderr


def main():
    table = source_table()
    for name, options in FILES.items():
        pq.write_table(table, name, **options)
        if is_built_without(name):
            print("the program was built without Parquet: it is left out here")
            sys.exit(SKIPPED)
        check(name)
        print(f"{name}: kept rows, schema, metadata and codec are those of the source")


main()
