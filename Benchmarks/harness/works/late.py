# SPDX-License-Identifier: Apache-2.0
"""An event that arrives a year late."""

from .. import process, tools
from ..contest import Trial


def trials(source, options):
    if source.name == "crowd":
        return
    store = source.path("late.db")
    command = tools.inside("late", store, options.late)
    yield Trial("late", source.name, "laurel", lambda: process.run_reporting(command),
                lambda: source.copy_of_store(store.name))
