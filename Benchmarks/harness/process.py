# SPDX-License-Identifier: Apache-2.0
"""Runs processes and measures their cost."""

import dataclasses
import json
import os
import subprocess
import tempfile
import time


class Failed(Exception):
    """A process failed; the message has its command and its errors."""


@dataclasses.dataclass
class Usage:
    """The cost of one process, from its start to its end."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int
    output: str

    def numbers(self):
        return {"seconds": self.seconds, "cpu_seconds": self.cpu_seconds, "peak_bytes": self.peak_bytes}


def run(command, stdin=None, statuses=(0,)):
    """Runs a command to its end. The measured peak memory is at least that of this process, some 20 MB."""
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
    """Runs a program that prints a JSON object with its own measurements, which replace those from outside."""
    usage = run(command)
    return usage.numbers() | json.loads(usage.output)


def instructions(command, copy):
    """The number of instructions of a program in all threads. The program is stripped, because symbols make valgrind slow."""
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
