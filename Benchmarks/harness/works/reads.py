# SPDX-License-Identifier: Apache-2.0
"""Opening a store, and one learner's progress and words, within a process that uses the library."""

from .. import process, tools
from ..contest import Trial


def trials(source, options):
    command = tools.inside("read", source.store, options.reads)
    yield Trial("reads", source.name, "laurel", lambda: process.run_reporting(command))
