# SPDX-License-Identifier: Apache-2.0
"""Power cuts: what a process wrote is recorded, and the disk is put together again as it may be found at some moment.

What was synchronised is there. Of what was written since, each write may be there, or not, or in part; names that were made,
changed or removed come into being in their order, and are there when a file made later was synchronised. """
import os, shutil, struct

from commands import Knowledge
from machine import Failure, Machine

SECTOR = 512


class Call:
    def __init__(self, kind, path, offset, count, data):
        self.kind, self.path, self.offset, self.count, self.data = kind, path, offset, count, data


def recorded(path):
    with open(path, "rb") as file:
        while head := file.read(5):
            kind, length = struct.unpack("<cI", head)
            name = file.read(length).decode()
            offset, count = struct.unpack("<qq", file.read(16))
            kind = kind.decode()
            data = file.read(count) if kind in "wra" else b""
            yield Call(kind, name, offset, count, data)


class File:
    """Its bytes that are safe, and the calls that are not yet."""

    def __init__(self, data=b""):
        self.data, self.pending = bytearray(data), []

    def synchronise(self):
        for call in self.pending:
            apply(self.data, call)
        self.pending = []


def apply(data, call, part=None):
    if call.kind == "t":
        data[call.offset:] = b"\0" * max(0, call.offset - len(data))
        return
    written = call.data if part is None else call.data[:part]
    end = call.offset + len(written)
    if end > len(data):
        data.extend(b"\0" * (end - len(data)))
    data[call.offset:end] = written


class Disk:
    def __init__(self, folder):
        self.folder = folder
        # The durable names, and all names.
        self.safe = {name: File(open(os.path.join(folder, name), "rb").read()) for name in os.listdir(folder)}
        self.now = dict(self.safe)
        self.names = []

    def take(self, call):
        name = os.path.basename(call.path)
        if call.kind == "c":
            self.change("c", name, File())
        elif call.kind == "u" and name in self.now:
            self.change("u", name, None)
        elif call.kind == "r" and name in self.now:
            self.change("r", os.path.basename(call.data.decode()), self.now[name], name)
        elif call.kind == "s":
            if call.path == self.folder:
                self.settle(len(self.names))
            elif name in self.now:
                self.now[name].synchronise()
                made = [n for n, change in enumerate(self.names) if change[2] is self.now[name]]
                self.settle(made[-1] + 1 if made else 0)
        elif call.kind in "wt" and name in self.now:
            self.now[name].pending.append(call)

    def change(self, kind, name, file, other=None):
        self.names.append((kind, name, file, other))
        Disk.rename(self.now, self.names[-1])

    @staticmethod
    def rename(names, change):
        kind, name, file, other = change
        if kind == "u":
            names.pop(name, None)
        else:
            names[name] = file
            if kind == "r":
                names.pop(other, None)

    def settle(self, count):
        for change in self.names[:count]:
            Disk.rename(self.safe, change)
        self.names = self.names[count:]

    def cut(self, random, folder):
        """Writes a possible state of the disk after a power cut."""
        names = dict(self.safe)
        for change in self.names[:random.randint(0, len(self.names))]:
            Disk.rename(names, change)
        share = random.choice([0, 0.1, 0.5, 0.9, 1])
        for name, file in names.items():
            data = bytearray(file.data)
            for call in file.pending:
                if random.random() >= share:
                    continue
                part = None
                if call.kind == "w" and random.random() < 0.1:
                    part = random.randint(0, len(call.data) // SECTOR) * SECTOR
                apply(data, call, part)
            with open(os.path.join(folder, name), "wb") as out:
                out.write(data)


class PowerCuts:
    name = "power"
    cuts = 6

    def __init__(self, scene):
        self.scene = scene

    def case(self, random, tally):
        scene = self.scene
        base = random.choice(list(scene.bases))
        disk, events = scene.bases[base]
        commands = random.sample(scene.commands, random.randint(1, 4))
        with Machine() as machine:
            if disk:
                machine.take(disk)
            record = machine.file("record")
            before = machine.file("before")
            shutil.copytree(machine.disk, before)
            moments = []
            for command in commands:
                start = os.path.getsize(record) if os.path.exists(record) else 0
                outcome = command.run(machine, record=record)
                # A command can fail without a fault, such as an erasure before the learner's events are stored.
                moments.append((command, start, os.path.getsize(record), command.is_done(outcome)))
            try:
                self.cut(machine, before, record, moments, events, random, tally)
            except Failure as failure:
                raise Failure(f"on {base}: {', '.join(command.name for command in commands)}: {failure}")

    def cut(self, machine, before, record, moments, events, random, tally):
        calls, ends, position = [], [], 0
        for call in recorded(record):
            position += 21 + len(call.path.encode()) + len(call.data)
            calls.append(call)
            ends.append(position)
        places = sorted(random.randint(0, len(calls)) for _ in range(self.cuts))
        disk, done = Disk(before), 0
        disk.folder = machine.disk
        for place in places:
            for call in calls[done:place]:
                disk.take(call)
            done = place
            known = Knowledge(events)
            reached = ends[place - 1] if place else 0
            for command, start, end, is_done in moments:
                if reached > start:
                    command.note(known, is_done and reached >= end)
            with Machine() as after:
                disk.cut(random, after.disk)
                try:
                    known.check(after)
                except Failure as failure:
                    raise Failure(f"power cut after call {place} of {len(calls)}: {failure}")
            tally["power cuts"] += 1
