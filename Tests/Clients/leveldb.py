# SPDX-License-Identifier: Apache-2.0
"""Logs of LevelDB, which Chromium keeps IndexedDB in. Where a process ends in the middle of a record, LevelDB leaves that record out,
but goes on writing behind it, and the next time it takes what it wrote there for the rest of it: up to 32 KiB that were on the disk are
gone (https://github.com/google/leveldb/issues/1287). No page can help it."""
import glob, os

BLOCK, HEADER = 32768, 7
FULL, LAST = 1, 4


def complete(log):
    """The end of the last complete record. Records consist of parts that do not cross the end of a block of 32 KiB."""
    end = at = 0
    while True:
        left = BLOCK - at % BLOCK
        if left < HEADER:
            at += left
        if at + HEADER > len(log):
            return end
        at, kind = at + HEADER + int.from_bytes(log[at + 4:at + 6], "little"), log[at + 6]
        if at > len(log):
            return end
        if kind in (FULL, LAST):
            end = at


def cut_torn(profile):
    """Removes the incomplete record at a log's end after a kill, so that nothing is written after it. Returns the number of such logs."""
    torn = 0
    for path in glob.glob(f"{profile}/**/IndexedDB/*.leveldb/*.log", recursive=True):
        with open(path, "rb") as file:
            log = file.read()
        end = complete(log)
        if end < len(log):
            os.truncate(path, end)
            torn += 1
    return torn
