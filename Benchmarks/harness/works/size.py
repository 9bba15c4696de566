# SPDX-License-Identifier: Apache-2.0
"""Bytes per event, with ids that count up and with random UUIDs."""

from .. import inputs, process, tools
from ..contest import Trial

ZSTD_SAMPLE = 128 << 20


def trials(source, options):
    if source.name != "classroom":
        yield laurel(source, "laurel", source.file, source.path("size.db"))
        return
    for ids in ("counting", "uuid"):
        file = source.file if ids == "counting" else source.path("events-uuid.ndjson")
        yield laurel(source, f"laurel, {ids} ids", file, source.path(f"size-{ids}.db"), ids == "uuid")
        for name, work in (("zstd -19 --long=27", zstd), ("parquet", parquet), ("sqlite", sqlite)):
            yield Trial(
                "size", source.name, f"{name}, {ids} ids",
                lambda work=work, file=file: {"bytes_per_event": work(file) / source.events},
                lambda file=file, ids=ids: source.simulate(file, uuid=ids == "uuid"), once=True,
            )


def laurel(source, name, file, store, uuid=False):
    def measure():
        source.make_store(file, store)
        return {"bytes_per_event": store.stat().st_size / source.events}

    return Trial("size", source.name, name, measure, lambda: source.simulate(file, uuid), once=True)


def zstd(file):
    """The compressed size of the file, estimated from its beginning. The beginning fills the window; the whole would take an hour."""
    packed, sample = file.with_suffix(".ndjson.zst"), file.with_suffix(".sample")
    with open(file, "rb") as source, open(sample, "wb") as beginning:
        written = 0
        while written < ZSTD_SAMPLE and (chunk := source.read(1 << 20)):
            written += beginning.write(chunk)
    # The same arguments give the same file, and compressing even the sample takes minutes.
    if not packed.exists():
        part = file.with_suffix(".zst-part")
        process.run(["zstd", "-19", "--long=27", "-T0", "-q", "-f", sample, "-o", part])
        part.rename(packed)
    sample.unlink()
    return packed.stat().st_size * file.stat().st_size / written


def parquet(file):
    table, packed = file.with_suffix(".duckdb"), file.with_suffix(".parquet")
    inputs.remove(table)
    process.run(tools.peer("duckdb_peer", "ingest", "typed", file, table))
    process.run(tools.peer("duckdb_peer", "lossless", file, table))
    process.run(tools.peer("duckdb_peer", "parquet", table, packed))
    inputs.remove(table)
    return packed.stat().st_size


def sqlite(file):
    rows = file.with_suffix(".sqlite")
    inputs.remove(rows)
    process.run(tools.peer("sqlite_peer", file, rows))
    size = rows.stat().st_size
    inputs.remove(rows)
    return size
