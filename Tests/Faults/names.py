# SPDX-License-Identifier: Apache-2.0
"""A store under other names, and of other owners: there is one store, with one lock, or there is an error."""
import os, stat

from commands import Knowledge
from machine import Failure, Machine

NOBODY = 65534


class Names:
    name = "names"

    def __init__(self, scene):
        self.scene = scene

    def case(self, random, tally):
        way = random.choice([self.through_a_link, self.of_two_names, self.of_another])
        disk, events = self.scene.bases["some"]
        with Machine() as machine:
            machine.take(disk)
            way(machine, Knowledge(events), random)
        tally[f"names: {way.__name__.replace('_', ' ')}"] += 1

    def appends(self, random):
        commands = [command for command in self.scene.commands if command.name.startswith("append")]
        return random.sample(commands, 2)

    def through_a_link(self, machine, known, random):
        """Writers take turns, whatever path they use. The link stays a link, and the log is beside the file."""
        link = os.path.join(machine.disk, "link.db")
        os.symlink("laurel.db", link)
        store = machine.store
        for command, name in zip(self.appends(random), [link, store]):
            machine.store = name
            outcome = command.run(machine)
            command.note(known, command.is_done(outcome))
            if not command.is_done(outcome):
                raise Failure(str(outcome))
        machine.store = store
        if not os.path.islink(link):
            raise Failure("the link is no link any more")
        if any(os.path.exists(link + suffix) for suffix in ("-wal", "-shm")):
            raise Failure("a log lies beside the link")
        known.check(machine)

    def of_two_names(self, machine, known, random):
        """SQLite would keep a log for each hard link. The second name is refused, or nothing is lost by it."""
        other = os.path.join(machine.disk, "other.db")
        os.link(machine.store, other)
        store = machine.store
        for command, name in zip(self.appends(random), [other, store]):
            machine.store = name
            outcome = command.run(machine)
            command.note(known, command.is_done(outcome))
        machine.store = store
        os.unlink(other)
        known.check(machine)

    def of_another(self, machine, known, random):
        """The store's owner can write the files beside it, whichever user wrote first."""
        if os.geteuid() != 0:
            return
        os.chown(machine.disk, NOBODY, NOBODY)
        os.chown(machine.store, NOBODY, NOBODY)
        os.chmod(machine.store, 0o600)
        for suffix in ("-lock", "-apply"):
            if os.path.exists(machine.store + suffix):
                os.unlink(machine.store + suffix)
        command = self.appends(random)[0]
        outcome = command.run(machine)
        command.note(known, command.is_done(outcome))
        if open(machine.store, "rb").read(64)[20] >= 8:
            status = os.stat(machine.store + "-lock")
            if (status.st_uid, stat.S_IMODE(status.st_mode)) != (NOBODY, 0o600):
                raise Failure(f"the lock is of {status.st_uid}, mode {stat.S_IMODE(status.st_mode):o}")
        known.check(machine)
