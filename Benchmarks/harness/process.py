# SPDX-License-Identifier: Apache-2.0
"""Running a process and knowing what it cost."""

import dataclasses
import json
import os
import subprocess
import tempfile
import time


class Failed(Exception):
    """A process did not do what was asked of it; says which and what it complained of."""


@dataclasses.dataclass
class Usage:
    """What one process cost, from its start to its end."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int
    output: str

    def numbers(self):
        return {"seconds": self.seconds, "cpu_seconds": self.cpu_seconds, "peak_bytes": self.peak_bytes}


def run(command, stdin=None, statuses=(0,)):
    """Runs a command to its end. Peak memory is at least this process's own, some 20 MB."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdin=stdin, stdout=output, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode not in statuses:
            said = errors.read().decode(errors="replace").strip()
            raise Failed(f"{' '.join(map(str, command))}: exit status {process.returncode}\n{said}")
        text = output.read().decode()
    return Usage(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, text)


def run_reporting(command):
    """Runs a program that prints one JSON object with what it measured itself; that wins over the outside view."""
    usage = run(command)
    return usage.numbers() | json.loads(usage.output)


def instructions(command, copy):
    """How many instructions a program takes, all threads together. Its symbols make valgrind slow, so they are cut off."""
    subprocess.run(["strip", "-o", str(copy), str(command[0])], check=True)
    counted = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(copy), *map(str, command[1:])]
    said = subprocess.run(counted, check=True, capture_output=True, text=True).stderr
    return int(said.rsplit("Collected :", 1)[1].split()[0])


def run_piped(producer, consumer):
    """Runs a consumer of a producer's output; the usage is the consumer's."""
    with subprocess.Popen([str(word) for word in producer], stdout=subprocess.PIPE) as source:
        usage = run(consumer, stdin=source.stdout)
        source.stdout.close()
    if source.returncode != 0:
        raise Failed(f"{' '.join(map(str, producer))}: exit status {source.returncode}")
    return usage
